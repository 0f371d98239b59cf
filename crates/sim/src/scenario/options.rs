//! What a seed draws.

use std::fmt;
use std::time::Duration;

use senbon_core::pipeline::Strategy;
use senbon_games::Rng;

use crate::link::{below, between};
use crate::{LinkProfile, Weather};

/// The games that scenarios are played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScenarioGame {
    /// Chess.
    Chess,
    /// Shogi.
    Shogi,
    /// Connect Four: short games, few moves, many ends.
    ConnectFour,
}

/// What can happen to a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Its process ends; the other side notices soon or late; it may come back.
    Crash,
    /// It says good-bye, and comes back later.
    Leave,
    /// It stands still for a while, orders and reports with it.
    Freeze,
    /// Some machines cannot be reached for a while.
    Partition,
    /// Its connection breaks and is made again.
    Cut,
    /// It takes much longer for everything.
    Slow,
    /// A new machine comes.
    Join,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 7] = [
        Fault::Crash,
        Fault::Leave,
        Fault::Freeze,
        Fault::Partition,
        Fault::Cut,
        Fault::Slow,
        Fault::Join,
    ];
}

/// How a worker's reports can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vice {
    /// Long after they were made.
    Late,
    /// Twice, the second time late.
    Twice,
    /// Out of order.
    Disorder,
    /// With the number of another order.
    WrongEpoch,
    /// With moves that are not legal.
    Illegal,
    /// With scores, depths and node counts out of the air.
    Lie,
    /// At the end of a search that goes on.
    EarlyEnd,
    /// Empty, or about lines nobody asked for.
    Nonsense,
}

impl Vice {
    /// All of them.
    pub const ALL: [Vice; 8] = [
        Vice::Late,
        Vice::Twice,
        Vice::Disorder,
        Vice::WrongEpoch,
        Vice::Illegal,
        Vice::Lie,
        Vice::EarlyEnd,
        Vice::Nonsense,
    ];
}

/// How the player above limits searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// So long for each move.
    MoveTime(Duration),
    /// A clock and what is added for each move.
    Clock(Duration, Duration),
    /// A clock, then so long for each move.
    Byoyomi(Duration, Duration),
    /// So many nodes.
    Nodes(u64),
    /// So deep.
    Depth(u32),
    /// Until stopped.
    Infinite,
}

/// A scenario as its seed draws it.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Draws everything.
    pub seed: u64,
    /// Which rules.
    pub game: ScenarioGame,
    /// How the coordinator joins its workers.
    pub strategy: Strategy,
    /// Whether it thinks on the opponent's time.
    pub ponder: bool,
    /// Machines at the beginning.
    pub machines: usize,
    /// Of these, so many really search.
    pub paced: usize,
    /// Time of a node of those.
    pub node_time: Duration,
    /// Mean time between two reports of the others.
    pub interval: Duration,
    /// What links are like.
    pub link: LinkProfile,
    /// A connection that is silent for so long counts as lost.
    pub lost_after: Duration,
    /// Which faults happen, and how often on average.
    pub faults: Vec<Fault>,
    /// Mean time between two of them.
    pub fault_interval: Duration,
    /// Which bad manners rude machines have.
    pub vices: Vec<Vice>,
    /// One machine in so many is rude.
    pub rude_one_in: usize,
    /// How searches are limited.
    pub control: Control,
    /// The coordinator wakes up so much late.
    pub timer_lag: Duration,
    /// How long faults happen; then everything heals.
    pub safety: Duration,
    /// The network, if workers are reached by the live world's sessions.
    pub sessions: Option<Weather>,
    /// Whether the coordinator's process may end and start again; only with sessions.
    pub master_restarts: bool,
    /// So many pipelines vote; none is a pipeline without a vote.
    pub voters: usize,
}

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

