//! Convex objects of C programs, and the search for their distance and contacts.
//!
//! An object that `mjc_initCCDObj` has made becomes a shape of the engine when it is searched. One with
//! another support function is known by that alone: the function is called for each point that is needed.

#![allow(unsafe_code)]

use super::fault::{Served, fault};
use super::handle::{DataPtr, ModelPtr};
use super::pointer::{In, Out, count};
use crate::functions::index;
use crate::layout::ccd::{CcdConfig, CcdFlex, CcdMesh, CcdObj, CcdPrism, CcdStatus, CcdVertex, MAX_WITNESS};
use kinetree_collide::{
    CcdScratch, EpaOutcome, MeshShape, Pose, Probe, ProbeBody, ProbeLimits, ProbeSide, Shape, SupportMapping,
    probe_convex, support_point,
};
use kinetree_math::Vec3;
use kinetree_math::rot::mat3;
use kinetree_model::enums::GeomType;
use std::cell::RefCell;
use std::slice::from_raw_parts;

/// Vertices from which on the hull of a mesh is climbed.
const CLIMB_MIN_VERTICES: i32 = 10;
/// Bytes for each iteration, and for the rest, that a program is told to bring along.
const BUFFER_BYTES: [usize; 2] = [512, 1024];

thread_local! {
    static SCRATCH: RefCell<CcdScratch> = RefCell::new(CcdScratch::default());
}

/// Calls `f` with working memory that is kept between calls; a search within a search gets its own.
fn with_scratch<R>(f: impl FnOnce(&mut CcdScratch) -> R) -> R {
    let mut scratch = SCRATCH.with(|kept| kept.try_borrow_mut().map(|mut kept| std::mem::take(&mut *kept)));
    let mut fresh = CcdScratch::default();
    let result = f(scratch.as_mut().unwrap_or(&mut fresh));
    if let Ok(scratch) = scratch {
        SCRATCH.with(|kept| {
            if let Ok(mut kept) = kept.try_borrow_mut() {
                *kept = scratch;
            }
        });
    }
    result
}

/// A list of an object; none where the pointer is null.
///
/// # Safety
/// So many values lie there, or the pointer is null.
unsafe fn list<'a, T>(pointer: *const T, length: usize) -> &'a [T] {
    // SAFETY: by the contract
    if pointer.is_null() { &[] } else { unsafe { from_raw_parts(pointer, length) } }
}

/// How many values runs of a list reach over.
fn reach(first: &[i32], number: &[i32]) -> usize {
    first.iter().zip(number).map(|(&first, &number)| count(first) + count(number)).max().unwrap_or(0)
}

/// The mesh of an object.
///
/// # Safety
/// The pointers lead into a compiled model, or are null.
unsafe fn mesh_of<'a>(mesh: &CcdMesh) -> MeshShape<'a> {
    let (vertices, polygons) = (count(mesh.nvert), count(mesh.mesh_polynum));
    // SAFETY: by the contract; the lengths of the lists that have none of their own follow from the others
    unsafe {
        let vert = list(mesh.vert.cast::<[f32; 3]>(), vertices);
        let graph = match list(mesh.graph, 2) {
            &[hull, faces] => list(mesh.graph, 2 + 3 * count(hull) + 6 * count(faces)),
            _ => &[],
        };
        let poly_vert_adr = list(mesh.polyvertadr, polygons);
        let poly_vert_num = list(mesh.polyvertnum, polygons);
        let poly_map_adr = list(mesh.mpolymapadr, vertices);
        let poly_map_num = list(mesh.mpolymapnum, vertices);
        let radius2 = vert.iter().map(|v| v.iter().map(|&x| f64::from(x).powi(2)).sum()).fold(0.0, f64::max);
        MeshShape {
            vert,
            graph,
            poly_normal: list(mesh.polynormal.cast::<[f64; 3]>(), polygons),
            poly_vert_adr,
            poly_vert_num,
            poly_vert: list(mesh.polyvert, reach(poly_vert_adr, poly_vert_num)),
            poly_map_adr,
            poly_map_num,
            poly_map: list(mesh.polymap, reach(poly_map_adr, poly_map_num)),
            bound_radius: f64::sqrt(radius2),
        }
    }
}

