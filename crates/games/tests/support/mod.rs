//! One random-play test for every game: the contract of `Game` and [`Notation`].
#![allow(dead_code, unreachable_pub)] // Every test binary has its own copy.

use senbon_games::{Notation, Rng};

/// Plays `games` random games of at most `plies` plies from each of `starts`, and checks at
/// every position that keys, undo, move codes and notation keep their contract.
pub(crate) fn random_play<G: Notation + PartialEq + std::fmt::Debug>(
    starts: &[G],
    games: usize,
    plies: usize,
    seed: u64,
) {
    let mut rng = Rng::new(seed);
    for game in 0..games {
        let mut position = starts[game % starts.len()].clone();
        for ply in 0..plies {
            let place = || format!("seed {seed}, game {game}, ply {ply}");
            let moves: Vec<_> = position.moves().into_iter().collect();
            assert_eq!(moves.len(), position.count_moves(), "{}", place());
            check_moves(&mut position, &moves, &place);
            check_notation(&position, &place);
            if position.outcome().is_some() {
                break;
            }
            let Some(&mv) = rng.pick(&moves) else { break };
            position.play(mv);
        }
    }
}

fn check_moves<G: Notation + PartialEq + std::fmt::Debug>(
    position: &mut G,
    moves: &[G::Move],
    place: &impl Fn() -> String,
) {
    let before = position.clone();
    let key = position.key();
    let mut codes: Vec<u16> = moves.iter().map(|&mv| G::code(mv)).collect();
    assert!(!codes.contains(&0), "a move code is zero: {}", place());
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), moves.len(), "move codes collide: {}", place());
    for &mv in moves {
        let text = position.format_move(mv);
        assert_eq!(position.parse_move(&text), Ok(mv), "{text}: {}", place());
        let undo = position.play(mv);
        assert_ne!(position.key(), key, "{text} left the key unchanged: {}", place());
        position.take_back(mv, undo);
        assert_eq!(*position, before, "{text} was not taken back: {}", place());
        assert_eq!(position.key(), key, "{text} changed the key for good: {}", place());
    }
}

fn check_notation<G: Notation>(position: &G, place: &impl Fn() -> String) {
    let text = position.format_position();
    let again = G::parse_position(&text).unwrap_or_else(|e| panic!("{text}: {e}: {}", place()));
    assert_eq!(again.format_position(), text, "{}", place());
    assert_eq!(again.key(), position.key(), "key of {text} read back: {}", place());
}

/// `text` with a few characters changed, added, removed or moved.
pub(crate) fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(4) {
        let at = rng.below(letters.len() + 1);
        let other = rng.pick(&letters).copied().unwrap_or(' ');
        let strange = ['+', '-', '/', ' ', '0', '9', '\n', '\0', 'é', '歩', '\u{1F600}', '*', 'k'];
        let new = if rng.one_in(2) { other } else { *rng.pick(&strange).unwrap_or(&' ') };
        match rng.below(4) {
            0 => letters.insert(at, new),
            1 if at < letters.len() => letters[at] = new,
            2 if at < letters.len() => drop(letters.remove(at)),
            3 => letters.truncate(at.max(letters.len() / 2)),
            _ => {}
        }
    }
    letters.into_iter().collect()
}
