//! The live world against the virtual one: the same search by real processes over the fabric,
//! on the loopback of this machine, and what virtual time predicts for it.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use senbon_core::minimal::{Settings, Shape, Style, Windows};
use senbon_core::pipeline::{Settings as Common, Strategy};
use senbon_core::{Epoch, Limits, Order, Place, Report, Score, Search};
use senbon_engines::builtin::tree;
use senbon_fabric::carrier::Address;
use senbon_fabric::{Entrance, News, Security, World};
use senbon_games::shogi::{Shogi, ShogiEvaluator};
use senbon_games::{HIGHEST, Promising, Worth};
use senbon_search::fixed::Fixed;
use senbon_sim::minimal::{Costs, Field, Trial};

/// What is compared.
#[derive(Clone, Debug)]
pub struct LivePlan {
    /// This program, which is started again for every worker.
    pub program: PathBuf,
    /// Trees of shogi below these positions.
    pub positions: Vec<Shogi>,
    /// Children of a node.
    pub width: u8,
    /// Plies.
    pub depth: u8,
    /// Plies of the master's tree.
    pub reach: u8,
    /// How much wider than the pass window workers search.
    pub wider: Worth,
    /// Numbers of workers.
    pub workers: Vec<usize>,
    /// Workers of one process: more than one are a crew.
    pub slots: usize,
    /// Each search is made so often; the middle one counts.
    pub rounds: usize,
    /// How long things take. Nodes are measured anew on every tree.
    pub costs: Costs,
}

/// One search in both worlds.
#[derive(Clone, Debug)]
pub struct LiveRow {
    /// Which position, from 0.
    pub position: usize,
    /// Workers.
    pub workers: usize,
    /// The search by one, in this process.
    pub alone: Duration,
    /// By processes over the fabric, all rounds.
    pub live: Vec<Duration>,
    /// As virtual time has it.
    pub predicted: Duration,
    /// Nodes of the live search, of its middle round, and of the predicted one.
    pub nodes: (u64, u64),
}

impl LiveRow {
    /// The middle one of the rounds.
    pub fn middle(&self) -> Duration {
        let mut all = self.live.clone();
        all.sort_unstable();
        all.get(all.len() / 2).copied().unwrap_or_default()
    }

    /// How far the prediction is off, as a part of what was measured.
    pub fn error(&self) -> f64 {
        self.predicted.as_secs_f64() / self.middle().as_secs_f64() - 1.0
    }
}

/// Table of a worker in MiB: more than such a search fills.
const TABLE_MIB: usize = 512;
/// What a crew has together: processes take no more.
const POOL_BYTES: usize = 256 << 20;
/// Nanoseconds from bundle to bundle of a crew.
const PAUSE: u64 = 100_000;
/// How long a worker may take to come, and a search to end.
const PATIENCE: Duration = Duration::from_secs(600);

/// Searches all trees in both worlds; `tell` hears each row.
pub fn compare(plan: &LivePlan, mut tell: impl FnMut(&LiveRow)) -> Result<Vec<LiveRow>> {
    let mut rows = Vec::new();
    plan.check()?;
    for &workers in &plan.workers {
        let mut live = Live::start(plan, workers)?;
        for (index, position) in plan.positions.iter().enumerate() {
            let row = compare_one(plan, &mut live, index, position)?;
            tell(&row);
            rows.push(row);
        }
    }
    Ok(rows)
}

fn compare_one(
    plan: &LivePlan,
    live: &mut Live,
    index: usize,
    position: &Shogi,
) -> Result<LiveRow> {
    let (mut alone, mut taken) = (Vec::new(), Vec::new());
    let mut value = 0;
    let mut nodes_alone = 1;
    // By turns, so that whatever else the machine does meets both.
    for _ in 0..plan.rounds.max(1) {
        let mut search = Fixed::new(position.clone(), tree(plan.shape()), TABLE_MIB << 20);
        let began = Instant::now();
        search.start(position, plan.depth, -HIGHEST, HIGHEST);
        value = search.run(u64::MAX).context("a search without end")?;
        alone.push(began.elapsed());
        nodes_alone = search.nodes().total();
        let (time, nodes, score) = live.search(position, plan.depth.into())?;
        let wanted = Score::of_worth(value, plan.depth.into());
        ensure!(score == wanted, "position {index}: live {score:?}, by one {wanted:?}");
        taken.push((time, nodes));
    }
    alone.sort_unstable();
    let alone = alone[alone.len() / 2];
    let node = (alone.as_nanos() as u64 / nodes_alone.max(1)).max(1);
    let trial = plan.trial(live.workers, node);
    let branching = Promising::new(ShogiEvaluator::default(), plan.width.into());
    let predicted = Field::new(position.clone(), branching, trial).run();
    ensure!(predicted.value == value, "position {index}: virtual {}, not {value}", predicted.value);
    let mut by_time = taken.clone();
    by_time.sort_unstable();
    Ok(LiveRow {
        position: index,
        workers: live.workers,
        alone,
        live: taken.iter().map(|&(time, _)| time).collect(),
        predicted: Duration::from_nanos(predicted.time),
        nodes: (by_time[by_time.len() / 2].1, predicted.nodes),
    })
}

