//! What each strategy makes of its workers, step by step.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::time::Duration;

use senbon_core::pipeline::{Output, Pipeline, Settings, Strategy};
use senbon_core::{Epoch, Limits, Opinion, Order, Place, Report, Score, Search, WorkerId};
use senbon_games::chess::Chess;
use senbon_games::{Game, Notation};

use support::able;

type Move = <Chess as Game>::Move;

/// A pipeline with obedient workers that say what the test tells them to.
struct Master {
    pipeline: Pipeline<Chess>,
    now: Duration,
    orders: BTreeMap<WorkerId, Search<Chess>>,
    told: Vec<Report<Chess>>,
}

const NOW: Duration = Duration::from_millis(1);

impl Master {
    fn new(strategy: Strategy, workers: u32) -> Self {
        let settings = Settings { strategy, ..Settings::default() };
        let pipeline = Pipeline::new(Chess::start(), settings);
        let mut master = Master { pipeline, now: NOW, orders: BTreeMap::new(), told: Vec::new() };
        for id in 1..=workers {
            master.join(id);
        }
        master
    }

    fn join(&mut self, id: u32) {
        self.pipeline.handle_joined(self.now, WorkerId(id), able(0));
        self.drain();
    }

    fn go(&mut self, fen: Option<&str>, lines: usize) {
        let start = fen.map_or_else(Chess::start, |fen| Chess::parse_position(fen).unwrap());
        let limits = Limits { infinite: true, ..Limits::default() };
        let (epoch, place, only) = (Epoch(1), Place::new(start), Vec::new());
        let search = Search { epoch, place, only, lines, limits };
        self.pipeline.handle_order(self.now, Order::Search(search));
        self.drain();
    }

    fn stop(&mut self) -> Option<Move> {
        self.pipeline.handle_order(self.now, Order::Stop(Epoch(1)));
        self.drain();
        self.answer().expect("an answer to stop")
    }

    fn answer(&self) -> Option<Option<Move>> {
        self.told.iter().find_map(|report| match report {
            Report::Done { best, .. } => Some(*best),
            _ => None,
        })
    }

    fn drain(&mut self) {
        while let Some(output) = self.pipeline.poll() {
            match output {
                Output::Below(id, Order::Search(search)) => {
                    self.orders.insert(id, search);
                }
                Output::Below(id, Order::Stop(_)) => {
                    self.orders.remove(&id);
                }
                Output::Below(..) => {}
                Output::Above(report) => self.told.push(report),
            }
        }
    }

    /// A worker tells of lines of one move, best first, from so many centipawns downwards.
    fn rank(&mut self, id: WorkerId, moves: &[Move], best: i32) {
        let search = self.orders[&id].clone();
        for (rank, &mv) in moves.iter().enumerate() {
            let opinion = Opinion {
                rank,
                ..Opinion::new(Score::Centipawns(best - rank as i32), 5, vec![mv])
            };
            let report = Report::Opinion { epoch: search.epoch, opinion };
            self.pipeline.handle_report(self.now, id, report);
        }
        self.drain();
    }

    /// As [`Self::rank`] with the first of its moves, and its search is over.
    fn finish(&mut self, id: WorkerId) {
        let search = self.orders.remove(&id).unwrap();
        let moves = first_moves(&search);
        self.orders.insert(id, search.clone());
        self.rank(id, &moves[..search.lines.min(moves.len())], 20);
        let done = Report::Done { epoch: search.epoch, best: moves.first().copied(), ponder: None };
        self.pipeline.handle_report(self.now, id, done);
        self.drain();
    }

    /// Lets shallow searches end, one after the other, until there are none.
    fn finish_surveys(&mut self) {
        let mut surveys = 0;
        let shallow = |orders: &BTreeMap<WorkerId, Search<Chess>>| {
            orders.iter().find(|(_, search)| search.limits.depth.is_some()).map(|(&id, _)| id)
        };
        while let Some(id) = shallow(&self.orders) {
            self.finish(id);
            surveys += 1;
            assert!(surveys < 1_000, "surveys without an end");
        }
    }

    /// Workers at and below each child of the root.
    fn shares(&self) -> Vec<usize> {
        let tree = self.pipeline.tree();
        let children = tree.node(tree.root()).children();
        let ways: Vec<_> = tree.ids().into_iter().map(|id| tree.way(id)).collect();
        let below = |mv| ways.iter().filter(|way| way.first() == Some(&mv)).count();
        children.iter().map(|&child| below(tree.node(child).mv().unwrap())).collect()
    }
}

fn first_moves(search: &Search<Chess>) -> Vec<Move> {
    let all: Vec<_> = search.place.position().moves().into_iter().collect();
    if search.only.is_empty() { all } else { search.only.clone() }
}

