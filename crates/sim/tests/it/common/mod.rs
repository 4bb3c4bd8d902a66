//! A builder of small kinematic trees, written straight into model arrays, so that these tests depend on no
//! file format.
#![allow(dead_code)] // each test binary uses its own part

use kinetree_math::rot::{QUAT_IDENTITY, quat_normalize};
use kinetree_model::enums::{JointType, WrapType};
use kinetree_model::{Data, Model, Sizes};

/// A joint of a body.
#[derive(Clone)]
pub(crate) struct Joint {
    pub(crate) kind: JointType,
    pub(crate) axis: [f64; 3],
    pub(crate) pos: [f64; 3],
}

/// A body of the tree; parents come before children.
#[derive(Clone)]
pub(crate) struct Body {
    pub(crate) parent: usize,
    pub(crate) pos: [f64; 3],
    pub(crate) quat: [f64; 4],
    pub(crate) mass: f64,
    pub(crate) inertia: [f64; 3],
    pub(crate) ipos: [f64; 3],
    pub(crate) iquat: [f64; 4],
    pub(crate) joints: Vec<Joint>,
}

/// A tree of bodies with one site and one geom each, and spatial tendons through the sites.
#[derive(Clone, Default)]
pub(crate) struct Tree {
    pub(crate) bodies: Vec<Body>,
    pub(crate) tendons: Vec<Vec<usize>>,
    /// Number of kinematic trees; their arrays are left to the test.
    pub(crate) trees: usize,
}

pub(crate) fn unit(v: [f64; 3]) -> [f64; 3] {
    let n = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    v.map(|x| x / n)
}

pub(crate) fn quat(mut q: [f64; 4]) -> [f64; 4] {
    quat_normalize(&mut q);
    q
}

/// Deterministic numbers in −1..1.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1))
    }

    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64) / ((1u64 << 52) as f64) - 1.0
    }

    pub(crate) fn vec<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.next())
    }
}

impl Tree {
    /// Adds a body with one joint of each given kind, everything off-centre, and returns its id.
    pub(crate) fn add(&mut self, parent: usize, kinds: &[JointType]) -> usize {
        let mut random = Random::new(self.bodies.len() as u64 + 17);
        let free = kinds.contains(&JointType::Free);
        self.bodies.push(Body {
            parent,
            pos: random.vec(),
            quat: quat([1.0, 0.3 * random.next(), 0.3 * random.next(), 0.3 * random.next()]),
            mass: 1.5 + random.next(),
            inertia: [0.11, 0.14, 0.17].map(|x| x + 0.02 * random.next()),
            ipos: random.vec::<3>().map(|x| 0.2 * x),
            iquat: quat([1.0, random.next(), random.next(), random.next()]),
            joints: kinds
                .iter()
                .map(|&kind| Joint {
                    kind,
                    axis: if free || kind == JointType::Ball { [0.0, 0.0, 1.0] } else { unit(random.vec()) },
                    pos: if free { [0.0; 3] } else { random.vec::<3>().map(|x| 0.3 * x) },
                })
                .collect(),
        });
        self.bodies.len()
    }

    /// A serial arm of `n` hinges.
    pub(crate) fn arm(n: usize) -> Self {
        let mut tree = Self::default();
        for i in 0..n {
            tree.add(i, &[JointType::Hinge]);
        }
        tree
    }

    /// Writes the model.
    pub(crate) fn build(&self) -> Model {
        let dofs = |kind: JointType| match kind {
            JointType::Free => (7, 6),
            JointType::Ball => (4, 3),
            JointType::Slide | JointType::Hinge => (1, 1),
        };
        let nbody = self.bodies.len() + 1;
        let joints: Vec<_> = self.bodies.iter().flat_map(|b| b.joints.iter().map(|j| j.kind)).collect();
        let nq = joints.iter().map(|&k| dofs(k).0).sum();
        let nv = joints.iter().map(|&k| dofs(k).1).sum();
        let wraps = self.tendons.iter().map(Vec::len).sum();
        let entries = self.inertia_entries(dofs);
        let mut model = Model::with_sizes(Sizes {
            nq,
            nv,
            nM: entries,
            nC: entries,
            nbody,
            njnt: joints.len(),
            ngeom: nbody,
            nsite: nbody,
            ntendon: self.tendons.len(),
            nwrap: wraps,
            ntree: self.trees,
            nJten: self.tendons.len() * nv,
            ..Sizes::default()
        });
        self.write_bodies(&mut model);
        self.write_joints(&mut model, dofs);
        write_inertia_pattern(&mut model);
        self.write_attachments(&mut model);
        model
    }

