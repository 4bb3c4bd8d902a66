//! `<replicate>`, `<attach>` and the sub-models that the asset section names.

use std::collections::HashMap;

use kinetree_math::rot;
use kinetree_model::{checkpoint, claim};

use super::reader::{Reader, SubModel, model_path};
use super::scope::Scope;
use crate::diagnostics::Severity;
use crate::spec::attach::{Branch, Grafted, Replicator};
use crate::spec::names::{Affix, Renaming};
use crate::spec::{Body, BodyId, Compiler, DefaultId, Frame, Spec};
use crate::xml::Node;

/// Most copies one replicate may ask for.
const MAX_REPLICATES: i32 = 1_000_000;

/// A `<replicate>` whose content is being read.
pub(super) struct Replicate<'n> {
    node: Node<'n>,
    /// Where the copies go.
    scope: Scope,
    class: DefaultId,
    count: i32,
    steps: Steps,
    separator: &'n str,
}

/// Position and orientation of the copies of a replicate.
struct Steps {
    offset: [f64; 3],
    euler: [f64; 3],
}

impl Steps {
    fn quat(&self, count: f64, compiler: &Compiler) -> [f64; 4] {
        let radians = |angle: f64| if compiler.degree { angle / 180.0 * std::f64::consts::PI } else { angle };
        let angles = self.euler.map(|angle| radians(count * angle));
        let seq = std::str::from_utf8(&compiler.eulerseq).unwrap_or("xyz");
        rot::euler_to_quat(&angles, seq).unwrap_or([1.0, 0.0, 0.0, 0.0])
    }
}

