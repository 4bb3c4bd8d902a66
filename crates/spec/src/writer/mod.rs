//! The MJCF writer: a [`Spec`] as text.
//!
//! What is written is the description, not the compiled model: frames, default classes and asset names stay.
//! Angles are in radians and orientations are quaternions, so that one compiler section is enough for models
//! that were attached with other settings. An attribute that equals the value of its default class is left
//! out, and numbers have the shortest form that reads back to the same bits, so that reading what was written
//! gives the same model.

mod actuators;
mod assets;
mod book;
mod custom;
mod defaults;
mod deformable;
mod elements;
mod error;
mod number;
mod plugin;
mod relations;
mod resolve;
mod sensors;
mod settings;
mod soft;
mod tag;
mod tree;

pub use error::WriteError;

use kinetree_model::{Model, Opt, Visual};

use crate::spec::{Compiler, Key, Spec};
use crate::vfs::{self, Vfs};
use book::Book;
use tag::Tag;

impl Spec {
    /// The description as MJCF text.
    ///
    /// # Errors
    /// When it holds something that MJCF cannot express, or keyframes that only a compiled model can complete
    /// and it does not compile.
    pub fn to_xml(&self) -> Result<String, WriteError> {
        self.to_xml_with(None)
    }

    /// The description as MJCF text; where it has to be compiled, virtual files come before the disk.
    ///
    /// # Errors
    /// As [`Spec::to_xml`].
    pub fn to_xml_with(&self, vfs: Option<&Vfs>) -> Result<String, WriteError> {
        let compiled = self.depends_on_model().then(|| self.compile_with(vfs)).transpose();
        let compiled = compiled.map_err(WriteError::Compile)?;
        let mut spec = resolve::resolved(self)?;
        if let Some(model) = &compiled {
            spec.write_inertia(self, model)?;
        }
        let keys = spec.written_keys(compiled.as_ref());
        document(&spec, &keys)
    }

    /// As [`Spec::to_xml_with`], with numbers that are rounded to so many significant digits; 17 digits and
    /// more are as many as are needed to read back the same bits.
    ///
    /// # Errors
    /// As [`Spec::to_xml`].
    pub fn to_xml_rounded(&self, vfs: Option<&Vfs>, digits: usize) -> Result<String, WriteError> {
        number::with_digits(digits, || self.to_xml_with(vfs))
    }

    /// The description as MJCF text for a file in `folder`: asset folders are named so that they are found
    /// from there.
    ///
    /// # Errors
    /// As [`Spec::to_xml`].
    pub fn to_xml_in(&self, folder: &str, vfs: Option<&Vfs>) -> Result<String, WriteError> {
        let own = &self.compiler().modelfiledir;
        let folder =
            if folder.is_empty() || folder.ends_with('/') { folder.to_owned() } else { format!("{folder}/") };
        if *own == folder || own.is_empty() {
            return self.to_xml_with(vfs);
        }
        let mut moved = self.clone();
        for compiler in &mut moved.compilers {
            let full =
                |dir: &str| vfs::combine(&compiler.modelfiledir, if dir.is_empty() { "./" } else { dir });
            (compiler.meshdir, compiler.texturedir) = (full(&compiler.meshdir), full(&compiler.texturedir));
        }
        moved.to_xml_with(vfs)
    }

    /// Whether what is written has to be computed by the compiler.
    fn depends_on_model(&self) -> bool {
        let own = self.compiler();
        !self.attached_keys.is_empty()
            || own.saveinertial
            || self.compilers.iter().any(|other| inertia_settings(other) != inertia_settings(own))
    }

