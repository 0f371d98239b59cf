//! `senbon serve` and `senbon csa` as processes: with each other, killed and started again, and
//! with the client and the codec of other people.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod ground;

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;

use rsshogi_csa::{
    Color, CsaCommand, CsaMove, EndMarker, GameSummary, MoveLine, SpecialMove, TimeConfig,
    TimeUnit, format_command, parse_line_strict,
};
use senbon_games::shogi::Shogi;
use senbon_games::shogi::record::{Finish, csa};
use senbon_games::{Game, Notation, Rng};

use ground::{Ground, PATIENCE, Program};

/// Moves of the games below; a minute for half of them is plenty.
const MOVES: u32 = 16;
const GAME: [&str; 4] = ["--game", "t-90-0", "--max-moves", "16"];

#[test]
fn a_game_goes_on_whoever_is_killed() {
    let ground = Ground::new("csa-killed");
    let mut server = ground.server(&GAME);
    let mut one = ground.player("one", &["--games", "1", "--floodgate"]);
    let mut two = ground.player("two", &["--games", "1"]);
    server.until("\"move\"", 3);
    server.kill();
    one.until("disconnected", 1);
    let mut server = ground.server(&GAME);
    one.until("resumed", 1);
    server.until("\"move\"", 3);
    two.kill();
    server.until("\"lost\"", 1);
    let mut two = ground.player("two", &["--games", "1"]);
    two.until("resumed", 1);
    for player in [one, two] {
        let (status, said) = player.end();
        assert!(status.success(), "{said:#?}");
        assert!(said.last().unwrap().contains("\"left\""), "{said:#?}");
    }
    let records = ground.records();
    assert_eq!(records.len(), 1, "one game, though it was broken off");
    assert_eq!(records[0].finish, Some(Finish::MoveLimit));
    assert_eq!(records[0].moves.len(), MOVES as usize);
    let told = records[0].moves.iter().filter(|made| made.comment.starts_with("* ")).count();
    assert!(told >= 4, "one of them tells what it thinks: {told}");
}

#[test]
fn games_follow_games_until_the_server_ends_in_good_order() {
    let ground = Ground::new("csa-continuous");
    let terms = ["--game", "t-60-0", "--max-moves", "6", "--continuous"];
    let mut server = ground.server(&terms);
    let _players = [ground.player("one", &[]), ground.player("two", &[])];
    server.until("\"ended\"", 3);
    server.until("\"move\"", 1);
    let number = server.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &number]).status().unwrap().success());
    let (status, said) = server.end();
    assert!(status.success());
    assert!(said.iter().any(|line| line.contains("\"suspended\"")), "{said:#?}");
    let records = ground.records();
    assert!(records.len() >= 3);
    let colours: Vec<&str> = records.iter().map(|record| record.players[0].as_str()).collect();
    assert!(colours.contains(&"one") && colours.contains(&"two"), "{colours:?}");
    let mut again = ground.server(&terms);
    again.until("\"resumed\"", 1);
    again.until("\"ended\"", 1);
}

#[test]
fn wrong_passwords_are_told() {
    let ground = Ground::new("csa-password");
    let mut server = ground.server(&GAME);
    let mut player = ground.player("one", &[]);
    server.until("\"login\"", 1);
    player.kill();
    ground.folder.with("password", "another\n");
    let (status, _) = ground.player("one", &[]).end();
    assert_eq!(status.code(), Some(2));
    server.until("the wrong password", 1);
}

/// An independent client: python-shogi reads everything the server says, and makes its moves.
#[test]
fn python_shogi_plays_on_our_server() {
    let Some(python) = senbon_testkit::python() else { return };
    let ground = Ground::new("csa-python");
    let mut server = ground.server(&["--game", "t-120-0", "--continuous"]);
    let (host, port) = ground.address.split_once(':').unwrap();
    let seed = (senbon_testkit::seed() % 1_000_000).to_string();
    let mut command = Command::new(python);
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/csa_client.py"));
    command.args([host, port, "python", "secret", "2", "8", &seed]);
    let mut client = Program::start(command);
    client.until("ready", 1);
    let player = ground.player("one", &["--games", "2"]);
    let (status, said) = client.end();
    assert!(status.success(), "{said:#?}");
    assert_eq!(said.len(), 3, "{said:#?}");
    assert!(player.end().0.success());
    server.until("\"ended\"", 2);
    let records = ground.records();
    assert_eq!(records.len(), 2);
    for record in records {
        // It gives up, unless it was mated before: then it gives up, too.
        assert_eq!(record.finish, Some(Finish::Resignation));
        let plies = record.moves.len().to_string();
        assert!(said.iter().any(|line| line.starts_with(&format!("{plies} #RESIGN"))), "{said:#?}");
    }
}

