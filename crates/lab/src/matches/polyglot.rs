//! Opening books in Polyglot's format: 16 bytes an entry, sorted by a key of the position.

use std::collections::BTreeSet;

use senbon_core::Place;
use senbon_games::chess::Chess;
use senbon_games::{Notation, Rng};

use super::opening::Opening;
use super::polyglot_keys::KEYS;

/// So many lines that were drawn before, one after the other, and the book has no more.
const MOST_VAIN: usize = 10_000;

/// A book of weighted moves.
#[derive(Clone, Debug)]
pub struct Book {
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    mv: u16,
    weight: u16,
}

/// Why a file is no book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// The size is wrong.
    #[error("a Polyglot book has 16 bytes an entry; {0} bytes are no whole number of entries")]
    Size(usize),
    /// The start position is not in it.
    #[error("the book does not know the start position")]
    Strange,
}

impl Book {
    /// Reads a book.
    pub fn read(bytes: &[u8]) -> Result<Self, BookError> {
        let (entries, rest) = bytes.as_chunks::<16>();
        if !rest.is_empty() || entries.is_empty() {
            return Err(BookError::Size(bytes.len()));
        }
        let number = |bytes: &[u8]| bytes.iter().fold(0, |sum, &b| sum << 8 | u64::from(b));
        let entry = |bytes: &[u8; 16]| Entry {
            key: number(&bytes[..8]),
            mv: number(&bytes[8..10]) as u16,
            weight: number(&bytes[10..12]) as u16,
        };
        let mut book = Book { entries: entries.iter().map(entry).collect() };
        // The format says that it is sorted; a search by halves relies on it.
        book.entries.sort_by_key(|entry| entry.key);
        match book.moves(&Chess::start()).is_empty() {
            true => Err(BookError::Strange),
            false => Ok(book),
        }
    }

    /// The moves of a position with their weights.
    pub fn moves(&self, position: &Chess) -> Vec<(String, u16)> {
        let key = key(position);
        let first = self.entries.partition_point(|entry| entry.key < key);
        let here = self.entries[first..].iter().take_while(|entry| entry.key == key);
        here.map(|entry| (move_text(position, entry.mv), entry.weight)).collect()
    }

    /// So many lines that end in different positions, or all that are found: from the same
    /// opening players who repeat themselves would only play the same game again.
    pub(super) fn different_lines(
        &self,
        count: usize,
        plies: usize,
        rng: &mut Rng,
    ) -> Vec<Opening<Chess>> {
        let mut seen = BTreeSet::new();
        let mut lines = Vec::new();
        let mut vain = 0;
        while lines.len() < count && vain < MOST_VAIN {
            let line = self.walk(plies, rng);
            vain += 1;
            if seen.insert(line.position().format_position()) {
                lines.push(line);
                vain = 0;
            }
        }
        lines
    }

    /// A line of up to `plies` plies, its moves drawn by their weights.
    fn walk(&self, plies: usize, rng: &mut Rng) -> Opening<Chess> {
        let mut place = Place::new(Chess::start());
        for _ in 0..plies {
            let moves = self.moves(place.position());
            let total: usize = moves.iter().map(|&(_, weight)| usize::from(weight)).sum();
            if total == 0 {
                break;
            }
            let mut drawn = rng.below(total);
            let chosen = moves.iter().find(|&&(_, weight)| {
                let here = drawn < usize::from(weight);
                drawn = drawn.saturating_sub(usize::from(weight));
                here
            });
            // A move that does not fit comes of a key that two positions share.
            let Some(Ok(mv)) = chosen.map(|(text, _)| place.position().parse_move(text)) else {
                break;
            };
            place.play(mv);
        }
        place
    }
}

/// Three bits each: to file, to row, from file, from row, promotion. Castling is written as
/// the king taking its rook.
fn move_text(position: &Chess, mv: u16) -> String {
    let square = |bits: u16| {
        let file = char::from(b'a' + (bits & 7) as u8);
        let row = char::from(b'1' + (bits >> 3 & 7) as u8);
        format!("{file}{row}")
    };
    let (from, to) = (square(mv >> 6), square(mv));
    let text = match (mv >> 12 & 7) as usize {
        0 => format!("{from}{to}"),
        piece => format!("{from}{to}{}", ["", "n", "b", "r", "q"].get(piece).unwrap_or(&"")),
    };
    let usual = match text.as_str() {
        "e1h1" => "e1g1",
        "e1a1" => "e1c1",
        "e8h8" => "e8g8",
        "e8a8" => "e8c8",
        other => other,
    };
    // Only a king that may castle reads the usual form as castling.
    let fen = position.format_position();
    let castles = usual != text && is_king(&fen, &from);
    if castles { usual.to_owned() } else { text }
}

fn is_king(fen: &str, square: &str) -> bool {
    piece_at(fen, square).is_some_and(|piece| piece.eq_ignore_ascii_case(&'k'))
}

fn piece_at(fen: &str, square: &str) -> Option<char> {
    let [file, row] = square.as_bytes() else { return None };
    pieces(fen)
        .find(|&(_, f, r)| f == usize::from(file - b'a') && r == usize::from(row - b'1'))
        .map(|(piece, ..)| piece)
}

