//! Cables: chains of short bodies along a curve, linked by ball joints.

use super::common::PluginRef;
use super::{Geom, Joint, Site};
use core::f64::consts::PI;
use kinetree_math::rot::quat_rotate;
use kinetree_math::{Quat, Vec3};

/// One coordinate of a cable along its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Curve {
    /// Constant.
    #[default]
    Zero,
    /// Grows with the length.
    Line,
    /// A cosine.
    Cos,
    /// A sine.
    Sin,
}

/// How the first body of a cable is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CableStart {
    /// By a ball joint.
    #[default]
    Ball,
    /// Not at all.
    Free,
    /// Welded to its parent.
    Fixed,
}

/// How the skin of a cable looks.
#[derive(Clone, Debug)]
pub(crate) struct CableSkin {
    /// Whether there are texture coordinates.
    pub texcoord: bool,
    /// Name of the material.
    pub material: String,
    /// Color.
    pub rgba: [f32; 4],
    /// Vertices between those of the cable, in both directions.
    pub subgrid: i32,
    /// Visualization group.
    pub group: i32,
}

/// A cable before its bodies are made.
#[derive(Clone, Debug)]
pub(crate) struct Cable {
    /// Prefix of all names.
    pub prefix: String,
    /// Number of vertices; the second and third are one.
    pub count: [i32; 3],
    /// Where the first vertex is, relative to the curve's (m).
    pub offset: [f64; 3],
    /// Orientation of the curve.
    pub quat: Quat,
    /// Length (m); radius (m); half turns of the circular components.
    pub size: [f64; 3],
    /// The curve, by component.
    pub curve: [Curve; 3],
    /// Vertices in place of a curve, three numbers each (m). In single precision, as the reference keeps
    /// them.
    pub vertices: Vec<f32>,
    /// How the first body is held.
    pub start: CableStart,
    /// Prototype of the geoms.
    pub geom: Geom,
    /// Prototype of the joints.
    pub joint: Joint,
    /// Prototype of the sites at both ends.
    pub site: Site,
    /// Elasticity.
    pub plugin: PluginRef,
    /// How the skin of a flat cable looks.
    pub skin: CableSkin,
}

impl Default for Cable {
    fn default() -> Self {
        Cable {
            prefix: String::new(),
            count: [1; 3],
            offset: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
            size: [1.0, 0.0, 0.0],
            curve: [Curve::Zero; 3],
            vertices: Vec::new(),
            start: CableStart::Ball,
            geom: Geom::default(),
            joint: Joint::default(),
            site: Site::default(),
            plugin: PluginRef::default(),
            skin: CableSkin {
                texcoord: false,
                material: String::new(),
                rgba: [1.0; 4],
                subgrid: 0,
                group: 0,
            },
        }
    }
}

/// Most vertices of a cable.
const MAX_VERTICES: i32 = 100_000;
/// Square of a length that counts as zero.
const TINY: f64 = 1e-15;

impl Cable {
    /// Name of the body at edge `i` of `edges`.
    pub(super) fn body_name(&self, i: usize, edges: usize) -> String {
        self.named("B_", i, edges)
    }

    pub(super) fn named(&self, kind: &str, i: usize, edges: usize) -> String {
        match i {
            0 => format!("{}{kind}first", self.prefix),
            _ if i + 1 == edges => format!("{}{kind}last", self.prefix),
            _ => format!("{}{kind}{i}", self.prefix),
        }
    }

    /// Its vertices.
    pub(super) fn points(&self) -> Result<Vec<[f32; 3]>, &'static str> {
        if self.count.iter().any(|&count| count < 1) {
            return Err("counts of a composite must be positive");
        }
        if !self.vertices.is_empty() {
            if self.count[0] > 1 {
                return Err("a composite has either 'vertex' or 'count', not both");
            }
            let (points, rest) = self.vertices.as_chunks::<3>();
            if !rest.is_empty() {
                return Err("'vertex' must have three numbers for each vertex");
            }
            return Ok(points.to_vec());
        }
        if self.size.iter().map(|x| x * x).sum::<f64>() < TINY {
            return Err("a composite without vertices needs a length ('size')");
        }
        if self.count[1] == 1 && self.count[2] > 1 || self.count[0] == 1 && self.count[1] > 1 {
            return Err("counts of one must come last");
        }
        if self.count[1] > 1 {
            return Err("a cable has one dimension: 'count' must be like \"20 1 1\"");
        }
        if self.count[0] > MAX_VERTICES {
            return Err("a cable has at most 100,000 vertices");
        }
        Ok((0..self.count[0]).map(|i| self.point(f64::from(i))).collect())
    }

    /// Vertex `i` of the curve.
    fn point(&self, i: f64) -> [f32; 3] {
        let (steps, [length, radius, half_turns]) = (f64::from(self.count[0] - 1), self.size);
        let angle = PI * i * half_turns / steps;
        let at = |curve| match curve {
            Curve::Zero => 0.0,
            Curve::Line => i * length / steps,
            Curve::Cos => radius * libm::cos(angle),
            Curve::Sin => radius * libm::sin(angle),
        };
        let v = Vec3::from(self.curve.map(at));
        let rotated = if self.quat == [1.0, 0.0, 0.0, 0.0] { v } else { quat_rotate(&self.quat, &v) };
        [rotated.x as f32, rotated.y as f32, rotated.z as f32]
    }
}
