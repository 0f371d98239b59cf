//! What changes with every move: attacks, mobility, hands, and the pressure on the kings.

use std::sync::LazyLock;

use shogi_core::{Color, PieceKind, Square};
use shunsai::{Bitboard, Position};

use super::layout::*;
use super::places::{Place, kind_index};
use crate::shogi::attacks;

/// Takes the features of a position, one after the other.
pub(super) trait Sink {
    /// `side` has a linear feature `count` times.
    fn linear(&mut self, side: Color, feature: usize, count: i32);

    /// `side` has a feature of pressure on the enemy king `count` times.
    fn pressure(&mut self, side: Color, feature: usize, count: i32);
}

/// Pieces in hand and promoted pieces make a game move on; this much is the fight at its
/// height.
pub(super) const FIGHT: i32 = 28;

/// How far the game has gone, from 0 to [`FIGHT`].
pub(super) fn progress(position: &Position) -> i32 {
    let mut progress = 0;
    for color in Color::all() {
        let hand = position.hand(color);
        let held = |kind| i32::from(hand.count(kind).unwrap_or(0));
        progress += held(PieceKind::Pawn)
            + 2 * (held(PieceKind::Lance)
                + held(PieceKind::Knight)
                + held(PieceKind::Silver)
                + held(PieceKind::Gold)
                + held(PieceKind::Bishop)
                + held(PieceKind::Rook));
    }
    let promoted =
        PROMOTED.iter().fold(Bitboard::EMPTY, |all, &kind| all | position.piece_kind_bb(kind));
    (progress + 2 * promoted.count() as i32).min(FIGHT)
}

const PROMOTED: [PieceKind; 6] = [
    PieceKind::ProPawn,
    PieceKind::ProLance,
    PieceKind::ProKnight,
    PieceKind::ProSilver,
    PieceKind::ProBishop,
    PieceKind::ProRook,
];

/// First features and lengths of the pieces in hand.
const HANDS: [(PieceKind, usize, usize); 7] = [
    (PieceKind::Pawn, HAND_PAWN, 8),
    (PieceKind::Lance, HAND_LANCE, 4),
    (PieceKind::Knight, HAND_KNIGHT, 4),
    (PieceKind::Silver, HAND_SILVER, 4),
    (PieceKind::Gold, HAND_GOLD, 4),
    (PieceKind::Bishop, HAND_BISHOP, 2),
    (PieceKind::Rook, HAND_ROOK, 2),
];

/// By colour and king square: its neighbours and those of the square before it.
static RINGS: LazyLock<[[Bitboard; Square::NUM]; 2]> = LazyLock::new(|| {
    let ring = |color: Color, king: Square| {
        let ahead = king.shift(0, if color == Color::Black { -1 } else { 1 });
        let beyond = ahead.map_or(Bitboard::EMPTY, attacks::neighbours);
        attacks::neighbours(king) | beyond
    };
    let mut rings = [[Bitboard::EMPTY; Square::NUM]; 2];
    for color in Color::all() {
        for king in Square::all() {
            rings[color.array_index()][king.array_index()] = ring(color, king);
        }
    }
    rings
});

/// What one side's pieces bear on, its king's neighbourhood aside.
#[derive(Clone, Copy)]
struct Reach {
    once: Bitboard,
    twice: Bitboard,
    by_pawn: Bitboard,
    /// What the king bears on.
    king: Bitboard,
}

/// Gives `sink` every feature but those of `places`.
pub(super) fn terms(position: &Position, sink: &mut impl Sink) {
    let reaches = Color::all().map(|side| pieces(position, side, sink));
    for side in Color::all() {
        let (own, enemy) = (side.array_index(), side.flip().array_index());
        hand(position, side, sink);
        threats(position, side, &reaches[own], &reaches[enemy], sink);
        pressure(position, side, &reaches[own], &reaches[enemy], sink);
        control(position, side, &reaches[own], sink);
    }
    sink.linear(position.side_to_move(), TEMPO, 1);
}

/// Mobility of `side`'s pieces and their attacks on the ring around the enemy king.
fn pieces(position: &Position, side: Color, sink: &mut impl Sink) -> Reach {
    let occupied = position.occupied();
    let own = position.player_bb(side);
    let (mut once, mut twice, mut by_pawn) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
    let enemy_king = position.king_square(side.flip());
    let ring = enemy_king
        .map_or(Bitboard::EMPTY, |king| RINGS[side.flip().array_index()][king.array_index()]);
    let mut king = Bitboard::EMPTY;
    let mut attackers = 0;
    for square in own {
        let Some(piece) = position.piece_at(square) else { continue };
        let reach = attacks::attacks(piece, square, occupied);
        let kind = piece.piece_kind();
        if kind == PieceKind::King {
            king = reach;
            continue;
        }
        twice |= once & reach;
        once |= reach;
        if kind == PieceKind::Pawn {
            by_pawn |= reach;
        }
        if let Some(slider) = slider_index(kind) {
            let squares = ((reach & !own).count() as usize).min(MOBILITY - 1);
            sink.linear(side, MOBILITY_OF + slider * MOBILITY + squares, 1);
        }
        let hits = reach & ring;
        if !hits.is_empty() {
            sink.pressure(side, ATTACKS + attack_class(kind), hits.count() as i32);
            attackers += 1;
        }
    }
    sink.pressure(side, ATTACKERS, attackers);
    Reach { once, twice, by_pawn, king }
}

