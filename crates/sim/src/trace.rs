//! What happened, boiled down to one number: equal runs have equal traces.

use std::fmt::Write;
use std::time::Duration;

use senbon_core::{Limits, Opinion, Order, Place, Report, Score};
use senbon_games::{Game, Notation};

/// A running hash over numbers; a change of any of them, or of their order, changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Digest(0x9e37_79b9_7f4a_7c15)
    }
}

impl Digest {
    /// Takes in a number.
    #[inline]
    pub fn add(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.0 = (mixed ^ (mixed >> 32)).wrapping_add(0x2545_f491_4f6c_dd1d);
    }

    /// The hash of all so far.
    pub fn value(self) -> u64 {
        self.0
    }

    fn moves<G: Game>(&mut self, moves: &[G::Move]) {
        self.add(moves.len() as u64);
        for &mv in moves {
            self.add(u64::from(G::code(mv)));
        }
    }

    fn score(&mut self, score: Score) {
        self.add(score.number() as u64);
    }

    fn time(&mut self, time: Option<Duration>) {
        self.add(time.map_or(u64::MAX, |time| time.as_nanos() as u64));
    }

    fn place<G: Game>(&mut self, place: &Place<G>) {
        self.add(place.start().key());
        self.moves::<G>(place.moves());
    }

    fn limits(&mut self, limits: &Limits) {
        for clock in &limits.clocks {
            self.time(clock.time);
            self.time(clock.increment);
        }
        self.time(limits.byoyomi);
        self.time(limits.move_time);
        for number in [
            limits.moves_to_go.map(u64::from),
            limits.depth.map(u64::from),
            limits.nodes,
            limits.mate.map(u64::from),
            Some(u64::from(limits.infinite)),
            Some(u64::from(limits.ponder)),
        ] {
            self.add(number.unwrap_or(u64::MAX));
        }
    }

    /// Takes in an opinion.
    pub fn opinion<G: Game>(&mut self, opinion: &Opinion<G::Move>) {
        self.add(opinion.rank as u64);
        self.score(opinion.score);
        self.add(opinion.bound as u64);
        self.add(u64::from(opinion.depth) << 32 | u64::from(opinion.seldepth));
        self.add(opinion.nodes);
        self.time(Some(opinion.time));
        self.moves::<G>(&opinion.line);
    }

    /// Takes in an order.
    pub fn order<G: Game>(&mut self, order: &Order<G>) {
        match order {
            Order::Search(search) => {
                self.add(1);
                self.add(search.epoch.0);
                self.place(&search.place);
                self.moves::<G>(&search.only);
                self.add(search.lines as u64);
                self.limits(&search.limits);
            }
            Order::Stop(epoch) => {
                self.add(2);
                self.add(epoch.0);
            }
            Order::PonderHit(epoch) => {
                self.add(3);
                self.add(epoch.0);
            }
            Order::Harvest { epoch, place, count } => {
                self.add(4);
                self.add(epoch.0);
                self.place(place);
                self.add(*count as u64);
            }
            Order::NewGame => self.add(5),
            Order::Tasks(tasks) => {
                self.add(10);
                self.add(tasks.epoch.0);
                self.add(u64::from(tasks.pass));
                for task in &tasks.tasks {
                    self.add(u64::from(task.leaf.0));
                    self.add(task.window.0 as u64);
                    self.add(task.window.1 as u64);
                }
            }
        }
    }

    /// Takes in a report.
    pub fn report<G: Game>(&mut self, report: &Report<G>) {
        match report {
            Report::Opinion { epoch, opinion } => {
                self.add(6);
                self.add(epoch.0);
                self.opinion::<G>(opinion);
            }
            Report::Done { epoch, best, ponder } => {
                self.add(7);
                self.add(epoch.0);
                for mv in [best, ponder] {
                    self.add(mv.map_or(0, |mv| u64::from(G::code(mv))));
                }
            }
            Report::Harvest { epoch, positions } => {
                self.add(8);
                self.add(epoch.0);
                for valued in positions {
                    self.moves::<G>(&valued.way);
                    self.score(valued.score);
                    self.add(u64::from(valued.depth));
                }
            }
            Report::Findings { epoch, nodes, findings } => {
                self.add(11);
                self.add(epoch.0);
                self.add(*nodes);
                for finding in findings {
                    self.add(u64::from(finding.leaf.0));
                    self.add(u64::from(finding.depth));
                    self.add(finding.bounds.lower as u64);
                    self.add(finding.bounds.upper as u64);
                }
            }
            Report::Fault(fault) => {
                self.add(9);
                self.add(fault.to_string().len() as u64);
            }
        }
    }
}

