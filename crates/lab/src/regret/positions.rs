//! The positions that are looked at: from files of positions, from games at random plies, from
//! a book, or after random moves.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Result, bail};
use senbon_core::Place;
use senbon_games::Rng;

use crate::matches::{MatchGame, Opening, OpeningError, random_opening, read_openings};
use crate::ranks::{PlayedGame, fingerprint};

/// How far into a game positions are taken: from so many plies to so many.
///
/// ```
/// use senbon_lab::regret::Plies;
///
/// assert_eq!("16..80".parse(), Ok(Plies { from: 16, to: 80 }));
/// assert_eq!("12".parse(), Ok(Plies { from: 12, to: 12 }));
/// assert!("80..16".parse::<Plies>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plies {
    /// At least.
    pub from: usize,
    /// At most.
    pub to: usize,
}

impl Plies {
    /// The middle of recorded games.
    pub const MIDDLE: Plies = Plies { from: 16, to: 80 };
    /// The end of a book's lines.
    pub const BOOK: Plies = Plies { from: 12, to: 12 };
    /// Few enough random moves that neither side has lost yet.
    pub const RANDOM: Plies = Plies { from: 6, to: 10 };
}

impl FromStr for Plies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| {
            let text = text.trim();
            text.parse().map_err(|_| format!("'{text}' is no number of plies; write 16..80 or 12"))
        };
        let (from, to) = match text.split_once("..") {
            Some((from, to)) => (number(from)?, number(to)?),
            None => (number(text)?, number(text)?),
        };
        if from > to { Err(format!("'{text}' counts down")) } else { Ok(Plies { from, to }) }
    }
}

/// Positions with a choice of moves, each once, in a drawn order. An iterator, because the
/// history of each is long and few of those in a big file may be wanted.
pub struct Positions<G: MatchGame> {
    games: Vec<Opening<G>>,
    /// Which game, after how many plies; the last comes first.
    picks: Vec<(usize, usize)>,
    seen: BTreeSet<u64>,
}

/// Lines drawn for each position wanted: some end at the same position, or are decided.
const SPARE: usize = 4;

impl<G: MatchGame> Positions<G> {
    /// Reads `files`; without any, random moves are made. `.pgn` and `.csa` are games, of which
    /// positions are taken at random plies, `.bin` a book, anything else a position a line.
    pub fn read(
        files: &[PathBuf],
        plies: Option<Plies>,
        count: usize,
        rng: &mut Rng,
    ) -> Result<Self, OpeningError> {
        let mut positions =
            Positions { games: Vec::new(), picks: Vec::new(), seen: BTreeSet::new() };
        let lines = count.saturating_mul(SPARE);
        if files.is_empty() {
            let Plies { from, to } = plies.unwrap_or(Plies::RANDOM);
            let plies = |rng: &mut Rng| from + rng.below(to - from + 1);
            positions.add_whole((0..lines).map(|_| random_opening(plies(rng), rng)).collect());
        }
        for file in files {
            if is_record(file) {
                positions.add_games(file, plies.unwrap_or(Plies::MIDDLE), rng)?;
            } else {
                let plies = plies.unwrap_or(Plies::BOOK).to;
                positions.add_whole(read_openings(file, plies, lines, rng)?);
            }
        }
        positions.draw_order(rng);
        Ok(positions)
    }

    fn add_whole(&mut self, openings: Vec<Opening<G>>) {
        for opening in openings {
            self.picks.push((self.games.len(), opening.moves().len()));
            self.games.push(opening);
        }
    }

    fn add_games(&mut self, file: &Path, plies: Plies, rng: &mut Rng) -> Result<(), OpeningError> {
        let name = file.display().to_string();
        let bytes = std::fs::read(file).map_err(|error| OpeningError::File(name.clone(), error))?;
        let games = G::read_games(&bytes, usize::MAX);
        for game in games.map_err(|what| OpeningError::Wrong(name.clone(), what))? {
            let last = plies.to.min(game.moves().len());
            let mut own: Vec<_> = (plies.from..=last).map(|ply| (self.games.len(), ply)).collect();
            rng.shuffle(&mut own);
            self.picks.extend(own);
            self.games.push(game);
        }
        Ok(())
    }

