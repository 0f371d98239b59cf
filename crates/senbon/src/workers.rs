//! `senbon workers`: who works for a master.

use std::io::{self, Write};

use senbon_fabric::carrier::Net;
use serde_json::Value;

use crate::args::workers::Workers;
use crate::report::Failure;

pub(crate) fn run(args: &Workers) -> Result<(), Failure> {
    let security = args.protection.choose(&args.connect)?;
    let states = Net::ask(&args.connect, security.credentials(), args.patience())?;
    let mut out = io::stdout().lock();
    for text in states {
        let state: Value = serde_json::from_str(&text)
            .map_err(|error| anyhow::anyhow!("the master's answer cannot be read: {error}"))?;
        if args.json {
            writeln!(out, "{state}")?;
        } else {
            out.write_all(table(&state).as_bytes())?;
        }
    }
    Ok(())
}

const HEAD: [&str; 9] = [
    "worker",
    "host",
    "engine",
    "slots",
    "nodes/s",
    "latency",
    "searching",
    "restarts",
    "last fault",
];

/// The state as a table for people.
fn table(state: &Value) -> String {
    let list = |name: &str| state[name].as_array().cloned().unwrap_or_default();
    let mut rows = vec![HEAD.map(str::to_owned)];
    rows.extend(list("workers").iter().map(row));
    rows.extend(list("gone").iter().map(|gone| {
        let mut row = row(gone);
        row[2] = "gone".to_owned();
        row
    }));
    let mut widths = [0; HEAD.len()];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    if rows.len() == 1 {
        text.push_str("no workers\n");
    }
    if let Some(line) = state["refused"].as_str() {
        text.push_str(&clean(line));
        text.push('\n');
    }
    text
}

fn row(worker: &Value) -> [String; 9] {
    let text = |name: &str| worker[name].as_str().map_or_else(|| "-".to_owned(), clean);
    let number =
        |name: &str| worker[name].as_u64().map_or_else(|| "-".to_owned(), |n| n.to_string());
    let searching = match (worker["searching"].as_array(), worker["depth"].as_u64()) {
        (Some(way), depth) => {
            let way: Vec<_> = way.iter().filter_map(Value::as_str).map(clean).collect();
            let way = if way.is_empty() { "root".to_owned() } else { way.join(" ") };
            format!("{way} (depth {})", depth.unwrap_or(0))
        }
        _ => "-".to_owned(),
    };
    [
        number("worker"),
        text("host"),
        text("engine"),
        number("slots"),
        number("nps"),
        worker["latency_ms"].as_f64().map_or_else(|| "-".to_owned(), |ms| format!("{ms:.1} ms")),
        searching,
        number("restarts"),
        text("last_fault"),
    ]
}

/// Names and reasons come from other machines: nothing of theirs may steer the terminal.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).take(120).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_table_shows_who_is_there_and_who_is_gone() {
        let state = json!({
            "workers": [
                {"worker": 1, "host": "here", "engine": "Senbon", "slots": 1, "nps": 900,
                 "latency_ms": null, "searching": [], "depth": 7, "restarts": 0, "last_fault": null},
                {"worker": 12, "host": "attic\u{1b}[2J", "engine": "Stockfish 16", "slots": 8,
                 "nps": 1200000, "latency_ms": 0.44, "searching": ["e2e4", "e7e5"], "depth": 20,
                 "restarts": 3, "last_fault": "no sign of life for 1.0 s"},
            ],
            "gone": [{"host": "cellar", "restarts": 1, "last_fault": "its owner ended it"}],
            "refused": "refused: revoked",
        });
        let table = table(&state);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 5, "{table}");
        assert!(lines[0].starts_with("worker  host"), "{table}");
        assert!(lines[1].contains("root (depth 7)"), "{table}");
        assert!(
            lines[2].contains("0.4 ms") && lines[2].contains("e2e4 e7e5 (depth 20)"),
            "{table}"
        );
        assert!(lines[3].contains("cellar") && lines[3].contains("gone"), "{table}");
        assert!(!table.contains('\u{1b}'), "{table}");
        assert!(super::table(&json!({})).contains("no workers"));
    }
}
