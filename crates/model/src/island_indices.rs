//! Whether the integers of islands that are used as indices are indices, and say the same.

use crate::enums::ConstraintType;
use crate::indices::{IndexError, check_ids, check_runs, one_of};
use crate::{Data, Model};

impl Data {
    /// An error unless islands are disjoint parts of the dofs and of the rows, in their order.
    pub(crate) fn check_islands(&self, model: &Model) -> Result<(), IndexError> {
        let (islands, rows) = (self.nisland, self.nefc);
        if islands == 0 {
            return Ok(());
        }
        self.check_island_sizes(model)?;
        check_ids("tree_island", &self.tree_island, -1, islands)?;
        check_ids("dof_island", &self.dof_island, -1, islands)?;
        check_ids("efc_island", &self.efc_island, -1, islands)?;
        check_ids("map_itree2tree", &self.map_itree2tree, 0, model.ntree)?;
        check_ids("map_idof2dof", &self.map_idof2dof, 0, model.nv)?;
        check_ids("island_dofadr", &self.island_dofadr, 0, model.nv)?;
        let trees = ("island_ntree", &self.island_ntree[..]);
        check_runs(("island_itreeadr", &self.island_itreeadr), trees, model.ntree)?;
        check_parts(("island_idofadr", &self.island_idofadr), ("island_nv", &self.island_nv), self.nidof)?;
        check_parts(("island_iefcadr", &self.island_iefcadr), ("island_nefc", &self.island_nefc), rows)?;
        for island in 0..islands {
            one_of("island_ne", island, self.island_ne[island], 0, self.island_nefc[island] as usize + 1)?;
            let friction = self.island_nefc[island] - self.island_ne[island];
            one_of("island_nf", island, self.island_nf[island], 0, friction as usize + 1)?;
        }
        let dofs = ("map_idof2dof", self.map_idof2dof.get(..self.nidof).unwrap_or_default());
        check_inverse(dofs, ("map_dof2idof", &self.map_dof2idof), (&self.dof_island, &self.island_idofadr))?;
        let order = ("map_iefc2efc", &self.map_iefc2efc[..]);
        check_inverse(order, ("map_efc2iefc", &self.map_efc2iefc), (&self.efc_island, &self.island_iefcadr))?;
        self.check_columns(model)
    }

    /// An error unless there is an entry for each island, and for each of what belongs to islands: a program
    /// may have written the number of islands.
    fn check_island_sizes(&self, model: &Model) -> Result<(), IndexError> {
        let sizes = [
            (self.island_nv.len(), self.nisland),
            (self.island_idofadr.len(), self.nisland),
            (self.island_ntree.len(), self.nisland),
            (self.island_itreeadr.len(), self.nisland),
            (self.island_dofadr.len(), self.nisland),
            (self.island_nefc.len(), self.nisland),
            (self.island_iefcadr.len(), self.nisland),
            (self.island_ne.len(), self.nisland),
            (self.island_nf.len(), self.nisland),
            (self.efc_island.len(), self.nefc),
            (self.map_efc2iefc.len(), self.nefc),
            (self.map_iefc2efc.len(), self.nefc),
            (self.dof_island.len(), model.nv),
            (self.map_dof2idof.len(), model.nv),
            (self.map_idof2dof.len(), self.nidof),
            (self.tree_island.len(), model.ntree),
        ];
        match sizes.iter().all(|(found, needed)| found >= needed) {
            true => Ok(()),
            false => Err(IndexError::other(
                "nisland",
                0,
                self.nisland as i32,
                "as long as the arrays of islands:",
                self.island_nv.len() as i64,
            )),
        }
    }

    /// An error unless each row moves dofs of its own island alone.
    fn check_columns(&self, model: &Model) -> Result<(), IndexError> {
        let check = |row: usize, dof: usize| {
            let (island, own) = (self.dof_island[dof], self.efc_island[row]);
            match island == own {
                true => Ok(()),
                false => Err(IndexError::other("dof_island", dof, island, "that of its rows,", own.into())),
            }
        };
        for row in 0..self.nefc {
            let (kind, id) = (ConstraintType::try_from(self.efc_type[row]), self.efc_id[row] as usize);
            match kind {
                Ok(ConstraintType::FrictionDof) => check(row, id)?,
                Ok(ConstraintType::LimitJoint) => check(row, model.jnt_dofadr[id] as usize)?,
                Ok(kind) if kind >= ConstraintType::ContactFrictionless => {
                    for geom in self.contact[id].geom {
                        let Ok(geom) = usize::try_from(geom) else { continue };
                        let tree = model.body_treeid[model.geom_bodyid[geom] as usize];
                        let Ok(tree) = usize::try_from(tree) else { continue };
                        check(row, model.tree_dofadr[tree] as usize)?;
                    }
                }
                _ => {}
            }
        }
        // the rows are as they were made, whatever `opt.jacobian` says by now
        if self.efc_J_rowadr.len() < self.nefc {
            for (row, entries) in self.efc_J.chunks_exact(model.nv.max(1)).take(self.nefc).enumerate() {
                let mut moved = entries.iter().enumerate().filter(|(_, x)| **x != 0.0);
                moved.try_for_each(|(dof, _)| check(row, dof))?;
            }
            return Ok(());
        }
        for row in 0..self.nefc {
            let (first, count) = (self.efc_J_rowadr[row] as usize, self.efc_J_rownnz[row] as usize);
            let mut columns = self.efc_J_colind[first..first + count].iter();
            columns.try_for_each(|&dof| check(row, dof as usize))?;
        }
        Ok(())
    }
}

/// An error unless runs follow one another and end at `size`.
fn check_parts(
    (first_name, first): (&'static str, &[i32]),
    (count_name, count): (&'static str, &[i32]),
    size: usize,
) -> Result<(), IndexError> {
    let mut next = 0;
    for (at, (&first, &count)) in first.iter().zip(count).enumerate() {
        one_of(count_name, at, count, 1, size - next + 1)?;
        if first as usize != next {
            return Err(IndexError::other(first_name, at, first, "exactly", next as i64));
        }
        next += count as usize;
    }
    match next == size {
        true => Ok(()),
        false => Err(IndexError::other(count_name, 0, next as i32, "in all exactly", size as i64)),
    }
}

/// An error unless a list in the order of islands and the indices into it are inverse to each other, and each
/// part of it begins where its island does.
fn check_inverse(
    (list_name, list): (&'static str, &[i32]),
    (index_name, index): (&'static str, &[i32]),
    (island, first): (&[i32], &[i32]),
) -> Result<(), IndexError> {
    let mut part = 0;
    for (at, &item) in list.iter().enumerate() {
        one_of(list_name, at, item, 0, index.len())?;
        if index[item as usize] as usize != at {
            return Err(IndexError::other(
                index_name,
                item as usize,
                index[item as usize],
                "exactly",
                at as i64,
            ));
        }
        if first.get(part + 1).is_some_and(|&next| next as usize == at) {
            part += 1;
        }
        if island[item as usize] as usize != part {
            return Err(IndexError::other(list_name, at, item, "of island", part as i64));
        }
    }
    check_ids(index_name, index, -1, index.len())
}
