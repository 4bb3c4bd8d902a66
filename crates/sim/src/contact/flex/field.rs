//! Contacts of a surface of triangles with a signed distance field.

use super::elements::{Elements, Ids, NOTHING, add_contacts};
use super::tree::{flex_tree, world};
use crate::contact::contact_list::ContactList;
use crate::contact::field::{FieldScratch, descent_settings, geom_field, watch_fields};
use crate::contact::geom_shape::geom_pose;
use crate::contact::narrow::NarrowScratch;
use crate::contact::params::{ContactParams, Surface, assigned_margin};
use kinetree_collide::sdf::{FieldBody, deepest_in_triangles};
use kinetree_math::Vec3;

impl Elements<'_> {
    /// Contacts of a signed distance field with a flex. Lines and solids have none.
    pub(super) fn field_flex(
        &self,
        geom: usize,
        flex: usize,
        narrow: &mut NarrowScratch,
        list: &mut ContactList,
    ) {
        let Elements { model, data, .. } = *self;
        let Some(field) = geom_field(model, data, geom).filter(|_| model.flex_dim[flex] == 2) else { return };
        let field = field.recorded(&narrow.fields);
        let body = FieldBody::new(field.as_field(), &geom_pose(data, geom), &world());
        let tree = flex_tree(model, data, flex);
        let count = model.flex_elemnum[flex] as usize;
        let corners = |element: i32| {
            self.triangle(flex, element as usize).map_or([Vec3::zeros(); 3], |triangle| triangle.corners)
        };
        let NarrowScratch { fields, points, .. } = narrow;
        points.clear();
        let margin = assigned_margin(model, model.geom_margin[geom] + model.flex_margin[flex]);
        let surfaces = [Surface::geom(model, geom), Surface::flex(model, flex)];
        let params = ContactParams::of_surfaces(model, surfaces, margin);
        let mark = fields.marker(model.flex_bvhadr[flex]);
        watch_fields(model, &[&field], fields, |scratch| {
            let FieldScratch { known, candidates, deepest, stack, .. } = scratch;
            let settings = descent_settings(model);
            deepest_in_triangles(
                corners,
                (tree.as_ref(), mark),
                count,
                &body,
                &settings,
                (candidates, stack),
                deepest,
            );
            known.clear();
            for (i, candidate) in deepest.iter().enumerate() {
                if tree.is_none() && i > 0 && deepest[i - 1].triangle != candidate.triangle {
                    // of a surface without a tree each triangle is by itself
                    known.clear();
                }
                points.clear();
                body.add_contact(candidate, 1.0, known, points);
                let (elem, flex) = ([-1, candidate.triangle], [-1, flex as i32]);
                add_contacts(points, Ids { geom: [geom as i32, -1], flex, elem, ..NOTHING }, &params, list);
            }
        });
    }
}
