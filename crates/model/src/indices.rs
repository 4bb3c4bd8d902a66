//! Whether the integers of a model that are used as indices are indices.
//!
//! A compiled model is sound. A program may write anything to its arrays afterwards; [`Model::check_indices`]
//! then tells the first value that would lead astray: an index out of range, a parent that does not come
//! before its child, a tree of bounding volumes with a loop.

use crate::enums::{EqType, GeomType, ObjType, TrnType};
use crate::field::integers;
use crate::table::model_indices::for_each_index_rule;
use crate::{Model, name_addresses};

/// A value in an array of a model or a data that cannot be used as the index it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}[{at}] is {value}, but must be {rule} {limit}")]
pub struct IndexError {
    /// The array.
    pub field: &'static str,
    /// Where in the array, which is counted flat.
    pub at: usize,
    /// What is there.
    pub value: i64,
    /// How it must relate to the limit.
    rule: &'static str,
    limit: i64,
}

/// An error unless all values lie in `least..count`.
pub(crate) fn check_ids(
    field: &'static str,
    values: &[i32],
    least: i32,
    count: usize,
) -> Result<(), IndexError> {
    let wrong = |&value: &i32| value < least || i64::from(value) >= count as i64;
    match values.iter().position(wrong) {
        None => Ok(()),
        Some(at) => Err(below(field, at, values[at].into(), least, count as i64)),
    }
}

impl IndexError {
    /// A value that breaks a rule about a limit.
    pub(crate) fn other(field: &'static str, at: usize, value: i32, rule: &'static str, limit: i64) -> Self {
        Self { field, at, value: value.into(), rule, limit }
    }

    /// The same, in other memory.
    pub(crate) fn at(self, at: usize) -> Self {
        Self { at, ..self }
    }
}

fn below(field: &'static str, at: usize, value: i64, least: i32, limit: i64) -> IndexError {
    let rule = if least < 0 { "-1, or 0 or more and below" } else { "0 or more and below" };
    IndexError { field, at, value, rule, limit }
}

