//! What a vote makes of its voters, step by step and under random schedules.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::time::Duration;

use senbon_core::pipeline::{Output, Settings, Strategy};
use senbon_core::vote::{
    Arrival, Minutes, Plan, Purpose, Staff, Vote, VotePlan, VoterPlan, Weight,
};
use senbon_core::{Clock, Epoch, Limits, Opinion, Order, Place, Report, Score, Search, WorkerId};
use senbon_games::chess::{Chess, ChessEvaluator};
use senbon_games::{Game, Notation, Promising, Rng};
use senbon_testkit::seed;

use support::able;

type Move = <Chess as Game>::Move;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn voter(name: &str, weight: f64, workers: &[u32]) -> VoterPlan {
    let strategy = if workers.len() == 1 { Strategy::Single } else { Strategy::Pipeline };
    VoterPlan {
        name: name.to_owned(),
        weight: Weight::new(weight).unwrap(),
        nodes: None,
        depth: None,
        staff: Staff { own: workers.iter().copied().map(WorkerId).collect(), elsewhere: None },
        member: Plan::Pipeline(Settings { strategy, ..Settings::default() }),
    }
}

fn plan(voters: Vec<VoterPlan>, ponder: bool) -> VotePlan {
    let settings = Settings { ponder, overhead: ms(10), ..Settings::default() };
    VotePlan { settings, voters }
}

/// A vote whose workers say what the test tells them to.
struct Server {
    vote: Vote<Chess>,
    orders: BTreeMap<WorkerId, Search<Chess>>,
    told: Vec<Report<Chess>>,
    minutes: Vec<Minutes<Chess>>,
    now: Duration,
    place: Place<Chess>,
    epoch: Epoch,
}

impl Server {
    fn new(plan: VotePlan, workers: u32) -> Self {
        let mut server = Server {
            vote: Vote::new(&Chess::start(), plan, |shape| {
                Box::new(Promising::new(ChessEvaluator::default(), shape.width.into()))
            }),
            orders: BTreeMap::new(),
            told: Vec::new(),
            minutes: Vec::new(),
            now: ms(1),
            place: Place::new(Chess::start()),
            epoch: Epoch(0),
        };
        for id in 1..=workers {
            assert!(server.vote.handle_joined(server.now, WorkerId(id), able(0)));
        }
        server
    }

    /// Equal voters of one worker each.
    fn of(weights: &[f64], ponder: bool) -> Self {
        let voters = weights.iter().zip(1..).map(|(&w, id)| voter(&format!("v{id}"), w, &[id]));
        Server::new(plan(voters.collect(), ponder), weights.len() as u32)
    }