fn slider_index(kind: PieceKind) -> Option<usize> {
    Some(match kind {
        PieceKind::Lance => 0,
        PieceKind::Bishop => 1,
        PieceKind::Rook => 2,
        PieceKind::ProBishop => 3,
        PieceKind::ProRook => 4,
        _ => return None,
    })
}

/// Pawn, lance, knight, silver, any gold, bishop, rook, horse, dragon.
fn attack_class(kind: PieceKind) -> usize {
    match kind {
        PieceKind::ProBishop => 7,
        PieceKind::ProRook => 8,
        PieceKind::ProPawn | PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => 4,
        kind => kind.array_index(),
    }
}

fn hand(position: &Position, side: Color, sink: &mut impl Sink) {
    let hand = position.hand(side);
    for (kind, first, length) in HANDS {
        let held = usize::from(hand.count(kind).unwrap_or(0));
        for nth in 0..held.min(length) {
            sink.linear(side, first + nth, 1);
        }
        // More pieces than told apart count like the last of them.
        if held > length {
            sink.linear(side, first + length - 1, (held - length) as i32);
        }
    }
    if hand.count(PieceKind::Pawn).unwrap_or(0) > 0 {
        let pawns = position.piece_kind_bb(PieceKind::Pawn) & position.player_bb(side);
        // No file holds two.
        sink.linear(side, DROP_FILES, 9 - pawns.count() as i32);
    }
}

/// `side`'s pieces that the enemy could win.
fn threats(position: &Position, side: Color, own: &Reach, enemy: &Reach, sink: &mut impl Sink) {
    let pieces = position.player_bb(side) & !position.piece_kind_bb(PieceKind::King);
    for square in pieces & (enemy.once | enemy.king) & !(own.once | own.king) {
        let kind = position.piece_at(square).and_then(|piece| kind_index(piece.piece_kind()));
        if let Some(kind) = kind {
            sink.linear(side, HANGING + kind, 1);
        }
    }
    for square in pieces & enemy.by_pawn {
        let class = match position.piece_at(square).map(|piece| piece.piece_kind()) {
            None | Some(PieceKind::Pawn | PieceKind::King) => continue,
            Some(PieceKind::Lance | PieceKind::Knight) => 0,
            Some(PieceKind::Bishop | PieceKind::Rook) => 2,
            Some(PieceKind::ProBishop | PieceKind::ProRook) => 3,
            Some(_) => 1,
        };
        sink.linear(side, PAWN_THREAT + class, 1);
    }
}

/// `side`'s pressure on the enemy king.
fn pressure(position: &Position, side: Color, own: &Reach, enemy: &Reach, sink: &mut impl Sink) {
    sink.pressure(side, BASE, 1);
    let Some(king) = position.king_square(side.flip()) else { return };
    let near = attacks::neighbours(king);
    let theirs = position.player_bb(side.flip());
    let attacked = own.once | own.king;
    let drops = near & own.once & !position.occupied();
    let mut count = |feature, squares: Bitboard| {
        sink.pressure(side, feature, squares.count() as i32);
    };
    count(WEAK, near & own.once & !enemy.once);
    count(TWICE, near & own.twice);
    count(ESCAPES, near & !theirs & !attacked);
    count(DROP_SQUARES, drops);
    if position.side_to_move() == side {
        sink.pressure(side, TO_MOVE, 1);
    }
}

fn control(position: &Position, side: Color, own: &Reach, sink: &mut impl Sink) {
    let camp = attacks::camp(side);
    let forward = (own.once & camp).count() as i32;
    let home = (own.once & attacks::camp(side.flip())).count() as i32;
    sink.linear(side, CONTROL, forward);
    sink.linear(side, CONTROL + 1, own.once.count() as i32 - forward - home);
    sink.linear(side, CONTROL + 2, home);
    sink.linear(side, DOUBLE_CONTROL, own.twice.count() as i32);
    let Some(king) = position.king_square(side) else { return };
    sink.linear(side, KING + Place::new(king, side).half_index(), 1);
    if camp.contains(king) {
        let followers = (position.player_bb(side) & camp).count() as i32 - 1;
        sink.linear(side, ENTERED, 1);
        sink.linear(side, ENTERED_PIECES, followers);
    }
}