#[test]
fn original_gpp_shares_its_workers_by_the_ratios() {
    let mut master = Master::new(Strategy::OriginalGpp, 16);
    master.go(None, 1);
    assert_eq!(master.orders.len(), 1, "a shallow search comes first");
    master.finish_surveys();
    // 1/4 of 16, then three quarters of that and so on, rounded; one stays for the others.
    assert_eq!(master.shares(), [4, 3, 2, 2, 1, 1, 1, 1]);
    assert_eq!(master.orders.len(), 16);
    assert!(master.orders.values().all(|search| search.limits.infinite));
    master.join(17);
    master.finish_surveys();
    assert_eq!(master.shares(), [4, 3, 2, 2, 1, 1, 1, 1, 1]);
}

#[test]
fn original_gpp_has_work_for_all_where_moves_are_few() {
    // The king has three moves.
    let mut master = Master::new(Strategy::OriginalGpp, 9);
    master.go(Some("7k/8/8/8/8/5R2/8/K7 b - - 0 1"), 1);
    master.finish_surveys();
    assert_eq!(master.pipeline.tree().len(), 9);
    assert_eq!(master.orders.len(), 9);
}

#[test]
fn original_gpp_starts_anew_at_every_root() {
    let mut master = Master::new(Strategy::OriginalGpp, 4);
    master.go(None, 1);
    master.finish_surveys();
    let mut place = master.pipeline.tree().place().clone();
    let best = master.stop().unwrap();
    place.play(best);
    let limits = Limits { infinite: true, ..Limits::default() };
    let search = Search { epoch: Epoch(2), place, only: Vec::new(), lines: 1, limits };
    master.pipeline.handle_order(NOW, Order::Search(search));
    master.drain();
    assert_eq!(master.pipeline.tree().len(), 1);
    assert_eq!(master.orders.len(), 1);
}

#[test]
fn root_split_takes_the_best_of_all_parts() {
    let mut master = Master::new(Strategy::RootSplit, 6);
    master.go(None, 3);
    let ids: Vec<_> = master.orders.keys().copied().collect();
    assert_eq!(ids.len(), 6);
    let sizes: Vec<_> = ids.iter().map(|id| master.orders[id].only.len()).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 20);
    assert!(sizes.iter().all(|&size| (3..=4).contains(&size)));
    for (index, &id) in ids.iter().enumerate() {
        let first = master.orders[&id].only[0];
        master.rank(id, &[first], 10 * index as i32);
    }
    let best = master.orders[&ids[5]].only[0];
    let second = master.orders[&ids[4]].only[0];
    let told = master.told.iter().rev().find_map(|report| match report {
        Report::Opinion { opinion, .. } if opinion.rank == 1 => Some(opinion.line[0]),
        _ => None,
    });
    assert_eq!(told, Some(second));
    assert_eq!(master.stop(), Some(best));
}

#[test]
fn root_split_deals_again_when_a_worker_is_lost() {
    let mut master = Master::new(Strategy::RootSplit, 3);
    master.go(None, 1);
    master.pipeline.handle_left(NOW, WorkerId(2));
    master.orders.remove(&WorkerId(2));
    master.drain();
    let dealt: usize = master.orders.values().map(|search| search.only.len()).sum();
    assert_eq!((master.orders.len(), dealt), (2, 20));
}

#[test]
fn several_lines_come_from_children_and_rest() {
    let mut master = Master::new(Strategy::Pipeline, 2);
    master.go(None, 4);
    let root = master.pipeline.tree().root();
    let id = master.pipeline.tree().node(root).worker().unwrap();
    let moves = first_moves(&master.orders[&id]);
    master.rank(id, &moves[..1], 30);
    // The best move has become a child; the rest is asked for the other lines.
    assert_eq!(master.pipeline.tree().node(root).children().len(), 1);
    assert_eq!(master.orders[&id].lines, 3);
    master.rank(id, &moves[1..4], 20);
    let choices = master.pipeline.tree().choices(root);
    let firsts: Vec<_> = choices.iter().map(|choice| choice.line[0]).collect();
    assert_eq!(firsts, moves[..4]);
    let ranks = master.told.iter().filter_map(|report| match report {
        Report::Opinion { opinion, .. } => Some(opinion.rank),
        _ => None,
    });
    assert_eq!(ranks.max(), Some(3));
}

#[test]
fn optimistic_pondering_keeps_what_the_root_thinks() {
    let mut master = Master::new(Strategy::OptimisticPondering, 3);
    master.go(None, 1);
    let root = master.pipeline.tree().root();
    let id = master.pipeline.tree().node(root).worker().unwrap();
    let best = first_moves(&master.orders[&id])[7];
    master.rank(id, &[best], 30);
    assert_eq!(master.pipeline.tree().node(root).children().len(), 1, "others ponder behind it");
    assert!(master.orders[&id].only.is_empty());
    assert_eq!(master.stop(), Some(best));
}

