//! Fixed-depth alpha-beta that can be held anywhere (minimal-trees-2014, figure 1).
//!
//! The search of the paper's workers: iterative deepening by two plies inside every node (or
//! by more, see [`Fixed::deepen_by`]), the best child of the shallower search first,
//! everything remembered. It departs from figure 1 in this: nodes so far down that a
//! shallower search would be of one ply at most are searched at once, since their children
//! come in the order of their static values anyway. Choices where the paper is silent: after
//! the best child come moves that were good elsewhere (`habits`); values are fail-soft, and
//! what is remembered counts only at its own depth, so that the value of a position at a depth
//! is one number, whoever searches it and in whatever order. It keeps its own stack, so that whoever drives it can stop after any
//! number of nodes, look at messages, and go on or turn to another search: one that was laid
//! aside goes on when it is started again. Several may share one memory, a [`Pool`].

mod aside;
mod frame;
mod habits;
mod memo;
mod pool;

use std::sync::Arc;

use senbon_games::{Bounds, Branching, Game, HIGHEST, Worth};

use self::aside::{Asides, Question};
use self::frame::{Frame, Scout, Stage, favourite, least_crowded, pick};
use self::habits::Habits;
use self::pool::Mark;
use crate::Nodes;
pub use memo::{Known, Memo};
pub use pool::Pool;

/// The shallowest nodes that are usually remembered: below, looking up costs more than
/// searching.
const REMEMBERED: u8 = 2;

/// Plies by which the search of a node deepens.
const STRIDE: u8 = 2;

/// The shallowest nodes where searches that share a memory keep out of each other's way.
const APART: u8 = 4;

/// The shallowest nodes where they ask whether what they search is still wanted.
const WANTED: u8 = 6;

/// What a search does next. One thing after the other in one loop, so that none of them is a
/// call.
enum Turn {
    /// Looks at a node that was reached.
    Enter,
    /// Lists the children of a node.
    Open,
    /// Begins a child, or finds that the node is done.
    Next,
    /// Goes back to where it came from with the value of a node.
    Leave(Worth),
    /// Enough nodes for now.
    Pause,
    /// The value of the root is found.
    End,
}

/// A fixed-depth search that goes on when told to.
pub struct Fixed<G: Game, B> {
    position: G,
    branching: B,
    stack: Vec<Frame<G>>,
    children: Vec<G::Move>,
    /// The order in which children are tried, beside them; filled in when the first of a node
    /// was not enough.
    order: Vec<u8>,
    habits: Habits,
    memo: Memo,
    /// The shallowest nodes that are remembered.
    remembered: u8,
    /// Plies from one search of a node to the next deeper one.
    stride: u8,
    nodes: Nodes,
    /// What the search under way is of.
    question: Option<Question>,
    /// Searches that others came before.
    asides: Asides<G>,
    /// Of all nodes, those before this search.
    begun: u64,
    /// How many may be visited until whoever drives it is asked.
    end: u64,
    /// What the root of the last search that ended was worth.
    returned: Worth,
    /// The child of that root to try first next time.
    favourite: u8,
    /// Positions down to this ply are noted when something is learnt of them.
    note_to: Option<u8>,
    noted: Vec<u64>,
    /// In place of its own memory.
    pool: Option<Arc<Pool>>,
    /// Null windows for all children but the first (NegaScout).
    scouts: bool,
}

impl<G: Game, B> Drop for Fixed<G, B> {
    fn drop(&mut self) {
        self.unmark();
    }
}

impl<G: Game, B> Fixed<G, B> {
    /// Nobody else need keep away from where it was.
    fn unmark(&mut self) {
        if let Some(pool) = &self.pool {
            self.stack.iter().filter_map(|frame| frame.mark).for_each(|mark| pool.leave(mark));
        }
    }
}

impl<G: Game, B: Branching<G>> Fixed<G, B> {
    /// Nothing to do yet. What is learnt takes at most `memory` bytes.
    pub fn new(position: G, mut branching: B, memory: usize) -> Self {
        branching.reset(&position);
        Fixed {
            position,
            branching,
            stack: Vec::new(),
            children: Vec::new(),
            order: Vec::new(),
            habits: Habits::new::<G>(),
            memo: Memo::new(memory),
            remembered: REMEMBERED,
            stride: STRIDE,
            nodes: Nodes::default(),
            question: None,
            asides: Asides::new(),
            begun: 0,
            end: 0,
            returned: 0,
            favourite: Known::NO_BEST,
            note_to: None,
            noted: Vec::new(),
            pool: None,
            scouts: false,
        }
    }

