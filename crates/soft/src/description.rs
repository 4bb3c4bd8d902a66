//! Deformable bodies that a model file describes.
//!
//! The compiler carries each element of the section `<soft>` as a custom text with the prefix `soft/` before
//! the name of the body: its kind in the first line, and an attribute with its value in each other line.

use kinetree_math::rot::quat_rotate;
use kinetree_math::{Quat, Vec3};
use kinetree_model::enums::ObjType;
use kinetree_model::{Data, Model, mj_name2id};

use crate::body::DeformableBody;
use crate::chain::{CapsuleChain, ChainPreset, ChainSection};
use crate::cloth::{Cloth, ClothPreset};
use crate::error::SoftError;
use crate::material::Material;
use crate::mesh::{TetrahedralMesh, TriangleMesh};
use crate::soft_body::{SoftBody, SoftBodyPreset};
use crate::solver::{SleepSettings, Substeps, XpbdSettings};
use crate::world::SoftWorld;

/// What is wrong with an element; the name of the body comes before it.
type Cause = String;

impl SoftWorld {
    /// The bodies that the section `<soft>` of a model's file describes, where it puts them. Attachments are
    /// those of the reference pose. Without such a section the world is empty.
    ///
    /// # Errors
    /// When an element is wrong or names something that is not there; the message begins with the body's
    /// name.
    pub fn from_model(model: &Model) -> Result<Self, SoftError> {
        let mut world = Self::default();
        world.set_model(model);
        let mut data = None;
        for (name, lines) in model.deformable_bodies() {
            let described = |cause: Cause| SoftError::Description { body: name.to_owned(), cause };
            let element = Element::new(lines).map_err(described)?;
            let index = element.add_to(&mut world, model).map_err(described)?;
            element.name_and_paint(&mut world, index, name).map_err(described)?;
            if element.values("attach").next().is_some() && data.is_none() {
                let mut reference = Data::new(model);
                reference.forward(model)?;
                data = Some(reference);
            }
            element.hold(&mut world, index, model, data.as_ref()).map_err(described)?;
        }
        Ok(world)
    }
}

/// Lines of attributes and values.
struct Element<'t> {
    kind: &'t str,
    lines: Vec<(&'t str, &'t str)>,
}

impl<'t> Element<'t> {
    fn new(text: &'t str) -> Result<Self, Cause> {
        let mut lines = text.lines();
        let kind = lines.next().unwrap_or_default();
        let pair = |line: &'t str| line.split_once(' ').ok_or_else(|| format!("'{line}' has no value"));
        Ok(Self { kind, lines: lines.map(pair).collect::<Result<_, _>>()? })
    }