/// An error unless all runs that are not empty end at `size` or before.
pub(crate) fn check_runs(
    (first_name, first): (&'static str, &[i32]),
    (count_name, count): (&'static str, &[i32]),
    size: usize,
) -> Result<(), IndexError> {
    for (at, (&first, &count)) in first.iter().zip(count).enumerate() {
        let (first, count, size) = (i64::from(first), i64::from(count), size as i64);
        if count < 0 || count > size {
            let rule = "0 or more and at most";
            return Err(IndexError { field: count_name, at, value: count, rule, limit: size });
        }
        if first < -i64::from(count == 0) || first + count > size {
            let rule = if count == 0 { "-1 or more and at most" } else { "0 or more and at most" };
            return Err(IndexError { field: first_name, at, value: first, rule, limit: size - count });
        }
    }
    Ok(())
}

/// Makes the check of all rules of the table, and the list of fields that they are about.
macro_rules! table_rules {
    ({ $( $id:ident: $id_size:ident; )* }
     { $( $optional:ident: $optional_size:ident; )* }
     { $( $first:ident + $count:ident: $size:ident; )* }) => {
        /// Fields that the table has rules about.
        #[cfg(test)]
        const RULED: &[&str] = &[
            $( stringify!($id), )* $( stringify!($optional), )* $( stringify!($first), stringify!($count), )*
        ];

        fn check_table(m: &Model) -> Result<(), IndexError> {
            $( check_ids(stringify!($id), integers(&m.$id), 0, m.$id_size)?; )*
            $( check_ids(stringify!($optional), integers(&m.$optional), -1, m.$optional_size)?; )*
            $( check_runs((stringify!($first), &m.$first), (stringify!($count), &m.$count), m.$size)?; )*
            Ok(())
        }
    };
}
for_each_index_rule!(table_rules);

impl Model {
    /// An error unless every index in the model's arrays is one.
    ///
    /// Compiled models need no check; one that a program has written integers to does, before it is used.
    ///
    /// # Errors
    /// At the first value that is no index.
    pub fn check_indices(&self) -> Result<(), IndexError> {
        check_table(self)?;
        // -2 stands for several actuators
        check_ids("jnt_actuatorid", &self.jnt_actuatorid, -2, self.nu)?;
        check_ids("tendon_actuatorid", &self.tendon_actuatorid, -2, self.nu)?;
        check_parents("body_parentid", self.body_parentid.get(1..).unwrap_or_default(), 1, 0)?;
        check_ids("body_parentid", self.body_parentid.get(..1).unwrap_or_default(), 0, 1)?;
        check_parents("dof_parentid", &self.dof_parentid, 0, -1)?;
        self.check_joints()?;
        self.check_dofs()?;
        self.check_trees()?;
        self.check_inertia_rows()?;
        check_dimensions("geom_condim", &self.geom_condim)?;
        check_dimensions("pair_dim", &self.pair_dim)?;
        self.check_references()?;
        self.check_sensors()?;
        self.check_wraps()?;
        self.check_moments()?;
        self.check_histories()?;
        self.check_height_fields()?;
        self.check_textures()?;
        self.check_volumes()?;
        self.check_flexes()
    }

    /// Number of objects of a type; those that have no frame or name have none.
    pub(crate) fn count(&self, objtype: i32) -> usize {
        match ObjType::try_from(objtype) {
            Ok(ObjType::Dof) => self.nv,
            Ok(kind) => name_addresses(self, kind).map_or(0, <[i32]>::len),
            Err(_) => 0,
        }
    }

    /// Ids whose meaning depends on a type.
    fn check_references(&self) -> Result<(), IndexError> {
        for geom in 0..self.ngeom {
            let count = match GeomType::try_from(self.geom_type[geom]) {
                Ok(GeomType::Hfield) => self.nhfield,
                _ => self.nmesh,
            };
            one_of("geom_dataid", geom, self.geom_dataid[geom], -1, count)?;
        }
        for i in 0..self.nu {
            let [first, second] = self.actuator_trnid[i];
            let (count, least_second, seconds) = match TrnType::try_from(self.actuator_trntype[i]) {
                Ok(TrnType::Joint | TrnType::Jointinparent) => (self.njnt, i32::MIN, usize::MAX),
                Ok(TrnType::Slidercrank) => (self.nsite, 0, self.nsite),
                Ok(TrnType::Tendon) => (self.ntendon, i32::MIN, usize::MAX),
                Ok(TrnType::Site) => (self.nsite, -1, self.nsite),
                Ok(TrnType::Body) => (self.nbody, i32::MIN, usize::MAX),
                Ok(TrnType::Undefined) | Err(_) => continue,
            };
            one_of("actuator_trnid", 2 * i, first, 0, count)?;
            one_of("actuator_trnid", 2 * i + 1, second, least_second, seconds)?;
        }
        for i in 0..self.neq {
            let count = match EqType::try_from(self.eq_type[i]) {
                Ok(EqType::Connect | EqType::Weld) => self.count(self.eq_objtype[i]),
                Ok(EqType::Joint) => self.njnt,
                Ok(EqType::Tendon) => self.ntendon,
                Ok(EqType::Flex | EqType::Flexvert | EqType::Flexstrain) => self.nflex,
                _ => continue,
            };
            one_of("eq_obj1id", i, self.eq_obj1id[i], 0, count)?;
            let bodies = self.eq_type[i] == EqType::Connect || self.eq_type[i] == EqType::Weld;
            one_of("eq_obj2id", i, self.eq_obj2id[i], if bodies { 0 } else { -1 }, count)?;
        }
        for i in 0..self.ntupledata {
            known_type("tuple_objtype", i, self.tuple_objtype[i])?;
            one_of("tuple_objid", i, self.tuple_objid[i], -1, self.count(self.tuple_objtype[i]))?;
        }
        self.check_signatures()
    }

    /// Pairs and exclusions name bodies: the first one in the upper half of their signature.
    fn check_signatures(&self) -> Result<(), IndexError> {
        for (names, signatures) in [
            (["pair_body1", "pair_body2"], &self.pair_signature[..]),
            (["exclude_body1", "exclude_body2"], &self.exclude_signature[..]),
        ] {
            for (i, &signature) in signatures.iter().enumerate() {
                one_of(names[0], i, signature & 0xffff, 0, self.nbody)?;
                one_of(names[1], i, signature >> 16, 0, self.nbody)?;
            }
        }
        Ok(())
    }

    /// Textures have their pixels.
    fn check_textures(&self) -> Result<(), IndexError> {
        for i in 0..self.ntex {
            let sizes = [self.tex_width[i], self.tex_height[i], self.tex_nchannel[i]].map(i64::from);
            let size = sizes.iter().try_fold(1_i64, |product, &side| product.checked_mul(side.max(0)));
            let limit = (self.ntexdata as i64 + 1).saturating_sub(size.unwrap_or(i64::MAX)).max(0);
            let address = self.tex_adr[i];
            if address < 0 || address >= limit {
                return Err(below("tex_adr", i, address, 0, limit));
            }
        }
        Ok(())
    }

    /// Delay lines lie in `history`.
    fn check_histories(&self) -> Result<(), IndexError> {
        let check = |field, at: usize, samples: i32, dim: i64, address: i32| {
            let length = 2 + i64::from(samples) * (1 + dim);
            let limit = self.nhistory as i64 + 1 - length;
            if samples > 0 && (address < 0 || i64::from(address) >= limit) {
                return Err(below(field, at, address.into(), 0, limit.max(0)));
            }
            Ok(())
        };
        for i in 0..self.nu {
            check("actuator_historyadr", i, self.actuator_history[i][0], 1, self.actuator_historyadr[i])?;
        }
        for i in 0..self.nsensor {
            let dim = self.sensor_dim[i].into();
            check("sensor_historyadr", i, self.sensor_history[i][0], dim, self.sensor_historyadr[i])?;
        }
        Ok(())
    }

    /// Height fields have their elevations.
    fn check_height_fields(&self) -> Result<(), IndexError> {
        for i in 0..self.nhfield {
            let (rows, columns) = (i64::from(self.hfield_nrow[i]), i64::from(self.hfield_ncol[i]));
            for (field, value) in [("hfield_nrow", rows), ("hfield_ncol", columns)] {
                if value < 1 {
                    return Err(IndexError { field, at: i, value, rule: "at least", limit: 1 });
                }
            }
            let limit = (self.nhfielddata as i64 + 1 - rows * columns).max(0);
            let address = self.hfield_adr[i];
            if address < 0 || i64::from(address) >= limit {
                return Err(below("hfield_adr", i, address.into(), 0, limit));
            }
        }
        Ok(())
    }

    /// A tree of bounding volumes with `count` nodes over `items` things.
    pub(crate) fn check_tree(&self, first: usize, count: i32, items: usize) -> Result<(), IndexError> {
        for node in 0..count as usize {
            for (side, &child) in self.bvh_child[first + node].iter().enumerate() {
                later("bvh_child", 2 * (first + node) + side, child, node, count)?;
            }
            one_of("bvh_nodeid", first + node, self.bvh_nodeid[first + node], -1, items)?;
        }
        Ok(())
    }

    /// Trees of bounding volumes: children come after their parents and belong to the same tree, leaves name
    /// what is there.
    fn check_volumes(&self) -> Result<(), IndexError> {
        let bodies = self.body_bvhadr.iter().zip(&self.body_bvhnum).map(|tree| (tree, self.ngeom));
        let meshes = self.mesh_bvhadr.iter().zip(&self.mesh_bvhnum).zip(&self.mesh_facenum);
        let meshes = meshes.map(|(tree, &faces)| (tree, faces as usize));
        for ((&first, &count), items) in bodies.chain(meshes) {
            self.check_tree(first.max(0) as usize, count, items)?;
            if count > 0 && first as usize + count as usize > self.nbvhstatic {
                let limit = self.nbvhstatic as i64 - i64::from(count);
                return Err(IndexError::other("body_bvhadr or mesh_bvhadr", 0, first, "at most", limit));
            }
        }
        for (&first, &count) in self.mesh_octadr.iter().zip(&self.mesh_octnum) {
            let first = first.max(0) as usize;
            for node in 0..count as usize {
                for (side, &child) in self.oct_child[first + node].iter().enumerate() {
                    later("oct_child", 8 * (first + node) + side, child, node, count)?;
                }
            }
        }
        Ok(())
    }
}

/// An error unless all contacts get one of the four dimensions that there are.
pub(crate) fn check_dimensions(field: &'static str, values: &[i32]) -> Result<(), IndexError> {
    let known = |dim: &i32| [1, 3, 4, 6].contains(dim);
    let wrong = values.iter().position(|dim| !known(dim));
    wrong.map_or(Ok(()), |at| Err(IndexError::other(field, at, values[at], "one of 1, 3, 4 and", 6)))
}

/// An error unless each parent comes before its children, on which walks towards the root rely.
fn check_parents(field: &'static str, parents: &[i32], offset: usize, least: i32) -> Result<(), IndexError> {
    for (i, &parent) in parents.iter().enumerate() {
        let at = i + offset;
        if parent < least || i64::from(parent) >= at as i64 {
            return Err(below(field, at, parent.into(), least, at as i64));
        }
    }
    Ok(())
}

/// An error unless a value lies in `least..count`.
pub(crate) fn one_of(
    field: &'static str,
    at: usize,
    value: i32,
    least: i32,
    count: usize,
) -> Result<(), IndexError> {
    let fits = value >= least && (value < 0 || (value as usize) < count);
    if fits { Ok(()) } else { Err(below(field, at, value.into(), least, count as i64)) }
}

/// An error unless a number is that of a type of objects.
pub(crate) fn known_type(field: &'static str, at: usize, value: i32) -> Result<(), IndexError> {
    match ObjType::try_from(value) {
        Ok(_) => Ok(()),
        Err(_) => Err(IndexError::other(field, at, value, "the number of a type: not", value.into())),
    }
}

/// An error unless a child comes after its parent in a tree of `count` nodes; −1 is none.
fn later(field: &'static str, at: usize, child: i32, parent: usize, count: i32) -> Result<(), IndexError> {
    if child < -1 || child >= count {
        return Err(below(field, at, child.into(), -1, count.into()));
    }
    if child >= 0 && child as usize <= parent {
        return Err(IndexError {
            field,
            at,
            value: child.into(),
            rule: "-1 or more than",
            limit: parent as i64,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::RULED;
    use crate::{FieldSlice, Model, Sizes};

    /// Integers that are checked by code of their own.
    const CHECKED: &[&str] = &[
        "body_parentid",
        "dof_parentid",
        "jnt_actuatorid",
        "tendon_actuatorid",
        "jnt_qposadr",
        "jnt_dofadr",
        "geom_dataid",
        "wrap_objid",
        "actuator_trnid",
        "eq_obj1id",
        "eq_obj2id",
        "sensor_objid",
        "sensor_refid",
        "tuple_objid",
        "actuator_history",
        "actuator_historyadr",
        "sensor_history",
        "sensor_historyadr",
        "hfield_nrow",
        "hfield_ncol",
        "hfield_adr",
        "geom_condim",
        "pair_dim",
        "bvh_child",
        "bvh_nodeid",
        "oct_child",
        "flex_condim",
        "flex_dim",
        "flex_interp",
        "flex_cellnum",
        "flex_stiffnessadr",
        "flex_elemdataadr",
        "flex_elem",
        "flex_elemtexcoord",
        "flex_elemedgeadr",
        "flex_elemedge",
        "flex_shellnum",
        "flex_shelldataadr",
        "flex_shell",
        "flex_evpair",
        "flex_edge",
        "flex_edgeflap",
        "flex_vertedgeadr",
        "flex_vertedgenum",
        "flex_vertedge",
        "flexvert_J_rowadr",
        "flexvert_J_rownnz",
    ];

    /// Ends of names of integers that are no indices: types, bits, groups, counts without arrays, sizes of
    /// pictures.
    const PLAIN: &[&str] = &[
        "_type",
        "_contype",
        "_conaffinity",
        "_group",
        "_priority",
        "_mode",
        "_projection",
        "_output",
        "_resolution",
        "type",
        "_policy",
        "flex_selfcollide",
        "flex_activelayers",
        "flex_passive",
        "flex_bandwidth",
        "flex_elemlayer",
        "flex_edgeequality",
        "_signature",
        "_needstage",
        "_intprm",
        "_depth",
        "_treenum",
        "_simplenum",
        "_colorspace",
        "_height",
        "_width",
        "_nchannel",
    ];

    /// Integers that nothing of the pipeline follows: slots of plugins, which are looked up when a model is
    /// bound to a registry, those of pictures and of the hash table of names.
    const UNUSED: &[&str] = &[
        "plugin",
        "mesh_facenormal",
        "mesh_facetexcoord",
        "mesh_texcoordnum",
        "mesh_graph",
        "names_map",
        "D_diag",
    ];

    #[test]
    fn every_integer_has_a_rule_or_a_reason() {
        let model = Model::with_sizes(Sizes::default());
        for field in model.fields() {
            if !matches!(field.data, FieldSlice::I32(_)) {
                continue;
            }
            let known = RULED.contains(&field.name)
                || CHECKED.contains(&field.name)
                || PLAIN.iter().any(|end| field.name.ends_with(end))
                || UNUSED.iter().any(|part| field.name.starts_with(part) || field.name.ends_with(part));
            assert!(known, "{} has neither", field.name);
        }
    }

    #[test]
    fn wrong_indices_are_named() {
        let sizes = Sizes {
            nq: 2,
            nv: 2,
            nbody: 3,
            njnt: 2,
            ntree: 1,
            nM: 3,
            nC: 3,
            nD: 4,
            nbvh: 3,
            nmocap: 1,
            nnames: 1,
            ..Sizes::default()
        };
        let mut model = Model::with_sizes(sizes);
        model.dof_parentid.copy_from_slice(&[-1, 0]);
        model.dof_Madr.copy_from_slice(&[0, 1]);
        model.M_rowadr.copy_from_slice(&[0, 1]);
        model.M_rownnz.copy_from_slice(&[1, 2]);
        model.D_rowadr.copy_from_slice(&[0, 2]);
        model.D_rownnz.fill(2);
        model.M_colind.copy_from_slice(&[0, 0, 1]);
        model.body_parentid[2] = 1;
        for numbered in [&mut model.jnt_qposadr[..], &mut model.jnt_dofadr, &mut model.dof_jntid] {
            numbered.copy_from_slice(&[0, 1]);
        }
        for of_body in [&mut model.jnt_bodyid[..], &mut model.dof_bodyid] {
            of_body.copy_from_slice(&[1, 2]);
        }
        for first in [&mut model.body_jntadr[..], &mut model.body_dofadr] {
            first.copy_from_slice(&[-1, 0, 1]);
        }
        for count in [&mut model.body_jntnum[..], &mut model.body_dofnum] {
            count.copy_from_slice(&[0, 1, 1]);
        }
        model.body_treeid[0] = -1;
        model.body_weldid.copy_from_slice(&[0, 1, 2]);
        (model.tree_dofnum[0], model.tree_bodyadr[0], model.tree_bodynum[0]) = (2, 1, 2);
        for absent in [&mut model.body_plugin[..], &mut model.jnt_actuatorid] {
            absent.fill(-1);
        }
        model.jnt_type.fill(3);
        model.bvh_child.fill([-1; 2]);
        model.bvh_nodeid.fill(-1);
        assert_eq!(model.check_indices(), Ok(()));
        let message = |change: fn(&mut Model)| {
            let mut broken = model.clone();
            change(&mut broken);
            broken.check_indices().unwrap_err().to_string()
        };
        assert!(message(|m| m.body_parentid[2] = 2).contains("body_parentid[2] is 2"));
        assert!(message(|m| m.jnt_qposadr[1] = 7).contains("jnt_qposadr[1] is 7, but must be exactly 1"));
        assert!(message(|m| m.body_parentid[0] = 7).contains("body_parentid[0] is 7"));
        assert!(message(|m| m.jnt_type[1] = 5).contains("jnt_type[1] is 5"));
        assert!(message(|m| m.M_rownnz[1] = 1).contains("M_rownnz[1] is 1, but must be exactly 2"));
        assert!(message(|m| m.D_diag[1] = 2).contains("D_diag[1] is 2"));
        assert!(message(|m| m.tree_dofnum[0] = 1).contains("tree_dofnum"));
        assert!(message(|m| m.dof_parentid[1] = -1).contains("dof_parentid[1] is -1, but must be exactly 0"));
        assert!(message(|m| m.body_mocapid[0] = -2).contains("body_mocapid[0] is -2"));
        assert!(message(|m| m.body_jntnum[1] = i32::MAX).contains("body_jntnum[1] is"));
        assert!(
            message(|m| {
                m.body_bvhnum[1] = 3;
                m.bvh_child[1] = [0, 2];
            })
            .contains("bvh_child[2] is 0, but must be -1 or more than 1")
        );
    }
}