impl LivePlan {
    fn shape(&self) -> Shape {
        Shape::published(self.width.into())
    }

    /// Whether such processes can be started.
    pub fn check(&self) -> Result<()> {
        let slots = self.slots;
        ensure!(slots > 0, "a process needs a worker");
        for workers in &self.workers {
            ensure!(
                workers.is_multiple_of(slots),
                "{workers} workers are no whole number of processes of {slots}"
            );
        }
        Ok(())
    }

    /// The same in virtual time, with nodes that take so long.
    fn trial(&self, workers: usize, node: u64) -> Trial {
        let crews = self.slots > 1;
        let windows = Windows::Epsilon(self.wider);
        let best = Settings::best(self.depth, self.reach);
        let settings = Settings { windows, crews, spares: !crews, ..best };
        let plain = Trial {
            memory: TABLE_MIB << 20,
            scouts: true,
            ..Trial::new(settings, workers, Costs { node, ..self.costs })
        };
        match crews {
            true => {
                let foremen = workers / self.slots;
                Trial { foremen, pool: POOL_BYTES, pause: PAUSE, ..plain }
            }
            false => plain,
        }
    }
}

/// A master in this process and workers in others.
struct Live {
    world: World<Shogi>,
    news: Receiver<News<Shogi>>,
    children: Vec<Child>,
    workers: usize,
    epoch: Epoch,
}

impl Live {
    fn start(plan: &LivePlan, workers: usize) -> Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let address: Address = format!("127.0.0.1:{port}").parse()?;
        let security = Security::choose(&address, None, false)?;
        let entrance = Entrance::open(Some(&address), None, &security)?;
        let style = Style { shape: plan.shape(), reach: Some(plan.reach), wider: plan.wider };
        let settings =
            Common { strategy: Strategy::MinimalTree, minimal: style, ..Common::default() };
        // Unbounded on purpose: the coordinator must not wait, and a search tells little.
        let (tell, news) = channel();
        let world =
            World::open(settings, Vec::new(), Some(Arc::new(entrance)), None, move |news| {
                let _ = tell.send(news);
            })?;
        let mut live = Live { world, news, children: Vec::new(), workers, epoch: Epoch(0) };
        let (address, table) = (format!("127.0.0.1:{port}"), TABLE_MIB.to_string());
        let slots = plan.slots.to_string();
        for _ in 0..workers / plan.slots {
            let dial = ["worker", "--connect", &address, "--game", "shogi", "--slots", &slots];
            let child = Command::new(&plan.program)
                .args(dial)
                .args(["--hash", &table])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .with_context(|| format!("cannot start {}", plan.program.display()))?;
            live.children.push(child);
        }
        let mut joined = 0;
        let until = Instant::now() + PATIENCE;
        while joined < workers {
            match live.news.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(News::Joined(..)) => joined += 1,
                Ok(News::Left(_, fault)) => bail!("a worker failed: {fault}"),
                Ok(_) => {}
                Err(_) => bail!("{joined} of {workers} workers came within {PATIENCE:?}"),
            }
        }
        // What a crew has together is made in its first search.
        if let Some(position) = plan.positions.first() {
            live.search(position, plan.reach.saturating_add(1).into())?;
        }
        Ok(live)
    }

    /// From the order to the answer; nodes and score with it.
    fn search(&mut self, position: &Shogi, depth: u32) -> Result<(Duration, u64, Score)> {
        self.world.order(Order::NewGame);
        self.epoch = self.epoch.next();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let (epoch, place) = (self.epoch, Place::new(position.clone()));
        // What workers forget now is not to be counted.
        std::thread::sleep(Duration::from_millis(200));
        let began = Instant::now();
        let search = Search { epoch, place, only: Vec::new(), lines: 1, limits };
        self.world.order(Order::Search(search));
        let mut last = None;
        loop {
            match self.news.recv_timeout(PATIENCE) {
                Ok(News::Report(Report::Opinion { epoch, opinion })) if epoch == self.epoch => {
                    last = Some((opinion.nodes, opinion.score));
                }
                Ok(News::Report(Report::Done { epoch, .. })) if epoch == self.epoch => {
                    let time = began.elapsed();
                    let (nodes, score) = last.context("an answer without an opinion")?;
                    return Ok((time, nodes, score));
                }
                Ok(News::Left(_, fault)) => bail!("a worker failed: {fault}"),
                Ok(_) => {}
                Err(_) => bail!("the live search did not end within {PATIENCE:?}"),
            }
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
