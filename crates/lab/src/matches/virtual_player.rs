//! A coordinator and its workers as a player in virtual time: a node takes so long, whatever
//! the machine does, and a game with any number of workers repeats exactly.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use anyhow::Result;
use senbon_core::pipeline::{Settings, Strategy};
use senbon_core::{Epoch, Limits, Opinion, Order, Place, RankTable, Report, Search};
use senbon_sim::{Happened, LinkProfile, MachineId, Unwatched, Values, World};

use super::games::MatchGame;
use super::player::{Answer, Foresight, Player, Thought};
use super::staff::Staff;

/// Who plays: a strategy over so many workers, or one worker that is so many times as fast.
///
/// ```
/// use senbon_lab::matches::Team;
///
/// let team: Team = "pipeline:8".parse().unwrap();
/// assert_eq!(team.workers, 8);
/// assert_eq!(team.to_string(), "pipeline:8");
/// assert!("linear:4".parse::<Team>().is_ok());
/// assert!("crowd".parse::<Team>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Team {
    /// How they are joined.
    pub strategy: Strategy,
    /// How many.
    pub workers: usize,
    /// A single worker that is so many times as fast while it thinks, not while it ponders:
    /// the linear speed-up of pgpp-2015 section 5.3.
    pub speedup: u32,
}

/// Most workers of one team.
const MOST_WORKERS: usize = 4_096;

impl FromStr for Team {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, number) = text.split_once(':').unwrap_or((text, "1"));
        let names = Strategy::ALL.map(Strategy::name).join(", ");
        let number = number
            .parse()
            .ok()
            .filter(|number| (1..=MOST_WORKERS).contains(number))
            .ok_or_else(|| format!("'{number}' is no number from 1 to {MOST_WORKERS}"))?;
        if name == "linear" {
            let speedup = number as u32;
            return Ok(Team { strategy: Strategy::Single, workers: 1, speedup });
        }
        let strategy = Strategy::from_name(name)
            .ok_or_else(|| format!("'{name}' is none of {names}, linear; write NAME:WORKERS"))?;
        Ok(Team { strategy, workers: number, speedup: 1 })
    }
}

impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.speedup {
            1 => write!(f, "{}:{}", self.strategy.name(), self.workers),
            times => write!(f, "linear:{times}"),
        }
    }
}

/// What virtual workers are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Nodes of a worker in a virtual second.
    pub nodes_per_second: u32,
    /// Table of a built-in worker in bytes; other engines have it by their options.
    pub table_bytes: usize,
    /// Think on while the opponent does.
    pub ponder: bool,
}

impl Pace {
    fn node_time(&self, times: u32) -> Duration {
        Duration::from_secs(1) / self.nodes_per_second.saturating_mul(times).max(1)
    }
}

/// Asked for in the middle of a search: how far the tree reaches into the game.
#[derive(Clone, Copy, Debug)]
enum Reminder {
    LookAtTree,
    OpponentMoved,
}

/// A team in a world of its own.
pub struct VirtualPlayer<G: MatchGame> {
    world: World<G, Values, Reminder>,
    machines: Vec<MachineId>,
    staff: Box<dyn Staff<G>>,
    team: Team,
    pace: Pace,
    table: RankTable,
    seed: u64,
    epoch: Epoch,
    /// For every search so far, the number of moves before it and the tree in its middle.
    trees: Vec<(usize, Vec<Vec<G::Move>>)>,
}

impl<G: MatchGame> VirtualPlayer<G> {
    /// A team that has just come together.
    pub fn new(
        team: Team,
        pace: Pace,
        staff: Box<dyn Staff<G>>,
        table: RankTable,
        seed: u64,
    ) -> Result<Self> {
        let world = empty_world(team, pace, &table, seed);
        let (machines, epoch, trees) = (Vec::new(), Epoch(0), Vec::new());
        let mut player =
            VirtualPlayer { world, machines, staff, team, pace, table, seed, epoch, trees };
        player.come_together()?;
        Ok(player)
    }

    /// A new world: what happened in earlier games must not show, not even in the jitter of the
    /// links, so that a game is the same whichever board it is played on.
    fn come_together(&mut self) -> Result<()> {
        self.world = empty_world(self.team, self.pace, &self.table, self.seed);
        self.machines.clear();
        self.trees.clear();
        self.epoch = Epoch(0);
        let node_time = self.pace.node_time(self.team.speedup);
        for mind in self.staff.hire(self.team.workers, node_time)? {
            let machine = self.world.add(mind, LinkProfile::LOCAL);
            self.world.connect(machine);
            self.machines.push(machine);
        }
        // Long enough for everybody to arrive.
        self.pass(Duration::from_millis(10));
        Ok(())
    }

