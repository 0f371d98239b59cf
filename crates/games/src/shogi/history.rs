//! What the way to a position says: repetition and perpetual check.
//!
//! Nothing in shogi is irreversible (a captured piece comes back by drop), so the whole game
//! is kept and compared. Each position is compared once, when it is reached.

/// One position of the game so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// Key of board, hands and side to move.
    key: u64,
    /// How many moves in a row, up to and with the one that led here, its player gave check.
    checks: u16,
    /// How many earlier positions may be compared: none before the start or a pass.
    reach: u16,
    /// Plies back to the last time this position occurred; 0 if it is new.
    back: u16,
    /// How often this position occurred before.
    times: u16,
}

/// The positions of a game from its start to the present one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct History {
    entries: Vec<Entry>,
}

/// How a game ended that came to the same position four times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeated {
    /// Nobody gave check all the time.
    Draw,
    /// The player who is to move gave check with every move.
    MoverChecked,
    /// The other player did.
    OtherChecked,
}

impl History {
    /// A game that starts at a position with this key.
    pub(super) fn new(key: u64, in_check: bool) -> Self {
        let entry = Entry { key, checks: u16::from(in_check), reach: 0, back: 0, times: 0 };
        History { entries: vec![entry] }
    }

    /// Key of the present position.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.last().key
    }

    /// Whether the side to move is in check.
    #[inline]
    pub(super) fn in_check(&self) -> bool {
        self.last().checks > 0
    }

    /// How many moves were made since the start.
    pub(super) fn plies(&self) -> usize {
        self.entries.len() - 1
    }

    #[inline]
    fn last(&self) -> &Entry {
        self.entries.last().expect("the start is never taken back")
    }

    /// A move led to a position with this key.
    #[inline]
    pub(super) fn push(&mut self, key: u64, in_check: bool) {
        let here = self.entries.len();
        let reach = self.last().reach.saturating_add(1);
        let checks = match in_check {
            true if reach >= 2 => self.entries[here - 2].checks.saturating_add(1),
            in_check => u16::from(in_check),
        };
        let mut entry = Entry { key, checks, reach, back: 0, times: 0 };
        // Coming back to a position takes each side at least two moves.
        for back in (4..=usize::from(reach)).step_by(2) {
            let earlier = &self.entries[here - back];
            if earlier.key == key {
                entry.back = back as u16;
                entry.times = earlier.times.saturating_add(1);
                break;
            }
        }
        self.entries.push(entry);
    }

    /// The move was passed: nothing before this may be compared with what follows.
    pub(super) fn push_pass(&mut self, key: u64) {
        self.entries.push(Entry { key, checks: 0, reach: 0, back: 0, times: 0 });
    }

    /// The last move or pass was taken back.
    #[inline]
    pub(super) fn pop(&mut self) {
        debug_assert!(self.entries.len() > 1, "nothing to take back");
        self.entries.pop();
    }

    /// Whether the present position occurred before.
    pub(super) fn repeats(&self) -> bool {
        self.last().times > 0
    }

    /// The verdict if the present position occurred for the fourth time.
    pub(super) fn repeated(&self) -> Option<Repeated> {
        if self.last().times < 3 {
            return None;
        }
        let here = self.entries.len() - 1;
        // The first of the last four occurrences.
        let first = (0..3).fold(here, |at, _| at - usize::from(self.entries[at].back));
        let moves_each = (here - first) / 2;
        let checked = |at: usize| usize::from(self.entries[at].checks) >= moves_each;
        Some(match (checked(here), checked(here - 1)) {
            (true, false) => Repeated::OtherChecked,
            (false, true) => Repeated::MoverChecked,
            _ => Repeated::Draw,
        })
    }
}
