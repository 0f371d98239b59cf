//! Playouts a second on one thread, against the same light policy on the `board-game` crate.
//!
//! Both play uniformly random legal moves that fill no own true eye, under simple ko and
//! without suicide, until both sides pass, and count the area. Time is the thread's processor
//! time, taken in turns round by round, so that a busy machine slows both alike; figures are
//! medians.
//!
//! `cargo bench -p senbon-games --bench go`
#![allow(clippy::disallowed_methods)]

use board_game::board::Player;
use board_game::games::go::{Chains, Direction, FlatTile, PlacementKind};
use senbon_games::Rng;
use senbon_games::go::{Go, Playout, Rules};

const ROUNDS: usize = 9;

fn main() {
    println!("{:>7} {:>12} {:>12} {:>7}", "board", "senbon /s", "board-game", "ratio");
    for size in [9, 13, 19] {
        // About a tenth of a second a round for each.
        let (ours, theirs) = (1_500_000 / (size * size), 300_000 / (size * size));
        let go = Go::new(size, Rules::CHINESE);
        let mut playout = Playout::new();
        let mut peer = Peer::new(size);
        let mut rng = Rng::new(1);
        let mut rates = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            rates[0].push(rate(ours, || playout.play(&go, &mut rng)));
            rates[1].push(rate(theirs, || peer.play()));
        }
        let [ours, theirs] = rates.map(median);
        let name = format!("{size}x{size}");
        println!("{name:>7} {ours:>12.0} {theirs:>12.0} {:>7.2}", ours / theirs);
    }
}

/// How often `play` can be called in a second.
fn rate(times: usize, mut play: impl FnMut() -> i32) -> f64 {
    let start = thread_time_ns();
    let mut sum = 0;
    for _ in 0..times {
        sum += play();
    }
    std::hint::black_box(sum);
    times as f64 * 1e9 / (thread_time_ns() - start) as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Processor time of this thread. Where the kernel does not tell, the time of day.
fn thread_time_ns() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let field = stat.as_ref().and_then(|text| text.split(' ').next()?.parse().ok());
    field.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0, |time| time.as_nanos() as u64)
    })
}

/// The light policy on the chains of `board-game`, which is faster than on its full board with
/// superko.
struct Peer {
    start: Chains,
    /// Neighbours and diagonal neighbours of every point.
    around: Vec<[Vec<FlatTile>; 2]>,
    rng: PeerRng,
}

impl Peer {
    fn new(size: usize) -> Peer {
        let size = size as u8;
        let step = |tile: FlatTile, dir| tile.adjacent_in(dir, size);
        let around = FlatTile::all(size).map(|tile| {
            let sides = tile.all_adjacent(size).collect();
            let mut corners = Vec::new();
            for vertical in [Direction::Up, Direction::Down] {
                for horizontal in [Direction::Left, Direction::Right] {
                    corners.extend(step(tile, vertical).and_then(|tile| step(tile, horizontal)));
                }
            }
            [sides, corners]
        });
        Peer { start: Chains::new(size), around: around.collect(), rng: PeerRng(Rng::new(2)) }
    }

    fn play(&mut self) -> i32 {
        let mut chains = self.start.clone();
        let mut ko = None;
        let mut player = Player::A;
        let mut passes = 0;
        for _ in 0..3 * chains.area() {
            let tile = chains.random_empty_tile_where(&mut self.rng, |tile| {
                Some(tile) != ko && is_sensible(&self.around, &chains, tile, player)
            });
            ko = None;
            match tile {
                Some(tile) => {
                    ko = place(&self.around, &mut chains, tile, player);
                    passes = 0;
                }
                None => passes += 1,
            }
            if passes == 2 {
                break;
            }
            player = player.other();
        }
        let score = chains.score();
        score.a as i32 - score.b as i32
    }
}

fn is_sensible(
    around: &[[Vec<FlatTile>; 2]],
    chains: &Chains,
    tile: FlatTile,
    player: Player,
) -> bool {
    let [sides, corners] = &around[usize::from(tile.index())];
    if sides.iter().all(|&side| chains.stone_at(side) == Some(player)) {
        let foe = Some(player.other());
        let foes = corners.iter().filter(|&&corner| chains.stone_at(corner) == foe).count();
        if foes + usize::from(corners.len() < 4) < 2 {
            return false;
        }
    }
    let placement = chains.simulate_place_stone_minimal(tile, player);
    placement.is_ok_and(|placement| {
        matches!(placement.kind, PlacementKind::Normal | PlacementKind::Capture)
    })
}

/// Plays a move and says where ko forbids to retake.
fn place(
    around: &[[Vec<FlatTile>; 2]],
    chains: &mut Chains,
    tile: FlatTile,
    player: Player,
) -> Option<FlatTile> {
    let before = chains.stone_count();
    let placed = chains.place_stone(tile, player).ok()?;
    let took_one = placed.kind == PlacementKind::Capture && placed.next_stone_count == before;
    let alone =
        placed.new_group_stone_count == 1 && placed.new_group_initial_liberty_edge_count == 0;
    let sides = &around[usize::from(tile.index())][0];
    let empty = sides.iter().find(|&&side| chains.stone_at(side).is_none());
    empty.copied().filter(|_| took_one && alone)
}

/// Our random numbers as `board-game` takes them.
struct PeerRng(Rng);

impl rand::RngCore for PeerRng {
    fn next_u32(&mut self) -> u32 {
        self.0.next_u64() as u32
    }

    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn fill_bytes(&mut self, dest: &mut [u8]) {
        dest.fill_with(|| self.0.next_u64() as u8);
    }

    fn try_fill_bytes(&mut self, dest: &mut [u8]) -> Result<(), rand::Error> {
        self.fill_bytes(dest);
        Ok(())
    }
}
