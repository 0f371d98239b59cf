//! A position and the way it was reached.

use senbon_games::Game;

/// Where a game stands: its start, the moves so far, and the position they lead to.
///
/// Engines are told start and moves, so that they know the history; coordinators recognise by
/// the moves that a game went on.
#[derive(Clone, Debug)]
pub struct Place<G: Game> {
    start: G,
    moves: Vec<G::Move>,
    position: G,
}

impl<G: Game> Place<G> {
    /// The start of a game.
    pub fn new(start: G) -> Self {
        Place { position: start.clone(), start, moves: Vec::new() }
    }

    /// Where the game began.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The moves so far.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The position now, with its history.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        self.position.play(mv);
        self.moves.push(mv);
    }

    /// The place after a legal move.
    pub fn after(&self, mv: G::Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// The place one move earlier, `None` at the start.
    pub fn before(&self) -> Option<Self> {
        let (_, moves) = self.moves.split_last()?;
        let mut earlier = Place::new(self.start.clone());
        for &mv in moves {
            earlier.play(mv);
        }
        Some(earlier)
    }

    /// The moves that lead from here to `later`, if that is a continuation of this game.
    pub fn way_to<'a>(&self, later: &'a Self) -> Option<&'a [G::Move]> {
        let same_game = self.start.key() == later.start.key();
        let way = later.moves.strip_prefix(self.moves.as_slice())?;
        same_game.then_some(way)
    }
}

/// How many moves of `line` can be played from `start` on. Whoever is told of a line plays its
/// moves, and no worker may put others among them.
pub(crate) fn playable<G: Game>(start: &G, line: &[G::Move]) -> usize {
    let mut position = start.clone();
    let is_legal = |mv: &&G::Move| {
        let legal = position.moves().into_iter().any(|own| own == **mv);
        if legal {
            position.play(**mv);
        }
        legal
    };
    line.iter().take_while(is_legal).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use senbon_games::Notation;
    use senbon_games::chess::Chess;

    #[test]
    fn a_game_is_recognised_as_it_goes_on() {
        let start = Place::new(Chess::start());
        let play = |place: &Place<Chess>, text: &str| {
            place.after(place.position().parse_move(text).unwrap())
        };
        let early = play(&start, "e2e4");
        let late = play(&play(&early, "e7e5"), "g1f3");
        assert_eq!(early.way_to(&late).map(<[_]>::len), Some(2));
        assert_eq!(late.way_to(&early), None);
        assert_eq!(play(&start, "d2d4").way_to(&late), None);
        assert_eq!(late.before().unwrap().moves(), &late.moves()[..2]);
        assert!(start.before().is_none());
    }
}
