//! What virtual time costs: a switch between searches, many searches against one, and the
//! memory of a worker: `cargo bench -p senbon-sim --bench paced`.
//!
//! Rates are by processor time, medians of rounds in which all contenders take turns.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::time::Duration;

use senbon_core::pipeline::Settings;
use senbon_core::{Epoch, Limits, Order, Place, Report, Search};
use senbon_engines::builtin::{Desk, Judged};
use senbon_games::Notation;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;
use senbon_search::{Free, Signals, Table};
use senbon_sim::{Happened, LinkProfile, MachineId, Mind, PacedWorker, Unwatched, Values, World};
use senbon_testkit::{Rates, thread_time};

const TABLE_BYTES: usize = 1 << 20;
/// What a worker on a link of 100 µs gets at a microsecond a node.
const SLICE: u64 = 100;

fn main() {
    // Without `--bench` it only has to run: that is how `cargo test --benches` calls it.
    let full = std::env::args().any(|argument| argument == "--bench");
    let (workers, nodes, rounds) = if full { (1_536, 300_000, 7) } else { (8, 20_000, 1) };
    switches(nodes, rounds);
    many::<Chess>(workers, nodes);
    many::<Shogi>(if full { 256 } else { 4 }, nodes);
    for count in if full { [60, 1_536] } else { [2, 8] } {
        world(count, Duration::from_millis(if full { 200 } else { 20 }));
    }
}

fn infinite<G: Judged>() -> Order<G> {
    let limits = Limits { infinite: true, ..Limits::default() };
    let place = Place::new(G::start());
    Order::Search(Search { epoch: Epoch(1), place, only: Vec::new(), lines: 1, limits })
}

fn worker<G: Judged>() -> PacedWorker<G> {
    let mut worker = PacedWorker::new(TABLE_BYTES, Duration::from_micros(1)).unwrap();
    worker.order(infinite());
    worker
}

fn run<G: Judged>(worker: &mut PacedWorker<G>, slice: u64, nodes: u64) -> u64 {
    (0..nodes / slice).map(|_| worker.run(slice, |_, _| {})).sum()
}

/// The same search free, in slices, and held at every node.
fn switches(nodes: u64, rounds: usize) {
    let mut free = || {
        let mut desk: Desk<Chess> = Desk::new(Table::with_bytes(TABLE_BYTES).into());
        let Order::Search(mut search) = infinite::<Chess>() else { return 0 };
        search.limits.nodes = Some(nodes);
        desk.search(&search, &Signals::default(), &mut Free, |_| {});
        nodes
    };
    let mut whole = || run::<Chess>(&mut worker(), nodes, nodes);
    let mut sliced = || run::<Chess>(&mut worker(), SLICE, nodes);
    let mut held = || run::<Chess>(&mut worker(), 1, nodes);
    let rates = Rates::measure(rounds, [&mut free, &mut whole, &mut sliced, &mut held]);
    println!("one chess search of {nodes} nodes, table of 1 MiB; nodes a second:");
    for (index, name) in ["free", "paced, one grant", "paced, grants of 100", "paced, grants of 1"]
        .iter()
        .enumerate()
    {
        println!("  {name:22} {:>10.0} {:>6.3}", rates.rate(index), rates.ratio(index, 0));
    }
    let switch = 1e9 / rates.rate(3) - 1e9 / rates.rate(1);
    println!("  a switch there and back {switch:.0} ns");
}

/// Many searches by turns on one thread, against one.
fn many<G: Judged>(count: usize, nodes: u64) {
    let alone = {
        let mut one = worker::<G>();
        let start = thread_time();
        let searched = run(&mut one, SLICE, nodes);
        searched as f64 / (thread_time() - start).as_secs_f64()
    };
    let before = resident_bytes();
    let mut workers: Vec<PacedWorker<G>> = (0..count).map(|_| worker()).collect();
    let start = thread_time();
    let mut searched = 0;
    for _ in 0..(nodes / SLICE / 10).max(1) {
        for worker in &mut workers {
            searched += worker.run(SLICE, |_, _| {});
        }
    }
    let rate = searched as f64 / (thread_time() - start).as_secs_f64();
    let bytes = resident_bytes().saturating_sub(before) / count as u64;
    println!(
        "{count} {} workers, {} nodes each, by turns of {SLICE}: {rate:.0} nodes/s, one alone \
         {alone:.0} ({:.2}); {bytes} bytes a worker, 1 MiB of it the table",
        G::NAME,
        searched / count as u64,
        rate / alone
    );
}

/// A whole world: the coordinator, its links, and so many searches at 10 µs a node.
fn world(count: usize, time: Duration) {
    let mut world: World<Chess, Values, ()> =
        World::new(Chess::start(), Settings::default(), Values, 1);
    let before = resident_bytes();
    for _ in 0..count {
        let worker = PacedWorker::new(TABLE_BYTES, Duration::from_micros(10)).unwrap();
        let id = world.add(Mind::Paced(Box::new(worker)), LinkProfile::LOCAL);
        world.connect(id);
    }
    let start = thread_time();
    let limits = Limits { move_time: Some(time), ..Limits::default() };
    let place = Place::new(Chess::start());
    let search = Search { epoch: Epoch(1), place, only: Vec::new(), lines: 1, limits };
    world.order(Order::Search(search), &mut Unwatched);
    while let Some(happened) = world.next(&mut Unwatched) {
        if matches!(happened, Happened::Above(Report::Done { .. })) {
            break;
        }
    }
    let took = (thread_time() - start).as_secs_f64();
    let nodes: u64 = (0..count)
        .map(|id| match world.mind(MachineId(id)) {
            Mind::Paced(worker) => worker.searched(),
            _ => 0,
        })
        .sum();
    let bytes = resident_bytes().saturating_sub(before) / count as u64;
    println!(
        "a pipeline of {count} chess workers, {time:?} of virtual time: {nodes} nodes, {} messages, \
         {:.0} nodes/s; tree of {} nodes; {bytes} bytes a worker",
        world.trace().events(),
        nodes as f64 / took,
        world.coordinator().pipeline().map_or(0, |pipeline| pipeline.tree().len()),
    );
}

/// Memory of this process that is really there.
fn resident_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}
