//! `senbon lab rank-frequency`: how often the move of each rank is played.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use senbon_core::RankTable;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_lab::ranks::{
    Contents, Counts, Journal, Page, Recorded, Terms, measure, page, read_games, table_file,
};
use serde_json::json;

use super::option;
use super::progress::Bar;
use crate::args::EngineGame;
use crate::args::lab::RankFrequency;
use crate::leash;
use crate::report::Failure;

pub(crate) fn run(args: &RankFrequency) -> Result<(), Failure> {
    match args.game {
        EngineGame::Chess => count::<Chess>(args),
        EngineGame::Shogi => count::<Shogi>(args),
    }
}

fn count<G>(args: &RankFrequency) -> Result<(), Failure>
where
    G: Recorded + Send + Sync + 'static,
    G::Undo: Send,
{
    let mut games =
        read_games::<G>(&args.files).map_err(|error| Failure::Input(format!("{error:#}")))?;
    let terms = Terms {
        engine: args.engine.clone(),
        options: args.option.iter().map(|text| option(text)).collect::<Result<_, _>>()?,
        hash_mib: args.hash,
        depth: args.depth,
        ranks: args.ranks,
        all_moves: args.all_moves,
        threads: args.threads,
        leash: leash::start(),
        run: format!("{} on {}", program(), machine()),
    };
    let path = args.journal.clone().unwrap_or_else(|| with_ending(&args.out, ".journal"));
    let (journal, contents) = Journal::open(&path)?;
    if !contents.rows.is_empty() {
        eprintln!("{} positions are in {} already", contents.rows.len(), path.display());
    }
    let mut bar = Bar::new("positions");
    let tell = |progress| bar.show(&progress);
    let measured = measure(&mut games, &terms, journal, contents, tell);
    bar.end();
    let contents = measured?;
    let counts = Counts::of(contents.rows.values(), args.ranks);
    write(&args.out, &table_file(&contents, &counts))?;
    if let Some(file) = &args.markdown {
        let files = args.files.iter().map(|file| name(file)).collect();
        write(file, &page(&contents, &counts, &Page { command: command(args), files }))?;
    }
    show(args, &contents, &counts);
    Ok(())
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(())
}

fn show(args: &RankFrequency, contents: &Contents, counts: &Counts) {
    let engine = contents.head.as_ref().map_or("", |head| head.engine.as_str());
    if args.json {
        let intervals = counts.intervals();
        let classes = intervals.iter().enumerate().map(|(index, interval)| {
            let count = counts.ranks.get(index).unwrap_or(&counts.beyond);
            json!({ "rank": counts.class(index), "count": count, "share": interval.share,
                    "low": interval.low, "high": interval.high })
        });
        println!(
            "{}",
            json!({ "game": contents.head.as_ref().map(|head| &head.game), "engine": engine,
                    "depth": args.depth, "positions": counts.total(), "out": args.out,
                    "ranks": classes.collect::<Vec<_>>() })
        );
        return;
    }
    let published = RankTable::published();
    let (ranks, rest) = published.parts();
    let beside = args.game == EngineGame::Chess && ranks.len() == counts.ranks.len();
    println!("{} positions, {engine}, depth {}", counts.total(), args.depth);
    println!("rank  count   share  95 % interval{}", if beside { "   published" } else { "" });
    for (index, interval) in counts.intervals().iter().enumerate() {
        let count = counts.ranks.get(index).unwrap_or(&counts.beyond);
        let theirs = ranks.get(index).unwrap_or(&rest);
        let theirs = if beside { format!("  {theirs:.4}") } else { String::new() };
        println!(
            "{:<4} {count:>6}  {:.4}  {:.4} – {:.4}{theirs}",
            counts.class(index),
            interval.share,
            interval.low,
            interval.high
        );
    }
    println!("written to {}; use it by --rank-table {0}", args.out.display());
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// The name of a file without its folder: what a page of results says.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The command again, without folders.
fn command(args: &RankFrequency) -> String {
    let mut words = vec!["senbon lab rank-frequency".to_owned()];
    if args.game == EngineGame::Shogi {
        words.push("--game shogi".to_owned());
    }
    words.extend(args.files.iter().map(|file| name(file)));
    let program = args.engine.program();
    let engine = args.engine.as_str().replacen(program, &name(Path::new(program)), 1);
    words.push(match engine.contains(' ') {
        true => format!("--engine '{engine}'"),
        false => format!("--engine {engine}"),
    });
    words.extend(args.option.iter().map(|option| format!("--option {option}")));
    words.push(format!("--depth {} --ranks {} --hash {}", args.depth, args.ranks, args.hash));
    if args.all_moves {
        words.push("--all-moves".to_owned());
    }
    words.join(" ")
}

/// The program as measurements name it. Whoever builds it may name the commit.
pub(super) fn program() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match option_env!("SENBON_COMMIT") {
        Some(commit) => format!("senbon {version}, commit {commit}"),
        None => format!("senbon {version}"),
    }
}

/// The machine as measurements name it.
pub(super) fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_owned())
    });
    let model = model.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    format!("{model}, {cores} cores")
}