/// The shape of an object in its own frame; `None` for those that are not geoms of such a kind.
fn shape_of<'a>(object: &CcdObj) -> Option<Shape<'a>> {
    let size = object.size;
    Some(match GeomType::try_from(object.geom_type).ok()? {
        GeomType::Sphere => Shape::Sphere { radius: size[0] },
        GeomType::Capsule => Shape::Capsule { radius: size[0], half_length: size[1] },
        GeomType::Ellipsoid => Shape::Ellipsoid { semi_axes: Vec3::new(size[0], size[1], size[2]) },
        GeomType::Cylinder => Shape::Cylinder { radius: size[0], half_length: size[1] },
        GeomType::Box => Shape::Box { half: Vec3::new(size[0], size[1], size[2]) },
        // SAFETY: `mjc_initCCDObj` has filled this part for geoms of these types
        GeomType::Mesh | GeomType::Sdf => Shape::Mesh(unsafe { mesh_of(&object.data.mesh) }),
        _ => return None,
    })
}

/// Corners of an element or a vertex of a flex, its centre and its radius.
///
/// # Safety
/// The pointers lead into a compiled model and its data, and the numbers are those of a flex, and of an
/// element or a vertex of it.
unsafe fn simplex_of(object: &CcdObj) -> Served<(Vec<[f64; 3]>, [f64; 3], f64)> {
    let (Ok(flex), CcdObj { elem, vert, .. }) = (usize::try_from(object.flex), *object) else {
        return fault("a convex object is neither a geom nor a part of a flex");
    };
    // SAFETY: by the contract
    unsafe {
        let CcdFlex { elem: corners, dim, aabb, elemadr, elemdataadr, vert_xpos, vertadr, xradius } =
            object.data.flex;
        let points = vert_xpos.cast::<[f64; 3]>().add(count(*vertadr.add(flex)));
        let radius = *xradius.add(flex);
        if elem < 0 {
            let point = *points.add(count(vert));
            return Ok((vec![point], point, radius));
        }
        let corner_count = count(*dim.add(flex)) + 1;
        let first = count(*elemdataadr.add(flex)) + count(elem) * corner_count;
        let corners = from_raw_parts(corners.add(first), corner_count);
        let center = aabb.add(6 * (count(*elemadr.add(flex)) + count(elem))).cast::<[f64; 3]>().read();
        Ok((corners.iter().map(|&at| *points.add(count(at))).collect(), center, radius))
    }
}

/// An object that is known by the functions that it carries.
struct Carried(*mut CcdObj);

impl SupportMapping for Carried {
    fn center(&mut self) -> [f64; 3] {
        center_of(self.0)
    }
    fn support(&mut self, dir: [f64; 3]) -> [f64; 3] {
        let mut point = [0.0; 3];
        // SAFETY: the object is live, and its function is called as the reference calls it
        if let Some(support) = unsafe { (*self.0).support } {
            support(point.as_mut_ptr(), self.0, dir.as_ptr());
        }
        point
    }
}

/// The centre of an object, by its own function.
fn center_of(object: *mut CcdObj) -> [f64; 3] {
    let mut point = [0.0; 3];
    // SAFETY: the object is live, and its function is called as the reference calls it
    if let Some(center) = unsafe { (*object).center } {
        center(point.as_mut_ptr(), object);
    }
    point
}

/// Memory that a side of a pair borrows from.
#[derive(Default)]
struct Parts<'a> {
    shape: Option<Shape<'a>>,
    prism: Option<([[f64; 3]; 3], f64)>,
    simplex: Option<(Vec<[f64; 3]>, [f64; 3], f64)>,
    carried: Option<Carried>,
}

impl<'a> Parts<'a> {
    /// What an object is made of: by its support function if that is not ours.
    fn of(object: *mut CcdObj) -> Served<Self> {
        // SAFETY: the header of the function says that an object lies there
        let known = unsafe { &*object };
        match known.support {
            None => fault("a convex object has no support function"),
            Some(support)
                if !std::ptr::fn_addr_eq(support, kinetree_ccd_support as crate::layout::ccd::Support) =>
            {
                Ok(Self { carried: Some(Carried(object)), ..Self::default() })
            }
            Some(_) => Self::own(known),
        }
    }

