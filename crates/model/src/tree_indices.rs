//! Whether the integers that describe the kinematic tree say the same.
//!
//! Walks along the tree rely on them: bodies and their joints, dofs and coordinates, trees, and the pattern
//! of the inertia matrix follow from each other.

use crate::Model;
use crate::enums::{JointType, TrnType, WrapType};
use crate::indices::{IndexError, one_of};

/// An error unless a value is the one that follows from others.
fn exactly(field: &'static str, at: usize, value: i32, wanted: i32) -> Result<(), IndexError> {
    match value == wanted {
        true => Ok(()),
        false => Err(IndexError::other(field, at, value, "exactly", wanted.into())),
    }
}

impl Model {
    /// Joints follow one another, with as many coordinates and dofs as their types say.
    pub(crate) fn check_joints(&self) -> Result<(), IndexError> {
        let (mut qpos, mut dof) = (0, 0);
        for joint in 0..self.njnt {
            let (nq, nv) = match JointType::try_from(self.jnt_type[joint]) {
                Ok(JointType::Free) => (7, 6),
                Ok(JointType::Ball) => (4, 3),
                Ok(JointType::Slide | JointType::Hinge) => (1, 1),
                Err(_) => {
                    return Err(IndexError::other("jnt_type", joint, self.jnt_type[joint], "at most", 3));
                }
            };
            exactly("jnt_qposadr", joint, self.jnt_qposadr[joint], qpos)?;
            exactly("jnt_dofadr", joint, self.jnt_dofadr[joint], dof)?;
            for k in dof..(dof + nv).min(self.nv as i32) {
                exactly("dof_jntid", k as usize, self.dof_jntid[k as usize], joint as i32)?;
                exactly("dof_bodyid", k as usize, self.dof_bodyid[k as usize], self.jnt_bodyid[joint])?;
            }
            (qpos, dof) = (qpos + nq, dof + nv);
        }
        exactly("jnt_type: coordinates of all joints", self.njnt, qpos, self.nq as i32)?;
        exactly("jnt_type: dofs of all joints", self.njnt, dof, self.nv as i32)
    }

    /// Each body has its joints and dofs, and each dof the one above it for its parent.
    pub(crate) fn check_dofs(&self) -> Result<(), IndexError> {
        let (mut joint, mut dof) = (0, 0);
        for body in 0..self.nbody {
            let (joints, dofs) = (self.body_jntnum[body], self.body_dofnum[body]);
            let leads = self.reference().mocap_weld() && self.body_mocapid[body] >= 0;
            let fixed = joints == 0 && body > 0 && !leads;
            let weld = if fixed { self.body_weldid[self.body_parentid[body] as usize] } else { body as i32 };
            exactly("body_weldid", body, self.body_weldid[body], weld)?;
            if joints > 0 {
                exactly("body_jntadr", body, self.body_jntadr[body], joint)?;
            }
            for k in joint..(joint + joints).min(self.njnt as i32) {
                exactly("jnt_bodyid", k as usize, self.jnt_bodyid[k as usize], body as i32)?;
            }
            if dofs > 0 {
                exactly("body_dofadr", body, self.body_dofadr[body], dof)?;
            }
            for k in dof..(dof + dofs).min(self.nv as i32) {
                let parent = if k > dof { k - 1 } else { self.last_dof_above(body) };
                exactly("dof_bodyid", k as usize, self.dof_bodyid[k as usize], body as i32)?;
                exactly("dof_parentid", k as usize, self.dof_parentid[k as usize], parent)?;
            }
            (joint, dof) = (joint.saturating_add(joints), dof.saturating_add(dofs));
        }
        exactly("body_jntnum: joints of all bodies", self.nbody, joint, self.njnt as i32)?;
        exactly("body_dofnum: dofs of all bodies", self.nbody, dof, self.nv as i32)
    }

    /// The last dof that moves the parent of a body, −1 if there is none.
    fn last_dof_above(&self, body: usize) -> i32 {
        let mut above = body;
        while above > 0 {
            above = self.body_parentid[above] as usize;
            if self.body_dofnum[above] > 0 {
                return self.body_dofadr[above] + self.body_dofnum[above] - 1;
            }
        }
        -1
    }

    /// Trees are runs of dofs and of bodies.
    pub(crate) fn check_trees(&self) -> Result<(), IndexError> {
        let (mut bodies, mut dofs) = (0, 0);
        for tree in 0..self.ntree {
            let run = |first: i32, count: i32| first.max(0) as usize..(first.max(0) + count) as usize;
            for dof in run(self.tree_dofadr[tree], self.tree_dofnum[tree]) {
                exactly("dof_treeid", dof, self.dof_treeid[dof], tree as i32)?;
                dofs += 1;
            }
            for body in run(self.tree_bodyadr[tree], self.tree_bodynum[tree]) {
                exactly("body_treeid", body, self.body_treeid[body], tree as i32)?;
                bodies += 1;
            }
        }
        for dof in 0..self.nv {
            let body = self.dof_bodyid[dof] as usize;
            exactly("dof_treeid", dof, self.dof_treeid[dof], self.body_treeid[body])?;
        }
        let moving = self.body_treeid.iter().filter(|&&tree| tree >= 0).count();
        exactly("tree_bodynum: bodies of all trees", self.ntree, bodies, moving as i32)?;
        exactly("tree_dofnum: dofs of all trees", self.ntree, dofs, self.nv as i32)
    }

