//! Random schedules: links that break, a server that is killed between any two of its words
//! with its journal cut off anywhere, and players who come back. Every game ends by the rules,
//! with the moves that both players saw, and nobody's clock falls.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::time::Duration;

use senbon_engines::csa::{Client, ClientEvent, ClientSay, Login, Mark, Special};
use senbon_games::shogi::record::{Finish, csa};
use senbon_games::{Game, Rng};
use senbon_server::{Conn, Rules, Settings};
use support::{SECOND, World, settings};

/// A player that makes random moves and comes back when its link is broken.
struct Player {
    name: String,
    link: Option<(Conn, Client)>,
    /// Logs in again then.
    back: Duration,
    /// Moves then.
    moves: Option<Duration>,
    /// Moves that it has seen of the games whose end it heard.
    seen: BTreeMap<String, usize>,
    ends: usize,
}

impl Player {
    fn act(&mut self, world: &mut World, rng: &mut Rng) {
        let now = world.now;
        let Some((conn, client)) = &mut self.link else {
            if now >= self.back {
                let login = Login {
                    name: self.name.clone(),
                    password: "secret".to_owned(),
                    extended: false,
                };
                let mut client = Client::new(now, &login).unwrap();
                let conn = world.connect();
                while let Some(ClientSay::Send(line)) = client.poll() {
                    world.say(conn, &line.to_string());
                }
                self.link = Some((conn, client));
            }
            return;
        };
        for line in world.hear(*conn) {
            let before =
                client.game().map(|game| (game.summary.id.clone(), game.place.moves().len()));
            client.handle_line(now, &line);
            while let Some(say) = client.poll() {
                match say {
                    ClientSay::Send(line) => world.say(*conn, &line.to_string()),
                    ClientSay::Event(ClientEvent::Offered) => client.agree(now),
                    ClientSay::Event(ClientEvent::Started | ClientEvent::Moved(..)) => {
                        self.moves = Some(now + SECOND * rng.below(1_500) as u32 / 1_000);
                    }
                    ClientSay::Event(ClientEvent::Ended(mark, _)) if mark != Mark::Interrupted => {
                        let (id, count) = before.clone().unwrap();
                        self.seen.insert(id, count);
                        self.ends += 1;
                    }
                    ClientSay::Event(ClientEvent::Confused(what)) => {
                        panic!("{}: {what}", self.name)
                    }
                    ClientSay::Event(_) => {}
                }
            }
        }
        if world.closed.contains(conn) {
            self.link = None;
            return;
        }
        let due = self.moves.is_some_and(|at| now >= at);
        if let Some(game) = client.game().filter(|game| due && game.is_our_turn()) {
            self.moves = None;
            match rng
                .pick(game.place.position().moves().as_slice())
                .filter(|_| !rng.clone().one_in(60))
            {
                Some(&mv) => client.play(now, mv, None),
                None => client.special(now, Special::Resign),
            }
            while let Some(ClientSay::Send(line)) = client.poll() {
                world.say(*conn, &line.to_string());
            }
        }
    }

    fn lose_link(&mut self, now: Duration, rng: &mut Rng) {
        self.link = None;
        self.moves = None;
        self.back = now + SECOND * rng.below(3_000) as u32 / 1_000;
    }
}

fn kill(world: &mut World, players: &mut [Player], rng: &mut Rng) {
    // In the middle of what it was about to do for somebody's line.
    if let Some((conn, client)) = &players[rng.below(players.len())].link
        && let Some(game) = client.game().filter(|game| game.is_our_turn())
        && let Some(&mv) = rng.pick(game.place.position().moves().as_slice())
    {
        let line = csa::format_move(game.place.position(), mv);
        world.hall.handle_line(world.now, *conn, &line);
        world.drain_some(rng.below(4));
    }
    world.kill(rng);
    for player in players {
        player.lose_link(Duration::ZERO, rng);
    }
}

fn schedule(seed: u64) -> (usize, usize) {
    let mut rng = Rng::new(seed);
    // No byoyomi: what is lost is lost.
    let rules = Rules { max_moves: Some(40), ..Rules::default() };
    let game = "test-120-0".parse().unwrap();
    let continuous = rng.one_in(2);
    let mut world = World::new(Settings { rules, game, continuous, seed, ..settings() });
    let mut players: Vec<Player> = (0..4)
        .map(|number| Player {
            name: format!("p{number}"),
            link: None,
            back: Duration::ZERO,
            moves: None,
            seen: BTreeMap::new(),
            ends: 0,
        })
        .collect();
    let (mut cuts, mut kills) = (0, 0);
    while world.records.len() < 8 {
        world.pass(Duration::from_millis(rng.below(300) as u64));
        for player in &mut players {
            player.act(&mut world, &mut rng);
            if player.link.is_some() && rng.one_in(150) {
                let (conn, _) = player.link.take().unwrap();
                world.cut(conn);
                player.lose_link(world.now, &mut rng);
                cuts += 1;
            }
        }
        if rng.one_in(250) {
            kill(&mut world, &mut players, &mut rng);
            kills += 1;
        }
        assert!(world.now < 3_600 * SECOND, "nothing goes on: {:?}", world.hall);
    }
    for (id, text) in &world.records {
        let record = csa::read(text).unwrap_or_else(|error| panic!("{id}: {error}\n{text}"));
        let finish = record.finish.unwrap();
        let by_rule = [Finish::Resignation, Finish::MoveLimit, Finish::Repetition];
        assert!(by_rule.contains(&finish), "seed {seed}: {id} ended by {finish:?}\n{text}");
        for seen in players.iter().filter_map(|player| player.seen.get(id)) {
            assert_eq!(*seen, record.moves.len(), "seed {seed}: {id}\n{text}");
        }
    }
    let ends: usize = players.iter().map(|player| player.ends).sum();
    assert!(ends > 0);
    (cuts, kills)
}

#[test]
fn games_end_by_the_rules_whatever_breaks() {
    let first = senbon_testkit::seed();
    let count = if senbon_testkit::long() { 10_000 } else { 100 };
    let (mut cuts, mut kills) = (0, 0);
    for number in 0..count {
        let (more_cuts, more_kills) = schedule(first.wrapping_add(number));
        cuts += more_cuts;
        kills += more_kills;
    }
    println!("{count} schedules, {cuts} links cut, the server killed {kills} times");
    assert!(cuts > 100 && kills > 50, "{cuts} {kills}");
}