impl Options {
    /// The standard scenario of a seed.
    pub fn draw(seed: u64) -> Self {
        // Another stream than that of the run itself.
        let rng = &mut Rng::new(seed ^ 0x0070_7469_6f6e_7300);
        let game = match rng.below(6) {
            0..=2 => ScenarioGame::Chess,
            3 => ScenarioGame::Shogi,
            _ => ScenarioGame::ConnectFour,
        };
        // Every strategy of a pipeline, and every second time the default.
        let ways: Vec<Strategy> = Strategy::pipelines().collect();
        let any = rng.pick(&ways).copied().unwrap_or(Strategy::Pipeline);
        let strategy = if rng.one_in(2) { Strategy::Pipeline } else { any };
        let machines = match rng.below(10) {
            0 => 0,
            1 => 1,
            2..=7 => 2 + rng.below(14),
            8 => 16 + rng.below(24),
            _ => 40 + rng.below(80),
        };
        // The original GPP begins with a search of fixed depth, which takes a slow worker long.
        let may_search = rng.one_in(4) && strategy != Strategy::OriginalGpp;
        let paced = if may_search { rng.below(4).min(machines) } else { 0 };
        let some = |rng: &mut Rng, one_in| rng.one_in(one_in);
        let faults = Fault::ALL.into_iter().filter(|_| some(rng, 2)).collect();
        let vices = Vice::ALL.into_iter().filter(|_| some(rng, 2)).collect();
        let mut options = Options {
            seed,
            game,
            strategy,
            ponder: rng.one_in(2),
            machines,
            paced,
            node_time: between(rng, Duration::from_micros(200), ms(2)),
            interval: ms(10 + rng.below(60) as u64) * (1 + machines as u32 / 16),
            link: draw_link(rng),
            lost_after: ms(200 + rng.below(1_500) as u64),
            faults,
            fault_interval: ms(20 + rng.below(700) as u64),
            vices,
            rude_one_in: 1 + rng.below(4),
            control: Control::draw(rng, paced > 0),
            timer_lag: between(rng, Duration::ZERO, ms(8)),
            safety: ms(1_500 + rng.below(3_000) as u64),
            sessions: None,
            master_restarts: false,
            voters: 0,
        };
        if rng.one_in(2) {
            options.sessions = Some(draw_weather(rng));
            options.master_restarts = !options.faults.is_empty() && rng.one_in(4);
        }
        if rng.one_in(4) {
            options.voters = 1 + rng.below(5);
        }
        options
    }
}

/// Every third time a network without loss; else up to a fifth of the frames get lost, come
/// twice or out of order.
fn draw_weather(rng: &mut Rng) -> Weather {
    let mut one_in = || if rng.one_in(3) { 0 } else { 5 + rng.below(60) };
    Weather { lost: one_in(), doubled: one_in(), mixed: one_in() }
}

/// From the same room to the other side of the world, from a modem to a gigabit.
fn draw_link(rng: &mut Rng) -> LinkProfile {
    let (far, unsteady) = (ms(1 + 2 * rng.below(60) as u64), ms(1 + 2 * rng.below(40) as u64));
    LinkProfile {
        latency: between(rng, Duration::from_micros(20), far),
        jitter: below(rng, unsteady),
        bytes_per_second: [0, 20_000, 1_000_000, 125_000_000][rng.below(4)],
    }
}

impl Control {
    fn draw(rng: &mut Rng, slow: bool) -> Self {
        let mut time = |least: u64, more: usize| ms(least + rng.below(more) as u64);
        let (short, long, extra) = (time(60, 600), time(3_000, 60_000), time(0, 300));
        match rng.below(8) {
            0 | 1 => Control::MoveTime(short),
            2 | 3 => Control::Clock(long, extra),
            4 => Control::Byoyomi(long / 8, short),
            // Of workers that really search the virtual seconds are dear.
            5 => Control::Nodes(1_000 + rng.below(if slow { 5_000 } else { 60_000 }) as u64),
            6 => Control::Depth(1 + rng.below(if slow { 2 } else { 4 }) as u32),
            _ => Control::Infinite,
        }
    }

    /// Whether a clock ends the search.
    pub fn is_timed(self) -> bool {
        matches!(self, Control::MoveTime(_) | Control::Clock(..) | Control::Byoyomi(..))
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { game, strategy, ponder, machines, paced, node_time, interval, .. } = self;
        writeln!(f, "{game:?}, {strategy:?}, pondering {ponder}, {:?}", self.control)?;
        if self.voters > 0 {
            writeln!(f, "a vote of {}", self.voters)?;
        }
        writeln!(f, "{machines} machines: {paced} search at {node_time:?} a node, the others")?;
        writeln!(f, "report about every {interval:?}")?;
        let LinkProfile { latency, jitter, bytes_per_second } = self.link;
        writeln!(f, "links {latency:?} + up to {jitter:?}, {bytes_per_second} bytes/s")?;
        writeln!(f, "lost after {:?}, timer lag {:?}", self.lost_after, self.timer_lag)?;
        writeln!(
            f,
            "faults every {:?} for {:?}: {:?}",
            self.fault_interval, self.safety, self.faults
        )?;
        writeln!(f, "one machine in {} is rude: {:?}", self.rude_one_in, self.vices)?;
        let Some(Weather { lost, doubled, mixed }) = self.sessions else {
            return write!(f, "no sessions: messages by themselves");
        };
        let one_in = |count: usize| match count {
            0 => "none".to_owned(),
            count => format!("one in {count}"),
        };
        let (lost, doubled, mixed) = (one_in(lost), one_in(doubled), one_in(mixed));
        write!(f, "sessions over frames: {lost} lost, {doubled} twice, {mixed} out of order")?;
        if self.master_restarts { write!(f, "; the master restarts") } else { Ok(()) }
    }
}