    fn go(&mut self, limits: Limits) {
        self.epoch = self.epoch.next();
        self.told.clear();
        let (epoch, place, only) = (self.epoch, self.place.clone(), Vec::new());
        let search = Search { epoch, place, only, lines: 1, limits };
        self.vote.handle_order(self.now, Order::Search(search));
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(output) = self.vote.poll() {
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
        self.minutes.extend(std::iter::from_fn(|| self.vote.poll_minutes()));
    }

    /// A worker tells of a line in the position it was given.
    fn says(&mut self, id: u32, line: &str) {
        self.says_with(id, line, Score::Centipawns(10));
    }

    fn says_with(&mut self, id: u32, line: &str, score: Score) {
        let search = &self.orders[&WorkerId(id)];
        let mut position = search.place.position().clone();
        let mut moves = Vec::new();
        for text in line.split(' ') {
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
            moves.push(mv);
        }
        let opinion = Opinion { nodes: 1000, ..Opinion::new(score, 5, moves) };
        let report = Report::Opinion { epoch: search.epoch, opinion };
        self.vote.handle_report(self.now, WorkerId(id), report);
        self.drain();
    }

    /// A worker ends its search of its own accord.
    fn ends(&mut self, id: u32, text: &str) {
        let search = self.orders.remove(&WorkerId(id)).unwrap();
        let best = Some(search.place.position().parse_move(text).unwrap());
        let report = Report::Done { epoch: search.epoch, best, ponder: None };
        self.vote.handle_report(self.now, WorkerId(id), report);
        self.drain();
    }

    fn wait(&mut self, time: Duration) {
        self.now += time;
        self.vote.handle_timeout(self.now);
        self.drain();
    }

    fn answer(&self) -> Option<String> {
        self.told.iter().find_map(|report| match report {
            Report::Done { best: Some(best), .. } => Some(self.place.position().format_move(*best)),
            _ => None,
        })
    }

    /// Where the workers are now, by the last moves of the way there.
    fn at(&self, id: u32) -> Vec<String> {
        let place = &self.orders[&WorkerId(id)].place;
        let mut position = place.start().clone();
        let text = |mv: &Move| {
            let text = position.format_move(*mv);
            position.play(*mv);
            text
        };
        place.moves().iter().map(text).collect()
    }

    fn play(&mut self, text: &str) {
        let mv = self.place.position().parse_move(text).unwrap();
        self.place.play(mv);
    }
}

fn clock(seconds: u64) -> Limits {
    let clock = Clock { time: Some(Duration::from_secs(seconds)), increment: None };
    Limits { clocks: [clock; 2], ..Limits::default() }
}

#[test]
fn the_majority_plays() {
    let mut server = Server::of(&[1.5, 1.0, 1.0, 1.0], false);
    server.go(Limits { move_time: Some(ms(1010)), ..Limits::default() });
    server.says(1, "d2d4 d7d5");
    server.says(2, "e2e4");
    server.says(3, "e2e4 e7e5");
    server.says(4, "c2c4");
    server.wait(ms(999));
    assert_eq!(server.answer(), None);
    server.wait(ms(1));
    assert_eq!(server.answer().as_deref(), Some("e2e4"));
    assert!(server.orders.is_empty(), "everybody rests");
    let spent: Vec<_> = server.vote.vows(server.now).iter().map(|vow| vow.nodes).collect();
    assert_eq!(spent, [1000; 4], "and what was done can still be seen");
    let minutes = &server.minutes[0];
    assert_eq!(minutes.sums.iter().map(|&(_, sum)| sum).collect::<Vec<_>>(), [2000, 1500, 1000]);
    let reply = server.told.iter().find_map(|report| match report {
        Report::Done { ponder, .. } => *ponder,
        _ => None,
    });
    assert!(reply.is_some(), "the answer that a voter for it expects");
}

#[test]
fn an_opinion_is_renewed_whenever_it_changes() {
    let mut server = Server::of(&[1.0, 1.0, 1.0], false);
    server.go(Limits { infinite: true, ..Limits::default() });
    for id in 1..=3 {
        server.says(id, "e2e4");
    }
    server.says(2, "d2d4");
    server.says(3, "d2d4");
    server.vote.handle_order(server.now, Order::Stop(server.epoch));
    server.drain();
    assert_eq!(server.answer().as_deref(), Some("d2d4"));
}

#[test]
fn agreement_halves_the_time_and_dissent_doubles_it() {
    // 60 seconds by 60 moves: a second each.
    for (votes, times) in [
        (["e2e4", "e2e4", "e2e4"], ms(500)),
        (["e2e4", "e2e4", "d2d4"], ms(1000)),
        (["e2e4", "c2c4", "d2d4"], ms(2000)),
    ] {
        let mut server = Server::of(&[1.0, 1.0, 1.0], false);
        server.go(clock(60));
        for (text, id) in votes.into_iter().zip(1..) {
            server.says(id, text);
        }
        assert_eq!(server.vote.poll_timeout(), Some(server.now + times), "{votes:?}");
        server.wait(times - ms(1));
        assert_eq!(server.answer(), None);
        server.wait(ms(1));
        assert_eq!(server.answer().as_deref(), Some("e2e4"));
    }
}

#[test]
fn a_final_majority_is_played_at_once() {
    let mut server = Server::of(&[1.0, 1.0, 1.0, 1.0], false);
    server.go(clock(600));
    server.ends(1, "e2e4");
    server.ends(2, "e2e4");
    assert_eq!(server.answer(), None, "half is no majority");
    server.says_with(3, "e2e4", Score::Mates(5));
    assert_eq!(server.answer().as_deref(), Some("e2e4"));
    assert!(server.minutes[0].vows[..3].iter().all(|vow| vow.is_final));
    assert!(!server.minutes[0].vows[3].is_final);
}

#[test]
fn a_book_shortens_the_time() {
    let mut server = Server::of(&[1.0, 1.0, 1.0], false);
    server.go(clock(60));
    server.ends(1, "e2e4");
    server.says(2, "c2c4");
    server.says(3, "d2d4");
    assert_eq!(server.vote.poll_timeout(), Some(server.now + ms(1000)), "instead of 2000");
}

#[test]
fn who_leaves_does_not_count_and_who_comes_does() {
    let mut server = Server::of(&[1.0, 1.0, 1.0], false);
    server.go(Limits { move_time: Some(ms(1010)), ..Limits::default() });
    server.says(1, "e2e4");
    server.says(2, "d2d4");
    server.says(3, "d2d4");
    server.vote.handle_left(server.now, WorkerId(2));
    server.vote.handle_left(server.now, WorkerId(3));
    server.drain();
    assert_eq!(server.vote.tally().winner().unwrap().weight, 1000);
    server.vote.handle_joined(server.now, WorkerId(3), able(0));
    server.drain();
    server.says(3, "c2c4");
    server.vote.handle_left(server.now, WorkerId(1));
    server.wait(ms(1000));
    assert_eq!(server.answer().as_deref(), Some("c2c4"));
    let here: Vec<_> = server.minutes[0].vows.iter().map(|vow| vow.present).collect();
    assert_eq!(here, [false, false, true]);
}

#[test]
fn when_all_are_gone_their_last_word_counts() {
    let mut server = Server::of(&[1.0, 1.0], false);
    server.go(Limits { move_time: Some(ms(1010)), ..Limits::default() });
    server.says(1, "g1f3");
    server.vote.handle_left(server.now, WorkerId(1));
    server.vote.handle_left(server.now, WorkerId(2));
    server.wait(ms(1000));
    assert_eq!(server.answer().as_deref(), Some("g1f3"));
}

#[test]
fn a_vote_with_nobody_there_still_answers_legally() {
    let mut server = Server::of(&[], false);
    server.go(Limits { move_time: Some(ms(100)), ..Limits::default() });
    server.wait(ms(100));
    assert!(server.answer().is_some());
}

#[test]
fn voters_with_limits_of_their_own_end_by_themselves() {
    let mut voters = vec![voter("a", 1.0, &[1]), voter("b", 1.0, &[2])];
    voters[0].nodes = Some(500);
    voters[1].depth = Some(7);
    let mut server = Server::new(plan(voters, false), 2);
    server.go(clock(600));
    assert_eq!(server.orders[&WorkerId(1)].limits.nodes, Some(500));
    assert_eq!(server.orders[&WorkerId(2)].limits.depth, Some(7));
    server.ends(1, "e2e4");
    assert_eq!(server.answer(), None);
    server.ends(2, "d2d4");
    assert_eq!(server.answer().as_deref(), Some("e2e4"), "a tie goes to the first");
    assert!(server.minutes[0].vows.iter().all(|vow| !vow.is_final), "limits are no certainty");
}

/// Section IV: think, predict for a shorter time, ponder; and back by a hit.
#[test]
fn the_three_phases_go_round() {
    let mut server = Server::of(&[1.0, 1.0], true);
    server.go(clock(60));
    server.says(1, "e2e4");
    server.says(2, "e2e4");
    server.wait(ms(500));
    assert_eq!(server.answer().as_deref(), Some("e2e4"));
    server.play("e2e4");
    assert_eq!(server.at(1), ["e2e4"], "phase 2");
    server.says(1, "e7e5");
    server.says(2, "e7e5");
    server.wait(ms(99));
    assert_eq!(server.at(1), ["e2e4"]);
    server.wait(ms(1));
    assert_eq!(server.at(1), ["e2e4", "e7e5"], "phase 3, after a fifth of the time");
    assert_eq!(server.minutes[1].purpose, Purpose::Prediction);
    server.says(1, "g1f3");
    server.says(2, "g1f3");
    server.wait(ms(5_000));
    server.play("e7e5");
    let before = server.orders[&WorkerId(1)].epoch;
    server.go(clock(60));
    assert_eq!(server.orders[&WorkerId(1)].epoch, before, "a hit: the voters go on");
    server.wait(ms(600));
    assert_eq!(server.answer().as_deref(), Some("g1f3"), "what was found before counts");
    assert_eq!(server.minutes[2].arrival, Arrival::Predicted);
}

#[test]
fn an_unexpected_move_alternates() {
    let mut server = Server::of(&[1.0], true);
    server.go(clock(60));
    server.says(1, "e2e4");
    server.wait(ms(500));
    server.says(1, "e7e5");
    server.wait(ms(500));
    server.play("e2e4");
    server.play("c7c5");
    server.go(clock(60));
    assert_eq!(server.at(1), ["e2e4", "c7c5"]);
    server.says(1, "g1f3");
    server.wait(ms(600));
    assert_eq!(server.answer().as_deref(), Some("g1f3"));
    assert_eq!(server.minutes.last().unwrap().arrival, Arrival::Alternated);
}

#[test]
fn pondering_for_a_gui_counts_from_the_hit() {
    let mut server = Server::of(&[1.0], false);
    server.go(Limits { ponder: true, ..clock(60) });
    server.says(1, "e2e4");
    server.wait(Duration::from_secs(100));
    assert_eq!(server.answer(), None);
    server.vote.handle_order(server.now, Order::PonderHit(server.epoch));
    assert_eq!(server.vote.poll_timeout(), Some(server.now + ms(500)));
    server.wait(ms(500));
    assert_eq!(server.answer().as_deref(), Some("e2e4"));
}

/// A vote of a pipeline and of a vote: the shape of Akara 2010.
#[test]
fn votes_nest() {
    let inner = plan(vec![voter("x", 1.0, &[3]), voter("y", 1.0, &[4])], false);
    let mut nested = voter("inner", 3.0, &[]);
    nested.member = Plan::Vote(Box::new(inner));
    let voters = vec![voter("single", 1.0, &[1]), voter("pipeline", 1.0, &[2, 5]), nested];
    let mut server = Server::new(plan(voters, false), 5);
    server.go(clock(60));
    server.says(1, "e2e4");
    server.says(2, "e2e4");
    server.says(3, "d2d4");
    server.wait(ms(100));
    server.ends(3, "d2d4");
    assert_eq!(server.answer(), None);
    server.ends(4, "d2d4");
    assert_eq!(server.answer().as_deref(), Some("d2d4"), "final, and more than half");
    let names: Vec<_> = server.vote.pipelines().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["single", "pipeline", "inner/x", "inner/y"]);
}

