//! Frames of a model by name: bodies (links of a URDF), sites and geoms.

use crate::error::IkError;
use crate::pose::Pose;
use kinetree_math::rot::mat3;
use kinetree_model::enums::ObjType;
use kinetree_model::{Data, Model, mj_id2name, mj_name2id};

/// A frame that is fixed to a body of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Frame {
    /// A body; body 0 is the world. Links of a URDF are bodies.
    Body(usize),
    /// A site.
    Site(usize),
    /// A geom.
    Geom(usize),
}

impl Frame {
    /// The world.
    pub const WORLD: Self = Self::Body(0);

    /// The body, else site, else geom with this name. `world` and the empty name are the world.
    ///
    /// # Errors
    /// When there is none.
    pub fn find(model: &Model, name: &str) -> Result<Self, IkError> {
        if name.is_empty() {
            return Ok(Self::WORLD);
        }
        if let Some(id) = mj_name2id(model, ObjType::Body, name) {
            return Ok(Self::Body(id));
        }
        if let Some(id) = mj_name2id(model, ObjType::Site, name) {
            return Ok(Self::Site(id));
        }
        if let Some(id) = mj_name2id(model, ObjType::Geom, name) {
            return Ok(Self::Geom(id));
        }
        let kinds =
            [(ObjType::Body, model.nbody), (ObjType::Site, model.nsite), (ObjType::Geom, model.ngeom)];
        Err(unknown(model, name, "body, site or geom", &kinds))
    }

    /// The element with this name of one kind: `body`, `site` or `geom`.
    ///
    /// # Errors
    /// When there is none, or no such kind.
    pub fn find_kind(model: &Model, name: &str, kind: &str) -> Result<Self, IkError> {
        let (kinds, obj, count, make): (_, _, _, fn(usize) -> Self) = match kind {
            "body" | "link" => ("body", ObjType::Body, model.nbody, Self::Body),
            "site" => ("site", ObjType::Site, model.nsite, Self::Site),
            "geom" => ("geom", ObjType::Geom, model.ngeom, Self::Geom),
            _ => {
                return Err(IkError::Unsupported(format!(
                    "frames of kind '{kind}': take 'body', 'site' or 'geom'"
                )));
            }
        };
        mj_name2id(model, obj, name).map(make).ok_or_else(|| unknown(model, name, kinds, &[(obj, count)]))
    }

    /// Fails when the model has no such element.
    pub(crate) fn check(self, model: &Model) -> Result<(), IkError> {
        let (kind, id, count) = match self {
            Self::Body(id) => ("body", id, model.nbody),
            Self::Site(id) => ("site", id, model.nsite),
            Self::Geom(id) => ("geom", id, model.ngeom),
        };
        if id < count { Ok(()) } else { Err(IkError::UnknownId { kind, id, count }) }
    }

    /// Body that carries the frame.
    #[must_use]
    pub fn body(self, model: &Model) -> usize {
        match self {
            Self::Body(id) => id,
            Self::Site(id) => model.site_bodyid[id] as usize,
            Self::Geom(id) => model.geom_bodyid[id] as usize,
        }
    }

    /// Pose in the frame of its body.
    #[must_use]
    pub fn offset(self, model: &Model) -> Pose {
        match self {
            Self::Body(_) => Pose::IDENTITY,
            Self::Site(id) => Pose::new(&model.site_pos[id], &model.site_quat[id]),
            Self::Geom(id) => Pose::new(&model.geom_pos[id], &model.geom_quat[id]),
        }
    }

    /// Pose in the world, after kinematics.
    #[must_use]
    pub fn world_pose(self, data: &Data) -> Pose {
        let (pos, mat) = match self {
            Self::Body(id) => (data.xpos[id], &data.xmat[id]),
            Self::Site(id) => (data.site_xpos[id], &data.site_xmat[id]),
            Self::Geom(id) => (data.geom_xpos[id], &data.geom_xmat[id]),
        };
        Pose { pos: pos.into(), mat: mat3(mat) }
    }

    /// Name of the element, or its kind and number.
    #[must_use]
    pub fn name(self, model: &Model) -> String {
        let (kind, word, id) = match self {
            Self::Body(id) => (ObjType::Body, "body", id),
            Self::Site(id) => (ObjType::Site, "site", id),
            Self::Geom(id) => (ObjType::Geom, "geom", id),
        };
        mj_id2name(model, kind, id).map_or_else(|| format!("{word} {id}"), str::to_owned)
    }
}

/// Error for a name that does not exist, with names that do.
fn unknown(model: &Model, name: &str, kinds: &'static str, searched: &[(ObjType, usize)]) -> IkError {
    if let Some(fused) = model.fused.iter().find(|fused| fused.name == name) {
        let parent = Frame::Body(fused.body).name(model);
        let hint = format!(
            ": no joint moves this link, and it was fused with '{parent}'; load the model with all links (Rust: `load_kinematics`, or `compiler.fusestatic = false` in a Spec; Python: `kinetree.ik.load_model`; JavaScript: `fixedLinks: true`)"
        );
        return IkError::UnknownFrame { name: name.to_owned(), kinds, hint };
    }
    const LISTED: usize = 8;
    let names: Vec<&str> = searched
        .iter()
        .flat_map(|&(kind, count)| (0..count).filter_map(move |id| mj_id2name(model, kind, id)))
        .collect();
    let wanted = name.to_lowercase();
    let similar = |other: &&&str| {
        let other = other.to_lowercase();
        other.contains(&wanted) || wanted.contains(&other)
    };
    let close: Vec<&str> = names.iter().filter(similar).copied().take(LISTED).collect();
    let hint = if names.is_empty() {
        String::new()
    } else if close.is_empty() {
        let dots = if names.len() > LISTED { ", …" } else { "" };
        format!("; there are {}{dots}", names[..names.len().min(LISTED)].join(", "))
    } else {
        format!("; did you mean {}?", close.join(" or "))
    };
    IkError::UnknownFrame { name: name.to_owned(), kinds, hint }
}