    /// Entries of the inertia matrix: each dof with its ancestors.
    fn inertia_entries(&self, dofs: impl Fn(JointType) -> (usize, usize)) -> usize {
        let mut depth = vec![0];
        let mut entries = 0;
        for body in &self.bodies {
            let own: usize = body.joints.iter().map(|joint| dofs(joint.kind).1).sum();
            let above = depth[body.parent];
            entries += (above + 1..=above + own).sum::<usize>();
            depth.push(above + own);
        }
        entries
    }

    fn write_bodies(&self, model: &mut Model) {
        model.body_mocapid.fill(-1);
        model.body_geomadr.fill(-1);
        model.body_treeid.fill(-1);
        model.body_quat.fill(QUAT_IDENTITY);
        model.body_iquat.fill(QUAT_IDENTITY);
        model.body_jntadr.fill(-1);
        model.body_dofadr.fill(-1);
        for (i, body) in self.bodies.iter().enumerate() {
            let id = i + 1;
            model.body_parentid[id] = body.parent as i32;
            model.body_rootid[id] = if body.parent == 0 { id as i32 } else { model.body_rootid[body.parent] };
            model.body_weldid[id] =
                if body.joints.is_empty() { model.body_weldid[body.parent] } else { id as i32 };
            model.body_pos[id] = body.pos;
            model.body_quat[id] = body.quat;
            model.body_ipos[id] = body.ipos;
            model.body_iquat[id] = body.iquat;
            model.body_mass[id] = body.mass;
            model.body_inertia[id] = body.inertia;
        }
        for id in (0..model.nbody).rev() {
            model.body_subtreemass[id] += model.body_mass[id];
            if id > 0 {
                let mass = model.body_subtreemass[id];
                model.body_subtreemass[model.body_parentid[id] as usize] += mass;
            }
        }
    }

    fn write_joints(&self, model: &mut Model, dofs: impl Fn(JointType) -> (usize, usize)) {
        let (mut joint, mut q, mut v) = (0, 0, 0);
        let mut last_dof = vec![-1; model.nbody];
        for (i, body) in self.bodies.iter().enumerate() {
            let id = i + 1;
            model.body_jntnum[id] = body.joints.len() as i32;
            if !body.joints.is_empty() {
                model.body_jntadr[id] = joint as i32;
                model.body_dofadr[id] = v as i32;
            }
            let mut parent_dof = last_dof[body.parent];
            for j in &body.joints {
                let (nq, nv) = dofs(j.kind);
                model.jnt_type[joint] = j.kind as i32;
                model.jnt_qposadr[joint] = q as i32;
                model.jnt_dofadr[joint] = v as i32;
                model.jnt_bodyid[joint] = id as i32;
                model.jnt_actuatorid[joint] = -1;
                model.jnt_axis[joint] = j.axis;
                model.jnt_pos[joint] = j.pos;
                if nq > 1 {
                    model.qpos0[q + nq - 4] = 1.0;
                }
                for dof in v..v + nv {
                    model.dof_bodyid[dof] = id as i32;
                    model.dof_jntid[dof] = joint as i32;
                    model.dof_parentid[dof] = parent_dof;
                    parent_dof = dof as i32;
                }
                model.body_dofnum[id] += nv as i32;
                joint += 1;
                q += nq;
                v += nv;
            }
            last_dof[id] = parent_dof;
        }
        model.qpos_spring.copy_from_slice(&model.qpos0);
    }

