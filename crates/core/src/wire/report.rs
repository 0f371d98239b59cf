//! Reports as bytes.

use senbon_games::Notation;

use super::tasks;
use super::{
    MOST_HARVEST, MOST_LINE, MOST_MOVES, MOST_TEXT, Reader, WireError, Writer, read_move,
    read_optional_move, read_way, write_move, write_optional_move, write_way,
};
use crate::{Bound, Epoch, Fault, Opinion, Report, Score, Valued};

const OPINION: u8 = 1;
const DONE: u8 = 2;
const HARVEST: u8 = 3;
const FAULT: u8 = 4;
const FINDINGS: u8 = 5;

/// Every kind of report with its number, as docs/protocol.md lists them.
#[cfg(test)]
pub(super) const KINDS: [(u8, &str); 5] = [
    (OPINION, "opinion"),
    (DONE, "done"),
    (HARVEST, "harvest"),
    (FAULT, "fault"),
    (FINDINGS, "findings"),
];

pub(super) fn write<'a, G: Notation + 'a>(
    writer: &mut Writer,
    report: &Report<G>,
    position: impl Fn(Epoch) -> Result<&'a G, WireError>,
) -> Result<(), WireError> {
    match report {
        Report::Opinion { epoch, opinion } => {
            writer.byte(OPINION);
            writer.number(epoch.0);
            write_opinion(writer, position(*epoch)?, opinion)?;
        }
        Report::Done { epoch, best, ponder } => {
            writer.byte(DONE);
            writer.number(epoch.0);
            let position = position(*epoch)?;
            write_optional_move(writer, position, *best, "the best move")?;
            let mut after = position.clone();
            if let Some(best) = *best {
                after.play(best);
            }
            let ponder = ponder.filter(|_| best.is_some());
            write_optional_move(writer, &after, ponder, "the answer expected")?;
        }
        Report::Harvest { epoch, positions } => {
            writer.byte(HARVEST);
            writer.number(epoch.0);
            let count = positions.len().min(MOST_HARVEST);
            writer.number(count as u64);
            let position = position(*epoch)?;
            for valued in &positions[..count] {
                write_valued(writer, position, valued)?;
            }
        }
        Report::Findings { epoch, nodes, findings } => {
            writer.byte(FINDINGS);
            writer.number(epoch.0);
            tasks::write_findings(writer, *nodes, findings);
        }
        Report::Fault(fault) => {
            writer.byte(FAULT);
            write_fault(writer, fault);
        }
    }
    Ok(())
}

pub(super) fn read<'a, G: Notation + 'a>(
    reader: &mut Reader<'_>,
    position: impl Fn(Epoch) -> Result<&'a G, WireError>,
) -> Result<Report<G>, WireError> {
    let kind = reader.byte()?;
    if kind == FAULT {
        return Ok(Report::Fault(read_fault(reader)?));
    }
    if kind == FINDINGS {
        let epoch = Epoch(reader.number()?);
        let (nodes, findings) = tasks::read_findings(reader)?;
        return Ok(Report::Findings { epoch, nodes, findings });
    }
    if !matches!(kind, OPINION | DONE | HARVEST) {
        return Err(WireError::UnknownKind { what: "a report", kind });
    }
    let epoch = Epoch(reader.number()?);
    let position = position(epoch)?;
    Ok(match kind {
        OPINION => Report::Opinion { epoch, opinion: read_opinion(reader, position)? },
        DONE => {
            let best = read_optional_move(reader, position, "the best move")?;
            let mut after = position.clone();
            if let Some(best) = best {
                after.play(best);
            }
            let ponder = read_optional_move(reader, &after, "the answer expected")?;
            Report::Done { epoch, best, ponder: ponder.filter(|_| best.is_some()) }
        }
        _ => {
            let count = reader.count("positions of a harvest", MOST_HARVEST)?;
            let positions = (0..count).map(|_| read_valued(reader, position));
            Report::Harvest { epoch, positions: positions.collect::<Result<_, _>>()? }
        }
    })
}