impl Reader<'_> {
    /// Begins a `<replicate>`. Its content is read into a body of its own, the scope that is returned.
    pub(super) fn begin_replicate<'n>(
        &mut self,
        node: Node<'n>,
        scope: Scope,
    ) -> Option<(Replicate<'n>, Scope)> {
        self.log.required(node, "count");
        let count: i32 = self.log.maybe_number(node, "count").unwrap_or(0);
        if count > MAX_REPLICATES {
            self.log.error(node.pos(), format!("a replicate makes at most {MAX_REPLICATES} copies"));
            return None;
        }
        let mut steps = Steps { offset: [0.0; 3], euler: [0.0; 3] };
        self.log.exact(node, "offset", &mut steps.offset);
        self.log.exact(node, "euler", &mut steps.euler);
        let separator = self.log.text(node, "sep").unwrap_or_default();
        let class = self.child_class(node, scope);
        let body =
            self.spec.add_body(scope.body, Body { origin: self.origin(node, class), ..Body::default() });
        let replicate = Replicate { node, scope, class, count, steps, separator };
        Some((replicate, Scope { body, frame: None, class }))
    }

    /// Ends a `<replicate>`: what was read is copied from its body, which goes.
    pub(super) fn finish_replicate(&mut self, replicate: &Replicate<'_>, content: BodyId) {
        if !self.log.has_errors() {
            let branch = Branch::below(&self.spec, content).into_owned();
            self.replicate(replicate, &branch);
        }
        // at level 4.0 keyframes do not know of it
        let whole = self.spec.reference().replicated_keys().then(|| std::mem::take(&mut self.spec.keys));
        self.spec.delete_body_and_referrers(content);
        if let Some(keys) = whole {
            self.spec.keys = keys;
        }
        let mut keys = std::mem::take(&mut self.spec.attached_keys);
        keys.iter_mut().for_each(|key| key.prune(&self.spec));
        self.spec.attached_keys = keys;
    }

    fn replicate(&mut self, replicate: &Replicate<'_>, branch: &Branch<'_>) {
        let &Replicate { node, scope, class, count, ref steps, separator } = replicate;
        // at level 4.0 keyframes are those of the whole model
        let has_own_keys = !self.spec.reference().replicated_keys();
        let own_keys = match has_own_keys.then(|| self.spec.assigned_keys()).transpose() {
            Ok(keys) => keys.unwrap_or_default(),
            Err(error) => {
                self.log.error(error.pos, format!("{error} (when <replicate> is reached)"));
                return;
            }
        };
        let rotation = steps.quat(1.0, self.spec.compiler());
        let (mut pos, mut quat) = ([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
        let width = count.to_string().len();
        let mut replicator = Replicator::new(&self.spec);
        for i in 0..count {
            checkpoint();
            if let Err(lack) = claim("a copy", branch.bytes()) {
                self.log.error(node.pos(), lack.to_string());
                return;
            }
            // orientations are not accumulated, to keep their precision
            quat = if i == 0 { quat } else { steps.quat(f64::from(i), self.spec.compiler()) };
            let frame = Frame {
                origin: self.origin(node, class),
                pos,
                quat,
                parent: scope.frame,
                ..Frame::default()
            };
            let frame = self.spec.add_frame(scope.body, frame);
            (pos, quat) = advance(pos, quat, steps.offset, rotation);
            let suffix = format!("{separator}{i:0width$}");
            let affix = Affix { prefix: "", suffix: &suffix };
            let grafted = match replicator.copy(&mut self.spec, branch, (scope.body, frame), affix) {
                Ok(grafted) => grafted,
                Err(error) => {
                    self.log.error(node.pos(), error.to_string());
                    return;
                }
            };
            if i == 0 {
                // values that keyframes already hold for the content move on to its first copy
                for key in &mut self.spec.attached_keys {
                    *key = key.moved(Affix::default(), &grafted, &HashMap::new(), true);
                }
            }
            let keys = own_keys.iter().map(|key| key.moved(affix, &grafted, &HashMap::new(), true));
            self.spec.attached_keys.extend(keys);
        }
        // the keyframes themselves now belong to the elements that were there before
        if count > 0 && has_own_keys {
            self.spec.attached_keys.extend(own_keys);
            self.spec.keys = Default::default();
        }
    }

    /// Reads a `<model>` of the asset section.
    pub(super) fn read_model(&mut self, node: Node<'_>) {
        let Some(path) = model_path(node, &self.spec.compiler().modelfiledir, self.vfs) else {
            self.log.required(node, "file");
            return;
        };
        let file = self.log.text(node, "file").unwrap_or_default();
        if self.chain.contains(&path) {
            self.log.error(node.pos(), format!("the model '{file}' contains itself"));
            return;
        }
        let Some(found) = self.read_models.remove(&(node.document(), node.id())) else { return };
        match found {
            Ok(mut spec) => {
                let name = self.log.text(node, "name").map_or_else(|| spec.modelname.clone(), str::to_owned);
                self.spec.adopt(&mut spec, &mut self.log.sources);
                self.models.push(SubModel { name, spec });
            }
            Err(findings) => {
                self.log.error(node.pos(), format!("the model '{file}' has errors"));
                let errors = findings.list.into_iter().filter(|finding| finding.severity == Severity::Error);
                self.log.list.extend(errors);
            }
        }
    }

    /// Reads an `<attach>`.
    pub(super) fn read_attach(&mut self, node: Node<'_>, scope: Scope) {
        let model = self.log.required_text(node, "model");
        let prefix = self.log.required_text(node, "prefix");
        let body = self.log.text(node, "body").unwrap_or_default();
        // a body that was attached before is only moved into the frame
        if let Some(known) = self.spec.find_body(&format!("{prefix}{body}")) {
            self.spec.bodies[known].frame = scope.frame;
            return;
        }
        let Some(index) = self.models.iter().position(|known| known.name == model) else {
            let help = crate::diagnostics::nearest(&model, self.models.iter().map(|m| m.name.as_str()));
            let help = help.map(|near| format!("did you mean '{near}'?"));
            self.log.report(Severity::Error, node.pos(), format!("there is no model '{model}'"), help);
            return;
        };
        let other = std::mem::take(&mut self.models[index].spec);
        self.attach(node, scope, &other, body, &prefix);
        self.models[index].spec = other;
    }

    fn attach(&mut self, node: Node<'_>, scope: Scope, other: &Spec, body: &str, prefix: &str) {
        let branch = if body.is_empty() {
            Branch::below(other, other.world())
        } else {
            match other.find_body(body) {
                Some(id) if id != other.world() => Branch::at(other, id),
                Some(id) => Branch::below(other, id),
                None => {
                    self.log.error(node.pos(), format!("the model has no body '{body}'"));
                    return;
                }
            }
        };
        let keys = match other.assigned_keys() {
            Ok(keys) => keys,
            Err(error) => {
                self.log.error(error.pos, error.to_string());
                return;
            }
        };
        let frame = match scope.frame {
            Some(frame) => frame,
            None => self
                .spec
                .add_frame(scope.body, Frame { origin: self.origin(node, scope.class), ..Frame::default() }),
        };
        // the origins were shifted when the other model was read
        let affix = Affix { prefix, suffix: "" };
        let renaming = Renaming::foreign(affix, None);
        let mut grafted: Grafted = self.spec.graft(&branch, scope.body, Some(frame), renaming);
        let actuators = self.spec.copy_foreign(other, branch.names(affix), renaming, &mut grafted);
        self.spec.attach_keys(other, &keys, renaming, &grafted, &actuators);
    }
}

/// A pose moved on by a step that is expressed in it.
fn advance(pos: [f64; 3], quat: [f64; 4], offset: [f64; 3], rotation: [f64; 4]) -> ([f64; 3], [f64; 4]) {
    let moved = rot::quat_rotate(&quat, &offset.into());
    ([pos[0] + moved[0], pos[1] + moved[1], pos[2] + moved[2]], rot::quat_mul(&quat, &rotation))
}
