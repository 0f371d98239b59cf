//! A link between coordinator and worker: how long a message takes, and when it is stuck.
//! Sans-IO: it is told the time and says when a message arrives.

use std::time::Duration;

use senbon_games::Rng;

/// What a link is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkProfile {
    /// The least time a message takes.
    pub latency: Duration,
    /// Up to so much more, drawn for each message.
    pub jitter: Duration,
    /// How fast the bytes of a message go out; 0 for at once.
    pub bytes_per_second: u64,
}

impl LinkProfile {
    /// Two machines on one switch: 100 µs, a gigabit.
    pub const LOCAL: LinkProfile = LinkProfile {
        latency: Duration::from_micros(100),
        jitter: Duration::from_micros(50),
        bytes_per_second: 125_000_000,
    };
}

/// One direction of a link. Messages arrive in the order they were sent, as on a stream.
#[derive(Clone, Debug)]
pub struct Link {
    profile: LinkProfile,
    /// When the last message has gone out.
    free_at: Duration,
    /// When the last message arrives.
    last_arrival: Duration,
    /// Nothing gets through before.
    stuck_until: Duration,
    /// What is sent before is lost.
    cut_until: Duration,
}

impl Link {
    /// A link on which nothing was sent yet.
    pub fn new(profile: LinkProfile) -> Self {
        Link {
            profile,
            free_at: Duration::ZERO,
            last_arrival: Duration::ZERO,
            stuck_until: Duration::ZERO,
            cut_until: Duration::ZERO,
        }
    }

    /// What it is like.
    pub fn profile(&self) -> LinkProfile {
        self.profile
    }

    /// Nothing gets through before `until`; what is sent meanwhile waits.
    pub fn stall(&mut self, until: Duration) {
        self.stuck_until = self.stuck_until.max(until);
    }

    /// What is sent before `until` is to be given up for lost: [`Self::is_cut`] says so.
    pub fn cut(&mut self, until: Duration) {
        self.cut_until = self.cut_until.max(until);
    }

    /// Whether what is sent now is lost.
    pub fn is_cut(&self, now: Duration) -> bool {
        now < self.cut_until
    }

    /// A new connection: nothing waits any more, the way is free as far as it is not stuck.
    pub fn reset(&mut self, now: Duration) {
        self.free_at = now;
        self.last_arrival = now;
    }

    /// The link works again.
    pub fn heal(&mut self, now: Duration) {
        self.stuck_until = self.stuck_until.min(now);
        self.cut_until = self.cut_until.min(now);
    }

    /// When a message of `bytes` sent now arrives.
    pub fn send(&mut self, now: Duration, bytes: usize, rng: &mut Rng) -> Duration {
        let arrival = self.travel(now, bytes, rng).max(self.last_arrival);
        self.last_arrival = arrival;
        arrival
    }

    /// As [`Self::send`], but the message may overtake others.
    pub fn send_apart(&mut self, now: Duration, bytes: usize, rng: &mut Rng) -> Duration {
        self.travel(now, bytes, rng)
    }

    fn travel(&mut self, now: Duration, bytes: usize, rng: &mut Rng) -> Duration {
        let LinkProfile { latency, jitter, bytes_per_second } = self.profile;
        let begin = now.max(self.free_at).max(self.stuck_until);
        let nanos = (bytes as u64).saturating_mul(1_000_000_000).checked_div(bytes_per_second);
        self.free_at = begin + Duration::from_nanos(nanos.unwrap_or(0));
        self.free_at + latency + below(rng, jitter)
    }
}

/// A time drawn evenly from 0 up to `most`.
pub(crate) fn below(rng: &mut Rng, most: Duration) -> Duration {
    Duration::from_nanos(rng.below(most.as_nanos() as usize + 1) as u64)
}

/// A time drawn evenly from `least` up to `most`.
pub(crate) fn between(rng: &mut Rng, least: Duration, most: Duration) -> Duration {
    least + below(rng, most.saturating_sub(least))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_message_takes_its_size_and_the_latency() {
        let profile =
            LinkProfile { latency: ms(10), jitter: Duration::ZERO, bytes_per_second: 1_000 };
        let mut link = Link::new(profile);
        let mut rng = Rng::new(1);
        assert_eq!(link.send(ms(0), 5, &mut rng), ms(15));
        assert_eq!(link.send(ms(1), 5, &mut rng), ms(20), "after the one before it");
        assert_eq!(link.send(ms(100), 5, &mut rng), ms(115));
    }

    #[test]
    fn order_is_kept_whatever_the_jitter() {
        let profile = LinkProfile { latency: ms(1), jitter: ms(50), bytes_per_second: 0 };
        let mut link = Link::new(profile);
        let mut rng = Rng::new(senbon_testkit::seed());
        let mut last = Duration::ZERO;
        let mut overtaken = 0;
        for now in 0..1_000 {
            let arrival = link.send(ms(now), 10, &mut rng);
            assert!(arrival >= last && arrival >= ms(now + 1));
            last = arrival;
            overtaken += usize::from(link.send_apart(ms(now), 10, &mut rng) < last);
        }
        assert!(overtaken > 100);
    }

    #[test]
    fn a_stuck_link_delivers_when_it_is_healed() {
        let profile = LinkProfile { latency: ms(1), jitter: ms(0), bytes_per_second: 0 };
        let mut link = Link::new(profile);
        let mut rng = Rng::new(1);
        link.stall(ms(500));
        assert_eq!(link.send(ms(3), 1, &mut rng), ms(501));
        link.heal(ms(10));
        link.reset(ms(10));
        assert_eq!(link.send(ms(10), 1, &mut rng), ms(11));
    }
}
