//! FEN, X-FEN and Shredder-FEN, in and out.
//!
//! All three differ only in how castling rights are written. Reading tells them apart by
//! itself: a file letter, or a right that needs another king or rook file than the usual
//! ones, makes the position a Chess960 position.

use std::fmt::Write;

use cozy_chess::{
    Board, BoardBuilder, BoardBuilderError, CastleRights, Color, File, Piece, Rank, Square,
};

use super::{Chess, FIFTY_MOVES_PLIES};
use crate::NotationError;

/// A part of the text and where it begins.
type Field<'a> = (usize, &'a str);

/// Splits at white space, keeping the offsets.
pub(super) fn fields(text: &str) -> impl Iterator<Item = Field<'_>> {
    text.split_ascii_whitespace()
        .map(|field| (field.as_ptr() as usize - text.as_ptr() as usize, field))
}

/// Reads a position. The two clocks may be missing, as in EPD.
pub(super) fn parse(text: &str) -> Result<Chess, NotationError> {
    let mut fields = fields(text);
    let mut next = |what: &str| {
        let missing = || NotationError::new(text.len(), format!("the FEN ends before {what}"));
        fields.next().ok_or_else(missing)
    };
    let mut builder = BoardBuilder::empty();
    let placement = next("the board")?;
    parse_placement(placement, &mut builder)?;
    check_material(placement, &builder)?;
    parse_side(next("the side to move (w or b)")?, &mut builder)?;
    let castling = next("the castling rights (such as KQkq, or -)")?;
    let chess960 = parse_castling(castling, &mut builder)?;
    let en_passant = next("the en-passant square (such as e3, or -)")?;
    parse_en_passant(en_passant, &mut builder)?;
    if let Some(field) = fields.next() {
        let plies = parse_number(field, "the number of plies since a capture or pawn move")?;
        builder.halfmove_clock = plies.min(u16::from(FIFTY_MOVES_PLIES)) as u8;
    }
    if let Some(field) = fields.next() {
        builder.fullmove_number = parse_number(field, "the move number")?.max(1);
    }
    if let Some((at, extra)) = fields.next() {
        return Err(NotationError::new(
            at,
            format!("nothing may follow the FEN, but {extra} does"),
        ));
    }
    let board = build(&builder, placement.0, castling.0, en_passant.0)?;
    let chess = Chess::from_board(board, chess960);
    Ok(without_idle_en_passant(chess, builder))
}

fn parse_placement((at, text): Field, builder: &mut BoardBuilder) -> Result<(), NotationError> {
    let (mut rank, mut file) = (7, 0);
    for (i, c) in text.char_indices() {
        let err = |what: String| Err(NotationError::new(at + i, what));
        match c {
            '/' if file != 8 => return err(format!("rank {} has {file} squares, not 8", rank + 1)),
            '/' if rank == 0 => return err("the board has more than 8 ranks".into()),
            '/' => (rank, file) = (rank - 1, 0),
            '1'..='8' => file += c as usize - '0' as usize,
            _ => {
                let Ok(piece) = Piece::try_from(c.to_ascii_lowercase()) else {
                    return err(format!("{c} is neither a piece, a digit from 1 to 8, nor /"));
                };
                let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
                if let Some(file) = File::try_index(file) {
                    *builder.square_mut(Square::new(file, Rank::index(rank))) =
                        Some((piece, color));
                }
                file += 1;
            }
        }
        if file > 8 {
            return err(format!("rank {} has more than 8 squares", rank + 1));
        }
    }
    if (rank, file) != (0, 8) {
        let what = format!("the board ends on rank {} after {file} squares", rank + 1);
        return Err(NotationError::new(at + text.len(), what));
    }
    Ok(())
}

/// Each side has one king, and no more pieces than a game can give it.
fn check_material((at, _): Field, builder: &BoardBuilder) -> Result<(), NotationError> {
    let err = |what: String| Err(NotationError::new(at, what));
    for color in Color::ALL {
        let name = name(color);
        let count = |piece| builder.board.iter().filter(|&&on| on == Some((piece, color))).count();
        let kings = count(Piece::King);
        if kings != 1 {
            return err(format!("{name} has {kings} kings, not one"));
        }
        let pawns = count(Piece::Pawn);
        let promoted: usize =
            [(Piece::Knight, 2), (Piece::Bishop, 2), (Piece::Rook, 2), (Piece::Queen, 1)]
                .into_iter()
                .map(|(piece, at_start)| count(piece).saturating_sub(at_start))
                .sum();
        if pawns + promoted > 8 {
            return err(format!(
                "{name} has {pawns} pawns and {promoted} promoted pieces, together more than 8"
            ));
        }
        let ends = Rank::First.bitboard() | Rank::Eighth.bitboard();
        if let Some(square) =
            ends.into_iter().find(|&sq| builder.square(sq) == Some((Piece::Pawn, color)))
        {
            return err(format!("{name} has a pawn on {square}"));
        }
    }
    Ok(())
}

fn parse_side((at, text): Field, builder: &mut BoardBuilder) -> Result<(), NotationError> {
    builder.side_to_move = match text {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(NotationError::new(at, format!("the side to move is w or b, not {text}"))),
    };
    Ok(())
}

