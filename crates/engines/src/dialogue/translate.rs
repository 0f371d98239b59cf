//! Between orders and reports, which know the rules, and the lines of a protocol.

use senbon_core::{Bound, Limits, Opinion, Place, Score, Search};
use senbon_games::Notation;

use super::sweep::Sweep;
use super::{Manners, Restriction};
use crate::universal::{Best, Go, Info, Mate, ScoreBound, Setup, Worth};

/// Longest line of play kept of what an engine tells.
const LONGEST_LINE: usize = 64;

/// What to send for a search.
pub(super) struct Question {
    pub(super) setup: Setup,
    /// Moves for `ignore_moves`.
    pub(super) ignored: Vec<String>,
    pub(super) go: Go,
}

pub(super) fn question<G: Notation>(
    manners: &Manners,
    search: &Search<G>,
    sweep: Option<&Sweep<G::Move>>,
) -> Question {
    let position = search.place.position();
    let setup = setup(&search.place, sweep.and_then(Sweep::current));
    let mut go = limits(manners, &search.limits);
    let mut ignored = Vec::new();
    if let Some(sweep) = sweep {
        let depth = Some(sweep.depth()).filter(|_| manners.depth);
        go = Go { depth, infinite: depth.is_none(), ..Go::default() };
    } else if !search.only.is_empty() {
        match manners.restriction {
            Restriction::SearchMoves => {
                go.search_moves = search.only.iter().map(|&mv| position.format_move(mv)).collect();
            }
            Restriction::IgnoreMoves => {
                let others = position.moves().into_iter().filter(|mv| !search.only.contains(mv));
                ignored = others.map(|mv| position.format_move(mv)).collect();
            }
            Restriction::OneByOne => {}
        }
    }
    Question { setup, ignored, go }
}

/// A place, and perhaps one move more, as a protocol describes it.
pub(super) fn setup<G: Notation>(place: &Place<G>, extra: Option<G::Move>) -> Setup {
    let mut setup = Setup { start: None, moves: Vec::new() };
    let mut at = place.start().clone();
    if at.format_position() != G::start().format_position() {
        setup.start = Some(at.format_position());
    }
    for &mv in place.moves().iter().chain(&extra) {
        setup.moves.push(at.format_move(mv));
        at.play(mv);
    }
    setup
}

/// The limits an engine honours; without any of them it searches until stopped.
fn limits(manners: &Manners, limits: &Limits) -> Go {
    let timed = Go {
        clocks: limits.clocks,
        byoyomi: limits.byoyomi,
        moves_to_go: limits.moves_to_go,
        move_time: limits.move_time,
        ..Go::default()
    };
    let mut go = Go {
        depth: limits.depth.filter(|_| manners.depth),
        nodes: limits.nodes.filter(|_| manners.nodes),
        mate: limits.mate.filter(|_| manners.mate).map(Mate::Moves),
        ..if manners.time { timed } else { Go::default() }
    };
    go.infinite = go == Go::default();
    // Whoever knows no clocks ponders without knowing it.
    go.ponder = limits.ponder && manners.time;
    go
}

/// What an `info` line says of the search; `None` if it says nothing of use.
pub(super) fn opinion<G: Notation>(search: &Search<G>, info: &Info) -> Option<Opinion<G::Move>> {
    let (score, bound) = score(info)?;
    let line = line(search.place.position(), &info.pv);
    // What it was told to leave out says nothing about the rest.
    if !line.first().is_some_and(|mv| search.only.is_empty() || search.only.contains(mv)) {
        return None;
    }
    Some(Opinion {
        rank: info.multipv.map_or(0, |rank| rank.saturating_sub(1) as usize),
        score,
        bound,
        depth: info.depth.unwrap_or(0),
        seldepth: info.seldepth.or(info.depth).unwrap_or(0),
        nodes: info.nodes.unwrap_or(0),
        time: info.time.unwrap_or_default(),
        hashfull: info.hashfull,
        line,
        visits: Vec::new(),
    })
}

pub(super) fn score(info: &Info) -> Option<(Score, Bound)> {
    let told = info.score?;
    let score = worth(told.worth);
    let bound = match told.bound {
        ScoreBound::Exact => Bound::Exact,
        ScoreBound::Lower => Bound::Lower,
        ScoreBound::Upper => Bound::Upper,
    };
    Some((score, bound))
}

pub(super) fn worth(told: Worth) -> Score {
    // A mate without a distance counts as a long one.
    const FAR: u32 = 500;
    match told {
        Worth::Centipawns(value) => Score::Centipawns(value),
        Worth::Win(plies) => Score::Mates(plies.unwrap_or(FAR)),
        Worth::Loss(plies) => Score::Mated(plies.unwrap_or(FAR)),
    }
}

/// The moves as far as they are legal.
pub(super) fn line<G: Notation>(position: &G, texts: &[String]) -> Vec<G::Move> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for text in texts.iter().take(LONGEST_LINE) {
        let Ok(mv) = position.parse_move(text) else { break };
        line.push(mv);
        position.play(mv);
    }
    line
}

/// An answer that cannot be taken.
pub(super) struct WrongAnswer {
    /// It and the reason.
    pub(super) what: String,
    /// It is legal, but not among the moves asked for.
    pub(super) is_left_out: bool,
}

/// The best move and the answer expected.
#[allow(clippy::type_complexity)]
pub(super) fn answer<G: Notation>(
    search: &Search<G>,
    best: &Best,
    ponder: Option<&str>,
) -> Result<(Option<G::Move>, Option<G::Move>), WrongAnswer> {
    let position = search.place.position();
    let text = match best {
        Best::Move(text) => text,
        // Resigning and declaring are the front's business; here it only ends the search.
        Best::Nothing | Best::Win => return Ok((None, None)),
    };
    let mv = position.parse_move(text).map_err(|error| WrongAnswer {
        what: format!("{text}: {}", error.what),
        is_left_out: false,
    })?;
    if !search.only.is_empty() && !search.only.contains(&mv) {
        let what = format!("{text}, which it was told to leave out");
        return Err(WrongAnswer { what, is_left_out: true });
    }
    let mut after = position.clone();
    after.play(mv);
    Ok((Some(mv), ponder.and_then(|text| after.parse_move(text).ok())))
}
