//! `senbon csa`: a player on a shogi game server.
//!
//! One thread owns the conversation; the link has a thread that reads, and the searcher runs
//! behind a front of its own, which is spoken to as a GUI does.

mod brain;
mod link;
mod log;

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::{Duration, Instant};

use senbon_engines::Line;
use senbon_engines::csa::{Client, ClientEvent, ClientSay, Login, Mark};
use senbon_engines::universal::{Dialect, Reply};
use senbon_games::shogi::Shogi;

use crate::args::csa::Csa;
use crate::front;
use crate::report::Failure;
use brain::{Act, Brain, Habits};
use link::{Link, Retry};
use log::Log;

/// Events that may wait.
const WAITING: usize = 4096;

enum Event {
    /// The link of this number brought a line, or is broken.
    Line(u64, Option<Line>),
    /// The searcher says something; nothing more when it is gone.
    Engine(Option<Reply>),
    /// The user wants to leave.
    Leave,
}

pub(crate) fn run(args: &Csa) -> Result<(), Failure> {
    let password = args.password()?;
    let login = Login { name: args.user.clone(), password, extended: false };
    // Wrong names are told before anything is started.
    Client::new(Duration::ZERO, &login).map_err(Failure::Input)?;
    let (events, inbox) = sync_channel(WAITING);
    let (commands, lines) = channel::<String>();
    let leave = events.clone();
    ctrlc::set_handler(move || {
        let _ = leave.send(Event::Leave);
    })?;
    std::thread::scope(|scope| {
        let to_player = events.clone();
        let searcher = scope.spawn(move || {
            let result = front::converse::<Shogi>(
                &args.front,
                move |hear| {
                    let _ = lines.into_iter().all(|line| hear(Line::Text(line)));
                },
                |reply| {
                    // Opinions replace each other: what does not fit is left out.
                    match reply {
                        Reply::Info(_) => drop(to_player.try_send(Event::Engine(Some(reply)))),
                        reply => drop(to_player.send(Event::Engine(Some(reply)))),
                    }
                    Ok(())
                },
            );
            let _ = to_player.send(Event::Engine(None));
            result
        });
        let habits =
            Habits { ponder: !args.no_ponder, comments: args.floodgate, margin: args.margin() };
        let mut player = Player {
            args,
            login,
            brain: Brain::new(habits),
            client: None,
            link: Link::new(args.address(), events),
            retry: Retry::default(),
            commands: Some(commands),
            ready: false,
            leaving: 0,
            games: 0,
            known: false,
            log: Log::new(args.json),
            began: Instant::now(),
        };
        let played = player.run(&inbox);
        player.commands = None;
        drop(inbox);
        let searched = searcher.join().unwrap_or(Ok(()));
        played.and(searched)
    })
}

/// The player: the state of everything.
struct Player<'a> {
    args: &'a Csa,
    login: Login,
    brain: Brain,
    /// The conversation on the link there is.
    client: Option<Client>,
    link: Link,
    retry: Retry,
    /// To the searcher.
    commands: Option<Sender<String>>,
    ready: bool,
    /// How often the user asked.
    leaving: u32,
    games: u64,
    /// The server has let us in before.
    known: bool,
    log: Log,
    began: Instant,
}

/// Whether to go on.
#[derive(PartialEq, Eq)]
enum Go {
    On,
    Leave,
}