    /// Rows of the inertia matrix follow one another: of each dof those of its ancestors and its own, in the
    /// reduced matrix the last one alone where the dof is simple.
    pub(crate) fn check_inertia_rows(&self) -> Result<(), IndexError> {
        let mut depths: Vec<i32> = Vec::with_capacity(self.nv);
        let (mut whole, mut reduced) = (0, 0);
        for dof in 0..self.nv {
            let depth = 1 + usize::try_from(self.dof_parentid[dof]).map_or(0, |parent| depths[parent]);
            let entries = if self.dof_simplenum[dof] == 0 { depth } else { 1 };
            exactly("dof_Madr", dof, self.dof_Madr[dof], whole)?;
            exactly("M_rowadr", dof, self.M_rowadr[dof], reduced)?;
            exactly("M_rownnz", dof, self.M_rownnz[dof], entries)?;
            one_of("D_diag", dof, self.D_diag[dof], 0, self.D_rownnz[dof] as usize)?;
            let mut column = dof as i32;
            for at in (reduced..reduced + entries).rev() {
                exactly("M_colind", at as usize, self.M_colind[at as usize], column)?;
                column = usize::try_from(column).map_or(-1, |dof| self.dof_parentid[dof]);
            }
            depths.push(depth);
            (whole, reduced) = (whole + depth, reduced + entries);
        }
        Ok(())
    }

    /// The moment matrix has room for all actuators of joints and tendons.
    pub(crate) fn check_moments(&self) -> Result<(), IndexError> {
        let mut entries = 0;
        for (i, &[id, _]) in self.actuator_trnid.iter().enumerate() {
            entries += match TrnType::try_from(self.actuator_trntype[i]) {
                Ok(TrnType::Joint | TrnType::Jointinparent) => {
                    match JointType::try_from(self.jnt_type[id as usize]) {
                        Ok(JointType::Free) => 6,
                        Ok(JointType::Ball) => 3,
                        _ => 1,
                    }
                }
                Ok(TrnType::Tendon) => self.ten_J_rownnz[id as usize],
                _ => 0,
            };
            if entries as usize > self.nJmom {
                let rule = "one with fewer dofs: there is room for";
                return Err(IndexError::other("actuator_trnid", 2 * i, id, rule, self.nJmom as i64));
            }
        }
        Ok(())
    }

    /// The path of a tendon: joints, or sites with geoms and pulleys between them.
    pub(crate) fn check_wraps(&self) -> Result<(), IndexError> {
        for i in 0..self.nwrap {
            let count = match WrapType::try_from(self.wrap_type[i]) {
                Ok(WrapType::Joint) => self.njnt,
                Ok(WrapType::Site) => self.nsite,
                Ok(WrapType::Sphere | WrapType::Cylinder) => self.ngeom,
                Ok(WrapType::Pulley) => continue,
                Ok(WrapType::None) | Err(_) => {
                    return Err(IndexError::other("wrap_type", i, self.wrap_type[i], "from 1 to", 5));
                }
            };
            one_of("wrap_objid", i, self.wrap_objid[i], 0, count)?;
        }
        for (i, (&first, &count)) in self.tendon_adr.iter().zip(&self.tendon_num).enumerate() {
            if count < 1 {
                return Err(IndexError::other("tendon_num", i, count, "at least", 1));
            }
            let path = &self.wrap_type[first.max(0) as usize..][..count as usize];
            let fixed = path.first().is_some_and(|&kind| kind == WrapType::Joint);
            for (k, &kind) in path.iter().enumerate() {
                let site =
                    |k: Option<usize>| k.and_then(|k| path.get(k)).is_some_and(|&t| t == WrapType::Site);
                let around = kind == WrapType::Sphere || kind == WrapType::Cylinder;
                let wrong = if fixed { kind != WrapType::Joint } else { kind == WrapType::Joint };
                if wrong || (around && !(site(k.checked_sub(1)) && site(Some(k + 1)))) {
                    let rule = "one that fits what is beside it, such as";
                    let wanted = if fixed { WrapType::Joint } else { WrapType::Site };
                    return Err(IndexError::other(
                        "wrap_type",
                        first as usize + k,
                        kind,
                        rule,
                        wanted as i64,
                    ));
                }
            }
        }
        Ok(())
    }
}
