//! Migration: a description of one reference level becomes one of the other level with the same physics.
//!
//! Each difference between the levels that a description can make up for has a rule: what followed from the
//! meaning of the old level is written out (damping that a ratio stood for, inertial frames, fused bodies) or
//! said in the words of the new one (margins). Differences that a description cannot make up for are found
//! and named. In the end the result is compiled at the new level and compared with the model of the old one,
//! so that nothing which the rules do not know about is lost in silence.
//!
//! ```
//! use kinetree_model::Reference;
//! use kinetree_spec::Spec;
//!
//! let text = "<mujoco><worldbody><body><freejoint/>
//!     <geom name='ball' size='0.1' margin='0.1' gap='0.04'/></body></worldbody></mujoco>";
//! let migration = text.parse::<Spec>()?.migrate(Reference::V4_0)?;
//! let note = migration.notes.iter().find(|note| note.element == "geom 'ball'").ok_or("no note")?;
//! assert_eq!(note.text, "margin 0.1 is 0.06 now, which the gap of 0.04 is outside of");
//! assert!(migration.spec.to_xml()?.contains("margin=\"0.06"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod actuators;
mod contacts;
mod differences;
mod fitted;
mod fuse;
mod inertia;
mod motion;
mod note;
mod same;
mod settings;
mod task;
mod verify;

use kinetree_model::Reference;

use crate::diagnostics::Diagnostics;
use crate::spec::Spec;
use crate::vfs::Vfs;
pub use note::{MigrationNote, NoteKind};
use task::Task;

/// A description of another reference level, and what was done to it.
#[derive(Clone, Debug)]
pub struct Migration {
    /// The description.
    pub spec: Spec,
    /// What was changed, what may differ, and what does differ.
    pub notes: Vec<MigrationNote>,
}

impl Migration {
    /// The notes of a kind.
    pub fn of_kind(&self, kind: NoteKind) -> impl Iterator<Item = &MigrationNote> {
        self.notes.iter().filter(move |note| note.kind == kind)
    }
}

/// Why a description was not brought to another level.
#[derive(Clone, Debug, thiserror::Error)]
pub enum MigrateError {
    /// It has errors at its own level.
    #[error("a description is migrated by what it compiles to, but it has errors: {0}")]
    Compile(#[from] Diagnostics),
    /// Its physics would differ.
    #[error("{}", list(.0))]
    Differs(Box<Migration>),
}

fn list(migration: &Migration) -> String {
    let level = migration.spec.reference();
    let mut text = format!("the physics would differ at reference level {level}:");
    for note in migration.of_kind(NoteKind::Difference) {
        text += &format!("\n  {note}");
    }
    text
}

impl MigrateError {
    /// The description with all its differences, when these are all that is wrong.
    ///
    /// # Errors
    /// The errors of the description at its own level.
    pub fn accept(self) -> Result<Migration, Diagnostics> {
        match self {
            Self::Compile(errors) => Err(errors),
            Self::Differs(migration) => Ok(*migration),
        }
    }
}

impl Spec {
    /// The same physics as a description of another reference level.
    ///
    /// # Errors
    /// When the description does not compile at its own level, or when its physics would differ at the other
    /// one; [`MigrateError::accept`] gives the description nevertheless.
    pub fn migrate(&self, to: Reference) -> Result<Migration, MigrateError> {
        self.migrate_with(to, None)
    }

    /// As [`Spec::migrate`]; virtual files come before the disk.
    ///
    /// # Errors
    /// As [`Spec::migrate`].
    pub fn migrate_with(&self, to: Reference, vfs: Option<&Vfs>) -> Result<Migration, MigrateError> {
        let from = self.reference();
        if from == to {
            return Ok(Migration { spec: self.clone(), notes: Vec::new() });
        }
        let model = self.compile_with(vfs)?;
        let mut task =
            Task { from, to, old: self, model: &model, spec: self.clone(), notes: Vec::new(), vfs };
        task.spec.reference = to;
        settings::migrate(&mut task);
        contacts::migrate(&mut task);
        actuators::migrate(&mut task);
        fuse::migrate(&mut task);
        inertia::migrate(&mut task);
        differences::find(&mut task);
        motion::find(&mut task);
        verify::verify(&mut task);
        let Task { spec, notes, .. } = task;
        let migration = Migration { spec, notes };
        if migration.of_kind(NoteKind::Difference).next().is_some() {
            return Err(MigrateError::Differs(Box::new(migration)));
        }
        Ok(migration)
    }
}
