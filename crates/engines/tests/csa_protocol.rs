//! The CSA server protocol: our lines against an independent codec, the player's end of a
//! conversation, and any bytes at all.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use rsshogi_csa::{GameSummaryReader, format_command, parse_line};
use senbon_engines::csa::{
    Client, ClientEvent, ClientLine, ClientSay, Comment, Login, Mark, Meta, ServerLine, Special,
    Summary, SummaryReader, TimeControl, Turn,
};
use senbon_games::shogi::Shogi;
use senbon_games::shogi::record::csa;
use senbon_games::{Game, Notation, Rng, Side};

fn client_lines() -> Vec<ClientLine> {
    let text = |text: &str| text.to_owned();
    let login = |extended| ClientLine::Login {
        name: text("a-b_1"),
        password: text("floodgate-300-10F,secret"),
        extended,
    };
    let mut lines = vec![
        login(false),
        login(true),
        ClientLine::Logout,
        ClientLine::Agree(None),
        ClientLine::Agree(Some(text("x+test-1-1+a+b+2026"))),
        ClientLine::Reject(Some(text("id"))),
        ClientLine::Challenge,
        ClientLine::Move { mv: text("+7776FU"), comment: None },
        ClientLine::Move { mv: text("-0055KA"), comment: Some(text("* 60 +2625FU, and so on")) },
        ClientLine::Meta(Meta::Game(None, Turn::Either)),
        ClientLine::Meta(Meta::Game(Some(text("test-600-10")), Turn::White)),
        ClientLine::Meta(Meta::Who),
        ClientLine::Meta(Meta::List),
        ClientLine::Meta(Meta::Show(text("id"))),
        ClientLine::Meta(Meta::Monitor(text("id"), true)),
        ClientLine::Meta(Meta::Chat(text("good game"))),
        ClientLine::Meta(Meta::Version),
        ClientLine::Meta(Meta::Help),
        ClientLine::KeepAlive,
    ];
    lines.extend(Special::ALL.map(ClientLine::Special));
    lines
}

fn server_lines() -> Vec<ServerLine> {
    let text = |text: &str| text.to_owned();
    let mv = |units, comment| ServerLine::Move { mv: text("+7776FU"), units, comment };
    let mut lines = vec![
        ServerLine::LoginOk(text("a")),
        ServerLine::LoginIncorrect,
        ServerLine::LogoutCompleted,
        ServerLine::BeginSummary,
        ServerLine::Start(text("x+test-1-1+a+b+2026")),
        ServerLine::Reject { id: text("id"), by: text("a") },
        mv(None, None),
        mv(Some(12), None),
        mv(Some(0), Some(text("* 60 -3334FU"))),
        mv(None, Some(text("* 60, and more, T5"))),
        ServerLine::Info(text("[WHO] a waits")),
        ServerLine::KeepAlive,
    ];
    for special in Special::ALL {
        lines.extend([ServerLine::Special(special, None), ServerLine::Special(special, Some(3))]);
    }
    lines.extend(Mark::ALL.map(ServerLine::Mark));
    lines
}

