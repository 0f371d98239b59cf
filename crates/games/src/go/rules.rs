//! The rules that differ from place to place.

use std::fmt;
use std::str::FromStr;

/// Which repetitions are forbidden. Every rule forbids to retake a ko at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ko {
    /// Nothing else. When a whole position comes back with the same side to move and, under
    /// territory scoring, the same difference of prisoners, the game is drawn ("no result").
    Simple,
    /// No stone may bring back an earlier position of the stones.
    Positional,
    /// No stone may bring back an earlier position of the stones with the same side to move.
    Situational,
}

/// What is counted at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// Stones on the board and empty points that touch them alone.
    Area,
    /// Empty points that touch one side's stones alone, and prisoners.
    Territory,
}

/// What is taken away from the count again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tax {
    /// Nothing.
    None,
    /// Surrounded points do not count in seki.
    Seki,
    /// Nor do two points of every area that lives on its own (the group tax of old China).
    All,
}

/// Points given to White for moving second, in half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Komi(i16);

impl Komi {
    /// No komi is larger, either way.
    const LIMIT: i16 = 2 * 999;

    /// `halves` half points. `None` if that is more than 999 points either way.
    pub const fn from_halves(halves: i16) -> Option<Komi> {
        if halves >= -Komi::LIMIT && halves <= Komi::LIMIT { Some(Komi(halves)) } else { None }
    }

    /// The number of half points.
    pub const fn halves(self) -> i16 {
        self.0
    }
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let half = if self.0 % 2 == 0 { "" } else { ".5" };
        write!(f, "{sign}{}{half}", self.0.unsigned_abs() / 2)
    }
}

impl FromStr for Komi {
    type Err = String;

    fn from_str(text: &str) -> Result<Komi, String> {
        let wrong = || format!("`{text}` is not a komi: write points like 7, 7.5 or -3");
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, half) = match digits.split_once('.') {
            None => (digits, 0),
            Some((whole, fraction)) => match fraction.trim_end_matches('0') {
                "" if !fraction.is_empty() => (whole, 0),
                "5" => (whole, 1),
                _ => return Err(wrong()),
            },
        };
        if whole.is_empty() || !whole.bytes().all(|b| b.is_ascii_digit()) {
            return Err(wrong());
        }
        let points: i16 = whole.parse().ok().filter(|&points| points <= 999).ok_or_else(wrong)?;
        let halves = 2 * points + half;
        Komi::from_halves(if negative { -halves } else { halves }).ok_or_else(wrong)
    }
}

/// The rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Which repetitions are forbidden.
    pub ko: Ko,
    /// Whether a move may take off the mover's own stones.
    pub suicide: bool,
    /// What is counted.
    pub scoring: Scoring,
    /// What is taken away.
    pub tax: Tax,
    /// Points for White.
    pub komi: Komi,
}

impl Rules {
    /// Chinese rules: area, no repeated position.
    pub const CHINESE: Rules = Rules {
        ko: Ko::Positional,
        suicide: false,
        scoring: Scoring::Area,
        tax: Tax::None,
        komi: Komi(15),
    };
    /// Tromp–Taylor rules: the same with suicide.
    pub const TROMP_TAYLOR: Rules = Rules { suicide: true, ..Rules::CHINESE };
    /// Rules of the American Go Association: area, no repeated situation.
    pub const AGA: Rules = Rules { ko: Ko::Situational, ..Rules::CHINESE };
    /// New Zealand rules: the same with suicide and a komi of 7.
    pub const NEW_ZEALAND: Rules = Rules { suicide: true, komi: Komi(14), ..Rules::AGA };
    /// Japanese rules: territory, none in seki, simple ko.
    pub const JAPANESE: Rules = Rules {
        ko: Ko::Simple,
        suicide: false,
        scoring: Scoring::Territory,
        tax: Tax::Seki,
        komi: Komi(13),
    };

    /// The rules that have a name, and the name.
    pub(super) const NAMED: [(&'static str, Rules); 5] = [
        ("chinese", Rules::CHINESE),
        ("tromp-taylor", Rules::TROMP_TAYLOR),
        ("aga", Rules::AGA),
        ("new-zealand", Rules::NEW_ZEALAND),
        ("japanese", Rules::JAPANESE),
    ];

    /// These rules with another komi.
    pub const fn with_komi(self, komi: Komi) -> Rules {
        Rules { komi, ..self }
    }
}

/// The words of the rules without the komi, as [`FromStr`] reads them.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ko = match self.ko {
            Ko::Simple => "simple",
            Ko::Positional => "positional",
            Ko::Situational => "situational",
        };
        let scoring = match self.scoring {
            Scoring::Area => "area",
            Scoring::Territory => "territory",
        };
        let suicide = if self.suicide { ",suicide" } else { "" };
        let tax = match self.tax {
            Tax::None => "",
            Tax::Seki => ",seki-tax",
            Tax::All => ",group-tax",
        };
        write!(f, "{ko},{scoring}{suicide}{tax}")
    }
}

/// Reads the name of a set of rules (with its usual komi), or words separated by commas: a ko
/// rule (`simple`, `positional`, `situational`), a scoring (`area`, `territory`), and perhaps
/// `suicide` and `seki-tax` or `group-tax`. What is left out is as in the Chinese rules.
impl FromStr for Rules {
    type Err = String;

    fn from_str(text: &str) -> Result<Rules, String> {
        if let Some((_, rules)) = Rules::NAMED.iter().find(|(name, _)| *name == text) {
            return Ok(*rules);
        }
        let mut rules = Rules::CHINESE;
        for word in text.split(',') {
            match word {
                "simple" => rules.ko = Ko::Simple,
                "positional" => rules.ko = Ko::Positional,
                "situational" => rules.ko = Ko::Situational,
                "area" => rules.scoring = Scoring::Area,
                "territory" => rules.scoring = Scoring::Territory,
                "suicide" => rules.suicide = true,
                "seki-tax" => rules.tax = Tax::Seki,
                "group-tax" => rules.tax = Tax::All,
                _ => {
                    let names: Vec<_> = Rules::NAMED.iter().map(|(name, _)| *name).collect();
                    return Err(format!(
                        "`{word}` is not a rule: use simple, positional, situational, area, \
                         territory, suicide, seki-tax, group-tax, or one of {}",
                        names.join(", ")
                    ));
                }
            }
        }
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_is_written_as_it_is_read() {
        for halves in -100..=100 {
            let komi = Komi::from_halves(halves).unwrap();
            assert_eq!(komi.to_string().parse(), Ok(komi));
        }
        assert_eq!("7.50".parse(), Ok(Komi(15)));
        assert_eq!("0.0".parse(), Ok(Komi(0)));
        assert_eq!("-0.5".parse(), Ok(Komi(-1)));
        for wrong in
            ["", "-", ".5", "7.", "7.25", "7,5", "1000", "99999999999", "+7", "--7", "7.5.5"]
        {
            assert!(wrong.parse::<Komi>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn rules_are_written_as_they_are_read() {
        for (name, rules) in Rules::NAMED {
            assert_eq!(name.parse(), Ok(rules));
            let again: Rules = rules.to_string().parse().unwrap();
            assert_eq!(again.with_komi(rules.komi), rules);
        }
        let rules: Rules = "simple,territory,suicide,group-tax".parse().unwrap();
        assert_eq!(rules.to_string(), "simple,territory,suicide,group-tax");
        assert!("simple,,area".parse::<Rules>().unwrap_err().contains("``"));
    }
}
