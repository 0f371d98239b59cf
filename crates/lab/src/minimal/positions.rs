//! Where shogi trees begin: positions of recorded games.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use senbon_games::shogi::Shogi;
use senbon_games::{Game, Rng};

use crate::matches::read_openings;
use crate::ranks::{PlayedGame, read_games};

/// File name endings of recorded games.
const RECORDS: [&str; 3] = ["csa", "kif", "kifu"];

/// At most `count` different positions, drawn by `seed`: those after `plies` plies of the games
/// of a folder or a file (`.csa`, `.kif`), or those of a file of SFEN lines. Games that are
/// shorter are left out.
pub fn positions(path: &Path, plies: usize, count: usize, seed: u64) -> Result<Vec<Shogi>> {
    let mut rng = Rng::new(seed);
    let shown = path.display();
    let files = if path.is_dir() { records(path)? } else { vec![path.to_owned()] };
    ensure!(!files.is_empty(), "{shown} has no game: no file in it ends in .csa, .kif or .kifu");
    let mut drawn: Vec<Shogi> = if files.iter().all(|file| is_record(file)) {
        let games = read_games::<Shogi>(&files)?;
        let longest = games.iter().map(|game| game.moves.len()).max().unwrap_or(0);
        let positions: Vec<_> = games.iter().filter_map(|game| after(game, plies)).collect();
        ensure!(
            !positions.is_empty(),
            "{shown}: no game goes on after {plies} plies, the longest has {longest}; give fewer \
             --plies"
        );
        positions
    } else {
        let openings = read_openings::<Shogi>(path, plies, count, &mut Rng::new(seed))?;
        openings.iter().map(|opening| opening.position().clone()).collect()
    };
    rng.shuffle(&mut drawn);
    let mut seen = BTreeSet::new();
    drawn.retain(|position| seen.insert(position.key()));
    drawn.truncate(count);
    Ok(drawn)
}

fn is_record(file: &Path) -> bool {
    let ending = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    RECORDS.contains(&ending.as_str())
}

/// The recorded games in a folder, by name.
fn records(folder: &Path) -> Result<Vec<PathBuf>> {
    let shown = folder.display();
    let listed = std::fs::read_dir(folder).with_context(|| format!("cannot read {shown}"))?;
    let paths: std::io::Result<Vec<PathBuf>> = listed.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.with_context(|| format!("cannot read {shown}"))?;
    paths.retain(|path| is_record(path));
    paths.sort();
    Ok(paths)
}

fn after(game: &PlayedGame<Shogi>, plies: usize) -> Option<Shogi> {
    let mut position = game.start.clone();
    for &mv in game.moves.get(..plies)? {
        position.play(mv);
    }
    (game.moves.len() > plies && position.outcome().is_none()).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSA: &str = "V2.2\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n%TORYO\n";
    const KIF: &str =
        "手合割：平手\n   1 ７六歩(77)\n   2 ８四歩(83)\n   3 ２六歩(27)\n   4 投了\n";

    #[test]
    fn a_folder_is_all_its_games_in_one_order() {
        let folder = std::env::temp_dir().join(format!("senbon-positions-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in [("b.csa", CSA), ("a.kif", KIF), ("c.csa", CSA), ("notes.txt", "x")] {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let read = |plies, count, seed| positions(&folder, plies, count, seed);
        assert_eq!(read(2, 32, 1).unwrap().len(), 2, "the same position counts once");
        assert_eq!(read(3, 32, 1).unwrap().len(), 1, "the game that ends there is left out");
        assert_eq!(read(2, 1, 7).unwrap(), read(2, 1, 7).unwrap());
        let error = read(50, 32, 1).unwrap_err().to_string();
        assert!(error.contains("the longest has 4") && error.contains("--plies"), "{error}");
        assert_eq!(positions(&folder.join("a.kif"), 1, 5, 1).unwrap().len(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
        let error = positions(&folder, 2, 5, 1).unwrap_err().to_string();
        assert!(error.contains("cannot read"), "{error}");
    }
}