/// Pieces of a FEN with file and row, from 0.
fn pieces(fen: &str) -> impl Iterator<Item = (char, usize, usize)> + '_ {
    let board = fen.split_whitespace().next().unwrap_or_default();
    board.split('/').enumerate().flat_map(|(from_top, row)| {
        let mut file = 0;
        row.chars().filter_map(move |c| match c.to_digit(10) {
            Some(empty) => {
                file += empty as usize;
                None
            }
            None => {
                file += 1;
                Some((c, file - 1, 7 - from_top.min(7)))
            }
        })
    })
}

/// The key that Polyglot gives a position: one number for each piece on its square, each
/// right to castle, the file of an en-passant capture, and White to move.
pub(super) fn key(position: &Chess) -> u64 {
    let fen = position.format_position();
    let mut fields = fen.split_whitespace().skip(1);
    let (turn, castling, passing) =
        (fields.next().unwrap_or("w"), fields.next().unwrap_or("-"), fields.next().unwrap_or("-"));
    let mut key = 0;
    for (piece, file, row) in pieces(&fen) {
        // Black before White, pawns to kings.
        if let Some(kind) = "pPnNbBrRqQkK".find(piece) {
            key ^= KEYS[64 * kind + 8 * row + file];
        }
    }
    for right in castling.chars() {
        if let Some(index) = "KQkq".find(right) {
            key ^= KEYS[768 + index];
        }
    }
    if let Some(file) = passing_file(&fen, turn, passing) {
        key ^= KEYS[772 + file];
    }
    if turn == "w" {
        key ^= KEYS[780];
    }
    key
}

/// The file of the en-passant square, which counts only if a pawn stands ready to capture.
fn passing_file(fen: &str, turn: &str, passing: &str) -> Option<usize> {
    let file = usize::from(passing.bytes().next()?.checked_sub(b'a')?);
    let (pawn, row) = if turn == "w" { ('P', 4) } else { ('p', 3) };
    let ready = pieces(fen).any(|(piece, f, r)| piece == pawn && r == row && f.abs_diff(file) == 1);
    ready.then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test values published with the format.
    #[test]
    fn keys_are_those_of_the_format() {
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            let mut position = Chess::start();
            for text in moves.split_whitespace() {
                let mv = position.parse_move(text).unwrap();
                senbon_games::Game::play(&mut position, mv);
            }
            assert_eq!(key(&position), expected, "after {moves:?}");
        }
    }

    fn entry(position: &Chess, mv: u16, weight: u16) -> Vec<u8> {
        let mut bytes = key(position).to_be_bytes().to_vec();
        bytes.extend(mv.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
        bytes
    }

    #[test]
    fn a_book_is_walked() {
        let start = Chess::start();
        // e2e4: from e2 (file 4, row 1) to e4 (file 4, row 3).
        let e4 = (1 << 9) | (4 << 6) | (3 << 3) | 4;
        let book = Book::read(&entry(&start, e4, 7)).unwrap();
        assert_eq!(book.moves(&start), [("e2e4".to_owned(), 7)]);
        let walk = book.walk(10, &mut Rng::new(1));
        assert_eq!(walk.moves().len(), 1);
        assert_eq!(Book::read(&[0; 15]).unwrap_err(), BookError::Size(15));
        assert_eq!(Book::read(&[0; 16]).unwrap_err(), BookError::Strange);
    }

    #[test]
    fn castling_is_the_king_taking_its_rook() {
        let position = Chess::parse_position("4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1").unwrap();
        let e1h1 = (4 << 6) | 7;
        assert_eq!(move_text(&position, e1h1), "e1g1");
        let rook = Chess::parse_position("3k4/8/8/8/8/8/8/4R2K w - - 0 1").unwrap();
        assert_eq!(move_text(&rook, e1h1), "e1h1", "a rook stays a rook");
    }

    #[test]
    fn the_book_of_the_pipeline_paper() {
        let Some(path) = senbon_testkit::reference("chess/performance.bin") else { return };
        let bytes = std::fs::read(path).unwrap();
        let book = Book::read(&bytes).unwrap();
        let mut rng = Rng::new(senbon_testkit::seed());
        let lengths = (0..200).map(|_| book.walk(16, &mut rng).moves().len());
        let plies: usize = lengths.sum();
        assert!(plies > 200 * 8, "lines of {} plies on average", plies as f64 / 200.0);
        let lines = book.different_lines(200, 16, &mut rng);
        let ends: BTreeSet<_> = lines.iter().map(|it| it.position().format_position()).collect();
        assert_eq!((lines.len(), ends.len()), (200, 200));
    }

    #[test]
    fn a_small_book_gives_each_of_its_lines_once() {
        let start = Chess::start();
        // A move is three bits each for the squares' files and rows: e2e4, seldom, and d2d4.
        let square = |file: u16, row: u16| row << 3 | file;
        let [e4, d4] = [4, 3].map(|file| square(file, 1) << 6 | square(file, 3));
        let entries = [entry(&start, e4, 1), entry(&start, d4, 1_000)].concat();
        let book = Book::read(&entries).unwrap();
        assert_eq!(book.different_lines(10, 16, &mut Rng::new(1)).len(), 2);
    }
}
