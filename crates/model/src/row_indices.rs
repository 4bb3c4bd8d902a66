//! Whether the integers of contacts and constraint rows that are used as indices are indices.
//!
//! The pipeline makes them; a program may have written others since ([`Data::check_indices`]).

use crate::enums::ConstraintType;
use crate::indices::{IndexError, check_dimensions, check_ids, check_runs, one_of};
use crate::{Data, Model};

impl Data {
    /// An error unless every index in contacts, constraint rows and islands is one.
    ///
    /// What the pipeline has made needs no check; a data that a program has written contacts or rows to does,
    /// before it is used.
    ///
    /// # Errors
    /// At the first value that is no index.
    pub fn check_indices(&self, model: &Model) -> Result<(), IndexError> {
        self.check_contacts(model)?;
        self.check_row_ids(model)?;
        self.check_islands(model)
    }

    fn check_contacts(&self, model: &Model) -> Result<(), IndexError> {
        for (i, contact) in self.contact.iter().enumerate() {
            check_dimensions("contact.dim", &[contact.dim]).map_err(|error| error.at(i))?;
            for geom in contact.geom {
                one_of("contact.geom", i, geom, -1, model.ngeom)?;
            }
            for side in 0..2 {
                let flex = contact.flex[side];
                one_of("contact.flex", i, flex, -1, model.nflex)?;
                if let Ok(flex) = usize::try_from(flex) {
                    one_of("contact.elem", i, contact.elem[side], -1, model.flex_elemnum[flex] as usize)?;
                    one_of("contact.vert", i, contact.vert[side], -1, model.flex_vertnum[flex] as usize)?;
                }
            }
            // the last row of the contact must be there
            let dim = contact.dim as usize;
            let rows = if model.is_elliptic() || dim == 1 { dim } else { 2 * (dim - 1) };
            let addresses = (self.nefc + 1).saturating_sub(rows);
            one_of("contact.efc_address", i, contact.efc_address, -1, addresses)?;
            if let Ok(first) = usize::try_from(contact.efc_address) {
                // a contact that was added may still have the address of the one it is a copy of
                if !self.efc_type[first..first + rows].iter().all(|&kind| kind >= 5) {
                    let rule = "the first of the contact's rows: not";
                    let address = contact.efc_address;
                    return Err(IndexError::other("contact.efc_address", i, address, rule, address.into()));
                }
            }
        }
        Ok(())
    }

    fn check_row_ids(&self, model: &Model) -> Result<(), IndexError> {
        let (pattern, entries) = (&self.efc_J_rowadr, self.efc_J_colind.len());
        check_runs(("efc_J_rowadr", pattern), ("efc_J_rownnz", &self.efc_J_rownnz), entries)?;
        check_ids("efc_J_colind", &self.efc_J_colind, 0, model.nv)?;
        for (row, (&first, &count)) in self.efc_J_rowadr.iter().zip(&self.efc_J_rownnz).enumerate() {
            let columns = &self.efc_J_colind[first.max(0) as usize..][..count as usize];
            if !columns.is_sorted_by(|a, b| a < b) {
                return Err(IndexError::other(
                    "efc_J_rowadr",
                    row,
                    first,
                    "that of increasing columns, not",
                    first.into(),
                ));
            }
        }
        let (pattern, entries) = (&self.efc_AR_rowadr, self.efc_AR_colind.len());
        check_runs(("efc_AR_rowadr", pattern), ("efc_AR_rownnz", &self.efc_AR_rownnz), entries)?;
        check_ids("efc_AR_colind", &self.efc_AR_colind, 0, self.efc_force.len())?;
        for (row, (&kind, &id)) in self.efc_type.iter().zip(&self.efc_id).enumerate() {
            let count = match ConstraintType::try_from(kind) {
                Ok(ConstraintType::Equality) => model.neq,
                Ok(ConstraintType::FrictionDof) => model.nv,
                Ok(ConstraintType::FrictionTendon | ConstraintType::LimitTendon) => model.ntendon,
                Ok(ConstraintType::LimitJoint) => model.njnt,
                Ok(
                    ConstraintType::ContactFrictionless
                    | ConstraintType::ContactPyramidal
                    | ConstraintType::ContactElliptic,
                ) => self.contact.len(),
                Err(_) => return Err(IndexError::other("efc_type", row, kind, "0 or more and below", 8)),
            };
            one_of("efc_id", row, id, 0, count)?;
            let wanted = match row {
                _ if row < self.ne => 0..1,
                _ if row < self.ne + self.nf => 1..3,
                _ if row < self.ne + self.nf + self.nl => 3..5,
                _ => 5..8,
            };
            if !wanted.contains(&kind) {
                let rule = "of the kind that `ne`, `nf` and `nl` say: at least";
                return Err(IndexError::other("efc_type", row, kind, rule, wanted.start.into()));
            }
        }
        Ok(())
    }
}