    /// What an object of `mjc_initCCDObj` is made of.
    fn own(object: &CcdObj) -> Served<Self> {
        let own = |shape| Self { shape, ..Self::default() };
        match GeomType::try_from(object.geom_type) {
            Ok(GeomType::Hfield) => {
                // SAFETY: `mjc_initCCDObj` has filled this part for height fields, the program the prism
                let CcdPrism { prism, .. } = unsafe { object.data.hfield };
                let [bottom, _, _, top1, top2, top3] = prism;
                Ok(Self { prism: Some(([top1, top2, top3], bottom[2])), ..Self::default() })
            }
            Ok(GeomType::Flex) => {
                // SAFETY: `mjc_initCCDObj` has filled this part for flexes, the program the numbers
                let simplex = unsafe { simplex_of(object) }?;
                Ok(Self { simplex: Some(simplex), ..Self::default() })
            }
            _ => match shape_of(object) {
                Some(shape) => Ok(own(Some(shape))),
                None => fault(format!("a geom of type {} is not convex", object.geom_type)),
            },
        }
    }

    /// The side of a pair.
    fn side(&mut self, object: &CcdObj) -> Served<ProbeSide<'_>> {
        let start = self.start(object);
        let body = match self {
            Self { carried: Some(carried), .. } => ProbeBody::Mapping(carried),
            Self { prism: Some((top, bottom)), .. } => ProbeBody::Prism(top, *bottom),
            Self { simplex: Some((points, center, radius)), .. } => {
                ProbeBody::Simplex(points, *center, *radius)
            }
            Self { shape: Some(shape), .. } => {
                ProbeBody::Shape(shape, Pose { pos: Vec3::from(object.pos), mat: mat3(&object.mat) })
            }
            _ => return fault("a convex object is empty"),
        };
        Ok(ProbeSide { body, margin: object.margin, start })
    }

    /// Where a search over a mesh begins.
    fn start(&self, object: &CcdObj) -> [i32; 2] {
        let Some(Shape::Mesh(mesh)) = &self.shape else { return [-1, -1] };
        let within = |at: i32| if count(at) < mesh.vert.len() { at } else { -1 };
        [within(object.vertindex), within(object.meshindex)]
    }
}

/// The support function of the objects that are made here.
extern "C-unwind" fn kinetree_ccd_support(point: *mut f64, object: *mut CcdObj, dir: *const f64) {
    super::export::call("mjCCDObj.support", || -> Served {
        if point.is_null() || object.is_null() || dir.is_null() {
            return fault("a pointer is NULL");
        }
        // SAFETY: the pointers lead to an object and to three numbers each
        let (known, dir) = unsafe { (*object, dir.cast::<[f64; 3]>().read()) };
        let mut parts = Parts::own(&known)?;
        let side = parts.side(&known)?;
        let found = with_scratch(|scratch| support_point(side, dir, scratch));
        let Some((at, end)) = found else { return fault("a convex object has no support function") };
        // SAFETY: as above
        unsafe {
            point.cast::<[f64; 3]>().write(at);
            keep_end(object, end);
        }
        Ok(())
    });
}

/// Keeps where a search over a mesh or a box ended.
///
/// # Safety
/// The object is live.
unsafe fn keep_end(object: *mut CcdObj, [vertex, hull_vertex]: [i32; 2]) {
    // SAFETY: by the contract
    unsafe {
        if vertex >= 0 {
            (*object).vertindex = vertex;
        }
        if hull_vertex >= 0 {
            (*object).meshindex = hull_vertex;
        }
    }
}

