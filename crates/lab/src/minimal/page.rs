//! The page: Tables 1 to 7 and Figures 6 to 11, ours and the paper's beside each other.

use std::fmt::Write;

use super::analysis::correlation;
use super::ordering::share;
use super::paper::{self, Published};
use super::{Form, Kind, Method, Plan, Results, Row};

/// The page in Markdown. `run` says which run it is of.
pub fn markdown(plan: &Plan, results: &Results, run: &str) -> String {
    let mut text = introduction(plan, run);
    let (first, scout) = match (plan.kind(), Method::is_wide(plan.width)) {
        (Kind::Synthetic, _) => (1, 6),
        (Kind::Shogi, false) => (2, 7),
        (Kind::Shogi, true) => (3, 7),
    };
    let title = format!("Table {first}: search by many workers");
    let published = |method| {
        use Method::{Published, Share, WithoutUpdates};
        matches!(method, None | Some(Published | WithoutUpdates | Share))
    };
    searches(&mut text, plan, results, &title, published);
    picture(&mut text, "figure-8", "Speed-up by workers, of all methods", !results.rows.is_empty());
    updates(&mut text, plan, results);
    sharing(&mut text, plan, results);
    let title = format!("Table {scout}: NegaScout in the master");
    let scouts = |method| matches!(method, Some(Method::NegaScout | Method::Epsilon(_)));
    searches(&mut text, plan, results, &title, scouts);
    let others = |method| {
        use Method::{Crews, Extended, Front, Growing, Hasty, InStep};
        matches!(
            method,
            Some(InStep(_) | Extended(_) | Growing(_) | Hasty(_) | Crews(_) | Front(_))
        )
    };
    searches(&mut text, plan, results, "Methods the paper does not have", others);
    ordering(&mut text, results);
    forms(&mut text, plan, results);
    full_windows(&mut text, results);
    splits(&mut text, plan, results);
    cited(&mut text, plan);
    text
}

fn introduction(plan: &Plan, run: &str) -> String {
    let (kind, width, depth, reach) = plan.size();
    let name = match kind {
        Kind::Synthetic => "Synthetic trees",
        Kind::Shogi => "Shogi trees",
    };
    let costs = &plan.costs;
    let size = match paper::rows().any(|row| row.is_of(plan.size())) {
        true => "This size is one of the paper's.",
        false => {
            "This size is not one of the paper's: there is nothing to set beside it but what the \
             paper has for other sizes, at the end of the page."
        }
    };
    let conditions = conditions(plan);
    format!(
        "# {name}, b = {width}, d = {depth}, d' = {reach}\n\n\
         Minimal-tree search in virtual time (minimal-trees-2014, sections 4 and 5). {run}\n\n\
         {size}{conditions}\n\n\
         Costs: a worker's node {} ns; the master's visit {} ns, list of children {} ns, node judged {} ns, message {} ns \
         and {} ns for each task in it; from machine to machine {} us, from thread to thread \
         {} us and {} ns a message. Every search found the \
         value of the sequential one. Leaves are counted with those of all shallower \
         iterations.\n",
        costs.node,
        costs.visit,
        costs.open,
        costs.judge,
        costs.message,
        costs.item,
        costs.latency / 1_000,
        costs.wake / 1_000,
        costs.handover,
    )
}

/// What was asked for besides methods and numbers of workers: it changes what rows say.
fn conditions(plan: &Plan) -> String {
    let mut text = String::new();
    if plan.foremen > 0 {
        let _ = write!(text, " Workers stand under {} foremen.", plan.foremen);
    }
    if let Some(start) = plan.start {
        let _ = write!(
            text,
            " Where the search is in step, the master's tree has {start} plies at first."
        );
    }
    if plan.hurries {
        text += " Where the search is in step, levels do not wait for the last few tasks.";
    }
    if plan.stride != 2 {
        let _ = write!(text, " Workers and levels go {} plies deeper at a time.", plan.stride);
    }
    if plan.alone_stride != 2 {
        let _ = write!(
            text,
            " The sequential search goes {} plies deeper at a time.",
            plan.alone_stride
        );
    }
    if plan.scouts {
        text += " The sequential search is NegaScout, not alpha-beta.";
    }
    text
}

fn picture(text: &mut String, name: &str, what: &str, there: bool) {
    if there {
        let number = name.trim_start_matches("figure-");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n![Figure {number}: {what}]({name}.svg)");
    }
}

