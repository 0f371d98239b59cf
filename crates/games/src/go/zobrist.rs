//! The random numbers that keys of positions are made of.

use super::point::{CELLS, Point};
use crate::Side;

/// Mixes the bits of a number well (the finaliser of SplitMix64).
pub(super) const fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn table(seed: u64) -> [u64; CELLS] {
    let mut keys = [0; CELLS];
    let mut i = 0;
    while i < CELLS {
        keys[i] = mix(seed << 32 | i as u64);
        i += 1;
    }
    keys
}

static BLACK: [u64; CELLS] = table(1);
static WHITE: [u64; CELLS] = table(2);
static KO: [u64; CELLS] = table(3);

/// White is to move.
const WHITE_TO_MOVE: u64 = mix(4 << 32);

/// A stone of `side` on `point`.
#[inline]
pub(super) fn stone(point: Point, side: Side) -> u64 {
    match side {
        Side::First => BLACK[point.index()],
        Side::Second => WHITE[point.index()],
    }
}

/// `side` is to move.
#[inline]
pub(super) const fn turn(side: Side) -> u64 {
    match side {
        Side::First => 0,
        Side::Second => WHITE_TO_MOVE,
    }
}

/// A ko may not be retaken on `point`.
#[inline]
pub(super) fn ko(point: Option<Point>) -> u64 {
    point.map_or(0, |point| KO[point.index()])
}

/// `passes` passes in a row were made.
#[inline]
pub(super) const fn passes(passes: u8) -> u64 {
    match passes {
        0 => 0,
        n => mix(5 << 32 | n as u64),
    }
}

/// Black has taken `lead` stones more than White.
#[inline]
pub(super) const fn prisoners(lead: i32) -> u64 {
    match lead {
        0 => 0,
        n => mix(6 << 32 ^ n as u32 as u64),
    }
}
