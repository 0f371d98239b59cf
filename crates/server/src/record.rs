//! The record of a finished game, as a CSA file.

use senbon_engines::csa::Mark;
use senbon_games::Side;
use senbon_games::shogi::record::{Finish, Record, RecordedMove, csa};

use crate::{End, Table};

/// Writes the record. The last lines are remarks: the result in Floodgate's words.
pub(crate) fn write(table: &Table, end: &End) -> String {
    let mut record = Record {
        players: table.players.clone(),
        tags: vec![
            ("EVENT".to_owned(), table.id.clone()),
            ("START_TIME".to_owned(), date(table.began, "/", " ", ":")),
        ],
        finish: Some(finish(end)),
        ..Record::default()
    };
    let unit_ms = u64::try_from(table.rules.unit.as_millis()).unwrap_or(u64::MAX);
    for made in table.moves() {
        let comment = made.comment.clone().unwrap_or_default();
        let time_ms = Some(made.units.saturating_mul(unit_ms));
        record.moves.push(RecordedMove { mv: made.mv, time_ms, comment });
    }
    let mut text = csa::write(&record);
    if !end.note.is_empty() {
        text.push_str(&format!("'{}\n", end.note.replace(['\n', '\r'], " ")));
    }
    text.push_str(&summary(table, end));
    text
}

fn finish(end: &End) -> Finish {
    match end.mark {
        Mark::Resign => Finish::Resignation,
        Mark::TimeUp => Finish::TimeUp,
        Mark::IllegalMove | Mark::IllegalAction => Finish::IllegalMove,
        Mark::Repetition | Mark::PerpetualCheck => Finish::Repetition,
        Mark::Declaration if end.winner.is_none() => Finish::Impasse,
        Mark::Declaration => Finish::Declaration,
        Mark::MaxMoves => Finish::MoveLimit,
        _ => Finish::Interruption,
    }
}

fn summary(table: &Table, end: &End) -> String {
    let why = match end.mark {
        Mark::Resign => "toryo",
        Mark::TimeUp => "time up",
        Mark::IllegalMove | Mark::IllegalAction => "illegal move",
        Mark::Repetition => "sennichite",
        Mark::PerpetualCheck => "oute_sennichite",
        Mark::Declaration => "kachi",
        Mark::MaxMoves => "max_moves",
        _ => "abnormal",
    };
    let word = |side: Side| match end.winner {
        None => "draw",
        Some(winner) if winner == side => "win",
        Some(_) => "lose",
    };
    let [black, white] = &table.players;
    let (first, second) = (word(Side::First), word(Side::Second));
    format!("'summary:{why}:{black} {first}:{white} {second}\n")
}

/// The date of `unix` seconds since 1970, in universal time.
pub(crate) fn date(unix: u64, day: &str, between: &str, second: &str) -> String {
    let (days, rest) = (unix / 86_400, unix % 86_400);
    let (year, month, of_month) = civil(days);
    let (hour, minute, seconds) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!(
        "{year:04}{day}{month:02}{day}{of_month:02}{between}\
         {hour:02}{second}{minute:02}{second}{seconds:02}"
    )
}

/// Year, month and day of month, so many days after 1 January 1970: years are counted from
/// March, so that the leap day comes last, in cycles of 400 years.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let of_month = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + cycle * 400 + next, month, of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right() {
        let at = |unix| date(unix, "/", " ", ":");
        assert_eq!(at(0), "1970/01/01 00:00:00");
        assert_eq!(at(951_782_399), "2000/02/28 23:59:59");
        assert_eq!(at(951_782_400), "2000/02/29 00:00:00");
        assert_eq!(at(1_609_459_199), "2020/12/31 23:59:59");
        assert_eq!(at(4_107_542_400), "2100/03/01 00:00:00");
    }
}
