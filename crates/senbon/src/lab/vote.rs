//! `senbon lab vote`: a vote and each of its voters against one of them.

use std::fs;

use anyhow::Context;
use senbon_engines::process::{EngineCommand, EngineLine};
use senbon_games::Rng;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_lab::matches::{MatchGame, read_openings};
use senbon_lab::vote::{Plan, csv, markdown, measure};

use super::command;
use super::rank_frequency::{machine, program};
use crate::args::EngineGame;
use crate::args::lab_vote::Vote;
use crate::leash;
use crate::report::Failure;

pub(crate) fn run(args: &Vote) -> Result<(), Failure> {
    match args.game {
        EngineGame::Chess => play::<Chess>(args),
        EngineGame::Shogi => play::<Shogi>(args),
    }
}

fn play<G>(args: &Vote) -> Result<(), Failure>
where
    G: MatchGame + Sync,
    G::Undo: Send,
{
    let plan = plan::<G>(args)?;
    let pairs = args.games.div_ceil(2);
    let openings = read_openings::<G>(&args.openings, args.plies, pairs, &mut Rng::new(args.seed))
        .map_err(|error| Failure::Input(error.to_string()))?;
    let rows = measure(&plan, &openings, |row| {
        let played = row.score.games() as usize;
        if played.is_multiple_of(10) || played >= plan.games {
            println!("{:16} {}", row.name, row.score);
        }
    })?;
    let run = format!("`{}`, {}, on {}.", command(), program(), machine());
    for (name, text) in [("vote.csv", csv(&rows)), ("vote.md", markdown(&plan, &rows, &run))] {
        let path = args.out.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    println!("written to {}", args.out.join("vote.md").display());
    Ok(())
}

fn plan<G: MatchGame>(args: &Vote) -> Result<Plan, Failure> {
    let path = &args.config;
    let shown = path.display();
    let composition = senbon_engines::compose::Composition::read(path)
        .map_err(|error| Failure::Input(error.to_string()))?;
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let voters = composition.voters();
    let usual = voters.first().copied().unwrap_or_default();
    let opponent = args.opponent.as_deref().unwrap_or(usual);
    composition.only(opponent).map_err(|error| Failure::Input(format!("{shown}: {error}")))?;
    let player = |only: Option<&str>| own::<G>(args, only);
    let mut players = vec![("vote".to_owned(), player(None)?)];
    for &voter in voters.iter().filter(|&&voter| voter != opponent) {
        players.push((voter.to_owned(), player(Some(voter))?));
    }
    Ok(Plan {
        players,
        opponent: (opponent.to_owned(), player(Some(opponent))?),
        composition: text,
        games: args.games,
        concurrency: args.concurrency,
        seed: args.seed,
        folder: args.out.clone(),
    })
}

/// This very program with the composition, or one voter of it.
fn own<G: MatchGame>(args: &Vote, only: Option<&str>) -> Result<EngineCommand, Failure> {
    let program = std::env::current_exe().context("this program does not know where it is")?;
    let front = match args.game {
        EngineGame::Chess => "uci",
        EngineGame::Shogi => "usi",
    };
    let path = args.config.to_string_lossy().into_owned();
    let mut arguments = vec![front.to_owned(), "--config".to_owned(), path];
    arguments.extend(only.into_iter().flat_map(|name| ["--only".to_owned(), name.to_owned()]));
    let line: EngineLine = "senbon".parse().map_err(anyhow::Error::new)?;
    let usual = EngineCommand::new(&line, G::DIALECT, G::NAME, args.hash.max(1), 1);
    let program = program.to_string_lossy().into_owned();
    Ok(EngineCommand { program, arguments, leash: leash::start(), ..usual })
}
