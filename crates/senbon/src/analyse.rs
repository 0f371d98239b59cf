//! `senbon analyse`: many workers on one position, then the answer.

use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use senbon_core::{Epoch, Limits, Opinion, Order, Place, Report, Search};
use senbon_engines::builtin::BuiltIn;
use senbon_fabric::{News, World};
use senbon_games::Notation;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use serde_json::json;

use crate::args::EngineGame;
use crate::args::analyse::Analyse;
use crate::leash;
use crate::report::Failure;

/// How long without a limit.
const USUAL_TIME: Duration = Duration::from_secs(10);
/// News that may wait to be shown.
const WAITING: usize = 4096;

pub(crate) fn run(args: &Analyse) -> Result<(), Failure> {
    match args.game {
        EngineGame::Chess => analyse::<Chess>(args),
        EngineGame::Shogi => analyse::<Shogi>(args),
    }
}

fn analyse<G: BuiltIn + Sync>(args: &Analyse) -> Result<(), Failure>
where
    G::Undo: Send,
{
    let place = place::<G>(args)?;
    let (send, news) = sync_channel(WAITING);
    let config = args.config();
    let sources = leash::hold(config.sources(G::DIALECT, G::NAME));
    let world = World::start(config.settings(), sources, move |item| {
        // Whoever watches may be slow; the search does not wait for them.
        let _ = send.try_send(item);
    })?;
    let untimed = args.nodes.is_some() || args.depth.is_some();
    let limits = Limits {
        move_time: args.time.or((!untimed).then_some(USUAL_TIME)),
        nodes: args.nodes,
        depth: args.depth,
        ..Limits::default()
    };
    let search = Search {
        epoch: Epoch(1),
        place: place.clone(),
        only: Vec::new(),
        lines: args.multipv,
        limits,
    };
    wait_for_a_worker(&news)?;
    world.order(Order::Search(search));
    let best = watch(args, &place, &news)?;
    answer(args, &place, best.0, best.1.as_ref());
    Ok(())
}

fn place<G: Notation>(args: &Analyse) -> Result<Place<G>, Failure> {
    let start = match &args.position {
        None => G::start(),
        Some(text) => {
            G::parse_position(text).map_err(|e| Failure::notation("position", text, &e))?
        }
    };
    let mut place = Place::new(start);
    for text in args.moves.split_whitespace() {
        let mv = place.position().parse_move(text).map_err(|error| {
            let number = place.moves().len() + 1;
            Failure::Input(format!("move {number}, {text}: {error}"))
        })?;
        place.play(mv);
    }
    if let Some(outcome) = place.position().outcome()
        && place.position().count_moves() == 0
    {
        return Err(Failure::Input(format!("nothing to search: {}", outcome.ending)));
    }
    Ok(place)
}

/// The first worker decides when the clock starts; none at all is an error.
fn wait_for_a_worker<G: Notation>(news: &Receiver<News<G>>) -> Result<(), Failure> {
    let mut last = "no worker came in time".to_owned();
    loop {
        match news.recv_timeout(Duration::from_secs(25)) {
            Ok(News::Joined(..)) => return Ok(()),
            Ok(News::Left(number, fault)) => {
                last = format!("worker {number}: {fault}");
                eprintln!("senbon: {last}");
            }
            Ok(_) => {}
            Err(_) => return Err(Failure::Work(anyhow::anyhow!(last))),
        }
        if last.contains("cannot start") {
            return Err(Failure::Work(anyhow::anyhow!(last)));
        }
    }
}

type Answer<G> =
    (Option<<G as senbon_games::Game>::Move>, Option<Opinion<<G as senbon_games::Game>::Move>>);

fn watch<G: Notation>(
    args: &Analyse,
    place: &Place<G>,
    news: &Receiver<News<G>>,
) -> Result<Answer<G>, Failure> {
    let mut latest = None;
    for item in news {
        match item {
            News::Report(Report::Opinion { opinion, .. }) => {
                show(args, place, &opinion);
                if opinion.rank == 0 {
                    latest = Some(opinion);
                }
            }
            News::Report(Report::Done { best, .. }) => return Ok((best, latest)),
            News::Left(number, fault) => eprintln!("senbon: worker {number}: {fault}"),
            _ => {}
        }
    }
    Err(Failure::Work(anyhow::anyhow!("the search ended without an answer")))
}

fn show<G: Notation>(args: &Analyse, place: &Place<G>, opinion: &Opinion<G::Move>) {
    let line = place.position().format_line(&opinion.line);
    let seconds = opinion.time.as_secs_f64();
    if args.json {
        let object = json!({
            "event": "line", "rank": opinion.rank + 1, "depth": opinion.depth,
            "score": opinion.score.to_string(), "nodes": opinion.nodes,
            "seconds": seconds, "pv": line,
        });
        println!("{object}");
    } else {
        let rank = if args.multipv > 1 { format!("{}. ", opinion.rank + 1) } else { String::new() };
        println!(
            "{rank}{seconds:6.1} s  depth {:2}  {:>7}  {:>12} nodes  {}",
            opinion.depth,
            opinion.score.to_string(),
            opinion.nodes,
            line.join(" ")
        );
    }
}

fn answer<G: Notation>(
    args: &Analyse,
    place: &Place<G>,
    best: Option<G::Move>,
    opinion: Option<&Opinion<G::Move>>,
) {
    let best = best.map(|mv| place.position().format_move(mv));
    let score = opinion.map(|opinion| opinion.score.to_string());
    if args.json {
        println!("{}", json!({ "event": "best", "move": best, "score": score }));
    } else {
        let best = best.unwrap_or_else(|| "none".to_owned());
        println!("best {best}  {}", score.unwrap_or_default());
    }
}