impl Player<'_> {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn run(&mut self, inbox: &Receiver<Event>) -> Result<(), Failure> {
        self.brain.prepare();
        loop {
            if self.act()? == Go::Leave {
                self.link.finish();
                self.log.say(self.now(), "left", &[("games", self.games.to_string())]);
                return Ok(());
            }
            let now = self.now();
            let next = match &self.client {
                Some(client) => client.poll_timeout(),
                None if self.ready => self.retry.at(),
                None => now + Duration::from_secs(3600),
            };
            match inbox.recv_timeout(next.saturating_sub(now)) {
                Ok(Event::Line(number, line)) if number == self.link.number() => self.line(line),
                Ok(Event::Line(..)) => {}
                Ok(Event::Engine(Some(Reply::ReadyOk))) => self.ready = true,
                Ok(Event::Engine(Some(reply))) => self.brain.handle_reply(&reply),
                // Why it is gone is what it returns.
                Ok(Event::Engine(None)) => return Ok(()),
                Ok(Event::Leave) => self.leaving += 1,
                Err(RecvTimeoutError::Timeout) => self.time(),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    fn time(&mut self) {
        let now = self.now();
        if let Some(client) = &mut self.client {
            return client.handle_timeout(now);
        }
        if !self.ready || now < self.retry.at() {
            return;
        }
        match self.link.connect() {
            Ok(()) => self.client = Client::new(self.now(), &self.login).ok(),
            Err(error) => {
                self.log.say(now, "no connection", &[("reason", error.to_string())]);
                self.retry.failed(self.now());
                self.brain.rest();
            }
        }
    }

    fn line(&mut self, line: Option<Line>) {
        let now = self.now();
        match (line, &mut self.client) {
            (Some(Line::Text(line)), Some(client)) => client.handle_line(now, &line),
            (Some(Line::TooLong), _) => {
                self.log.say(now, "confused", &[("reason", "a line was too long".to_owned())]);
            }
            (None, Some(_)) => self.disconnected("closed"),
            _ => {}
        }
    }

    /// The link is of no use any more.
    fn disconnected(&mut self, why: &str) {
        let now = self.now();
        if let Some(client) = self.client.take() {
            self.link.close();
            self.retry.broken(now, client.game().is_some());
            self.log.say(now, "disconnected", &[("reason", why.to_owned())]);
        }
    }

    /// Does what the client and the brain say, and leaves when it is time to.
    fn act(&mut self) -> Result<Go, Failure> {
        loop {
            if let Some(say) = self.client.as_mut().and_then(Client::poll) {
                match say {
                    ClientSay::Send(line) => self.link.send(&line.to_string()),
                    ClientSay::Event(event) => self.event(event)?,
                }
            } else if let Some(act) = self.brain.poll() {
                self.do_act(act);
            } else {
                break;
            }
        }
        let enough = self.args.games.is_some_and(|games| self.games >= games);
        let waits = self.client.as_ref().is_none_or(|client| client.game().is_none());
        if self.leaving > 1 || waits && (self.leaving > 0 || enough) {
            let now = self.now();
            if let Some(mut client) = self.client.take() {
                client.logout(now);
                while let Some(ClientSay::Send(line)) = client.poll() {
                    self.link.send(&line.to_string());
                }
            }
            return Ok(Go::Leave);
        }
        Ok(Go::On)
    }

    fn do_act(&mut self, act: Act) {
        let now = self.now();
        match (act, &mut self.client, &self.commands) {
            (Act::Engine(command), _, Some(commands)) => {
                let _ = commands.send(command.format(Dialect::Usi));
            }
            (Act::Play(mv, comment), Some(client), _) => client.play(now, mv, comment),
            (Act::Special(special), Some(client), _) => client.special(now, special),
            // Without a link; the brain keeps it.
            _ => {}
        }
    }

    fn event(&mut self, event: ClientEvent) -> Result<(), Failure> {
        let now = self.now();
        let Some(client) = &mut self.client else { return Ok(()) };
        let round_trip = client.round_trip();
        match event {
            ClientEvent::LoggedIn => {
                self.known = true;
                self.retry = Retry::default();
                self.log.say(now, "logged in", &[("name", self.login.name.clone())]);
            }
            ClientEvent::Refused if !self.known => {
                let text = "the server refused the login: the name or the password is wrong";
                return Err(Failure::Input(text.to_owned()));
            }
            ClientEvent::Refused => self.retry.failed(now),
            ClientEvent::Offered => {
                self.log.offered(now, client.offer());
                client.agree(now);
            }
            ClientEvent::Started => {
                if let Some(game) = client.game() {
                    self.log.started(now, game);
                    self.brain.handle_started(now, round_trip, game);
                }
            }
            ClientEvent::Moved(_, mv) => {
                if let Some(game) = client.game() {
                    self.log.moved(now, game, mv);
                    self.brain.handle_moved(now, round_trip, game);
                }
            }
            ClientEvent::Ended(mark, why) => {
                self.games += u64::from(mark != Mark::Interrupted);
                self.log.ended(now, mark, why);
                self.brain.handle_ended(mark);
            }
            ClientEvent::Rejected(by) => self.log.say(now, "rejected", &[("by", by)]),
            ClientEvent::LoggedOut => {}
            ClientEvent::Confused(what) => self.log.say(now, "confused", &[("reason", what)]),
            ClientEvent::Silent => self.disconnected("silent"),
        }
        Ok(())
    }
}
