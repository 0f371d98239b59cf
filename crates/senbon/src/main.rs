//! The `senbon` program: arguments in, exit status out. The work is in the modules.
//!
//! Exit status: 0 success, 1 failure, 2 wrong use or unreadable input, 130 quit by Ctrl-C.
#![allow(clippy::disallowed_methods, reason = "the program is where input and output belong")]

mod analyse;
mod args;
mod bench;
mod csa;
mod engine;
mod front;
mod keys;
mod lab;
mod leash;
mod matches;
mod metrics;
mod minutes;
mod perft;
mod quanta;
mod report;
mod router;
mod serve;
mod sim;
mod worker;
mod workers;

use std::process::ExitCode;

use clap::Parser;
use senbon_games::chess::Chess;
use senbon_games::shogi::Shogi;

use args::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Command::Analyse(analyse) => analyse::run(&analyse),
        Command::Uci(front) => front::run::<Chess>(&front),
        Command::Usi(front) => front::run::<Shogi>(&front),
        Command::Csa(csa) => csa::run(&csa),
        Command::Serve(serve) => serve::run(&serve),
        Command::Worker(worker) => worker::run(&worker),
        Command::Router(router) => router::run(&router),
        Command::Workers(workers) => workers::run(&workers),
        Command::Keys(keys) => keys::run(&keys),
        Command::Perft(perft) => perft::run(&perft),
        Command::Bench(bench) => bench::run(&bench),
        Command::Engine(engine) => engine::run(&engine),
        Command::Leash => {
            leash::mind(std::io::stdin());
            Ok(())
        }
        Command::Match(terms) => matches::run(&terms),
        Command::Lab(experiment) => lab::run(&experiment),
        Command::Sim(sim) => sim::run(&sim),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
