//! Process groups: an engine with everything it started.
//!
//! Engines may be scripts with children of their own. Each is started as the leader of a
//! group, and the group is ended as a whole. A terminal's Ctrl-C does not reach it either: we
//! are to answer first.

use std::process::{Child, Command};

/// What to tell a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// Please end.
    Terminate,
    /// End.
    Kill,
}

#[cfg(unix)]
mod system {
    use std::os::unix::process::CommandExt;

    use rustix::process::{
        Pid, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid,
    };

    use super::{Child, Command, Signal};

    pub(crate) fn own_group(command: &mut Command) {
        command.process_group(0);
    }

    /// The group's number, if it can be one: 0 would mean our own group, 1 everything.
    fn group(number: u32) -> Option<Pid> {
        let number = i32::try_from(number).ok().filter(|&number| number > 1)?;
        Pid::from_raw(number)
    }

    pub(crate) fn signal(number: u32, signal: Signal) {
        let signal = match signal {
            Signal::Terminate => rustix::process::Signal::TERM,
            Signal::Kill => rustix::process::Signal::KILL,
        };
        if let Some(group) = group(number) {
            // Fails when nobody is left in it, which is what is wanted.
            let _ = kill_process_group(group, signal);
        }
    }

    pub(crate) fn exists(number: u32) -> bool {
        group(number).is_some_and(|group| test_kill_process_group(group).is_ok())
    }

    pub(crate) fn has_ended(leader: &mut Child) -> bool {
        let Some(pid) = group(leader.id()) else { return true };
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(pid), look), Ok(None))
    }
}

/// Without groups an engine's own children are its own affair.
#[cfg(not(unix))]
mod system {
    use super::{Child, Command, Signal};

    pub(crate) fn own_group(_command: &mut Command) {}

    pub(crate) fn signal(_number: u32, _signal: Signal) {}

    pub(crate) fn exists(_number: u32) -> bool {
        false
    }

    pub(crate) fn has_ended(leader: &mut Child) -> bool {
        !matches!(leader.try_wait(), Ok(None))
    }
}

/// Makes what `command` starts the leader of a group of its own.
pub(super) fn own_group(command: &mut Command) {
    system::own_group(command);
}

/// Sends a signal to all of a group, by its leader's process number.
pub(super) fn signal(number: u32, signal: Signal) {
    system::signal(number, signal);
}

/// Whether anybody is left in a group.
pub(super) fn exists(number: u32) -> bool {
    system::exists(number)
}

/// Whether the leader has ended. It is not collected, so its number stays taken.
pub(super) fn has_ended(leader: &mut Child) -> bool {
    system::has_ended(leader)
}
