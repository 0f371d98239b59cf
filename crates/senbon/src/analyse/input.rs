//! The position to search, from the command line.

use senbon_core::Place;
use senbon_engines::process::EngineLine;
use senbon_games::chess::Chess;
use senbon_games::{Notation, NotationError, Side};

use crate::args::EngineGame;
use crate::args::analyse::Analyse;
use crate::report::Failure;

/// Where the search begins; what is wrong with the input, and where.
pub(super) fn place<G: Notation>(args: &Analyse) -> Result<Place<G>, Failure> {
    if args.threads > 1 && args.engine.iter().all(EngineLine::is_built_in) {
        let what = "--threads is for other engines (--engine); the built-in one has one thread. \
                    More --workers use more cores";
        return Err(Failure::Input(what.to_owned()));
    }
    let start = match args.position.as_deref() {
        None | Some("startpos") => G::start(),
        Some(text) => {
            G::parse_position(text).map_err(|e| Failure::notation("position", text, &e))?
        }
    };
    let mut place = Place::new(start);
    play(&mut place, &args.moves)?;
    if let Some(outcome) = place.position().outcome()
        && place.position().count_moves() == 0
    {
        return Err(Failure::Input(format!("nothing to search: {}", outcome.ending)));
    }
    Ok(place)
}

/// Whether engines must be told that it is Chess960: castling from unusual squares.
pub(super) fn is_chess960(args: &Analyse) -> bool {
    let position = args.position.as_deref().filter(|_| args.game == EngineGame::Chess);
    position.is_some_and(|text| Chess::parse_position(text).is_ok_and(|it| it.is_chess960()))
}

fn play<G: Notation>(place: &mut Place<G>, text: &str) -> Result<(), Failure> {
    for word in text.split_whitespace() {
        let word = without_number(word);
        if word.is_empty() {
            continue;
        }
        let mv = place.position().parse_readable(word).map_err(|error| {
            let at = word.as_ptr().addr() - text.as_ptr().addr() + error.at;
            let what = format!("move {} ({word}): {}", place.moves().len() + 1, error.what);
            Failure::notation("moves", text, &NotationError::new(at, what))
        })?;
        place.play(mv);
    }
    Ok(())
}

/// `1.`, `12...` or the like before a move, as in game records, is left out.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

/// What players call the side.
pub(super) fn side_name(game: EngineGame, side: Side) -> &'static str {
    match (game, side) {
        (EngineGame::Chess, Side::First) | (EngineGame::Shogi, Side::Second) => "White",
        (EngineGame::Chess, Side::Second) | (EngineGame::Shogi, Side::First) => "Black",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_in_records() {
        let mut place = Place::new(Chess::start());
        assert!(play(&mut place, "1. e4 e5 2.Nf3 2... Nc6 f1b5").is_ok());
        assert_eq!(place.moves().len(), 5);
        let Err(Failure::Input(text)) = play(&mut place, "a6 Bxc7") else { panic!("illegal") };
        assert!(text.contains("move 7 (Bxc7)"), "{text}");
        assert!(text.lines().last().is_some_and(|line| line == "     ^"), "{text}");
    }
}
