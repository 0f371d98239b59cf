//! The ways to make one search of many workers on the master tree.

/// How the tree is grown and how its results are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// P-GPP with growth while thinking instead of harvests: greedy growth by realization
    /// probability, the best move of one rest after the other as they are told, minimax.
    Pipeline,
    /// P-GPP as published: the tree grows from harvests of the workers' tables when the game has
    /// moved on, and stays as it is then.
    PublishedPipeline,
    /// As the published form, but a node's share is its best move and random positions
    /// (pgpp-2015 section 5.3).
    RandomGrowth,
    /// Optimistic pondering as in GridChess: workers ponder positions of the principal
    /// variations, without move restriction and without minimax.
    OptimisticPondering,
    /// The original GPP: a tree built anew for every root by shallow searches, its workers
    /// shared out by fixed ratios (pgpp-2015 section 3.3).
    OriginalGpp,
    /// UIDPABS: the moves of the root are dealt out among the workers, which deepen without
    /// waiting for each other.
    RootSplit,
    /// One worker on our own time; on the opponent's the others ponder, each on one of the
    /// likeliest replies. What many workers are worth without any parallel search.
    PonderOnly,
    /// One worker, whatever else is there.
    Single,
    /// One alpha-beta search over all workers (minimal-trees-2014). Not a pipeline:
    /// [`MinimalTree`](crate::minimal::MinimalTree) does it.
    MinimalTree,
}

impl Strategy {
    /// All of them, the default first.
    pub const ALL: [Strategy; 9] = [
        Strategy::Pipeline,
        Strategy::PublishedPipeline,
        Strategy::OriginalGpp,
        Strategy::OptimisticPondering,
        Strategy::RandomGrowth,
        Strategy::RootSplit,
        Strategy::PonderOnly,
        Strategy::Single,
        Strategy::MinimalTree,
    ];

    /// Those that are ways of a pipeline.
    pub fn pipelines() -> impl Iterator<Item = Strategy> {
        Strategy::ALL.into_iter().filter(|&strategy| strategy != Strategy::MinimalTree)
    }

    /// The name that users write.
    pub const fn name(self) -> &'static str {
        match self {
            Strategy::Pipeline => "pipeline",
            Strategy::PublishedPipeline => "pgpp",
            Strategy::OriginalGpp => "gpp",
            Strategy::OptimisticPondering => "optimistic",
            Strategy::RandomGrowth => "random",
            Strategy::RootSplit => "root-split",
            Strategy::PonderOnly => "ponder-only",
            Strategy::Single => "single",
            Strategy::MinimalTree => "minimal-tree",
        }
    }

    /// What it does, for those who choose.
    pub const fn summary(self) -> &'static str {
        match self {
            Strategy::Pipeline => "The position pipeline: nothing to tune, the default",
            Strategy::PublishedPipeline => "The pipeline as published: it grows at new roots only",
            Strategy::OriginalGpp => "Its forerunner: shallow searches and fixed ratios",
            Strategy::OptimisticPondering => "Workers ponder along the line, the root decides",
            Strategy::RandomGrowth => "The pipeline with randomly grown trees",
            Strategy::RootSplit => "The root's moves dealt out among the workers",
            Strategy::PonderOnly => "One worker, and the others ponder on replies",
            Strategy::Single => "One worker",
            Strategy::MinimalTree => "One alpha-beta search by all built-in workers",
        }
    }

    /// The strategy of a name, however it is capitalised.
    pub fn from_name(name: &str) -> Option<Strategy> {
        Strategy::ALL.into_iter().find(|strategy| strategy.name().eq_ignore_ascii_case(name))
    }

    /// Whether the tree outlives a move of the game (the tree-style pipeline).
    pub(super) fn keeps_tree(self) -> bool {
        !matches!(self, Strategy::OriginalGpp | Strategy::RootSplit)
    }

    /// Whether the best move of a rest becomes a node as soon as a worker is free for it.
    pub(super) fn grows_while_thinking(self) -> bool {
        matches!(self, Strategy::Pipeline | Strategy::OptimisticPondering)
    }

    /// Whether free workers are shared out among the nodes at every new root, and then alone
    /// (section 4).
    pub fn grows_at_roots(self) -> bool {
        matches!(self, Strategy::PublishedPipeline | Strategy::RandomGrowth)
    }
}
