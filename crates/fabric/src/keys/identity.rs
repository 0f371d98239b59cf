//! Proves to the other end who we are, and checks what it proves: signatures by the keys of
//! certificates, from end to end, whatever the frames go through.

use std::fs;
use std::path::Path;

use rcgen::{KeyPair, SigningKey};
use ring::rand::{SecureRandom, SystemRandom};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, TrustAnchor, UnixTime};
use senbon_core::session::{MOST_PROOF, Side};
use webpki::{EndEntityCert, KeyUsage};
use x509_parser::prelude::{FromDer, X509Certificate};

use super::authority::MASTER;
use super::{Credentials, KeysError};

/// Bytes of a challenge.
const CHALLENGE: usize = 32;

/// One's own certificate with its key, and the authority that all must have theirs from.
pub struct Identity {
    credentials: Credentials,
    certificate: CertificateDer<'static>,
    key: KeyPair,
    anchor: TrustAnchor<'static>,
}

impl Identity {
    /// That of some credentials.
    pub fn open(credentials: &Credentials) -> Result<Self, KeysError> {
        let certificate = read(&credentials.file(Credentials::CERTIFICATE))?;
        let file = credentials.file(Credentials::KEY);
        let key = fs::read_to_string(&file).map_err(|error| KeysError::File { file, error })?;
        let file = credentials.file(Credentials::AUTHORITY);
        let authority = read(&file)?;
        let anchor = webpki::anchor_from_trusted_cert(&authority)
            .map_err(|error| KeysError::Broken { file, why: error.to_string() })?
            .to_owned();
        let (credentials, key) = (credentials.clone(), KeyPair::from_pem(&key)?);
        Ok(Identity { credentials, certificate, key, anchor })
    }

    /// The credentials it is made of.
    pub fn credentials(&self) -> &Credentials {
        &self.credentials
    }

    /// What was never asked before.
    pub fn challenge(&self) -> Result<Vec<u8>, String> {
        let mut bytes = vec![0; CHALLENGE];
        let drawn = SystemRandom::new().fill(&mut bytes);
        drawn.map_err(|_| "this machine gives no random numbers".to_owned())?;
        Ok(bytes)
    }

    /// Proof that a statement is ours.
    pub fn prove(&self, statement: &[u8]) -> Result<Vec<u8>, String> {
        let signature = self.key.sign(statement).map_err(|error| error.to_string())?;
        let length = u16::try_from(self.certificate.len()).unwrap_or(u16::MAX);
        let mut proof = length.to_le_bytes().to_vec();
        proof.extend_from_slice(&self.certificate);
        proof.extend_from_slice(&signature);
        if proof.len() > MOST_PROOF {
            return Err(format!("the certificate is longer than {MOST_PROOF} bytes"));
        }
        Ok(proof)
    }

    /// The name of whoever proves that a statement is his, or what is wrong with that.
    pub fn check(&self, side: Side, statement: &[u8], proof: &[u8]) -> Result<String, String> {
        let cut_off = || "its proof is cut off".to_owned();
        let (length, rest) = proof.split_first_chunk().ok_or_else(cut_off)?;
        let length = usize::from(u16::from_le_bytes(*length));
        let (certificate, signature) = rest.split_at_checked(length).ok_or_else(cut_off)?;
        let der = CertificateDer::from(certificate);
        let unreadable =
            |error: &dyn std::fmt::Display| format!("its certificate cannot be read: {error}");
        let end = EndEntityCert::try_from(&der).map_err(|error| unreadable(&error))?;
        let usage = match side {
            Side::Master => KeyUsage::server_auth(),
            Side::Worker => KeyUsage::client_auth(),
        };
        let algorithm = webpki::ring::ECDSA_P256_SHA256;
        let anchors = std::slice::from_ref(&self.anchor);
        end.verify_for_usage(&[algorithm], anchors, &[], UnixTime::now(), usage, None, None)
            .map_err(|error| said(&error))?;
        end.verify_signature(algorithm, statement, signature).map_err(|_| {
            "its proof was not made for this session: it is not its own, or was recorded".to_owned()
        })?;
        let (_, parsed) =
            X509Certificate::from_der(certificate).map_err(|error| unreadable(&error))?;
        let name = parsed.subject().iter_common_name().next().and_then(|name| name.as_str().ok());
        let name = name.ok_or("its certificate has no name")?;
        let serves =
            matches!(parsed.extended_key_usage(), Ok(Some(usage)) if usage.value.server_auth);
        match side {
            Side::Master if name != MASTER => {
                Err(format!("its certificate is that of {name}, no master"))
            }
            Side::Worker if serves => Err(format!("its certificate is that of {name}, no worker")),
            _ => Ok(name.to_owned()),
        }
    }
}

fn read(file: &Path) -> Result<CertificateDer<'static>, KeysError> {
    let text = fs::read(file).map_err(|error| KeysError::File { file: file.to_owned(), error })?;
    CertificateDer::from_pem_slice(&text)
        .map_err(|error| KeysError::Broken { file: file.to_owned(), why: error.to_string() })
}

/// What is wrong with a certificate, in words.
fn said(error: &webpki::Error) -> String {
    use webpki::Error;
    match error {
        Error::CertExpired { .. } => "its certificate has expired".to_owned(),
        Error::CertNotValidYet { .. } => {
            "its certificate is not valid yet; is a clock wrong?".to_owned()
        }
        Error::UnknownIssuer | Error::InvalidSignatureForPublicKey => {
            "its certificate is of another authority".to_owned()
        }
        Error::RequiredEkuNotFoundContext(_) => "its certificate is not for this".to_owned(),
        other => format!("its certificate will not do: {other}"),
    }
}
