//! Positions as text: SFEN, checked by the rules.

use std::fmt::Write;

use shogi_core::{Color, Hand, PartialPosition, Piece, PieceKind, Square, ToUsi};
use shunsai::{Bitboard, Position};

use super::{Shogi, attacks};
use crate::{Game, Notation, NotationError};

/// How many pieces of each unpromoted kind a set has, by [`PieceKind`]; kings are counted
/// for each colour.
const SET: [u8; 8] = [18, 4, 4, 4, 4, 2, 2, 1];

/// Reads a position as USI gives it: an SFEN, with or without the word `sfen` before it, or
/// `startpos`; then, if the word `moves` follows, the moves from there.
pub(super) fn parse(text: &str) -> Result<Shogi, NotationError> {
    let mut reader = Reader { text, at: 0 };
    let first = reader.word();
    let mut game = match first.text {
        "startpos" => Shogi::from_parts(Position::startpos(), 1),
        "sfen" => {
            let board = reader.word();
            parse_setup(board, &mut reader)?
        }
        _ => parse_setup(first, &mut reader)?,
    };
    let next = reader.word();
    match next.text {
        "" => Ok(game),
        "moves" => play_moves(&mut game, &mut reader).map(|()| game),
        other => {
            let what = format!("unexpected {other:?} after the position");
            Err(NotationError::new(next.at, what))
        }
    }
}

/// Reads the four fields of an SFEN, the board being read already.
fn parse_setup(board: Word<'_>, reader: &mut Reader<'_>) -> Result<Shogi, NotationError> {
    let mut setup = Setup::default();
    setup.read_board(board)?;
    let side = reader.word();
    setup.read_side(side)?;
    setup.read_hands(reader.word())?;
    let ply = read_ply(reader)?;
    let position = Position::new(setup.position.clone());
    setup.check_kings(&position, side)?;
    Ok(Shogi::from_parts(position, ply))
}

fn play_moves(game: &mut Shogi, reader: &mut Reader<'_>) -> Result<(), NotationError> {
    loop {
        let word = reader.word();
        if word.text.is_empty() {
            return Ok(());
        }
        let mv = game.parse_move(word.text);
        let mv = mv.map_err(|error| NotationError::new(word.at + error.at, error.what))?;
        game.play(mv);
    }
}

/// Writes the position as SFEN.
pub(super) fn format(game: &Shogi) -> String {
    let position = game.position();
    let mut text = String::new();
    for rank in 1..=9 {
        let mut empty = 0;
        for file in (1..=9).rev() {
            let square = Square::new(file, rank).expect("files and ranks run from 1 to 9");
            match position.piece_at(square) {
                None => empty += 1,
                Some(piece) => {
                    push_count(&mut text, empty, 1);
                    empty = 0;
                    text.push_str(&piece.to_usi_owned());
                }
            }
        }
        push_count(&mut text, empty, 1);
        text.push(if rank < 9 { '/' } else { ' ' });
    }
    text.push_str(&position.side_to_move().to_usi_owned());
    text.push(' ');
    push_hands(&mut text, position);
    let _ = write!(text, " {}", game.ply());
    text
}

/// Writes a number unless it is below `least`.
fn push_count(text: &mut String, count: u8, least: u8) {
    if count >= least {
        let _ = write!(text, "{count}");
    }
}

fn push_hands(text: &mut String, position: &Position) {
    let start = text.len();
    for color in Color::all() {
        for kind in HAND_ORDER {
            let count = position.hand(color).count(kind).unwrap_or(0);
            if count > 0 {
                push_count(text, count, 2);
                text.push_str(&Piece::new(kind, color).to_usi_owned());
            }
        }
    }
    if text.len() == start {
        text.push('-');
    }
}

/// The customary order of pieces in hand.
const HAND_ORDER: [PieceKind; 7] = [
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Gold,
    PieceKind::Silver,
    PieceKind::Knight,
    PieceKind::Lance,
    PieceKind::Pawn,
];

/// The piece kind of a USI letter, in either case.
pub(super) fn kind_of(letter: char) -> Option<PieceKind> {
    Some(match letter.to_ascii_uppercase() {
        'P' => PieceKind::Pawn,
        'L' => PieceKind::Lance,
        'N' => PieceKind::Knight,
        'S' => PieceKind::Silver,
        'G' => PieceKind::Gold,
        'B' => PieceKind::Bishop,
        'R' => PieceKind::Rook,
        'K' => PieceKind::King,
        _ => return None,
    })
}

