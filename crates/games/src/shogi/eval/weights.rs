//! The weights, as the tuner left them.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};
use std::sync::LazyLock;

use super::layout::{LINEAR, PRESSURE};

/// Fractions of a unit in which weights are stored.
pub(super) const FINENESS: i32 = 8;

/// Pairs of 16-bit numbers, little end first: the opening's weight and the fight's.
static FILE: &[u8] = include_bytes!("weights.bin");

/// A weight or a sum of them in the opening and in the fight, in [`FINENESS`] parts of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) opening: i32,
    pub(super) fight: i32,
}

impl Add for Pair {
    type Output = Pair;
    #[inline]
    fn add(self, other: Pair) -> Pair {
        Pair { opening: self.opening + other.opening, fight: self.fight + other.fight }
    }
}

impl AddAssign for Pair {
    #[inline]
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

impl Sub for Pair {
    type Output = Pair;
    #[inline]
    fn sub(self, other: Pair) -> Pair {
        self + -other
    }
}

impl Neg for Pair {
    type Output = Pair;
    #[inline]
    fn neg(self) -> Pair {
        self * -1
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;
    #[inline]
    fn mul(self, times: i32) -> Pair {
        Pair { opening: self.opening * times, fight: self.fight * times }
    }
}

/// All weights.
pub(super) struct Weights {
    pairs: Vec<Pair>,
}

pub(super) static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let number = |bytes: &[u8]| i32::from(i16::from_le_bytes([bytes[0], bytes[1]]));
    let pairs: Vec<Pair> = FILE
        .chunks_exact(4)
        .map(|bytes| Pair { opening: number(bytes), fight: number(&bytes[2..]) })
        .collect();
    assert_eq!(pairs.len(), LINEAR + PRESSURE, "the weight file does not fit this evaluation");
    Weights { pairs }
});

impl Weights {
    #[inline]
    pub(super) fn linear(&self, feature: usize) -> Pair {
        self.pairs[feature]
    }

    #[inline]
    pub(super) fn pressure(&self, feature: usize) -> Pair {
        self.pairs[LINEAR + feature]
    }
}

/// The weights as they are, for tuning: (opening, fight) in units, the linear ones and those
/// of pressure.
pub fn current() -> [Vec<(f32, f32)>; 2] {
    let unit = |pair: &Pair| {
        let part = |number: i32| number as f32 / FINENESS as f32;
        (part(pair.opening), part(pair.fight))
    };
    let (linear, pressure) = WEIGHTS.pairs.split_at(LINEAR);
    [linear.iter().map(unit).collect(), pressure.iter().map(unit).collect()]
}

/// The contents of a weight file: the linear weights, then those of pressure, each as
/// (opening, fight) in units.
pub fn to_file(linear: &[(f32, f32)], pressure: &[(f32, f32)]) -> Vec<u8> {
    let number = |weight: f32| {
        let number = (weight * FINENESS as f32).round();
        number.clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
    };
    linear
        .iter()
        .chain(pressure)
        .flat_map(|&(opening, fight)| [number(opening), number(fight)])
        .flat_map(i16::to_le_bytes)
        .collect()
}
