//! Who asks for moves: plays games with the coordinator as a GUI would, keeps the clock, and
//! checks what it is told.

use std::time::Duration;

use senbon_core::{Clock, Epoch, Limits, Order, Place, Report, Search};
use senbon_games::{Game, Notation, Rng};

use super::options::Control;
use crate::check::{Asked, Breach, Promise};
use crate::link::between;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// With less on the clock than this a new game is begun: no one can promise an answer within
/// the time that is lost on the way.
const LEAST_CLOCK: Duration = ms(300);

/// What the player wants to be reminded of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reminder {
    Ask,
    /// Stop this search, if it is still under way.
    Stop(Epoch),
    /// The opponent moved while this search pondered.
    Moved(Epoch),
    /// This search must have been answered by now.
    Flag(Epoch),
}

/// What the player wants done.
pub(super) enum Wish<G: Game> {
    Order(Order<G>),
    Remind(Duration, Reminder),
}

/// The player's side of a scenario.
pub(super) struct Player<G: Game> {
    rng: Rng,
    control: Control,
    ponders: bool,
    place: Place<G>,
    epoch: Epoch,
    pub(super) asked: Option<Asked<G>>,
    clock: Duration,
    /// The move it is expected to be asked about next, after a ponder search.
    pub(super) answers: usize,
    pub(super) wishes: Vec<Wish<G>>,
}

impl<G: Notation> Player<G> {
    pub(super) fn new(control: Control, ponders: bool, rng: Rng) -> Self {
        Player {
            rng,
            control,
            ponders,
            place: Place::new(G::start()),
            epoch: Epoch(0),
            asked: None,
            clock: full_clock(control),
            answers: 0,
            wishes: Vec::new(),
        }
    }

    pub(super) fn remind(&mut self, now: Duration, reminder: Reminder) -> Result<(), Breach> {
        let current = self.asked.as_ref().map(|asked| asked.epoch);
        match reminder {
            Reminder::Ask if current.is_none() => self.ask(now),
            Reminder::Stop(epoch) if current == Some(epoch) => self.stop(now),
            Reminder::Moved(epoch) if current == Some(epoch) => self.opponent_moved(now),
            Reminder::Flag(epoch) if current == Some(epoch) => {
                return self.asked.as_ref().map_or(Ok(()), |asked| asked.check_overdue(now));
            }
            _ => {}
        }
        Ok(())
    }

    /// The next search of the game, or the first of another one.
    fn ask(&mut self, now: Duration) {
        self.begin_game_if_over();
        let place = self.place.clone();
        let ponder = self.ponders && self.rng.one_in(4) && !place.moves().is_empty();
        let only = self.restriction(&place, ponder);
        let limits = Limits { ponder, ..self.limits(place.position().side_to_move().index()) };
        self.search(now, place, only, limits);
        let Some(asked) = &self.asked else { return };
        let epoch = asked.epoch;
        if ponder {
            let wait = between(&mut self.rng, ms(1), ms(300));
            self.wishes.push(Wish::Remind(now + wait, Reminder::Moved(epoch)));
        } else {
            self.start_clock(now);
        }
        // Stops of other searches must not matter.
        if self.rng.one_in(6) {
            let other = Epoch(epoch.0.wrapping_sub(1 + self.rng.below(3) as u64));
            self.wishes.push(Wish::Order(Order::Stop(other)));
        }
        if self.rng.one_in(10) && !ponder {
            self.wishes.push(Wish::Order(Order::PonderHit(epoch)));
        }
    }

    fn search(&mut self, now: Duration, place: Place<G>, only: Vec<G::Move>, limits: Limits) {
        self.epoch = self.epoch.next();
        let epoch = self.epoch;
        let lines = if self.rng.one_in(6) { 2 + self.rng.below(3) } else { 1 };
        self.asked = Some(Asked {
            epoch,
            place: place.clone(),
            only: only.clone(),
            lines,
            limits: limits.clone(),
            began: now,
            flag: None,
            stopped: None,
        });
        self.wishes.push(Wish::Order(Order::Search(Search { epoch, place, only, lines, limits })));
    }

    /// From now on the search costs time.
    fn start_clock(&mut self, now: Duration) {
        let Some(asked) = &mut self.asked else { return };
        asked.began = now;
        let time = match self.control {
            Control::MoveTime(time) => Some(time),
            Control::Clock(..) => Some(self.clock),
            Control::Byoyomi(_, each) => Some(self.clock + each),
            _ => None,
        };
        asked.flag = time.map(|time| now + time);
        let epoch = asked.epoch;
        if let Some(flag) = asked.flag {
            let after = flag + Duration::from_nanos(1);
            self.wishes.push(Wish::Remind(after, Reminder::Flag(epoch)));
        }
        let must_stop = self.control == Control::Infinite;
        if must_stop || self.rng.one_in(8) {
            let wait = between(&mut self.rng, Duration::ZERO, ms(400));
            self.wishes.push(Wish::Remind(now + wait, Reminder::Stop(epoch)));
        }
    }

    pub(super) fn stop(&mut self, now: Duration) {
        if let Some(asked) = &mut self.asked {
            asked.stopped = Some(now);
            let epoch = asked.epoch;
            self.wishes.push(Wish::Order(Order::Stop(epoch)));
            let after = now + Duration::from_nanos(1);
            self.wishes.push(Wish::Remind(after, Reminder::Flag(epoch)));
        }
    }

