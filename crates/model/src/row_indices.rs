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
        self.check_rows(model)?;
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
            let rows = if contact.dim == 1 { 1 } else { contact.dim as usize };
            let places = (self.efc_force.len() + 1).saturating_sub(rows);
            one_of("contact.efc_address", i, contact.efc_address, -1, places)?;
        }
        Ok(())
    }

    fn check_rows(&self, model: &Model) -> Result<(), IndexError> {
        let (pattern, entries) = (&self.efc_J_rowadr, self.efc_J_colind.len());
        check_runs(("efc_J_rowadr", pattern), ("efc_J_rownnz", &self.efc_J_rownnz), entries)?;
        check_ids("efc_J_colind", &self.efc_J_colind, 0, model.nv)?;
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
        }
        Ok(())
    }

    fn check_islands(&self, model: &Model) -> Result<(), IndexError> {
        let (islands, rows) = (self.nisland, self.efc_force.len());
        if islands == 0 {
            return Ok(());
        }
        check_ids("tree_island", &self.tree_island, -1, islands)?;
        check_ids("dof_island", &self.dof_island, -1, islands)?;
        check_ids("efc_island", &self.efc_island, -1, islands)?;
        check_ids("map_itree2tree", &self.map_itree2tree, 0, model.ntree)?;
        check_ids("map_dof2idof", &self.map_dof2idof, 0, model.nv)?;
        check_ids("map_idof2dof", &self.map_idof2dof, 0, model.nv)?;
        check_ids("map_efc2iefc", &self.map_efc2iefc, 0, rows)?;
        check_ids("map_iefc2efc", &self.map_iefc2efc, 0, rows)?;
        let trees = ("island_ntree", &self.island_ntree[..]);
        check_runs(("island_itreeadr", &self.island_itreeadr), trees, model.ntree)?;
        check_runs(("island_idofadr", &self.island_idofadr), ("island_nv", &self.island_nv), model.nv)?;
        check_runs(("island_iefcadr", &self.island_iefcadr), ("island_nefc", &self.island_nefc), rows)?;
        check_ids("island_ne", &self.island_ne, 0, rows + 1)?;
        check_ids("island_nf", &self.island_nf, 0, rows + 1)
    }
}
