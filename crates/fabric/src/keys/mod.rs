//! Who may join: certificates from a small authority of one's own.
//!
//! The authority is a folder. It holds what makes certificates, and below it one folder for
//! the master and one for each worker, each with all that its machine needs.

mod authority;
mod identity;

pub use authority::{Authority, KeysError};
pub use identity::Identity;

use std::io;
use std::path::{Path, PathBuf};

/// Longest list of revoked names that is read, in bytes.
const MOST_REVOKED: u64 = 1 << 20;

/// What one machine needs to prove who it is and to check others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    folder: PathBuf,
}

impl Credentials {
    /// The certificate of the authority.
    pub const AUTHORITY: &'static str = "authority.pem";
    /// The machine's own certificate.
    pub const CERTIFICATE: &'static str = "certificate.pem";
    /// Its private key.
    pub const KEY: &'static str = "key.pem";
    /// Names that are not let in any more, one a line.
    pub const REVOKED: &'static str = "revoked.txt";
    /// The name in the certificate.
    pub const NAME: &'static str = "name.txt";

    /// The credentials in a folder, which must be complete.
    pub fn open(folder: &Path) -> Result<Self, KeysError> {
        // The library wants to know where they are wherever it is called from.
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let credentials = Credentials { folder };
        for name in [Self::AUTHORITY, Self::CERTIFICATE, Self::KEY, Self::NAME] {
            let file = credentials.file(name);
            std::fs::File::open(&file).map_err(|error| KeysError::File { file, error })?;
        }
        Ok(credentials)
    }

    /// One of its files.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The name in the certificate.
    pub fn name(&self) -> Result<String, KeysError> {
        let file = self.file(Self::NAME);
        let text = std::fs::read_to_string(&file);
        let text = text.map_err(|error| KeysError::File { file, error })?;
        authority::check_name(text.trim())
    }

    /// Whether a name was revoked. A list that cannot be read revokes everybody: who may not
    /// come in must not come in because of a full disk.
    pub fn is_revoked(&self, name: &str) -> bool {
        let file = self.file(Self::REVOKED);
        match std::fs::metadata(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return false,
            Ok(about) if about.len() <= MOST_REVOKED => {}
            _ => return true,
        }
        match std::fs::read_to_string(&file) {
            Ok(list) => list.lines().any(|line| line.trim() == name),
            Err(_) => true,
        }
    }
}
