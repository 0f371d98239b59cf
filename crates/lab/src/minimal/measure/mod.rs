//! What things take on this machine: the costs that the virtual world is given.

mod threads;

use std::hint::black_box;
use std::time::{Duration, Instant};

use senbon_core::WorkerId;
use senbon_core::minimal::{Desk, Master, Settings};
use senbon_games::shogi::{Shogi, ShogiEvaluator};
use senbon_games::trees::{Incremental, IncrementalShape, TreeValue};
use senbon_games::{Branching, Game, HIGHEST, Promising};
use senbon_search::fixed::Fixed;

/// Nanoseconds of processor time.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// A worker's node of a shogi tree.
    pub shogi_node: f64,
    /// A worker's node of a synthetic tree, which is nothing but arithmetic.
    pub synthetic_node: f64,
    /// The master comes by a node it knows.
    pub visit: f64,
    /// The master lists the children of a node of a shogi tree.
    pub open: f64,
    /// The master judges such a node.
    pub judge: f64,
    /// A task is taken off the master's hands and put on a desk.
    pub item: f64,
    /// A message from thread to thread, to whoever writes or reads it.
    pub handover: f64,
    /// How long such a message takes to a thread that waits for it: time, not processor time.
    pub wake: f64,
    /// A node of a shogi tree where two threads share a memory, by how much slower it is than
    /// where they do not.
    pub shared: f64,
}

/// Measures on the tree of the `width` best moves below `position`.
pub fn measure(position: &Shogi, width: u8) -> Measured {
    let shogi = || Promising::new(ShogiEvaluator::default(), width.into());
    let shape = IncrementalShape::new(width.max(2), 24, 1);
    let (synthetic, values) = (Incremental::new(shape), Promising::new(TreeValue, width.into()));
    let open = listing(position, shogi());
    let (visit, judge, item) = passes(position, shogi(), open);
    let (handover, wake) = threads::messages();
    Measured {
        shogi_node: node(position, shogi(), 400_000),
        synthetic_node: synthetic.map_or(0.0, |root| node(&root, values, 20_000_000)),
        visit,
        open,
        judge,
        item,
        handover,
        wake,
        shared: threads::shared_node(position, width),
    }
}

fn node<G: Game, B: Branching<G>>(root: &G, branching: B, nodes: u64) -> f64 {
    deepen(&mut Fixed::new(root.clone(), branching, 1 << 30), root, nodes)
}

/// Searches deeper and deeper, about `nodes` nodes; nanoseconds of processor time for each.
fn deepen<G: Game, B: Branching<G>>(search: &mut Fixed<G, B>, root: &G, nodes: u64) -> f64 {
    let began = Watch::start();
    for depth in (2..24).step_by(2) {
        search.start(root, depth, -HIGHEST, HIGHEST);
        if search.run(nodes.saturating_sub(search.nodes().total())).is_none() {
            break;
        }
    }
    black_box(search.is_running());
    began.elapsed().as_nanos() as f64 / search.nodes().total() as f64
}

/// The children of a node, with the moves to them.
fn listing<G: Game, B: Branching<G>>(root: &G, mut branching: B) -> f64 {
    fn walk<G: Game, B: Branching<G>>(position: &mut G, branching: &mut B, depth: u8) -> u64 {
        let mut children = Vec::new();
        branching.children(position, &mut children);
        let mut listed = 1;
        for mv in children {
            branching.played(position, mv);
            let undo = position.play(mv);
            listed += if depth > 1 { walk(position, branching, depth - 1) } else { 0 };
            position.take_back(mv, undo);
            branching.taken_back();
        }
        listed
    }
    let mut position = root.clone();
    branching.reset(&position);
    let (began, mut listed, mut depth) = (Watch::start(), 0, 1);
    while listed < 20_000 && depth < 12 {
        listed += black_box(walk(&mut position, &mut branching, depth));
        depth += 1;
    }
    began.elapsed().as_nanos() as f64 / listed as f64
}

/// A visit, a node judged and a task handed over.
fn passes<G: Game, B: Branching<G>>(root: &G, branching: B, open: f64) -> (f64, f64, f64) {
    const AGAIN: u64 = 40;
    let mut master = Master::new(root.clone(), branching, Settings::best(20, 8));
    for worker in 0..64 {
        master.handle_joined(WorkerId(worker));
    }
    let mut desk = Desk::new(true);
    let began = Watch::start();
    let first = master.pass();
    let making = began.elapsed();
    let began = Watch::start();
    let mut items = 0;
    while let Some(sheet) = master.poll() {
        items += sheet.tasks.len();
        desk.handle_sheet(sheet.pass, &sheet.tasks, sheet.ways, sheet.whole);
    }
    let handing = began.elapsed();
    let began = Watch::start();
    let mut visits = 0;
    for _ in 0..AGAIN {
        visits += master.pass().visits;
        while master.poll().is_some() {}
    }
    let visit = began.elapsed().as_nanos() as f64 / visits.max(1) as f64;
    let judging =
        making.as_nanos() as f64 - visit * first.visits as f64 - open * first.opened as f64;
    let item = handing.as_nanos() as f64 / items.max(1) as f64;
    (visit, judging.max(0.0) / first.judged.max(1) as f64, item)
}

/// Processor time of this thread, where the kernel tells it: others may be at work.
struct Watch {
    wall: Instant,
    thread: Option<Duration>,
}

impl Watch {
    fn start() -> Self {
        Watch { thread: thread_time(), wall: Instant::now() }
    }

    fn elapsed(&self) -> Duration {
        let thread = thread_time().zip(self.thread).map(|(now, then)| now.saturating_sub(then));
        thread.unwrap_or_else(|| self.wall.elapsed())
    }
}

fn thread_time() -> Option<Duration> {
    // The kernel brings the figure up to date when the thread offers to give way.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
