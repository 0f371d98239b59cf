//! `senbon lab utility`: how many plies ahead of the game a greedily grown tree is.

use senbon_core::RankTable;
use serde_json::json;

use crate::args::lab::Utility;
use crate::report::Failure;

pub(crate) fn run(args: &Utility) -> Result<(), Failure> {
    let workers = args.workers.numbers();
    let most = workers.iter().max().copied().unwrap_or(1);
    let curve = |table: &RankTable| -> Vec<f64> {
        let all = table.utilities(most, args.ranks);
        workers.iter().map(|&workers| all[workers - 1]).collect()
    };
    let published = curve(&RankTable::published());
    let measured = args.table.as_ref().map(|file| curve(file.table()));
    if args.json {
        let rows = workers.iter().enumerate().map(|(index, workers)| {
            json!({ "workers": workers, "published": published[index],
                    "measured": measured.as_ref().map(|curve| curve[index]) })
        });
        let table = args.table.as_ref().map(|file| file.name());
        let rows: Vec<_> = rows.collect();
        println!("{}", json!({ "ranks": args.ranks, "table": table, "utility": rows }));
        return Ok(());
    }
    println!("workers  published{}", if measured.is_some() { "  measured" } else { "" });
    for (index, workers) in workers.iter().enumerate() {
        let measured = measured.as_ref().map(|curve| format!("  {:>8.4}", curve[index]));
        println!("{workers:>7}  {:>9.4}{}", published[index], measured.unwrap_or_default());
    }
    println!();
    if let Some(file) = &args.table {
        println!("published: pgpp-2015 Table 2; measured: {}", file.name());
    }
    println!(
        "U(T): how many of the moves that come on the board the tree holds already, on average \
         (pgpp-2015,\nequation 1). At 2.7, the position two or three plies on is under search \
         before it arises."
    );
    Ok(())
}
