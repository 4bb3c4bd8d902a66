//! `mjvScene` and the structs in it.

use kinetree_render::scene::{FixedText, MAX_LIGHT, MjvGLCamera, MjvGeom, MjvLight, MjvScene, N_RND_FLAG};

/// `mjvGeom` of the header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct GeomRecord {
    pub r#type: i32,
    pub dataid: i32,
    pub objtype: i32,
    pub objid: i32,
    pub category: i32,
    pub matid: i32,
    pub texcoord: i32,
    pub segid: i32,
    pub size: [f32; 3],
    pub pos: [f32; 3],
    pub mat: [f32; 9],
    pub rgba: [f32; 4],
    pub emission: f32,
    pub specular: f32,
    pub shininess: f32,
    pub reflectance: f32,
    pub label: [u8; 100],
    pub camdist: f32,
    pub modelrbound: f32,
    pub transparent: u8,
}

/// `mjvLight` of the header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LightRecord {
    pub id: i32,
    pub pos: [f32; 3],
    pub dir: [f32; 3],
    pub r#type: i32,
    pub texid: i32,
    pub attenuation: [f32; 3],
    pub cutoff: f32,
    pub exponent: f32,
    pub ambient: [f32; 3],
    pub diffuse: [f32; 3],
    pub specular: [f32; 3],
    pub headlight: u8,
    pub castshadow: u8,
    pub bulbradius: f32,
    pub intensity: f32,
    pub range: f32,
}

/// Copies fields of the same name, and others by expressions.
macro_rules! records {
    ($record:ident, $own:ident: $( $field:ident )*; $( $flag:ident )*; $text:ident) => {
        impl From<&$own> for $record {
            fn from(own: &$own) -> Self {
                Self {
                    r#type: own.type_,
                    $( $field: own.$field, )*
                    $( $flag: u8::from(own.$flag), )*
                    label: *own.$text.as_padded(),
                }
            }
        }

        impl From<&$record> for $own {
            fn from(record: &$record) -> Self {
                Self {
                    type_: record.r#type,
                    $( $field: record.$field, )*
                    $( $flag: record.$flag != 0, )*
                    label: FixedText::from_padded(&record.$text),
                }
            }
        }
    };
    ($record:ident, $own:ident: $( $field:ident )*; $( $flag:ident )*) => {
        impl From<&$own> for $record {
            fn from(own: &$own) -> Self {
                Self { r#type: own.type_, $( $field: own.$field, )* $( $flag: u8::from(own.$flag), )* }
            }
        }

        impl From<&$record> for $own {
            fn from(record: &$record) -> Self {
                Self { type_: record.r#type, $( $field: record.$field, )* $( $flag: record.$flag != 0, )* }
            }
        }
    };
}

records! {
    GeomRecord, MjvGeom:
    dataid objtype objid category matid texcoord segid size pos mat rgba emission specular shininess reflectance camdist
    modelrbound; transparent; label
}

records! {
    LightRecord, MjvLight:
    id pos dir texid attenuation cutoff exponent ambient diffuse specular bulbradius intensity range; headlight castshadow
}

/// `mjvScene` of the header.
#[repr(C)]
pub struct SceneRecord {
    pub maxgeom: i32,
    pub ngeom: i32,
    pub geoms: *mut GeomRecord,
    pub geomorder: *mut i32,
    pub nflex: i32,
    pub flexedgeadr: *mut i32,
    pub flexedgenum: *mut i32,
    pub flexvertadr: *mut i32,
    pub flexvertnum: *mut i32,
    pub flexfaceadr: *mut i32,
    pub flexfacenum: *mut i32,
    pub flexfaceused: *mut i32,
    pub flexedge: *mut i32,
    pub flexvert: *mut f32,
    pub flexface: *mut f32,
    pub flexnormal: *mut f32,
    pub flextexcoord: *mut f32,
    pub flexvertopt: u8,
    pub flexedgeopt: u8,
    pub flexfaceopt: u8,
    pub flexskinopt: u8,
    pub nskin: i32,
    pub skinfacenum: *mut i32,
    pub skinvertadr: *mut i32,
    pub skinvertnum: *mut i32,
    pub skinvert: *mut f32,
    pub skinnormal: *mut f32,
    pub nlight: i32,
    pub lights: [LightRecord; MAX_LIGHT],
    pub camera: [MjvGLCamera; 2],
    pub enabletransform: u8,
    pub translate: [f32; 3],
    pub rotate: [f32; 4],
    pub scale: f32,
    pub stereo: i32,
    pub flags: [u8; N_RND_FLAG],
    pub framewidth: i32,
    pub framergb: [f32; 3],
    pub status: i32,
}

impl SceneRecord {
    /// Numbers that a program may have changed, and lights.
    pub fn take(&self, scene: &mut MjvScene) {
        scene.camera = self.camera;
        scene.enabletransform = self.enabletransform != 0;
        (scene.translate, scene.rotate, scene.scale) = (self.translate, self.rotate, self.scale);
        (scene.stereo, scene.flags) = (self.stereo, self.flags);
        (scene.framewidth, scene.framergb, scene.status) = (self.framewidth, self.framergb, self.status);
        scene.flexvertopt = self.flexvertopt != 0;
        scene.flexedgeopt = self.flexedgeopt != 0;
        scene.flexfaceopt = self.flexfaceopt != 0;
        scene.flexskinopt = self.flexskinopt != 0;
        let lights = self.lights.iter().take(usize::try_from(self.nlight).unwrap_or(0));
        scene.lights.clear();
        scene.lights.extend(lights.map(MjvLight::from));
    }

    /// Shows numbers, lights, and where the lists are.
    pub fn show(&mut self, scene: &mut MjvScene) {
        self.camera = scene.camera;
        self.enabletransform = u8::from(scene.enabletransform);
        (self.translate, self.rotate, self.scale) = (scene.translate, scene.rotate, scene.scale);
        (self.stereo, self.flags) = (scene.stereo, scene.flags);
        (self.framewidth, self.framergb, self.status) = (scene.framewidth, scene.framergb, scene.status);
        self.flexvertopt = u8::from(scene.flexvertopt);
        self.flexedgeopt = u8::from(scene.flexedgeopt);
        self.flexfaceopt = u8::from(scene.flexfaceopt);
        self.flexskinopt = u8::from(scene.flexskinopt);
        self.nlight = scene.lights.len() as i32;
        self.lights.iter_mut().zip(&scene.lights).for_each(|(to, from)| *to = from.into());
        self.nflex = scene.flexvertadr.len() as i32;
        self.nskin = scene.skinvertadr.len() as i32;
        macro_rules! lists {
            ($( $name:ident )*) => { $( self.$name = scene.$name.as_mut_ptr().cast(); )* };
        }
        lists! {
            flexedgeadr flexedgenum flexvertadr flexvertnum flexfaceadr flexfacenum flexfaceused flexedge flexvert flexface
            flexnormal flextexcoord skinfacenum skinvertadr skinvertnum skinvert skinnormal
        }
    }

    /// Points no list at anything.
    pub fn forget_lists(&mut self) {
        macro_rules! lists {
            ($( $name:ident )*) => { $( self.$name = std::ptr::null_mut(); )* };
        }
        lists! {
            geoms geomorder flexedgeadr flexedgenum flexvertadr flexvertnum flexfaceadr flexfacenum flexfaceused flexedge
            flexvert flexface flexnormal flextexcoord skinfacenum skinvertadr skinvertnum skinvert skinnormal
        }
    }
}
