//! Narrow phase of flexes: planes and vertices, geoms and elements, elements and elements, and what is within
//! a flex.

use super::tree::sphere_meets_box;
use crate::contact::broad::bits_allow;
use crate::contact::contact_list::ContactList;
use crate::contact::geom_shape::{geom_pose, geom_shape, height_field};
use crate::contact::narrow::NarrowScratch;
use crate::contact::params::{ContactParams, Surface, assigned_margin};
use crate::flex::{element_vertices, vertex_range};
use kinetree_collide::bvh::boxes_meet;
use kinetree_collide::pairs::{
    Triangle, box_triangle, capsule_box, capsule_capsule, capsule_triangle, sphere_capsule, sphere_triangle,
};
use kinetree_collide::{
    CcdSettings, ContactPoint, Pose, Simplex, convex_simplex, hfield_simplex, simplex_simplex, surface_normal,
};
use kinetree_math::rot::{make_frame, normalize3, quat_to_mat, quat_z_to_vec};
use kinetree_math::{Mat3, Vec3};
use kinetree_model::enums::{DisableBit, GeomType};
use kinetree_model::{Data, Model};

/// Faces of a tetrahedron, each followed by the vertex opposite to it.
const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2], [1, 3, 2, 0]];

/// The elements of all flexes, where they are.
#[derive(Clone, Copy)]
pub(super) struct Elements<'a> {
    pub(super) model: &'a Model,
    pub(super) data: &'a Data,
    pub(super) settings: &'a CcdSettings,
}

/// The objects of a contact: geom, flex, element and vertex of each side, -1 for none.
#[derive(Clone, Copy)]
pub(super) struct Ids {
    pub(super) geom: [i32; 2],
    pub(super) flex: [i32; 2],
    pub(super) elem: [i32; 2],
    pub(super) vert: [i32; 2],
}

pub(super) const NOTHING: Ids = Ids { geom: [-1; 2], flex: [-1; 2], elem: [-1; 2], vert: [-1; 2] };

/// Appends contacts with the given objects.
pub(super) fn add_contacts(
    points: &[ContactPoint],
    ids: Ids,
    params: &ContactParams,
    list: &mut ContactList,
) {
    for point in points {
        let Ok(frame) = make_frame(&point.normal, Some(&point.tangent)) else { continue };
        let contact = list.next();
        params.write(contact);
        contact.dist = point.dist;
        contact.pos = point.pos.into();
        contact.frame = frame;
        contact.mu = 0.0;
        contact.H = [0.0; 36];
        [contact.geom1, contact.geom2] = ids.geom;
        (contact.geom, contact.flex, contact.elem, contact.vert) = (ids.geom, ids.flex, ids.elem, ids.vert);
        contact.exclude = i32::from(point.dist >= contact.includemargin);
        contact.efc_address = -1;
    }
}

impl<'a> Elements<'a> {
    /// Whether the bits of a geom and a flex allow a contact.
    pub(super) fn bits_allow(&self, geom: usize, flex: usize) -> bool {
        let model = self.model;
        bits_allow(
            model.geom_contype[geom],
            model.geom_conaffinity[geom],
            model.flex_contype[flex],
            model.flex_conaffinity[flex],
        )
    }

    /// Whether an element is near enough to the surface of a solid to collide with it.
    pub(super) fn is_active(&self, flex: usize, element: usize) -> bool {
        let model = self.model;
        model.flex_dim[flex] < 3
            || model.flex_elemlayer[model.flex_elemadr[flex] as usize + element]
                < model.flex_activelayers[flex]
    }