    fn write_attachments(&self, model: &mut Model) {
        let mut random = Random::new(99);
        for id in 0..model.nbody {
            model.body_geomadr[id] = id as i32;
            model.body_geomnum[id] = 1;
            model.geom_bodyid[id] = id as i32;
            model.site_bodyid[id] = id as i32;
            model.geom_pos[id] = random.vec();
            model.site_pos[id] = random.vec();
            model.geom_quat[id] = quat([1.0, random.next(), random.next(), random.next()]);
            model.site_quat[id] = quat([1.0, random.next(), random.next(), random.next()]);
            model.geom_type[id] = 2;
            model.geom_size[id] = [0.1, 0.1, 0.1];
        }
        let (mut address, nv) = (0, model.nv);
        for (tendon, sites) in self.tendons.iter().enumerate() {
            model.tendon_adr[tendon] = address as i32;
            model.tendon_num[tendon] = sites.len() as i32;
            model.tendon_actuatorid[tendon] = -1;
            model.ten_J_rowadr[tendon] = (tendon * nv) as i32;
            model.ten_J_rownnz[tendon] = nv as i32;
            for dof in 0..nv {
                model.ten_J_colind[tendon * nv + dof] = dof as i32;
            }
            for &site in sites {
                model.wrap_type[address] = WrapType::Site as i32;
                model.wrap_objid[address] = site as i32;
                address += 1;
            }
        }
    }
}

/// Pattern of the inertia matrix: each dof with its ancestors.
fn write_inertia_pattern(model: &mut Model) {
    let mut colind = Vec::new();
    let mut map = Vec::new();
    for dof in 0..model.nv {
        let mut chain = vec![dof as i32];
        let mut d = model.dof_parentid[dof];
        while d >= 0 {
            chain.push(d);
            d = model.dof_parentid[d as usize];
        }
        chain.reverse();
        let start = colind.len() as i32;
        model.M_rowadr[dof] = start;
        model.M_rownnz[dof] = chain.len() as i32;
        model.dof_Madr[dof] = start;
        map.extend((0..chain.len() as i32).rev().map(|k| start + k));
        colind.extend(chain);
    }
    model.M_colind.copy_from_slice(&colind);
    model.mapM2M.copy_from_slice(&map);
}

/// Data at a random configuration and velocity.
pub(crate) fn random_state(model: &Model, seed: u64) -> Data {
    let mut random = Random::new(seed);
    let mut data = Data::new(model);
    let velocity: Vec<f64> = (0..model.nv).map(|_| random.next()).collect();
    kinetree_sim::mj_integrate_pos(model, &mut data.qpos, &velocity, 1.3);
    for v in &mut data.qvel {
        *v = 2.0 * random.next();
    }
    data
}

/// Everything that depends on positions.
pub(crate) fn position(model: &Model, data: &mut Data) {
    kinetree_sim::mj_fwd_kinematics(model, data).unwrap();
    kinetree_sim::mj_make_m(model, data).unwrap();
    kinetree_sim::mj_factor_m(model, data).unwrap();
}

/// `data` moved along one dof, with the position stage computed.
pub(crate) fn perturbed(model: &Model, data: &Data, dof: usize, eps: f64) -> Data {
    let mut moved = data.clone();
    let mut direction = vec![0.0; model.nv];
    direction[dof] = 1.0;
    kinetree_sim::mj_integrate_pos(model, &mut moved.qpos, &direction, eps);
    position(model, &mut moved);
    moved
}

/// A free body, ball joints, hinges and slides, branching. A ball joint is the last of its body, as its axes
/// are those of the body.
pub(crate) fn mixed_tree() -> Tree {
    let mut tree = Tree::default();
    let base = tree.add(0, &[JointType::Free]);
    let ball = tree.add(base, &[JointType::Ball]);
    let hinge = tree.add(ball, &[JointType::Hinge, JointType::Slide]);
    let fixed = tree.add(hinge, &[]);
    tree.add(fixed, &[JointType::Hinge]);
    tree.add(base, &[JointType::Hinge, JointType::Hinge]);
    let other = tree.add(0, &[JointType::Slide]);
    tree.add(other, &[JointType::Hinge, JointType::Ball]);
    tree.tendons = vec![vec![0, 3, 5], vec![2, 6, 8]];
    tree
}
