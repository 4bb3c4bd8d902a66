//! Signed distance fields, asked from C: of plugins, meshes and primitive geoms, and put together.

use crate::export;
use crate::ffi::c_field::{FieldQuery, Solid};
use crate::ffi::calls::Entered;
use crate::ffi::fault::{Served, fault};
use crate::ffi::handle::{DataPtr, ModelPtr};
use crate::ffi::plugin_table::record;
use crate::ffi::pointer::{In, Out};
use crate::functions::index;
use crate::functions::plugins::PluginRecord;
use kinetree_collide::Kind;
use kinetree_collide::sdf::{OctreeField, PrimitiveField};
use kinetree_math::Vec3;
use kinetree_math::field::SignedDistance;
use kinetree_math::rot::mat3;
use kinetree_model::enums::GeomType;
use kinetree_model::{Data, Model};

/// How the solids of a query are put together.
const SINGLE: i32 = 0;
const INTERSECTION: i32 = 1;
const MIDSURFACE: i32 = 2;
const COLLISION: i32 = 3;

/// Calls `f` with the field of a solid.
fn with_field<R>(m: &Model, d: &Data, solid: &Solid, f: impl Fn(&dyn SignedDistance) -> R) -> Served<R> {
    let kind = solid.geomtype;
    if kind == GeomType::Sdf as i32 && solid.functions.is_some() {
        if let Some(result) = solid.with_field(m, d, &f) {
            return Ok(result);
        }
        // the record of a plugin that is built in has no functions
        let instance = index("plugin", solid.id, m.nplugin)?;
        return match m.plugins.field(instance) {
            Some(field) => Ok(f(field)),
            None => fault("the plugin has no signed distance field"),
        };
    }
    if kind == GeomType::Sdf as i32 || kind == GeomType::Mesh as i32 {
        let mesh = index("mesh", solid.id, m.nmesh)?;
        let Ok(first) = usize::try_from(m.mesh_octadr[mesh]) else {
            return fault(format!("sdf queries require needsdf=\"true\" on mesh {mesh}"));
        };
        let cells = first..first + usize::try_from(m.mesh_octnum[mesh]).unwrap_or(0);
        return Ok(f(&OctreeField {
            aabb: &m.oct_aabb[cells.clone()],
            child: &m.oct_child[cells.clone()],
            coeff: &m.oct_coeff[cells],
        }));
    }
    let size = m.geom_size[index("geom", solid.id, m.ngeom)?];
    match Kind::of_geom_type(kind).and_then(|kind| PrimitiveField::new(kind, size)) {
        Some(field) => Ok(f(&field)),
        None => fault(format!("sdf collisions not available for geom type {kind}")),
    }
}

/// Distance of a point, and its gradient if that is wanted.
fn ask(m: &Model, d: &Data, solid: &Solid, point: &Vec3, wants_gradient: bool) -> Served<(f64, Vec3)> {
    with_field(m, d, solid, |field| {
        (field.distance(point), if wants_gradient { field.gradient(point) } else { Vec3::zeros() })
    })
}

fn unit(vector: &Vec3) -> Vec3 {
    let norm = vector.norm();
    if norm < kinetree_math::MINVAL { Vec3::x() } else { vector / norm }
}

/// Distance and gradient of a query at a point in the frame of its first solid.
fn evaluate(
    m: &Model,
    d: &Data,
    query: &FieldQuery,
    point: &Vec3,
    wants_gradient: bool,
) -> Served<(f64, Vec3)> {
    let (a, first) = ask(m, d, &query.solid(0)?, point, wants_gradient)?;
    let kind = query.kind();
    if kind == SINGLE {
        return Ok((a, first));
    }
    if ![INTERSECTION, MIDSURFACE, COLLISION].contains(&kind) {
        return fault(format!("there is no signed distance of type {kind}"));
    }
    let (mat, pos) = query.relative()?;
    let mat = mat3(&mat);
    let (b, second) = ask(m, d, &query.solid(1)?, &(mat * point + Vec3::from(pos)), wants_gradient)?;
    let second = mat.transpose() * second;
    let larger = if a > b { first } else { second };
    Ok(match kind {
        INTERSECTION => (a.max(b), larger),
        MIDSURFACE => (a - b, unit(&(unit(&first) - unit(&second)))),
        _ => (a + b + a.max(b).abs(), first + second + larger * if a.max(b) > 0.0 { 1.0 } else { -1.0 }),
    })
}

export! {
    fn mjc_getSDF(m: ModelPtr<'_>, id: i32) -> *const PluginRecord {
        let m = m.get()?;
        let geom = index("geom", id, m.ngeom)?;
        let instance = index("plugin", m.geom_plugin[geom], m.nplugin)?;
        match m.plugins.plugin(instance) {
            Some(plugin) if plugin.capabilities().sdf => Ok(record(plugin.name())),
            Some(plugin) => fault(format!("Plugin '{}' is not a signed distance field", plugin.name())),
            None => fault(format!("invalid plugin slot: {}", m.plugin[instance])),
        }
    }
    fn mjc_distance(m: ModelPtr<'_>, d: DataPtr<'_>, s: In<'_, FieldQuery>, x: In<'_, f64>) -> f64 {
        let ([query], point) = (s.array()?, Vec3::from(x.array::<3>()?));
        let _entered = Entered::new(m, d)?;
        evaluate(m.get()?, d.read()?, &query, &point, false).map(|(distance, _)| distance)
    }
    fn mjc_gradient(
        m: ModelPtr<'_>, d: DataPtr<'_>, s: In<'_, FieldQuery>, gradient: Out<'_, f64>, x: In<'_, f64>,
    ) {
        let ([query], point) = (s.array()?, Vec3::from(x.array::<3>()?));
        let _entered = Entered::new(m, d)?;
        gradient.set(evaluate(m.get()?, d.read()?, &query, &point, true)?.1.into())
    }
}
