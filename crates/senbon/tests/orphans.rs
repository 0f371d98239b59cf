//! No engine process outlives the program, however the program ends and whatever the engine
//! ignores: `quit`, the end of the input, a kill.
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use senbon_engines::universal::Dialect;
use support::Engine;

/// How long processes may take to come and go on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Ignores the end of its input, polite signals and `quit`, and has a child that does, too.
const STUBBORN: &str = r#"trap '' TERM INT HUP
sleep 3600 &
while :; do
    if read -r line; then
        case $line in
            uci) echo "id name Stubborn"; echo uciok ;;
            usi) echo "id name Stubborn"; echo usiok ;;
            isready) echo readyok ;;
            stop) echo "bestmove $1" ;;
        esac
    else
        sleep 1
    fi
done
"#;

/// One line of /proc/PID/stat: state, parent and group. `None` when there is no such process.
fn stat(number: u32) -> Option<(char, u32, u32)> {
    let text = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    // The name, in brackets, may hold anything.
    let mut words = text.rsplit_once(')')?.1.split_whitespace();
    let state = words.next()?.chars().next()?;
    Some((state, words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

/// Whether a process runs. One that has ended and that nobody collects does not.
fn runs(number: u32) -> bool {
    stat(number).is_some_and(|(state, ..)| state != 'Z')
}

/// The processes below `ancestor`.
fn below(ancestor: u32) -> Vec<u32> {
    let all: Vec<u32> = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    let mut family = vec![ancestor];
    let mut at = 0;
    while at < family.len() {
        let children =
            all.iter().filter(|&&it| stat(it).is_some_and(|(_, up, _)| up == family[at]));
        family.extend(children.collect::<Vec<_>>());
        at += 1;
    }
    family.split_off(1)
}

/// Waits until so many processes are below `front`.
fn family(front: u32, count: usize) -> Vec<u32> {
    let until = Instant::now() + PATIENCE;
    loop {
        let family = below(front);
        if family.len() >= count || Instant::now() > until {
            assert_eq!(family.len(), count, "{family:?}");
            return family;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn assert_gone(family: &[u32]) {
    let until = Instant::now() + PATIENCE;
    while family.iter().any(|&it| runs(it)) {
        assert!(Instant::now() < until, "still there: {:?}", name_those_left(family));
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn name_those_left(family: &[u32]) -> Vec<String> {
    let left = family.iter().filter(|&&it| runs(it));
    let name = |it: &u32| std::fs::read_to_string(format!("/proc/{it}/cmdline"));
    left.map(|it| name(it).unwrap_or_default().replace('\0', " ")).collect()
}

/// The command line of the stubborn engine, which plays `best`.
fn stubborn(best: &str) -> String {
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stubborn.sh");
    // Tests run at the same time: each writes its own and puts it in place at once.
    let own = script.with_extension(format!("{:?}", std::thread::current().id()));
    std::fs::write(&own, STUBBORN).unwrap();
    std::fs::rename(&own, &script).unwrap();
    // Taken by its word: what it can do is not the question here.
    format!("manners=book sh \"{}\" {best}", script.display())
}

/// Starts a front on two of `engine`, lets it search, and ends it in every way. `each` is
/// how many processes an engine is.
fn leaves_nothing(front: &str, dialect: Dialect, engine: &str, each: usize) {
    for end in ["quit", "end of input", "kill", "kill while idle"] {
        let mut program =
            Engine::start(&[front, "--engine", engine, "--workers", "2", "--hash", "4"], dialect);
        program.say("isready");
        program.until("readyok");
        // One that searches may notice that nobody reads what it prints; an idle one does not.
        if end != "kill while idle" {
            program.say("position startpos\ngo infinite");
        }
        // The leash is the one more.
        let family = family(program.number(), 2 * each + 1);
        for &it in &family {
            let (_, _, group) = stat(it).unwrap();
            assert!(family.contains(&group), "Ctrl-C would end {it} before the front answers");
        }
        match end {
            "quit" => {
                program.say("quit");
                assert!(program.end().0.success());
            }
            "end of input" => assert!(program.end().0.success()),
            _ => program.kill(),
        }
        assert_gone(&family);
    }
}

#[test]
fn stubborn_engines_of_a_chess_front() {
    leaves_nothing("uci", Dialect::Uci, &stubborn("e2e4"), 2);
}

#[test]
fn stubborn_engines_of_a_shogi_front() {
    leaves_nothing("usi", Dialect::Usi, &stubborn("7g7f"), 2);
}

#[test]
fn stubborn_engines_of_an_analysis() {
    let engine = stubborn("e2e4");
    let arguments = ["analyse", "--engine", &engine, "--workers", "2", "--time", "3600"];
    let mut program = Command::new(env!("CARGO_BIN_EXE_senbon"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let family = family(program.id(), 5);
    program.kill().unwrap();
    program.wait().unwrap();
    assert_gone(&family);
}

#[test]
fn gnu_chess_which_ignores_the_end_of_its_input() {
    if let Some(program) = senbon_testkit::engine("gnuchess") {
        leaves_nothing("uci", Dialect::Uci, &format!("{} --uci", program.display()), 1);
    }
}

#[test]
fn gpsshogi_which_ignores_the_end_of_its_input() {
    if let Some(program) = senbon_testkit::engine("gpsusi") {
        leaves_nothing("usi", Dialect::Usi, &format!("{} -N 1", program.display()), 1);
    }
}
