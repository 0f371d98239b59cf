//! Numbers and texts as bytes, and back with every length checked.

use std::time::Duration;

use super::WireError;

/// Writes a message.
#[derive(Debug, Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Seven bits a byte, the lowest first; all but the last byte have the highest bit set.
    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// 0, -1, 1, -2, 2, … as 0, 1, 2, 3, 4, …
    pub(crate) fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)) as u64);
    }

    /// Nanoseconds; what does not fit is the longest that does, 584 years.
    pub(crate) fn time(&mut self, time: Duration) {
        self.number(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }

    pub(crate) fn identity(&mut self, identity: u128) {
        self.0.extend(identity.to_le_bytes());
    }

    /// Length and bytes. A text that is too long is cut, at the end of a character.
    pub(crate) fn text(&mut self, text: &str, most: usize) {
        let mut end = text.len().min(most);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.bytes(&text.as_bytes()[..end]);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }
}

/// Reads a message that may be anything.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Reader(bytes)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], WireError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(WireError::CutOff)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, WireError> {
        let (&byte, rest) = self.0.split_first().ok_or(WireError::CutOff)?;
        self.0 = rest;
        Ok(byte)
    }

    pub(crate) fn number(&mut self) -> Result<u64, WireError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            // The tenth byte has room for one bit, and none may be wasted on zeros: one
            // number, one way to write it.
            if (shift == 63 && bits > 1) || (shift > 0 && byte == 0) {
                return Err(WireError::BadNumber);
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(WireError::BadNumber)
    }

    pub(crate) fn signed(&mut self) -> Result<i64, WireError> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub(crate) fn time(&mut self) -> Result<Duration, WireError> {
        self.number().map(Duration::from_nanos)
    }

    pub(crate) fn identity(&mut self) -> Result<u128, WireError> {
        let bytes = self.take(16)?;
        Ok(bytes.iter().rev().fold(0, |whole, &byte| whole << 8 | u128::from(byte)))
    }

    /// A number of 32 bits.
    pub(crate) fn small(&mut self) -> Result<u32, WireError> {
        u32::try_from(self.number()?).map_err(|_| WireError::BadNumber)
    }

    /// How many of something follow.
    pub(crate) fn count(&mut self, what: &'static str, most: usize) -> Result<usize, WireError> {
        let count = self.number()?;
        // Each of them takes a byte at least.
        if count > most as u64 {
            return Err(WireError::TooMany { what, most });
        }
        if count > self.0.len() as u64 {
            return Err(WireError::CutOff);
        }
        Ok(count as usize)
    }

    pub(crate) fn text(&mut self, what: &'static str, most: usize) -> Result<&'a str, WireError> {
        let bytes = self.bytes(what, most)?;
        std::str::from_utf8(bytes).map_err(|_| WireError::NoText { what })
    }

    pub(crate) fn bytes(&mut self, what: &'static str, most: usize) -> Result<&'a [u8], WireError> {
        let count = self.count(what, most)?;
        self.take(count)
    }

    /// Whether everything was read.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Nothing may follow.
    pub(crate) fn end(self) -> Result<(), WireError> {
        if self.0.is_empty() { Ok(()) } else { Err(WireError::Surplus(self.0.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
        let mut writer = Writer::default();
        for number in numbers {
            writer.number(number);
            writer.signed(number as i64);
            writer.signed(-(number as i64 / 2));
        }
        writer.identity(u128::MAX - 5);
        let bytes = writer.into_bytes();
        let mut reader = Reader::new(&bytes);
        for number in numbers {
            assert_eq!(reader.number(), Ok(number));
            assert_eq!(reader.signed(), Ok(number as i64));
            assert_eq!(reader.signed(), Ok(-(number as i64 / 2)));
        }
        assert_eq!(reader.identity(), Ok(u128::MAX - 5));
        assert_eq!(reader.end(), Ok(()));
    }

    #[test]
    fn a_number_has_one_form() {
        for bad in [
            &[0x80, 0][..],
            &[0xff; 11],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2],
        ] {
            assert_eq!(Reader::new(bad).number(), Err(WireError::BadNumber), "{bad:?}");
        }
        assert_eq!(Reader::new(&[0x80]).number(), Err(WireError::CutOff));
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let mut writer = Writer::default();
        writer.text("千本", 4);
        let bytes = writer.into_bytes();
        assert_eq!(Reader::new(&bytes).text("a text", 4), Ok("千"));
        let too_many = Err(WireError::TooMany { what: "a text", most: 2 });
        assert_eq!(Reader::new(&bytes).text("a text", 2), too_many);
    }
}