#[test]
fn the_other_codec_reads_our_lines_and_writes_the_same() {
    for line in client_lines() {
        let text = line.to_string();
        assert_eq!(ClientLine::parse(&text), Ok(line));
        let theirs = parse_line(&text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(format_command(&theirs), text);
    }
    for line in server_lines() {
        let text = line.to_string();
        assert_eq!(ServerLine::parse(&text), Ok(line));
        let theirs = parse_line(&text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(format_command(&theirs), text);
    }
}

#[test]
fn agreement_as_other_players_write_it() {
    let agree = |id: Option<&str>| Ok(ClientLine::Agree(id.map(str::to_owned)));
    for (text, id) in
        [("AGREE", None), ("AGREE x", Some("x")), ("AGREE:x", Some("x")), ("AGREE:", None)]
    {
        assert_eq!(ClientLine::parse(text), agree(id), "{text}");
    }
    assert_eq!(ClientLine::parse("REJECT:x"), Ok(ClientLine::Reject(Some("x".to_owned()))));
}

/// An offer drawn at random, of a game with some moves.
fn offer(rng: &mut Rng) -> Summary {
    let mut game = Shogi::start();
    let mut moves = Vec::new();
    for _ in 0..rng.below(60) {
        let Some(&mv) = rng.pick(game.moves().as_slice()) else { break };
        moves.push((mv, rng.below(30) as u64));
        game.play(mv);
    }
    let made = rng.below(moves.len() + 1);
    let mut start = Shogi::start();
    for (mv, _) in moves.drain(..made) {
        start.play(mv);
    }
    let start = Shogi::parse_position(&start.format_position()).unwrap();
    let units = [1, 100, 1_000, 60_000];
    let clock = |rng: &mut Rng| TimeControl {
        unit: Duration::from_millis(*rng.pick(&units).unwrap()),
        total: rng.below(900) as u64,
        byoyomi: rng.below(2) as u64 * 10,
        increment: rng.below(2) as u64 * 5,
        delay: rng.below(2) as u64,
        least: 0,
        round_up: rng.below(2) == 1,
    };
    let black = clock(rng);
    let white = if rng.below(2) == 0 { black } else { clock(rng) };
    let left = [rng.below(500) as u64, 3].map(|left| Some(left).filter(|left| left % 2 == 1));
    Summary {
        id: "s+test-600-10+a+b+20261115210000".to_owned(),
        names: ["a".to_owned(), "b".to_owned()],
        you: if rng.below(2) == 0 { Side::First } else { Side::Second },
        clocks: [black, white],
        left,
        elapsed: rng.below(3) as u64,
        max_moves: Some(256).filter(|_| rng.below(2) == 0),
        declaration: Summary::DECLARATION.to_owned(),
        start: as_record(start),
        moves,
    }
}

/// Records do not keep the number of the first move.
fn as_record(start: Shogi) -> Shogi {
    csa::read(&csa::format_position(&start)).unwrap().start
}

fn read(text: &str) -> Summary {
    let mut reader = SummaryReader::default();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("BEGIN Game_Summary"));
    lines.find_map(|line| reader.line(line).unwrap()).unwrap()
}

#[test]
fn offers_are_read_as_they_were_written_here_and_elsewhere() {
    let mut rng = Rng::new(senbon_testkit::seed());
    for _ in 0..300 {
        let summary = offer(&mut rng);
        let text = summary.format();
        let again = read(&text);
        assert_eq!(again, summary, "{text}");
        let mut reader = GameSummaryReader::new();
        let theirs = text.lines().find_map(|line| reader.feed(line).unwrap()).unwrap();
        assert_eq!(theirs.game_id.as_deref(), Some(summary.id.as_str()));
        assert_eq!(theirs.max_moves, summary.max_moves);
        for (clock, ours) in
            [&theirs.time_black, &theirs.time_white].into_iter().zip(summary.clocks)
        {
            assert_eq!(clock.total_time, Some(ours.total));
            assert_eq!(clock.byoyomi, Some(ours.byoyomi));
            assert_eq!(clock.increment.unwrap_or(0), ours.increment);
        }
        // What they write, we read the same.
        let theirs = theirs.to_lines().join("\n");
        let again = read(&theirs);
        assert_eq!(again.clocks, summary.clocks, "{theirs}");
        assert_eq!((again.start, again.moves), (summary.start, summary.moves));
    }
}

fn login() -> Login {
    Login { name: "me".to_owned(), password: "pw".to_owned(), extended: false }
}

fn said(client: &mut Client) -> Vec<ClientSay> {
    std::iter::from_fn(|| client.poll()).collect()
}

fn hear(client: &mut Client, now: Duration, text: &str) -> Vec<ClientSay> {
    text.lines().for_each(|line| client.handle_line(now, line));
    said(client)
}

fn event(event: ClientEvent) -> ClientSay {
    ClientSay::Event(event)
}

const SECOND: Duration = Duration::from_secs(1);

/// A client in a game of ten minutes and ten seconds a move, as `you`.
fn playing(you: Side) -> Client {
    let mut client = Client::new(Duration::ZERO, &login()).unwrap();
    assert_eq!(said(&mut client).len(), 1);
    assert_eq!(hear(&mut client, SECOND, "LOGIN:me OK"), [event(ClientEvent::LoggedIn)]);
    let mut summary = offer(&mut Rng::new(1));
    let clock = TimeControl { total: 600, byoyomi: 10, ..TimeControl::default() };
    (summary.clocks, summary.left, summary.elapsed) = ([clock; 2], [None; 2], 0);
    (summary.start, summary.moves, summary.you) = (Shogi::start(), Vec::new(), you);
    assert_eq!(hear(&mut client, SECOND, &summary.format()), [event(ClientEvent::Offered)]);
    client.agree(SECOND);
    let agreed = ClientSay::Send(ClientLine::Agree(Some(summary.id.clone())));
    assert_eq!(said(&mut client), [agreed]);
    let start = format!("START:{}", summary.id);
    assert_eq!(hear(&mut client, SECOND, &start), [event(ClientEvent::Started)]);
    client
}

#[test]
fn a_game_from_the_players_side() {
    let mut client = playing(Side::First);
    let game = client.game().unwrap();
    assert!(game.is_our_turn());
    let mv = game.place.position().parse_move("7g7f").unwrap();
    let after = game.place.after(mv);
    let reply = after.position().parse_move("3c3d").unwrap();
    let comment = Comment::format(after.position(), Side::First, 30, &[reply]);
    client.play(5 * SECOND, mv, Some(comment));
    client.play(5 * SECOND, mv, None);
    let sent = ClientLine::Move { mv: "+7776FU".into(), comment: Some("* 30 -3334FU".into()) };
    assert_eq!(said(&mut client), [ClientSay::Send(sent)], "once, though asked twice");
    let echo = hear(&mut client, 5 * SECOND + SECOND / 4, "+7776FU,T4\n\n");
    assert_eq!(echo, [event(ClientEvent::Moved(Side::First, mv))]);
    assert_eq!(client.round_trip(), SECOND / 4);
    let answered = hear(&mut client, 9 * SECOND, "-3334FU,T3,'* 12");
    assert_eq!(answered, [event(ClientEvent::Moved(Side::Second, reply))]);
    let game = client.game().unwrap();
    assert_eq!((game.left, game.turn_began), ([596, 597], 9 * SECOND));
    assert_eq!(game.time_left(Side::First), (596 * SECOND, 10 * SECOND));
    client.special(10 * SECOND, Special::Resign);
    assert_eq!(said(&mut client), [ClientSay::Send(ClientLine::Special(Special::Resign))]);
    let ended = hear(&mut client, 10 * SECOND, "%TORYO,T1\n#RESIGN\n#LOSE");
    assert_eq!(ended, [event(ClientEvent::Ended(Mark::Lose, Some(Mark::Resign)))]);
    assert!(client.is_waiting() && client.game().is_none());
}

#[test]
fn a_game_goes_on_where_it_was() {
    let mut client = playing(Side::Second);
    let mut summary = client.game().unwrap().summary.clone();
    assert_eq!(
        hear(&mut client, SECOND, "#CHUDAN"),
        [event(ClientEvent::Ended(Mark::Interrupted, None))]
    );
    let mut game = Shogi::start();
    for text in ["7g7f", "3c3d", "2g2f"] {
        let mv = game.parse_move(text).unwrap();
        summary.moves.push((mv, 100));
        game.play(mv);
    }
    summary.elapsed = 505;
    hear(&mut client, SECOND, &summary.format());
    client.agree(SECOND);
    hear(&mut client, SECOND, &format!("START:{}", summary.id));
    let game = client.game().unwrap();
    assert!(game.is_our_turn());
    assert_eq!((game.place.moves().len(), game.left), (3, [400, 500]));
    // 505 of the 500 seconds are gone: five of the ten seconds are left.
    assert_eq!(game.time_left(Side::Second), (Duration::ZERO, 5 * SECOND));
    assert_eq!(game.time_left(Side::First), (400 * SECOND, 10 * SECOND));
}

#[test]
fn the_line_is_kept_alive() {
    let mut client = playing(Side::First);
    let at = client.poll_timeout();
    assert!(at >= 30 * SECOND, "the protocol does not want them more often");
    client.handle_timeout(at - Duration::from_millis(1));
    assert_eq!(said(&mut client), []);
    client.handle_timeout(at);
    assert_eq!(said(&mut client), [ClientSay::Send(ClientLine::KeepAlive)]);
    assert!(client.poll_timeout() > at);
}

#[test]
fn a_dead_link_is_noticed() {
    let mut client = Client::new(SECOND, &login()).unwrap();
    said(&mut client);
    client.handle_timeout(31 * SECOND);
    assert_eq!(said(&mut client), [event(ClientEvent::Silent)], "no answer to the login");
    // Empty lines that nobody answers mean nothing.
    let mut client = playing(Side::Second);
    for _ in 0..3 {
        let at = client.poll_timeout();
        client.handle_timeout(at);
        assert_eq!(said(&mut client), [ClientSay::Send(ClientLine::KeepAlive)]);
    }
    // They do when the server has answered one.
    let now = client.poll_timeout();
    assert_eq!(hear(&mut client, now, "\n"), []);
    let at = client.poll_timeout();
    client.handle_timeout(at);
    assert_eq!(said(&mut client), [ClientSay::Send(ClientLine::KeepAlive)]);
    assert_eq!(client.poll_timeout(), at + 30 * SECOND);
    client.handle_timeout(at + 30 * SECOND);
    assert_eq!(said(&mut client), [event(ClientEvent::Silent)]);
    // A move is repeated by every server.
    let mut client = playing(Side::First);
    let mv = client.game().unwrap().place.position().moves().into_iter().next().unwrap();
    client.play(2 * SECOND, mv, None);
    said(&mut client);
    client.handle_timeout(31 * SECOND);
    assert_eq!(said(&mut client), []);
    client.handle_timeout(32 * SECOND);
    assert_eq!(said(&mut client), [event(ClientEvent::Silent)]);
}

#[test]
fn what_makes_no_sense_is_told_and_survived() {
    assert!(Client::new(SECOND, &Login { name: "a b".into(), ..login() }).is_err());
    assert!(Client::new(SECOND, &Login { password: "a b".into(), ..login() }).is_err());
    let mut client = playing(Side::First);
    for line in ["-3334FU,T1", "+7775FU,T1", "+7776FU,Tx", "#WON", "##[CHAT] hello", "START:x", "x"]
    {
        for say in hear(&mut client, SECOND, line) {
            assert!(matches!(say, ClientSay::Event(ClientEvent::Confused(_))), "{line}: {say:?}");
        }
        assert_eq!(client.game().unwrap().place.moves().len(), 0);
    }
    hear(&mut client, SECOND, "#TIME_UP\n#WIN\nBEGIN Game_Summary\nYour_Turn:*");
    assert!(client.is_waiting(), "an offer that cannot be read is refused");
    hear(&mut client, SECOND, "BEGIN Game_Summary");
    let refused = hear(&mut client, SECOND, &"Name+:x\n".repeat(5_000));
    assert!(refused.contains(&ClientSay::Send(ClientLine::Reject(None))));
}

#[test]
fn any_lines_at_all_are_survived() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let mut pool: Vec<String> = client_lines().iter().map(ToString::to_string).collect();
    pool.extend(server_lines().iter().map(ToString::to_string));
    pool.extend(offer(&mut rng).format().lines().map(str::to_owned));
    for _ in 0..300 {
        let mut client = Client::new(Duration::ZERO, &login()).unwrap();
        for step in 0..100 {
            let mut line = rng.pick(&pool).unwrap().clone();
            if rng.below(3) == 0 && !line.is_empty() {
                let mut bytes = line.into_bytes();
                let at = rng.below(bytes.len());
                bytes[at] = rng.below(256) as u8;
                line = String::from_utf8_lossy(&bytes).into_owned();
            }
            let now = Duration::from_secs(step);
            client.handle_line(now, &line);
            let _ = ClientLine::parse(&line);
            match rng.below(8) {
                0 => client.agree(now),
                1 => client.reject(now),
                2 => client.handle_timeout(now),
                _ => {}
            }
            said(&mut client);
        }
    }
}
