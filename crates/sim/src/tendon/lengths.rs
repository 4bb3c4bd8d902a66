//! Tendon lengths and Jacobians.
//!
//! A fixed tendon is a weighted sum of joint positions. A spatial tendon is a path through sites and around
//! geoms, cut by pulleys into branches whose length counts `1/divisor`. Its length changes by `u · (v₂ − v₁)`
//! for each straight piece with unit vector `u` whose ends are on different bodies, which gives its Jacobian;
//! pieces that lie on a wrapped geom do not contribute.

use crate::kinematics::chain_jacobian::{for_each_difference_column, jac_dot_product, jac_product};
use crate::sleep::awake_lists::{ASLEEP, some_asleep};
use crate::sleep::tendon_sleep_state;
use crate::support::site_velocity;
use crate::tendon::wrap::{Touch, WrapPath, WrapShape, Wrapped};
use kinetree_math::rot::normalize3;
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::enums::WrapType;
use kinetree_model::{Data, Model};

const JOINT: i32 = WrapType::Joint as i32;
const PULLEY: i32 = WrapType::Pulley as i32;
const SPHERE: i32 = WrapType::Sphere as i32;
const CYLINDER: i32 = WrapType::Cylinder as i32;

/// `wrap_obj` of a point that is a site.
const OBJ_SITE: i32 = -1;
/// `wrap_obj` of a pulley.
const OBJ_PULLEY: i32 = -2;

/// Computes the length, path and Jacobian of every tendon.
pub(crate) fn mj_tendon(model: &Model, data: &mut Data, paths: &mut WrapPaths) {
    if model.ntendon == 0 {
        return;
    }
    data.ten_length.fill(0.0);
    data.ten_J.fill(0.0);
    let filtered = some_asleep(model, data);
    paths.find(model, data);
    let mut paths_left = &paths.paths[..];
    let mut points = 0;
    for tendon in 0..model.ntendon {
        if filtered && tendon_sleep_state(model, data, tendon) == ASLEEP {
            continue;
        }
        data.ten_wrapadr[tendon] = points as i32;
        data.ten_wrapnum[tendon] = 0;
        if model.wrap_type[model.tendon_adr[tendon] as usize] == JOINT {
            fixed_tendon(model, data, tendon);
        } else {
            let first = points;
            spatial_tendon(model, data, tendon, &mut paths_left, &mut points);
            data.ten_wrapnum[tendon] = (points - first) as i32;
        }
    }
}

/// The paths of all tendons around geoms, in the order in which tendons meet them.
///
/// A path is a long chain of roots and divisions, each of which waits for the one before. All paths go
/// through the first half of it, then all through the second, so that the work on several of them goes on at
/// the same time.
#[derive(Default)]
pub(crate) struct WrapPaths {
    touches: Vec<Option<Touch>>,
    paths: Vec<Option<WrapPath>>,
}

impl WrapPaths {
    /// Finds all paths of tendons that are awake.
    fn find(&mut self, model: &Model, data: &Data) {
        self.touches.clear();
        self.paths.clear();
        if !model.wrap_type.iter().any(|&kind| kind == SPHERE || kind == CYLINDER) {
            return;
        }
        let filtered = some_asleep(model, data);
        for tendon in 0..model.ntendon {
            if filtered && tendon_sleep_state(model, data, tendon) == ASLEEP {
                continue;
            }
            for_each_wrapped(model, data, tendon, |i, object| {
                let site = |entry: usize| Vec3::from(data.site_xpos[model.wrap_objid[entry] as usize]);
                // the parameter of a geom is its side site, if not negative
                let side = model.wrap_prm[i].round();
                let side = if side >= 0.0 { data.site_xpos.get(side as usize) } else { None };
                let side = side.map(|&pos| Vec3::from(pos));
                self.touches.push(object.touch(&site(i - 1), &site(i + 1), side.as_ref()));
            });
        }
        let mut touches = self.touches.iter();
        for tendon in 0..model.ntendon {
            if filtered && tendon_sleep_state(model, data, tendon) == ASLEEP {
                continue;
            }
            for_each_wrapped(model, data, tendon, |_, object| {
                let touch = touches.next().and_then(Option::as_ref);
                self.paths.push(touch.map(|touch| object.path(touch)));
            });
        }
    }
}

