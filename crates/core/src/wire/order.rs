//! Orders as bytes.

use senbon_games::Notation;

use super::tasks;
use super::{
    MOST_HARVEST, MOST_HISTORY, MOST_MOVES, MOST_POSITION, Reader, WireError, Writer, read_choices,
    read_way, write_choices, write_way,
};
use crate::{Clock, Epoch, Limits, Order, Place, Search};

const SEARCH: u8 = 1;
const STOP: u8 = 2;
const PONDER_HIT: u8 = 3;
const HARVEST: u8 = 4;
const NEW_GAME: u8 = 5;
const TASKS: u8 = 6;

/// Every kind of order with its number, as docs/protocol.md lists them.
#[cfg(test)]
pub(super) const KINDS: [(u8, &str); 6] = [
    (SEARCH, "search"),
    (STOP, "stop"),
    (PONDER_HIT, "ponder hit"),
    (HARVEST, "harvest"),
    (NEW_GAME, "new game"),
    (TASKS, "tasks"),
];

pub(super) fn write<'a, G: Notation + 'a>(
    writer: &mut Writer,
    order: &Order<G>,
    position: impl Fn(Epoch) -> Result<&'a G, WireError>,
) -> Result<(), WireError> {
    match order {
        Order::Search(search) => {
            writer.byte(SEARCH);
            writer.number(search.epoch.0);
            write_place(writer, &search.place)?;
            write_choices(writer, search.place.position(), &search.only, "a move to search")?;
            writer.number(search.lines.clamp(1, MOST_MOVES) as u64);
            write_limits(writer, &search.limits);
        }
        Order::Stop(epoch) => {
            writer.byte(STOP);
            writer.number(epoch.0);
        }
        Order::PonderHit(epoch) => {
            writer.byte(PONDER_HIT);
            writer.number(epoch.0);
        }
        Order::Harvest { epoch, place, count } => {
            writer.byte(HARVEST);
            writer.number(epoch.0);
            write_place(writer, place)?;
            writer.number((*count).min(MOST_HARVEST) as u64);
        }
        Order::NewGame => writer.byte(NEW_GAME),
        Order::Tasks(tasks) => {
            writer.byte(TASKS);
            tasks::write(writer, tasks, position)?;
        }
    }
    Ok(())
}

pub(super) fn read<'a, G: Notation + 'a>(
    reader: &mut Reader<'_>,
    position: impl Fn(Epoch) -> Result<&'a G, WireError>,
) -> Result<Order<G>, WireError> {
    Ok(match reader.byte()? {
        SEARCH => {
            let epoch = Epoch(reader.number()?);
            let place = read_place(reader)?;
            let only = read_choices(reader, place.position(), "a move to search")?;
            let lines = at_most(reader.number()?, "lines asked for", MOST_MOVES)?.max(1);
            Order::Search(Search { epoch, place, only, lines, limits: read_limits(reader)? })
        }
        STOP => Order::Stop(Epoch(reader.number()?)),
        PONDER_HIT => Order::PonderHit(Epoch(reader.number()?)),
        HARVEST => {
            let epoch = Epoch(reader.number()?);
            let place = read_place(reader)?;
            let count = at_most(reader.number()?, "positions asked for", MOST_HARVEST)?;
            Order::Harvest { epoch, place, count }
        }
        NEW_GAME => Order::NewGame,
        TASKS => Order::Tasks(tasks::read(reader, position)?),
        kind => return Err(WireError::UnknownKind { what: "an order", kind }),
    })
}

fn at_most(number: u64, what: &'static str, most: usize) -> Result<usize, WireError> {
    let small = usize::try_from(number).ok().filter(|&number| number <= most);
    small.ok_or(WireError::TooMany { what, most })
}

pub(super) fn write_place<G: Notation>(
    writer: &mut Writer,
    place: &Place<G>,
) -> Result<(), WireError> {
    let start = place.start().format_position();
    for (what, most, count) in [
        ("the start position", MOST_POSITION, start.len()),
        ("moves of a game", MOST_HISTORY, place.moves().len()),
    ] {
        if count > most {
            return Err(WireError::TooMany { what, most });
        }
    }
    writer.text(&start, MOST_POSITION);
    write_way(writer, place.start(), place.moves(), "moves of a game")?;
    Ok(())
}

pub(super) fn read_place<G: Notation>(reader: &mut Reader<'_>) -> Result<Place<G>, WireError> {
    let what = "the start position";
    let text = reader.text(what, MOST_POSITION)?;
    let start = G::parse_position(text).map_err(|why| WireError::BreaksRules { what, why })?;
    let (moves, _) = read_way(reader, &start, "moves of a game", MOST_HISTORY)?;
    let mut place = Place::new(start);
    for mv in moves {
        place.play(mv);
    }
    Ok(place)
}

const INFINITE: u64 = 1 << 10;
const PONDER: u64 = 1 << 11;

/// A number whose bits say which limits are set, then those that are, in this order.
fn write_limits(writer: &mut Writer, limits: &Limits) {
    let time = |time: Option<std::time::Duration>| {
        time.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
    };
    let [first, second] = limits.clocks;
    let values = [
        time(first.time),
        time(first.increment),
        time(second.time),
        time(second.increment),
        time(limits.byoyomi),
        limits.moves_to_go.map(u64::from),
        time(limits.move_time),
        limits.depth.map(u64::from),
        limits.nodes,
        limits.mate.map(u64::from),
    ];
    let mut set = values.iter().rev().fold(0, |set, value| set << 1 | u64::from(value.is_some()));
    set |= if limits.infinite { INFINITE } else { 0 };
    set |= if limits.ponder { PONDER } else { 0 };
    writer.number(set);
    for value in values.into_iter().flatten() {
        writer.number(value);
    }
}

fn read_limits(reader: &mut Reader<'_>) -> Result<Limits, WireError> {
    let set = reader.number()?;
    if set >= PONDER << 1 {
        return Err(WireError::UnknownKind { what: "a limit", kind: set.ilog2() as u8 });
    }
    let mut bit = 0;
    let mut is_set = || {
        bit += 1;
        set >> (bit - 1) & 1 == 1
    };
    macro_rules! limit {
        ($read:ident) => {
            if is_set() { Some(reader.$read()?) } else { None }
        };
    }
    Ok(Limits {
        clocks: [
            Clock { time: limit!(time), increment: limit!(time) },
            Clock { time: limit!(time), increment: limit!(time) },
        ],
        byoyomi: limit!(time),
        moves_to_go: limit!(small),
        move_time: limit!(time),
        depth: limit!(small),
        nodes: limit!(number),
        mate: limit!(small),
        infinite: is_set(),
        ponder: is_set(),
    })
}
