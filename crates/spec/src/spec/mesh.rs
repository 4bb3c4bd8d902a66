//! Mesh assets.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_spec::spec::Mesh;
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! spec.add_mesh(Mesh {
//!     name: "part".into(),
//!     uservert: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
//!     ..Mesh::default()
//! });
//! assert_eq!(spec.compile()?.nmesh, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::common::{IDENTITY, PluginRef};
use super::element::{Origin, impl_element};

/// How the inertia of a mesh is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MeshInertia {
    /// From the convex hull.
    Convex,
    /// From the closed surface, exactly.
    Exact,
    /// From signed volumes taken as positive, as old models expect.
    #[default]
    Legacy,
    /// From the surface as a thin shell.
    Shell,
}

/// Shape of a mesh that is generated instead of loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MeshBuiltin {
    /// Not generated.
    #[default]
    None,
    /// Subdivided icosahedron.
    Sphere,
    /// Half of a sphere.
    Hemisphere,
    /// Cone or truncated cone.
    Cone,
    /// Superellipsoid.
    Supersphere,
    /// Supertoroid.
    Supertorus,
    /// Spherical sector.
    Wedge,
    /// Flat rectangle.
    Plate,
}

/// A mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Name; empty: taken from the file name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// MIME type of the file, when the extension does not say it.
    pub content_type: String,
    /// File name.
    pub file: String,
    /// Position that becomes the origin (m).
    pub refpos: [f64; 3],
    /// Orientation that becomes the identity.
    pub refquat: [f64; 4],
    /// Scale per axis.
    pub scale: [f64; 3],
    /// How the inertia is found.
    pub inertia: MeshInertia,
    /// Average normals over sharp edges too.
    pub smoothnormal: bool,
    /// A signed distance field is needed.
    pub needsdf: bool,
    /// Bound on the vertices of the convex hull; -1: none.
    pub maxhullvert: i32,
    /// Inline vertices, three numbers each (m).
    pub uservert: Vec<f32>,
    /// Inline normals, three numbers each.
    pub usernormal: Vec<f32>,
    /// Inline texture coordinates, two numbers each.
    pub usertexcoord: Vec<f32>,
    /// Inline faces, three vertex numbers each.
    pub userface: Vec<i32>,
    /// Normal numbers of the inline faces.
    pub userfacenormal: Vec<i32>,
    /// Texture coordinate numbers of the inline faces.
    pub userfacetexcoord: Vec<i32>,
    /// Generated shape.
    pub builtin: MeshBuiltin,
    /// Parameters of the generated shape.
    pub params: Vec<f64>,
    /// Signed distance field plugin.
    pub plugin: PluginRef,
    /// Material name.
    pub material: String,
}

impl Default for Mesh {
    fn default() -> Self {
        Mesh {
            name: String::new(),
            origin: Origin::default(),
            content_type: String::new(),
            file: String::new(),
            refpos: [0.0; 3],
            refquat: IDENTITY,
            scale: [1.0; 3],
            inertia: MeshInertia::Legacy,
            smoothnormal: false,
            needsdf: false,
            maxhullvert: -1,
            uservert: Vec::new(),
            usernormal: Vec::new(),
            usertexcoord: Vec::new(),
            userface: Vec::new(),
            userfacenormal: Vec::new(),
            userfacetexcoord: Vec::new(),
            builtin: MeshBuiltin::None,
            params: Vec::new(),
            plugin: PluginRef::default(),
            material: String::new(),
        }
    }
}

impl_element!(Mesh => "mesh");
