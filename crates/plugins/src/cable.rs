//! `mujoco.elasticity.cable`: bending and twisting of a chain of bodies that ball joints connect.
//!
//! Between neighbours the curvature `ω` is the rotation vector of one body in the frame of the one before. It
//! causes the moment `−K (ω − ω₀) / L` with the stiffness `K = diag(G J, E I_y, E I_z)` of the cross-section
//! and the distance `L` of the bodies, on both of them with opposite signs.

use kinetree_math::Vec3;
use kinetree_math::rot::{quat_conj, quat_mul, quat_rotate, quat_sub, quat_to_vel};
use kinetree_math::spatial::angular;
use kinetree_model::enums::GeomType;
use kinetree_model::plugin::{
    Attribute, AttributeKind, Capabilities, Plugin, PluginCanvas, PluginConfig, PluginInstance, PluginResult,
    PluginView, PluginWorld,
};
use kinetree_model::{Data, Model};
use std::f64::consts::PI;

/// The elasticity of a cable.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cable;

static ATTRIBUTES: [Attribute; 4] = [
    Attribute::new("twist", AttributeKind::Number, "0", "Shear modulus (Pa)."),
    Attribute::new("bend", AttributeKind::Number, "0", "Young's modulus (Pa)."),
    Attribute::new("flat", AttributeKind::Flag, "false", "The cable is straight when no moment acts."),
    Attribute::new("vmax", AttributeKind::Number, "0", "Moment that is drawn red; 0: no colours (N m)."),
];

impl Plugin for Cable {
    fn name(&self) -> &str {
        "mujoco.elasticity.cable"
    }

    fn attributes(&self) -> &[Attribute] {
        &ATTRIBUTES
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::PASSIVE
    }

    fn instance(
        &self,
        model: &Model,
        id: usize,
        config: &PluginConfig,
    ) -> PluginResult<Box<dyn PluginInstance>> {
        Ok(Box::new(Elasticity::new(model, id, config)?))
    }

    fn visualize(&self, view: &PluginView<'_>, config: &PluginConfig, canvas: &mut dyn PluginCanvas) {
        let largest = config.number("vmax").unwrap_or(0.0);
        if largest == 0.0 {
            return;
        }
        if let Ok(mut cable) = Elasticity::new(view.model, view.instance, config) {
            cable.set_moments(view.model, view.data);
            cable.paint(view.model, largest, canvas);
        }
    }
}

/// A body of a cable, with the joint to the one before.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    /// Address of the orientation in `qpos`.
    qpos: usize,
    /// Curvature at rest (rad).
    rest: Vec3,
    /// Stiffness over length: of twist and of bending about both axes (N m).
    stiffness: Vec3,
    /// Moments on the body and on the one before, each in its own frame (N m).
    moments: [Vec3; 2],
    /// Moment on the body and on those after it in the world (N m).
    torque: Vec3,
    /// The body is stiff at all.
    stiff: bool,
}

/// The bodies of a cable, which follow each other.
#[derive(Clone, Debug, Default)]
struct Elasticity {
    first: usize,
    links: Vec<Link>,
}

impl Elasticity {
    fn new(model: &Model, id: usize, config: &PluginConfig) -> PluginResult<Self> {
        let own = |body: &usize| model.body_plugin[*body] == id as i32;
        let Some(first) = (1..model.nbody).find(own) else { return Ok(Self::default()) };
        let count = (1..model.nbody).filter(own).count();
        if let Some(other) = (first..first + count).find(|body| !own(body)) {
            return Err(format!("its bodies must follow each other, but body {other} is not one of them"));
        }
        let (twist, bend) = (config.number("twist")?, config.number("bend")?);
        let flat = config.text("flat") == "true";
        let links: PluginResult<_> =
            (0..count).map(|i| Link::new(model, first + i, i > 0, [twist, bend], flat)).collect();
        Ok(Self { first, links: links? })
    }

    /// Computes the moments between neighbours.
    fn set_moments(&mut self, model: &Model, data: &Data) {
        for (i, link) in self.links.iter_mut().enumerate().skip(1) {
            let joint = [0, 1, 2, 3].map(|k| data.qpos[link.qpos + k]);
            let relative = quat_mul(&model.body_quat[self.first + i], &joint);
            let curvature = quat_to_vel(&relative, 1.0) - link.rest;
            let moment = -link.stiffness.component_mul(&curvature);
            link.moments = [quat_rotate(&quat_conj(&relative), &moment), moment];
        }
    }

    /// Colours the geoms by the mean of the moments at both ends.
    fn paint(&self, model: &Model, largest: f64, canvas: &mut dyn PluginCanvas) {
        let last = self.links.len().saturating_sub(1);
        for i in 0..self.links.len() {
            let at = |i: usize| self.links[i].moments[usize::from(i > 0)];
            let next = (i + 1).min(last);
            let (left, right) =
                (if i > 0 { at(i) } else { at(next) }, if i < last { at(next) } else { at(i) });
            let moment = ((left + right) * 0.5).norm();
            if let Ok(geom) = usize::try_from(model.body_geomadr[self.first + i]) {
                canvas.color_geom(geom, jet(moment / largest));
            }
        }
    }
}

