//! Several frames in one message of the network. A message costs the network far more than the
//! bytes in it, so that whatever goes to the same machine at the same time goes together.

use std::collections::BTreeMap;

use super::{Body, Frame, FrameError, PeerId};
use crate::wire::{Reader, VERSION, WireError, Writer};

/// The first byte of a message that holds several frames.
const MARK: u8 = b'P';
/// Bytes of such a message, at most.
pub const MOST_PARCEL: usize = 16 * 1024;
/// Bytes before the frames, and before each of them.
const HEAD: usize = 2;
const EACH: usize = 3;

/// Frames for one machine, as they are.
struct Message {
    to: PeerId,
    frames: Vec<Vec<u8>>,
    bytes: usize,
}

/// Frames that are to be sent, in as few messages as will do.
#[derive(Default)]
pub struct Parcels {
    messages: Vec<Message>,
    /// The message to a machine that has room for one more.
    open: BTreeMap<PeerId, usize>,
}

impl Parcels {
    /// One more frame. To each machine they go in the order in which they come here.
    pub fn add(&mut self, to: PeerId, frame: &Frame) {
        let bytes = frame.write();
        let size = EACH + bytes.len();
        let shares = frame.body.may_share() && HEAD + size <= MOST_PARCEL;
        if !shares {
            self.open.remove(&to);
        } else if let Some(&index) = self.open.get(&to)
            && self.messages[index].bytes + size <= MOST_PARCEL
        {
            self.messages[index].bytes += size;
            return self.messages[index].frames.push(bytes);
        } else {
            self.open.insert(to, self.messages.len());
        }
        self.messages.push(Message { to, frames: vec![bytes], bytes: HEAD + size });
    }

    /// All messages there are, in order. A frame that is alone goes as it is.
    pub fn take(&mut self) -> impl Iterator<Item = (PeerId, Vec<u8>)> + use<> {
        self.open.clear();
        std::mem::take(&mut self.messages).into_iter().map(Message::write)
    }
}

impl Message {
    fn write(mut self) -> (PeerId, Vec<u8>) {
        if self.frames.len() == 1 {
            return (self.to, self.frames.swap_remove(0));
        }
        let mut writer = Writer::default();
        writer.byte(MARK);
        writer.byte(VERSION);
        for frame in &self.frames {
            writer.bytes(frame);
        }
        (self.to, writer.into_bytes())
    }
}

impl Body {
    /// Whether it may go in one message with others. What begins and refuses sessions may not:
    /// an end of another version has to read it.
    fn may_share(&self) -> bool {
        match self {
            Body::Letter { .. } | Body::Progress { .. } | Body::Beat { .. } | Body::Leave(_) => {
                true
            }
            Body::Refuse { .. }
            | Body::Hello(_)
            | Body::Welcome { .. }
            | Body::Challenge(_)
            | Body::Proof(_) => false,
        }
    }
}

/// The frames in a message, up to the first that cannot be read.
pub fn frames(message: &[u8]) -> impl Iterator<Item = Result<Frame, FrameError>> + '_ {
    let alone = message.first() != Some(&MARK);
    let mut reader = Reader::new(message);
    let mut opened = alone;
    let mut over = false;
    std::iter::from_fn(move || {
        if over {
            return None;
        }
        if alone {
            over = true;
            return Some(Frame::read(message));
        }
        let read = if opened { Ok(()) } else { open(&mut reader, message.len()) };
        opened = true;
        let read = read.and_then(|()| reader.bytes("bytes of a parcel", MOST_PARCEL));
        let read = read.map_err(FrameError::from).and_then(Frame::read);
        over = read.is_err() || reader.is_empty();
        Some(read)
    })
}

