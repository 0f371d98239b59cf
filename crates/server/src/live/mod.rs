//! A hall driven by threads, sockets and files.
//!
//! One thread owns the hall. Each connection has two threads of its own, and what they bring
//! carries the time at which it came, so that a moment in which the disk is slow costs nobody
//! any time. What must last is on the disk before anybody hears of it.

mod link;
mod passwords;
mod store;

use std::collections::BTreeMap;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use senbon_engines::Line;

use self::link::Link;
use self::passwords::{Answer, Passwords, Task};
use self::store::Store;
use crate::{Conn, Event, Hall, Output, Settings};

/// Events that may wait; whoever sends more is not read for a while.
const WAITING: usize = 4096;
/// Events that are looked at before the clocks are.
const BATCH: usize = 256;
/// How long the last lines may take when the server ends.
const LEAVING: Duration = Duration::from_millis(500);

enum Happened {
    Connected(TcpStream, SocketAddr),
    Line(Conn, Line),
    Closed(Conn),
    Password(Answer),
    Quit,
}

/// What happened, and when.
struct News(Duration, Happened);

/// A server that has its port and its files.
pub struct Server {
    hall: Hall,
    store: Store,
    links: BTreeMap<Conn, Link>,
    passwords: Passwords,
    news: SyncSender<News>,
    inbox: Receiver<News>,
    address: SocketAddr,
    next: u64,
    began: Instant,
}

impl Server {
    /// Takes the port and opens the folder; games in its journal wait for their players.
    pub fn open(listen: &str, folder: PathBuf, settings: Settings) -> io::Result<Self> {
        let (store, entries) = Store::open(&folder)?;
        let listener = TcpListener::bind(listen).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot listen on {listen}: {error}"))
        })?;
        let address = listener.local_addr()?;
        let began = Instant::now();
        let (news, inbox) = sync_channel(WAITING);
        let to_self = news.clone();
        std::thread::Builder::new().name("door".to_owned()).spawn(move || {
            accept(&listener, began, &to_self);
        })?;
        let to_self = news.clone();
        let passwords = Passwords::start(move |answer| {
            to_self.send(News(began.elapsed(), Happened::Password(answer))).is_ok()
        })?;
        let hall = Hall::new(settings, entries);
        let links = BTreeMap::new();
        Ok(Server { hall, store, links, passwords, news, inbox, address, next: 0, began })
    }

    /// Where players connect.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Games that were broken off and wait for their players.
    pub fn suspended(&self) -> usize {
        self.hall.games()
    }

    /// Ends the server when called.
    pub fn quitter(&self) -> impl Fn() + Send + Sync + 'static {
        let (news, began) = (self.news.clone(), self.began);
        move || {
            let _ = news.send(News(began.elapsed(), Happened::Quit));
        }
    }

    /// Serves until it is ended. An error is a journal that cannot be written: to go on would
    /// be to forget.
    pub fn run(mut self, mut log: impl FnMut(Duration, &Event)) -> io::Result<()> {
        // Records first: the new journal does not know the games that are over.
        self.drain(&mut log)?;
        self.store.rewrite(&self.hall.snapshot(Duration::ZERO))?;
        loop {
            let now = self.began.elapsed();
            let next = self.hall.poll_timeout();
            let wait = next.map_or(Duration::from_secs(3600), |at| at.saturating_sub(now));
            let mut quit = false;
            match self.inbox.recv_timeout(wait) {
                Ok(news) => {
                    quit |= !self.hear(news);
                    let more: Vec<News> = self.inbox.try_iter().take(BATCH).collect();
                    for news in more {
                        quit |= !self.hear(news);
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            // Whatever came before this moment has been heard, unless there was too much of it.
            self.hall.handle_timeout(now);
            self.drain(&mut log)?;
            if self.store.is_long() {
                self.store.rewrite(&self.hall.snapshot(self.began.elapsed()))?;
            }
            if quit {
                return self.leave(&mut log);
            }
        }
    }

    fn leave(mut self, log: &mut impl FnMut(Duration, &Event)) -> io::Result<()> {
        self.hall.handle_quit(self.began.elapsed());
        self.drain(log)?;
        self.store.sync()?;
        std::thread::sleep(LEAVING);
        Ok(())
    }

    /// Tells the hall; false if this is the end.
    fn hear(&mut self, News(at, happened): News) -> bool {
        match happened {
            Happened::Connected(stream, address) => self.connected(at, stream, address),
            Happened::Line(conn, Line::Text(line)) => self.hall.handle_line(at, conn, &line),
            Happened::Line(conn, Line::TooLong) => self.hall.handle_long_line(at, conn),
            Happened::Closed(conn) => {
                self.links.remove(&conn);
                self.hall.handle_closed(at, conn);
            }
            Happened::Password(answer) => self.answer(at, answer),
            Happened::Quit => return false,
        }
        true
    }

    fn connected(&mut self, at: Duration, stream: TcpStream, address: SocketAddr) {
        self.next += 1;
        let conn = Conn(self.next);
        let (news, began) = (self.news.clone(), self.began);
        let hear = move |line: Option<Line>| {
            let happened = line.map_or(Happened::Closed(conn), |line| Happened::Line(conn, line));
            news.send(News(began.elapsed(), happened)).is_ok()
        };
        // A connection that cannot even get its threads is closed by being dropped.
        if let Ok(link) = Link::start(stream, hear) {
            self.links.insert(conn, link);
            self.hall.handle_open(at, conn, &address.ip().to_string());
        }
    }

    fn answer(&mut self, at: Duration, answer: Answer) {
        match answer {
            Answer::Checked(conn, right) => self.hall.handle_checked(at, conn, right),
            Answer::Hashed(conn, secret) => self.hall.handle_hashed(at, conn, secret),
        }
    }

    /// Does what the hall says.
    fn drain(&mut self, log: &mut impl FnMut(Duration, &Event)) -> io::Result<()> {
        let mut later = Vec::new();
        let mut must_last = false;
        while let Some(output) = self.hall.poll() {
            match output {
                Output::Journal(entry) => {
                    must_last |= entry.must_last();
                    self.store.append(&entry)?;
                }
                Output::Check(conn, secret, password) => {
                    self.task(Task::Check(conn, secret, password));
                }
                Output::Hash(conn, password) => self.task(Task::Hash(conn, password)),
                output => later.push(output),
            }
        }
        if must_last {
            self.store.sync()?;
        }
        for output in later {
            match output {
                Output::Send(conn, text) => {
                    if let Some(link) = self.links.get_mut(&conn) {
                        link.send(text);
                    }
                }
                Output::Close(conn) => {
                    if let Some(link) = self.links.get_mut(&conn) {
                        link.close();
                    }
                }
                Output::Record(id, text) => self.store.record(&id, &text)?,
                Output::Log(event) => log(self.began.elapsed(), &event),
                Output::Journal(_) | Output::Check(..) | Output::Hash(..) => {}
            }
        }
        Ok(())
    }

    fn task(&mut self, task: Task) {
        if let Some(refused) = self.passwords.take(task) {
            self.answer(self.began.elapsed(), refused);
        }
    }
}

fn accept(listener: &TcpListener, began: Instant, news: &SyncSender<News>) {
    loop {
        match listener.accept() {
            Ok((stream, address)) => {
                let happened = Happened::Connected(stream, address);
                if news.send(News(began.elapsed(), happened)).is_err() {
                    return;
                }
            }
            // Out of file descriptors, or a connection that was gone already.
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}