/// A value and the paper's.
fn beside(value: f64, digits: usize, paper: Option<f64>) -> String {
    format!("{value:.digits$} | {}", paper.map_or_else(String::new, |paper| paper.to_string()))
}

/// A table of searches: Tables 1, 2, 3, 6 and 7.
fn searches(
    text: &mut String,
    plan: &Plan,
    results: &Results,
    title: &str,
    wanted: impl Fn(Option<Method>) -> bool,
) {
    let rows: Vec<&Row> = results.rows.iter().filter(|row| wanted(row.method)).collect();
    let _ = writeln!(text, "\n## {title}\n");
    if rows.is_empty() {
        let _ = writeln!(text, "No such method was asked for (`--methods`).");
        return;
    }
    let _ = writeln!(
        text,
        "| workers | method | trees | time [s] | paper | speed-up | 95 % | paper | leaves [10^6] \
         | paper | of sequential | paper | start-up idle [s] | paper | other idle [s] | paper \
         | master busy |\n|{}",
        "---|".repeat(17)
    );
    let alone = paper::find(plan.size(), None, 1);
    for row in rows {
        let s = row.summary();
        let paper = paper::find(plan.size(), row.method, row.workers);
        let of = |value: fn(&Published) -> f64| paper.as_ref().map(value);
        let by_many = row.method.is_some();
        let interval = match s.interval {
            Some((low, high)) if by_many => format!("{low:.1} to {high:.1}"),
            _ => String::new(),
        };
        let ratio = of(|paper| paper.leaves).zip(alone.map(|alone| alone.leaves));
        let ratio = ratio.map(|(many, one)| (100.0 * many / one).round() / 100.0);
        let idle = |value: f64, paper| match by_many {
            true => beside(value, 3, paper),
            false => " | ".to_owned(),
        };
        let speedup = beside(s.speedup, 1, of(|paper| paper.speedup));
        let speedup = speedup.replacen('|', &format!("| {interval} |"), 1);
        let master = if by_many { format!("{:.0} %", 100.0 * s.master) } else { String::new() };
        let _ = writeln!(
            text,
            "| {} | {}{} | {} | {} | {speedup} | {} | {} | {} | {} | {master} |",
            row.workers,
            row.name(),
            epsilon(row.method, paper.as_ref()),
            row.runs.len(),
            beside(s.time, 3, of(|paper| paper.time)),
            beside(s.leaves / 1e6, 3, of(|paper| paper.leaves)),
            beside(s.leaves_ratio, 2, ratio),
            idle(s.start_up, of(|paper| paper.start_up)),
            idle(s.other, of(|paper| paper.other)),
        );
    }
}

/// Which epsilon the paper had, where ours is another.
fn epsilon(method: Option<Method>, paper: Option<&Published>) -> String {
    match (method, paper.and_then(|paper| paper.epsilon)) {
        (Some(Method::Epsilon(own)), Some(theirs)) if own as u16 != theirs => {
            format!(" (paper: {theirs})")
        }
        _ => String::new(),
    }
}

/// Figure 7 in numbers.
fn updates(text: &mut String, plan: &Plan, results: &Results) {
    let rows = ratios(plan, results, Method::Published, Method::WithoutUpdates);
    let _ = writeln!(text, "\n## Figure 7: with updates, of without\n");
    if rows.is_empty() {
        let _ = writeln!(text, "`--methods published,without-updates` would show it.");
        return;
    }
    let _ =
        writeln!(text, "| workers | search time | paper | leaves | paper |\n|---|---|---|---|---|");
    for (workers, time, leaves) in rows {
        let of = |method| paper::find(plan.size(), Some(method), workers);
        let pair = of(Method::Published).zip(of(Method::WithoutUpdates));
        let paper = |value: fn(&Published) -> f64| {
            let ratio = pair.map(|(with, without)| value(&with) / value(&without));
            ratio.map(|ratio| (1e3 * ratio).round() / 1e3)
        };
        let time = beside(time, 3, paper(|row| row.time));
        let leaves = beside(leaves, 3, paper(|row| row.leaves));
        let _ = writeln!(text, "| {workers} | {time} | {leaves} |");
    }
    picture(text, "figure-7", "Time and leaves with updates, of those without", true);
}

/// Workers, and time and leaves of one method by those of another.
fn ratios(plan: &Plan, results: &Results, one: Method, other: Method) -> Vec<(usize, f64, f64)> {
    let ratio = |&workers: &usize| {
        let row = |method| results.row(Some(method), workers).map(Row::summary);
        let (one, other) = (row(one)?, row(other)?);
        Some((workers, one.time / other.time, one.leaves / other.leaves))
    };
    plan.workers.iter().filter_map(ratio).collect()
}