/// Reads the head of a message that holds several frames.
fn open(reader: &mut Reader<'_>, bytes: usize) -> Result<(), WireError> {
    if bytes > MOST_PARCEL {
        return Err(WireError::TooMany { what: "bytes of a parcel", most: MOST_PARCEL });
    }
    reader.byte()?;
    match reader.byte()? {
        VERSION => Ok(()),
        // Only ends that have agreed on a version send parcels.
        kind => Err(WireError::UnknownKind { what: "a parcel", kind }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::SessionId;
    use super::*;
    use crate::Fault;

    const HERE: PeerId = PeerId(1);
    const THERE: PeerId = PeerId(2);

    fn letter(number: u64, bytes: usize) -> Frame {
        let body = Body::Letter { number, arrived: 0, content: vec![number as u8; bytes] };
        Frame { session: SessionId(7), body }
    }

    fn frame(body: Body) -> Frame {
        Frame { session: SessionId(8), body }
    }

    fn read(message: &[u8]) -> Vec<Frame> {
        frames(message).map(Result::unwrap).collect()
    }

    #[test]
    fn frames_to_one_machine_share_a_message_and_keep_their_order() {
        let mut parcels = Parcels::default();
        let leave = frame(Body::Leave(Fault::Died("ended".to_owned())));
        parcels.add(HERE, &letter(0, 10));
        parcels.add(THERE, &letter(1, 10));
        parcels.add(HERE, &leave);
        parcels.add(HERE, &letter(2, 10));
        let messages: Vec<_> = parcels.take().collect();
        assert_eq!(messages.len(), 2);
        assert_eq!(messages[0].0, HERE);
        assert_eq!(read(&messages[0].1), [letter(0, 10), leave, letter(2, 10)]);
        // One that is alone is as it always was.
        assert_eq!(messages[1], (THERE, letter(1, 10).write()));
        assert_eq!(parcels.take().count(), 0);
    }

    #[test]
    fn what_begins_a_session_goes_alone_and_nothing_overtakes_it() {
        let mut parcels = Parcels::default();
        let welcome = frame(Body::Welcome { lease: std::time::Duration::from_secs(1) });
        for frame in [&letter(0, 10), &welcome, &letter(1, 10), &letter(2, 10)] {
            parcels.add(HERE, frame);
        }
        let messages: Vec<_> = parcels.take().map(|(_, message)| message).collect();
        assert_eq!(messages[..2], [letter(0, 10).write(), welcome.write()]);
        assert_eq!(read(&messages[2]), [letter(1, 10), letter(2, 10)]);
        assert_eq!(messages.len(), 3);
    }

    #[test]
    fn a_message_is_not_longer_than_it_may_be() {
        let mut parcels = Parcels::default();
        let sent: Vec<_> = [5000, 5000, 6000, 40_000, 16_300, 16_384, 1, 1]
            .into_iter()
            .enumerate()
            .map(|(number, bytes)| letter(number as u64, bytes))
            .collect();
        sent.iter().for_each(|frame| parcels.add(HERE, frame));
        let messages: Vec<_> = parcels.take().map(|(_, message)| message).collect();
        let came: Vec<_> = messages.iter().flat_map(|message| read(message)).collect();
        assert_eq!(came, sent);
        let counts: Vec<_> = messages.iter().map(|message| read(message).len()).collect();
        assert_eq!(counts, [3, 1, 1, 1, 2]);
        let parcels = messages.iter().filter(|message| message[0] == MARK);
        assert!(parcels.clone().all(|message| message.len() <= MOST_PARCEL));
        assert_eq!(parcels.count(), 2);
    }

    #[test]
    fn what_is_no_parcel_is_refused_once() {
        let good = letter(0, 3).write();
        let mut writer = Writer::default();
        writer.byte(MARK);
        writer.byte(VERSION);
        writer.bytes(&good);
        let parcel = writer.into_bytes();
        assert_eq!(read(&parcel), [letter(0, 3)]);
        let bad = |message: &[u8]| {
            let all: Vec<_> = frames(message).collect();
            let readable = all.iter().filter(|read| read.is_ok()).count();
            assert!(matches!(all.last(), Some(Err(FrameError::Malformed(_)))), "{all:?}");
            assert_eq!(readable + 1, all.len(), "{all:?}");
            readable
        };
        // Nothing in it, another version, cut off, one in another, and too long.
        assert_eq!(bad(&[MARK]), 0);
        assert_eq!(bad(&[MARK, VERSION]), 0);
        assert_eq!(bad(&[&[MARK, VERSION + 1][..], &parcel[2..]].concat()), 0);
        assert_eq!(bad(&parcel[..parcel.len() - 1]), 0);
        assert_eq!(bad(&[&parcel[..], &[5, b'S']].concat()), 1);
        assert_eq!(bad(&[&parcel[..], &[2, MARK, VERSION]].concat()), 1);
        assert_eq!(bad(&[&parcel[..], &vec![0; MOST_PARCEL]].concat()), 0);
        // Without a mark it is one frame, or none.
        assert_eq!(bad(&good[..5]), 0);
        assert_eq!(bad(&[]), 0);
    }
}
