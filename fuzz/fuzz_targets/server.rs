//! The game server: any lines from three connections, which come and go. Its journal is always
//! good, a server that reads it has the same games, and its records can be read.
#![no_main]

use std::num::NonZeroU32;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use senbon_games::shogi::record::csa;
use senbon_server::{Conn, Hall, Journal, Limits, Output, Rules, Secret, Settings};

fn settings() -> Settings {
    Settings {
        name: "s".to_owned(),
        game: "t-60-5".parse().expect("a game"),
        rules: Rules { max_moves: Some(8), ..Rules::default() },
        continuous: true,
        listed: None,
        agree: Duration::from_secs(30),
        wait: Duration::from_secs(30),
        limits: Limits::default(),
        opened: 1_700_000_000,
        seed: 1,
    }
}

fn drain(hall: &mut Hall, now: Duration, journal: &mut String) {
    while let Some(output) = hall.poll() {
        match output {
            Output::Close(conn) => hall.handle_closed(now, conn),
            Output::Journal(entry) => journal.push_str(&entry.line()),
            Output::Record(id, text) => {
                csa::read(&text).unwrap_or_else(|error| panic!("{id}: {error}\n{text}"));
            }
            Output::Check(conn, secret, password) => {
                hall.handle_checked(now, conn, secret.matches(&password));
            }
            Output::Hash(conn, password) => {
                let secret = Secret::with_rounds(&password, NonZeroU32::MIN).ok();
                hall.handle_hashed(now, conn, secret);
            }
            Output::Send(_, text) => assert!(text.ends_with('\n')),
            Output::Log(event) => drop(event.json()),
        }
    }
}

fuzz_target!(|text: &str| {
    let mut hall = Hall::new(settings(), Vec::new());
    let (mut now, mut journal) = (Duration::ZERO, String::new());
    let mut conns: [Option<Conn>; 3] = [None; 3];
    for (index, line) in text.lines().enumerate() {
        let (who, line) = line.split_at_checked(1).unwrap_or(("", line));
        match who {
            "0" | "1" | "2" => {
                let slot = usize::from(who.as_bytes()[0] - b'0');
                let conn = *conns[slot].get_or_insert_with(|| {
                    let conn = Conn(index as u64);
                    hall.handle_open(now, conn, "address");
                    conn
                });
                hall.handle_line(now, conn, line);
            }
            "x" => {
                if let Some(conn) = conns[line.len() % 3].take() {
                    hall.handle_closed(now, conn);
                }
            }
            "t" => {
                now += Duration::from_millis(100 * line.len() as u64);
                hall.handle_timeout(now);
            }
            "q" => hall.handle_quit(now),
            _ => {}
        }
        drain(&mut hall, now, &mut journal);
        let _ = hall.poll_timeout();
    }
    let read = Journal::read(journal.as_bytes()).expect("a good journal");
    assert_eq!(read.good, journal.len());
    let mut again = Hall::new(settings(), read.entries);
    drain(&mut again, Duration::ZERO, &mut String::new());
    assert_eq!(again.snapshot(Duration::ZERO).len(), hall.snapshot(now).len());
});
