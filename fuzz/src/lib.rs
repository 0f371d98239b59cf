//! What the targets share.

use senbon_games::Notation;

/// Checks of a position that was read from `text`: written and read again it is the same, and
/// so is every move in it. Gives the position for more.
pub fn check_position<G: Notation>(text: &str) -> Option<G> {
    let position = G::parse_position(text).ok()?;
    let written = position.format_position();
    let mut again = G::parse_position(&written).expect("what was written is read");
    assert_eq!(again.format_position(), written);
    assert_eq!(again.key(), position.key());
    let moves: Vec<G::Move> = position.moves().into_iter().collect();
    assert_eq!(moves.len(), position.count_moves());
    for mv in moves {
        let text = position.format_move(mv);
        assert_eq!(position.parse_move(&text), Ok(mv));
        let undo = again.play(mv);
        G::parse_position(&again.format_position()).expect("a legal move leads to a position");
        again.take_back(mv, undo);
        assert_eq!(again.key(), position.key());
    }
    Some(position)
}