fn write_opinion<G: Notation>(
    writer: &mut Writer,
    position: &G,
    opinion: &Opinion<G::Move>,
) -> Result<(), WireError> {
    writer.number(opinion.rank as u64);
    write_score(writer, opinion.score);
    writer.byte(match opinion.bound {
        Bound::Exact => 0,
        Bound::Lower => 1,
        Bound::Upper => 2,
    });
    writer.number(u64::from(opinion.depth));
    writer.number(u64::from(opinion.seldepth));
    writer.number(opinion.nodes);
    writer.time(opinion.time);
    // 0 for not known, else one more than it is.
    writer.number(opinion.hashfull.map_or(0, |full| u64::from(full) + 1));
    let line = &opinion.line[..opinion.line.len().min(MOST_LINE)];
    write_way(writer, position, line, "the line")?;
    let visits = &opinion.visits[..opinion.visits.len().min(MOST_MOVES)];
    writer.number(visits.len() as u64);
    for &(mv, visits) in visits {
        write_move(writer, position, mv, "a visited move")?;
        writer.number(visits);
    }
    Ok(())
}

fn read_opinion<G: Notation>(
    reader: &mut Reader<'_>,
    position: &G,
) -> Result<Opinion<G::Move>, WireError> {
    let rank = reader.number()?;
    if rank >= MOST_MOVES as u64 {
        return Err(WireError::TooMany { what: "ranks", most: MOST_MOVES });
    }
    Ok(Opinion {
        rank: rank as usize,
        score: read_score(reader)?,
        bound: match reader.byte()? {
            0 => Bound::Exact,
            1 => Bound::Lower,
            2 => Bound::Upper,
            kind => return Err(WireError::UnknownKind { what: "a bound", kind }),
        },
        depth: reader.small()?,
        seldepth: reader.small()?,
        nodes: reader.number()?,
        time: reader.time()?,
        hashfull: match reader.number()? {
            0 => None,
            full => Some(u32::try_from(full - 1).map_err(|_| WireError::BadNumber)?),
        },
        line: read_way(reader, position, "the line", MOST_LINE)?.0,
        visits: {
            let count = reader.count("visits", MOST_MOVES)?;
            let one = |_| Ok((read_move(reader, position, "a visited move")?, reader.number()?));
            (0..count).map(one).collect::<Result<_, _>>()?
        },
    })
}

fn write_valued<G: Notation>(
    writer: &mut Writer,
    position: &G,
    valued: &Valued<G::Move>,
) -> Result<(), WireError> {
    let way = &valued.way[..valued.way.len().min(MOST_LINE)];
    let there = write_way(writer, position, way, "the way of a harvest")?;
    write_score(writer, valued.score);
    writer.number(u64::from(valued.depth));
    let best = valued.best.filter(|_| valued.way.len() <= MOST_LINE);
    write_optional_move(writer, &there, best, "the best move of a harvest")
}

fn read_valued<G: Notation>(
    reader: &mut Reader<'_>,
    position: &G,
) -> Result<Valued<G::Move>, WireError> {
    let (way, there) = read_way(reader, position, "the way of a harvest", MOST_LINE)?;
    let score = read_score(reader)?;
    let depth = reader.small()?;
    let best = read_optional_move(reader, &there, "the best move of a harvest")?;
    Ok(Valued { way, score, depth, best })
}

fn write_score(writer: &mut Writer, score: Score) {
    match score {
        Score::Centipawns(value) => {
            writer.byte(0);
            writer.signed(i64::from(value));
        }
        Score::Mates(plies) => {
            writer.byte(1);
            writer.number(u64::from(plies));
        }
        Score::Mated(plies) => {
            writer.byte(2);
            writer.number(u64::from(plies));
        }
    }
}

fn read_score(reader: &mut Reader<'_>) -> Result<Score, WireError> {
    Ok(match reader.byte()? {
        0 => {
            // The smallest number has no opposite, and scores are turned round.
            let value = i32::try_from(reader.signed()?).ok().filter(|&value| value > i32::MIN);
            Score::Centipawns(value.ok_or(WireError::BadNumber)?)
        }
        1 => Score::Mates(reader.small()?),
        2 => Score::Mated(reader.small()?),
        kind => return Err(WireError::UnknownKind { what: "a score", kind }),
    })
}

pub(crate) fn write_fault(writer: &mut Writer, fault: &Fault) {
    let (kind, why) = match fault {
        Fault::Died(why) => (0, why),
        Fault::Silent(why) => (1, why),
        Fault::Nonsense(why) => (2, why),
    };
    writer.byte(kind);
    writer.text(why, MOST_TEXT);
}

pub(crate) fn read_fault(reader: &mut Reader<'_>) -> Result<Fault, WireError> {
    let kind = reader.byte()?;
    let why = reader.text("a reason", MOST_TEXT)?.to_owned();
    Ok(match kind {
        0 => Fault::Died(why),
        1 => Fault::Silent(why),
        2 => Fault::Nonsense(why),
        kind => return Err(WireError::UnknownKind { what: "a fault", kind }),
    })
}
