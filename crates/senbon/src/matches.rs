//! `senbon match`: games between two players, and what they say of their strength.

use std::fs;
use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use anyhow::Context;
use senbon_core::RankTable;
use senbon_engines::process::{EngineCommand, EngineLine, Leash};
use senbon_games::Rng;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_lab::matches::{
    Adjudication, EngineKind, EnginePlayer, Finished, ImpasseRule, Journal, MatchGame, Opening,
    Pace, Player, Progress, Team, Terms, VirtualPlayer, play_series, random_opening, read_openings,
    staff,
};
use senbon_lab::score::Score;
use senbon_lab::sprt::Sprt;
use serde_json::{Value, json};

use crate::args::EngineGame;
use crate::args::matches::Match;
use crate::lab::progress::span;
use crate::leash;
use crate::quanta;
use crate::report::Failure;

pub(crate) fn run(args: &Match) -> Result<(), Failure> {
    match args.game {
        EngineGame::Chess => play::<Chess>(args),
        EngineGame::Shogi => play::<Shogi>(args),
    }
}

fn play<G>(args: &Match) -> Result<(), Failure>
where
    G: MatchGame + Sync,
    G::Undo: Send,
{
    let terms = terms(args);
    let openings = openings::<G>(args)?;
    if args.quanta.engine.is_some() && !args.virtual_time {
        return Err(Failure::Input(
            "--engine is for matches in virtual time: add --virtual, or name the engines by \
             --first and --second"
                .to_owned(),
        ));
    }
    let engine = quanta::engine::<G>(&args.quanta, args.hash)?;
    let journal = match &args.journal {
        Some(path) => Some(Journal::open(path, &head(args, &terms, &openings, engine.as_ref()))?),
        None => None,
    };
    if args.virtual_time && args.listen.is_open() {
        return Err(Failure::Input(
            "workers of other machines do not play in virtual time: leave --listen and --connect \
             away, or --virtual"
                .to_owned(),
        ));
    }
    let hire = hirer::<G>(args, engine)?;
    let sprt = args.sprt.map(|(elo0, elo1)| Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 });
    let mut table = Table::new(args, sprt);
    let tell = |progress: &Progress, game: &Finished| {
        table.show(&terms, progress, game);
        let standing = sprt.map(|sprt| sprt.standing(&progress.score()));
        standing.is_none_or(|standing| standing.verdict().is_none())
    };
    let progress = play_series(&terms, &openings, journal, &*hire, tell)?;
    table.end();
    if let Some(path) = &args.out {
        let records: Vec<_> = in_order(&progress).map(|game| game.record.as_str()).collect();
        let text = records.join(G::BETWEEN_RECORDS);
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    conclude(args, &terms, &progress, sprt);
    Ok(())
}

fn terms(args: &Match) -> Terms {
    let name = |given: &Option<String>, line: &EngineLine| {
        given.clone().unwrap_or_else(|| line.as_str().to_owned())
    };
    let control = |given: &Option<_>| given.clone().unwrap_or_else(|| args.control.clone());
    Terms {
        names: [name(&args.first_name, &args.first), name(&args.second_name, &args.second)],
        controls: [control(&args.first_control), control(&args.second_control)],
        games: args.games.next_multiple_of(2),
        concurrency: args.concurrency.max(1),
        // Virtual players go on by themselves, without a prediction to wait for.
        ponder: args.ponder && !args.virtual_time,
        adjudication: Adjudication {
            resign: args.resign,
            draw: args.draw,
            longest: Some(args.longest),
            impasse: args.impasse,
        },
        grace: args.grace,
        tags: vec![("Event".to_owned(), "senbon match".to_owned())],
    }
}

/// A coordinator is ready when it has a worker, and the first may be long in coming.
const FIRST_WORKER: Duration = Duration::from_secs(600);

type Hirer<G> = Box<dyn Fn() -> anyhow::Result<[Box<dyn Player<G>>; 2]> + Sync>;

