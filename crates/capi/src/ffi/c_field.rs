//! Signed distance fields whose functions are written in C.

#![allow(unsafe_code)]

use super::fault::{Served, fault};
use super::handle::lend;
use crate::functions::plugins::PluginRecord;
use crate::layout::data::MjData;
use crate::layout::model::MjModel;
use kinetree_math::Vec3;
use kinetree_math::field::{SignedDistance, forward_differences};
use kinetree_model::plugin::{Field, PluginConfig, PluginResult};
use kinetree_model::{Data, Model};
use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::Arc;

/// The functions of a field, in the order of the header.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FieldFunctions {
    distance: Option<extern "C-unwind" fn(*const f64, *const MjData, c_int) -> f64>,
    gradient: Option<extern "C-unwind" fn(*mut f64, *const f64, *const MjData, c_int)>,
    staticdistance: Option<extern "C-unwind" fn(*const f64, *const f64) -> f64>,
    attribute: Option<extern "C-unwind" fn(*mut f64, *mut *const c_char, *mut *const c_char)>,
    aabb: Option<extern "C-unwind" fn(*mut f64, *const f64)>,
}

impl FieldFunctions {
    /// Whether there is what a mesh is made from: the distance and the box of a configuration.
    pub fn is_static(&self) -> bool {
        self.staticdistance.is_some() && self.aabb.is_some()
    }
}

/// The field of a configuration, as it is without a world.
pub struct StaticField {
    distance: extern "C-unwind" fn(*const f64, *const f64) -> f64,
    attributes: Vec<f64>,
}

impl StaticField {
    /// The field of a configuration, with its box.
    ///
    /// # Errors
    /// When a function is missing.
    pub fn of(functions: &FieldFunctions, config: &PluginConfig) -> PluginResult<Field> {
        let distance = functions.staticdistance.ok_or("`sdf_staticdistance` is a null function pointer")?;
        let aabb = functions.aabb.ok_or("`sdf_aabb` is a null function pointer")?;
        let text = |text: &str| CString::new(text).map_err(|error| error.to_string());
        let names = config.iter().map(|(name, _)| text(name)).collect::<PluginResult<Vec<_>>>()?;
        let values = config.iter().map(|(_, value)| text(value)).collect::<PluginResult<Vec<_>>>()?;
        let mut attributes = vec![0.0; names.len()];
        let mut names: Vec<*const c_char> = names.iter().map(|text| text.as_ptr()).collect();
        let mut values: Vec<*const c_char> = values.iter().map(|text| text.as_ptr()).collect();
        // without this function, attributes are zero
        if let Some(read) = functions.attribute {
            read(attributes.as_mut_ptr(), names.as_mut_ptr(), values.as_mut_ptr());
        }
        let mut bounds = [0.0; 6];
        aabb(bounds.as_mut_ptr(), attributes.as_ptr());
        Ok(Field { distance: Arc::new(Self { distance, attributes }), aabb: bounds })
    }
}

impl SignedDistance for StaticField {
    fn distance(&self, point: &Vec3) -> f64 {
        (self.distance)(point.as_slice().as_ptr(), self.attributes.as_ptr())
    }
}

/// What a plugin does at the beginning of searches in its field.
#[derive(Clone, Copy, Default)]
pub struct SearchFunctions {
    /// Called once for a pair of geoms, or a ray.
    pub reset: Option<extern "C-unwind" fn(*const MjModel, *mut f64, *mut c_void, c_int)>,
    /// Called for each descent, with `mjPLUGIN_SDF`.
    pub compute: Option<extern "C-unwind" fn(*const MjModel, *mut MjData, c_int, c_int)>,
}

/// `mjPLUGIN_SDF`.
const SDF: c_int = 8;

/// The field of an instance in a world.
pub struct CField<'a> {
    functions: &'a FieldFunctions,
    search: SearchFunctions,
    distance: extern "C-unwind" fn(*const f64, *const MjData, c_int) -> f64,
    model: &'a Model,
    data: &'a Data,
    id: usize,
}

impl<'a> CField<'a> {
    /// The field of an instance, if it has one.
    pub fn new(
        functions: &'a FieldFunctions,
        search: SearchFunctions,
        model: &'a Model,
        data: &'a Data,
        id: usize,
    ) -> Option<Self> {
        Some(Self { functions, search, distance: functions.distance?, model, data, id })
    }