    /// Looks at all children but the first with null windows first.
    pub fn scout(&mut self, scouts: bool) {
        self.scouts = scouts;
    }

    /// Before a node is searched, it is searched so many plies less deep; usually 2.
    pub fn deepen_by(&mut self, plies: u8) {
        self.stride = plies.max(1);
    }

    /// Remembers positions in `pool` from now on, with others, and searches last what they are
    /// searching.
    pub fn share(&mut self, pool: Option<Arc<Pool>>) {
        self.lay_aside();
        self.asides.clear();
        self.pool = pool;
    }

    #[inline]
    fn recall(&self, key: u64) -> Option<Known> {
        match &self.pool {
            Some(pool) => pool.get(key),
            None => self.memo.get(key),
        }
    }

    /// Remembers nodes of this depth and more, where memory is short; at least 2, which is
    /// usual.
    pub fn remember_from(&mut self, depth: u8) {
        self.remembered = depth.max(REMEMBERED);
    }

    /// Notes the keys of positions down to `ply` plies below the root of a search, for
    /// [`Self::take_noted`], when something is learnt of them.
    pub fn note_to(&mut self, ply: Option<u8>) {
        self.note_to = ply;
    }

    /// The keys noted since the last call, in the order in which they were learnt.
    pub fn take_noted(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.noted)
    }

    /// Begins to search `position` to `depth` plies with this window, or goes on with that. A
    /// search that is under way is laid aside.
    pub fn start(&mut self, position: &G, depth: u8, alpha: Worth, beta: Worth) {
        debug_assert!(alpha < beta, "a window has room inside");
        self.lay_aside();
        self.position = position.clone();
        self.branching.reset(position);
        let question = Question { key: position.key(), depth, window: (alpha, beta) };
        self.question = Some(question);
        if !self.take_up(question) {
            self.begun = self.nodes.total();
            self.push(None, depth, 0, alpha, beta);
        }
    }

    /// Nodes that the search under way took so far, or the last one if none is.
    pub fn effort(&self) -> u64 {
        self.nodes.total() - self.begun
    }

    /// The child of the root, in the order of the tree, that the last search that ended would
    /// try first next time; [`Known::NO_BEST`] when it does not know.
    pub fn favourite(&self) -> u8 {
        self.favourite
    }

    /// Whether a search is under way.
    pub fn is_running(&self) -> bool {
        !self.stack.is_empty()
    }

    /// Searches on until `nodes` more nodes were visited, or a few more; the value when the
    /// search has ended.
    pub fn run(&mut self, nodes: u64) -> Option<Worth> {
        self.end = self.nodes.total().saturating_add(nodes);
        let Some(frame) = self.stack.last() else { return Some(self.returned) };
        let mut turn = match frame.stage {
            _ if self.is_due() => Turn::Pause,
            Stage::Entered => Turn::Enter,
            Stage::Deepened => Turn::Open,
            Stage::Open => Turn::Next,
        };
        loop {
            turn = match turn {
                Turn::Enter => self.enter(),
                Turn::Open => self.open(),
                Turn::Next => self.next(),
                Turn::Leave(value) => self.leave(value),
                Turn::Pause => return None,
                Turn::End => return Some(self.returned),
            };
        }
    }

    /// What comes next, unless it has visited as many nodes as it was told to.
    #[inline]
    fn unless_due(&self, turn: Turn) -> Turn {
        if self.is_due() { Turn::Pause } else { turn }
    }

    #[inline]
    fn is_due(&self) -> bool {
        self.nodes.total() >= self.end
    }

    /// All nodes visited so far, over all searches.
    pub fn nodes(&self) -> Nodes {
        self.nodes
    }

    /// What is known of positions.
    pub fn memo(&self) -> &Memo {
        &self.memo
    }

    /// What is known of positions, to add what others found.
    pub fn memo_mut(&mut self) -> &mut Memo {
        &mut self.memo
    }

    fn push(
        &mut self,
        way: Option<(G::Move, G::Undo)>,
        depth: u8,
        ply: u8,
        alpha: Worth,
        beta: Worth,
    ) {
        let children = self.children.len() as u32;
        self.stack.push(Frame {
            way,
            depth,
            ply,
            stage: Stage::Entered,
            at: 0,
            best_at: Known::NO_BEST,
            first: Known::NO_BEST,
            tried: 0,
            alpha,
            beta,
            best: -HIGHEST,
            children,
            listed: false,
            key: self.position.key(),
            scout: Scout::No,
            deferred: 0,
            mark: None,
        });
    }

    /// A node is reached: what is known may do, or a shallower search comes first.
    #[inline]
    fn enter(&mut self) -> Turn {
        let Some(frame) = self.stack.last_mut() else { return Turn::Pause };
        let (depth, ply, key) = (frame.depth, frame.ply, frame.key);
        let (alpha, beta) = (frame.alpha, frame.beta);
        match depth {
            0 => return Turn::Leave(self.leaf()),
            1 => return Turn::Leave(self.above_leaves(beta)),
            _ => frame.stage = Stage::Deepened,
        }
        let known = if depth >= self.remembered { self.recall(key) } else { None };
        if let (Some(known), Some(frame)) = (known, self.stack.last_mut()) {
            frame.first = known.best;
            if known.depth == depth
                && let Some(value) = known.bounds.answer(alpha, beta)
            {
                return Turn::Leave(value);
            }
        }
        if depth >= WANTED
            && let Some(value) = self.overtaken()
        {
            return Turn::Leave(value);
        }
        // One that was searched about as deep says what to try first by itself.
        let shallower = depth.saturating_sub(self.stride);
        if shallower < REMEMBERED || known.is_some_and(|known| known.depth >= shallower) {
            return self.open();
        }
        self.push(None, shallower, ply, alpha, beta);
        Turn::Enter
    }

    /// The children are listed. The first is often enough: where it is the one that comes first
    /// by itself, the others wait.
    #[inline]
    fn open(&mut self) -> Turn {
        let Some(frame) = self.stack.last_mut() else { return Turn::Pause };
        frame.stage = Stage::Open;
        frame.listed = G::KINDRED_MOVES || frame.first != Known::NO_BEST;
        if frame.listed {
            self.branching.children(&self.position, &mut self.children);
        } else {
            let first = self.branching.first_child(&self.position, &mut self.children);
            self.children.truncate(frame.children as usize);
            self.children.extend(first);
        }
        if self.children.len() == frame.children as usize {
            self.nodes.leaves += 1;
            return Turn::Leave(self.branching.ending(&self.position, frame.depth));
        }
        self.nodes.interior += 1;
        let is_low = frame.depth == REMEMBERED;
        match self.is_due() {
            true => Turn::Pause,
            false if is_low => self.next_low(),
            false => Turn::Next,
        }
    }

    fn leaf(&mut self) -> Worth {
        self.nodes.leaves += 1;
        self.branching.worth(&self.position) as Worth
    }

    /// What a node right above the leaves is worth, all of it at once.
    #[inline]
    fn above_leaves(&mut self, beta: Worth) -> Worth {
        match self.branching.best_leaf(&mut self.position, &mut self.children, beta) {
            Some(best) => {
                self.nodes.interior += 1;
                self.nodes.leaves += u64::from(best.visited);
                best.worth
            }
            None => {
                self.nodes.leaves += 1;
                self.branching.ending(&self.position, 1)
            }
        }
    }

    /// The next child is begun, or the node is done.
    #[inline]
    fn next(&mut self) -> Turn {
        if self.stack.last().is_some_and(|frame| frame.depth == REMEMBERED) {
            return self.next_low();
        }
        if let Some(value) = self.done_by_others() {
            return Turn::Leave(value);
        }
        let Some(child) = self.choose() else { return self.close() };
        let Some(frame) = self.stack.last_mut() else { return Turn::Pause };
        let mv = self.children[frame.children as usize + usize::from(frame.at)];
        let (depth, ply) = (frame.depth - 1, frame.ply + 1);
        let low = frame.alpha.max(frame.best);
        let (alpha, beta) = match frame.scout {
            Scout::Null => (-(low + 1), -low),
            _ => (-frame.beta, -low),
        };
        self.branching.played(&self.position, mv);
        let undo = self.position.play(mv);
        self.push(Some((mv, undo)), depth, ply, alpha, beta);
        if let Some(frame) = self.stack.last_mut() {
            frame.mark = child;
        }
        Turn::Enter
    }

    /// The same where children are right above the leaves, as most are: they are done here, one
    /// after the other. Nobody keeps out of anybody's way there, and there are no null windows.
    #[inline]
    fn next_low(&mut self) -> Turn {
        loop {
            self.list_others();
            let Some(frame) = self.stack.last_mut() else { return Turn::Pause };
            let children = &self.children[frame.children as usize..];
            let rank = frame.tried;
            if frame.best >= frame.beta || usize::from(rank) >= children.len() {
                return self.close();
            }
            let at = pick(frame, rank, &self.position, children, &mut self.habits, &mut self.order);
            (frame.at, frame.tried) = (at, rank + 1);
            let (mv, low) = (children[usize::from(at)], frame.alpha.max(frame.best));
            self.branching.played(&self.position, mv);
            let undo = self.position.play(mv);
            let value = -self.above_leaves(-low);
            self.position.take_back(mv, undo);
            self.branching.taken_back();
            if let Some(frame) = self.stack.last_mut().filter(|frame| value > frame.best) {
                (frame.best, frame.best_at) = (value, at);
            }
            if self.is_due() {
                return Turn::Pause;
            }
        }
    }

    /// Lists the other children where the first was not enough.
    #[inline]
    fn list_others(&mut self) {
        if let Some(frame) = self.stack.last_mut()
            && frame.tried > 0
            && !frame.listed
            && frame.best < frame.beta
        {
            frame.listed = true;
            self.children.truncate(frame.children as usize);
            self.branching.children(&self.position, &mut self.children);
        }
    }

    /// All children that had to be searched were.
    #[inline]
    fn close(&mut self) -> Turn {
        let Some(frame) = self.stack.last() else { return Turn::Pause };
        if frame.best >= frame.beta {
            let mv = self.children[frame.children as usize + usize::from(frame.at)];
            self.habits.refuted(&self.position, frame.ply, frame.depth, mv);
        }
        Turn::Leave(frame.best)
    }

    /// Chooses the child to search next, and how; none when the node is done. Gives its mark,
    /// where there is one. A child that others are searching comes after the rest: by then it
    /// may be known, and if not, the one with the fewest searchers is helped with first.
    #[inline]
    fn choose(&mut self) -> Option<Option<Mark>> {
        loop {
            self.list_others();
            let frame = self.stack.last_mut()?;
            if frame.best >= frame.beta {
                return None;
            }
            let children = &self.children[frame.children as usize..];
            let again = frame.scout == Scout::Again;
            let late = usize::from(frame.tried) >= children.len();
            let rank = match late {
                _ if again => Known::NO_BEST,
                true if frame.deferred == 0 => return None,
                true => least_crowded(frame, &self.order, children, self.pool.as_deref()),
                false => frame.tried,
            };
            let at = match again {
                true => frame.at,
                false => {
                    pick(frame, rank, &self.position, children, &mut self.habits, &mut self.order)
                }
            };
            if !again && late {
                frame.deferred &= !(1 << rank);
            } else if !again {
                frame.tried += 1;
            }
            let mut mark = None;
            if let Some(pool) = &self.pool
                && frame.depth >= APART
            {
                let code = G::code(children[usize::from(at)]);
                let child = Mark::of(frame.key, code, frame.depth - 1);
                if !again && !late && (1..64).contains(&rank) && pool.is_searched(child) {
                    frame.deferred |= 1 << rank;
                    continue;
                }
                pool.enter(child);
                mark = Some(child);
            }
            frame.at = at;
            let low = frame.alpha.max(frame.best);
            let null = self.scouts && !again && rank > 0;
            let room = low > -HIGHEST && low + 1 < frame.beta;
            frame.scout = if null && room { Scout::Null } else { Scout::No };
            return Some(mark);
        }
    }

    /// What those who share the memory have found of this node meanwhile, if that is enough.
    #[inline]
    fn done_by_others(&mut self) -> Option<Worth> {
        let frame = self.stack.last().filter(|frame| frame.tried > 0)?;
        let known = self.found_elsewhere(frame)?;
        self.accept(known)
    }

    /// What others have found of a node on the way, if that is enough.
    #[inline]
    fn found_elsewhere(&self, frame: &Frame<G>) -> Option<Known> {
        let pool = self.pool.as_ref().filter(|_| frame.depth >= APART)?;
        let known = pool.get(frame.key).filter(|known| known.depth == frame.depth)?;
        known.bounds.answer(frame.alpha, frame.beta).map(|_| known)
    }

    /// Takes what others have found of the node for its value.
    #[inline]
    fn accept(&mut self, known: Known) -> Option<Worth> {
        let frame = self.stack.last_mut()?;
        (frame.first, frame.best_at, frame.tried) = (known.best, Known::NO_BEST, 0);
        known.bounds.answer(frame.alpha, frame.beta)
    }

    /// Others may have found out about a node on the way here, so that nobody wants to know about
    /// this one any more. Goes back to the highest such node, if there is one, and says what it
    /// is worth.
    #[inline(never)]
    fn overtaken(&mut self) -> Option<Worth> {
        self.pool.as_ref()?;
        let mut above = self.stack.iter().rev().skip(1).rev().enumerate();
        let (at, known) = above.find_map(|(at, frame)| Some((at, self.found_elsewhere(frame)?)))?;
        while self.stack.len() > at + 1 {
            if let Some((mv, undo)) = self.pop()?.way {
                self.position.take_back(mv, undo);
                self.branching.taken_back();
            }
        }
        self.accept(known)
    }

    /// Leaves the node that was reached last, with its children.
    #[inline]
    fn pop(&mut self) -> Option<Frame<G>> {
        let frame = self.stack.pop()?;
        if let (Some(pool), Some(mark)) = (&self.pool, frame.mark) {
            pool.leave(mark);
        }
        self.children.truncate(frame.children as usize);
        if G::KINDRED_MOVES {
            self.order.truncate(frame.children as usize);
        }
        Some(frame)
    }

    /// The node is worth `value`: it is remembered, and the one above hears of it.
    #[inline]
    fn leave(&mut self, value: Worth) -> Turn {
        let Some(frame) = self.pop() else { return Turn::Pause };
        if frame.depth >= self.remembered && frame.tried > 0 {
            self.remember(&frame, value);
        }
        if let Some((mv, undo)) = frame.way {
            self.take_back(mv, undo, value);
            return self.unless_due(Turn::Next);
        }
        self.returned = value;
        let favourite = favourite(&frame, value);
        let Some(deeper) = self.stack.last_mut() else {
            self.favourite = favourite;
            return Turn::End;
        };
        // The shallower search of a node says what to try first.
        deeper.first = favourite;
        self.unless_due(Turn::Open)
    }

    /// Goes back to the parent of a node that is worth `value`.
    #[inline]
    fn take_back(&mut self, mv: G::Move, undo: G::Undo, value: Worth) {
        self.position.take_back(mv, undo);
        self.branching.taken_back();
        if let Some(parent) = self.stack.last_mut() {
            let within = -value > parent.alpha.max(parent.best) && -value < parent.beta;
            let again = parent.scout == Scout::Null && within;
            parent.scout = if again { Scout::Again } else { Scout::No };
            if -value > parent.best {
                parent.best = -value;
                parent.best_at = parent.at;
            }
        }
    }

    #[inline]
    fn remember(&mut self, frame: &Frame<G>, value: Worth) {
        let key = frame.key;
        let found = Bounds::found(value, frame.alpha, frame.beta);
        let learn = |known: Option<Known>| {
            let before = match known {
                Some(known) if known.depth == frame.depth => known.bounds,
                _ => Bounds::NONE,
            };
            // They never contradict each other, but for two positions with the same key.
            let bounds = before.and(found).unwrap_or(found);
            Known { bounds, depth: frame.depth, best: favourite(frame, value) }
        };
        match &self.pool {
            Some(pool) => pool.learn(key, learn),
            None => self.memo.learn(key, learn),
        }
        if self.note_to.is_some_and(|deepest| frame.ply <= deepest) {
            self.noted.push(key);
        }
    }
}