    /// The search pondered: it was right, or the game goes another way.
    fn opponent_moved(&mut self, now: Duration) {
        let hit = self.rng.one_in(2);
        if !hit {
            self.stop(now);
            return;
        }
        if let Some(asked) = &mut self.asked {
            asked.limits.ponder = false;
            let epoch = asked.epoch;
            self.wishes.push(Wish::Order(Order::PonderHit(epoch)));
            self.start_clock(now);
        }
    }

    /// Checks what the coordinator says.
    pub(super) fn hear(&mut self, now: Duration, report: &Report<G>) -> Result<(), Breach> {
        let unasked = |what: String| Breach { promise: Promise::Answer, at: now, what };
        match report {
            Report::Opinion { epoch, opinion } => match &self.asked {
                Some(asked) => asked.check_opinion(now, *epoch, opinion),
                None => Err(unasked(format!("an opinion on search {}, which is over", epoch.0))),
            },
            Report::Done { epoch, best, ponder } => {
                let asked = self.asked.take();
                let asked = asked.ok_or_else(|| {
                    unasked(format!("search {} is answered a second time", epoch.0))
                })?;
                asked.check_answer(now, *epoch, *best, *ponder)?;
                self.answered(now, &asked, *best, *ponder);
                Ok(())
            }
            Report::Harvest { .. } | Report::Findings { .. } | Report::Fault(_) => Ok(()),
        }
    }

    fn answered(
        &mut self,
        now: Duration,
        asked: &Asked<G>,
        best: Option<G::Move>,
        ponder: Option<G::Move>,
    ) {
        self.answers += 1;
        if let (Some(flag), Control::Clock(_, extra)) = (asked.flag, self.control) {
            self.clock = flag.saturating_sub(now) + extra;
        } else if let (Some(_), Control::Byoyomi(..)) = (asked.flag, self.control) {
            self.clock = self.clock.saturating_sub(now - asked.began);
        }
        let pondered_in_vain = asked.limits.ponder;
        if pondered_in_vain {
            // The opponent played something else: the guess is taken back.
            if let Some(before) = asked.place.before() {
                self.place = before;
                self.opponent_plays(None);
            }
        } else if let Some(best) = best {
            self.place.play(best);
            self.opponent_plays(ponder);
        }
        let wait = match self.rng.below(4) {
            0 => Duration::ZERO,
            _ => between(&mut self.rng, Duration::ZERO, ms(120)),
        };
        self.wishes.push(Wish::Remind(now + wait, Reminder::Ask));
    }

    /// The opponent's move, often the one that was expected.
    fn opponent_plays(&mut self, expected: Option<G::Move>) {
        if self.place.position().outcome().is_some() {
            return;
        }
        let moves: Vec<_> = self.place.position().moves().into_iter().collect();
        let drawn = self.rng.pick(&moves).copied();
        if let Some(mv) = expected.filter(|_| !self.rng.one_in(3)).or(drawn) {
            self.place.play(mv);
        }
    }

    fn begin_game_if_over(&mut self) {
        let over = self.place.position().outcome().is_some();
        let short_of_time = !self.control_is_safe();
        if over || short_of_time || self.rng.one_in(12) {
            self.begin_game();
        }
    }

    fn control_is_safe(&self) -> bool {
        !matches!(self.control, Control::Clock(..)) || self.clock >= LEAST_CLOCK
    }

    /// Another game, sometimes with a few moves played already.
    pub(super) fn begin_game(&mut self) {
        self.clock = full_clock(self.control);
        self.place = Place::new(G::start());
        if !self.rng.one_in(3) {
            self.wishes.push(Wish::Order(Order::NewGame));
        }
        for _ in 0..self.rng.below(5) {
            self.opponent_plays(None);
        }
        if self.place.position().outcome().is_some() {
            self.place = Place::new(G::start());
        }
    }

    /// A search that only a stop ends, from the beginning of a new game.
    pub(super) fn ask_for_ever(&mut self, now: Duration) {
        self.wishes.push(Wish::Order(Order::NewGame));
        self.place = Place::new(G::start());
        let limits = Limits { infinite: true, ..Limits::default() };
        self.search(now, self.place.clone(), Vec::new(), limits);
    }

    /// The coordinator is another one, which knows of no search: another game is begun.
    pub(super) fn abandon(&mut self, now: Duration) {
        self.asked = None;
        self.wishes.clear();
        self.begin_game();
        self.wishes.push(Wish::Remind(now, Reminder::Ask));
    }

    fn restriction(&mut self, place: &Place<G>, ponder: bool) -> Vec<G::Move> {
        if ponder || !self.rng.one_in(8) {
            return Vec::new();
        }
        let mut moves: Vec<_> = place.position().moves().into_iter().collect();
        self.rng.shuffle(&mut moves);
        moves.truncate(1 + self.rng.below(4));
        moves
    }

    fn limits(&self, side: usize) -> Limits {
        let mut limits = Limits::default();
        match self.control {
            Control::MoveTime(time) => limits.move_time = Some(time),
            Control::Clock(_, extra) => {
                limits.clocks[side] = Clock { time: Some(self.clock), increment: Some(extra) };
            }
            Control::Byoyomi(_, each) => {
                limits.clocks[side] = Clock { time: Some(self.clock), increment: None };
                limits.byoyomi = Some(each);
            }
            Control::Nodes(nodes) => limits.nodes = Some(nodes),
            Control::Depth(depth) => limits.depth = Some(depth),
            Control::Infinite => limits.infinite = true,
        }
        limits
    }
}

fn full_clock(control: Control) -> Duration {
    match control {
        Control::Clock(time, _) | Control::Byoyomi(time, _) => time,
        _ => Duration::ZERO,
    }
}