#[test]
fn optimistic_pondering_looks_at_all_moves_that_are_allowed() {
    let mut master = Master::new(Strategy::OptimisticPondering, 3);
    let place = Place::new(Chess::start());
    let allowed: Vec<_> = place.position().moves().into_iter().take(3).collect();
    let limits = Limits { infinite: true, ..Limits::default() };
    let search = Search { epoch: Epoch(1), place, only: allowed.clone(), lines: 1, limits };
    master.pipeline.handle_order(NOW, Order::Search(search));
    master.drain();
    let root = master.pipeline.tree().root();
    let id = master.pipeline.tree().node(root).worker().unwrap();
    master.rank(id, &allowed[..1], 30);
    assert_eq!(master.pipeline.tree().node(root).children().len(), 1);
    let mut only = master.orders[&id].only.clone();
    only.sort_unstable_by_key(|&mv| Chess::code(mv));
    let mut all = allowed;
    all.sort_unstable_by_key(|&mv| Chess::code(mv));
    assert_eq!(only, all, "also at the move that others ponder behind");
}

#[test]
fn ponder_only_has_many_workers_on_the_opponents_time_alone() {
    let mut master = Master::new(Strategy::PonderOnly, 4);
    master.pipeline.settings_mut().ponder = true;
    master.go(None, 1);
    let id = *master.orders.keys().next().unwrap();
    let best = first_moves(&master.orders[&id])[7];
    master.rank(id, &[best], 30);
    assert_eq!(master.orders.len(), 1, "one worker thinks");
    assert_eq!(master.stop(), Some(best));

    let mut replies = Vec::new();
    for count in 2..=4 {
        let reply = first_moves(&master.orders[&id])[count];
        master.rank(id, &[reply], 10);
        replies.push(reply);
        assert_eq!(master.orders.len(), count, "one more ponders on {reply}");
    }
    assert_eq!(master.shares(), [1, 1, 1], "on replies and not behind them");
    assert!(replies.iter().all(|reply| !master.orders[&id].only.contains(reply)));

    let place = master.pipeline.tree().place().after(replies[1]);
    let pondered = |orders: &BTreeMap<WorkerId, Search<Chess>>| {
        let (&id, search) = orders.iter().find(|(_, s)| s.place.moves() == place.moves()).unwrap();
        (id, search.epoch)
    };
    let before = pondered(&master.orders);
    let limits = Limits { infinite: true, ..Limits::default() };
    let search =
        Search { epoch: Epoch(1), place: place.clone(), only: Vec::new(), lines: 1, limits };
    master.pipeline.handle_order(NOW, Order::Search(search));
    master.drain();
    assert_eq!(master.orders.len(), 1, "the others stop");
    assert_eq!(pondered(&master.orders), before, "and it goes on without a stop");
}

#[test]
fn an_endless_search_of_a_finished_game_waits_for_stop() {
    let mut master = Master::new(Strategy::Pipeline, 1);
    master.go(Some("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 1);
    assert!(master.answer().is_none());
    let Some(Report::Opinion { opinion, .. }) = master.told.first() else { panic!("no score") };
    assert_eq!((opinion.score, opinion.depth), (Score::Centipawns(0), 0));
    assert_eq!(master.stop(), None);
}

#[test]
fn a_mate_that_was_asked_for_ends_the_search() {
    let mut master = Master::new(Strategy::Pipeline, 2);
    let start = Chess::parse_position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    let mate = start.parse_move("a1a8").unwrap();
    let limits = Limits { mate: Some(1), ..Limits::default() };
    let (epoch, place) = (Epoch(1), Place::new(start));
    let search = Search { epoch, place, only: Vec::new(), lines: 1, limits };
    master.pipeline.handle_order(NOW, Order::Search(search));
    master.drain();
    let root = master.pipeline.tree().root();
    let id = master.pipeline.tree().node(root).worker().unwrap();
    let epoch = master.orders[&id].epoch;
    let slow = Opinion::new(Score::Mates(5), 9, vec![mate]);
    master.pipeline.handle_report(NOW, id, Report::Opinion { epoch, opinion: slow });
    master.drain();
    assert_eq!(master.answer(), Some(Some(mate)), "as a node of its own it is mate at once");
}

#[test]
fn another_strategy_begins_with_another_tree() {
    let mut master = Master::new(Strategy::OriginalGpp, 5);
    master.go(None, 1);
    master.finish_surveys();
    master.pipeline.settings_mut().strategy = Strategy::RootSplit;
    master.go(None, 1);
    assert_eq!(master.pipeline.tree().len(), 1);
    let dealt: usize = master.orders.values().map(|search| search.only.len()).sum();
    assert_eq!(dealt, 20);
}

#[test]
fn the_published_pipeline_has_more_for_who_has_searched_a_position_out() {
    let mut master = Master::new(Strategy::PublishedPipeline, 2);
    master.go(None, 1);
    let root = *master.orders.keys().next().unwrap();
    let moves = first_moves(&master.orders[&root]);
    master.now += Duration::from_secs(1);
    master.rank(root, &moves[..1], 30);
    let other = *master.orders.keys().find(|&&id| id != root).expect("a node for the other");
    assert_eq!(master.orders[&other].place.moves(), &moves[..1]);
    // Nothing but the end of the tree ends a search without limits.
    master.finish(other);
    master.orders.remove(&other);
    master.now += Duration::from_secs(1);
    master.rank(root, &moves[1..2], 20);
    assert_eq!(master.orders[&other].place.moves(), &moves[1..2]);
}