#[test]
fn workers_from_elsewhere_go_to_the_voter_that_names_them() {
    let mut voters = vec![voter("a", 1.0, &[1]), voter("b", 1.0, &[])];
    voters[1].staff.elsewhere = Some("fish".to_owned());
    let mut server = Server::new(plan(voters, false), 1);
    let named = |name: &str| senbon_core::Ability { name: name.to_owned(), ..able(0) };
    assert!(!server.vote.handle_joined(server.now, WorkerId(7), named("Toga on north")));
    assert!(server.vote.handle_joined(server.now, WorkerId(8), named("Stockfish 15 on north")));
    server.go(clock(60));
    assert_eq!(server.orders.keys().copied().collect::<Vec<_>>(), [WorkerId(1), WorkerId(8)]);
}

/// The log of Figure 3, in our words.
#[test]
fn the_log_says_who_voted_what() {
    let mut server = Server::of(&[2.9, 1.0, 0.1], false);
    server.go(clock(60));
    server.says(1, "e2e4");
    server.ends(2, "d2d4");
    server.wait(ms(1000));
    let text = server.minutes[0].to_string();
    let expected = "\
Position 0: my turn.
Time limits: max=1.00 fine=0.50 easy=0.25s
2 valid ballots of 3 voters.
sum = 2.90
2.90 e2e4 nps=     1.0K   1.00 v1
sum = 1.00
1.00 d2d4 nps=     0.0K   0.00 v2 final
0.10 v3 has no opinion
Play e2e4 after 1.00s.
";
    assert_eq!(text, expected);
}

