//! A folder of a test's own.

use std::path::{Path, PathBuf};

/// A folder that is empty when the test begins and gone when it ends.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder of this name, apart from those of other test programs that run.
    ///
    /// # Panics
    /// If it cannot be made.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("senbon-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Folder(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A name in it, there or not, as programs take it.
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    /// A file in it that says this.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn with(&self, name: &str, text: &str) -> String {
        let file = self.file(name);
        std::fs::write(&file, text).unwrap_or_else(|e| panic!("{file}: {e}"));
        file
    }

    /// What a file in it says.
    ///
    /// # Panics
    /// If it cannot be read.
    pub fn read(&self, name: &str) -> String {
        let file = self.file(name);
        std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{file}: {e}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