/// Makes the two players of a board, as often as boards are wanted.
fn hirer<G>(args: &Match, engine: Option<EngineKind>) -> Result<Hirer<G>, Failure>
where
    G: MatchGame + Sync,
    G::Undo: Send,
{
    if args.virtual_time {
        let team = |line: &EngineLine| {
            let written = line.as_str();
            written
                .parse::<Team>()
                .map_err(|why| Failure::Input(format!("player {written}: {why}")))
        };
        let teams = [team(&args.first)?, team(&args.second)?];
        let pace = Pace {
            nodes_per_second: args.speed,
            table_bytes: args.hash.max(1) << 20,
            ponder: args.ponder,
        };
        let seed = args.seed;
        return Ok(Box::new(move || {
            let player = |team| {
                let staff = staff(engine.as_ref(), pace.table_bytes);
                VirtualPlayer::new(team, pace, staff, RankTable::published(), seed)
            };
            Ok([Box::new(player(teams[0])?), Box::new(player(teams[1])?)])
        }));
    }
    let leash = leash::start();
    let mut commands = [
        command::<G>(args, &args.first, &args.first_option, leash.clone())?,
        command::<G>(args, &args.second, &args.second_option, leash)?,
    ];
    if let Some(player) = host(args)? {
        commands[player].arguments.extend(args.listen.arguments());
        commands[player].patience.start = FIRST_WORKER;
    }
    Ok(Box::new(move || {
        let [first, second] = commands.clone().map(EnginePlayer::start);
        Ok([Box::new(first), Box::new(second)])
    }))
}

/// Which player has the workers of other machines, if there are to be any: the first that is a
/// coordinator of this program. Each player is a process of its own, and so is its entrance.
fn host(args: &Match) -> Result<Option<usize>, Failure> {
    if !args.listen.is_open() {
        return Ok(None);
    }
    let wrong = |why: &str| Err(Failure::Input(why.to_owned()));
    let coordinates = |line: &&EngineLine| {
        let front = line.arguments().first().map(String::as_str);
        line.program() == "senbon" && matches!(front, Some("uci" | "usi"))
    };
    let Some(player) = [&args.first, &args.second].iter().position(coordinates) else {
        return wrong(
            "--listen and --connect are for a player with workers: write it as \"senbon uci …\" \
             or \"senbon usi …\"",
        );
    };
    if args.listen.listen.is_some() && args.concurrency > 1 {
        return wrong(
            "several games at the same time cannot listen at one address: play one at a time, or \
             let workers and games meet at a router (`senbon router`) by --connect",
        );
    }
    // What can be told without opening it is told now.
    args.listen.check()?;
    Ok(Some(player))
}

/// What a player runs: our own program under its short names.
fn command<G: MatchGame>(
    args: &Match,
    line: &EngineLine,
    options: &[String],
    leash: Option<Leash>,
) -> Result<EngineCommand, Failure> {
    let own = || {
        let path = std::env::current_exe().context("this program does not know where it is")?;
        Ok::<_, Failure>(path.to_string_lossy().into_owned())
    };
    let (program, arguments) = match line.program() {
        "built-in" => (own()?, vec!["engine".to_owned(), G::NAME.to_owned()]),
        "senbon" => (own()?, line.arguments().to_vec()),
        other => (other.to_owned(), line.arguments().to_vec()),
    };
    let usual = EngineCommand::new(line, G::DIALECT, G::NAME, args.hash.max(1), 1);
    let mut command = EngineCommand { program, arguments, leash, ..usual }
        .wish("Ponder", args.ponder)
        .wish("USI_Ponder", args.ponder);
    for text in options {
        let (name, value) = crate::lab::option(text)?;
        command = command.wish(&name, value);
    }
    Ok(command)
}

fn openings<G: MatchGame>(args: &Match) -> Result<Vec<Opening<G>>, Failure> {
    let mut rng = Rng::new(args.seed);
    let pairs = args.games.div_ceil(2);
    match &args.openings {
        Some(path) => read_openings(path, args.plies, pairs, &mut rng)
            .map_err(|error| Failure::Input(error.to_string())),
        None => Ok((0..pairs).map(|_| random_opening(args.plies, &mut rng)).collect()),
    }
}

/// What makes two runs the same match.
fn head<G: MatchGame>(
    args: &Match,
    terms: &Terms,
    openings: &[Opening<G>],
    engine: Option<&EngineKind>,
) -> Value {
    // Which openings: more of the same source may be drawn when a match is made longer.
    let first = openings.first().map_or(0, |opening| opening.position().key());
    let mut head = json!({
        "match": 1, "game": G::NAME,
        "players": [args.first.as_str(), args.second.as_str()],
        "names": terms.names,
        "options": [args.first_option, args.second_option], "hash": args.hash,
        "controls": [terms.controls[0].to_string(), terms.controls[1].to_string()],
        "virtual": args.virtual_time.then_some(args.speed),
        "ponder": args.ponder, "seed": args.seed, "plies": args.plies,
        "resign": args.resign.map(|rule| rule.to_string()),
        "draw": args.draw.map(|rule| rule.to_string()),
        "longest": args.longest,
        "openings": [json!(args.openings), json!(format!("{first:016x}"))],
    });
    if let Some(engine) = engine {
        head["engine"] = engine.describe();
    }
    if args.listen.is_open() {
        head["other_machines"] = json!(true);
    }
    // Left out when it is the usual one, so that older journals go on.
    if args.impasse != ImpasseRule::default() {
        head["impasse"] = json!(args.impasse.name());
    }
    head
}

