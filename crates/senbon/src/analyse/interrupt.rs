//! Ctrl-C and its relatives: the first asks for the answer, the second for the end.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::screen::END;
use crate::report::INTERRUPTED;

/// How long the program may take to leave in good order after the second one.
const LEAVING: Duration = Duration::from_secs(1);

/// How often the user asked for the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupts(Arc<AtomicU32>);

impl Interrupts {
    /// Listens to SIGINT, SIGTERM and SIGHUP from now on.
    pub(crate) fn listen() -> Result<Self, ctrlc::Error> {
        let heard = Interrupts::default();
        let counter = heard.clone();
        ctrlc::set_handler(move || {
            match counter.0.fetch_add(1, Ordering::SeqCst) {
                0 => {}
                1 => {
                    // The program notices by itself, unless it is stuck somewhere.
                    std::thread::spawn(|| {
                        std::thread::sleep(LEAVING);
                        leave();
                    });
                }
                _ => leave(),
            }
        })?;
        Ok(heard)
    }

    /// How many so far.
    pub(crate) fn count(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Ends the program here and now, perhaps in the middle of a frame.
fn leave() {
    if std::io::IsTerminal::is_terminal(&std::io::stderr()) {
        let _ = std::io::stderr().write_all(END.as_bytes());
    }
    std::process::exit(i32::from(INTERRUPTED));
}
