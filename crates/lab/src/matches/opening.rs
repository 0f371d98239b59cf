//! Where games begin: positions a line, recorded games, or a Polyglot book.

use std::path::Path;

use senbon_core::Place;
use senbon_games::Rng;

use super::games::MatchGame;

/// The start of a game and the moves made for the players.
pub type Opening<G> = Place<G>;

/// Why openings cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("cannot read {0}: {1}")]
    File(String, std::io::Error),
    /// There is nothing in it.
    #[error("{0} has no opening")]
    Empty(String),
    /// Something in it is wrong.
    #[error("{0}: {1}")]
    Wrong(String, String),
}

/// The openings of `path`: recorded games (`.pgn`, `.csa`) and books (`.bin`) up to `plies`
/// plies, anything else as a position a line (FEN, EPD, SFEN, `startpos moves …`). They come
/// in an order drawn by `rng`; of a book, `count` lines are drawn.
pub fn read_openings<G: MatchGame>(
    path: &Path,
    plies: usize,
    count: usize,
    rng: &mut Rng,
) -> Result<Vec<Opening<G>>, OpeningError> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| OpeningError::File(file.clone(), error))?;
    let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let is_book = extension.eq_ignore_ascii_case("bin");
    let read = match extension.to_ascii_lowercase().as_str() {
        "pgn" | "csa" => G::read_games(&bytes, plies),
        _ if is_book => G::read_book(&bytes, count, plies, rng),
        _ => read_lines(&String::from_utf8_lossy(&bytes)),
    };
    let mut openings = read.map_err(|what| OpeningError::Wrong(file.clone(), what))?;
    // A game that is over cannot be begun.
    openings.retain(|opening| opening.position().outcome().is_none());
    if openings.is_empty() {
        return Err(OpeningError::Empty(file));
    }
    if !is_book {
        rng.shuffle(&mut openings);
    }
    Ok(openings)
}

/// An opening of so many random moves; it does not end the game.
pub fn random_opening<G: MatchGame>(plies: usize, rng: &mut Rng) -> Opening<G> {
    loop {
        let start = G::start();
        let line = rng.line(&start, start.moves(), plies);
        let mut place = Place::new(start);
        line.into_iter().for_each(|mv| place.play(mv));
        if place.position().outcome().is_none() {
            return place;
        }
    }
}

fn read_lines<G: MatchGame>(text: &str) -> Result<Vec<Opening<G>>, String> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        openings.push(read_line(line).map_err(|what| format!("line {}: {what}", index + 1))?);
    }
    Ok(openings)
}

/// A position, or `startpos`, each perhaps with `moves …` behind it.
fn read_line<G: MatchGame>(line: &str) -> Result<Opening<G>, String> {
    let (place, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let place = place.trim().trim_start_matches("sfen ").trim_start_matches("fen ");
    let start = match place {
        "startpos" => G::start(),
        _ => read_position(place)?,
    };
    let mut opening = Place::new(start);
    for text in moves.split_whitespace() {
        let mv = opening.position().parse_move(text);
        opening.play(mv.map_err(|error| format!("move {text}: {error}"))?);
    }
    Ok(opening)
}

/// EPD has four fields and operations where FEN has two counters: the fields are enough.
fn read_position<G: MatchGame>(text: &str) -> Result<G, String> {
    G::parse_position(text).or_else(|error| {
        let fields: Vec<_> = text.split_whitespace().take(4).collect();
        G::parse_position(&fields.join(" ")).map_err(|_| error.to_string())
    })
}

#[cfg(test)]
mod tests {
    use senbon_games::chess::Chess;
    use senbon_games::shogi::Shogi;

    use super::*;

    #[test]
    fn lines_in_all_their_forms() {
        let text = "# openings\n\nstartpos moves e2e4 e7e5\n\
                    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
                    rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - hmvc 0; fmvn 1;\n";
        let openings = read_lines::<Chess>(text).unwrap();
        assert_eq!(openings.len(), 3);
        assert_eq!(openings[0].moves().len(), 2);
        let shogi = read_lines::<Shogi>("startpos moves 7g7f 3c3d").unwrap();
        assert_eq!(shogi[0].moves().len(), 2);
        let error = read_lines::<Chess>("startpos\nstartpos moves e2e5").unwrap_err();
        assert!(error.starts_with("line 2: move e2e5"), "{error}");
    }
}
