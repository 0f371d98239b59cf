//! Workers that are far away are stopped in time for their last word to count, and no answer
//! waits for them beyond its time.
#![allow(clippy::unwrap_used)]

mod support;

use std::time::Duration;

use senbon_core::pipeline::{Output, Pipeline, Settings};
use senbon_core::{Epoch, Limits, Opinion, Order, Place, Report, Score, Search, WorkerId};
use senbon_games::Notation;
use senbon_games::chess::Chess;

use support::able;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// When a search of one second is answered, by the default allowance.
const DEADLINE: Duration = ms(970);

/// A search of a second with these workers, by their round trips.
fn searching(round_trips: &[u64], ponder: bool) -> Pipeline<Chess> {
    let settings = Settings { ponder, ..Settings::default() };
    let mut pipeline = Pipeline::new(Chess::start(), settings);
    for (index, &round_trip) in round_trips.iter().enumerate() {
        let id = WorkerId(index as u32 + 1);
        pipeline.handle_joined(Duration::ZERO, id, able(0));
        pipeline.handle_round_trip(id, ms(round_trip));
    }
    let limits = Limits { move_time: Some(ms(1_000)), ..Limits::default() };
    let place = Place::new(Chess::start());
    let search = Search { epoch: Epoch(1), place, only: Vec::new(), lines: 1, limits };
    pipeline.handle_order(Duration::ZERO, Order::Search(search));
    pipeline
}

/// What was said since the last look: searches ordered, stops, and the answer.
#[derive(Default)]
struct Said {
    searches: Vec<(u32, Epoch)>,
    stops: Vec<u32>,
    answer: Option<String>,
}

fn said(pipeline: &mut Pipeline<Chess>) -> Said {
    let mut said = Said::default();
    while let Some(output) = pipeline.poll() {
        match output {
            Output::Below(WorkerId(id), Order::Search(search)) => {
                said.searches.push((id, search.epoch));
            }
            Output::Below(WorkerId(id), Order::Stop(_)) => said.stops.push(id),
            Output::Above(Report::Done { best, .. }) => {
                said.answer = best.map(|mv| Chess::start().format_move(mv));
            }
            _ => {}
        }
    }
    said
}

fn tell(pipeline: &mut Pipeline<Chess>, now: Duration, epoch: Epoch, text: &str) {
    let mv = Chess::start().parse_move(text).unwrap();
    let opinion = Opinion::new(Score::Centipawns(20), 10, vec![mv]);
    pipeline.handle_report(now, WorkerId(1), Report::Opinion { epoch, opinion });
}

#[test]
fn the_last_word_of_a_remote_worker_is_the_answer() {
    let mut pipeline = searching(&[300], false);
    let (_, epoch) = said(&mut pipeline).searches[0];
    tell(&mut pipeline, ms(400), epoch, "e2e4");
    said(&mut pipeline);
    // So that the stop and its answer have their round trip.
    let call = pipeline.poll_timeout().unwrap();
    assert_eq!(call, DEADLINE - ms(300));
    pipeline.handle_timeout(call);
    let after = said(&mut pipeline);
    assert!(after.stops == [1] && after.answer.is_none() && after.searches.is_empty());
    // No second call; the deadline is what is left.
    assert_eq!(pipeline.poll_timeout(), Some(DEADLINE));
    tell(&mut pipeline, ms(900), epoch, "d2d4");
    let best = Some(Chess::start().parse_move("d2d4").unwrap());
    pipeline.handle_report(ms(900), WorkerId(1), Report::Done { epoch, best, ponder: None });
    let answered = said(&mut pipeline);
    assert_eq!(answered.answer.as_deref(), Some("d2d4"));
    assert!(answered.stops.is_empty(), "it has stopped already");
}

#[test]
fn the_answer_does_not_wait_for_a_last_word_that_is_late() {
    let mut pipeline = searching(&[250], false);
    let (_, epoch) = said(&mut pipeline).searches[0];
    tell(&mut pipeline, ms(400), epoch, "e2e4");
    pipeline.handle_timeout(DEADLINE - ms(250));
    assert_eq!(said(&mut pipeline).stops, [1]);
    pipeline.handle_timeout(DEADLINE);
    assert_eq!(said(&mut pipeline).answer.as_deref(), Some("e2e4"));
    // And what comes then changes nothing.
    tell(&mut pipeline, DEADLINE + ms(1), epoch, "d2d4");
    assert!(said(&mut pipeline).answer.is_none());
}

#[test]
fn the_near_search_on_while_the_far_are_called() {
    let mut pipeline = searching(&[200, 0], false);
    let (id, epoch) = said(&mut pipeline).searches[0];
    assert_eq!(id, 1);
    tell(&mut pipeline, ms(100), epoch, "e2e4");
    // The far one has the root, the near one what was found; the far one is told of that.
    let (_, epoch) = said(&mut pipeline).searches.into_iter().find(|(id, _)| *id == 1).unwrap();
    pipeline.handle_timeout(DEADLINE - ms(200));
    assert_eq!(said(&mut pipeline).stops, [1]);
    let done = Report::Done { epoch, best: None, ponder: None };
    pipeline.handle_report(ms(900), WorkerId(1), done);
    assert!(said(&mut pipeline).answer.is_none(), "the near one still searches");
    pipeline.handle_timeout(DEADLINE);
    let end = said(&mut pipeline);
    assert!(end.answer.is_some() && end.stops == [2]);
}

#[test]
fn no_more_than_a_third_of_the_time_goes_to_the_call() {
    let pipeline = searching(&[5_000], false);
    assert_eq!(pipeline.poll_timeout(), Some(DEADLINE - DEADLINE / 3));
}

#[test]
fn whoever_goes_on_after_the_answer_is_not_stopped() {
    let mut pipeline = searching(&[300], true);
    assert_eq!(pipeline.poll_timeout(), Some(DEADLINE));
    said(&mut pipeline);
    pipeline.handle_timeout(DEADLINE - ms(300));
    assert!(said(&mut pipeline).stops.is_empty());
}