    /// Vertices of an element, counted from the first of the flex.
    fn corners(&self, flex: usize, element: usize) -> &'a [i32] {
        let count = self.model.flex_dim[flex] as usize + 1;
        &element_vertices(self.model, flex)[element * count..(element + 1) * count]
    }

    fn vertex(&self, flex: usize, vertex: i32) -> [f64; 3] {
        self.data.flexvert_xpos[self.model.flex_vertadr[flex] as usize + vertex as usize]
    }

    fn aabb(&self, flex: usize, element: usize) -> &'a [f64; 6] {
        &self.data.flexelem_aabb[self.model.flex_elemadr[flex] as usize + element]
    }

    fn simplex(&self, flex: usize, element: usize) -> Simplex {
        let [x, y, z, ..] = *self.aabb(flex, element);
        let vertices = self.corners(flex, element).iter().map(|&v| self.vertex(flex, v));
        Simplex::new(vertices, [x, y, z], self.model.flex_radius[flex])
    }

    /// A triangle, if the flex is a surface.
    pub(super) fn triangle(&self, flex: usize, element: usize) -> Option<Triangle> {
        let &[a, b, c] = self.corners(flex, element) else { return None };
        let corners = [a, b, c].map(|v| Vec3::from(self.vertex(flex, v)));
        Some(Triangle { corners, radius: self.model.flex_radius[flex] })
    }

    /// Pose and half length of the capsule of an element, if the flex is a line.
    fn capsule(&self, flex: usize, element: usize) -> Option<(Pose, f64)> {
        let &[a, b] = self.corners(flex, element) else { return None };
        let [a, b] = [a, b].map(|v| Vec3::from(self.vertex(flex, v)));
        let mut axis = a - b;
        let length = normalize3(&mut axis);
        Some((Pose { pos: (a + b) * 0.5, mat: quat_to_mat(&quat_z_to_vec(&axis)) }, 0.5 * length))
    }

    /// Bodies of the vertices of an element; none of an interpolated flex.
    fn bodies(&self, flex: usize, element: usize) -> impl Iterator<Item = i32> + Clone + use<'a> {
        let first = self.model.flex_vertadr[flex] as usize;
        let bodies = &self.model.flex_vertbodyid[first..];
        self.corners(flex, element).iter().map(move |&v| bodies[v as usize]).filter(|&body| body >= 0)
    }

    /// Contacts of a plane with all vertices of a flex.
    pub(super) fn plane_flex(&self, geom: usize, flex: usize, list: &mut ContactList) {
        let Elements { model, data, .. } = *self;
        let margin = assigned_margin(model, model.geom_margin[geom] + model.flex_margin[flex]);
        let surfaces = [Surface::geom(model, geom), Surface::flex(model, flex)];
        let params = ContactParams::of_surfaces(model, surfaces, margin);
        let (origin, mat) = (Vec3::from(data.geom_xpos[geom]), &data.geom_xmat[geom]);
        let normal = Vec3::new(mat[2], mat[5], mat[8]);
        let radius = model.flex_radius[flex];
        for (v, vertex) in data.flexvert_xpos[vertex_range(model, flex)].iter().enumerate() {
            let vertex = Vec3::from(*vertex);
            let height = (vertex - origin).dot(&normal);
            // a height that is not a number makes no contact
            let near = height <= margin + radius;
            if !near {
                continue;
            }
            let dist = height - radius;
            let pos = vertex + normal * (-dist * 0.5 - radius);
            let point = ContactPoint { dist, pos, normal, tangent: Vec3::zeros() };
            let ids =
                Ids { geom: [geom as i32, -1], flex: [-1, flex as i32], vert: [-1, v as i32], ..NOTHING };
            add_contacts(&[point], ids, &params, list);
        }
    }

    /// Contacts of a geom and an element.
    pub(super) fn geom_element(
        &self,
        geom: usize,
        flex: usize,
        element: usize,
        narrow: &mut NarrowScratch,
        list: &mut ContactList,
    ) {
        let Elements { model, data, .. } = *self;
        let margin = assigned_margin(model, model.geom_margin[geom] + model.flex_margin[flex]);
        let reach = model.geom_rbound[geom] + margin;
        if model.disabled(DisableBit::Midphase)
            && !sphere_meets_box(&data.geom_xpos[geom], reach, self.aabb(flex, element))
        {
            return;
        }
        let body = model.geom_bodyid[geom];
        if self.bodies(flex, element).any(|other| other == body) {
            return;
        }
        narrow.points.clear();
        self.geom_element_points(geom, flex, element, margin, narrow);
        if narrow.points.is_empty() {
            return;
        }
        let surfaces = [Surface::geom(model, geom), Surface::flex(model, flex)];
        let params = ContactParams::of_surfaces(model, surfaces, margin);
        let ids =
            Ids { geom: [geom as i32, -1], flex: [-1, flex as i32], elem: [-1, element as i32], ..NOTHING };
        add_contacts(&narrow.points, ids, &params, list);
    }

    /// Contact points of a geom and an element: by a formula where there is one, or by search.
    fn geom_element_points(
        &self,
        geom: usize,
        flex: usize,
        element: usize,
        margin: f64,
        narrow: &mut NarrowScratch,
    ) {
        let Elements { model, data, settings } = *self;
        let NarrowScratch { points: out, ccd, .. } = narrow;
        if self.capsule_points(geom, flex, element, margin, out)
            || self.triangle_points(geom, flex, element, margin, out)
        {
            return;
        }
        let (pose, simplex) = (geom_pose(data, geom), self.simplex(flex, element));
        if model.geom_type[geom] == GeomType::Hfield {
            if let Ok(field) = usize::try_from(model.geom_dataid[geom]) {
                let field = height_field(model, field);
                hfield_simplex(&field, &pose, &simplex, margin, settings, ccd.get(), out);
            }
            return;
        }
        let Some(shape) = geom_shape(model, geom) else { return };
        convex_simplex(&shape, &pose, &simplex, margin, settings, ccd.get(), out);
        if model.flex_dim[flex] == 2 {
            for point in out {
                if let Some(normal) = surface_normal(&shape, &pose, &point.pos, &point.normal) {
                    point.normal = normal;
                }
            }
        }
    }

    /// Contact points of a geom and a line, if there is a formula for them.
    fn capsule_points(
        &self,
        geom: usize,
        flex: usize,
        element: usize,
        margin: f64,
        out: &mut Vec<ContactPoint>,
    ) -> bool {
        let Some((capsule, half_length)) = self.capsule(flex, element) else { return false };
        let (pose, size) = (geom_pose(self.data, geom), &self.model.geom_size[geom]);
        let radius = self.model.flex_radius[flex];
        match GeomType::try_from(self.model.geom_type[geom]) {
            Ok(GeomType::Sphere) => {
                sphere_capsule(&pose, size[0], &capsule, radius, half_length, margin, out);
            }
            Ok(GeomType::Capsule) => {
                capsule_capsule(&pose, size[0], size[1], &capsule, radius, half_length, margin, out);
            }
            Ok(GeomType::Box) => {
                capsule_box(&capsule, radius, half_length, &pose, &Vec3::from(*size), margin, out);
                out.iter_mut().for_each(|point| point.normal = -point.normal);
            }
            _ => return false,
        }
        true
    }

    /// Contact points of a geom and a triangle, if there is a formula for them.
    fn triangle_points(
        &self,
        geom: usize,
        flex: usize,
        element: usize,
        margin: f64,
        out: &mut Vec<ContactPoint>,
    ) -> bool {
        let Some(triangle) = self.triangle(flex, element) else { return false };
        let (pose, size) = (geom_pose(self.data, geom), &self.model.geom_size[geom]);
        match GeomType::try_from(self.model.geom_type[geom]) {
            Ok(GeomType::Sphere) => {
                sphere_triangle(&pose.pos, size[0], &triangle, margin, out);
            }
            Ok(GeomType::Capsule) => capsule_triangle(&pose, size[0], size[1], &triangle, margin, out),
            Ok(GeomType::Box) => box_triangle(&pose, &Vec3::from(*size), &triangle, margin, out),
            _ => return false,
        }
        true
    }

    /// Contacts of two elements, of the same flex or not, unless they share a body.
    pub(super) fn two_elements(
        &self,
        pair: [(usize, usize); 2],
        narrow: &mut NarrowScratch,
        list: &mut ContactList,
    ) {
        if self.boxes_meet(pair) {
            let [mut first, second] = pair.map(|(flex, element)| self.bodies(flex, element));
            if !first.any(|a| second.clone().any(|b| a == b)) {
                self.separate_elements(pair, narrow, list);
            }
        }
    }

    /// Margin between two flexes; one of a flex against itself would never let go.
    fn flex_margin(&self, flex1: usize, flex2: usize) -> f64 {
        let model = self.model;
        if flex1 == flex2 {
            0.0
        } else {
            assigned_margin(model, model.flex_margin[flex1] + model.flex_margin[flex2])
        }
    }

    /// Whether the boxes of two elements overlap.
    pub(super) fn boxes_meet(&self, [(flex1, element1), (flex2, element2)]: [(usize, usize); 2]) -> bool {
        let margin = self.flex_margin(flex1, flex2);
        boxes_meet(self.aabb(flex1, element1), self.aabb(flex2, element2), margin)
    }

    /// Contacts of two elements that share no body and whose boxes overlap.
    pub(super) fn separate_elements(
        &self,
        [(flex1, element1), (flex2, element2)]: [(usize, usize); 2],
        narrow: &mut NarrowScratch,
        list: &mut ContactList,
    ) {
        let Elements { model, settings, .. } = *self;
        let margin = self.flex_margin(flex1, flex2);
        narrow.points.clear();
        let out = &mut narrow.points;
        if let (Some((pose1, half1)), Some((pose2, half2))) =
            (self.capsule(flex1, element1), self.capsule(flex2, element2))
        {
            let [radius1, radius2] = [flex1, flex2].map(|flex| model.flex_radius[flex]);
            capsule_capsule(&pose1, radius1, half1, &pose2, radius2, half2, margin, out);
        } else {
            let (first, second) = (self.simplex(flex1, element1), self.simplex(flex2, element2));
            simplex_simplex(&first, &second, margin, settings, narrow.ccd.get(), out);
        }
        if narrow.points.is_empty() {
            return;
        }
        let surfaces = [flex1, flex2].map(|flex| Surface::flex(model, flex));
        let mut params = ContactParams::of_surfaces(model, surfaces, margin);
        if flex1 == flex2 {
            params = params.without_margin();
        }
        let ids =
            Ids { flex: [flex1 as i32, flex2 as i32], elem: [element1 as i32, element2 as i32], ..NOTHING };
        add_contacts(&narrow.points, ids, &params, list);
    }

    /// Contacts between neighbouring elements, and within tetrahedra that are about to turn inside out.
    pub(super) fn internal(&self, flex: usize, narrow: &mut NarrowScratch, list: &mut ContactList) {
        let model = self.model;
        let surfaces = [Surface::flex(model, flex), Surface::flex(model, flex)];
        let first = model.flex_evpairadr[flex].max(0) as usize;
        let params = ContactParams::of_surfaces(model, surfaces, 0.0).without_margin();
        for &[element, vertex] in &model.flex_evpair[first..first + model.flex_evpairnum[flex] as usize] {
            self.element_vertex(flex, element as usize, vertex, &params, narrow, list);
        }
        if model.flex_dim[flex] != 3 {
            return;
        }
        let params = params.without_friction();
        for element in 0..model.flex_elemnum[flex] as usize {
            self.within_tetrahedron(flex, element, &params, list);
        }
    }

    /// Contact of an element with a vertex of its neighbour.
    fn element_vertex(
        &self,
        flex: usize,
        element: usize,
        vertex: i32,
        params: &ContactParams,
        narrow: &mut NarrowScratch,
        list: &mut ContactList,
    ) {
        let model = self.model;
        let (radius, centre) = (model.flex_radius[flex], self.vertex(flex, vertex));
        let reach = assigned_margin(model, model.flex_margin[flex]) + radius;
        if !sphere_meets_box(&centre, reach, self.aabb(flex, element)) {
            return;
        }
        narrow.points.clear();
        let out = &mut narrow.points;
        let centre = Vec3::from(centre);
        if let Some((capsule, half_length)) = self.capsule(flex, element) {
            let sphere = Pose { pos: centre, mat: Mat3::identity() };
            sphere_capsule(&sphere, radius, &capsule, radius, half_length, 0.0, out);
        } else if let Some(triangle) = self.triangle(flex, element) {
            sphere_triangle(&centre, radius, &triangle, 0.0, out);
        }
        let ids = Ids { flex: [flex as i32; 2], elem: [-1, element as i32], vert: [vertex, -1], ..NOTHING };
        add_contacts(&narrow.points, ids, params, list);
    }

    /// Contacts of the faces of a tetrahedron with the vertices opposite to them.
    fn within_tetrahedron(
        &self,
        flex: usize,
        element: usize,
        params: &ContactParams,
        list: &mut ContactList,
    ) {
        let &[a, b, c, d] = self.corners(flex, element) else { return };
        let vertices = [a, b, c, d];
        let reach = 2.0 * self.model.flex_radius[flex];
        for face in FACES {
            let [p0, p1, p2, apex] = face.map(|k| Vec3::from(self.vertex(flex, vertices[k])));
            let mut normal = (p1 - p0).cross(&(p2 - p0));
            normalize3(&mut normal);
            let height = (apex - p0).dot(&normal);
            if height <= -reach {
                continue;
            }
            let point = ContactPoint {
                dist: -height - reach,
                pos: apex - normal * (0.5 * height),
                normal: -normal,
                tangent: Vec3::zeros(),
            };
            let ids = Ids {
                flex: [flex as i32; 2],
                elem: [element as i32, -1],
                vert: [-1, vertices[face[3]]],
                ..NOTHING
            };
            add_contacts(&[point], ids, params, list);
        }
    }
}
