//! The whole shape of Akara 2010 in real processes: a vote of engines, a pipeline and a worker
//! that dialled in, against another player on a game server; and at a random moment something
//! is killed (akara-2010 section III: only the indispensable part may ever have to be started
//! again, and the game goes on).
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod ground;

use std::time::Duration;

use ground::{Ground, Program, free_port, lender, signal};
use senbon_games::Rng;
use senbon_games::shogi::record::Finish;
use senbon_testkit::engines_of;

const SENBON: &str = env!("CARGO_BIN_EXE_senbon");
/// Plies of a game, and the time for it: several times what is used.
const PLIES: usize = 12;
const GAME: [&str; 4] = ["--game", "akara-45-0", "--max-moves", "12"];
/// Games of a usual run, and of a long one.
const SCHEDULES: usize = 3;
const LONG: usize = 200;

/// What is killed.
#[derive(Clone, Copy, Debug)]
enum Victim {
    Voter,
    Link,
    Vote,
    Server,
    Opponent,
}

const VICTIMS: [Victim; 5] =
    [Victim::Voter, Victim::Link, Victim::Vote, Victim::Server, Victim::Opponent];

/// Everything that runs.
struct Hall {
    ground: Ground,
    listen: String,
    server: Program,
    vote: Program,
    opponent: Program,
    lender: Program,
}

impl Hall {
    fn open(name: &str) -> Self {
        let ground = Ground::new(name);
        ground.folder.with(
            "senbon.toml",
            &format!(
                "log = '{log}'\n[searcher]\n\
                 [[searcher.member]]\nname = 'one'\nweight = 1.1\nhash = 1\n\
                 engine = '\"{SENBON}\" engine shogi'\n\
                 [[searcher.member]]\nname = 'two'\nhash = 1\n\
                 engine = '\"{SENBON}\" engine shogi'\n\
                 [[searcher.member]]\nname = 'cluster'\nkind = 'pipeline'\nworkers = 1\n\
                 hash = 1\nremote = ''\n",
                log = ground.folder.file("log")
            ),
        );
        let listen = format!("127.0.0.1:{}", free_port());
        let server = ground.server(&GAME);
        let vote = vote(&ground, &listen);
        let opponent = ground.player("opponent", &["--games", "1"]);
        let lender = lender(&listen);
        Hall { ground, listen, server, vote, opponent, lender }
    }

    /// kill -9, and what an operator's supervisor does then. Voters and lenders that are
    /// children come back by themselves.
    fn kill(&mut self, victim: Victim, rng: &mut Rng) {
        match victim {
            Victim::Voter => {
                let voters = engines_of(self.vote.child.id());
                if let Some(voter) = rng.pick(&voters) {
                    signal(*voter, "KILL");
                }
            }
            Victim::Link => {
                self.lender.kill();
                self.lender = lender(&self.listen);
            }
            Victim::Vote => {
                self.vote.kill();
                self.vote = vote(&self.ground, &self.listen);
            }
            Victim::Server => {
                self.server.kill();
                self.server = self.ground.server(&GAME);
            }
            Victim::Opponent => {
                self.opponent.kill();
                self.opponent = self.ground.player("opponent", &["--games", "1"]);
            }
        }
    }
}

fn vote(ground: &Ground, listen: &str) -> Program {
    let (config, journal) = (ground.folder.file("senbon.toml"), ground.folder.file("journal"));
    let more = ["--journal", &journal, "--listen", listen, "--games", "1"];
    ground.vote("akara", &config, &more)
}

#[test]
fn the_game_ends_by_the_rules_whatever_is_killed() {
    let mut rng = Rng::new(senbon_testkit::seed());
    let count = if senbon_testkit::long() { LONG } else { SCHEDULES };
    for number in 0..count {
        // All kinds come up in a long run; the first of a short one are drawn.
        let victim = VICTIMS[(number + rng.below(VICTIMS.len())) % VICTIMS.len()];
        let after = rng.below(PLIES - 2);
        let pause = Duration::from_millis(rng.below(700) as u64);
        println!("schedule {number}: {victim:?} after {after} moves and {pause:?}");
        let mut hall = Hall::open(&format!("kill-{number}"));
        hall.server.until("\"move\"", after);
        std::thread::sleep(pause);
        hall.kill(victim, &mut rng);
        let Hall { ground, vote, opponent, server: _server, lender: _lender, .. } = hall;
        for player in [vote, opponent] {
            let (status, said) = player.end();
            assert!(status.success(), "{victim:?}: {said:#?}");
        }
        let records = ground.records();
        assert_eq!(records.len(), 1, "{victim:?}: one game, though something was killed");
        assert_eq!(records[0].finish, Some(Finish::MoveLimit), "{victim:?}");
        assert_eq!(records[0].moves.len(), PLIES, "{victim:?}");
    }
}
