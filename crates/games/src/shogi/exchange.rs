//! Piece values, and what an exchange on one square comes to.

use shogi_core::{Color, Move, Piece, PieceKind, Square};
use shunsai::{Bitboard, Position};

use super::attacks;

/// What a piece is worth on the board, in the evaluation's unit, by [`PieceKind`].
///
/// Rounded from the tuned weights; only order and rough size matter here.
const VALUES: [i32; PieceKind::NUM] = [
    70, 210, 170, 300, 330, 480, 570, 10_000, // pawn to king
    340, 335, 330, 335, 715, 855, // promoted pawn to dragon
];

/// Who captures first: whoever costs least to lose.
const CAPTURE_ORDER: [PieceKind; PieceKind::NUM] = [
    PieceKind::Pawn,
    PieceKind::Knight,
    PieceKind::ProPawn,
    PieceKind::Lance,
    PieceKind::ProKnight,
    PieceKind::ProLance,
    PieceKind::Silver,
    PieceKind::ProSilver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::ProBishop,
    PieceKind::ProRook,
    PieceKind::King,
];

#[inline]
fn value(kind: PieceKind) -> i32 {
    VALUES[kind.array_index()]
}

/// What capturing a piece is worth: it leaves the other side's board and joins our hand,
/// unpromoted.
#[inline]
pub(super) fn capture_gain(kind: PieceKind) -> i32 {
    value(kind) + value(kind.unpromote().unwrap_or(kind))
}

/// What promoting a piece is worth; 0 if it cannot.
#[inline]
pub(super) fn promotion_gain(kind: PieceKind) -> i32 {
    kind.promote().map_or(0, |promoted| value(promoted) - value(kind))
}

/// Captured piece and promotion of `mv` together.
#[inline]
pub(super) fn gain(position: &Position, mv: Move) -> i32 {
    let Move::Normal { from, to, promote } = mv else { return 0 };
    let captured = position.piece_at(to).map_or(0, |piece| capture_gain(piece.piece_kind()));
    let mover = position.piece_at(from).filter(|_| promote);
    captured + mover.map_or(0, |piece| promotion_gain(piece.piece_kind()))
}

/// The piece that stands on the target square after `mv`.
#[inline]
pub(super) fn arriving(position: &Position, mv: Move) -> Option<Piece> {
    match mv {
        Move::Drop { piece, .. } => Some(piece),
        Move::Normal { from, promote: false, .. } => position.piece_at(from),
        Move::Normal { from, promote: true, .. } => position.piece_at(from)?.promote(),
    }
}

/// Static exchange evaluation: what `mv` wins if both sides then capture on its target square
/// as long as it pays, cheapest piece first, promoting where they may. Promotion on capture
/// never loses: what it adds is all that a recapture takes back. Pins are not looked at.
pub(super) fn exchange(position: &Position, mv: Move) -> i32 {
    let first = gain(position, mv);
    let Some(piece) = arriving(position, mv) else { return first };
    let mut occupied = position.occupied() | Bitboard::single(mv.to());
    if let Move::Normal { from, .. } = mv {
        occupied ^= Bitboard::single(from);
    }
    // At most 20 pieces of each side can take part.
    let mut gains = arrayvec::ArrayVec::<i32, 40>::new();
    let mut standing = piece.piece_kind();
    let mut side = piece.color().flip();
    while let Some(capture) = next_capture(position, mv.to(), occupied, side) {
        occupied ^= Bitboard::single(capture.from);
        if gains.try_push(capture_gain(standing) + capture.promotion).is_err() {
            break;
        }
        standing = capture.arriving;
        side = side.flip();
    }
    first - gains.into_iter().rev().fold(0, |reply, gain| (gain - reply).max(0))
}

struct Capture {
    from: Square,
    promotion: i32,
    arriving: PieceKind,
}

