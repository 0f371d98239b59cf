//! What goes over the network at once: a head, the same in every version, and a body.

use std::time::Duration;

use super::proof::{Challenge, MOST_CHALLENGE, MOST_PROOF};
use crate::wire::{MOST_BYTES, MOST_TEXT, Reader, VERSION, WireError, Writer};
use crate::{Ability, Berth, Fault};

/// Names a session: drawn at random by the worker for each of its tries to join, so that what
/// is late from an earlier one is never mistaken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(pub u128);

/// Names a process on the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerId(pub u128);

/// Longest name of a worker.
pub const MOST_NAME: usize = 64;

/// The first byte of every frame.
const MARK: u8 = b'S';

/// A frame that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Which session it belongs to.
    pub session: SessionId,
    /// What it says.
    pub body: Body,
}

/// What a frame says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// You cannot join, or go on. In every version this has the same form.
    Refuse {
        /// Why, for the person who runs the worker.
        reason: String,
    },
    /// A worker wants to join.
    Hello(Hello),
    /// It has joined.
    Welcome {
        /// After so long without a word the other end is taken for gone.
        lease: Duration,
    },
    /// An order or a report that must arrive. Repeated until it is acknowledged.
    Letter {
        /// Its number, from 0 in each direction.
        number: u64,
        /// All letters below this number have arrived.
        arrived: u64,
        /// The order or report.
        content: Vec<u8>,
    },
    /// A report that may get lost, as a newer one follows.
    Progress {
        /// Its number, from 0.
        number: u64,
        /// How many letters were written before it: when a later letter has arrived, it is
        /// too late.
        after: u64,
        /// The report.
        content: Vec<u8>,
    },
    /// A sign of life.
    Beat {
        /// All letters below this number have arrived.
        arrived: u64,
        /// The sender's clock.
        clock: Duration,
        /// The clock in the newest beat of the other end, and how long ago that came.
        echo: Option<(Duration, Duration)>,
    },
    /// The sender ends the session.
    Leave(Fault),
    /// Prove who you are.
    Challenge(Challenge),
    /// What proves who the sender is, and answers a challenge.
    Proof(Vec<u8>),
}

/// What a worker says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// The master it is meant for; one recorded for another master is worth nothing.
    pub master: PeerId,
    /// The worker's name, as in its certificate.
    pub name: String,
    /// What its engine can do.
    pub ability: Ability,
}

/// Why bytes are no frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// Of another version of the protocol.
    Version {
        /// Which.
        version: u8,
        /// The session it speaks of.
        session: SessionId,
    },
    /// Not readable.
    Malformed(WireError),
}

impl From<WireError> for FrameError {
    fn from(error: WireError) -> Self {
        FrameError::Malformed(error)
    }
}

impl Body {
    /// The number of its kind.
    fn kind(&self) -> u8 {
        match self {
            Body::Refuse { .. } => 1,
            Body::Hello(_) => 2,
            Body::Welcome { .. } => 3,
            Body::Letter { .. } => 4,
            Body::Progress { .. } => 5,
            Body::Beat { .. } => 6,
            Body::Leave(_) => 7,
            Body::Challenge(_) => 8,
            Body::Proof(_) => 9,
        }
    }
}