    /// Writes the compiled inertia into the bodies whose own settings would give another one than those of
    /// the main model, or into all of them when that is asked for. `self` is the resolved form of `source`.
    fn write_inertia(&mut self, source: &Spec, model: &Model) -> Result<(), WriteError> {
        let own = source.compiler();
        let all = own.saveinertial && !own.fusestatic;
        let differs = |compiler: &Compiler| inertia_settings(compiler) != inertia_settings(own);
        for (number, id) in source.subtree(source.world()).into_iter().enumerate().skip(1) {
            let foreign = differs(source.compiler_of(&source.bodies[id].origin));
            if foreign && (own.fusestatic || own.inertiafromgeom == crate::spec::InertiaFromGeom::True) {
                let what = "attached models with other inertia settings than the model itself";
                return Err(WriteError::Unsupported { what: what.to_owned() });
            }
            let (Some(body), true) = (self.bodies.get_mut(id), (foreign || all) && number < model.nbody)
            else {
                continue;
            };
            body.explicitinertial = true;
            body.fullinertia[0] = f64::NAN;
            (body.ipos, body.iquat) = (model.body_ipos[number], model.body_iquat[number]);
            (body.mass, body.inertia) = (model.body_mass[number], model.body_inertia[number]);
        }
        Ok(())
    }

    /// The keyframes of attached parts, completed from the model that this description compiles to.
    pub fn attached_keyframes(&self, model: &Model) -> Vec<Key> {
        self.written_keys(Some(model)).split_off(self.keyframes_before_attached())
    }

    /// How many keyframes come before those of attached parts.
    fn keyframes_before_attached(&self) -> usize {
        self.keys.values().count().max(usize::try_from(self.size.nkey).unwrap_or(0))
    }

    /// The keyframes; those of attached parts come completed from the compiled model.
    fn written_keys(&self, model: Option<&Model>) -> Vec<Key> {
        let mut keys: Vec<Key> = self.keys.values().cloned().collect();
        let Some(model) = model.filter(|_| !self.attached_keys.is_empty()) else { return keys };
        let first = self.keyframes_before_attached();
        keys.resize_with(first, Key::default);
        for (i, attached) in self.attached_keys.iter().enumerate() {
            let k = first + i;
            let row = |array: &[f64], width: usize| {
                array.get(k * width..(k + 1) * width).unwrap_or_default().to_vec()
            };
            let (mpos, mquat) = (model.key_mpos.as_flattened(), model.key_mquat.as_flattened());
            let given = |list: bool, values: Vec<f64>| if list { values } else { Vec::new() };
            keys.push(Key {
                name: attached.name.clone(),
                origin: attached.origin.clone(),
                time: attached.time,
                qpos: given(attached.qpos.is_some(), row(&model.key_qpos, model.nq)),
                qvel: given(attached.qvel.is_some(), row(&model.key_qvel, model.nv)),
                act: given(attached.act.is_some(), row(&model.key_act, model.na)),
                ctrl: given(attached.ctrl.is_some(), row(&model.key_ctrl, model.nu)),
                mpos: given(attached.mpos.is_some(), row(mpos, 3 * model.nmocap)),
                mquat: given(attached.mquat.is_some(), row(mquat, 4 * model.nmocap)),
            });
        }
        keys
    }
}

/// Settings that decide about the inertia of a body.
fn inertia_settings(c: &Compiler) -> (f64, f64, bool, crate::spec::InertiaFromGeom, [i32; 2]) {
    (c.boundmass, c.boundinertia, c.balanceinertia, c.inertiafromgeom, c.inertiagrouprange)
}

/// The sections in the reference's order; those that say nothing are left out.
fn document(spec: &Spec, keys: &[Key]) -> Result<String, WriteError> {
    let book = &Book::new(spec);
    let mut root = Tag::new("mujoco");
    root.set("model", &spec.modelname);
    root.push(settings::compiler(spec.compiler()));
    root.push_used(settings::option(&spec.option, &Opt::at(spec.reference())));
    root.push_used(settings::size(spec, keys.len()));
    root.push_used(settings::visual(&spec.visual, &Visual::at(spec.reference())));
    root.push_used(settings::statistic(spec));
    root.push_used(defaults::section(spec)?);
    root.push_used(plugin::extension(spec));
    root.push_used(custom::custom(spec));
    root.push_used(soft::soft(spec));
    root.push_used(assets::section(book)?);
    root.push_used(tree::worldbody(book)?);
    root.push_used(relations::contact(book));
    root.push_used(deformable::section(spec)?);
    root.push_used(relations::equality(book)?);
    root.push_used(relations::tendons(book));
    root.push_used(actuators::section(book)?);
    root.push_used(sensors::section(spec)?);
    root.push_used(custom::keyframe(keys));
    Ok(root.document(&spec.comment))
}
