//! Passes a second of a minimal-tree master, on a tree of about 100,000 nodes.
//!
//! Every pass is made anew because one finding came, as in a search; those of the published
//! form sort the children of every node they come by, those in step do not:
//! `cargo bench -p senbon-core --bench minimal`.
#![allow(clippy::unwrap_used)]

use senbon_core::WorkerId;
use senbon_core::minimal::{Finding, LeafId, Master, Settings};
use senbon_games::trees::{Incremental, IncrementalShape, TreeValue};
use senbon_games::{Bounds, Promising};
use senbon_testkit::Rates;

fn main() {
    // Without `--bench` it only has to run: that is how `cargo test --benches` calls it.
    let full = std::env::args().any(|argument| argument == "--bench");
    let (reach, rounds, passes) = if full { (12, 9, 20) } else { (6, 1, 2) };
    let published = Settings::published(24, reach);
    let forms = [("published", published), ("in step", Settings::best(24, reach))];
    let mut masters = forms.map(|(_, settings)| master(settings));
    let sizes = masters.each_ref().map(|master| master.size().0);
    let [one, other] = &mut masters;
    let mut first = || work(one, passes);
    let mut second = || work(other, passes);
    let visits = [first(), second()];
    let rates = Rates::measure(rounds, [&mut first, &mut second]);
    println!("{:12} {:>9} {:>12} {:>10} {:>9}", "", "nodes", "visits/pass", "visits/s", "passes/s");
    for (index, (name, _)) in forms.iter().enumerate() {
        let a_pass = visits[index] as f64 / passes as f64;
        let (size, rate) = (sizes[index], rates.rate(index));
        println!("{name:12} {size:9} {a_pass:12.0} {rate:10.0} {:9.0}", rate / a_pass);
    }
    println!("in step / published: {:.2}", rates.ratio(1, 0));
}

fn master(settings: Settings) -> Master<Incremental, Promising<TreeValue>> {
    let root = Incremental::new(IncrementalShape::new(5, 24, 1)).unwrap();
    let mut master = Master::new(root, Promising::new(TreeValue, 5), settings);
    for worker in 0..1_536 {
        master.handle_joined(WorkerId(worker));
    }
    master.pass();
    master
}

/// So many passes, each after a finding that changes nothing; nodes come by.
fn work(master: &mut Master<Incremental, Promising<TreeValue>>, passes: u32) -> u64 {
    let nothing = Finding { leaf: LeafId(0), depth: 2, bounds: Bounds::NONE, nodes: 0, best: 0 };
    (0..passes)
        .map(|_| {
            master.handle_finding(&nothing);
            let visits = master.pass().visits;
            while master.poll().is_some() {}
            visits
        })
        .sum()
}