    /// Values of an attribute that may stand several times.
    fn values(&self, attr: &str) -> impl Iterator<Item = &'t str> {
        self.lines.iter().filter(move |(name, _)| *name == attr).map(|(_, value)| *value)
    }

    /// The numbers of an attribute, if it is given.
    fn list(&self, attr: &str) -> Result<Option<Vec<f64>>, Cause> {
        let Some(value) = self.values(attr).next() else { return Ok(None) };
        let number = |word: &str| word.parse().map_err(|_| format!("'{attr}' is not a number: '{word}'"));
        value.split_whitespace().map(number).collect::<Result<_, _>>().map(Some)
    }

    /// Exactly `N` numbers, or the default ones.
    fn numbers<const N: usize>(&self, attr: &str, default: [f64; N]) -> Result<[f64; N], Cause> {
        let Some(list) = self.list(attr)? else { return Ok(default) };
        <[f64; N]>::try_from(list)
            .map_err(|list| format!("'{attr}' has {} numbers, and needs {N}", list.len()))
    }

    fn number(&self, attr: &str, default: f64) -> Result<f64, Cause> {
        self.numbers(attr, [default]).map(|[number]| number)
    }

    /// Exactly `N` counts.
    fn counts<const N: usize>(&self, attr: &str, default: [f64; N]) -> Result<[usize; N], Cause> {
        let numbers = self.numbers(attr, default)?;
        if numbers.iter().any(|n| !(0.0..1e9).contains(n) || n.fract() != 0.0) {
            return Err(format!("'{attr}' needs whole numbers, not {numbers:?}"));
        }
        Ok(numbers.map(|n| n as usize))
    }

    /// The preset that the element names, or the first one.
    fn preset<P: Copy + std::fmt::Debug>(&self, all: &[P]) -> Result<P, Cause> {
        let Some(name) = self.values("preset").next() else { return Ok(all[0]) };
        let found = all.iter().find(|preset| format!("{preset:?}").eq_ignore_ascii_case(name));
        found.copied().ok_or_else(|| format!("unknown preset '{name}': take one of {all:?}"))
    }

    /// The material of a preset, with the constants that are given.
    fn material(&self, preset: Material) -> Result<Material, Cause> {
        Ok(Material {
            young: self.number("young", preset.young)?,
            poisson: self.number("poisson", preset.poisson)?,
            density: self.number("density", preset.density)?,
            friction: self.number("friction", preset.friction)?,
            damping: self.number("damping", preset.damping)?,
        })
    }

    fn settings(&self) -> Result<XpbdSettings, Cause> {
        let usual = XpbdSettings::default();
        let substeps = match self.list("substeps")? {
            Some(_) => Substeps::Fixed(self.counts("substeps", [1.0])?[0]),
            None => Substeps::Auto,
        };
        let sleep = match self.list("sleep")? {
            Some(_) => {
                let [speed, time] = self.numbers("sleep", [0.0; 2])?;
                Some(SleepSettings { speed, time })
            }
            None => None,
        };
        let self_contact = match self.values("selfcontact").next() {
            None | Some("true") => true,
            Some("false") => false,
            Some(other) => return Err(format!("'selfcontact' is 'true' or 'false', not '{other}'")),
        };
        let drag = self.number("drag", usual.drag)?;
        Ok(XpbdSettings {
            substeps,
            iterations: self.counts("iterations", [1.0])?[0],
            drag,
            sleep,
            self_contact,
        })
    }

    /// Makes the body, and returns its number.
    fn add_to(&self, world: &mut SoftWorld, model: &Model) -> Result<usize, Cause> {
        let settings = self.settings()?;
        match self.kind {
            "cloth" => Ok(world.add(self.placed(self.cloth(model)?)?, settings)),
            "body" => Ok(world.add(self.placed(self.solid(model)?)?, settings)),
            "rope" => Ok(world.add(self.rope()?, settings)),
            other => Err(format!("unknown kind '{other}': take cloth, body or rope")),
        }
    }

    /// Names a body and gives it its colour: the one that is given, or that of the preset.
    fn name_and_paint(&self, world: &mut SoftWorld, index: usize, name: &str) -> Result<(), Cause> {
        let preset = match self.kind {
            "cloth" => self.preset(&ClothPreset::ALL)?.rgba(),
            "body" => self.preset(&SoftBodyPreset::ALL)?.rgba(),
            _ => self.preset(&ChainPreset::ALL)?.rgba(),
        };
        let rgba = self.numbers("rgba", preset.map(f64::from))?.map(|x| x as f32);
        world.set_rgba(index, rgba).and_then(|()| world.set_name(index, name)).map_err(|e| e.to_string())
    }

    fn cloth(&self, model: &Model) -> Result<Cloth, Cause> {
        let preset = self.preset(&ClothPreset::ALL)?;
        let (cells, size) = (self.counts("cells", [10.0; 2])?, self.numbers("size", [1.0; 2])?);
        let thickness = self.number("thickness", preset.thickness())?;
        let material = self.material(preset.material())?;
        let mesh = match self.mesh(model)? {
            Some(mesh) => Ok(mesh),
            None => TriangleMesh::grid(cells, size),
        };
        mesh.and_then(|mesh| Cloth::new(mesh, material, thickness)).map_err(|error| error.to_string())
    }

    fn solid(&self, model: &Model) -> Result<SoftBody, Cause> {
        let material = self.material(Material::from(self.preset(&SoftBodyPreset::ALL)?))?;
        let (cells, size) = (self.counts("cells", [4.0; 3])?, self.numbers("size", [1.0; 3])?);
        let (radius, cell) = (self.number("radius", 0.0)?, self.number("cell", 0.0)?);
        let mesh = match self.mesh(model)? {
            Some(surface) => TetrahedralMesh::from_surface(&surface, cell),
            None => TetrahedralMesh::block(cells, size),
        };
        mesh.and_then(|mesh| SoftBody::new(mesh, material)?.with_radius(radius))
            .map_err(|error| error.to_string())
    }

    /// The mesh of the model that the element names, with the vertices of its file.
    fn mesh(&self, model: &Model) -> Result<Option<TriangleMesh>, Cause> {
        let Some(name) = self.values("mesh").next() else { return Ok(None) };
        let id =
            mj_name2id(model, ObjType::Mesh, name).ok_or_else(|| format!("there is no mesh '{name}'"))?;
        // compiled meshes are moved to their centre and principal axes
        let (pos, quat) = (Vec3::from(model.mesh_pos[id]), model.mesh_quat[id]);
        let vertices = span(model.mesh_vertadr[id], model.mesh_vertnum[id]);
        let faces = span(model.mesh_faceadr[id], model.mesh_facenum[id]);
        let place = |v: &[f32; 3]| pos + quat_rotate(&quat, &Vec3::from(v.map(f64::from)));
        let position = model.mesh_vert[vertices].iter().map(place).collect();
        let triangles = model.mesh_face[faces].iter().map(|face| face.map(|v| v as u32)).collect();
        TriangleMesh::new(position, triangles).map(Some).map_err(|error| format!("mesh '{name}': {error}"))
    }

    fn rope(&self) -> Result<CapsuleChain, Cause> {
        let preset = self.preset(&ChainPreset::ALL)?;
        let usual = preset.section();
        let (radius, solidity) =
            (self.number("radius", usual.radius)?, self.number("solidity", usual.solidity)?);
        let section = ChainSection { radius, solidity };
        let points = match self.list("point")? {
            Some(list) if list.len() % 3 == 0 => list.chunks_exact(3).map(Vec3::from_column_slice).collect(),
            Some(list) => return Err(format!("'point' has {} numbers: each point needs three", list.len())),
            None => {
                let ends = self.numbers("fromto", [0.0, 0.0, 0.0, 1.0, 0.0, 0.0])?;
                let [segments] = self.counts("segments", [20.0])?;
                let [from, to] = [Vec3::from_column_slice(&ends[..3]), Vec3::from_column_slice(&ends[3..])];
                if !(1..=1_000_000).contains(&segments) {
                    return Err(format!("'segments' is {segments}: between one and a million are possible"));
                }
                (0..=segments).map(|k| from + (to - from) * (k as f64 / segments as f64)).collect()
            }
        };
        CapsuleChain::new(points, section, self.material(preset.material())?)
            .map_err(|error| error.to_string())
    }

    /// Turns a body and moves it to its place.
    fn placed<B: DeformableBody>(&self, mut body: B) -> Result<B, Cause> {
        let pos = Vec3::from(self.numbers("pos", [0.0; 3])?);
        let mut quat: Quat = self.numbers("quat", [1.0, 0.0, 0.0, 0.0])?;
        kinetree_math::rot::quat_normalize(&mut quat);
        body.particles_mut().position.iter_mut().for_each(|x| *x = pos + quat_rotate(&quat, x));
        Ok(body)
    }

    /// Pins and attaches vertices.
    fn hold(
        &self,
        world: &mut SoftWorld,
        index: usize,
        model: &Model,
        data: Option<&Data>,
    ) -> Result<(), Cause> {
        let vertex =
            |word: &str| word.parse::<usize>().map_err(|_| format!("'{word}' is no number of a vertex"));
        for value in self.values("pin") {
            for word in value.split_whitespace() {
                let vertex = vertex(word)?;
                let body = world.body_mut(index).ok_or("there is no such body")?;
                body.particles_mut().pin(vertex).map_err(|error| error.to_string())?;
            }
        }
        for value in self.values("attach") {
            let words: Vec<&str> = value.splitn(3, ' ').collect();
            let [number, kind, name] = words[..] else {
                return Err(format!("'attach' cannot be read: '{value}'"));
            };
            let at = (index, vertex(number)?);
            let find = |kind| mj_name2id(model, kind, name);
            let attached = match (kind, find(ObjType::Site), find(ObjType::Body), data) {
                ("site", Some(site), ..) => world.attach_to_site(at, model, site),
                ("body", _, Some(body), Some(data)) => world.attach_to_body(at, model, data, body),
                _ => return Err(format!("there is no {kind} '{name}' to attach to")),
            };
            attached.map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

/// The part of a list that belongs to one mesh.
fn span(first: i32, count: i32) -> std::ops::Range<usize> {
    first as usize..(first + count) as usize
}