/// `side`'s cheapest capture on `to` by the pieces still on `occupied`.
fn next_capture(
    position: &Position,
    to: Square,
    occupied: Bitboard,
    side: Color,
) -> Option<Capture> {
    let there = Bitboard::single(to);
    let standing = occupied & !there;
    let candidates =
        attacks::attackers(position, to, occupied, side, standing) & position.player_bb(side);
    if candidates.is_empty() {
        return None;
    }
    let (kind, from) = CAPTURE_ORDER.into_iter().find_map(|kind| {
        (candidates & position.piece_kind_bb(kind)).next().map(|from| (kind, from))
    })?;
    if kind == PieceKind::King {
        // The king may capture last only.
        let left = occupied ^ Bitboard::single(from);
        let guards = attacks::attackers(position, to, left, side.flip(), left & !there);
        if !(guards & position.player_bb(side.flip())).is_empty() {
            return None;
        }
    }
    let camp = attacks::camp(side);
    let promoted = kind.promote().filter(|_| camp.contains(to) || camp.contains(from));
    Some(Capture {
        from,
        promotion: promoted.map_or(0, |_| promotion_gain(kind)),
        arriving: promoted.unwrap_or(kind),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Shogi;
    use crate::{Game, Notation, Rng};

    /// The same exchange, played out on an array of squares by walking every piece's steps.
    struct Slow {
        board: [Option<Piece>; 81],
    }

    impl Slow {
        fn capture(&self, to: Square, side: Color) -> Option<(Square, Piece)> {
            let mut best: Option<(Square, Piece)> = None;
            for from in Square::all() {
                let Some(piece) = self.board[from.array_index()] else { continue };
                if piece.color() != side || !self.bears(piece, from, to) {
                    continue;
                }
                let rank = |p: Piece| CAPTURE_ORDER.iter().position(|&k| k == p.piece_kind());
                if best.is_none_or(|(_, other)| rank(piece) < rank(other)) {
                    best = Some((from, piece));
                }
            }
            best
        }

        fn bears(&self, piece: Piece, from: Square, to: Square) -> bool {
            let (steps, lines) = steps(piece.piece_kind());
            let forward = if piece.color() == Color::Black { 1 } else { -1 };
            let reach = |(file, rank): (i8, i8), far: i8| {
                for distance in 1..=far {
                    let (file, rank) = (file * distance * forward, rank * distance * forward);
                    match from.shift(file, rank) {
                        Some(square) if square == to => return true,
                        Some(square) if self.board[square.array_index()].is_none() => {}
                        _ => return false,
                    }
                }
                false
            };
            steps.iter().any(|&step| reach(step, 1)) || lines.iter().any(|&line| reach(line, 8))
        }

        fn win(&mut self, to: Square, side: Color) -> i32 {
            let Some((from, piece)) = self.capture(to, side) else { return 0 };
            let standing = self.board[to.array_index()].unwrap();
            let zone = |square: Square| square.relative_rank(side) <= 3;
            let promoted = piece.promote().filter(|_| zone(from) || zone(to));
            let bonus = if promoted.is_some() { promotion_gain(piece.piece_kind()) } else { 0 };
            self.board[from.array_index()] = None;
            self.board[to.array_index()] = Some(promoted.unwrap_or(piece));
            let king = piece.piece_kind() == PieceKind::King;
            if king && self.capture(to, side.flip()).is_some() {
                return 0;
            }
            let reply = self.win(to, side.flip());
            (capture_gain(standing.piece_kind()) + bonus - reply).max(0)
        }
    }

    type Steps = &'static [(i8, i8)];

    fn steps(kind: PieceKind) -> (Steps, Steps) {
        const GOLD: Steps = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
        const STRAIGHT: Steps = &[(0, -1), (0, 1), (-1, 0), (1, 0)];
        const SLANTED: Steps = &[(-1, -1), (1, -1), (-1, 1), (1, 1)];
        match kind {
            PieceKind::Pawn => (&[(0, -1)], &[]),
            PieceKind::Lance => (&[], &[(0, -1)]),
            PieceKind::Knight => (&[(-1, -2), (1, -2)], &[]),
            PieceKind::Silver => (&[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)], &[]),
            PieceKind::Bishop => (&[], SLANTED),
            PieceKind::Rook => (&[], STRAIGHT),
            PieceKind::ProBishop => (STRAIGHT, SLANTED),
            PieceKind::ProRook => (SLANTED, STRAIGHT),
            PieceKind::King => {
                (&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)], &[])
            }
            _ => (GOLD, &[]),
        }
    }

    fn slow_exchange(position: &Position, mv: Move) -> i32 {
        let mut slow = Slow { board: [None; 81] };
        for square in Square::all() {
            slow.board[square.array_index()] = position.piece_at(square);
        }
        let arriving = arriving(position, mv).unwrap();
        if let Some(from) = mv.from() {
            slow.board[from.array_index()] = None;
        }
        slow.board[mv.to().array_index()] = Some(arriving);
        gain(position, mv) - slow.win(mv.to(), position.side_to_move().flip())
    }

    #[test]
    fn agrees_with_playing_it_out() {
        let mut rng = Rng::new(senbon_testkit::seed());
        let mut exchanges = 0;
        let mut long = 0;
        for _ in 0..40 {
            let mut game = Shogi::start();
            for _ in 0..200 {
                let moves = game.moves();
                let Some(&mv) = rng.pick(moves.as_slice()) else { break };
                for &mv in moves.as_slice() {
                    let (fast, slow) =
                        (exchange(game.position(), mv), slow_exchange(game.position(), mv));
                    assert_eq!(fast, slow, "{} in {game:?}", game.format_move(mv));
                    exchanges += 1;
                    long += usize::from(fast != gain(game.position(), mv));
                }
                game.play(mv);
            }
        }
        assert!(exchanges > 100_000 && long > 10_000, "{exchanges} exchanges, {long} answered");
    }

    #[track_caller]
    fn check(sfen: &str, mv: &str, expected: i32) {
        let game = Shogi::parse_position(sfen).unwrap();
        let mv = game.parse_move(mv).unwrap();
        assert_eq!(exchange(game.position(), mv), expected);
    }

    #[test]
    fn undefended_piece_is_won_twice() {
        // It leaves the other side and joins ours.
        check("4k4/9/9/9/4s4/9/9/4R4/4K4 b - 1", "5h5e", 600);
    }

    #[test]
    fn recapture_is_counted() {
        // Rook takes a defended pawn: two pawns for two rooks.
        check("4k4/9/4l4/9/4p4/9/9/4R4/4K4 b - 1", "5h5e", 140 - 1_140);
    }

    #[test]
    fn lances_behind_one_another_join_in() {
        // Pawn takes pawn, lance retakes, lance behind takes the lance.
        check("4k4/9/4l4/4p4/4P4/9/9/4L4/4K4 b - 1", "5e5d", 140);
        // Without the lance behind, the pawn is lost for the pawn.
        check("4k4/9/4l4/4p4/4P4/9/9/9/4K4 b - 1", "5e5d", 0);
    }

    #[test]
    fn promotion_is_won_and_lost() {
        check("4k4/9/9/2P6/9/9/9/9/4K4 b - 1", "7d7c+", 270);
        // A tokin that is taken gives only a pawn.
        check("4k4/2g6/9/2P6/9/9/9/9/4K4 b - 1", "7d7c+", 270 - 410);
    }

    #[test]
    fn king_takes_only_what_is_not_guarded() {
        check("4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", -660);
        check("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", 0);
    }
}
