//! Texture assets.
//!
//! ```
//! use kinetree_spec::Spec;
//! use kinetree_model::enums::TextureType;
//! use kinetree_spec::spec::{Texture, TextureBuiltin};
//!
//! let text = "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/><site name='s'/>
//!      </body></worldbody></mujoco>";
//! let mut spec: Spec = text.parse()?;
//! let (kind, builtin) = (TextureType::T2d, TextureBuiltin::Flat);
//! let texture = Texture { r#type: kind, builtin, width: 4, height: 4, ..Texture::default() };
//! spec.add_texture(Texture { name: "flat".into(), ..texture });
//! assert_eq!(spec.compile()?.ntex, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use kinetree_model::enums::{ColorSpace, TextureType};

use super::element::{Origin, impl_element};

/// Pattern of a texture that is generated instead of loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextureBuiltin {
    /// Not generated.
    #[default]
    None,
    /// From the first to the second color.
    Gradient,
    /// Two by two squares of the two colors.
    Checker,
    /// The first color; cubes also use the second one.
    Flat,
}

/// Marks drawn over a generated texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextureMark {
    /// None.
    #[default]
    None,
    /// The edges.
    Edge,
    /// A cross.
    Cross,
    /// Random dots.
    Random,
}

/// A texture.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Name; empty: taken from the file name.
    pub name: String,
    /// Where the element comes from.
    pub origin: Origin,
    /// Flat, cube or sky box.
    pub r#type: TextureType,
    /// Color space of the data.
    pub colorspace: ColorSpace,
    /// Generated pattern.
    pub builtin: TextureBuiltin,
    /// Marks over the pattern.
    pub mark: TextureMark,
    /// First color.
    pub rgb1: [f64; 3],
    /// Second color.
    pub rgb2: [f64; 3],
    /// Color of the marks.
    pub markrgb: [f64; 3],
    /// Probability of a random dot.
    pub random: f64,
    /// Height (pixel).
    pub height: i32,
    /// Width (pixel).
    pub width: i32,
    /// Number of color channels.
    pub nchannel: i32,
    /// MIME type of the file, when the extension does not say it.
    pub content_type: String,
    /// Image file; for cubes, of all faces.
    pub file: String,
    /// Rows and columns of faces in a composite image.
    pub gridsize: [i32; 2],
    /// Which face each cell holds (L, R, F, B, U, D or a dot), row by row.
    pub gridlayout: [u8; 12],
    /// One file per face: right, left, up, down, front, back.
    pub cubefiles: [String; 6],
    /// Pixels given by the user.
    pub data: Vec<u8>,
    /// Mirror left and right.
    pub hflip: bool,
    /// Mirror up and down.
    pub vflip: bool,
}

impl Default for Texture {
    fn default() -> Self {
        Texture {
            name: String::new(),
            origin: Origin::default(),
            r#type: TextureType::Cube,
            colorspace: ColorSpace::Auto,
            builtin: TextureBuiltin::None,
            mark: TextureMark::None,
            rgb1: [0.8; 3],
            rgb2: [0.5; 3],
            markrgb: [0.0; 3],
            random: 0.01,
            height: 0,
            width: 0,
            nchannel: 3,
            content_type: String::new(),
            file: String::new(),
            gridsize: [1, 1],
            gridlayout: *b"............",
            cubefiles: Default::default(),
            data: Vec::new(),
            hflip: false,
            vflip: false,
        }
    }
}

impl_element!(Texture => "texture");