/// Table 4.
fn sharing(text: &mut String, plan: &Plan, results: &Results) {
    let _ = writeln!(text, "\n## Table 4: search time with partly shared tables, of without\n");
    let rows = ratios(plan, results, Method::Share, Method::Published);
    if rows.is_empty() {
        let _ = writeln!(text, "`--methods published,share` would show it.");
        return;
    }
    if plan.kind() == Kind::Synthetic {
        let _ = writeln!(
            text,
            "The paper has this for shogi trees alone: ways meet there, and never in synthetic \
             trees.\n"
        );
    }
    let _ = writeln!(text, "| workers | ratio of search time | paper |\n|---|---|---|");
    for (workers, time, _) in rows {
        let own = (workers, plan.width, plan.depth, plan.reach);
        let is_own = |row: &&(usize, u8, u8, u8, f64)| {
            plan.kind() == Kind::Shogi && (row.0, row.1, row.2, row.3) == own
        };
        let paper = paper::TABLE_4.iter().find(is_own).map(|row| row.4);
        let _ = writeln!(text, "| {workers} | {} |", beside(time, 3, paper));
    }
}

/// Figure 6 in numbers.
fn ordering(text: &mut String, results: &Results) {
    let _ = writeln!(text, "\n## Figure 6: how well trees are ordered\n");
    if results.ordering.is_empty() {
        let _ = writeln!(text, "Not measured; `--ordering NODES` does.");
        return;
    }
    let _ = writeln!(
        text,
        "How often the best child of a node in a search of full window is still the best two \
         plies deeper.\n\n\
         | trees | b | plies | nodes | still the best | 95 % | paper |\n|---|---|---|---|---|---|---|"
    );
    for accuracy in &results.ordering {
        let (kind, width) = (accuracy.kind, accuracy.width);
        for &(depth, kept, all) in &accuracy.steps {
            let (percent, (low, high)) = share(kept, all);
            let paper = paper::ordering(kind, width, depth);
            let paper = paper.map_or_else(String::new, |paper| format!("{paper} %"));
            let _ = writeln!(
                text,
                "| {kind} | {width} | {} to {depth} | {all} | {percent:.1} % | {low:.1} to \
                 {high:.1} | {paper} |",
                depth - 2,
            );
        }
    }
    picture(text, "figure-6", "Best children that stay the best", true);
}

/// Figure 9 in numbers.
fn forms(text: &mut String, plan: &Plan, results: &Results) {
    let _ = writeln!(text, "\n## Figure 9: leaves of the sequential search\n");
    let increases = results.increases();
    let Some((_, names)) = increases.last() else {
        let _ = writeln!(text, "Not measured; leave `--no-analysis` out.");
        return;
    };
    let _ = writeln!(
        text,
        "In two stages, the lower {} plies with another table than the upper ones; how many times \
         the leaves of the baseline, where the lower stage shares one table and has narrow \
         windows. The paper prints no numbers.\n",
        plan.depth - plan.reach
    );
    let header: Vec<_> = names.iter().map(|(form, _): &(Form, f64)| form.name()).collect();
    let _ = writeln!(text, "| d | d' | {} |\n|{}", header.join(" | "), "---|".repeat(7));
    for (reach, increases) in &increases {
        let values: Vec<_> = increases.iter().map(|(_, value)| format!("{value:.3}")).collect();
        let depth = plan.depth - plan.reach + reach;
        let _ = writeln!(text, "| {depth} | {reach} | {} |", values.join(" | "));
    }
    picture(text, "figure-9", "Increase of leaves by tables and windows", true);
}

