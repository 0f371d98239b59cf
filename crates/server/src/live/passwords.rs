//! Threads that look at passwords, which takes long on purpose.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

use crate::{Conn, Secret};

/// Passwords looked at together; each takes a processor for a moment.
const THREADS: usize = 2;
/// Passwords that may wait.
const WAITING: usize = 64;

/// What is to be done.
pub(super) enum Task {
    Check(Conn, Secret, String),
    Hash(Conn, String),
}

/// What came out.
pub(super) enum Answer {
    Checked(Conn, bool),
    Hashed(Conn, Option<Secret>),
}

/// The threads.
pub(super) struct Passwords(SyncSender<Task>);

impl Passwords {
    pub(super) fn start(
        tell: impl Fn(Answer) -> bool + Clone + Send + 'static,
    ) -> io::Result<Self> {
        let (tasks, waiting) = sync_channel(WAITING);
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..THREADS {
            let (waiting, tell) = (waiting.clone(), tell.clone());
            let thread = std::thread::Builder::new().name("passwords".to_owned());
            thread.spawn(move || while next(&waiting).is_some_and(|task| tell(work(task))) {})?;
        }
        Ok(Passwords(tasks))
    }

    /// Takes a task, or answers at once that there are too many.
    pub(super) fn take(&self, task: Task) -> Option<Answer> {
        let refused = match &task {
            Task::Check(conn, ..) => Answer::Checked(*conn, false),
            Task::Hash(conn, _) => Answer::Hashed(*conn, None),
        };
        self.0.try_send(task).is_err().then_some(refused)
    }
}

fn next(waiting: &Mutex<Receiver<Task>>) -> Option<Task> {
    waiting.lock().ok()?.recv().ok()
}

fn work(task: Task) -> Answer {
    match task {
        Task::Check(conn, secret, password) => Answer::Checked(conn, secret.matches(&password)),
        Task::Hash(conn, password) => Answer::Hashed(conn, Secret::new(&password).ok()),
    }
}
