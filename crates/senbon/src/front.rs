//! `senbon uci` and `senbon usi`: one engine to the GUI, many workers behind.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

use senbon_core::Report;
use senbon_engines::builtin::BuiltIn;
use senbon_engines::universal::Reply;
use senbon_engines::{Line, LineSplitter, read_lines};
use senbon_fabric::front::{Front, Say};
use senbon_fabric::{Entrance, News, World};
use senbon_games::Game;

use crate::args::front::FrontArgs;
use crate::args::keep::Keep;
use crate::leash;
use crate::minutes::MinutesLog;
use crate::report::Failure;

/// Lines and news that may wait.
const WAITING: usize = 4096;

enum Event<G: Game> {
    Line(Line),
    End,
    /// From the workers hired at this time.
    News(u32, News<G>),
}

pub(crate) fn run<G: BuiltIn + Sync>(args: &FrontArgs) -> Result<(), Failure>
where
    G::Undo: Send,
{
    let limit = LineSplitter::COMMAND_LIMIT;
    converse::<G>(
        args,
        move |hear| read_lines(io::stdin(), limit, hear),
        |reply| {
            let mut out = io::stdout().lock();
            writeln!(out, "{}", reply.format(G::DIALECT))?;
            out.flush()
        },
    )
}

/// Holds a conversation: `listen`, on a thread of its own, passes on the lines of whoever plays
/// the GUI, to their end or as long as it is heard; `tell` gets the replies.
pub(crate) fn converse<G: BuiltIn + Sync>(
    args: &FrontArgs,
    listen: impl FnOnce(&mut dyn FnMut(Line) -> bool) + Send + 'static,
    mut tell: impl FnMut(Reply) -> io::Result<()>,
) -> Result<(), Failure>
where
    G::Undo: Send,
{
    let (events, inbox) = sync_channel(WAITING);
    let to_self = events.clone();
    std::thread::Builder::new().name("commands".to_owned()).spawn(move || {
        listen(&mut |line| events.send(Event::Line(line)).is_ok());
        let _ = events.send(Event::End);
    })?;
    let mut front: Front<G> = Front::new(args.config()?);
    let mut log = MinutesLog::open(args.compose.log().as_deref())?;
    let entrance = args.listen.open()?;
    let mut office =
        Office { world: None, hired: 0, events: to_self, entrance, keep: args.keep.clone() };
    for event in inbox {
        match event {
            Event::Line(Line::Text(line)) => front.handle_line(&line),
            Event::Line(Line::TooLong) => front.handle_long_line(),
            Event::End => front.handle_end(),
            Event::News(_, News::Refused(line)) => {
                let _ = writeln!(io::stderr(), "senbon: {line}");
            }
            Event::News(hired, news) if hired == office.hired => {
                if let (News::Minutes(minutes), Some(log)) = (&news, &mut log) {
                    log.write(minutes);
                }
                front.handle_news(news);
            }
            Event::News(..) => {}
        }
        while let Some(say) = front.poll() {
            if !office.act(&front, say, &mut tell)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The workers, and where their news goes.
struct Office<G: Game> {
    world: Option<World<G>>,
    hired: u32,
    events: SyncSender<Event<G>>,
    /// Where workers of other machines come in.
    entrance: Option<Arc<Entrance>>,
    /// Where the game is kept.
    keep: Keep,
}

impl<G: BuiltIn + Sync> Office<G>
where
    G::Undo: Send,
{
    /// Does what the front says; false at the end.
    fn act(
        &mut self,
        front: &Front<G>,
        say: Say<G>,
        tell: &mut impl FnMut(Reply) -> io::Result<()>,
    ) -> Result<bool, Failure> {
        match say {
            Say::Gui(reply) => tell(reply)?,
            Say::Order(order) => {
                if let Some(world) = &self.world {
                    world.order(order);
                }
            }
            Say::Hire => self.hire(front)?,
            Say::Adjust => {
                let settings = front.config().settings();
                if let Some(world) = &self.world {
                    world.set(move |now| *now = settings);
                }
            }
            Say::Quit => return Ok(false),
        }
        Ok(true)
    }

    fn hire(&mut self, front: &Front<G>) -> Result<(), Failure> {
        self.world = None;
        self.hired += 1;
        let (hired, events) = (self.hired, self.events.clone());
        let tell = move |news: News<G>| {
            // Opinions replace each other: what does not fit is left out. The rest waits.
            if matches!(news, News::Report(Report::Opinion { .. })) {
                let _ = events.try_send(Event::News(hired, news));
            } else {
                let _ = events.send(Event::News(hired, news));
            }
        };
        let config = front.config();
        let journal = self.keep.open()?;
        let (plan, sources) = config.hire(G::DIALECT, G::NAME);
        let sources = leash::hold(sources);
        self.world = Some(World::open(plan, sources, self.entrance.clone(), journal, tell)?);
        Ok(())
    }
}