    fn call<R>(&self, f: impl FnOnce(*const MjData, c_int) -> R) -> R {
        lend(self.model, std::ptr::from_ref(self.data).cast_mut(), |_, d| f(d, self.id as c_int))
    }
}

impl SignedDistance for CField<'_> {
    fn distance(&self, point: &Vec3) -> f64 {
        self.call(|d, id| (self.distance)(point.as_slice().as_ptr(), d, id))
    }

    fn distance_and_gradient(&self, point: &Vec3) -> (f64, Vec3) {
        (self.distance(point), self.gradient(point))
    }

    fn gradient(&self, point: &Vec3) -> Vec3 {
        let Some(gradient) = self.functions.gradient else { return forward_differences(self, point).1 };
        let mut result = [0.0; 3];
        self.call(|d, id| gradient(result.as_mut_ptr(), point.as_slice().as_ptr(), d, id));
        Vec3::from(result)
    }

    fn begin_search(&self) {
        let Some(reset) = self.search.reset else { return };
        let memory = self.data.plugin_data[self.id] as usize as *mut c_void;
        // the state is not reset: there is none to write to
        let data = std::ptr::from_ref(self.data).cast_mut();
        lend(self.model, data, |m, _| reset(m, std::ptr::null_mut(), memory, self.id as c_int));
    }

    fn begin_descent(&self) {
        if let Some(compute) = self.search.compute {
            let data = std::ptr::from_ref(self.data).cast_mut();
            lend(self.model, data, |m, d| compute(m, d, self.id as c_int, SDF));
        }
    }
}

/// What a program asks about a field: the record of its plugin, and the number of the instance.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FieldQuery {
    plugin: *const *const PluginRecord,
    id: *const c_int,
    kind: c_int,
    relpos: *const f64,
    relmat: *const f64,
    geomtype: *const c_int,
}

/// One of the solids of a query.
#[derive(Clone, Copy)]
pub struct Solid {
    /// The functions of its plugin, if it has one.
    pub functions: Option<FieldFunctions>,
    /// Number of the plugin instance, mesh or geom.
    pub id: c_int,
    /// Type of the geom.
    pub geomtype: c_int,
}

impl FieldQuery {
    /// How its solids are put together.
    pub fn kind(&self) -> c_int {
        self.kind
    }

    /// The first or the second solid.
    ///
    /// # Errors
    /// When a pointer is null.
    pub fn solid(&self, at: usize) -> Served<Solid> {
        if self.plugin.is_null() || self.id.is_null() || self.geomtype.is_null() {
            return fault("a pointer of mjSDF is NULL");
        }
        // SAFETY: the header says that these lists have as many entries as there are solids, and that records
        // are such
        unsafe {
            let record = *self.plugin.add(at);
            let functions = (!record.is_null()).then(|| {
                let [.., a, b, c, d, e] = (*record).functions;
                std::mem::transmute::<[usize; 5], FieldFunctions>([a, b, c, d, e])
            });
            Ok(Solid { functions, id: *self.id.add(at), geomtype: *self.geomtype.add(at) })
        }
    }

    /// A point in the frame of the second solid.
    ///
    /// # Errors
    /// When a pointer is null.
    pub fn relative(&self) -> Served<([f64; 9], [f64; 3])> {
        if self.relpos.is_null() || self.relmat.is_null() {
            return fault("a pointer of mjSDF is NULL");
        }
        // SAFETY: the header says that so many numbers lie there
        unsafe { Ok((self.relmat.cast::<[f64; 9]>().read(), self.relpos.cast::<[f64; 3]>().read())) }
    }
}

impl Solid {
    /// Calls `f` with the field of a plugin of C, if this is one that has functions.
    pub fn with_field<R>(
        &self,
        model: &Model,
        data: &Data,
        f: impl FnOnce(&dyn SignedDistance) -> R,
    ) -> Option<R> {
        let functions = self.functions?;
        let id = usize::try_from(self.id).ok().filter(|&id| id < model.nplugin)?;
        CField::new(&functions, SearchFunctions::default(), model, data, id).map(|field| f(&field))
    }
}