/// Calls `visit` with each geom that a spatial tendon wraps around, and its entry of the wrap arrays.
#[inline]
fn for_each_wrapped(model: &Model, data: &Data, tendon: usize, mut visit: impl FnMut(usize, Wrapped<'_>)) {
    let first = model.tendon_adr[tendon] as usize;
    for i in first..first + model.tendon_num[tendon] as usize {
        let shape = match model.wrap_type[i] {
            SPHERE => WrapShape::Sphere,
            CYLINDER => WrapShape::Cylinder,
            _ => continue,
        };
        let geom = model.wrap_objid[i] as usize;
        let (pos, mat) = (&data.geom_xpos[geom], &data.geom_xmat[geom]);
        visit(i, Wrapped { pos, mat, radius: model.geom_size[geom][0], shape });
    }
}

/// Adds `value` to the entry of column `dof` in the Jacobian of `tendon`.
#[inline]
fn add_to_jacobian(model: &Model, data: &mut Data, tendon: usize, dof: i32, value: f64) {
    let start = model.ten_J_rowadr[tendon] as usize;
    let columns = &model.ten_J_colind[start..][..model.ten_J_rownnz[tendon] as usize];
    if let Ok(position) = columns.binary_search(&dof) {
        data.ten_J[start + position] += value;
    }
}

/// Weighted sum of joint positions.
fn fixed_tendon(model: &Model, data: &mut Data, tendon: usize) {
    let first = model.tendon_adr[tendon] as usize;
    for i in first..first + model.tendon_num[tendon] as usize {
        let joint = model.wrap_objid[i] as usize;
        let weight = model.wrap_prm[i];
        data.ten_length[tendon] += weight * data.qpos[model.jnt_qposadr[joint] as usize];
        add_to_jacobian(model, data, tendon, model.jnt_dofadr[joint], weight);
    }
}

/// Stores one point of a tendon path.
fn push_point(data: &mut Data, points: &mut usize, position: [f64; 3], object: i32) {
    data.wrap_xpos.as_flattened_mut()[3 * *points..][..3].copy_from_slice(&position);
    data.wrap_obj.as_flattened_mut()[*points] = object;
    *points += 1;
}

/// One stretch of a spatial tendon: from a site to the next, possibly around a geom.
struct Stretch<'a> {
    /// First site.
    from: usize,
    /// Last site.
    to: usize,
    /// The geom between them and the path around it.
    around: Option<(usize, &'a WrapPath)>,
}

/// The stretch that starts at entry `i` of the wrap arrays, and how many entries it takes. If there is a geom
/// in it, its path is the next one.
fn stretch_at<'a>(model: &Model, paths: &mut &'a [Option<WrapPath>], i: usize) -> (Stretch<'a>, usize) {
    let from = model.wrap_objid[i] as usize;
    let kind = model.wrap_type[i + 1];
    if kind != SPHERE && kind != CYLINDER {
        return (Stretch { from, to: model.wrap_objid[i + 1] as usize, around: None }, 1);
    }
    let geom = model.wrap_objid[i + 1] as usize;
    let to = model.wrap_objid[i + 2] as usize;
    let path = paths.split_off_first().and_then(Option::as_ref);
    (Stretch { from, to, around: path.map(|path| (geom, path)) }, 2)
}

/// Path, length and Jacobian of a spatial tendon. `paths` are those around geoms that are left; `points`
/// counts the path points of all tendons so far.
fn spatial_tendon(
    model: &Model,
    data: &mut Data,
    tendon: usize,
    paths: &mut &[Option<WrapPath>],
    points: &mut usize,
) {
    let first = model.tendon_adr[tendon] as usize;
    let last = first + model.tendon_num[tendon] as usize - 1;
    let mut divisor = 1.0;
    let mut i = first;
    while i < last {
        if model.wrap_type[i] == PULLEY || model.wrap_type[i + 1] == PULLEY {
            if model.wrap_type[i] == PULLEY {
                divisor = model.wrap_prm[i];
                push_point(data, points, [0.0; 3], OBJ_PULLEY);
            }
            i += 1;
            continue;
        }
        let (stretch, entries) = stretch_at(model, paths, i);
        add_stretch(model, data, tendon, &stretch, divisor);
        push_point(data, points, data.site_xpos[stretch.from], OBJ_SITE);
        if let Some((geom, path)) = &stretch.around {
            push_point(data, points, path.points[0].into(), *geom as i32);
            push_point(data, points, path.points[1].into(), *geom as i32);
        }
        i += entries;
        // the last site of a branch has no stretch of its own
        if i == last || model.wrap_type[i + 1] == PULLEY {
            push_point(data, points, data.site_xpos[stretch.to], OBJ_SITE);
        }
    }
}

