//! Reading a game record.

use sgf_parse::go::{Move as SgfMove, Point as SgfPoint, Prop, parse};
use sgf_parse::{Color, SgfNode, SgfProp};

use super::{Record, Verdict, rules_by_name};
use crate::go::board::Board;
use crate::go::notation::vertex;
use crate::go::point::{MAX_SIZE, MIN_SIZE, Move, Point};
use crate::go::position::Go;
use crate::go::rows::Rows;
use crate::go::rules::{Komi, Rules};
use crate::{Game, Side};

/// Longest line of nodes that is read. The parser's tree is as deep as the longest line and is
/// freed by recursion, so a file from outside must not make it deeper than the stack allows.
const MOST_NODES: usize = 4_000;

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// The file is no SGF of Go games at all.
    #[error("not an SGF file of Go games: {0}")]
    Syntax(String),
    /// A line of play is longer than any game.
    #[error("a line of more than {MOST_NODES} nodes is too long to read")]
    TooLong,
    /// A property is wrong.
    #[error("node {node}, property {property}: {what}")]
    Property {
        /// The node, counted from 0 along the main line.
        node: usize,
        /// The property's name.
        property: String,
        /// What is wrong with it.
        what: String,
    },
}

/// Reads the main line of the first game of an SGF file.
///
/// Rules are those that the file names (RU), otherwise `rules`; a komi in the file (KM) holds
/// in any case. Every move must be legal by them. Stones and side to move can be set up before
/// the first move only. A result (RE) that makes no sense is read as unknown.
pub fn read(text: &str, rules: Rules) -> Result<Record, SgfError> {
    if deepest_line(text) > MOST_NODES {
        return Err(SgfError::TooLong);
    }
    let games = parse(text).map_err(|e| SgfError::Syntax(e.to_string()))?;
    let root = games.first().ok_or_else(|| SgfError::Syntax("no game in it".to_owned()))?;
    let mut reader = Reader::new(rules);
    for (number, node) in root.main_variation().enumerate() {
        reader.node(node).map_err(|Trouble { property, what }| SgfError::Property {
            node: number,
            property,
            what,
        })?;
        reader.in_root = false;
    }
    Ok(reader.finish())
}

