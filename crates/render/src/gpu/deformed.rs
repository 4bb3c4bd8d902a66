//! Surfaces that change their form from frame to frame: skins.

use super::assets::Shape;
use super::instance::Affine;
use super::tessellate::{Surface, Vertex};
use crate::scene::{MjvGeom, MjvScene};
use kinetree_model::Model;
use kinetree_model::enums::GeomType;
use std::ops::Range;

/// What of a skin does not change.
#[derive(Debug)]
struct Skin {
    faces: Vec<[i32; 3]>,
    texcoord: Vec<[f32; 2]>,
}

/// Deformed surfaces of the current scene.
#[derive(Debug)]
pub(super) struct Deformed {
    skins: Vec<Skin>,
    /// All triangles of this frame.
    pub(super) surface: Surface,
    /// Indices of each skin.
    ranges: Vec<Range<u32>>,
}

/// The scene has these surfaces in the world's frame already.
const IN_PLACE: Affine = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

impl Deformed {
    /// The skins of a model.
    pub(super) fn new(model: &Model) -> Self {
        let skin = |id: usize| {
            let faces =
                model.skin_faceadr[id] as usize..(model.skin_faceadr[id] + model.skin_facenum[id]) as usize;
            let texcoord = usize::try_from(model.skin_texcoordadr[id]).map_or_else(
                |_| Vec::new(),
                |first| model.skin_texcoord[first..first + model.skin_vertnum[id] as usize].to_vec(),
            );
            Skin { faces: model.skin_face[faces].to_vec(), texcoord }
        };
        Self {
            skins: (0..model.nskin as usize).map(skin).collect(),
            surface: Surface::default(),
            ranges: Vec::new(),
        }
    }

    /// Takes the vertices and normals of this frame.
    pub(super) fn update(&mut self, scene: &MjvScene) {
        self.surface.vertices.clear();
        self.surface.indices.clear();
        self.ranges.clear();
        for (id, skin) in self.skins.iter().enumerate() {
            let first = self.surface.indices.len() as u32;
            if let (Some(&adr), Some(&count)) = (scene.skinvertadr.get(id), scene.skinvertnum.get(id)) {
                let base = self.surface.vertices.len() as u32;
                let span = adr as usize..(adr + count) as usize;
                let corners = scene.skinvert[span.clone()].iter().zip(&scene.skinnormal[span]).enumerate();
                self.surface.vertices.extend(corners.map(|(i, (&pos, &normal))| Vertex {
                    pos,
                    normal,
                    uv: skin.texcoord.get(i).copied().unwrap_or_default(),
                }));
                self.surface.indices.extend(skin.faces.iter().flatten().map(|&v| v as u32 + base));
            }
            self.ranges.push(first..self.surface.indices.len() as u32);
        }
    }

    /// Indices of a deformed surface.
    pub(super) fn range(&self, shape: Shape) -> Range<u32> {
        match shape {
            Shape::Deformed(i) => self.ranges.get(i).cloned().unwrap_or(0..0),
            _ => 0..0,
        }
    }

    /// Calls `add` for each shape of a deformed geom.
    pub(super) fn for_each_shape(&self, geom: &MjvGeom, mut add: impl FnMut(Shape, Affine)) {
        let Ok(id) = usize::try_from(geom.objid) else { return };
        if geom.type_ == GeomType::Skin as i32 && !self.range(Shape::Deformed(id)).is_empty() {
            add(Shape::Deformed(id), IN_PLACE);
        }
    }
}