    /// One position of every game, then another one of every game, and so on.
    fn draw_order(&mut self, rng: &mut Rng) {
        let mut order: Vec<usize> = (0..self.games.len()).collect();
        rng.shuffle(&mut order);
        let mut rounds = vec![0; self.games.len()];
        let keyed = |&(game, ply): &(usize, usize)| {
            rounds[game] += 1;
            (rounds[game], order[game], game, ply)
        };
        let mut picks: Vec<_> = self.picks.iter().map(keyed).collect();
        picks.sort_unstable();
        self.picks = picks.into_iter().rev().map(|(_, _, game, ply)| (game, ply)).collect();
    }
}

fn is_record(file: &Path) -> bool {
    let ending = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    ["pgn", "csa"].contains(&ending.as_str())
}

impl<G: MatchGame> Iterator for Positions<G> {
    type Item = Opening<G>;

    fn next(&mut self) -> Option<Opening<G>> {
        while let Some((game, ply)) = self.picks.pop() {
            let game = &self.games[game];
            let mut place = Place::new(game.start().clone());
            game.moves().iter().take(ply).for_each(|&mv| place.play(mv));
            let position = place.position();
            let has_choice = position.outcome().is_none() && position.count_moves() > 1;
            if has_choice && self.seen.insert(position.key()) {
                return Some(place);
            }
        }
        None
    }
}

/// The next `count` positions; with those moves before them that `history` asks for.
pub(super) fn take<G: MatchGame>(
    positions: &mut impl Iterator<Item = Opening<G>>,
    count: usize,
    history: usize,
) -> Vec<Opening<G>> {
    positions.filter(|place| place.moves().len() >= history).take(count).collect()
}

/// A name for a position and its history that stays the same from run to run.
pub(super) fn name<G: MatchGame>(place: &Place<G>) -> String {
    let game = PlayedGame { start: place.start().clone(), moves: place.moves().to_vec() };
    format!("{:016x}", fingerprint(&[game]))
}

/// Refuses an empty set of positions and says why it is empty.
pub(super) fn check_any(count: usize, warm: bool, decided: i32) -> Result<()> {
    if count > 0 {
        return Ok(());
    }
    if warm {
        bail!(
            "no position is left: a warm start needs two moves before each position, so give \
             games or lines with 'moves', not bare positions"
        );
    }
    bail!(
        "no position is left: each must have at least two moves, must lie within the plies asked \
         for, and must be worth at most {decided} centipawns to either side"
    )
}

#[cfg(test)]
mod tests {
    use senbon_games::Notation;
    use senbon_games::chess::Chess;

    use super::*;

    const GAMES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n\n\
                         1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 *\n\n1. e4 c5 *\n\n";

    #[test]
    fn games_give_positions_at_drawn_plies_and_the_same_for_a_seed() {
        let file =
            std::env::temp_dir().join(format!("senbon-positions-{}.pgn", std::process::id()));
        std::fs::write(&file, GAMES).unwrap();
        let plies = Some(Plies { from: 3, to: 8 });
        let read = |seed| {
            let files = std::slice::from_ref(&file);
            let positions = Positions::<Chess>::read(files, plies, 2, &mut Rng::new(seed));
            positions.unwrap().map(|place| place.start().format_line(place.moves())).collect()
        };
        let first: Vec<Vec<String>> = read(1);
        assert_eq!(first, read(1));
        assert_ne!(first, read(2));
        assert_eq!(first.len(), 12, "six of each of the longer games: {first:?}");
        assert!(first.iter().all(|moves| (3..=8).contains(&moves.len())));
        // Games take turns.
        assert_ne!(first[0][0], first[1][0]);
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn random_moves_and_names() {
        let mut rng = Rng::new(7);
        let mut positions = Positions::<Chess>::read(&[], None, 5, &mut rng).unwrap();
        let places = take(&mut positions, 5, 2);
        assert_eq!(places.len(), 5);
        let names: BTreeSet<_> = places.iter().map(name).collect();
        assert_eq!(names.len(), 5);
        assert!(places.iter().all(|place| (6..=10).contains(&place.moves().len())));
        let missing = Positions::<Chess>::read(&["missing.pgn".into()], None, 5, &mut rng);
        assert!(missing.err().unwrap().to_string().contains("missing.pgn"));
    }
}
