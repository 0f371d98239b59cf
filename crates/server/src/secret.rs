//! A password as it is stored: PBKDF2-HMAC-SHA256 with a salt of its own, and many rounds, so
//! that whoever reads the file does not have the passwords.

use std::fmt;
use std::num::NonZeroU32;

use ring::pbkdf2::{self, PBKDF2_HMAC_SHA256};
use ring::rand::{SecureRandom, SystemRandom};

/// What OWASP recommends for this function (2023).
const ROUNDS: NonZeroU32 = NonZeroU32::new(600_000).expect("not zero");
const BYTES: usize = 32;
const SALT: usize = 16;
/// More rounds than this in a file are a way to keep us busy.
const MOST_ROUNDS: u32 = 10_000_000;

/// A stored password. Its text is `pbkdf2-sha256$rounds$salt$hash`, in hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    rounds: NonZeroU32,
    salt: [u8; SALT],
    hash: [u8; BYTES],
}

impl Secret {
    /// What to store for a new password. Takes a good part of a second, on purpose.
    pub fn new(password: &str) -> Result<Self, ring::error::Unspecified> {
        Self::with_rounds(password, ROUNDS)
    }

    /// As [`Secret::new`] with fewer rounds, for tests.
    pub fn with_rounds(
        password: &str,
        rounds: NonZeroU32,
    ) -> Result<Self, ring::error::Unspecified> {
        let mut salt = [0; SALT];
        SystemRandom::new().fill(&mut salt)?;
        let mut hash = [0; BYTES];
        pbkdf2::derive(PBKDF2_HMAC_SHA256, rounds, &salt, password.as_bytes(), &mut hash);
        Ok(Secret { rounds, salt, hash })
    }

    /// Whether this is the password. Takes as long as [`Secret::new`].
    pub fn matches(&self, password: &str) -> bool {
        let Secret { rounds, salt, hash } = self;
        pbkdf2::verify(PBKDF2_HMAC_SHA256, *rounds, salt, password.as_bytes(), hash).is_ok()
    }

    /// Reads the text of a secret.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('$');
        if parts.next()? != "pbkdf2-sha256" {
            return None;
        }
        let rounds = parts.next()?.parse().ok().filter(|&rounds| rounds <= MOST_ROUNDS)?;
        let rounds = NonZeroU32::new(rounds)?;
        let (salt, hash) = (bytes(parts.next()?)?, bytes(parts.next()?)?);
        parts.next().is_none().then_some(Secret { rounds, salt, hash })
    }
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != 2 * N || !text.is_ascii() {
        return None;
    }
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok()?;
    }
    Some(bytes)
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pbkdf2-sha256${}$", self.rounds)?;
        self.salt.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str("$")?;
        self.hash.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Nothing that belongs in a log.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_known_by_its_secret_only() {
        let few = NonZeroU32::new(10).unwrap();
        let secret = Secret::with_rounds("pass,word", few).unwrap();
        assert!(secret.matches("pass,word") && !secret.matches("password"));
        let again = Secret::with_rounds("pass,word", few).unwrap();
        assert_ne!(secret, again, "another salt");
        let text = secret.to_string();
        assert!(!text.contains("pass") && text.starts_with("pbkdf2-sha256$10$"), "{text}");
        assert_eq!(Secret::parse(&text), Some(secret));
        for broken in
            ["", "x", "pbkdf2-sha256$0$00$00", &text[1..], &text[..60], &(text.clone() + "$")]
        {
            assert_eq!(Secret::parse(broken), None, "{broken}");
        }
        assert_eq!(Secret::parse(&text.replace("$10$", "$4000000000$")), None);
    }
}
