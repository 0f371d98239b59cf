//! Tasks of minimal-tree search and what was found of them, as bytes.

use senbon_games::{Bounds, HIGHEST, Notation, Worth};

use super::order::{read_place, write_place};
use super::{MOST_FINDINGS, Reader, WireError, Writer, read_way, write_way};
use crate::Epoch;
use crate::minimal::{Finding, LeafId, MOST_TASKS, Shape, Signature, Task, Tasks};

const ROOT: u8 = 1;
const WHOLE: u8 = 2;
const QUIESCENCE: u8 = 4;
const LED: u8 = 8;

pub(super) fn write<'a, G: Notation + 'a>(
    writer: &mut Writer,
    tasks: &Tasks<G>,
    known: impl Fn(Epoch) -> Result<&'a G, WireError>,
) -> Result<(), WireError> {
    for (what, count) in [
        ("tasks of an order", tasks.tasks.len()),
        ("ways of an order", tasks.ways.len()),
        ("tasks dropped by an order", tasks.dropped.len()),
    ] {
        if count > MOST_TASKS {
            return Err(WireError::TooMany { what, most: MOST_TASKS });
        }
    }
    writer.number(tasks.epoch.0);
    let shape = tasks.root.as_ref().map(|(_, shape)| *shape);
    let quiescence = shape.is_some_and(|shape| shape.quiescence);
    let flags = [
        (shape.is_some(), ROOT),
        (tasks.whole, WHOLE),
        (quiescence, QUIESCENCE),
        (tasks.leader.is_some(), LED),
    ];
    writer.byte(flags.iter().filter(|(set, _)| *set).fold(0, |byte, (_, flag)| byte | flag));
    if let Some(leader) = tasks.leader {
        writer.number(leader.into());
    }
    writer.number(tasks.pass.into());
    writer.byte(tasks.level);
    let root = match &tasks.root {
        Some((place, shape)) => {
            write_place(writer, place)?;
            writer.number(shape.width.into());
            place.position()
        }
        None => known(tasks.epoch)?,
    };
    writer.number(tasks.ways.len() as u64);
    for (leaf, way) in &tasks.ways {
        writer.number(leaf.0.into());
        write_way(writer, root, way, "the way to a task")?;
    }
    writer.number(tasks.tasks.len() as u64);
    for task in &tasks.tasks {
        write_task(writer, task);
    }
    writer.number(tasks.dropped.len() as u64);
    for leaf in &tasks.dropped {
        writer.number(leaf.0.into());
    }
    Ok(())
}

pub(super) fn read<'a, G: Notation + 'a>(
    reader: &mut Reader<'_>,
    known: impl Fn(Epoch) -> Result<&'a G, WireError>,
) -> Result<Tasks<G>, WireError> {
    let epoch = Epoch(reader.number()?);
    let flags = reader.byte()?;
    if flags >= LED << 1 {
        return Err(WireError::UnknownKind { what: "a mark of tasks", kind: flags });
    }
    let leader = if flags & LED != 0 { Some(reader.small()?) } else { None };
    let (pass, level) = (reader.small()?, reader.byte()?);
    let root = match flags & ROOT != 0 {
        true => {
            let place = read_place::<G>(reader)?;
            let width = u16::try_from(reader.number()?).map_err(|_| WireError::BadNumber)?;
            Some((place, Shape { width, quiescence: flags & QUIESCENCE != 0 }))
        }
        false => None,
    };
    let position = match &root {
        Some((place, _)) => place.position(),
        None => known(epoch)?,
    };
    let count = reader.count("ways of an order", MOST_TASKS)?;
    let mut ways = Vec::with_capacity(count);
    for _ in 0..count {
        let leaf = LeafId(reader.small()?);
        let (way, _) = read_way(reader, position, "the way to a task", Signature::LONGEST)?;
        ways.push((leaf, way));
    }
    let count = reader.count("tasks of an order", MOST_TASKS)?;
    let tasks = (0..count).map(|_| read_task(reader)).collect::<Result<_, _>>()?;
    let count = reader.count("tasks dropped by an order", MOST_TASKS)?;
    let dropped = (0..count).map(|_| reader.small().map(LeafId)).collect::<Result<_, _>>()?;
    let whole = flags & WHOLE != 0;
    Ok(Tasks { epoch, root, leader, pass, whole, level, dropped, ways, tasks })
}

fn write_task(writer: &mut Writer, task: &Task) {
    writer.number(task.leaf.0.into());
    writer.byte(task.depth);
    writer.byte(task.searched);
    writer.byte(task.due);
    for end in [task.window.0, task.window.1, task.pass_window.0, task.pass_window.1] {
        writer.signed(end.into());
    }
    writer.bytes(task.signature.ranks());
}

fn read_task(reader: &mut Reader<'_>) -> Result<Task, WireError> {
    let leaf = LeafId(reader.small()?);
    let (depth, searched, due) = (reader.byte()?, reader.byte()?, reader.byte()?);
    let window = read_window(reader)?;
    let pass_window = read_window(reader)?;
    let ranks = reader.bytes("ranks of a signature", Signature::LONGEST)?;
    let signature = Signature::from_ranks(ranks).ok_or(WireError::BadNumber)?;
    Ok(Task { leaf, depth, window, pass_window, signature, searched, due })
}

/// A window has room inside: a search without would not end well.
fn read_window(reader: &mut Reader<'_>) -> Result<(Worth, Worth), WireError> {
    let (low, high) = (read_worth(reader)?, read_worth(reader)?);
    if low < high { Ok((low, high)) } else { Err(WireError::BadNumber) }
}

fn read_worth(reader: &mut Reader<'_>) -> Result<Worth, WireError> {
    let worth = Worth::try_from(reader.signed()?).ok();
    worth.filter(|worth| (-HIGHEST..=HIGHEST).contains(worth)).ok_or(WireError::BadNumber)
}

pub(super) fn write_findings(writer: &mut Writer, nodes: u64, findings: &[Finding]) {
    writer.number(nodes);
    let count = findings.len().min(MOST_FINDINGS);
    writer.number(count as u64);
    for finding in &findings[..count] {
        writer.number(finding.leaf.0.into());
        writer.byte(finding.depth);
        writer.signed(finding.bounds.lower.into());
        writer.signed(finding.bounds.upper.into());
        writer.number(finding.nodes);
        writer.byte(finding.best);
    }
}

pub(super) fn read_findings(reader: &mut Reader<'_>) -> Result<(u64, Vec<Finding>), WireError> {
    let nodes = reader.number()?;
    let count = reader.count("findings", MOST_FINDINGS)?;
    let mut findings = Vec::with_capacity(count);
    for _ in 0..count {
        let (leaf, depth) = (LeafId(reader.small()?), reader.byte()?);
        let (lower, upper) = (read_worth(reader)?, read_worth(reader)?);
        if lower > upper {
            return Err(WireError::BadNumber);
        }
        let (bounds, nodes) = (Bounds { lower, upper }, reader.number()?);
        findings.push(Finding { leaf, depth, bounds, nodes, best: reader.byte()? });
    }
    Ok((nodes, findings))
}