/// Adds a stretch to the length and Jacobian of a tendon.
fn add_stretch(model: &Model, data: &mut Data, tendon: usize, stretch: &Stretch<'_>, divisor: f64) {
    let (from, to) = (Vec3::from(data.site_xpos[stretch.from]), Vec3::from(data.site_xpos[stretch.to]));
    let from_body = model.site_bodyid[stretch.from] as usize;
    let to_body = model.site_bodyid[stretch.to] as usize;
    match &stretch.around {
        None => {
            data.ten_length[tendon] += distance(&from, &to) / divisor;
            add_straight(model, data, tendon, (from_body, &from), (to_body, &to), divisor);
        }
        Some((geom, path)) => {
            let body = model.geom_bodyid[*geom] as usize;
            let [first, second] = &path.points;
            data.ten_length[tendon] +=
                (distance(&from, first) + path.length + distance(second, &to)) / divisor;
            add_straight(model, data, tendon, (from_body, &from), (body, first), divisor);
            add_straight(model, data, tendon, (body, second), (to_body, &to), divisor);
        }
    }
}

/// Distance between two points.
fn distance(a: &Vec3, b: &Vec3) -> f64 {
    let d = a - b;
    (d.x * d.x + d.y * d.y + d.z * d.z).sqrt()
}

/// Adds the Jacobian of the straight piece between two points on bodies.
fn add_straight(
    model: &Model,
    data: &mut Data,
    tendon: usize,
    (body1, point1): (usize, &Vec3),
    (body2, point2): (usize, &Vec3),
    divisor: f64,
) {
    if body1 == body2 {
        return;
    }
    let mut direction = point2 - point1;
    normalize3(&mut direction);
    let start = model.ten_J_rowadr[tendon] as usize;
    let columns = &model.ten_J_colind[start..][..model.ten_J_rownnz[tendon] as usize];
    let row = &mut data.ten_J[start..][..columns.len()];
    let scale = 1.0 / divisor;
    let mut position = columns.len();
    // dofs come in decreasing order, as do the columns from the end
    let com = &data.subtree_com;
    for_each_difference_column(
        model,
        &data.cdof,
        com,
        (body1, point1),
        (body2, point2),
        false,
        |dof, column, _| {
            while position > 0 && columns[position - 1] > dof as i32 {
                position -= 1;
            }
            if position > 0 && columns[position - 1] == dof as i32 {
                row[position - 1] += scale * column.dot(&direction);
            }
        },
    );
}

/// `J̇ vec` for the Jacobian of a tendon. Needs the velocity stage. Zero for fixed tendons; stretches around
/// geoms have no derivative here, and the compiler rejects tendons with armature that have them.
#[must_use]
pub(crate) fn mj_tendon_dot(model: &Model, data: &Data, tendon: usize, vec: &[f64]) -> f64 {
    let first = model.tendon_adr[tendon] as usize;
    if model.wrap_type[first] == JOINT {
        return 0.0;
    }
    let last = first + model.tendon_num[tendon] as usize - 1;
    let (mut divisor, mut sum, mut i) = (1.0, 0.0, first);
    while i < last {
        if model.wrap_type[i] == PULLEY {
            divisor = model.wrap_prm[i];
        } else if model.wrap_type[i + 1] != PULLEY {
            let (from, to) = (model.wrap_objid[i] as usize, model.wrap_objid[i + 1] as usize);
            sum += straight_rate(model, data, from, to, vec) / divisor;
        }
        i += 1;
    }
    sum
}

/// `d/dt (u · (J₂ − J₁)) vec` for the straight piece between two sites: both the Jacobians and the unit
/// vector change.
fn straight_rate(model: &Model, data: &Data, from: usize, to: usize, vec: &[f64]) -> f64 {
    let (body1, body2) = (model.site_bodyid[from] as usize, model.site_bodyid[to] as usize);
    if body1 == body2 {
        return 0.0;
    }
    let (point1, point2) = (Vec3::from(data.site_xpos[from]), Vec3::from(data.site_xpos[to]));
    let mut direction = point2 - point1;
    let length = normalize3(&mut direction);
    let mut direction_rate = site_velocity(model, data, to) - site_velocity(model, data, from);
    direction_rate -= direction * direction.dot(&direction_rate);
    direction_rate *= if length > MINVAL { 1.0 / length } else { 0.0 };
    jac_dot_product(model, data, &point2, body2, &direction, vec)
        - jac_dot_product(model, data, &point1, body1, &direction, vec)
        + jac_product(model, data, &point2, body2, &direction_rate, vec)
        - jac_product(model, data, &point1, body1, &direction_rate, vec)
}