/// Hears every event of a run as a line of text.
pub type Listener = Box<dyn FnMut(&str)>;

/// The digest of a run, and its events as text when someone wants to read them.
#[derive(Default)]
pub struct Trace {
    digest: Digest,
    events: u64,
    listener: Option<Listener>,
}

impl Trace {
    /// Every event is also told as a line of text.
    pub fn listen(&mut self, listener: Listener) {
        self.listener = Some(listener);
    }

    /// Something happened at `now`; `text` says what, for a reader.
    pub fn note(
        &mut self,
        now: Duration,
        fill: impl FnOnce(&mut Digest),
        text: impl FnOnce() -> String,
    ) {
        self.events += 1;
        self.digest.add(now.as_nanos() as u64);
        fill(&mut self.digest);
        if let Some(listener) = &mut self.listener {
            let mut line = String::new();
            let _ = write!(line, "{:>14.6} {}", now.as_secs_f64() * 1e3, text());
            listener(&line);
        }
    }

    /// The hash of all that happened.
    pub fn hash(&self) -> u64 {
        self.digest.value()
    }

    /// How much happened.
    pub fn events(&self) -> u64 {
        self.events
    }
}

/// An order, for a reader.
pub(crate) fn order_text<G: Notation>(order: &Order<G>) -> String {
    match order {
        Order::Search(search) => {
            let way = search.place.start().format_line(search.place.moves());
            let only = search.only.len();
            let epoch = search.epoch.0;
            let limits = limits_text(&search.limits);
            format!(
                "search #{epoch} [{}] only {only} lines {} {limits}",
                way.join(" "),
                search.lines
            )
        }
        Order::Stop(epoch) => format!("stop #{}", epoch.0),
        Order::PonderHit(epoch) => format!("ponder hit #{}", epoch.0),
        Order::Harvest { epoch, count, .. } => format!("harvest #{} of {count}", epoch.0),
        Order::NewGame => "new game".to_owned(),
        Order::Tasks(tasks) => {
            format!("{} tasks #{} of pass {}", tasks.tasks.len(), tasks.epoch.0, tasks.pass)
        }
    }
}

fn limits_text(limits: &Limits) -> String {
    let mut words = Vec::new();
    for (name, time) in [
        ("clock", limits.clocks[0].time),
        ("clock2", limits.clocks[1].time),
        ("byoyomi", limits.byoyomi),
        ("movetime", limits.move_time),
    ] {
        words.extend(time.map(|time| format!("{name} {time:?}")));
    }
    words.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
    words.extend(limits.depth.map(|depth| format!("depth {depth}")));
    words.extend(limits.infinite.then(|| "infinite".to_owned()));
    words.extend(limits.ponder.then(|| "ponder".to_owned()));
    words.join(" ")
}

/// A report, for a reader. Moves are shown by their codes: they may be illegal.
pub(crate) fn report_text<G: Game>(report: &Report<G>) -> String {
    let codes = |moves: &[G::Move]| -> String {
        moves.iter().map(|&mv| format!(" {:04x}", G::code(mv))).collect()
    };
    match report {
        Report::Opinion { epoch, opinion } => {
            let Opinion { score, depth, nodes, rank, .. } = opinion;
            let line = codes(&opinion.line);
            format!("opinion #{} rank {rank} {score:?} depth {depth} nodes {nodes}:{line}", epoch.0)
        }
        Report::Done { epoch, best, .. } => {
            format!("done #{}:{}", epoch.0, codes(&best.iter().copied().collect::<Vec<_>>()))
        }
        Report::Harvest { epoch, positions } => {
            format!("harvest #{}: {} positions", epoch.0, positions.len())
        }
        Report::Findings { epoch, nodes, findings } => {
            format!("{} findings #{} after {nodes} nodes", findings.len(), epoch.0)
        }
        Report::Fault(fault) => format!("fault: {fault}"),
    }
}
