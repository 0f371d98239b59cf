//! `senbon engine`: a built-in engine on standard input and output.

use std::io::{ErrorKind, stdin, stdout};

use senbon_engines::builtin;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;

use crate::args::{Engine, EngineGame};
use crate::report::Failure;

pub(crate) fn run(args: &Engine) -> Result<(), Failure> {
    let ended = match args.game {
        EngineGame::Chess => builtin::run::<Chess>(stdin(), stdout()),
        EngineGame::Shogi => builtin::run::<Shogi>(stdin(), stdout()),
    };
    match ended {
        // The GUI is gone, and there is nobody to tell.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        ended => Ok(ended?),
    }
}