/// Colours from blue over green to red, for a number between 0 and 1.
fn jet(x: f64) -> [f32; 4] {
    let x = 4.0 * x.clamp(0.0, 1.0);
    let [r, g, b] = match x {
        x if x < 1.0 => [0.0, x, 1.0],
        x if x < 2.0 => [0.0, 1.0, 2.0 - x],
        x if x < 3.0 => [x - 2.0, 1.0, 0.0],
        x => [1.0, 4.0 - x, 0.0],
    };
    [r as f32, g as f32, b as f32, 1.0]
}

impl Link {
    fn new(
        model: &Model,
        body: usize,
        follows: bool,
        [twist, bend]: [f64; 2],
        flat: bool,
    ) -> PluginResult<Self> {
        let [torsion, about_y, about_z] = cross_section(model, body);
        let moduli = Vec3::new(torsion * twist, about_y * bend, about_z * bend);
        let mut link = Self { stiff: moduli != Vec3::zeros(), ..Self::default() };
        if !follows {
            return Ok(link);
        }
        let joint = usize::try_from(model.body_jntadr[body]).ok().filter(|_| model.body_dofnum[body] >= 3);
        let Some(joint) = joint else {
            return Err(format!("body {body} needs a ball joint to the one before"));
        };
        link.qpos = model.jnt_qposadr[joint] as usize + model.body_dofnum[body] as usize - 3;
        if link.qpos + 4 > model.nq {
            return Err(format!("body {body} needs a ball joint to the one before"));
        }
        let distance = (rest_position(model, body) - rest_position(model, body - 1)).norm();
        link.stiffness = moduli / distance;
        if !link.stiffness.iter().all(|k| k.is_finite()) && link.stiff {
            return Err(format!("body {body} is where the one before is"));
        }
        if !flat {
            let reference = [0, 1, 2, 3].map(|k| model.qpos0[link.qpos + k]);
            link.rest = quat_sub(&model.body_quat[body], &reference);
        }
        Ok(link)
    }
}

/// Torsion constant and second moments of area of the first geom of a body (m⁴).
fn cross_section(model: &Model, body: usize) -> [f64; 3] {
    let Ok(geom) = usize::try_from(model.body_geomadr[body]) else { return [0.0; 3] };
    let size = model.geom_size[geom];
    match GeomType::try_from(model.geom_type[geom]) {
        Ok(GeomType::Cylinder | GeomType::Capsule) => {
            let fourth = size[0] * size[0] * size[0] * size[0];
            [PI * fourth / 2.0, PI * fourth / 4.0, PI * fourth / 4.0]
        }
        Ok(GeomType::Box) => {
            let (h, w) = (size[1], size[2]);
            let (a, b) = (h.max(w), h.min(w));
            // a rectangle twice as long and wide as a and b
            let slender = 16.0 / 3.0 - 3.36 * b / a * (1.0 - (b / a).powi(4) / 12.0);
            let cube = |x: f64| 8.0 * x * x * x;
            [a * b * b * b * slender, cube(w) * 2.0 * h / 12.0, cube(h) * 2.0 * w / 12.0]
        }
        _ => [0.0; 3],
    }
}

/// Position of a body in the reference pose.
fn rest_position(model: &Model, body: usize) -> Vec3 {
    let (mut position, mut at) = (Vec3::zeros(), body);
    while at > 0 {
        position = quat_rotate(&model.body_quat[at], &position) + Vec3::from(model.body_pos[at]);
        at = model.body_parentid[at] as usize;
    }
    position
}

impl PluginInstance for Elasticity {
    fn passive_force(&mut self, world: PluginWorld<'_>, qfrc: &mut [f64]) -> PluginResult<()> {
        let PluginWorld { model, data, .. } = world;
        self.set_moments(model, data);
        for i in 0..self.links.len() {
            let mut local = Vec3::zeros();
            if self.links[i].stiff {
                if i > 0 {
                    local += self.links[i].moments[0];
                }
                if let Some(next) = self.links.get(i + 1) {
                    local -= next.moments[1];
                }
            }
            self.links[i].torque = quat_rotate(&data.xquat[self.first + i], &local);
        }
        // a moment on a body acts on all joints on its way to the root: sum up from the end
        for i in (0..self.links.len()).rev() {
            let (body, torque) = (self.first + i, self.links[i].torque);
            apply_torque_to_joints(model, data, body, &torque, qfrc);
            let mut parent = model.body_parentid[body] as usize;
            if (self.first..body).contains(&parent) {
                self.links[parent - self.first].torque += torque;
                continue;
            }
            while parent > 0 {
                apply_torque_to_joints(model, data, parent, &torque, qfrc);
                parent = model.body_parentid[parent] as usize;
            }
        }
        Ok(())
    }
}

/// Adds the generalized force of a torque to the dofs of one body.
fn apply_torque_to_joints(model: &Model, data: &Data, body: usize, torque: &Vec3, qfrc: &mut [f64]) {
    let first = model.body_dofadr[body].max(0) as usize;
    for dof in first..first + model.body_dofnum[body] as usize {
        qfrc[dof] += angular(&data.cdof[dof]).dot(torque);
    }
}
