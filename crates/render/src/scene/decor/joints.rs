//! Joints: arrows for hinges and slides, balls and boxes for ball and free joints; red as far as their limits
//! act.

use crate::scene::enums::{LabelMode, VisFlag};
use crate::scene::painter::{Painter, decor, in_group, label_of, shifted};
use kinetree_model::enums::{ConstraintType, GeomType, JointType, ObjType};

impl Painter<'_> {
    /// All joints.
    pub(in crate::scene) fn add_joints(&mut self) {
        if !self.opt.shows(VisFlag::Joint) {
            return;
        }
        let (model, data) = (self.model, self.data);
        let scale = &model.vis.scale;
        let [length, width] = [scale.jointlength, scale.jointwidth].map(|s| f64::from(s) * self.meansize());
        for joint in 0..model.njnt {
            if !in_group(&self.opt.jointgroup, model.jnt_group[joint]) {
                continue;
            }
            let anchor = &data.xanchor[joint];
            let mat = &data.xmat[model.jnt_bodyid[joint] as usize];
            let end = shifted(anchor, &data.xaxis[joint], length);
            let [r, g, b, _] = model.vis.rgba.joint;
            let [r, g, b] = self.limit_color([r, g, b], ConstraintType::LimitJoint, joint);
            let rgba = [r, g, b, 1.0];
            let mut geom = decor(ObjType::Joint, joint);
            match JointType::try_from(model.jnt_type[joint]) {
                Ok(JointType::Free) => geom.shape(GeomType::Box, &[0.3 * length; 3], anchor, mat, &rgba),
                Ok(JointType::Ball) => geom.shape(GeomType::Sphere, &[0.3 * length; 3], anchor, mat, &rgba),
                Ok(JointType::Slide) => geom.connect(GeomType::Arrow, width, anchor, &end),
                Ok(JointType::Hinge) => geom.connect(GeomType::Arrow1, width, anchor, &end),
                Err(_) => continue,
            }
            geom.rgba = rgba;
            if self.opt.labels(LabelMode::Joint) {
                geom.label = label_of(model, ObjType::Joint, joint);
            }
            self.add(geom);
        }
    }
}