/// The most nodes on any line of the file, whether or not the file is well formed.
fn deepest_line(text: &str) -> usize {
    let (mut depth, mut deepest) = (0, 0);
    let mut forks = Vec::new();
    let (mut in_value, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_value => escaped = true,
            b']' => in_value = false,
            _ if in_value => {}
            b'[' => in_value = true,
            b'(' => forks.push(depth),
            b')' => depth = forks.pop().unwrap_or(0),
            b';' => depth += 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// What is wrong with a property.
struct Trouble {
    property: String,
    what: String,
}

fn trouble<T>(property: &str, what: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble { property: property.to_owned(), what: what.into() })
}

struct Reader {
    in_root: bool,
    size: usize,
    rules: Rules,
    stones: [Rows; 2],
    to_move: Option<Side>,
    /// The start, as far as it is known; with the first move it is final.
    record: Record,
    /// The position after the last move, from the first one on.
    now: Option<Go>,
}

impl Reader {
    fn new(rules: Rules) -> Reader {
        Reader {
            in_root: true,
            // What SGF says if a file does not.
            size: 19,
            rules,
            stones: [Rows::EMPTY; 2],
            to_move: None,
            record: Record::new(Go::new(19, rules)),
            now: None,
        }
    }

    fn finish(mut self) -> Record {
        if self.now.is_none() {
            self.record.start = self.start(Side::First).unwrap_or(self.record.start);
        }
        self.record
    }

    fn node(&mut self, node: &SgfNode<Prop>) -> Result<(), Trouble> {
        // Size and rules first, whatever their order in the node: points and komi depend on
        // them.
        for prop in node.properties() {
            self.size_or_rules(prop)?;
        }
        let mut setup = None;
        for prop in node.properties() {
            if self.information(prop)? {
                continue;
            }
            if self.setup(prop)? {
                // Stones are what an error should name, if there are any.
                let name = prop.identifier();
                setup = setup.filter(|_| name == "PL").or(Some(name));
            }
        }
        if let Some(name) = &setup {
            self.start(Side::First)?;
            if !self.in_root && self.record.handicap >= 2 && name != "PL" {
                return trouble(name, "a handicap is set up in the first node alone");
            }
        }
        if self.in_root {
            self.check_handicap()?;
        }
        let mut moves = 0;
        for prop in node.properties() {
            let (side, mv) = match prop {
                Prop::B(mv) => (Side::First, mv),
                Prop::W(mv) => (Side::Second, mv),
                _ => continue,
            };
            moves += 1;
            match setup {
                Some(setup) => {
                    return trouble(&setup, "a node with a move cannot set up the board");
                }
                None if moves > 1 => {
                    return trouble(&prop.identifier(), "a node can hold one move only");
                }
                None => self.play(&prop.identifier(), side, mv)?,
            }
        }
        Ok(())
    }

    fn size_or_rules(&mut self, prop: &Prop) -> Result<(), Trouble> {
        match prop {
            Prop::SZ(_) | Prop::RU(_) if !self.in_root => {
                trouble(&prop.identifier(), "belongs in the first node")
            }
            Prop::SZ((columns, rows)) if columns != rows => {
                trouble("SZ", format!("only square boards can be played on, not {columns}:{rows}"))
            }
            Prop::SZ((size, _)) if !(MIN_SIZE..=MAX_SIZE).contains(&usize::from(*size)) => {
                trouble("SZ", format!("boards have {MIN_SIZE} to {MAX_SIZE} rows, not {size}"))
            }
            Prop::SZ((size, _)) => {
                self.size = usize::from(*size);
                Ok(())
            }
            Prop::RU(name) => {
                if let Some(rules) = rules_by_name(&name.text) {
                    self.rules = rules;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Reads what is known of the game beside stones and moves. False if `prop` is no such
    /// property.
    fn information(&mut self, prop: &Prop) -> Result<bool, Trouble> {
        match prop {
            Prop::KM(_) | Prop::HA(_) if !self.in_root => {
                return trouble(&prop.identifier(), "belongs in the first node");
            }
            Prop::KM(points) => match komi(*points) {
                Some(komi) => self.rules.komi = komi,
                None => return trouble("KM", format!("{points} is no komi in half points")),
            },
            Prop::HA(stones) => self.record.handicap = usize::try_from(*stones).unwrap_or(0),
            Prop::PB(name) => self.record.black = Some(one_line(&name.text)),
            Prop::PW(name) => self.record.white = Some(one_line(&name.text)),
            Prop::RE(text) => {
                self.record.verdict = Some(text.text.parse().unwrap_or(Verdict::Unknown));
            }
            Prop::Invalid(name, values) => return self.invalid(name, values),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Judges a property that the parser could not make sense of.
    fn invalid(&self, name: &str, values: &[String]) -> Result<bool, Trouble> {
        let none = |value: &String| matches!(value.trim(), "0" | "1");
        match name {
            // The parser insists on at least two stones; files write 0 or 1 for none.
            "HA" if self.in_root && values.len() == 1 && values.iter().all(none) => Ok(true),
            "HA" if !self.in_root => trouble(name, "belongs in the first node"),
            "B" | "W" | "AB" | "AW" | "AE" | "PL" | "SZ" | "KM" | "HA" => {
                trouble(name, format!("cannot be understood: [{}]", values.join("][")))
            }
            _ => Ok(true),
        }
    }

    /// Changes the start by a setup property. False if `prop` is no such property.
    fn setup(&mut self, prop: &Prop) -> Result<bool, Trouble> {
        let (points, owner) = match prop {
            Prop::AB(points) => (points, Some(Side::First)),
            Prop::AW(points) => (points, Some(Side::Second)),
            Prop::AE(points) => (points, None),
            Prop::PL(color) => return self.player(*color).map(|()| true),
            _ => return Ok(false),
        };
        let name = prop.identifier();
        if self.now.is_some() {
            return trouble(&name, "stones can only be set up before the first move");
        }
        for point in points {
            let point = self.point(&name, *point)?;
            self.stones.iter_mut().for_each(|stones| stones.remove(point));
            if let Some(side) = owner {
                self.stones[side.index()].insert(point);
            }
        }
        Ok(true)
    }

    fn player(&mut self, color: Color) -> Result<(), Trouble> {
        let side = if color == Color::Black { Side::First } else { Side::Second };
        match &self.now {
            None => self.to_move = Some(side),
            Some(now) if now.side_to_move() == side => {}
            Some(_) => return trouble("PL", "the side to move cannot change after the first move"),
        }
        Ok(())
    }

    fn check_handicap(&self) -> Result<(), Trouble> {
        let stones = self.stones[Side::First.index()].len();
        match self.record.handicap {
            handicap if handicap < 2 || handicap == stones => Ok(()),
            handicap => trouble(
                "HA",
                format!("{handicap} handicap stones, but AB sets up {stones} black ones"),
            ),
        }
    }

    /// The start as set up so far. `first` is to move if the file does not say.
    fn start(&self, first: Side) -> Result<Go, Trouble> {
        let board = Board::with_stones(self.size, self.stones).or_else(|stone| {
            let white = self.stones[Side::Second.index()].contains(stone);
            let name = vertex(stone, self.size);
            trouble(
                if white { "AW" } else { "AB" },
                format!("the stones of {name} have no liberty"),
            )
        })?;
        let handicap = (self.record.handicap >= 2).then_some(Side::Second);
        let side = self.to_move.or(handicap).unwrap_or(first);
        Ok(Go::with_position(board, self.rules, side, 0, [0; 2]))
    }

    fn play(&mut self, name: &str, side: Side, mv: &SgfMove) -> Result<(), Trouble> {
        let mv = match mv {
            SgfMove::Pass => Move::PASS,
            // How older files write a pass, on boards that have no such point.
            SgfMove::Move(SgfPoint { x: 19, y: 19 }) if self.size <= 19 => Move::PASS,
            SgfMove::Move(point) => Move::at(self.point(name, *point)?),
        };
        let mut now = match self.now.take() {
            Some(now) => now,
            None => {
                self.record.start = self.start(side)?;
                self.record.start.clone()
            }
        };
        if now.side_to_move() != side {
            return trouble(name, "it is the other side's move; a pass is written as B[] or W[]");
        }
        if let Err(why) = now.check(mv) {
            return trouble(name, format!("{} is not legal: {why}", name_of(mv, self.size)));
        }
        now.play(mv);
        self.record.moves.push(mv);
        self.now = Some(now);
        Ok(())
    }

    fn point(&self, name: &str, SgfPoint { x, y }: SgfPoint) -> Result<Point, Trouble> {
        let (column, row) = (usize::from(x), usize::from(y));
        match column.max(row) < self.size {
            true => Ok(Point::new(column, row)),
            false => trouble(name, format!("a point is outside the board of {} rows", self.size)),
        }
    }
}

fn name_of(mv: Move, size: usize) -> String {
    mv.point().map_or("pass".to_owned(), |point| vertex(point, size))
}

/// SGF's simple text: every white space is a space.
fn one_line(text: &str) -> String {
    text.replace(char::is_whitespace, " ")
}

fn komi(points: f64) -> Option<Komi> {
    let halves = points * 2.0;
    let whole = halves.fract() == 0.0 && halves.abs() < 10_000.0;
    whole.then(|| Komi::from_halves(halves as i16)).flatten()
}