fn in_order(progress: &Progress) -> impl Iterator<Item = &Finished> {
    let mut games: Vec<_> = progress.games.iter().collect();
    games.sort_by_key(|game| game.number);
    games.into_iter()
}

/// What is shown while the match runs: a line for every game, and on a terminal one that
/// changes in place.
struct Table {
    json: bool,
    live: bool,
    sprt: Option<Sprt>,
    began: Instant,
    played: usize,
}

impl Table {
    fn new(args: &Match, sprt: Option<Sprt>) -> Self {
        let live = stderr().is_terminal() && !args.json;
        Table { json: args.json, live, sprt, began: Instant::now(), played: 0 }
    }

    fn show(&mut self, terms: &Terms, progress: &Progress, game: &Finished) {
        self.played += 1;
        if self.json {
            let (first, second) = (&terms.names[0], &terms.names[1]);
            println!(
                "{}",
                json!({ "event": "game", "game": game.number + 1, "first": first,
                        "second": second, "first_moves_first": game.had_first_move,
                        "points": f64::from(game.sign + 1) / 2.0, "plies": game.plies,
                        "why": game.why })
            );
            return;
        }
        self.clear();
        let result = ["lost", "drew", "won"][(game.sign + 1) as usize];
        let side = if game.had_first_move { "first" } else { "second" };
        println!(
            "game {:>4}  {} moving {side} {result} in {} plies: {}",
            game.number + 1,
            terms.names[0],
            game.plies,
            game.why
        );
        let score = progress.score();
        let line = format!(
            "{} of {}  {}{}{}",
            progress.games.len(),
            terms.games,
            summary(&score),
            self.standing(&score),
            self.remaining(terms, progress)
        );
        if self.live {
            let width = terminal_width();
            let line: String = line.chars().take(width).collect();
            eprint!("\r\x1b[2K{line}");
            let _ = stderr().flush();
        } else if progress.games.len().is_multiple_of(10) {
            println!("{line}");
        }
    }

    fn standing(&self, score: &Score) -> String {
        self.sprt.map_or(String::new(), |sprt| format!("  {}", sprt.standing(score)))
    }

    fn remaining(&self, terms: &Terms, progress: &Progress) -> String {
        let open = terms.games.saturating_sub(progress.games.len());
        if open == 0 {
            return String::new();
        }
        let each = self.began.elapsed().as_secs_f64() / self.played.max(1) as f64;
        format!("  {} left", span(Duration::from_secs_f64(each * open as f64)))
    }

    fn clear(&self) {
        if self.live {
            eprint!("\r\x1b[2K");
        }
    }

    fn end(&self) {
        self.clear();
    }
}

fn terminal_width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).unwrap_or(80)
}

fn summary(score: &Score) -> String {
    let superiority =
        score.superiority().map_or(String::new(), |los| format!(", LOS {:.1} %", 100.0 * los));
    format!("{score}{superiority}")
}

fn conclude(args: &Match, terms: &Terms, progress: &Progress, sprt: Option<Sprt>) {
    let score = progress.score();
    let standing = sprt.map(|sprt| sprt.standing(&score));
    let verdict = standing.and_then(|standing| standing.verdict());
    if args.json {
        println!(
            "{}",
            json!({ "event": "result", "first": terms.names[0], "second": terms.names[1],
                    "games": score.games(), "wins": score.wins, "draws": score.draws,
                    "losses": score.losses, "pairs": score.pairs, "rate": score.rate(),
                    "margin": score.margin(), "elo": score.elo(),
                    "superiority": score.superiority(), "foresight": progress.foresight(),
                    "llr": standing.map(|standing| standing.ratio),
                    "accepted": verdict.map(|second| if second { "elo1" } else { "elo0" }) })
        );
        return;
    }
    println!("{} against {}", terms.names[0], terms.names[1]);
    println!("{}", summary(&score));
    println!("pairs of 0, ½, 1, 1½, 2 points: {:?}", score.pairs);
    if let Some(foresight) = progress.foresight() {
        println!("{} foresaw {foresight:.2} plies of the game on average", terms.names[0]);
    }
    if let (Some(standing), Some((low, high))) = (standing, args.sprt) {
        let said = match verdict {
            Some(true) => format!("stronger by {high} Elo is accepted"),
            Some(false) => format!("stronger by {low} Elo is accepted"),
            None => "not decided".to_owned(),
        };
        println!("{standing}: {said}");
    }
    let lost: usize = progress.games.iter().filter(|game| game.why == "time").count();
    if lost > 0 {
        println!("{lost} games were lost on time");
    }
}
