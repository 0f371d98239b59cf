//! Counting: who voted what with which weight, and what that says.

use std::cmp::Reverse;
use std::fmt;

/// The weight of a vote in thousandths, so that sums are exact and ties are ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weight(pub u32);

impl Weight {
    /// The usual weight.
    pub const ONE: Weight = Weight(1000);
    /// No voter weighs more than this.
    pub const MOST: Weight = Weight(1_000_000);

    /// Reads a weight; it has to be above 0 and at most [`Weight::MOST`].
    pub fn new(weight: f64) -> Option<Weight> {
        let thousandths = (weight * 1000.0).round();
        let allowed = 1.0..=f64::from(Weight::MOST.0);
        allowed.contains(&thousandths).then_some(Weight(thousandths as u32))
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}", f64::from(self.0) / 1000.0)
    }
}

/// One voter's vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ballot<M> {
    /// Its place in the list of voters, the strongest first.
    pub voter: usize,
    /// What it counts.
    pub weight: Weight,
    /// What it would play.
    pub mv: M,
    /// It will not change its mind: the position is in its book, or solved.
    pub is_final: bool,
}

/// Those who vote for the same move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Party<M> {
    /// The move.
    pub mv: M,
    /// Their weights together, in thousandths.
    pub weight: u64,
    /// The part of it that is final.
    pub final_weight: u64,
    /// Their numbers, the strongest first.
    pub voters: Vec<usize>,
    heaviest: Weight,
}

/// The parties, the strongest first: by weight together, then by the heaviest of its voters,
/// then by the voter that stands first in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally<M> {
    /// The parties in their order.
    pub parties: Vec<Party<M>>,
    /// All weights together, in thousandths.
    pub weight: u64,
}

impl<M: Copy + Eq> Tally<M> {
    /// Counts the ballots.
    pub fn count(ballots: &[Ballot<M>]) -> Self {
        let mut parties: Vec<Party<M>> = Vec::new();
        let mut sorted = ballots.to_vec();
        sorted.sort_by_key(|ballot| ballot.voter);
        for Ballot { voter, weight, mv, is_final } in sorted {
            let counts = u64::from(weight.0);
            let final_counts = if is_final { counts } else { 0 };
            match parties.iter_mut().find(|party| party.mv == mv) {
                Some(party) => {
                    party.weight += counts;
                    party.final_weight += final_counts;
                    party.heaviest = party.heaviest.max(weight);
                    party.voters.push(voter);
                }
                None => parties.push(Party {
                    mv,
                    weight: counts,
                    final_weight: final_counts,
                    voters: vec![voter],
                    heaviest: weight,
                }),
            }
        }
        // Stable: parties of equal weight stay in the order of their first voters.
        parties.sort_by_key(|party| Reverse((party.weight, party.heaviest)));
        let weight = parties.iter().map(|party| party.weight).sum();
        Tally { parties, weight }
    }

    /// The party that wins, if anybody voted.
    pub fn winner(&self) -> Option<&Party<M>> {
        self.parties.first()
    }

    /// How far the voters agree.
    pub fn accord(&self) -> Accord {
        match self.winner() {
            Some(winner) if winner.weight == self.weight => Accord::Unanimous,
            Some(winner) if winner.weight * 3 >= self.weight * 2 => Accord::Overwhelming,
            _ => Accord::Divided,
        }
    }

    /// Whether more than half of `present`, the weight of all who may vote, is for one move
    /// and final: then nothing can change.
    pub fn is_settled(&self, present: u64) -> bool {
        self.parties.iter().any(|party| party.final_weight * 2 > present)
    }
}

/// How far voters agree (akara-2010 section IV and Figure 3). What an overwhelming majority is
/// the paper does not say; here it is two thirds of the weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accord {
    /// All vote for the same move.
    Unanimous,
    /// At least two thirds do.
    Overwhelming,
    /// Neither, or nobody has voted.
    Divided,
}

