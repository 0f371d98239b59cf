//! The methods that are compared.

use std::fmt;
use std::str::FromStr;

use senbon_core::minimal::{Settings, Windows};
use senbon_games::Worth;

/// How the workers are led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// As published, with dynamic updates (Tables 1 to 3).
    Published,
    /// As published, without dynamic updates.
    WithoutUpdates,
    /// As published, with partly shared tables (Table 4).
    Share,
    /// As published, with NegaScout in the master and task windows (Tables 6 and 7).
    NegaScout,
    /// As published, with windows so much wider than the pass window (Tables 6 and 7).
    Epsilon(Worth),
    /// Predictions in step, sheets only when they change, with such windows.
    InStep(Worth),
    /// The same, and heavy leaves are divided.
    Extended(Worth),
    /// In step, with a master's tree that grows and work for those who would have none.
    Growing(Worth),
    /// The same, and levels do not wait for the last few.
    Hasty(Worth),
    /// In step, with crews that are machines: one memory each, and help.
    Crews(Worth),
    /// The same, and all of a crew are at its first tasks, those that decide about others.
    Front(Worth),
}

impl Method {
    pub(super) fn settings(self, published: Settings, width: u8) -> Settings {
        let in_step = Settings { in_step: true, repeats: false, ..published };
        match self {
            Method::Published | Method::WithoutUpdates | Method::Share => published,
            Method::NegaScout => Settings { windows: Windows::Scout, ..published },
            Method::Epsilon(wider) => Settings { windows: Windows::Epsilon(wider), ..published },
            Method::InStep(wider) => Settings { windows: Windows::Epsilon(wider), ..in_step },
            Method::Crews(wider) | Method::Front(wider) => {
                let (windows, front) = (Windows::Epsilon(wider), self == Method::Front(wider));
                Settings { windows, crews: true, front, ..in_step }
            }
            Method::Extended(wider) => {
                Settings { windows: Windows::Epsilon(wider), extends: true, ..in_step }
            }
            Method::Growing(wider) | Method::Hasty(wider) => {
                let start = if Method::is_wide(width) { 2 } else { 6 };
                let windows = Windows::Epsilon(wider);
                let hurries = matches!(self, Method::Hasty(_));
                Settings { windows, start, hurries, spares: true, ..in_step }
            }
        }
    }

    /// Whether its foremen's crews are machines that remember positions together.
    pub fn has_crews(self) -> bool {
        matches!(self, Method::Crews(_) | Method::Front(_))
    }

    /// Whether workers search as NegaScout does.
    pub(super) fn scouts(self) -> bool {
        self.has_crews()
    }

    /// Nanoseconds from bundle to bundle of a foreman, at least. A crew that helps itself ends
    /// its tasks one after the other, and the master has fewer of them to look at.
    pub(super) fn pause(self) -> u64 {
        if self.has_crews() { 100_000 } else { senbon_sim::minimal::PAUSE }
    }

    /// Plies below a task down to which workers share: 4 in narrow, 2 in wide trees
    /// (section 4.3).
    pub(super) fn shares(self, width: u8) -> Option<u8> {
        (self == Method::Share).then_some(Method::shared_plies(width))
    }

    /// How many plies below a task are shared, where sharing is partial.
    pub(super) fn shared_plies(width: u8) -> u8 {
        if Method::is_wide(width) { 2 } else { 4 }
    }

    /// The paper has narrow trees of 5 children and wide ones of 20.
    pub(super) fn is_wide(width: u8) -> bool {
        width > 10
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Published => f.write_str("published"),
            Method::WithoutUpdates => f.write_str("without-updates"),
            Method::Share => f.write_str("share"),
            Method::NegaScout => f.write_str("negascout"),
            Method::Epsilon(wider) => write!(f, "epsilon:{wider}"),
            Method::InStep(wider) => write!(f, "in-step:{wider}"),
            Method::Extended(wider) => write!(f, "extended:{wider}"),
            Method::Growing(wider) => write!(f, "growing:{wider}"),
            Method::Hasty(wider) => write!(f, "hasty:{wider}"),
            Method::Crews(wider) => write!(f, "crews:{wider}"),
            Method::Front(wider) => write!(f, "front:{wider}"),
        }
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, wider) = text.split_once(':').map_or((text, None), |(a, b)| (a, Some(b)));
        let wider = match wider.map(str::parse::<u16>) {
            None => 50,
            Some(Ok(wider)) if wider <= 10_000 => wider as Worth,
            Some(_) => return Err(format!("'{text}': after the colon, 0 to 10000 units")),
        };
        Ok(match name {
            "published" => Method::Published,
            "without-updates" => Method::WithoutUpdates,
            "share" => Method::Share,
            "negascout" => Method::NegaScout,
            "epsilon" => Method::Epsilon(wider),
            "in-step" => Method::InStep(wider),
            "extended" => Method::Extended(wider),
            "growing" => Method::Growing(wider),
            "hasty" => Method::Hasty(wider),
            "crews" => Method::Crews(wider),
            "front" => Method::Front(wider),
            _ => {
                return Err(format!(
                    "no method '{name}': published, without-updates, share, negascout, \
                     epsilon[:UNITS], in-step[:UNITS], extended[:UNITS], growing[:UNITS], \
                     hasty[:UNITS], crews[:UNITS] or front[:UNITS]"
                ));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let all = "published without-updates share negascout epsilon:200 in-step:50 extended:0 \
                   growing:7 hasty:9 crews:25 front:5";
        for text in all.split(' ') {
            assert_eq!(text.parse::<Method>().unwrap().to_string(), text);
        }
        assert_eq!("in-step".parse(), Ok(Method::InStep(50)));
        assert!("in-step:x".parse::<Method>().unwrap_err().contains("0 to 10000"));
        assert!("best".parse::<Method>().unwrap_err().contains("published"));
    }
}
