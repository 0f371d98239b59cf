//! The CSA server protocol: what is understood is written so that it is understood again, an
//! offer is the same written and read again, and the player's end survives any lines.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use senbon_engines::csa::{
    Client, ClientEvent, ClientLine, ClientSay, Login, ServerLine, Summary, SummaryReader,
};
use senbon_games::Game;

fuzz_target!(|text: &str| {
    let login = Login { name: "a".to_owned(), password: "b".to_owned(), extended: false };
    let mut client = Client::new(Duration::ZERO, &login).expect("a good name");
    let mut reader = SummaryReader::default();
    for (index, line) in text.lines().enumerate() {
        check_line(line);
        if let Ok(Some(summary)) = reader.line(line) {
            check_summary(&summary);
            reader = SummaryReader::default();
        }
        let now = Duration::from_secs(index as u64);
        client.handle_line(now, line);
        while let Some(say) = client.poll() {
            match say {
                ClientSay::Event(ClientEvent::Offered) => client.agree(now),
                ClientSay::Event(ClientEvent::Started | ClientEvent::Moved(..)) => {
                    let game = client.game().expect("a game");
                    let first = game.place.position().moves().into_iter().next();
                    if let Some(mv) = first {
                        client.play(now, mv, None);
                    }
                }
                _ => {}
            }
        }
        client.handle_timeout(now);
    }
});

fn check_line(line: &str) {
    if let Ok(command) = ClientLine::parse(line) {
        let text = command.to_string();
        let again = ClientLine::parse(&text).expect("read again");
        assert_eq!(again.to_string(), text);
    }
    if let Ok(command) = ServerLine::parse(line) {
        let text = command.to_string();
        let again = ServerLine::parse(&text).expect("read again");
        assert_eq!(again.to_string(), text);
    }
}

fn check_summary(summary: &Summary) {
    let _ = summary.clocks_left();
    let text = summary.format();
    let mut reader = SummaryReader::default();
    let again = text.lines().skip(1).find_map(|line| reader.line(line).expect("read again"));
    assert_eq!(again.as_ref(), Some(summary), "{text}");
}