/// Figure 10 in numbers.
fn full_windows(text: &mut String, results: &Results) {
    let _ = writeln!(text, "\n## Figure 10: tasks that ended with a full window\n");
    let rows = results.rows.iter().filter_map(|row| {
        row.method?;
        Some((row, row.summary().full?))
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        let _ = writeln!(text, "Not counted in these searches.");
        return;
    }
    let _ = writeln!(
        text,
        "Of all searches of tasks to their full depth. The paper prints no numbers.\n\n\
         | workers | method | full windows |\n|---|---|---|"
    );
    for (row, full) in rows {
        let _ = writeln!(text, "| {} | {} | {:.1} % |", row.workers, row.name(), 100.0 * full);
    }
    picture(text, "figure-10", "Tasks with full windows by workers", true);
}

/// Table 5 and Figure 11.
fn splits(text: &mut String, plan: &Plan, results: &Results) {
    let _ = writeln!(text, "\n## Table 5: why more leaves are visited\n");
    let splits = results.splits();
    let Some(last) = splits.iter().max_by_key(|split| split.workers) else {
        let _ = writeln!(
            text,
            "Not measured: it needs the method `published` and the analysis, in a journal that \
             this version began."
        );
        return;
    };
    let head = "| workers | full windows (r) | table | windows | tasks | estimated | actual |";
    let _ = writeln!(
        text,
        "Leaves of the published method, of the sequential search's, as a product (section 5.3): \
         table = (1 - r) t_n + r t_f, windows = (1 - r) + r w, tasks = searches of tasks that \
         ended, of the sequential search's. All trees together:\n\n{head}\n|{}",
        "---|".repeat(7)
    );
    for split in &splits {
        let _ = writeln!(text, "| {} | {}", split.workers, factors(&split.together));
    }
    for paper in paper::TABLE_5 {
        let own = (plan.width, plan.depth, plan.reach);
        if plan.kind() == Kind::Shogi && paper.size == own {
            let [table, windows, tasks] = paper.factors;
            let _ = writeln!(
                text,
                "| paper, {} | | {table} | {windows} | {tasks} | {} | {} |",
                paper::TABLE_5_WORKERS,
                paper.estimated,
                paper.actual
            );
        }
    }
    let pairs: Vec<_> = last.trees.iter().map(|(_, one)| (one.estimated(), one.actual)).collect();
    let corr = match correlation(&pairs) {
        Some(corr) => format!("the correlation of estimated and actual is {corr:.3}"),
        None => "too few trees for a correlation".to_owned(),
    };
    let _ = writeln!(
        text,
        "\nEach tree by {} workers (Figure 11); {corr}:\n\n{}\n|{}",
        last.workers,
        head.replace("workers", "tree"),
        "---|".repeat(7)
    );
    for (tree, one) in &last.trees {
        let _ = writeln!(text, "| {} | {}", plan.name(*tree), factors(one));
    }
    picture(text, "figure-11", "Estimated and actual increase of leaves", true);
}

fn factors(one: &super::Factors) -> String {
    format!(
        "{:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} |",
        one.full,
        one.table,
        one.windows,
        one.tasks,
        one.estimated(),
        one.actual
    )
}

/// All that the paper has for trees of this kind and width.
fn cited(text: &mut String, plan: &Plan) {
    let is_like = |row: &Published| row.kind == plan.kind() && row.width == plan.width;
    let rows: Vec<_> = paper::rows().filter(is_like).collect();
    let _ = writeln!(text, "\n## What the paper has\n");
    if rows.is_empty() {
        let _ = writeln!(text, "Nothing for b = {}: it has 5 and 20.", plan.width);
        return;
    }
    let _ = writeln!(
        text,
        "32 trees, up to 1,536 cores of 2.4 GHz (section 4.3).\n\n\
         | table | d | d' | workers | method | time [s] | speed-up | leaves [10^6] \
         | start-up idle [s] | other idle [s] |\n|{}",
        "---|".repeat(10)
    );
    for row in rows {
        let none = String::new;
        let reach = if row.reach > 0 { row.reach.to_string() } else { none() };
        let epsilon = row.epsilon.map_or_else(none, |epsilon| format!(":{epsilon}"));
        let idle = match row.workers {
            1 => " | ".to_owned(),
            _ => format!("{} | {}", row.start_up, row.other),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {reach} | {} | {}{epsilon} | {} | {} | {} | {idle} |",
            row.table, row.depth, row.workers, row.method, row.time, row.speedup, row.leaves,
        );
    }
    if plan.kind() == Kind::Shogi {
        let _ = writeln!(
            text,
            "\nTable 5, by 1,536 workers:\n\n\
             | d | d' | table | windows | tasks | estimated | actual |\n|{}",
            "---|".repeat(7)
        );
        for row in paper::TABLE_5.iter().filter(|row| row.size.0 == plan.width) {
            let ([table, windows, tasks], (_, depth, reach)) = (row.factors, row.size);
            let _ = writeln!(
                text,
                "| {depth} | {reach} | {table} | {windows} | {tasks} | {} | {} |",
                row.estimated, row.actual
            );
        }
    }
}