#[cfg(test)]
mod tests {
    use senbon_games::Rng;
    use senbon_testkit::seed;

    use super::*;

    fn ballots(votes: &[(f64, char)]) -> Vec<Ballot<char>> {
        let ballot = |(voter, &(weight, mv)): (usize, &(f64, char))| Ballot {
            voter,
            weight: Weight::new(weight).unwrap(),
            mv,
            is_final: mv.is_uppercase(),
        };
        votes.iter().enumerate().map(ballot).collect()
    }

    fn winner(votes: &[(f64, char)]) -> char {
        Tally::count(&ballots(votes)).winner().unwrap().mv
    }

    #[test]
    fn the_log_of_figure_3_is_counted_as_there() {
        let tally = Tally::count(&ballots(&[
            (2.9, 'A'),
            (1.0, 'B'),
            (1.9, 'A'),
            (1.9, 'B'),
            (0.1, 'B'),
            (0.1, 'B'),
            (1.0, 'B'),
            (0.1, 'B'),
        ]));
        let sums: Vec<_> = tally.parties.iter().map(|party| (party.mv, party.weight)).collect();
        assert_eq!(sums, [('A', 4800), ('B', 4200)]);
        assert_eq!(tally.accord(), Accord::Divided);
        assert!(tally.is_settled(9000));
        assert!(!tally.is_settled(9600));
    }

    #[test]
    fn ties_go_to_the_heaviest_and_then_to_the_first_voter() {
        assert_eq!(winner(&[(1.0, 'a'), (1.0, 'b'), (2.0, 'c')]), 'c');
        assert_eq!(winner(&[(1.0, 'a'), (1.0, 'a'), (2.0, 'b')]), 'b');
        assert_eq!(winner(&[(1.0, 'a'), (1.0, 'b'), (1.0, 'b'), (1.0, 'a')]), 'a');
        // Sums of binary fractions would not be equal here.
        assert_eq!(winner(&[(0.3, 'c'), (0.1, 'a'), (0.2, 'a')]), 'c');
    }

    #[test]
    fn agreement_has_three_degrees() {
        let accord = |votes: &[(f64, char)]| Tally::count(&ballots(votes)).accord();
        assert_eq!(accord(&[]), Accord::Divided);
        assert_eq!(accord(&[(1.0, 'a')]), Accord::Unanimous);
        assert_eq!(accord(&[(1.0, 'a'), (1.0, 'a'), (1.0, 'b')]), Accord::Overwhelming);
        assert_eq!(accord(&[(1.0, 'a'), (1.0, 'a'), (1.0, 'b'), (0.1, 'c')]), Accord::Divided);
    }

    #[test]
    fn weights_have_limits() {
        for bad in [0.0, -1.0, 0.0004, 1000.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Weight::new(bad), None, "{bad}");
        }
        assert_eq!(Weight::new(2.9), Some(Weight(2900)));
    }

    /// Whatever the order in which opinions come, the count is the same, nothing is lost, and
    /// no party is heavier than the winner.
    #[test]
    fn counting_does_not_depend_on_the_order() {
        let mut rng = Rng::new(seed());
        for _ in 0..2000 {
            let mut votes: Vec<Ballot<u8>> = (0..rng.below(9))
                .map(|voter| Ballot {
                    voter,
                    weight: Weight(100 * (1 + rng.below(4)) as u32),
                    mv: rng.below(3) as u8,
                    is_final: rng.one_in(2),
                })
                .collect();
            let tally = Tally::count(&votes);
            let total: u64 = votes.iter().map(|vote| u64::from(vote.weight.0)).sum();
            assert_eq!(tally.weight, total);
            if let Some(winner) = tally.winner() {
                assert!(tally.parties.iter().all(|party| party.weight <= winner.weight));
            }
            rng.shuffle(&mut votes);
            assert_eq!(Tally::count(&votes), tally, "{votes:?}");
        }
    }
}
