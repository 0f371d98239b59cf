//! The server without its sockets: logging in, games and their ends, links that break, and
//! what must not be possible.
#![allow(clippy::unwrap_used)]

mod support;

use std::time::Duration;

use senbon_games::shogi::Shogi;
use senbon_games::shogi::record::{Finish, GameResult, csa};
use senbon_games::{Game, Notation, Rng, Side};
use senbon_server::{Event, Impasse, Limits, Rules, Settings};
use support::{SECOND, World, settings};

fn world() -> World {
    World::new(settings())
}

/// Plays the moves in turn; what both hear at the end.
fn play(world: &mut World, pair: [senbon_server::Conn; 2], moves: &str) -> [Vec<String>; 2] {
    for (index, mv) in moves.split_whitespace().enumerate() {
        pair.iter().for_each(|&conn| drop(world.hear(conn)));
        world.say(pair[index % 2], mv);
    }
    pair.map(|conn| world.hear(conn))
}

fn only_record(world: &World) -> (String, senbon_games::shogi::record::Record) {
    assert_eq!(world.records.len(), 1);
    let (id, text) = world.records.iter().next().unwrap();
    (id.clone(), csa::read(text).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

#[test]
fn a_game_that_somebody_gives_up() {
    let mut world = world();
    let pair = world.game();
    world.pass(SECOND * 3 + SECOND / 2);
    let heard = play(&mut world, pair, "+7776FU,'*_30");
    assert_eq!(heard, [["+7776FU,T3"], ["+7776FU,T3"]]);
    world.pass(SECOND);
    let [black, white] = play(&mut world, [pair[1], pair[0]], "%TORYO");
    assert_eq!(
        (&*black, &*white),
        (
            &["%TORYO,T1", "#RESIGN", "#LOSE"].map(String::from)[..],
            &["%TORYO,T1", "#RESIGN", "#WIN"].map(String::from)[..]
        )
    );
    assert_eq!(world.closed.len(), 2, "as on Floodgate, a game is a login");
    let (id, record) = only_record(&world);
    assert!(id.starts_with("s+test-60-5+") && id.ends_with("+20231114221320"), "{id}");
    assert_eq!((record.finish, record.moves[0].time_ms), (Some(Finish::Resignation), Some(3_000)));
    assert!(world.records[&id].contains("'summary:toryo:"), "{}", world.records[&id]);
    assert_eq!(record.moves[0].comment.lines().next(), Some("*_30"));
}

#[test]
fn passwords_are_kept_and_asked_for() {
    let mut world = world();
    let conn = world.connect();
    world.say(conn, "LOGIN a test-60-5,right");
    assert_eq!(world.hear(conn), ["LOGIN:a OK"]);
    let text = String::from_utf8(world.journal.clone()).unwrap();
    assert!(!text.contains("right"), "{text}");
    let other = world.connect();
    world.say(other, "LOGIN a wrong");
    assert_eq!(world.hear(other), ["LOGIN:incorrect"]);
    assert_eq!(world.closed, [other]);
    // The game's name is no part of the password, and a second login takes the place of the first.
    let again = world.connect();
    world.say(again, "LOGIN a other-10-1F,right");
    assert_eq!(world.hear(again), ["LOGIN:a OK"]);
    assert!(world.closed.contains(&conn));
    world.kill(&mut Rng::new(1));
    let later = world.connect();
    world.say(later, "LOGIN a wrong");
    assert_eq!(world.hear(later), ["LOGIN:incorrect"]);
}

#[test]
fn a_closed_server_takes_those_it_knows() {
    let mut world = World::new(Settings { listed: Some(Default::default()), ..settings() });
    let conn = world.login("a");
    assert_eq!(world.hear(conn), ["LOGIN:incorrect"]);
}

#[test]
fn guessing_passwords_is_slow() {
    let mut world = world();
    world.login("a");
    let wrong = |world: &mut World| {
        let conn = world.connect();
        world.say(conn, "LOGIN a wrong");
        world
            .events
            .iter()
            .any(|event| matches!(event, Event::Refused(_, why) if why.contains("too many wrong")))
    };
    assert!((0..9).all(|_| !wrong(&mut world)));
    assert!((0..3).any(|_| wrong(&mut world)));
    let conn = world.login("a");
    assert_eq!(world.hear(conn), ["LOGIN:incorrect"], "not even with the right one");
    world.pass(120 * SECOND);
    let conn = world.login("a");
    assert_eq!(world.hear(conn), ["LOGIN:a OK"]);
}

#[test]
fn who_floods_is_sent_away() {
    let limits = Limits { connections: 3, per_address: 2, ..Limits::default() };
    let mut world = World::new(Settings { limits, ..settings() });
    let [one, two, three] = [(); 3].map(|()| world.connect());
    assert!(world.hear(three)[0].contains("too many connections"), "{:?}", world.closed);
    world.say(one, "LOGIN a secret");
    (0..300).for_each(|_| world.say(one, "x"));
    assert!(world.closed.contains(&one) && !world.closed.contains(&two));
    world.hall.handle_long_line(world.now, two);
    world.drain();
    assert!(world.closed.contains(&two));
    let silent = world.connect();
    world.pass(Limits::default().silence);
    assert!(world.closed.contains(&silent));
    let rude = world.connect();
    world.say(rude, "GET / HTTP/1.1");
    assert!(world.closed.contains(&rude));
}

#[test]
fn the_rules_are_kept() {
    let end = |moves: &str| {
        let mut world = world();
        let pair = world.game();
        let heard = play(&mut world, pair, moves);
        let (_, record) = only_record(&world);
        (heard.map(|lines| lines.last().unwrap().clone()), record)
    };
    let marks = |black: &str, white: &str| [black.to_owned(), white.to_owned()];
    let shuffle = "+2838HI -8272HI +3828HI -7282HI ".repeat(3);
    let (result, record) = end(&shuffle);
    assert_eq!(result, marks("#DRAW", "#DRAW"));
    assert_eq!((record.finish, record.result()), (Some(Finish::Repetition), GameResult::Draw));

    let (result, record) = end("+7776FU -3334FU +7776FU");
    assert_eq!(result, marks("#LOSE", "#WIN"));
    assert_eq!((record.finish, record.moves.len()), (Some(Finish::IllegalMove), 2));

    let (result, _) = end("+7776FU %KACHI");
    assert_eq!(result, marks("#WIN", "#LOSE"), "a declaration that the rules do not allow loses");
}

#[test]
fn perpetual_check_loses() {
    let mut world = world();
    let pair = world.game();
    let opening = "5i4h 8b4b 4i3h 4c4d 3g3f 4b6b 7g7f 6b7b 8h4d 6a6b 4d3c+ 5a6a";
    let checks = " 3c4c 6a5a 4c3c 5a6a".repeat(3);
    let mut game = Shogi::start();
    let moves: Vec<String> = format!("{opening}{checks}")
        .split_whitespace()
        .map(|text| {
            let mv = game.parse_move(text).unwrap();
            let text = csa::format_move(&game, mv);
            game.play(mv);
            text
        })
        .collect();
    // The position in which White is in check came up first, and comes up for the fourth time.
    let heard = play(&mut world, pair, &moves[..23].join(" "));
    assert_eq!(heard[0][1..], ["#OUTE_SENNICHITE", "#LOSE"]);
    assert_eq!(heard[1][1..], ["#OUTE_SENNICHITE", "#WIN"]);
    assert_eq!(only_record(&world).1.result(), GameResult::Win(Side::Second));
}

#[test]
fn long_games_and_slow_players() {
    let rules = Rules { max_moves: Some(4), ..Rules::default() };
    let mut world = World::new(Settings { rules, ..settings() });
    let pair = world.game();
    let heard = play(&mut world, pair, "+7776FU -3334FU +2726FU -8384FU");
    assert_eq!(heard[0][1..], ["#MAX_MOVES", "#CENSORED"]);
    assert_eq!(only_record(&world).1.finish, Some(Finish::MoveLimit));

    let mut world = self::world();
    let pair = world.game();
    play(&mut world, pair, "+7776FU");
    world.pass(64 * SECOND + SECOND * 9 / 10);
    let heard = play(&mut world, [pair[1], pair[0]], "-3334FU");
    assert_eq!(heard[0], ["-3334FU,T64"], "sixty and five seconds are not up");
    world.pass(65 * SECOND);
    assert_eq!(world.hear(pair[0]), ["#TIME_UP", "#LOSE"]);
    assert_eq!(world.hear(pair[1]), ["#TIME_UP", "#WIN"]);
    assert_eq!(only_record(&world).1.finish, Some(Finish::TimeUp));
}

#[test]
fn a_move_out_of_turn_is_not_heard() {
    let mut world = world();
    let [black, white] = world.game();
    world.say(white, "-3334FU\n%TORYO\n%KACHI\n+7776FU");
    assert_eq!((world.hear(black), world.hear(white)), (vec![], vec![]));
    world.say(black, "+7776FU");
    assert_eq!(world.hear(white), ["+7776FU,T0"]);
}

#[test]
fn offers_can_be_refused() {
    let mut world = world();
    let pair = [world.login("a"), world.login("b")];
    pair.iter().for_each(|&conn| drop(world.hear(conn)));
    world.say(pair[0], "AGREE\nREJECT");
    assert!(world.hear(pair[1])[0].ends_with(" by a"), "who rejected is told");
    world.pass(9 * SECOND);
    assert!(world.hear(pair[1]).is_empty(), "not at once again");
    world.pass(2 * SECOND);
    world.begin(pair);
}

#[test]
fn who_does_not_agree_in_time_is_sent_away() {
    let mut world = world();
    let pair = [world.login("a"), world.login("b")];
    world.say(pair[0], "AGREE");
    world.pass(31 * SECOND);
    assert_eq!(world.closed, [pair[1]]);
    let back = world.login("b");
    world.hear(pair[0]);
    world.pass(11 * SECOND);
    world.begin([pair[0], back]);
}

#[test]
fn a_player_who_lost_its_link_gets_its_game_back() {
    let mut world = world();
    let [black, white] = world.game();
    let id = world.hall.snapshot(world.now).len();
    assert!(id > 0);
    play(&mut world, [black, white], "+7776FU");
    world.cut(black);
    world.pass(10 * SECOND);
    world.say(white, "-3334FU");
    world.pass(4 * SECOND);
    let name = match world.events.iter().rev().find(|event| matches!(event, Event::Lost(..))) {
        Some(Event::Lost(_, name)) => name.clone(),
        other => panic!("{other:?}"),
    };
    let back = world.login(&name);
    let heard = world.hear(back);
    let has = |line: &str| heard.iter().any(|other| other == line);
    assert!(has("+7776FU,T0") && has("-3334FU,T10"), "{heard:?}");
    assert!(has("Remaining_Time+:60") && has("Remaining_Time-:50") && has("Elapsed_Time:4"));
    world.say(back, "AGREE");
    assert!(world.hear(back)[0].starts_with("START:"));
    world.pass(2 * SECOND);
    world.say(back, "+2726FU");
    assert!(world.hear(white).contains(&"+2726FU,T6".to_owned()), "the clock ran on");
    // A move made between offer and agreement is not lost.
    world.cut(back);
    let back = world.login(&name);
    world.say(white, "-8384FU");
    world.hear(back);
    world.say(back, "AGREE");
    assert_eq!(world.hear(back)[1..], ["-8384FU,T0"]);
}

#[test]
fn who_stays_away_loses_by_the_clock() {
    let mut world = world();
    let [black, white] = world.game();
    world.cut(black);
    world.pass(65 * SECOND);
    assert_eq!(world.hear(white), ["#TIME_UP", "#WIN"]);
}

#[test]
fn a_game_survives_the_server() {
    let mut world = world();
    let pair = world.game();
    play(&mut world, pair, "+7776FU -3334FU");
    world.pass(10 * SECOND + SECOND / 2);
    world.kill(&mut Rng::new(2));
    assert_eq!(world.hall.games(), 1);
    let first = world.login("a");
    assert_eq!(world.hear(first), ["LOGIN:a OK"], "it waits for the other");
    world.pass(50 * SECOND);
    let second = world.login("b");
    let heard = world.hear(second);
    assert!(heard.contains(&"-3334FU,T0".to_owned()), "{heard:?}");
    let elapsed = heard.iter().find_map(|line| line.strip_prefix("Elapsed_Time:"));
    let elapsed: u64 = elapsed.unwrap_or("0").parse().unwrap();
    assert!(elapsed <= 11, "nobody's time was used while the server was down: {elapsed}");
    world.say(first, "AGREE");
    world.say(second, "AGREE");
    let black =
        if world.hear(first).iter().any(|line| line == "Your_Turn:+") { first } else { second };
    world.hear(second);
    world.pass(SECOND);
    world.say(black, "+2726FU");
    let line = world.hear(first).pop().unwrap();
    let units: u64 = line.strip_prefix("+2726FU,T").unwrap().parse().unwrap();
    assert!((1..=12).contains(&units), "{line}");
}

#[test]
fn a_suspended_game_does_not_wait_for_ever() {
    let mut world = world();
    let pair = world.game();
    play(&mut world, pair, "+7776FU -3334FU");
    world.kill(&mut Rng::new(3));
    world.pass(86_400 * SECOND);
    assert_eq!(world.hall.games(), 1, "while nobody is back it waits");
    let conn = world.login("a");
    world.pass(60 * SECOND);
    world.say(conn, "AGREE");
    assert!(world.hear(conn).last().unwrap().starts_with("START:"), "then it goes on");
    world.pass(200 * SECOND);
    assert_eq!(only_record(&world).1.finish, Some(Finish::TimeUp));
}

#[test]
fn both_can_break_off_and_the_end_of_the_server_does_so_too() {
    let mut world = world();
    let pair = world.game();
    play(&mut world, pair, "+7776FU");
    world.say(pair[0], "%CHUDAN");
    assert_eq!(world.hear(pair[1]), [""; 0], "one alone cannot");
    world.say(pair[1], "%CHUDAN");
    assert_eq!(pair.map(|conn| world.hear(conn)), [["#CHUDAN"], ["#CHUDAN"]]);
    world.pass(1_000 * SECOND);
    let pair = [world.login("a"), world.login("b")];
    let pair = world.begin(pair);
    world.pass(7 * SECOND);
    world.hall.handle_quit(world.now);
    world.drain();
    assert_eq!(pair.map(|conn| world.hear(conn)), [["#CHUDAN"], ["#CHUDAN"]]);
    assert!(world.records.is_empty(), "it is not over");
    world.synced = world.journal.len();
    world.kill(&mut Rng::new(4));
    let pair = [world.login("a"), world.login("b")];
    let heard = world.heard[&pair[0]].clone();
    assert!(heard.contains(&"Elapsed_Time:7".to_owned()), "{heard:?}");
    world.begin(pair);
}

#[test]
fn continuous_players_meet_again_with_other_colours() {
    let mut world = World::new(Settings { continuous: true, ..settings() });
    let first = world.game();
    world.say(first[0], "%TORYO");
    let heard = first.map(|conn| world.hear(conn));
    assert!(heard.iter().all(|lines| lines.contains(&"BEGIN Game_Summary".to_owned())));
    assert!(heard[0].contains(&"Your_Turn:-".to_owned()), "{:?}", heard[0]);
    assert_eq!(world.closed, []);
}

#[test]
fn the_extended_mode() {
    let mut world = world();
    let pair = world.game();
    let conn = world.connect();
    world.say(conn, "LOGIN watcher secret x1\n%%WHO\n%%LIST\n%%VERSION\n%%HELP\n%%NONSENSE\nwhat");
    let heard = world.hear(conn);
    let id = heard.iter().find_map(|line| line.strip_prefix("##[LIST] s+")).unwrap();
    let id = format!("s+{id}");
    assert!(heard.contains(&"##[WHO] watcher connected".to_owned()), "{heard:?}");
    assert_eq!(heard.iter().filter(|line| line.starts_with("##[ERROR]")).count(), 2);
    world.say(conn, &format!("%%SHOW {id}\n%%MONITORON {id}"));
    assert!(world.hear(conn).contains(&format!("##[SHOW] Game_ID:{id}")));
    world.say(pair[0], "+7776FU");
    assert_eq!(world.hear(conn), [format!("##[MONITOR][{id}] +7776FU,T0")]);
    world.say(pair[1], "%TORYO");
    assert!(world.hear(conn).contains(&format!("##[MONITOR][{id}] END")));
    // Two who ask for sides.
    let other = world.connect();
    world.say(other, "LOGIN other secret x1\n%%GAME fine-10-0 -\n%%CHAT hello");
    world.say(conn, "%%GAME nonsense\n%%GAME fine-10-0 +");
    let heard = world.hear(conn);
    assert!(heard.contains(&"##[CHAT][other] hello".to_owned()), "{heard:?}");
    assert!(
        heard.contains(&"Your_Turn:+".to_owned()) && heard.contains(&"Total_Time:10".to_owned())
    );
}

#[test]
fn units_and_rules_are_told() {
    let rules = Rules {
        unit: Duration::from_millis(100),
        least: 2,
        delay: 3,
        max_moves: None,
        impasse: Impasse::Points24,
    };
    let mut world = World::new(Settings { rules, ..settings() });
    let conn = world.login("a");
    world.login("b");
    let heard = world.hear(conn);
    for line in [
        "Time_Unit:100msec",
        "Total_Time:600",
        "Byoyomi:50",
        "Least_Time_Per_Move:2",
        "Delay:3",
        "Declaration:Jishogi 24",
    ] {
        assert!(heard.contains(&line.to_owned()), "{line} in {heard:?}");
    }
}
