//! What the sessions must keep: silence is noticed, work is given to others, results arrive,
//! and nobody healthy is taken for gone. Seen from outside: from what the scenario breaks, from
//! what is sent and from what is heard.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use senbon_core::session::SessionId;
use senbon_core::{Fault, Order, Search, WorkerId};
use senbon_games::Game;

use super::{Breach, Ledger, Promise};
use crate::{Digest, MachineId, SessionNews, Way};

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A worker that was killed, froze or was cut off is noticed within this.
pub(crate) const NOTICED: Duration = ms(1_500);
/// What it searched is given to another worker within this.
pub(crate) const AGAIN: Duration = ms(2_000);
/// After trouble a session may still end for so long: the silence before it is noticed late.
const AFTERMATH: Duration = ms(2_000);
/// So many frames lost in a row are trouble: there are four signs of life in a lease.
const TROUBLING: u32 = 3;
/// A frame that takes longer than this waits in a line that is full: what follows it is late,
/// too, and may be taken for silence.
const FULL: Duration = ms(500);
/// Progress of so many ranks is kept until a result follows.
const MOST_PENDING: usize = 64;
/// What must arrive has arrived within this, when the links work.
const DELIVERY: Duration = ms(3_000);

/// A worker that broke down, and what is promised then.
pub(crate) struct Pledge<G: Game> {
    pub(crate) machine: MachineId,
    /// Its names, as the coordinator knew them.
    pub(crate) workers: Vec<WorkerId>,
    /// What it searched.
    pub(crate) task: Option<Search<G>>,
    /// When it broke down.
    pub(crate) since: Duration,
    /// What it searched must not only have been ordered of another worker, but have reached it.
    pub(crate) strict: bool,
    /// It was.
    pub(crate) again: bool,
}

#[derive(Default)]
struct Condition {
    /// Broken until then.
    broken_until: Duration,
    /// Frames lost in a row on the way up and down, and when they were last too many.
    lost: [u32; 2],
    troubled_at: Option<Duration>,
}

/// What was told and heard in a session.
#[derive(Default)]
struct Talk {
    machine: Option<MachineId>,
    /// The machine is in it.
    joined: bool,
    /// Reports that must arrive and have not yet: when they were told, and the newest progress
    /// of each rank before them.
    letters: VecDeque<Letter>,
    /// All progress, and what was heard of it.
    progress: BTreeSet<u64>,
    heard: BTreeSet<u64>,
    /// The newest progress of each rank since the last report that must arrive.
    told: BTreeMap<usize, u64>,
}

struct Letter {
    hash: u64,
    at: Duration,
    before: BTreeMap<usize, u64>,
}

/// The books of all sessions.
pub(crate) struct Sessions<G: Game> {
    machines: BTreeMap<MachineId, Condition>,
    talks: BTreeMap<SessionId, Talk>,
    pledges: Vec<Pledge<G>>,
    /// When the search above last changed.
    changed: Duration,
    breach: Option<Breach>,
}

impl<G: Game> Default for Sessions<G> {
    fn default() -> Self {
        Sessions {
            machines: BTreeMap::new(),
            talks: BTreeMap::new(),
            pledges: Vec::new(),
            changed: Duration::ZERO,
            breach: None,
        }
    }
}

impl<G: Game> Sessions<G> {
    /// The first promise that was broken.
    pub(crate) fn breach(&self) -> Option<&Breach> {
        self.breach.as_ref()
    }

    fn fail(&mut self, promise: Promise, at: Duration, what: String) {
        self.breach.get_or_insert(Breach { promise, at, what });
    }

    /// A machine is broken until then.
    pub(crate) fn breaks(&mut self, machine: MachineId, until: Duration) {
        let condition = self.machines.entry(machine).or_default();
        condition.broken_until = condition.broken_until.max(until);
    }

    /// Whether a machine is broken.
    pub(crate) fn is_broken(&self, now: Duration, machine: MachineId) -> bool {
        self.machines.get(&machine).is_some_and(|condition| condition.broken_until > now)
    }

    /// It is not broken any more.
    pub(crate) fn mends(&mut self, now: Duration, machine: MachineId) {
        let condition = self.machines.entry(machine).or_default();
        condition.broken_until = condition.broken_until.min(now);
    }

