//! What can be chosen.

use senbon_games::Worth;

use super::Shape;

/// Which window a worker searches a task with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Windows {
    /// The task window: only what is decided narrows it (section 3.1). A result is never
    /// thrown away because a prediction was wrong.
    Task,
    /// The task window, but the master searches as NegaScout does (section 5.4, "without
    /// epsilon-windows").
    Scout,
    /// The pass window, wider by this much on either side (section 5.4), within the task
    /// window. The master searches as NegaScout does, so that most pass windows are null.
    Epsilon(Worth),
}

/// How a [`Master`](super::Master) searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Plies searched in all (d).
    pub depth: u8,
    /// Plies of the master's tree (d').
    pub reach: u8,
    /// Plies of it at first: it grows by two whenever what is below has been searched some plies
    /// deep (section 6 has leaves that are divided as future work). The same as `reach` if it
    /// does not grow. Only a search in step grows.
    pub start: u8,
    /// The windows of tasks.
    pub windows: Windows,
    /// Predictions compare findings of the same depth only, level by level, a stride deeper
    /// whenever nothing is missing. Workers go deeper by themselves meanwhile. Otherwise the
    /// deepest findings count at once, as published: what was searched deeper looks worse than
    /// what was not, because it was chosen for looking good, and the prediction wanders.
    pub in_step: bool,
    /// Plies by which a search goes deeper at a time; an even number.
    pub stride: u8,
    /// Leaves that keep others waiting are divided among their children when workers are
    /// idle (section 5.4, future work).
    pub extends: bool,
    /// Predictions go on to the next level when little is missing, but for the last level.
    pub hurries: bool,
    /// Tasks come by how likely they are to be needed, those first that decide about others.
    /// Workers of crews that share a memory have no tasks of their own then: all of them are at
    /// the first ones.
    pub front: bool,
    /// Workers without work search what is not needed as it seems: siblings of moves that
    /// refute something, but not by far.
    pub spares: bool,
    /// The crews of foremen are machines that remember positions together: those without a task
    /// help with another's, and a crew with its share of the tasks has its hands full.
    pub crews: bool,
    /// Every pass tells every worker all its tasks, as published. Otherwise only those whose
    /// tasks changed are told: links that lose nothing need no repetition.
    pub repeats: bool,
    /// Positions that the game has seen before are draws, or whatever the rules say, in the
    /// master's part of the tree. Below, no way counts, so that a position has one value.
    pub history: bool,
}

/// How a [`MinimalTree`](super::MinimalTree) goes about its searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The tree that is searched.
    pub shape: Shape,
    /// Plies of the master's tree; chosen by the number of workers if not given.
    pub reach: Option<u8>,
    /// How much wider than the pass window workers search.
    pub wider: Worth,
}

impl Default for Style {
    fn default() -> Self {
        Style { shape: Shape::PLAY, reach: None, wider: 25 }
    }
}

impl Settings {
    /// As published, with task windows.
    pub const fn published(depth: u8, reach: u8) -> Self {
        let windows = Windows::Task;
        Settings {
            depth,
            reach,
            start: reach,
            windows,
            in_step: false,
            stride: 2,
            extends: false,
            hurries: false,
            front: false,
            spares: false,
            crews: false,
            repeats: true,
            history: false,
        }
    }

    /// What games use: in step, which has proved best (docs/results/minimal-tree.md), and work
    /// for those who would have none.
    pub const fn best(depth: u8, reach: u8) -> Self {
        let windows = Windows::Epsilon(50);
        Settings {
            depth,
            reach,
            start: reach,
            windows,
            in_step: true,
            stride: 2,
            extends: false,
            hurries: false,
            front: false,
            spares: true,
            crews: false,
            repeats: false,
            history: false,
        }
    }
}
