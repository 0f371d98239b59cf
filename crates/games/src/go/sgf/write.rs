//! Writing a game record.

use sgf_parse::go::{Move as SgfMove, Point as SgfPoint, Prop};

use super::{Record, rules_name};
use crate::go::life::Stones;
use crate::go::point::{Move, Point};
use crate::go::rows::Rows;
use crate::{Game, Side};

/// The record as an SGF file of one game.
pub fn write(record: &Record) -> String {
    let start = &record.start;
    let rules = start.rules();
    let size = start.size() as u8;

    let mut text = format!("(;FF[4]GM[1]CA[UTF-8]AP[Senbon]SZ[{size}]KM[{}]", rules.komi);
    let mut add = |prop: Prop| text += &prop.to_string();
    add(Prop::RU(rules_name(rules).as_str().into()));
    if let Some(name) = &record.black {
        add(Prop::PB(name.as_str().into()));
    }
    if let Some(name) = &record.white {
        add(Prop::PW(name.as_str().into()));
    }
    if let Some(verdict) = record.verdict {
        add(Prop::RE(verdict.to_string().as_str().into()));
    }
    let stones = Stones::from(start.board());
    // Only what agrees with the stones can be read again.
    if record.handicap >= 2 && record.handicap == stones.of(Side::First).len() {
        add(Prop::HA(record.handicap as i64));
    }
    text += &setup("AB", &stones.of(Side::First));
    text += &setup("AW", &stones.of(Side::Second));
    let side = start.side_to_move();
    if side == Side::Second {
        text += "PL[W]";
    }
    let mut side = side;
    for &mv in &record.moves {
        text.push(';');
        let prop = if side == Side::First { Prop::B } else { Prop::W };
        text += &prop(to_sgf(mv)).to_string();
        side = !side;
    }
    text + ")\n"
}

/// A list of points, in the board's order: `AB[cc][dd]`, or nothing.
fn setup(name: &str, points: &Rows) -> String {
    let mut text = String::new();
    for point in points.iter() {
        let prop = Prop::B(to_sgf(Move::at(point))).to_string();
        text += prop.trim_start_matches('B');
    }
    if text.is_empty() { text } else { format!("{name}{text}") }
}

fn to_sgf(mv: Move) -> SgfMove {
    let to_point = |p: Point| SgfPoint { x: p.column() as u8, y: p.row() as u8 };
    mv.point().map_or(SgfMove::Pass, |point| SgfMove::Move(to_point(point)))
}
