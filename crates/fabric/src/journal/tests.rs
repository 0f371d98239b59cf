//! What is kept is found again, by the process after this one.

use senbon_core::pipeline::{Output, Pipeline, Settings};
use senbon_core::{
    Coordinator, Epoch, Known, Limits, Opinion, Order, Report, Score, Search, WorkerId,
};
use senbon_games::chess::Chess;
use senbon_games::{Game, Rng};
use senbon_testkit::{Folder, seed};

use super::*;

type Move = <Chess as Game>::Move;

fn place(moves: &str) -> Place<Chess> {
    let mut place = Place::new(Chess::start());
    for text in moves.split_whitespace() {
        let mv = place.position().parse_move(text).unwrap();
        place.play(mv);
    }
    place
}

fn line(place: &Place<Chess>, moves: &str) -> Vec<Move> {
    let mut position = place.position().clone();
    let mut line = Vec::new();
    for text in moves.split_whitespace() {
        let mv = position.parse_move(text).unwrap();
        position.play(mv);
        line.push(mv);
    }
    line
}

/// The root's rest prefers d4, the node after e4 answers e5.
fn memory(moves: &str, depth: u32) -> Memory<Chess> {
    let place = place(moves);
    let told = |score, moves: &str| {
        Some(Opinion { nodes: 5000, ..Opinion::new(score, depth, line(&place, moves)) })
    };
    let e4 = place.after(line(&place, "e2e4")[0]);
    let pipelines = vec![vec![
        Known { way: Vec::new(), opinion: told(Score::Centipawns(10), "d2d4 d7d5") },
        Known {
            way: line(&place, "e2e4"),
            opinion: Some(Opinion {
                nodes: 4000,
                ..Opinion::new(Score::Centipawns(-30), depth, line(&e4, "e7e5 g1f3"))
            }),
        },
    ]];
    Memory { place, pipelines }
}

#[test]
fn what_is_kept_is_found_by_the_next_process() {
    let folder = Folder::new("journal");
    let path = folder.path().join("game");
    let mut journal = GameJournal::open(&path).unwrap();
    assert!(journal.find(&place("")).is_none());
    journal.keep(&memory("", 9));
    drop(journal);
    let journal = GameJournal::open(&path).unwrap();
    let found = journal.find(&place("")).unwrap();
    assert_eq!(found.pipelines, memory("", 9).pipelines);
    let later = journal.find(&place("e2e4 e7e5")).unwrap();
    assert_eq!(later.place.moves().len(), 0, "a position on the way there");
    let other = Place::new(Chess::parse_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap());
    assert!(journal.find(&other).is_none(), "another game");
    let error = GameJournal::open(&path).err().unwrap().to_string();
    assert!(error.contains("cannot use the journal"), "one at a time: {error}");
}

#[test]
fn the_latest_position_counts_and_old_ones_go() {
    let folder = Folder::new("journal-many");
    let path = folder.path().join("game");
    let mut journal = GameJournal::open(&path).unwrap();
    let mut moves = String::new();
    for round in 0..40 {
        let text = ["g1f3", "g8f6", "f3g1", "f6g8"][round % 4];
        // The last of the same position replaces the one before it.
        for depth in [1, 2] {
            let at = place(&moves);
            let known = at.position().moves().into_iter().next().unwrap();
            let opinion = Some(Opinion::new(Score::Centipawns(1), depth, vec![known]));
            let pipelines = vec![vec![Known { way: Vec::new(), opinion }]];
            journal.waiting = Some(Box::new(Record::of(&Memory { place: at, pipelines })));
            while journal.waiting.is_some() {
                journal.flush();
            }
        }
        moves = format!("{moves} {text}");
    }
    drop(journal);
    let journal = GameJournal::open(&path).unwrap();
    assert_eq!(journal.found.len(), MOST_RECORDS as usize);
    let found = journal.find(&place(&moves)).unwrap();
    assert_eq!(found.place.moves().len(), 39);
    assert_eq!(found.pipelines[0][0].opinion.as_ref().unwrap().depth, 2);
}

#[test]
fn another_game_forgets() {
    let folder = Folder::new("journal-forget");
    let path = folder.path().join("game");
    let mut journal = GameJournal::open(&path).unwrap();
    journal.keep(&memory("", 9));
    journal.forget();
    drop(journal);
    assert!(GameJournal::open(&path).unwrap().find(&place("")).is_none());
}

/// A pipeline that remembers answers by it, and shallower opinions do not change that.
#[test]
fn a_pipeline_goes_on_where_another_was() {
    let mut coordinator: Coordinator<Chess> = Coordinator::new(
        &Chess::start(),
        Settings::default().into(),
        senbon_engines::builtin::tree,
    );
    let now = std::time::Duration::ZERO;
    let ability = senbon_core::Ability {
        name: "x".to_owned(),
        game: "chess".to_owned(),
        speed: 0,
        restricts: true,
        counts_nodes: true,
        harvests: false,
        several_lines: true,
        tasks: false,
        berth: None,
    };
    for id in 1..=2 {
        coordinator.handle_joined(now, WorkerId(id), ability.clone());
    }
    coordinator.remember(&memory("", 9));
    assert_eq!(coordinator.recall().unwrap().pipelines, memory("", 9).pipelines);
    let limits = Limits { infinite: true, ..Limits::default() };
    let (epoch, only) = (Epoch(1), Vec::new());
    let search = Search { epoch, place: place(""), only, lines: 1, limits };
    coordinator.handle_order(now, Order::Search(search));
    let mut tasks = Vec::new();
    while let Some(output) = coordinator.poll() {
        if let Output::Below(id, Order::Search(search)) = output {
            tasks.push((id, search));
        }
    }
    assert_eq!(tasks.len(), 2, "both nodes of the tree are searched again");
    for (id, search) in tasks {
        let first = search.only.first().copied();
        let first = first.or(search.place.position().moves().into_iter().next()).unwrap();
        let opinion = Opinion::new(Score::Centipawns(-400), 1, vec![first]);
        let report = Report::Opinion { epoch: search.epoch, opinion };
        coordinator.handle_report(now, id, report);
    }
    coordinator.handle_order(now, Order::Stop(Epoch(1)));
    let best = std::iter::from_fn(|| coordinator.poll()).find_map(|output| match output {
        Output::Above(Report::Done { best, .. }) => best,
        _ => None,
    });
    assert_eq!(best, Some(line(&place(""), "e2e4")[0]), "30 after e4 is better than 10");
}

/// Whatever stands in a file, what is read from it fits the rules.
#[test]
fn damaged_records_do_no_harm() {
    let mut rng = Rng::new(seed());
    let whole = Record::of(&memory("", 9)).text().into_bytes();
    let mut read = 0;
    for _ in 0..3000 {
        let mut text = whole.clone();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(text.len());
            text[at] = b"0123456789abcdefgh\"[]{},:"[rng.below(25)];
        }
        let Some(record) = Record::parse(&String::from_utf8_lossy(&text)) else { continue };
        let Some(memory) = record.memory(&Chess::start()) else { continue };
        read += 1;
        let mut pipeline: Pipeline<Chess> = Pipeline::new(Chess::start(), Settings::default());
        for known in &memory.pipelines {
            pipeline.remember(&memory.place, known);
        }
    }
    assert!(read > 100, "{read}");
}
