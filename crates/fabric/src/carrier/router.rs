//! A meeting place: masters and workers that cannot reach each other dial it.

use zenoh::Session;

use super::ear::{self, Way};
use super::settings::Settings;
use super::{Address, NetError};
use crate::keys::Credentials;

/// Passes frames between masters and workers, which prove to each other who they are: it need
/// not be trusted with more than passing them. Dropping it closes it.
pub struct Router {
    _session: Session,
}

impl Router {
    /// Listens at an address. `others` are routers of other sites, which it dials.
    pub fn open(
        listen: &Address,
        others: &[Address],
        credentials: Option<&Credentials>,
    ) -> Result<Self, NetError> {
        let mut settings = Settings::new(credentials);
        settings.router();
        settings.listen(Some(listen));
        settings.dial(&others.iter().collect::<Vec<_>>());
        let what = format!("cannot listen on {listen}");
        let opened = settings.open().map_err(|why| NetError { what, why })?;
        Ok(Router { _session: opened })
    }

    /// Connections that could not be made since the last time, and why.
    pub fn refused(&self) -> Vec<String> {
        let dialled = ear::heard(Way::Out).into_iter().map(|why| format!("not connected: {why}"));
        let came = ear::heard(Way::In).into_iter().map(|why| format!("refused: {why}"));
        dialled.chain(came).collect()
    }
}