    /// Something is promised of a machine that broke down for long.
    pub(crate) fn pledge(&mut self, pledge: Pledge<G>) {
        self.pledges.push(pledge);
    }

    /// The search above has changed: what was searched before need not be searched again.
    pub(crate) fn changes(&mut self, now: Duration) {
        self.changed = now;
    }

    /// The master has restarted: all sessions are over, and nothing of them is promised.
    pub(crate) fn forget(&mut self) {
        self.talks.clear();
        self.pledges.clear();
    }

    /// The coordinator gives an order to a worker.
    pub(crate) fn orders(&mut self, to: WorkerId, order: &Order<G>) {
        let Order::Search(search) = order else { return };
        for pledge in self.pledges.iter_mut().filter(|pledge| !pledge.strict) {
            let other = !pledge.workers.contains(&to);
            pledge.again |= other && pledge.task.as_ref().is_some_and(|lost| has(search, lost));
        }
    }

    pub(crate) fn news(&mut self, now: Duration, news: SessionNews<'_, G>) {
        match news {
            SessionNews::Sent(machine, way, arrives) => self.sent(now, machine, way, arrives),
            SessionNews::Begun(session, _, machine) => {
                self.talks.entry(session).or_default().machine = Some(machine);
            }
            SessionNews::Joined(session) => {
                self.talks.entry(session).or_default().joined = true;
            }
            SessionNews::GivenUp(session, fault) => self.given_up(now, session, fault),
            SessionNews::Told(session, rank, report) => self.told(now, session, rank, report),
            SessionNews::Forgotten(session) => {
                self.talks.entry(session).or_default().told.clear();
            }
            SessionNews::Delivered(session, report) => self.delivered(now, session, report),
            SessionNews::Taken(machine, order) => self.taken(machine, order),
            SessionNews::Ended(session, fault) => self.ended(now, session, fault),
        }
    }

    fn sent(&mut self, now: Duration, machine: MachineId, way: Way, arrives: Option<Duration>) {
        let condition = self.machines.entry(machine).or_default();
        let lost = &mut condition.lost[usize::from(way == Way::Down)];
        *lost = if arrives.is_some() { 0 } else { *lost + 1 };
        let troubled = match arrives {
            Some(at) if at > now + FULL => Some(at),
            _ if *lost >= TROUBLING => Some(now),
            _ => None,
        };
        condition.troubled_at = condition.troubled_at.max(troubled);
    }

    fn told(&mut self, now: Duration, session: SessionId, rank: Option<usize>, report: &[u8]) {
        let hash = hash(report);
        let talk = self.talks.entry(session).or_default();
        match rank {
            Some(rank) => {
                talk.progress.insert(hash);
                if talk.told.len() < MOST_PENDING || talk.told.contains_key(&rank) {
                    talk.told.insert(rank, hash);
                }
            }
            None => {
                let before = std::mem::take(&mut talk.told);
                talk.letters.push_back(Letter { hash, at: now, before });
            }
        }
    }

    fn delivered(&mut self, now: Duration, session: SessionId, report: &[u8]) {
        let hash = hash(report);
        let talk = self.talks.entry(session).or_default();
        if talk.progress.contains(&hash) {
            talk.heard.insert(hash);
            return;
        }
        let what = match talk.letters.pop_front() {
            Some(letter) if letter.hash == hash => {
                let lost = letter.before.iter().find(|(_, told)| !talk.heard.contains(told));
                match lost {
                    Some((rank, _)) => format!("line {rank} was lost before the end of a search"),
                    None => return,
                }
            }
            Some(_) => "a result was lost, though its session lives".to_owned(),
            None => "a result was heard that was not told, or was heard before".to_owned(),
        };
        self.fail(Promise::Kept, now, what);
    }

    fn taken(&mut self, machine: MachineId, order: &Order<G>) {
        let Order::Search(search) = order else { return };
        for pledge in self.pledges.iter_mut().filter(|pledge| pledge.strict) {
            let other = pledge.machine != machine;
            pledge.again |= other && pledge.task.as_ref().is_some_and(|lost| has(search, lost));
        }
    }

    /// The machine ends a session, because of a fault of the other end if there is one.
    fn given_up(&mut self, now: Duration, session: SessionId, fault: Option<&Fault>) {
        let talk = self.talks.entry(session).or_default();
        talk.joined = false;
        if let (Some(machine), Some(fault)) = (talk.machine, fault) {
            self.check_end(now, machine, fault);
        }
    }

