//! Contacts: discs at their points, their frames, and arrows for their forces.

use super::islands::island_color;
use crate::scene::enums::{FrameMode, LabelMode, VisFlag};
use crate::scene::geom::single;
use crate::scene::label::Label;
use crate::scene::painter::{Painter, decor, shifted, text};
use kinetree_math::rot::mat3;
use kinetree_math::{MINVAL, Vec3};
use kinetree_model::enums::{GeomType, ObjType};
use kinetree_model::{Contact, mj_id2name};
use kinetree_sim::mj_contact_force;

impl Painter<'_> {
    /// All contacts.
    pub(in crate::scene) fn add_contacts(&mut self) {
        let opt = self.opt;
        let points = opt.shows(VisFlag::Contactpoint);
        let forces = opt.shows(VisFlag::Contactforce);
        let frames = opt.frames(FrameMode::Contact);
        if !points && !forces && !frames {
            return;
        }
        let data = self.data;
        for (id, contact) in data.contact.iter().enumerate().take(data.ncon) {
            if points {
                self.add_contact_point(id, contact);
            }
            if frames {
                let f = &contact.frame;
                let mat = [f[0], f[3], f[6], f[1], f[4], f[7], f[2], f[5], f[8]];
                self.add_frame(id, &contact.pos, &mat, self.frame_size().map(|size| size / 2.0));
            }
            if forces && contact.efc_address >= 0 {
                self.add_contact_force(id, contact);
            }
        }
    }

    /// A disc across the normal, as thick as the bodies overlap.
    fn add_contact_point(&mut self, id: usize, contact: &Contact) {
        let vis = &self.model.vis;
        let [width, height] = [vis.scale.contactwidth, vis.scale.contactheight]
            .map(|s| (f64::from(s) * self.meansize()) as f32);
        let f = &contact.frame;
        let mut geom = decor(ObjType::Unknown, id);
        geom.type_ = GeomType::Cylinder as i32;
        geom.size = [width, width, height.max((-contact.dist / 2.0) as f32)];
        geom.pos = single(&contact.pos);
        // tangents, then the normal
        geom.mat = single(&[f[3], f[6], f[0], f[4], f[7], f[1], f[5], f[8], f[2]]);
        let row = contact.efc_address;
        geom.rgba = if row < 0 {
            vis.rgba.contactgap
        } else if self.opt.shows(VisFlag::Island) {
            island_color(self.island_of_row(row), true)
        } else {
            vis.rgba.contactpoint
        };
        if self.opt.labels(LabelMode::Contactpoint) {
            let [first, second] = [0, 1].map(|side| self.contact_label(contact, side));
            geom.label = text(format_args!("{first} | {second}"));
        }
        self.add(geom);
    }

    /// What touches on one side of a contact: a geom, or an element or vertex of a flex.
    fn contact_label(&self, contact: &Contact, side: usize) -> Label {
        let (geom, flex) = (contact.geom[side], contact.flex[side]);
        let name = |kind, id: i32| usize::try_from(id).ok().and_then(|id| mj_id2name(self.model, kind, id));
        if geom >= 0 {
            return match name(ObjType::Geom, geom) {
                Some(name) => side_label(name),
                None => text(format_args!("g{geom}")),
            };
        }
        let (kind, part) = match contact.elem[side] {
            element if element >= 0 => ('e', element),
            _ => ('v', contact.vert[side]),
        };
        match name(ObjType::Flex, flex) {
            Some(name) => side_label(&text(format_args!("{name}.{kind}{part}"))),
            None => text(format_args!("f{flex}.{kind}{part}")),
        }
    }

    /// Arrows for a contact's force: one, or one for the normal and one for the friction part.
    fn add_contact_force(&mut self, id: usize, contact: &Contact) {
        let (model, opt) = (self.model, self.opt);
        // the data fits the model: that was checked when the scene was begun
        let Ok([x, y, z, ..]) = mj_contact_force(model, self.data, id) else { return };
        let force = if contact.dim < 3 { Vec3::new(x, 0.0, 0.0) } else { Vec3::new(x, y, z) };
        if force.norm() < MINVAL {
            return;
        }
        let split = opt.shows(VisFlag::Contactsplit) && contact.dim > 1;
        let colors = &model.vis.rgba;
        let parts = [
            (Vec3::new(force.x, 0.0, 0.0), &colors.contactforce),
            (Vec3::new(0.0, force.y, force.z), &colors.contactfriction),
        ];
        let whole = [(force, &colors.contactforce)];
        let owners = [0, 1].map(|side| match usize::try_from(contact.geom[side]) {
            Ok(geom) => model.geom_bodyid[geom],
            Err(_) => model.nbody as i32 + contact.flex[side],
        });
        // arrows point to what has the higher id; a force between two bodies points both ways
        let mut scale = f64::from(model.vis.map.force) / model.stat.meanmass;
        if owners[0] > owners[1] {
            scale = -scale;
        }
        let both = owners.iter().all(|&owner| owner > 0) && !split;
        let kind = if both { GeomType::Arrow2 } else { GeomType::Arrow };
        let width = f64::from(model.vis.scale.forcewidth) * self.meansize();
        let axes = mat3(&contact.frame);
        for (k, (local, rgba)) in if split { &parts[..] } else { &whole[..] }.iter().enumerate() {
            let world = axes.tr_mul(local);
            let mut geom = decor(ObjType::Unknown, id);
            geom.connect(kind, width, &contact.pos, &shifted(&contact.pos, &world.into(), scale));
            geom.rgba = **rgba;
            if k == 0 && opt.labels(LabelMode::Contactforce) {
                geom.label = super::number::three_digits(force.norm());
            }
            self.add(geom);
        }
    }
}

/// Names longer than this are cut, so that both sides of a contact fit into its label.
const SIDE_SIZE: usize = 47;

fn side_label(name: &str) -> Label {
    let mut end = name.len().min(SIDE_SIZE);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    Label::from(&name[..end])
}
