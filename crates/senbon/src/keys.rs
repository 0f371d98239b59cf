//! `senbon keys`: credentials for masters and workers.

use senbon_fabric::keys::{Authority, KeysError};

use crate::args::keys::Keys;
use crate::report::Failure;

pub(crate) fn run(keys: &Keys) -> Result<(), Failure> {
    match keys {
        Keys::New(new) => {
            let authority = Authority::create(&new.folder, new.days)?;
            println!("the master's credentials: {}", authority.master_folder().display());
            add(&authority, &new.workers, new.days)?;
        }
        Keys::Worker(worker) => {
            add(&Authority::open(&worker.folder)?, &worker.names, worker.days)?;
        }
        Keys::Router(router) => {
            let authority = Authority::open(&router.folder)?;
            for name in &router.names {
                let folder = authority.add_router(name, router.days)?;
                println!("credentials of router {name}: {}", folder.display());
            }
        }
        Keys::Revoke(revoke) => {
            let authority = Authority::open(&revoke.folder)?;
            for name in &revoke.names {
                let list = authority.revoke(name)?;
                println!("{name} is refused by a master that has {}", list.display());
            }
        }
        Keys::List(list) => {
            for (name, revoked) in Authority::open(&list.folder)?.workers()? {
                println!("{name}{}", if revoked { " (revoked)" } else { "" });
            }
        }
    }
    Ok(())
}

fn add(authority: &Authority, names: &[String], days: u32) -> Result<(), KeysError> {
    for name in names {
        let folder = authority.add_worker(name, days)?;
        println!("credentials of {name}: {}", folder.display());
    }
    Ok(())
}