/// Reads the castling rights; says whether they are those of Chess960.
fn parse_castling((at, text): Field, builder: &mut BoardBuilder) -> Result<bool, NotationError> {
    if text == "-" {
        return Ok(false);
    }
    let mut chess960 = false;
    for (i, c) in text.char_indices() {
        let err = |what: String| Err(NotationError::new(at + i, what));
        let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
        let back_rank = Rank::First.relative_to(color);
        let name = name(color);
        let Some(king) = king_file_on(builder, back_rank, color) else {
            return err(format!("{name} may not castle: the king is not on the back rank"));
        };
        let is_rook =
            |file: File| builder.square(Square::new(file, back_rank)) == Some((Piece::Rook, color));
        // In X-FEN, K and Q mean the outermost rook on that side of the king.
        let rook = match c.to_ascii_lowercase() {
            'k' => File::ALL.into_iter().rev().find(|&f| f > king && is_rook(f)),
            'q' => File::ALL.into_iter().find(|&f| f < king && is_rook(f)),
            letter @ 'a'..='h' => {
                chess960 = true;
                File::try_from(letter).ok().filter(|&f| f != king && is_rook(f))
            }
            _ => {
                return err(format!("{c} is no castling right; they are KQkq, files, or -"));
            }
        };
        let Some(rook) = rook else {
            return err(format!("{name} has no rook to castle with for {c}"));
        };
        let CastleRights { short, long } = builder.castle_rights_mut(color);
        let right = if rook > king { short } else { long };
        if right.replace(rook).is_some() {
            return err(format!("{c} gives {name} the same castling right again"));
        }
    }
    Ok(chess960)
}

fn king_file_on(builder: &BoardBuilder, rank: Rank, color: Color) -> Option<File> {
    File::ALL
        .into_iter()
        .find(|&file| builder.square(Square::new(file, rank)) == Some((Piece::King, color)))
}

fn parse_en_passant((at, text): Field, builder: &mut BoardBuilder) -> Result<(), NotationError> {
    if text == "-" {
        return Ok(());
    }
    let rank = Rank::Sixth.relative_to(builder.side_to_move);
    match text.parse::<Square>() {
        Ok(square) if square.rank() == rank => builder.en_passant = Some(square),
        _ => {
            let rank = rank as usize + 1;
            let what = format!("{text} is no en-passant square; it is on rank {rank} here, or -");
            return Err(NotationError::new(at, what));
        }
    }
    Ok(())
}

fn parse_number((at, text): Field, what: &str) -> Result<u16, NotationError> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| NotationError::new(at, format!("{text} is not {what}, from 0 to 65535")))
}

/// The board, or what the rules crate still finds wrong with it.
fn build(
    builder: &BoardBuilder,
    placement: usize,
    castling: usize,
    en_passant: usize,
) -> Result<Board, NotationError> {
    use BoardBuilderError::*;
    let mover = name(builder.side_to_move);
    let board = builder.build().map_err(|error| match error {
        InvalidBoard => {
            NotationError::new(placement, format!("{mover} is to move and could take the king"))
        }
        InvalidCastlingRights => NotationError::new(castling, "these castling rights cannot be"),
        InvalidEnPassant => {
            NotationError::new(en_passant, "no pawn can just have made a double step over there")
        }
        InvalidHalfMoveClock | InvalidFullmoveNumber => NotationError::new(0, error.to_string()),
    })?;
    match board.checkers().len() {
        0..=2 => Ok(board),
        n => Err(NotationError::new(placement, format!("{n} pieces give check at once"))),
    }
}

/// Forgets a double step that no legal move can answer en passant: the position is the same
/// without it.
fn without_idle_en_passant(chess: Chess, mut builder: BoardBuilder) -> Chess {
    if chess.board.en_passant().is_none() || chess.en_passant_target().is_some() {
        return chess;
    }
    builder.en_passant = None;
    match builder.build() {
        Ok(board) => Chess { board, ..chess },
        Err(_) => chess,
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Writes the position as FEN, or as Shredder-FEN in Chess960. The en-passant square is
/// written only if a legal move can use it, so that equal positions have equal texts.
pub(super) fn format(chess: &Chess) -> String {
    let board = &chess.board;
    let mut text = String::with_capacity(80);
    for rank in Rank::ALL.into_iter().rev() {
        format_rank(board, rank, &mut text);
        text.push(if rank == Rank::First { ' ' } else { '/' });
    }
    text.push_str(if board.side_to_move() == Color::White { "w " } else { "b " });
    format_castling(chess, &mut text);
    let en_passant = chess.en_passant_target().map_or("-".to_owned(), |square| square.to_string());
    let (plies, number) = (board.halfmove_clock(), board.fullmove_number());
    // Writing to a string cannot fail.
    let _ = write!(text, " {en_passant} {plies} {number}");
    text
}

fn format_rank(board: &Board, rank: Rank, text: &mut String) {
    let mut empty = 0;
    let close_gap = |text: &mut String, empty: &mut u8| {
        if *empty > 0 {
            text.push((b'0' + *empty) as char);
        }
        *empty = 0;
    };
    for file in File::ALL {
        let square = Square::new(file, rank);
        match (board.piece_on(square), board.color_on(square)) {
            (Some(piece), Some(color)) => {
                close_gap(text, &mut empty);
                text.push(cased(piece.into(), color));
            }
            _ => empty += 1,
        }
    }
    close_gap(text, &mut empty);
}

fn format_castling(chess: &Chess, text: &mut String) {
    let start = text.len();
    for color in Color::ALL {
        let &CastleRights { short, long } = chess.board.castle_rights(color);
        for (right, usual) in [(short, 'k'), (long, 'q')] {
            if let Some(file) = right {
                text.push(cased(if chess.chess960 { file.into() } else { usual }, color));
            }
        }
    }
    if text.len() == start {
        text.push('-');
    }
}

/// Capitals are White's.
pub(super) fn cased(letter: char, color: Color) -> char {
    match color {
        Color::White => letter.to_ascii_uppercase(),
        Color::Black => letter,
    }
}