impl Frame {
    /// The frame as bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.byte(MARK);
        writer.byte(VERSION);
        writer.byte(self.body.kind());
        writer.identity(self.session.0);
        match &self.body {
            Body::Refuse { reason } => writer.text(reason, MOST_TEXT),
            Body::Hello(hello) => {
                writer.identity(hello.master.0);
                writer.text(&hello.name, MOST_NAME);
                write_ability(&mut writer, &hello.ability);
            }
            Body::Welcome { lease } => writer.time(*lease),
            Body::Letter { number, arrived, content } => {
                writer.number(*number);
                writer.number(*arrived);
                writer.bytes(content);
            }
            Body::Progress { number, after, content } => {
                writer.number(*number);
                writer.number(*after);
                writer.bytes(content);
            }
            Body::Beat { arrived, clock, echo } => {
                writer.number(*arrived);
                writer.time(*clock);
                writer.byte(u8::from(echo.is_some()));
                if let Some((clock, ago)) = echo {
                    writer.time(*clock);
                    writer.time(*ago);
                }
            }
            Body::Leave(fault) => crate::wire::write_fault(&mut writer, fault),
            Body::Challenge(Challenge { challenge, proof }) => {
                writer.bytes(challenge);
                writer.bytes(proof);
            }
            Body::Proof(proof) => writer.bytes(proof),
        }
        writer.into_bytes()
    }

    /// What is answered where nobody has the session this speaks of: that it is over, so that
    /// the other end need not wait for a lease. A hello that came too late begins such ones, and
    /// a good-bye that got lost leaves them behind.
    pub fn stray(&self) -> Option<Frame> {
        let fault = match self.body {
            Body::Hello(_)
            | Body::Challenge(_)
            | Body::Proof(_)
            | Body::Refuse { .. }
            | Body::Leave(_) => return None,
            Body::Welcome { .. }
            | Body::Letter { .. }
            | Body::Progress { .. }
            | Body::Beat { .. } => Fault::Silent("this session is over".to_owned()),
        };
        Some(Frame { session: self.session, body: Body::Leave(fault) })
    }

    /// The frame in `bytes`.
    pub fn read(bytes: &[u8]) -> Result<Frame, FrameError> {
        let mut reader = Reader::new(bytes);
        let mark = reader.byte()?;
        if mark != MARK {
            let what = "a frame";
            return Err(WireError::UnknownKind { what, kind: mark }.into());
        }
        let version = reader.byte()?;
        let kind = reader.byte()?;
        let session = SessionId(reader.identity()?);
        // A refusal is understood whoever sends it.
        if version != VERSION && kind != 1 {
            return Err(FrameError::Version { version, session });
        }
        let body = read_body(&mut reader, kind)?;
        reader.end()?;
        Ok(Frame { session, body })
    }
}

fn read_body(reader: &mut Reader<'_>, kind: u8) -> Result<Body, WireError> {
    Ok(match kind {
        1 => Body::Refuse { reason: reader.text("a reason", MOST_TEXT)?.to_owned() },
        2 => Body::Hello(Hello {
            master: PeerId(reader.identity()?),
            name: reader.text("a name", MOST_NAME)?.to_owned(),
            ability: read_ability(reader)?,
        }),
        3 => Body::Welcome { lease: reader.time()? },
        4 => Body::Letter {
            number: reader.number()?,
            arrived: reader.number()?,
            content: reader.bytes("bytes of a message", MOST_BYTES)?.to_vec(),
        },
        5 => Body::Progress {
            number: reader.number()?,
            after: reader.number()?,
            content: reader.bytes("bytes of a message", MOST_BYTES)?.to_vec(),
        },
        6 => Body::Beat {
            arrived: reader.number()?,
            clock: reader.time()?,
            echo: match reader.byte()? {
                0 => None,
                1 => Some((reader.time()?, reader.time()?)),
                kind => return Err(WireError::UnknownKind { what: "an echo", kind }),
            },
        },
        7 => Body::Leave(crate::wire::read_fault(reader)?),
        8 => Body::Challenge(Challenge {
            challenge: reader.bytes("bytes of a challenge", MOST_CHALLENGE)?.to_vec(),
            proof: reader.bytes("bytes of a proof", MOST_PROOF)?.to_vec(),
        }),
        9 => Body::Proof(reader.bytes("bytes of a proof", MOST_PROOF)?.to_vec()),
        kind => return Err(WireError::UnknownKind { what: "a frame", kind }),
    })
}

/// Name, game and speed, and a byte whose bits are what it can do; then its place in a crew.
fn write_ability(writer: &mut Writer, ability: &Ability) {
    writer.text(&ability.name, MOST_TEXT);
    writer.text(&ability.game, MOST_NAME);
    writer.number(ability.speed);
    let Ability { restricts, counts_nodes, harvests, several_lines, tasks, berth, .. } = *ability;
    let bits = [restricts, counts_nodes, harvests, several_lines, tasks, berth.is_some()];
    writer.byte(bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit)));
    if let Some(Berth { crew, number }) = berth {
        writer.number(crew);
        writer.number(number.into());
    }
}

fn read_ability(reader: &mut Reader<'_>) -> Result<Ability, WireError> {
    let name = reader.text("an engine's name", MOST_TEXT)?.to_owned();
    let game = reader.text("a game", MOST_NAME)?.to_owned();
    let speed = reader.number()?;
    let bits = reader.byte()?;
    if bits >= 1 << 6 {
        return Err(WireError::UnknownKind { what: "an ability", kind: bits });
    }
    let berth = match bits & 32 != 0 {
        true => Some(Berth { crew: reader.number()?, number: reader.small()? }),
        false => None,
    };
    Ok(Ability {
        name,
        game,
        speed,
        berth,
        restricts: bits & 1 != 0,
        counts_nodes: bits & 2 != 0,
        harvests: bits & 4 != 0,
        several_lines: bits & 8 != 0,
        tasks: bits & 16 != 0,
    })
}