    /// The master ends a session. One that the machine is not in any more, or never was in
    /// because its hello came too late, is no loss.
    fn ended(&mut self, now: Duration, session: SessionId, fault: &Fault) {
        let talk = self.talks.remove(&session).filter(|talk| talk.joined);
        if let Some(machine) = talk.and_then(|talk| talk.machine) {
            self.check_end(now, machine, fault);
        }
    }

    /// There must have been a reason.
    fn check_end(&mut self, now: Duration, machine: MachineId, fault: &Fault) {
        let condition = self.machines.entry(machine).or_default();
        let recent = |at: Duration| now <= at.saturating_add(AFTERMATH);
        let troubled = recent(condition.broken_until) || condition.troubled_at.is_some_and(recent);
        // Whoever talks nonsense is sent away.
        if !troubled && !matches!(fault, Fault::Nonsense(_)) {
            let what = format!("a healthy session (machine {}) was given up: {fault}", machine.0);
            self.fail(Promise::Tree, now, what);
        }
    }

    /// Looks at what is due.
    pub(crate) fn due(&mut self, now: Duration, books: &Ledger<G>) {
        let known: BTreeSet<WorkerId> = books.workers().collect();
        let mut open = Vec::new();
        for mut pledge in std::mem::take(&mut self.pledges) {
            let broken_until = self.machines.entry(pledge.machine).or_default().broken_until;
            let lasted = broken_until > pledge.since + NOTICED;
            let unnoticed = pledge.workers.iter().any(|worker| known.contains(worker));
            if lasted && unnoticed && now >= pledge.since + NOTICED {
                let machine = pledge.machine.0;
                let what = format!("machine {machine} is broken since {:?}", pledge.since);
                self.fail(Promise::Bounded, now, format!("{what}, and nobody has noticed"));
            }
            if now < pledge.since + AGAIN {
                open.push(pledge);
                continue;
            }
            let Some(lost) = pledge.task.take() else { continue };
            // Where nothing new was to be ordered, somebody had it all the time.
            let others = known.iter().filter_map(|&worker| books.task(worker));
            let again = pledge.again || others.into_iter().any(|search| has(search, &lost));
            let excused = !lasted || known.is_empty() || self.changed >= pledge.since;
            if !again && !excused {
                let (machine, since) = (pledge.machine.0, now - pledge.since);
                let what = format!("what machine {machine} searched is searched by nobody");
                self.fail(Promise::Tree, now, format!("{what} {since:?} later"));
            }
        }
        self.pledges = open;
    }

    /// Looks for results that are on their way for too long. The links work.
    pub(crate) fn undelivered(&mut self, now: Duration) {
        let late = |talk: &&Talk| {
            let oldest = talk.letters.front();
            talk.machine.is_some() && oldest.is_some_and(|letter| now > letter.at + DELIVERY)
        };
        if self.talks.values().any(|talk| late(&talk)) {
            let what =
                format!("a result has not arrived in {DELIVERY:?}, though its session lives");
            self.fail(Promise::Kept, now, what);
        }
    }
}

/// Whether `search` covers some of what `lost` was about: at the same node, below it, or above
/// it with the way there among its moves.
fn has<G: Game>(search: &Search<G>, lost: &Search<G>) -> bool {
    let may = |search: &Search<G>, mv: G::Move| search.only.is_empty() || search.only.contains(&mv);
    let (here, there) = (search.place.moves(), lost.place.moves());
    if search.place.start().key() != lost.place.start().key() {
        return false;
    }
    if let Some(way) = there.strip_prefix(here)
        && let Some(&mv) = way.first()
    {
        return may(search, mv);
    }
    if let Some(way) = here.strip_prefix(there) {
        return match way.first() {
            Some(&mv) => may(lost, mv),
            None => lost.only.is_empty() || lost.only.iter().any(|&mv| may(search, mv)),
        };
    }
    false
}

fn hash(bytes: &[u8]) -> u64 {
    let mut digest = Digest::default();
    digest.add(bytes.len() as u64);
    for part in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        digest.add(u64::from_le_bytes(word));
    }
    digest.value()
}
