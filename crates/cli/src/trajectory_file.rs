//! Where a recorded trajectory goes: a CSV or NPZ file, standard output, or nowhere.

use crate::failure::Failure;
use crate::output::Output;
use crate::recording::Recording;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that has been opened.
pub(crate) enum TrajectoryFile {
    Nowhere,
    Standard,
    Csv(PathBuf, BufWriter<File>),
    Npz(PathBuf, BufWriter<File>),
}

impl TrajectoryFile {
    /// Opens a file before the work begins: a folder that cannot be written to is better known then than
    /// afterwards.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::Nowhere) };
        if path == Path::new("-") {
            return Ok(Self::Standard);
        }
        let make = |kind: fn(PathBuf, BufWriter<File>) -> Self| {
            let file = File::create(path).map_err(|error| Failure::file("write", path, &error))?;
            Ok(kind(path.to_owned(), BufWriter::new(file)))
        };
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => make(Self::Csv),
            Some("npz") => make(Self::Npz),
            _ => Err(Failure::Message(format!("'{}' should end in .csv or .npz", path.display()))),
        }
    }

    /// Whether the trajectory itself goes to standard output.
    pub(crate) fn is_standard(&self) -> bool {
        matches!(self, Self::Standard)
    }

    /// Writes all rows.
    pub(crate) fn write(self, recording: &Recording, out: &mut Output) -> Result<(), Failure> {
        match self {
            Self::Nowhere => Ok(()),
            Self::Standard => Ok(recording.write_csv(out)?),
            Self::Csv(path, mut file) => recording
                .write_csv(&mut file)
                .and_then(|()| file.flush())
                .map_err(|error| Failure::file("write", &path, &error)),
            Self::Npz(path, mut file) => recording.write_npz(&mut file).map_err(|failure| match failure {
                Failure::Output(error) => Failure::file("write", &path, &error),
                other => other,
            }),
        }
    }
}