/// Whatever comes, goes, lies or is late: every search is answered once, in time, by a legal
/// move of the position it was asked about.
#[test]
fn every_search_is_answered_in_time() {
    let mut rng = Rng::new(seed());
    for _ in 0..300 {
        let weights: Vec<_> =
            (0..1 + rng.below(4)).map(|_| 0.5 * (1 + rng.below(4)) as f64).collect();
        let mut server = Server::of(&weights, rng.one_in(2));
        for _ in 0..6 {
            let allowed = play_one_search(&mut server, weights.len() as u32, &mut rng);
            let answers = server.told.iter().filter_map(|r| match r {
                Report::Done { best, .. } => Some(*best),
                _ => None,
            });
            let answers: Vec<_> = answers.collect();
            assert_eq!(answers.len(), 1, "one answer");
            assert!(answers[0].is_some_and(|mv| allowed.contains(&mv)), "a legal one");
            server.place.play(answers[0].unwrap());
            let replies: Vec<Move> = server.place.position().moves().into_iter().collect();
            if replies.is_empty() {
                break;
            }
            server.place.play(replies[rng.below(replies.len())]);
            if server.place.position().moves().into_iter().next().is_none() {
                break;
            }
        }
    }
}

/// Random events until the search is answered; the legal moves it had.
fn play_one_search(server: &mut Server, workers: u32, rng: &mut Rng) -> Vec<Move> {
    let began = server.now;
    server.go(Limits { move_time: Some(ms(100)), ..Limits::default() });
    let allowed: Vec<Move> = server.place.position().moves().into_iter().collect();
    while server.answer().is_none() {
        let id = WorkerId(1 + rng.below(workers as usize) as u32);
        match rng.below(8) {
            0 => server.vote.handle_left(server.now, id),
            1 => {
                server.vote.handle_left(server.now, id);
                server.vote.handle_joined(server.now, id, able(0));
            }
            2 | 3 => {
                let timeout = server.vote.poll_timeout().expect("a limit in time");
                server.now = server.now.max(timeout.min(server.now + ms(7)));
            }
            kind => speak(server, id, kind, rng),
        }
        server.vote.handle_timeout(server.now);
        server.drain();
        assert!(server.now <= began + ms(100), "late");
    }
    allowed
}

/// A worker says something of its search, or of an older one, true or not.
fn speak(server: &mut Server, id: WorkerId, kind: usize, rng: &mut Rng) {
    let Some(search) = server.orders.get(&id) else { return };
    let epoch = if rng.one_in(4) { Epoch(rng.below(5) as u64) } else { search.epoch };
    let from = if rng.one_in(4) { Chess::start() } else { search.place.position().clone() };
    let moves: Vec<Move> = from.moves().into_iter().collect();
    let Some(&mv) = moves.get(rng.below(moves.len().max(1))) else { return };
    let report = if kind == 4 {
        Report::Done { epoch, best: (!rng.one_in(4)).then_some(mv), ponder: None }
    } else {
        let score = if rng.one_in(9) { Score::Mates(3) } else { Score::Centipawns(1) };
        Report::Opinion { epoch, opinion: Opinion::new(score, 3, vec![mv]) }
    };
    server.vote.handle_report(server.now, id, report);
}
