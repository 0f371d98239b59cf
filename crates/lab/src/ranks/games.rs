//! The games whose moves are ranked: PGN for chess, CSA and KIF for shogi.

use std::path::Path;

use anyhow::{Context, Result, bail};
use senbon_engines::universal::Dialect;
use senbon_games::Notation;
use senbon_games::chess::{Chess, pgn};
use senbon_games::shogi::Shogi;
use senbon_games::shogi::record::{csa, kif};

/// A game that was played.
#[derive(Clone, Debug)]
pub struct PlayedGame<G: Notation> {
    /// Where it began.
    pub start: G,
    /// Its moves, each legal.
    pub moves: Vec<G::Move>,
}

/// A game of which records can be read.
pub trait Recorded: Notation {
    /// What engines of this game speak.
    const DIALECT: Dialect;

    /// The games in the bytes of a file; its name may tell the format.
    fn read(file: &Path, bytes: &[u8]) -> Result<Vec<PlayedGame<Self>>>;

    /// Options that an engine needs for these games beyond the usual. May change how the
    /// games write their moves.
    fn engine_options(_games: &mut [PlayedGame<Self>]) -> Vec<(String, String)> {
        Vec::new()
    }
}

impl Recorded for Chess {
    const DIALECT: Dialect = Dialect::Uci;

    fn read(_file: &Path, bytes: &[u8]) -> Result<Vec<PlayedGame<Self>>> {
        pgn::Reader::new(bytes)
            .map(|record| {
                let record = record?;
                Ok(PlayedGame { start: record.start()?, moves: record.moves()? })
            })
            .collect()
    }

    fn engine_options(games: &mut [PlayedGame<Self>]) -> Vec<(String, String)> {
        if !games.iter().any(|game| game.start.is_chess960()) {
            return Vec::new();
        }
        // An engine is told of Chess960 once: castling is then written the same in all games.
        for game in games {
            game.start.set_chess960(true);
        }
        vec![("UCI_Chess960".to_owned(), "true".to_owned())]
    }
}

impl Recorded for Shogi {
    const DIALECT: Dialect = Dialect::Usi;

    fn read(file: &Path, bytes: &[u8]) -> Result<Vec<PlayedGame<Self>>> {
        let text = std::str::from_utf8(bytes)
            .context("the file is not UTF-8; convert it first (iconv -f CP932 -t UTF-8)")?;
        let ending = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let records = match ending.as_str() {
            "csa" => csa::read_all(text)?,
            "kif" | "kifu" => vec![kif::read(text)?],
            _ => bail!("a shogi record must be a .csa, .kif or .kifu file"),
        };
        let played = records.into_iter().map(|record| PlayedGame {
            start: record.start,
            moves: record.moves.into_iter().map(|recorded| recorded.mv).collect(),
        });
        Ok(played.collect())
    }
}

/// All games of the files, in order.
pub fn read_games<G: Recorded>(files: &[impl AsRef<Path>]) -> Result<Vec<PlayedGame<G>>> {
    let mut games = Vec::new();
    for file in files {
        let file = file.as_ref();
        let shown = file.display();
        let bytes = std::fs::read(file).with_context(|| format!("cannot read {shown}"))?;
        games.extend(G::read(file, &bytes).with_context(|| shown.to_string())?);
    }
    if games.iter().all(|game| game.moves.is_empty()) {
        bail!("there is no move in the files given");
    }
    Ok(games)
}

/// How many moves all games have together.
pub fn count_plies<G: Notation>(games: &[PlayedGame<G>]) -> usize {
    games.iter().map(|game| game.moves.len()).sum()
}

/// A number that tells sets of games apart (FNV-1a over their starts and moves): two files
/// with the same games give the same.
pub fn fingerprint<G: Notation>(games: &[PlayedGame<G>]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |text: &str| {
        for byte in text.bytes().chain([b'\n']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for game in games {
        add(&game.start.format_position());
        add(&game.start.format_line(&game.moves).join(" "));
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSA: &str = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n";
    const KIF: &str = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   \
                       2 ３四歩(33)\n   3 投了\n";

    #[test]
    fn the_same_game_in_two_formats_is_the_same_input() {
        let read = |file: &str, text: &str| Shogi::read(Path::new(file), text.as_bytes());
        let csa = read("a.csa", CSA).unwrap();
        let kif = read("b.KIF", KIF).unwrap();
        assert_eq!((csa.len(), count_plies(&csa)), (1, 2));
        assert_eq!(fingerprint(&csa), fingerprint(&kif));
        let shorter = read("a.csa", &CSA.replace("-3334FU\n", "")).unwrap();
        assert_ne!(fingerprint(&csa), fingerprint(&shorter));
        assert!(read("a.txt", CSA).unwrap_err().to_string().contains(".csa, .kif"));
        let not_text = Shogi::read(Path::new("a.kif"), b"\x8e\xe8").unwrap_err();
        assert!(not_text.to_string().contains("not UTF-8"), "{not_text}");
    }

    #[test]
    fn chess960_is_told_to_the_engine_and_to_all_games() {
        let read = |text: &str| Chess::read(Path::new("a.pgn"), text.as_bytes()).unwrap();
        let usual = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *\n\n";
        let mut plain = read(usual);
        assert!(Chess::engine_options(&mut plain).is_empty());
        let mut mixed = read(&format!("{usual}[Variant \"Chess960\"]\n\n1. e4 *\n"));
        let told = Chess::engine_options(&mut mixed);
        assert_eq!(told, [("UCI_Chess960".to_owned(), "true".to_owned())]);
        let castling = |games: &[PlayedGame<Chess>]| {
            games[0].start.format_line(&games[0].moves).pop().unwrap()
        };
        assert_eq!([castling(&plain), castling(&mixed)], ["e1g1", "e1h1"]);
    }
}