/// An object of a geom, or of a flex if the number of the geom is negative.
fn object_of(m: ModelPtr<'_>, d: DataPtr<'_>, geom: i32, margin: f64) -> Served<CcdObj> {
    // SAFETY: zeros are a value of each field, null pointers and no functions
    let mut object: CcdObj = unsafe { std::mem::zeroed() };
    (object.geom, object.margin, object.rotate[0]) = (geom, margin, 1.0);
    [object.vertindex, object.meshindex, object.flex, object.elem, object.vert] = [-1; 5];
    object.center = Some(mjc_center_of);
    object.support = Some(kinetree_ccd_support);
    let (model, data) = (m.get()?, d.read()?);
    if geom < 0 {
        object.geom_type = GeomType::Flex as i32;
        object.data.flex = CcdFlex {
            elem: model.flex_elem.as_ptr(),
            dim: model.flex_dim.as_ptr(),
            aabb: data.flexelem_aabb.as_ptr().cast(),
            elemadr: model.flex_elemadr.as_ptr(),
            elemdataadr: model.flex_elemdataadr.as_ptr(),
            vert_xpos: data.flexvert_xpos.as_ptr().cast(),
            vertadr: model.flex_vertadr.as_ptr(),
            xradius: model.flex_radius.as_ptr(),
        };
        return Ok(object);
    }
    let geom = index("geom", geom, model.ngeom.min(data.geom_xpos.len()).min(data.geom_xmat.len()))?;
    object.size[..3].copy_from_slice(&model.geom_size[geom]);
    (object.pos, object.mat) = (data.geom_xpos[geom], data.geom_xmat[geom]);
    object.geom_type = model.geom_type[geom];
    match GeomType::try_from(object.geom_type) {
        Ok(GeomType::Mesh | GeomType::Sdf) => object.data.mesh = mesh_parts(model, model.geom_dataid[geom])?,
        Ok(GeomType::Hfield) => {
            let field = index("height field", model.geom_dataid[geom], model.nhfield)?;
            object.size = model.hfield_size[field];
            object.data.hfield = CcdPrism {
                prism: [[0.0; 3]; 6],
                hfield_data: model.hfield_data[count(model.hfield_adr[field])..].as_ptr(),
                hfield_nrow: model.hfield_nrow[field],
                hfield_ncol: model.hfield_ncol[field],
            };
        }
        Ok(GeomType::Plane) | Err(_) => object.support = None,
        Ok(_) => {}
    }
    Ok(object)
}

/// Where the lists of a mesh lie in a model.
fn mesh_parts(model: &kinetree_model::Model, mesh: i32) -> Served<CcdMesh> {
    let mesh = index("mesh", mesh, model.nmesh)?;
    let (vertex, polygon) = (count(model.mesh_vertadr[mesh]), count(model.mesh_polyadr[mesh]));
    let nvert = model.mesh_vertnum[mesh];
    let graph = usize::try_from(model.mesh_graphadr[mesh]).ok().filter(|_| nvert >= CLIMB_MIN_VERTICES);
    Ok(CcdMesh {
        nvert,
        mesh_polynum: model.mesh_polynum[mesh],
        vert: model.mesh_vert[vertex..].as_ptr().cast(),
        mpolymapadr: model.mesh_polymapadr[vertex..].as_ptr(),
        mpolymapnum: model.mesh_polymapnum[vertex..].as_ptr(),
        polymap: model.mesh_polymap.as_ptr(),
        polyvertadr: model.mesh_polyvertadr[polygon..].as_ptr(),
        polyvertnum: model.mesh_polyvertnum[polygon..].as_ptr(),
        polyvert: model.mesh_polyvert.as_ptr(),
        polynormal: model.mesh_polynormal[polygon..].as_ptr().cast(),
        graph: graph.map_or(std::ptr::null(), |first| model.mesh_graph[first..].as_ptr()),
    })
}

/// The centre of an object.
fn own_center(object: &CcdObj) -> Served<[f64; 3]> {
    if object.geom_type == GeomType::Hfield as i32 {
        // SAFETY: `mjc_initCCDObj` has filled this part for height fields
        let CcdPrism { prism, .. } = unsafe { object.data.hfield };
        return Ok([0, 1, 2].map(|k| prism.iter().map(|corner| corner[k]).sum::<f64>() * (1.0 / 6.0)));
    }
    if object.geom >= 0 {
        return Ok(object.pos);
    }
    // SAFETY: objects that are no geoms are parts of a flex
    unsafe { simplex_of(object) }.map(|(_, center, _)| center)
}

extern "C-unwind" fn mjc_center_of(point: *mut f64, object: *const CcdObj) {
    mjc_center(point, object);
}

/// The reference's number for what became of EPA.
fn epa_status(outcome: EpaOutcome) -> i32 {
    match outcome {
        EpaOutcome::NotRun => -1,
        EpaOutcome::Ran => 0,
        EpaOutcome::NoPolytope(2) => 2,
        EpaOutcome::NoPolytope(3) => 7,
        EpaOutcome::NoPolytope(_) => 9,
    }
}