/// The English name of a piece kind.
pub(super) fn name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Lance => "lance",
        PieceKind::Knight => "knight",
        PieceKind::Silver => "silver",
        PieceKind::Gold => "gold",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        PieceKind::King => "king",
        PieceKind::ProPawn => "promoted pawn",
        PieceKind::ProLance => "promoted lance",
        PieceKind::ProKnight => "promoted knight",
        PieceKind::ProSilver => "promoted silver",
        PieceKind::ProBishop => "horse",
        PieceKind::ProRook => "dragon",
    }
}

/// Whether a piece could never move again from this square.
pub(super) fn is_dead_end(piece: Piece, square: Square) -> bool {
    attacks::attacks(piece, square, Bitboard::EMPTY).is_empty()
}

/// A word of the text and where it starts.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    at: usize,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// The next word; empty at the end.
    fn word(&mut self) -> Word<'a> {
        let rest = &self.text[self.at..];
        let at = self.at + (rest.len() - rest.trim_start().len());
        let rest = &self.text[at..];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = at + length;
        Word { text: &rest[..length], at }
    }
}

/// A position being read.
struct Setup {
    position: PartialPosition,
    /// Pieces so far by kind; kings by colour.
    counts: [u8; 7],
    /// Where in the text each king stands.
    kings: [Option<usize>; 2],
}

impl Default for Setup {
    fn default() -> Self {
        Setup { position: PartialPosition::empty(), counts: [0; 7], kings: [None; 2] }
    }
}

impl Setup {
    fn read_board(&mut self, word: Word<'_>) -> Result<(), NotationError> {
        if word.text.is_empty() {
            return Err(NotationError::new(word.at, "the board is missing"));
        }
        let (mut file, mut rank) = (9_u8, 1_u8);
        let mut promoted = false;
        for (offset, letter) in word.text.char_indices() {
            let at = word.at + offset;
            if promoted && kind_of(letter).is_none() {
                return Err(NotationError::new(at, "a piece letter must follow the plus sign"));
            }
            match letter {
                '/' => {
                    row_is_full(file, rank, at)?;
                    if rank == 9 {
                        return Err(NotationError::new(at, "the board has more than nine rows"));
                    }
                    (file, rank) = (9, rank + 1);
                }
                '1'..='9' => {
                    let empty = letter as u8 - b'0';
                    file = file.checked_sub(empty).ok_or_else(|| row_is_long(rank, at))?;
                }
                '+' => promoted = true,
                _ => {
                    let at = if promoted { at - 1 } else { at };
                    let square = Square::new(file, rank).ok_or_else(|| row_is_long(rank, at))?;
                    let piece = board_piece(letter, promoted, at)?;
                    self.put(piece, square, at)?;
                    promoted = false;
                    file -= 1;
                }
            }
        }
        let end = word.at + word.text.len();
        if promoted {
            return Err(NotationError::new(end, "a piece letter must follow the plus sign"));
        }
        row_is_full(file, rank, end)?;
        if rank < 9 {
            return Err(NotationError::new(end, format!("the board has {rank} rows, not nine")));
        }
        Ok(())
    }

    fn put(&mut self, piece: Piece, square: Square, at: usize) -> Result<(), NotationError> {
        let (kind, color) = piece.to_parts();
        self.count(kind, color, 1, at)?;
        if is_dead_end(piece, square) {
            let what = format!("a {} here could never move", name(kind));
            return Err(NotationError::new(at, what));
        }
        let same = |rank| Square::new(square.file(), rank).and_then(|s| self.position.piece_at(s));
        if kind == PieceKind::Pawn && (1..square.rank()).any(|rank| same(rank) == Some(piece)) {
            let what = "a second unpromoted pawn of one side on the same file";
            return Err(NotationError::new(at, what));
        }
        self.position.piece_set(square, Some(piece));
        Ok(())
    }

    /// Counts pieces and checks that a set has so many.
    fn count(
        &mut self,
        kind: PieceKind,
        color: Color,
        more: u8,
        at: usize,
    ) -> Result<(), NotationError> {
        if kind == PieceKind::King {
            return match self.kings[color.array_index()].replace(at) {
                None => Ok(()),
                Some(_) => Err(NotationError::new(at, "a second king of one side")),
            };
        }
        let kind = kind.unpromote().unwrap_or(kind);
        let index = kind.array_index();
        self.counts[index] = self.counts[index].saturating_add(more);
        if self.counts[index] > SET[index] {
            let what = format!("more than {} {}s, promoted ones included", SET[index], name(kind));
            return Err(NotationError::new(at, what));
        }
        Ok(())
    }

