//! Fields of the structs of a description, and what they stand for.

use crate::ffi::cpp::{CxxString, CxxVec};
use crate::ffi::fault::{Fault, Served};
use kinetree_model::enums::{
    BiasType, CamLight, ColorSpace, DataType, DynType, EqType, FlexSelf, GainType, GeomType, JointType,
    LightType, ObjType, Projection, SensorType, SleepPolicy, Stage, TextureType, TrnType,
};
use kinetree_spec::spec::{
    AlignFree, GeomInertia, InertiaFromGeom, Limited, MeshInertia, TextureBuiltin, TextureMark,
};
use std::ffi::c_char;

/// `mjsElement`: what the header shows of an element.
#[repr(C)]
#[derive(Debug)]
pub struct ElementHead {
    pub elemtype: i32,
    pub signature: u64,
}

/// A `mjString*`; null in a struct that a program has made itself.
pub type OwnString = Option<Box<CxxString>>;
/// A pointer to a vector.
pub type OwnVec<T> = Option<Box<CxxVec<T>>>;

/// A field that shows a value.
pub trait Slot<R> {
    /// Fills the field.
    fn show(&mut self, value: &R);
    /// Takes over what a program has written to the field.
    fn take(&self, value: &mut R) -> Served;
}

/// An error with the name of the field that it is about.
pub fn words(result: Served, field: &str) -> Served {
    result.map_err(|Fault(text)| Fault(format!("{}: {text}", field.trim_start_matches("r#"))))
}

macro_rules! same {
    ($( $t:ty )*) => { $(
        impl Slot<$t> for $t {
            fn show(&mut self, value: &$t) {
                *self = *value;
            }
            fn take(&self, value: &mut $t) -> Served {
                *value = *self;
                Ok(())
            }
        }
        impl<const N: usize> Slot<[$t; N]> for [$t; N] {
            fn show(&mut self, value: &[$t; N]) {
                *self = *value;
            }
            fn take(&self, value: &mut [$t; N]) -> Served {
                *value = *self;
                Ok(())
            }
        }
        impl Slot<Vec<$t>> for OwnVec<$t> {
            fn show(&mut self, value: &Vec<$t>) {
                let vector = self.get_or_insert_default();
                if vector.list() != value.as_slice() {
                    vector.set(value.iter().copied());
                }
            }
            fn take(&self, value: &mut Vec<$t>) -> Served {
                let list = self.as_deref().map_or(&[][..], CxxVec::list);
                if list != value.as_slice() {
                    *value = list.to_vec();
                }
                Ok(())
            }
        }
        impl Slot<Vec<Vec<$t>>> for OwnVec<CxxVec<$t>> {
            fn show(&mut self, value: &Vec<Vec<$t>>) {
                let inner = value.iter().map(|list| {
                    let mut vector = CxxVec::default();
                    vector.set(list.iter().copied());
                    vector
                });
                self.get_or_insert_default().set(inner);
            }
            fn take(&self, value: &mut Vec<Vec<$t>>) -> Served {
                let lists = self.as_deref().map_or(&[][..], CxxVec::list);
                *value = lists.iter().map(|list| list.list().to_vec()).collect();
                Ok(())
            }
        }
    )* };
}

same! { f64 f32 i32 u8 }

macro_rules! flags {
    ($( $t:ty )*) => { $(
        impl Slot<bool> for $t {
            fn show(&mut self, value: &bool) {
                *self = u8::from(*value) as $t;
            }
            fn take(&self, value: &mut bool) -> Served {
                *value = *self != 0 as $t;
                Ok(())
            }
        }
    )* };
}

flags! { u8 i32 f64 }

impl<const N: usize> Slot<[u8; N]> for [c_char; N] {
    fn show(&mut self, value: &[u8; N]) {
        *self = value.map(|byte| byte as c_char);
    }
    fn take(&self, value: &mut [u8; N]) -> Served {
        *value = self.map(|letter| letter as u8);
        Ok(())
    }
}

impl Slot<String> for OwnString {
    fn show(&mut self, value: &String) {
        self.get_or_insert_default().set(value.as_bytes());
    }
    fn take(&self, value: &mut String) -> Served {
        let bytes = self.as_deref().map_or(&[][..], CxxString::bytes);
        if bytes != value.as_bytes() {
            *value = String::from_utf8_lossy(bytes).into_owned();
        }
        Ok(())
    }
}

impl Slot<Vec<String>> for OwnVec<CxxString> {
    fn show(&mut self, value: &Vec<String>) {
        let vector = self.get_or_insert_default();
        if !vector.list().iter().map(CxxString::bytes).eq(value.iter().map(String::as_bytes)) {
            vector.set(value.iter().map(|text| CxxString::new(text)));
        }
    }
    fn take(&self, value: &mut Vec<String>) -> Served {
        *value = self.as_deref().map_or(&[][..], CxxVec::list).iter().map(CxxString::text).collect();
        Ok(())
    }
}

impl<const N: usize> Slot<[String; N]> for OwnVec<CxxString> {
    fn show(&mut self, value: &[String; N]) {
        let vector = self.get_or_insert_default();
        if !vector.list().iter().map(CxxString::bytes).eq(value.iter().map(String::as_bytes)) {
            vector.set(value.iter().map(|text| CxxString::new(text)));
        }
    }
    fn take(&self, value: &mut [String; N]) -> Served {
        let list = self.as_deref().map_or(&[][..], CxxVec::list);
        for (i, text) in value.iter_mut().enumerate() {
            *text = list.get(i).map_or_else(String::new, CxxString::text);
        }
        Ok(())
    }
}

macro_rules! enums {
    ($( $t:ty )*) => { $(
        impl Slot<$t> for i32 {
            fn show(&mut self, value: &$t) {
                *self = *value as i32;
            }
            fn take(&self, value: &mut $t) -> Served {
                *value = <$t>::try_from(*self)?;
                Ok(())
            }
        }
    )* };
}

enums! {
    BiasType CamLight ColorSpace DataType DynType EqType FlexSelf GainType GeomType JointType LightType ObjType Projection
    SensorType SleepPolicy Stage TextureType TrnType
}

/// Enums of a description, by the reference's numbers.
macro_rules! numbered {
    ($( $t:ty: $( $variant:ident )*; )*) => { $(
        impl Slot<$t> for i32 {
            fn show(&mut self, value: &$t) {
                *self = [$( <$t>::$variant ),*].iter().position(|known| known == value).unwrap_or(0) as i32;
            }
            fn take(&self, value: &mut $t) -> Served {
                let known = usize::try_from(*self).ok().and_then(|n| [$( <$t>::$variant ),*].get(n).copied());
                *value = known.ok_or_else(|| format!("{self} is not a valid value"))?;
                Ok(())
            }
        }
    )* };
}

numbered! {
    Limited: False True Auto;
    AlignFree: False True Auto;
    InertiaFromGeom: False True Auto;
    GeomInertia: Volume Shell;
    MeshInertia: Convex Exact Legacy Shell;
    TextureBuiltin: None Gradient Checker Flat;
    TextureMark: None Edge Cross Random;
}
