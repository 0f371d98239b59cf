//! A search whose workers never come or do not stay: it is answered all the same.
#![allow(clippy::unwrap_used)]

mod support;

use std::time::Duration;

use senbon_core::pipeline::{Output, Pipeline, Settings};
use senbon_core::{Epoch, Limits, Order, Place, Report, Search, WorkerId};
use senbon_games::Notation;
use senbon_games::chess::Chess;

use support::able;

fn search(limits: Limits) -> Order<Chess> {
    let place = Place::new(Chess::start());
    Order::Search(Search { epoch: Epoch(1), place, only: Vec::new(), lines: 1, limits })
}

fn begun(limits: Limits) -> Pipeline<Chess> {
    let mut pipeline = Pipeline::new(Chess::start(), Settings::default());
    pipeline.handle_order(Duration::ZERO, search(limits));
    pipeline
}

fn is_answered(pipeline: &mut Pipeline<Chess>) -> bool {
    let outputs: Vec<_> = std::iter::from_fn(|| pipeline.poll()).collect();
    outputs.iter().any(|output| {
        matches!(output, Output::Above(Report::Done { epoch: Epoch(1), best: Some(_), .. }))
    })
}

#[test]
fn nobody_comes() {
    let depth = Limits { depth: Some(3), ..Limits::default() };
    let mut pipeline = begun(depth);
    assert!(!is_answered(&mut pipeline));
    let until = pipeline.poll_timeout().unwrap();
    pipeline.handle_timeout(until - Duration::from_millis(1));
    assert!(!is_answered(&mut pipeline));
    pipeline.handle_timeout(until);
    assert!(is_answered(&mut pipeline));
    assert_eq!(pipeline.poll_timeout(), None);

    let mut patient = begun(Limits { infinite: true, ..Limits::default() });
    assert_eq!(patient.poll_timeout(), None, "only a stop ends it");
    patient.handle_order(Duration::from_secs(1), Order::Stop(Epoch(1)));
    assert!(is_answered(&mut patient));
}

#[test]
fn nobody_stays() {
    let mut pipeline = begun(Limits { nodes: Some(1_000_000), ..Limits::default() });
    let worker = WorkerId(1);
    for second in 0..100 {
        let now = Duration::from_secs(second);
        pipeline.handle_joined(now, worker, able(0));
        assert_eq!(pipeline.poll_timeout(), None, "a worker is there: no reason to give up");
        pipeline.handle_left(now, worker);
        pipeline.handle_timeout(now);
        if is_answered(&mut pipeline) {
            assert!(second > 1, "one crash is no reason to give up");
            return;
        }
    }
    panic!("never answered");
}
