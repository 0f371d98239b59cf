//! `senbon lab list`: every experiment, what it reproduces and how long it takes. All of it
//! stands in the help of the experiments, so that there is one place to keep it true.

use clap::{Command, CommandFactory};
use serde_json::json;

use crate::args::Arguments;
use crate::args::lab::{List, REPRODUCES, TAKES};
use crate::report::Failure;

/// What is told of an experiment.
struct Entry {
    name: String,
    about: String,
    reproduces: String,
    takes: String,
}

pub(crate) fn run(args: &List) -> Result<(), Failure> {
    for entry in entries() {
        let Entry { name, about, reproduces, takes } = entry;
        if args.json {
            println!(
                "{}",
                json!({ "name": name, "about": about, "reproduces": reproduces, "takes": takes })
            );
        } else {
            println!("{name}\n  {about}\n  {REPRODUCES} {reproduces}\n  {TAKES} {takes}");
        }
    }
    if !args.json {
        println!("\nsenbon lab NAME --help tells the arguments.");
    }
    Ok(())
}

fn entries() -> Vec<Entry> {
    let program = Arguments::command();
    let lab = program.find_subcommand("lab");
    let experiments = lab.into_iter().flat_map(Command::get_subcommands);
    experiments.filter(|experiment| experiment.get_name() != "list").map(entry).collect()
}

fn entry(experiment: &Command) -> Entry {
    let facts = experiment.get_before_long_help().map(ToString::to_string).unwrap_or_default();
    let fact = |key: &str| {
        let found = facts.lines().find_map(|line| line.strip_prefix(key));
        found.map_or_else(|| "–".to_owned(), |text| text.trim().to_owned())
    };
    Entry {
        name: experiment.get_name().to_owned(),
        about: experiment.get_about().map(ToString::to_string).unwrap_or_default(),
        reproduces: fact(REPRODUCES),
        takes: fact(TAKES),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_says_what_it_reproduces_and_how_long_it_takes() {
        let entries = entries();
        let names: Vec<_> = entries.iter().map(|entry| entry.name.as_str()).collect();
        for name in ["solve", "rank-frequency", "utility", "pgpp", "fidelity", "regret", "fabric"] {
            assert!(names.contains(&name), "{names:?}");
        }
        for Entry { name, about, reproduces, takes } in &entries {
            assert!(about.len() > 20, "{name}: {about}");
            assert_ne!(reproduces, "–", "{name}: write '{REPRODUCES} …' into before_long_help");
            assert_ne!(takes, "–", "{name}: write '{TAKES} …' into before_long_help");
        }
    }
}
