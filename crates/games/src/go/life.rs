//! Which stones live and which points belong to whom, as far as that can be told without
//! playing on.
//!
//! *Pass-alive* chains cannot be captured even if their owner passes for ever: each has two
//! regions that the other side cannot fill (Benson, "Life in the game of Go", 1976). On top of
//! that lie weaker claims, one [`Claim`] after the other, up to plain area.
//!
//! Seki is told by the dame it leaves (Japanese rules of 1989, article 8): a side's area that
//! touches a point of nobody, or holds an own stone in atari, does not live on its own.

use super::board::Board;
use super::rows::Rows;
use crate::Side;

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// How much is claimed, each including those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// Pass-alive stones, and regions around which all stones are pass-alive and in which the
    /// other side has no room to live.
    PassAlive,
    /// Also empty regions of any size around which all stones are pass-alive.
    SafeTerritory,
    /// Also empty regions that touch one colour only, unless the other side has a better claim.
    Territory,
    /// Also all remaining stones, for their owners.
    Stones,
}

/// A set of points for each side, by [`Side::index`].
pub type Shares = [Rows; 2];

/// Stones on a rectangular board.
#[derive(Clone, Copy, Debug)]
pub struct Stones {
    board: Rows,
    stones: Shares,
}

impl From<&Board> for Stones {
    fn from(board: &Board) -> Stones {
        Stones {
            board: Rows::rectangle(board.size(), board.size()),
            stones: SIDES.map(|side| board.stones(side)),
        }
    }
}

impl Stones {
    /// `black` and `white` stones on a board of `width` × `height` points.
    pub fn new(width: usize, height: usize, black: Rows, white: Rows) -> Stones {
        Stones { board: Rows::rectangle(width, height), stones: [black, white] }
    }

    /// The stones of `side`.
    pub fn of(&self, side: Side) -> Rows {
        self.stones[side.index()]
    }

    /// The points without a stone.
    pub fn empty(&self) -> Rows {
        self.board - self.stones[0] - self.stones[1]
    }

    /// The same board without the stones in `dead`.
    pub fn without(&self, dead: &Rows) -> Stones {
        Stones { board: self.board, stones: self.stones.map(|stones| stones - *dead) }
    }

    /// Empty regions that touch stones of one colour only, by colour.
    pub fn territory(&self) -> Shares {
        let empty = self.empty();
        let reached = self.stones.map(|stones| stones.flood(&empty) & empty);
        [reached[0] - reached[1], reached[1] - reached[0]]
    }

    /// By how many points of area Black is ahead, all stones counted as alive.
    pub fn area_lead(&self) -> i32 {
        let [black, white] = self.territory();
        let points = |side: Side, territory: Rows| (self.of(side) | territory).len() as i32;
        points(Side::First, black) - points(Side::Second, white)
    }

    /// The points each side can claim. With `suicide`, whole chains may be filled in by their
    /// owner, which makes fewer chains pass-alive.
    pub fn area(&self, claim: Claim, suicide: bool) -> Shares {
        let mut area = SIDES.map(|side| self.safe(side, claim >= Claim::SafeTerritory, suicide));
        if claim >= Claim::Territory {
            area = self.add_unclaimed(area, self.territory());
        }
        if claim >= Claim::Stones {
            area = self.add_unclaimed(area, self.stones);
        }
        area
    }

    fn add_unclaimed(&self, area: Shares, more: Shares) -> Shares {
        let unclaimed = self.board - area[0] - area[1];
        [area[0] | (more[0] & unclaimed), area[1] | (more[1] & unclaimed)]
    }

    /// Pass-alive stones of `side` and the regions that are theirs: those with at most one
    /// point that touches none of the side's stones, and, if `large`, empty ones of any size.
    fn safe(&self, side: Side, large: bool, suicide: bool) -> Rows {
        let alive = self.pass_alive(side, suicide);
        if alive.is_empty() {
            return alive;
        }
        let own = self.of(side);
        let mut safe = alive;
        for region in (self.board - own).parts() {
            let held = (region.grown() & own).is_within(&alive);
            let cramped = (region - own.grown()).len() <= 1;
            let empty = (region & self.of(!side)).is_empty();
            if held && (cramped || large && empty) {
                safe = safe | region;
            }
        }
        safe
    }

    /// The stones of `side` that cannot be captured even if it always passes (Benson's
    /// algorithm): chains and regions that do not hold are struck out until all do.
    fn pass_alive(&self, side: Side, suicide: bool) -> Rows {
        let own = self.of(side);
        let mut chains: Vec<Rows> = own.parts().collect();
        let mut regions: Vec<Rows> = (self.board - own).parts().collect();
        loop {
            let before = chains.len();
            chains.retain(|chain| {
                let beside = chain.grown();
                // A region keeps a chain alive if each of its points that the other side could
                // leave open to the end is a liberty of the chain.
                let holds = |region: &&Rows| {
                    let open = if suicide { **region } else { **region & self.empty() };
                    open.is_within(&beside)
                };
                regions.iter().filter(holds).take(2).count() == 2
            });
            let alive = union(&chains);
            if chains.len() == before {
                return alive;
            }
            regions.retain(|region| (region.grown() & own).is_within(&alive));
        }
    }

    /// The parts of `area` that live on their own: those that touch no point of nobody and
    /// hold no own stone in atari. The rest is in seki.
    pub fn independent(&self, area: &Shares) -> Shares {
        let dame = (self.empty() - area[0] - area[1]).grown();
        SIDES.map(|side| {
            let own = area[side.index()];
            let seki = (dame | self.in_atari(side)) & own;
            own - seki.flood(&own)
        })
    }

    /// The stones of `side` whose chain has exactly one liberty.
    fn in_atari(&self, side: Side) -> Rows {
        let empty = self.empty();
        let chains = self.of(side).parts();
        union(&chains.filter(|chain| (chain.grown() & empty).len() == 1).collect::<Vec<_>>())
    }
}

fn union(sets: &[Rows]) -> Rows {
    sets.iter().fold(Rows::EMPTY, |all, &set| all | set)
}