    /// Nothing is asked for, and the workers go on with what they do.
    fn pass(&mut self, time: Duration) {
        self.world.alarm(self.world.now() + time, Reminder::OpponentMoved);
        while let Some(happened) = self.world.next(&mut Unwatched) {
            if matches!(happened, Happened::Alarm(Reminder::OpponentMoved)) {
                return;
            }
        }
    }

    /// The game went on to `place`, whatever this player would have played, and the opponent
    /// takes `time` there: it is thought on, if this team ponders.
    pub fn ponder_at(&mut self, place: &Place<G>, time: Duration) {
        if self.pace.ponder {
            self.epoch = self.epoch.next();
            let limits = Limits { infinite: true, ..Limits::default() };
            let (epoch, place) = (self.epoch, place.clone());
            let search = Search { epoch, place, only: Vec::new(), lines: 1, limits };
            self.world.order(Order::Search(search), &mut Unwatched);
        }
        self.pass(time);
    }

    fn set_slowness(&mut self, times: u32) {
        for &machine in &self.machines {
            self.world.slow(machine, times);
        }
    }

    fn look_at_tree(&mut self) {
        let Some(pipeline) = self.world.coordinator().pipeline() else { return };
        let tree = pipeline.tree();
        let ways = tree.ids().into_iter().map(|id| tree.way(id)).collect();
        self.trees.push((tree.place().moves().len(), ways));
    }
}

fn empty_world<G: MatchGame>(
    team: Team,
    pace: Pace,
    table: &RankTable,
    seed: u64,
) -> World<G, Values, Reminder> {
    let settings = Settings {
        strategy: team.strategy,
        table: table.clone(),
        overhead: Duration::ZERO,
        ponder: pace.ponder,
        seed,
        ..Settings::default()
    };
    World::new(G::start(), settings, Values, seed)
}

impl<G: MatchGame> Player<G> for VirtualPlayer<G> {
    fn new_game(&mut self) -> Result<()> {
        self.come_together()
    }

    fn think(&mut self, search: &Search<G>, longest: Option<Duration>) -> Result<Thought<G>> {
        // Declaring is the front's business, and here the player is the front.
        if search.place.position().may_declare() {
            return Ok(Thought { answer: Answer::Nothing, time: Duration::ZERO, opinion: None });
        }
        self.epoch = self.epoch.next();
        let (began, epoch) = (self.world.now(), self.epoch);
        self.set_slowness(1);
        self.world.order(Order::Search(Search { epoch, ..search.clone() }), &mut Unwatched);
        let half = longest.unwrap_or(Duration::from_millis(200)) / 2;
        self.world.alarm(began + half, Reminder::LookAtTree);
        let mut opinion: Option<Opinion<G::Move>> = None;
        let (answer, time) = loop {
            match self.world.next(&mut Unwatched) {
                Some(Happened::Above(Report::Opinion { epoch: of, opinion: news })) => {
                    if of == epoch && news.rank == 0 {
                        opinion = Some(news);
                    }
                }
                Some(Happened::Above(Report::Done { epoch: of, best, ponder })) if of == epoch => {
                    let answer = best.map_or(Answer::Nothing, |mv| Answer::Move(mv, ponder));
                    break (answer, self.world.now() - began);
                }
                Some(Happened::Alarm(Reminder::LookAtTree)) => self.look_at_tree(),
                Some(_) => {}
                None => break (Answer::Failed("nothing happens any more".into()), Duration::ZERO),
            }
        };
        self.set_slowness(self.team.speedup);
        self.staff.check()?;
        Ok(Thought { answer, time, opinion })
    }

    fn opponent_moved(&mut self, _place: &Place<G>, time: Duration) {
        self.pass(time);
    }

    fn game_over(&mut self, place: &Place<G>) -> Option<Foresight> {
        let mut foresight = Foresight::default();
        for (made, ways) in self.trees.drain(..) {
            let played = place.moves().get(made..).unwrap_or_default();
            let reached = ways.iter().filter(|way| played.starts_with(way)).map(Vec::len).max();
            foresight.plies += reached.unwrap_or(0);
            foresight.searches += 1;
        }
        Some(foresight)
    }
}
