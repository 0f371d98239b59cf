//! The documents say what the code says, and the source keeps the house rules.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Files below `folder` whose name ends in `ending`, build folders left out.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(files(&path, ending));
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The direct dependencies of one manifest.
#[derive(Default)]
struct Manifest {
    normal: BTreeSet<String>,
    dev: BTreeSet<String>,
}

/// Package name and dependencies of every crate. Reads only the shape our manifests have.
fn manifests() -> BTreeMap<String, Manifest> {
    let mut all = BTreeMap::new();
    for path in files(&root().join("crates"), "Cargo.toml") {
        let mut manifest = Manifest::default();
        let mut name = String::new();
        let mut section = String::new();
        for line in fs::read_to_string(&path).unwrap().lines() {
            let key = line.split(['=', '.', ' ']).next().unwrap_or_default();
            if line.starts_with('[') {
                section = line.trim_matches(['[', ']']).to_owned();
            } else if section == "package" && key == "name" {
                name = line.split('"').nth(1).unwrap().to_owned();
            } else if key.is_empty() || key.starts_with('#') {
            } else if section.ends_with("dev-dependencies") {
                manifest.dev.insert(key.to_owned());
            } else if section.ends_with("dependencies") {
                manifest.normal.insert(key.to_owned());
            }
        }
        all.insert(name, manifest);
    }
    assert!(all.contains_key("senbon"), "no manifest of the program found");
    all
}

/// The cells of every table row in `text` whose first cell is a name in backquotes.
fn rows(text: &str) -> Vec<Vec<String>> {
    text.lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

fn names_in(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn architecture_names_every_crate_and_its_dependencies() {
    let rooms = rows(&text("ARCHITECTURE.md"));
    let order: Vec<String> = rooms.iter().map(|row| names_in(&row[0])[0].clone()).collect();
    let manifests = manifests();
    let named: BTreeSet<&String> = order.iter().collect();
    assert_eq!(named, manifests.keys().collect(), "rooms in ARCHITECTURE.md against crates/");

    for (at, row) in rooms.iter().enumerate() {
        let name = &order[at];
        let folder = &names_in(&row[1])[0];
        assert!(root().join(folder).join("Cargo.toml").exists(), "{name}: no crate in {folder}");
        let may_use = names_in(&row[3]);
        for used in &may_use {
            assert!(order[at + 1..].contains(used), "{name} may use {used}, which is not below it");
        }
        let ours = manifests[name].normal.iter().filter(|used| used.starts_with("senbon"));
        for used in ours {
            assert!(may_use.contains(used), "{name} uses {used}; ARCHITECTURE.md forbids it");
            assert_ne!(used, "senbon-testkit", "{name} needs the testkit outside its tests");
        }
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let page = text("docs/dependencies.md");
    let (program, tests_only) = page.split_once("## In tests").expect("two tables");
    let listed = |part: &str| -> BTreeSet<String> {
        rows(part).iter().map(|row| names_in(&row[0])[0].clone()).collect()
    };
    let (in_program, in_tests) = (listed(program), listed(tests_only));
    let mut normal = BTreeSet::new();
    let mut dev = BTreeSet::new();
    for manifest in manifests().into_values() {
        normal.extend(manifest.normal);
        dev.extend(manifest.dev);
    }
    normal.retain(|name| !name.starts_with("senbon"));
    dev.retain(|name| !name.starts_with("senbon") && !normal.contains(name));
    assert_eq!(in_program, normal, "docs/dependencies.md against dependencies in use");
    assert_eq!(in_tests, dev, "docs/dependencies.md against dev-dependencies in use");
}

#[test]
fn links_in_documents_lead_somewhere() {
    let mut checked = 0;
    for path in files(&root(), ".md") {
        let page = fs::read_to_string(&path).unwrap();
        for link in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") || link.starts_with('#') {
                continue;
            }
            let target = path.parent().unwrap().join(link.split('#').next().unwrap());
            assert!(target.exists(), "{}: no {link}", path.display());
            checked += 1;
        }
    }
    assert!(checked > 5, "only {checked} links found");
}

#[test]
fn changelog_has_room_for_the_next_version() {
    let changelog = text("CHANGELOG.md");
    let first = changelog.lines().find(|line| line.starts_with("## "));
    assert_eq!(first, Some("## [Unreleased]"));
}

#[test]
fn sources_keep_the_house_rules() {
    // Put together here, so that this file does not trip over its own words.
    let unfinished =
        [["TO", "DO"].concat(), ["FIX", "ME"].concat(), ["unimpl", "emented!"].concat()];
    let mut sources = files(&root().join("crates"), ".rs");
    sources.extend(files(&root().join("fuzz"), ".rs"));
    for path in sources {
        let source = fs::read_to_string(&path).unwrap();
        let place = path.strip_prefix(root()).unwrap_or(&path).display();
        assert!(source.starts_with("//!"), "{place}: the first lines say what the file is for");
        let lines = source.lines().count();
        assert!(lines <= 800, "{place}: {lines} lines; make it a folder");
        for word in &unfinished {
            assert!(!source.contains(word), "{place}: {word} left behind");
        }
    }
}
