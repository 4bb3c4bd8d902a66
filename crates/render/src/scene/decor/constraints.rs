//! Equality constraints between points of bodies or sites.

use crate::scene::enums::{LabelMode, VisFlag};
use crate::scene::painter::{Painter, decor, label_of, point_of};
use kinetree_model::enums::{EqType, GeomType, ObjType};

impl Painter<'_> {
    /// Balls at both ends of active connect and weld constraints.
    pub(in crate::scene) fn add_constraints(&mut self) {
        if !self.opt.shows(VisFlag::Constraint) {
            return;
        }
        let (model, data) = (self.model, self.data);
        let radius = self.meansize() * f64::from(model.vis.scale.constraint);
        for eq in 0..model.neq {
            let weld = match EqType::try_from(model.eq_type[eq]) {
                Ok(EqType::Connect) => false,
                Ok(EqType::Weld) => true,
                _ => continue,
            };
            if data.eq_active[eq] == 0 {
                continue;
            }
            let [d0, d1, d2, d3, d4, d5, ..] = model.eq_data[eq];
            // a weld has its second anchor first
            let (near, far) = ([d0, d1, d2], [d3, d4, d5]);
            let anchors = if weld { [far, near] } else { [near, far] };
            let ids = [model.eq_obj1id[eq] as usize, model.eq_obj2id[eq].max(0) as usize];
            let colors = [&model.vis.rgba.connect, &model.vis.rgba.constraint];
            for end in 0..2 {
                let id = ids[end];
                let (pos, mat) = if model.eq_objtype[eq] == ObjType::Site {
                    (data.site_xpos[id], &data.site_xmat[id])
                } else {
                    (point_of(&data.xpos[id], &data.xmat[id], &anchors[end]), &data.xmat[id])
                };
                let mut geom = decor(ObjType::Equality, eq);
                geom.shape(GeomType::Sphere, &[radius; 3], &pos, mat, colors[end]);
                if self.opt.labels(LabelMode::Constraint) {
                    geom.label = label_of(model, ObjType::Equality, eq);
                }
                self.add(geom);
            }
        }
    }
}