    fn read_side(&mut self, word: Word<'_>) -> Result<(), NotationError> {
        let side = match word.text {
            "b" => Color::Black,
            "w" => Color::White,
            "" => return Err(NotationError::new(word.at, "the side to move (b or w) is missing")),
            other => {
                let what = format!("the side to move is b or w, not {other:?}");
                return Err(NotationError::new(word.at, what));
            }
        };
        self.position.side_to_move_set(side);
        Ok(())
    }

    fn read_hands(&mut self, word: Word<'_>) -> Result<(), NotationError> {
        match word.text {
            "-" => return Ok(()),
            "" => return Err(NotationError::new(word.at, "the pieces in hand (or -) are missing")),
            _ => {}
        }
        let mut number: Option<(u8, usize)> = None;
        for (offset, letter) in word.text.char_indices() {
            let at = word.at + offset;
            if let Some(digit) = letter.to_digit(10) {
                let so_far = number.map_or(0, |(so_far, _)| so_far);
                let count = so_far.saturating_mul(10).saturating_add(digit as u8);
                if count == 0 {
                    return Err(NotationError::new(at, "a number of pieces starts with zero"));
                }
                number = Some((count, number.map_or(at, |(_, start)| start)));
                continue;
            }
            let kind =
                kind_of(letter).filter(|&kind| Hand::is_hand_piece(kind)).ok_or_else(|| {
                    NotationError::new(at, format!("{letter:?} is no piece that can be in hand"))
                })?;
            let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
            let (count, start) = number.take().unwrap_or((1, at));
            self.count(kind, color, count, start)?;
            let hand = self.position.hand_of_a_player_mut(color);
            for _ in 0..count {
                *hand = hand.added(kind).unwrap_or(*hand);
            }
        }
        match number {
            None => Ok(()),
            Some((_, at)) => {
                Err(NotationError::new(at, "a piece letter must follow the number of pieces"))
            }
        }
    }

    /// There is a king, and the side that has just moved has not left its own in check.
    fn check_kings(&self, position: &Position, side: Word<'_>) -> Result<(), NotationError> {
        if self.kings == [None; 2] {
            return Err(NotationError::new(0, "neither side has a king"));
        }
        let them = position.side_to_move().flip();
        let Some(king) = position.king_square(them) else { return Ok(()) };
        let us = position.player_bb(them.flip());
        if attacks::attackers(position, king, position.occupied(), them.flip(), us).is_empty() {
            return Ok(());
        }
        let what = "the side to move could capture the king: it must be the other side's move";
        Err(NotationError::new(side.at, what))
    }
}

fn board_piece(letter: char, promoted: bool, at: usize) -> Result<Piece, NotationError> {
    let kind = kind_of(letter)
        .ok_or_else(|| NotationError::new(at, format!("{letter:?} is no piece letter")))?;
    let kind = match promoted {
        false => kind,
        true => kind.promote().ok_or_else(|| {
            NotationError::new(at, format!("a {} cannot be promoted", name(kind)))
        })?,
    };
    let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
    Ok(Piece::new(kind, color))
}

/// `file` counts down to 0 as a row fills.
fn row_is_full(file: u8, rank: u8, at: usize) -> Result<(), NotationError> {
    if file == 0 {
        return Ok(());
    }
    Err(NotationError::new(at, format!("row {rank} has {} squares, not nine", 9 - file)))
}

fn row_is_long(rank: u8, at: usize) -> NotationError {
    NotationError::new(at, format!("row {rank} has more than nine squares"))
}