/// Writes down what a search has found.
fn show(status: &mut CcdStatus, found: &Probe<'_>) {
    let points = found.on[0].len().min(MAX_WITNESS);
    status.dist = found.dist;
    status.x1[..points].copy_from_slice(&found.on[0][..points]);
    status.x2[..points].copy_from_slice(&found.on[1][..points]);
    status.nx = points as i32;
    let [gjk, epa] = found.iterations.map(|n| i32::try_from(n).unwrap_or(i32::MAX));
    (status.gjk_iterations, status.epa_iterations) = (gjk, epa);
    status.epa_status = epa_status(found.epa);
    status.simplex = found.simplex.map(|v| CcdVertex {
        vert: v.diff,
        vert1: v.on[0],
        vert2: v.on[1],
        index1: v.vertex[0],
        index2: v.vertex[1],
    });
    status.nsimplex = found.simplex_size as i32;
}

/// Searches two objects.
fn search(config: &CcdConfig, status: &mut CcdStatus, objects: [*mut CcdObj; 2]) -> Served<f64> {
    status.max_iterations = config.max_iterations;
    status.tolerance = config.tolerance;
    status.max_contacts = config.max_contacts;
    status.dist_cutoff = config.dist_cutoff;
    let limits = ProbeLimits {
        tolerance: config.tolerance,
        max_iterations: count(config.max_iterations),
        cutoff: config.dist_cutoff,
        max_contacts: count(config.max_contacts),
    };
    let [mut first, mut second] = [Parts::of(objects[0])?, Parts::of(objects[1])?];
    // SAFETY: objects lie there; a support function may change its own
    let known = unsafe { [*objects[0], *objects[1]] };
    let sides = [first.side(&known[0])?, second.side(&known[1])?];
    with_scratch(|scratch| {
        let Some(found) = probe_convex(sides, &limits, scratch) else {
            return fault("a convex object has no support function");
        };
        show(status, &found);
        for (object, end) in objects.into_iter().zip(found.end) {
            // SAFETY: as above
            unsafe { keep_end(object, end) };
        }
        Ok(found.dist)
    })
}

crate::export! {
    fn mjc_initCCDObj(obj: Out<'_, CcdObj>, m: ModelPtr<'_>, d: DataPtr<'_>, g: i32, margin: f64) {
        obj.set([object_of(m, d, g, margin)?])
    }
    fn mjc_ccdSize(iterations: i32) -> usize {
        let [each, rest] = BUFFER_BYTES;
        Ok(each.saturating_mul(count(iterations)).saturating_add(rest))
    }
    fn mjc_ccd(
        config: In<'_, CcdConfig>, status: Out<'_, CcdStatus>, obj1: *mut CcdObj, obj2: *mut CcdObj,
    ) -> f64 {
        if obj1.is_null() || obj2.is_null() || status.is_null() {
            return fault("a pointer is NULL");
        }
        let [config] = config.array()?;
        // SAFETY: zeros are a value of each field; the program's struct is not initialized
        let mut found: CcdStatus = unsafe { std::mem::zeroed() };
        let dist = search(&config, &mut found, [obj1, obj2])?;
        status.set([found])?;
        Ok(dist)
    }
    fn mjc_center(res: *mut f64, obj: *const CcdObj) {
        if res.is_null() || obj.is_null() {
            return fault("a pointer is NULL");
        }
        // SAFETY: the pointers lead to three numbers and to an object
        unsafe { res.cast::<[f64; 3]>().write(own_center(&*obj)?) };
        Ok(())
    }
    fn mjccd_center(obj: *const CcdObj, center: *mut f64) {
        if obj.is_null() || center.is_null() {
            return fault("a pointer is NULL");
        }
        // SAFETY: as above
        unsafe { center.cast::<[f64; 3]>().write(center_of(obj.cast_mut())) };
        Ok(())
    }
    fn mjccd_support(obj: *const CcdObj, dir: In<'_, f64>, vec: Out<'_, f64>) {
        if obj.is_null() {
            return fault("a pointer is NULL");
        }
        let dir: [f64; 3] = dir.array()?;
        let length = dir.iter().map(|x| x * x).sum::<f64>().sqrt();
        let unit = if length < kinetree_math::MINVAL { [1.0, 0.0, 0.0] } else { dir.map(|x| x / length) };
        // SAFETY: an object lies there; its function may write to it
        let margin = unsafe { (*obj).margin };
        let mut object = Carried(obj.cast_mut());
        let point = object.support(unit);
        vec.set([0, 1, 2].map(|k| point[k] + 0.5 * margin * unit[k]))
    }
}
