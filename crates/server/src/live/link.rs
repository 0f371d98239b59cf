//! A connection: one thread that reads lines, one that writes them.

use std::io::{self, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use senbon_engines::csa::LINE_LIMIT;
use senbon_engines::{Line, read_lines};

/// Texts that may wait to be sent; who reads so slowly is gone.
const WAITING: usize = 1024;

/// How long a player may take to read.
const PATIENCE: Duration = Duration::from_secs(10);

/// Our end of a connection.
#[derive(Debug)]
pub(super) struct Link {
    /// Gone when the connection is to be closed after what was sent.
    texts: Option<SyncSender<String>>,
    stream: TcpStream,
}

impl Link {
    /// Starts the threads. `hear` is told of lines, and of the end by nothing.
    pub(super) fn start(
        stream: TcpStream,
        hear: impl Fn(Option<Line>) -> bool + Send + 'static,
    ) -> io::Result<Link> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let (input, output) = (stream.try_clone()?, stream.try_clone()?);
        let (texts, waiting) = sync_channel(WAITING);
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        thread("reader").spawn(move || {
            read_lines(input, LINE_LIMIT, |line| hear(Some(line)));
            hear(None);
        })?;
        thread("writer").spawn(move || write(output, &waiting))?;
        Ok(Link { texts: Some(texts), stream })
    }

    /// Sends some lines.
    pub(super) fn send(&mut self, text: String) {
        let full =
            |texts: &SyncSender<String>| matches!(texts.try_send(text), Err(TrySendError::Full(_)));
        if self.texts.as_ref().is_some_and(full) {
            let _ = self.stream.shutdown(Shutdown::Both);
        }
    }

    /// Closes the connection after what was sent.
    pub(super) fn close(&mut self) {
        self.texts = None;
    }
}

fn write(mut stream: TcpStream, texts: &Receiver<String>) {
    for text in texts {
        if stream.write_all(text.as_bytes()).is_err() {
            break;
        }
    }
    // The end of what is sent first: whoever still sends must not lose what we said last.
    let _ = stream.shutdown(Shutdown::Write);
    std::thread::sleep(Duration::from_millis(50));
    let _ = stream.shutdown(Shutdown::Both);
}
