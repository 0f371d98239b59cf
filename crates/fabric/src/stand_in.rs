//! A worker that does not search: it answers every search after a pause. For measuring what
//! lies between a master and its workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use senbon_core::{Ability, Opinion, Order, Report, Score, Search};
use senbon_engines::process::Told;
use senbon_games::Game;

/// Orders that may wait.
const MOST_ORDERS: usize = 256;
/// Without a search there is nothing to wait for but orders.
const LONG: Duration = Duration::from_secs(3600);

/// What a stand-in does.
#[derive(Clone, Debug, Default)]
pub struct Stub {
    /// Answers after so long.
    pub pause: Duration,
    /// Counts the answers; searches with a time to keep are not counted.
    pub answered: Arc<AtomicU64>,
}

/// A stand-in on a thread of its own.
pub(crate) struct StandIn<G: Game> {
    orders: SyncSender<Order<G>>,
}

impl<G: Game + Send + 'static> StandIn<G>
where
    G::Move: Send,
{
    /// Starts one. `tell` hears its reports.
    pub(crate) fn start(stub: Stub, tell: impl Fn(Told<G>) + Send + 'static) -> Self {
        let (orders, inbox) = sync_channel(MOST_ORDERS);
        std::thread::spawn(move || work(&inbox, &stub, tell));
        StandIn { orders }
    }

    /// What it says it can do.
    pub(crate) fn ability() -> Ability {
        Ability {
            name: "stand-in".to_owned(),
            game: G::NAME.to_owned(),
            speed: 0,
            restricts: true,
            counts_nodes: true,
            harvests: false,
            several_lines: true,
            tasks: false,
            berth: None,
        }
    }

    /// Passes an order on; false when nobody takes it any more.
    pub(crate) fn order(&self, order: Order<G>) -> bool {
        !matches!(self.orders.try_send(order), Err(TrySendError::Disconnected(_)))
    }
}

fn work<G: Game>(inbox: &Receiver<Order<G>>, stub: &Stub, tell: impl Fn(Told<G>)) {
    let mut current: Option<(Search<G>, Instant)> = None;
    loop {
        let wait = current.as_ref().map_or(LONG, |(_, due)| due.duration_since(Instant::now()));
        // One that is due at once is answered before the next order is looked at.
        let order = match wait.is_zero() {
            true => Err(RecvTimeoutError::Timeout),
            false => inbox.recv_timeout(wait),
        };
        match order {
            Ok(Order::Search(search)) => current = Some((search, Instant::now() + stub.pause)),
            Ok(Order::Stop(epoch)) => {
                if let Some((search, _)) = current.take_if(|(search, _)| search.epoch == epoch) {
                    answer(&search, stub, &tell);
                }
            }
            Ok(Order::Harvest { epoch, .. }) => {
                tell(Told::Report(Report::Harvest { epoch, positions: Vec::new() }));
            }
            Ok(Order::NewGame) => current = None,
            Ok(Order::PonderHit(_) | Order::Tasks(_)) => {}
            Err(RecvTimeoutError::Timeout) => {
                if let Some((search, _)) = current.take() {
                    answer(&search, stub, &tell);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// An opinion, if there was time for one, and the end.
fn answer<G: Game>(search: &Search<G>, stub: &Stub, tell: &impl Fn(Told<G>)) {
    let epoch = search.epoch;
    let first = search.place.position().moves().into_iter().next();
    let best = search.only.first().copied().or(first);
    if !stub.pause.is_zero() {
        let opinion = Opinion {
            nodes: 1,
            time: stub.pause,
            ..Opinion::new(Score::Centipawns(0), 1, best.into_iter().collect())
        };
        tell(Told::Report(Report::Opinion { epoch, opinion }));
    }
    if search.limits.move_time.is_none() {
        stub.answered.fetch_add(1, Relaxed);
    }
    tell(Told::Report(Report::Done { epoch, best, ponder: None }));
}