/// A server that reads and writes with the codec of other people.
struct Stranger {
    input: BufReader<TcpStream>,
    game: Shogi,
    lines: Vec<String>,
}

impl Stranger {
    fn accept(listener: &TcpListener) -> Self {
        let (stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Stranger { input: BufReader::new(stream), game: Shogi::start(), lines: Vec::new() }
    }

    fn send(&mut self, command: &CsaCommand) {
        let line = format_command(command);
        writeln!(self.input.get_mut(), "{line}").unwrap();
    }

    /// The next line that is no sign of life; it must be as the other codec writes it.
    fn hear(&mut self) -> CsaCommand {
        loop {
            let mut line = String::new();
            assert!(self.input.read_line(&mut line).unwrap() > 0, "the player has gone");
            let command = parse_line_strict(&line).unwrap_or_else(|error| panic!("{error:?}"));
            if command != CsaCommand::KeepAlive {
                return command;
            }
        }
    }

    fn begin(&mut self, password: &str) {
        let CsaCommand::Login { name, password: given, x1 } = self.hear() else {
            panic!("no login")
        };
        assert_eq!((name.as_str(), given.as_str(), x1), ("one", password, false));
        self.send(&CsaCommand::LoginOk { name });
        self.send(&CsaCommand::KeepAlive);
        let clock = TimeConfig::new(TimeUnit::SECOND).with_total_time(60).with_byoyomi(10);
        let mut summary = GameSummary::default();
        summary.protocol_version = Some("1.2".to_owned());
        summary.game_id = Some("strange".to_owned());
        (summary.name_black, summary.name_white) = (Some("one".to_owned()), Some("two".to_owned()));
        (summary.your_turn, summary.to_move) = (Some(Color::Black), Some(Color::Black));
        (summary.time_black, summary.time_white) = (clock.clone(), clock);
        let board = csa::format_position(&Shogi::start());
        summary.position_lines = board.lines().map(str::to_owned).collect();
        summary.position_lines.extend(self.lines.iter().cloned());
        for line in summary.to_lines() {
            writeln!(self.input.get_mut(), "{line}").unwrap();
        }
        let CsaCommand::Agree { game_id } = self.hear() else { panic!("not agreed") };
        assert_eq!(game_id.as_deref(), Some("strange"));
        self.send(&CsaCommand::Start { game_id: "strange".to_owned() });
    }

    fn make(&mut self, text: &str) {
        let mv = csa::parse_legal_move(&self.game, text).unwrap();
        self.game.play(mv);
        let csa = CsaMove::parse(text).unwrap();
        let line = CsaCommand::Move(MoveLine { csa, elapsed: Some(1), comment: None });
        self.lines.push(format_command(&line));
        self.send(&line);
    }

    /// The player's move, with its comment.
    fn their_move(&mut self) -> Option<String> {
        let CsaCommand::Move(MoveLine { csa, comment, .. }) = self.hear() else {
            panic!("no move")
        };
        self.make(csa.as_str());
        comment
    }

    fn our_move(&mut self, rng: &mut Rng) {
        let mv = *rng.pick(self.game.moves().as_slice()).unwrap();
        let text = csa::format_move(&self.game, mv);
        self.make(&text);
    }
}

#[test]
fn our_player_on_a_server_of_another_make() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut ground = Ground::new("csa-stranger");
    ground.address = listener.local_addr().unwrap().to_string();
    let player = ground.player("one", &["--games", "1", "--floodgate", "--game", "f-60-10"]);
    let mut server = Stranger::accept(&listener);
    server.begin("f-60-10,secret");
    for _ in 0..2 {
        let comment = server.their_move().unwrap();
        assert!(comment.starts_with("* "), "{comment}");
        server.our_move(&mut rng);
    }
    // The link breaks in the player's turn; it comes back and goes on.
    let (game, lines) = (server.game.clone(), server.lines.clone());
    drop(server);
    let mut server = Stranger::accept(&listener);
    (server.game, server.lines) = (game, lines);
    server.begin("f-60-10,secret");
    server.their_move();
    assert_eq!(server.lines.len(), 5);
    server.send(&CsaCommand::Special { kind: SpecialMove::Toryo, elapsed: Some(1) });
    server.send(&CsaCommand::End(EndMarker::Resign));
    server.send(&CsaCommand::End(EndMarker::Win));
    assert_eq!(server.hear(), CsaCommand::Logout);
    let (status, said) = player.end();
    assert!(status.success(), "{said:#?}");
    assert!(said.iter().any(|line| line.contains("\"WIN\"")), "{said:#?}");
}
