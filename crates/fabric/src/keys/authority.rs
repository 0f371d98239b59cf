//! The small authority that makes certificates for a master and its workers.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use senbon_core::session::MOST_NAME;

use super::Credentials;

/// How long the authority itself is valid, and those it certifies if not said otherwise.
const AUTHORITY_DAYS: u32 = 3650;

/// The name in the master's certificate, which no worker may have.
pub(super) const MASTER: &str = "master";

/// Why there are no keys.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// A file is missing, in the way, or cannot be written.
    #[error("{}: {error}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file that does not hold what it should.
    #[error("{}: {why}", file.display())]
    Broken {
        /// Which.
        file: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A name that is none.
    #[error(
        "{0:?} is no name for a worker: use up to {MOST_NAME} letters, digits, '-', '_' and '.'"
    )]
    BadName(String),
    /// Used before, and revoked.
    #[error("the name {0} was revoked; use another one")]
    Revoked(String),
    /// Nobody of this name.
    #[error("no worker {0} has keys of this authority")]
    Unknown(String),
    /// From the library.
    #[error("cannot make a certificate: {0}")]
    Certificate(#[from] rcgen::Error),
}

/// A folder that holds an authority.
#[derive(Clone, Debug)]
pub struct Authority {
    folder: PathBuf,
}

/// What a certificate is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Listens. A worker's certificate does not do for that, so that no worker can pose as
    /// the master.
    Master,
    Worker,
    /// Listens, and dials other routers. Its name is not the master's, so that it cannot pose
    /// as one.
    Router,
}

impl Authority {
    /// Makes an authority in a folder that has none yet, with credentials for the master in
    /// `master`.
    pub fn create(folder: &Path, days: u32) -> Result<Self, KeysError> {
        let authority = Authority { folder: folder.to_owned() };
        let key = KeyPair::generate()?;
        let mut params = params("senbon authority", AUTHORITY_DAYS.max(days))?;
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let certificate = params.self_signed(&key)?;
        make_folder(folder)?;
        write_new(&authority.key_file(), &key.serialize_pem(), true)?;
        write_new(&folder.join(Credentials::AUTHORITY), &certificate.pem(), false)?;
        authority.issue(&authority.master_folder(), MASTER, Purpose::Master, days)?;
        Ok(authority)
    }

    /// The authority in a folder.
    pub fn open(folder: &Path) -> Result<Self, KeysError> {
        let authority = Authority { folder: folder.to_owned() };
        let file = authority.key_file();
        fs::metadata(&file).map_err(|error| KeysError::File { file, error })?;
        Ok(authority)
    }

    fn key_file(&self) -> PathBuf {
        self.folder.join("authority-key.pem")
    }

    /// The folder for the master's machine.
    pub fn master_folder(&self) -> PathBuf {
        self.folder.join(MASTER)
    }

    /// The folder for a worker's machine.
    pub fn worker_folder(&self, name: &str) -> PathBuf {
        self.folder.join("workers").join(name)
    }

    /// Makes credentials for a worker, and tells their folder.
    pub fn add_worker(&self, name: &str, days: u32) -> Result<PathBuf, KeysError> {
        let name = check_name(name)?;
        if self.master()?.is_revoked(&name) {
            return Err(KeysError::Revoked(name));
        }
        if name == MASTER {
            return Err(KeysError::BadName(name));
        }
        let folder = self.worker_folder(&name);
        self.issue(&folder, &name, Purpose::Worker, days)?;
        Ok(folder)
    }

    /// Makes credentials for a router, and tells their folder.
    pub fn add_router(&self, name: &str, days: u32) -> Result<PathBuf, KeysError> {
        let name = check_name(name)?;
        if name == MASTER {
            return Err(KeysError::BadName(name));
        }
        let folder = self.folder.join("routers").join(&name);
        self.issue(&folder, &name, Purpose::Router, days)?;
        Ok(folder)
    }

    /// Revokes a worker's credentials: from now on the master refuses it. A master on another
    /// machine needs the new list, and this tells where it is.
    pub fn revoke(&self, name: &str) -> Result<PathBuf, KeysError> {
        let name = check_name(name)?;
        if !self.worker_folder(&name).is_dir() {
            return Err(KeysError::Unknown(name));
        }
        let master = self.master()?;
        let file = master.file(Credentials::REVOKED);
        if !master.is_revoked(&name) {
            let list = OpenOptions::new().create(true).append(true).open(&file);
            list.and_then(|mut list| writeln!(list, "{name}"))
                .map_err(|error| KeysError::File { file: file.clone(), error })?;
        }
        Ok(file)
    }

    /// The names of all workers, and whether each was revoked.
    pub fn workers(&self) -> Result<Vec<(String, bool)>, KeysError> {
        let folder = self.folder.join("workers");
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| KeysError::File { file: folder, error })?,
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| check_name(name).is_ok()).collect();
        names.sort();
        let master = self.master()?;
        Ok(names.into_iter().map(|name| (name.clone(), master.is_revoked(&name))).collect())
    }

    fn master(&self) -> Result<Credentials, KeysError> {
        Credentials::open(&self.master_folder())
    }

    fn issue(
        &self,
        folder: &Path,
        name: &str,
        purpose: Purpose,
        days: u32,
    ) -> Result<(), KeysError> {
        let read = |file: PathBuf| {
            fs::read_to_string(&file).map_err(|error| KeysError::File { file, error })
        };
        let authority = read(self.folder.join(Credentials::AUTHORITY))?;
        let issuer = KeyPair::from_pem(&read(self.key_file())?)?;
        let issuer = Issuer::from_ca_cert_pem(&authority, issuer)?;
        let key = KeyPair::generate()?;
        let mut params = params(name, days)?;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = match purpose {
            Purpose::Master | Purpose::Router => {
                vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth]
            }
            Purpose::Worker => vec![ExtendedKeyUsagePurpose::ClientAuth],
        };
        let certificate = params.signed_by(&key, &issuer)?;
        make_folder(folder)?;
        write_new(&folder.join(Credentials::KEY), &key.serialize_pem(), true)?;
        write_new(&folder.join(Credentials::CERTIFICATE), &certificate.pem(), false)?;
        write_new(&folder.join(Credentials::AUTHORITY), &authority, false)?;
        write_new(&folder.join(Credentials::NAME), &format!("{name}\n"), false)
    }
}

/// A name that is safe in a certificate, a path and a list.
pub(super) fn check_name(name: &str) -> Result<String, KeysError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let fits = !name.is_empty() && name.len() <= MOST_NAME && !name.starts_with('.');
    if fits && name.chars().all(allowed) {
        Ok(name.to_owned())
    } else {
        Err(KeysError::BadName(name.to_owned()))
    }
}

fn params(name: &str, days: u32) -> Result<CertificateParams, KeysError> {
    let mut params = CertificateParams::new(Vec::new())?;
    params.distinguished_name.push(DnType::CommonName, name);
    // Clocks of other machines may be behind ours.
    let now = SystemTime::now();
    let day = std::time::Duration::from_secs(86_400);
    params.not_before = (now - day).into();
    params.not_after = (now + day * days).into();
    Ok(params)
}

fn make_folder(folder: &Path) -> Result<(), KeysError> {
    fs::create_dir_all(folder).map_err(|error| KeysError::File { file: folder.to_owned(), error })
}

/// Writes a file that is not there yet; a secret one for our own eyes only.
fn write_new(file: &Path, text: &str, secret: bool) -> Result<(), KeysError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if secret {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = secret;
    let written = options.open(file).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| KeysError::File { file: file.to_owned(), error })
}
