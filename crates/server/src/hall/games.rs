//! Games in the hall: offered, played, broken off and gone on with, ended.

use std::time::Duration;

use senbon_engines::csa::{Mark, ServerLine, Special};
use senbon_games::Side;

use super::guest::{Conn, Guest};
use super::{Event, Hall, Output};
use crate::{End, Entry, Table, record};

/// A game and who sits at it.
#[derive(Debug)]
pub(super) struct Hosted {
    pub(super) table: Table,
    phase: Phase,
    seats: [Seat; 2],
    /// Who wants to break the game off.
    breaks: [bool; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// A new game waits for both to agree.
    Offered { until: Duration },
    /// A game that was broken off waits for both to come back and to agree; not for ever, once
    /// one of them is here.
    Suspended { until: Option<Duration> },
    /// The clock runs, whoever is here.
    Running,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seat {
    /// Not here.
    Away,
    /// Here, and waits for the other.
    Here(Conn),
    /// Was offered the game when it had so many moves.
    Asked(Conn, usize),
    /// Has agreed, and waits for the other.
    Agreed(Conn),
    /// Plays.
    Playing(Conn),
}

impl Seat {
    fn conn(self) -> Option<Conn> {
        match self {
            Seat::Away => None,
            Seat::Here(conn) | Seat::Asked(conn, _) | Seat::Agreed(conn) | Seat::Playing(conn) => {
                Some(conn)
            }
        }
    }
}

impl Hosted {
    /// A game that is in the journal.
    pub(super) fn suspended(table: Table) -> Self {
        let phase = Phase::Suspended { until: None };
        Hosted { table, phase, seats: [Seat::Away; 2], breaks: [false; 2] }
    }

    /// Whether it is in the journal.
    pub(super) fn has_begun(&self) -> bool {
        !matches!(self.phase, Phase::Offered { .. })
    }

    /// When something is to be done about it.
    pub(super) fn next(&self) -> Option<Duration> {
        match self.phase {
            Phase::Offered { until } => Some(until),
            Phase::Suspended { until } => until,
            Phase::Running => self.table.deadline(),
        }
    }

    fn side_of(&self, name: &str) -> Option<Side> {
        let [black, white] = &self.table.players;
        if black == name { Some(Side::First) } else { (white == name).then_some(Side::Second) }
    }

    fn playing(&self) -> impl Iterator<Item = Conn> {
        self.seats.into_iter().filter_map(|seat| match seat {
            Seat::Playing(conn) => Some(conn),
            _ => None,
        })
    }
}

const SIDES: [Side; 2] = [Side::First, Side::Second];

impl Hall {
    /// Offers games to those who wait.
    pub(super) fn pair(&mut self, now: Duration) {
        while let Some(pair) = self.pairing.pair(now) {
            let players = [pair[0].name.clone(), pair[1].name.clone()];
            let began = (self.settings.opened + now.as_secs()).max(self.last_date + 1);
            self.last_date = began;
            let name = pair[0].wish.game.clone();
            let date = record::date(began, "", "", "");
            let [black, white] = &players;
            let id = format!("{}+{name}+{black}+{white}+{date}", self.settings.name);
            let table = Table::new(id.clone(), name, players.clone(), self.settings.rules, began);
            let until = now + self.settings.agree;
            let seats = [Seat::Asked(pair[0].conn, 0), Seat::Asked(pair[1].conn, 0)];
            for player in players {
                self.seats.insert(player, id.clone());
            }
            let phase = Phase::Offered { until };
            let hosted = Hosted { table, phase, seats, breaks: [false; 2] };
            for (side, waiting) in SIDES.into_iter().zip(&pair) {
                let text = hosted.table.summary(side, now).format();
                self.send_text(waiting.conn, text);
            }
            self.games.insert(id.clone(), hosted);
            self.log(Event::Offered(id));
        }
    }

    /// Somebody who has a game is here again; false if there is none.
    pub(super) fn return_to_game(&mut self, now: Duration, conn: Conn, name: &str) -> bool {
        let Some(id) = self.seats.get(name).cloned() else { return false };
        let Some(game) = self.games.get_mut(&id) else { return false };
        let Some(side) = game.side_of(name) else { return false };
        game.seats[side.index()] = Seat::Here(conn);
        match &mut game.phase {
            Phase::Suspended { until } => {
                until.get_or_insert(now + self.settings.wait);
                if game.seats.iter().all(|seat| seat.conn().is_some()) {
                    game.phase = Phase::Suspended { until: Some(now + self.settings.agree) };
                    self.ask(now, &id);
                }
            }
            Phase::Running | Phase::Offered { .. } => self.ask(now, &id),
        }
        self.log(Event::Back(id, name.to_owned()));
        true
    }

    /// Offers the game to those at it who do not play yet.
    fn ask(&mut self, now: Duration, id: &str) {
        let Some(game) = self.games.get_mut(id) else { return };
        let mut offers = Vec::new();
        for side in SIDES {
            if let Seat::Here(conn) = game.seats[side.index()] {
                game.seats[side.index()] = Seat::Asked(conn, game.table.moves().len());
                offers.push((conn, game.table.summary(side, now).format()));
            }
        }
        offers.into_iter().for_each(|(conn, text)| self.send_text(conn, text));
    }

    /// The game and the side of whoever is on this connection.
    fn seat_of(&mut self, conn: Conn) -> Option<(String, Side)> {
        let name = self.guests.get(&conn).and_then(Guest::name)?;
        let id = self.seats.get(name)?;
        let side = self.games.get(id)?.side_of(name)?;
        Some((id.clone(), side))
    }

    pub(super) fn agree(&mut self, now: Duration, conn: Conn) {
        let Some((id, side)) = self.seat_of(conn) else { return };
        let Some(game) = self.games.get_mut(&id) else { return };
        let Seat::Asked(_, known) = game.seats[side.index()] else { return };
        if game.phase == Phase::Running {
            game.seats[side.index()] = Seat::Playing(conn);
            let mut text = format!("{}\n", ServerLine::Start(id));
            for made in &game.table.moves()[known..] {
                text.push_str(&format!("{},T{}\n", made.text, made.units));
            }
            return self.send_text(conn, text);
        }
        game.seats[side.index()] = Seat::Agreed(conn);
        if game.seats.iter().all(|seat| matches!(seat, Seat::Agreed(_))) {
            self.start(now, &id);
        }
    }

    /// The clock begins to run. Who has not agreed yet is offered the game.
    fn start(&mut self, now: Duration, id: &str) {
        let Some(game) = self.games.get_mut(id) else { return };
        let new = matches!(game.phase, Phase::Offered { .. });
        game.phase = Phase::Running;
        game.table.run(now);
        game.breaks = [false; 2];
        let mut begins = Vec::new();
        for seat in &mut game.seats {
            if let Seat::Agreed(conn) = *seat {
                *seat = Seat::Playing(conn);
                begins.push(conn);
            }
        }
        if new {
            let entry = Entry::of_table(&game.table, now).swap_remove(0);
            self.output.push_back(Output::Journal(entry));
        }
        for conn in begins {
            self.send(conn, &ServerLine::Start(id.to_owned()));
        }
        self.ask(now, id);
        self.log(if new { Event::Started(id.to_owned()) } else { Event::Resumed(id.to_owned()) });
    }

    pub(super) fn reject(&mut self, now: Duration, conn: Conn) {
        let Some((id, side)) = self.seat_of(conn) else { return };
        let Some(game) = self.games.get(&id) else { return };
        match (game.phase, game.seats[side.index()]) {
            (Phase::Offered { .. }, _) => {
                let by = game.table.players[side.index()].clone();
                self.call_off(now, &id, &by);
            }
            (_, Seat::Asked(..)) => self.send_away(now, conn, "its own game was rejected"),
            _ => {}
        }
    }

    /// An offer came to nothing.
    fn call_off(&mut self, now: Duration, id: &str, by: &str) {
        let Some(game) = self.games.remove(id) else { return };
        self.pairing.rest(now, &game.table.players);
        let players = game.table.players.iter();
        players.for_each(|player| drop(self.seats.remove(player)));
        self.log(Event::Rejected(id.to_owned(), by.to_owned()));
        for conn in game.seats.into_iter().filter_map(Seat::conn) {
            self.send(conn, &ServerLine::Reject { id: id.to_owned(), by: by.to_owned() });
            self.wait(now, conn);
        }
    }

    /// A player has lost its link, or has logged out.
    pub(super) fn leave_game(&mut self, now: Duration, name: &str) {
        let Some(id) = self.seats.get(name).cloned() else { return };
        let Some(game) = self.games.get_mut(&id) else { return };
        let Some(side) = game.side_of(name) else { return };
        game.seats[side.index()] = Seat::Away;
        match &mut game.phase {
            Phase::Offered { .. } => return self.call_off(now, &id, name),
            Phase::Suspended { until } => {
                let other = &mut game.seats[(!side).index()];
                match other.conn() {
                    None => *until = None,
                    Some(conn) => *other = Seat::Here(conn),
                }
            }
            Phase::Running => {}
        }
        self.log(Event::Lost(id, name.to_owned()));
    }

    /// Ends games whose time is up, and goes on with those that have waited long enough.
    pub(super) fn look_at_games(&mut self, now: Duration) {
        let due = self.games.values().filter(|game| game.next().is_some_and(|next| now >= next));
        for id in due.map(|game| game.table.id.clone()).collect::<Vec<_>>() {
            let Some(game) = self.games.get(&id) else { continue };
            match game.phase {
                Phase::Offered { .. } => {
                    let late = SIDES
                        .into_iter()
                        .find(|side| !matches!(game.seats[side.index()], Seat::Agreed(_)));
                    let by = late.map_or("", |side| &game.table.players[side.index()]).to_owned();
                    let conn = late.and_then(|side| game.seats[side.index()].conn());
                    self.call_off(now, &id, &by);
                    if let Some(conn) = conn {
                        self.send_away(now, conn, "no AGREE in time");
                    }
                }
                Phase::Suspended { .. } => self.start(now, &id),
                Phase::Running => {
                    if let Some(end) = game.table.time_up(now) {
                        self.finish(now, &id, end);
                    }
                }
            }
        }
    }

    /// The game in which this connection's player is to move.
    fn turn_of(&mut self, conn: Conn) -> Option<(String, Side)> {
        let (id, side) = self.seat_of(conn)?;
        let game = self.games.get(&id)?;
        let plays = game.seats[side.index()] == Seat::Playing(conn);
        (plays && game.phase == Phase::Running && game.table.to_move() == side)
            .then_some((id, side))
    }

    pub(super) fn play(&mut self, now: Duration, conn: Conn, mv: &str, comment: Option<String>) {
        let Some((id, _)) = self.turn_of(conn) else { return };
        let Some(game) = self.games.get_mut(&id) else { return };
        let end = match game.table.play(now, mv, comment) {
            Err(end) => return self.finish(now, &id, end),
            Ok(end) => end,
        };
        if let Some(made) = game.table.moves().last().cloned() {
            let line =
                ServerLine::Move { mv: made.text.clone(), units: Some(made.units), comment: None };
            let (mv, units) = (made.text, made.units);
            let entry =
                Entry::Move { id: id.clone(), mv: mv.clone(), units, comment: made.comment };
            self.output.push_back(Output::Journal(entry));
            self.log(Event::Move(id.clone(), mv, units));
            self.tell_all(&id, &line);
        }
        if let Some(end) = end {
            self.finish(now, &id, end);
        }
    }

    pub(super) fn special(&mut self, now: Duration, conn: Conn, special: Special) {
        if special == Special::Interrupt {
            return self.want_break(now, conn);
        }
        let Some((id, _)) = self.turn_of(conn) else { return };
        let Some(game) = self.games.get(&id) else { return };
        let end = game.table.special(now, special);
        self.finish(now, &id, end);
    }

    /// A game is broken off when both want it.
    fn want_break(&mut self, now: Duration, conn: Conn) {
        let Some((id, side)) = self.seat_of(conn) else { return };
        let Some(game) = self.games.get_mut(&id) else { return };
        game.breaks[side.index()] = true;
        if game.breaks == [true; 2] {
            self.suspend(now, &id);
        }
    }

    /// Breaks a running game off, to go on when both are back.
    pub(super) fn suspend(&mut self, now: Duration, id: &str) {
        let Some(game) = self.games.get_mut(id).filter(|game| game.phase == Phase::Running) else {
            return;
        };
        game.table.stop(now);
        game.phase = Phase::Suspended { until: None };
        let conns: Vec<Conn> = game.playing().collect();
        let here: Vec<Conn> = game.seats.into_iter().filter_map(Seat::conn).collect();
        game.seats = [Seat::Away; 2];
        let elapsed = game.table.elapsed(now);
        self.output.push_back(Output::Journal(Entry::Clock { id: id.to_owned(), elapsed }));
        for conn in conns {
            self.send(conn, &ServerLine::Mark(Mark::Interrupted));
        }
        self.log(Event::Suspended(id.to_owned()));
        here.into_iter().for_each(|conn| self.close(now, conn));
    }

    /// Sends a line to both players, and to those who watch.
    fn tell_all(&mut self, id: &str, line: &ServerLine) {
        let Some(game) = self.games.get(id) else { return };
        let conns: Vec<Conn> = game.playing().collect();
        conns.into_iter().for_each(|conn| self.send(conn, line));
        self.tell_watchers(id, &line.to_string());
    }

    fn finish(&mut self, now: Duration, id: &str, end: End) {
        let entry = Entry::End { id: id.to_owned(), end: end.clone() };
        self.output.push_back(Output::Journal(entry));
        if let Some((word, units)) = end.word {
            self.tell_all(id, &ServerLine::Special(word, Some(units)));
        }
        self.tell_all(id, &ServerLine::Mark(end.mark));
        let Some(game) = self.games.remove(id) else { return };
        let players = game.table.players.iter();
        players.for_each(|player| drop(self.seats.remove(player)));
        let winner = end.winner.map(|side| game.table.players[side.index()].clone());
        self.log(Event::Ended(id.to_owned(), winner, end.mark));
        self.write_record(&game.table, &end);
        self.stop_watching(id);
        for (side, seat) in SIDES.into_iter().zip(game.seats) {
            let Some(conn) = seat.conn() else { continue };
            let line = match seat {
                Seat::Playing(_) => ServerLine::Mark(end.result(side)),
                // It was about to come back to a game that is over now.
                _ => ServerLine::Reject { id: id.to_owned(), by: self.settings.name.clone() },
            };
            self.send(conn, &line);
            self.after_game(now, conn);
        }
    }

    fn after_game(&mut self, now: Duration, conn: Conn) {
        let extended = self.guests.get(&conn).is_some_and(|guest| guest.extended);
        if self.settings.continuous {
            self.wait(now, conn);
        } else if !extended {
            // As Floodgate does: who wants another game comes again.
            self.close(now, conn);
        }
    }
}