/// The move number, which may be left out.
fn read_ply(reader: &mut Reader<'_>) -> Result<u16, NotationError> {
    let before = reader.at;
    let word = reader.word();
    if word.text.is_empty() || word.text == "moves" {
        reader.at = before;
        return Ok(1);
    }
    let ply = word.text.parse().ok().filter(|&ply| ply > 0);
    ply.ok_or_else(|| {
        let what = format!("the move number is 1 to {}, not {:?}", u16::MAX, word.text);
        NotationError::new(word.at, what)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, at: usize, what: &str) {
        let error = Shogi::parse_position(text).unwrap_err();
        assert!(error.what.contains(what), "{error}");
        assert_eq!(error.at, at, "{error} in {text}");
    }

    #[test]
    fn reads_what_it_writes() {
        for text in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
            "4k4/9/9/9/9/9/9/9/9 b 16P 65535",
        ] {
            assert_eq!(Shogi::parse_position(text).unwrap().format_position(), text);
        }
        assert_eq!(Shogi::parse_position("startpos"), Ok(Shogi::start()));
        let bare = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
        assert_eq!(Shogi::parse_position(bare), Ok(Shogi::start()));
        for start in ["startpos", bare] {
            let mut game = Shogi::start();
            game.play(game.parse_move("7g7f").unwrap());
            assert_eq!(Shogi::parse_position(&format!("{start} moves")), Ok(Shogi::start()));
            assert_eq!(Shogi::parse_position(&format!("{start} moves 7g7f")), Ok(game));
        }
    }

    #[test]
    fn says_where_the_board_is_wrong() {
        refused("", 0, "missing");
        refused("4k4/9/9/9/9/9/9/9/4K3 b - 1", 21, "row 9 has 8 squares");
        refused("4k4/9/9/9/9/9/9/9 b - 1", 17, "8 rows");
        refused("4k4/9/9/9/9/9/9/9/9/9 b - 1", 19, "more than nine rows");
        refused("4k5/9/9/9/9/9/9/9/4K4 b - 1", 2, "more than nine squares");
        refused("4k4P/9/9/9/9/9/9/9/4K4 b - 1", 3, "more than nine squares");
        refused("4x4/9/9/9/9/9/9/9/4K4 b - 1", 1, "no piece letter");
        refused("4k4/+G8/9/9/9/9/9/9/4K4 b - 1", 4, "cannot be promoted");
        refused("4k4/+/9/9/9/9/9/9/4K4 b - 1", 5, "must follow the plus");
        refused("4k4/9/9/9/9/9/9/9/4K3+ b - 1", 22, "must follow the plus");
        refused("4k4/9/9/9/９/9/9/9/4K4 b - 1", 10, "no piece letter");
    }

    #[test]
    fn says_where_the_rest_is_wrong() {
        refused("4k4/9/9/9/9/9/9/9/4K4", 21, "side to move (b or w) is missing");
        refused("4k4/9/9/9/9/9/9/9/4K4 x - 1", 22, "b or w");
        refused("4k4/9/9/9/9/9/9/9/4K4 b", 23, "in hand");
        refused("4k4/9/9/9/9/9/9/9/4K4 b 2 1", 24, "must follow the number");
        refused("4k4/9/9/9/9/9/9/9/4K4 b 0P 1", 24, "starts with zero");
        refused("4k4/9/9/9/9/9/9/9/4K4 b K 1", 24, "can be in hand");
        refused("4k4/9/9/9/9/9/9/9/4K4 b - 0", 26, "move number");
        refused("4k4/9/9/9/9/9/9/9/4K4 b - 1 more", 28, "unexpected");
        refused("startpos 1", 9, "unexpected");
        refused("startpos moves 7g7f 7g7f", 20, "no piece on 7g");
        refused("startpos moves 7g7f 3c3x", 23, "rank");
    }

    #[test]
    fn holds_positions_to_the_rules() {
        refused("4k4/9/9/9/9/9/9/9/4K4 b 10P9p 1", 27, "more than 18 pawns");
        refused("4k4/9/9/9/+R8/9/9/9/4K4 b R2r 1", 27, "more than 2 rooks");
        refused("4k4/4k4/9/9/9/9/9/9/4K4 w - 1", 5, "second king");
        refused("9/9/9/9/9/9/9/9/9 b - 1", 0, "neither side has a king");
        refused("4k3P/9/9/9/9/9/9/9/4K4 b - 1", 3, "pawn here could never move");
        refused("4k4/8L/9/9/9/9/9/9/l3K4 b - 1", 19, "lance here could never move");
        refused("4k4/8N/9/9/9/9/9/9/4K4 b - 1", 5, "knight here could never move");
        refused("4k4/9/9/8P/9/8P/9/9/4K4 b - 1", 14, "second unpromoted pawn");
        refused("4k4/9/9/9/4R4/9/9/9/4K4 b - 1", 24, "capture the king");
        refused("9/9/9/9/4k4/4K4/9/9/9 w - 1", 22, "capture the king");
        // A promoted pawn is no second pawn, and the other side's does not count.
        for fine in ["4k4/9/9/8p/9/8P/9/9/4K4 b - 1", "4k4/9/9/8+P/9/8P/9/9/4K4 b - 1"] {
            assert!(Shogi::parse_position(fine).is_ok());
        }
    }
}
