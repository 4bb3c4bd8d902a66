//! What the kernels do not simulate: everything of a model that is in the list is refused when a simulator is
//! made.

use super::convex_shapes;
use crate::features::contact_pairs::Routine;
use crate::features::dc_motor::{is_consistent, is_motor};
use crate::features::nonlinear_transmission::NonlinearTransmissions;
use kinetree_model::enums::{
    BiasType, Cone, DisableBit, DynType, EnableBit, EqType, GainType, GeomType, Integrator, ObjType, Solver,
    TrnType,
};
use kinetree_model::{Model, Reference, mj_id2name};
use kinetree_sim::{StaticPair, tendon_constants};

/// Most dofs: each has a lane, and a workgroup has no more lanes.
pub(crate) const MOST_DOFS: usize = 256;

/// What to do about an integrator that is not covered.
const TAKE_INTEGRATOR: &str = "take Euler, implicitfast or RK4";

/// Every element that is not covered, with its name.
pub(crate) fn not_covered(model: &Model, pairs: &[StaticPair]) -> Vec<String> {
    let mut found = Findings { model, list: Vec::new() };
    found.sizes();
    found.options();
    found.callbacks();
    found.tendons();
    found.actuators();
    found.equalities();
    found.pairs(pairs);
    found.list
}

struct Findings<'a> {
    model: &'a Model,
    list: Vec<String>,
}

impl Findings<'_> {
    fn add(&mut self, condition: bool, what: impl FnOnce() -> String) {
        if condition {
            self.list.push(what());
        }
    }

    /// Kind and name of an element, or its number where it has no name.
    fn element(&self, kind: ObjType, word: &str, id: usize) -> String {
        match mj_id2name(self.model, kind, id) {
            Some(name) if !name.is_empty() => format!("{word} '{name}'"),
            _ => format!("{word} {id}"),
        }
    }

    fn sizes(&mut self) {
        let model = self.model;
        self.add(model.reference() != Reference::default(), || {
            format!("reference level {}", model.reference())
        });
        self.add(model.nv == 0, || "a model without degrees of freedom".to_owned());
        self.add(model.nv > MOST_DOFS, || format!("{} degrees of freedom (at most {MOST_DOFS})", model.nv));
        self.add(model.nflex > 0, || "flexes".to_owned());
        self.add(model.nplugin > 0, || "plugins".to_owned());
        let deformable: Vec<String> =
            model.deformable_bodies().map(|(name, _)| format!("deformable body '{name}'")).collect();
        self.list.extend(deformable);
        self.add(model.nhistory > 0, || "delays and histories of controls and sensors".to_owned());
    }

    fn options(&mut self) {
        let opt = &self.model.opt;
        let integrator = Integrator::try_from(opt.integrator);
        let simple = matches!(integrator, Ok(Integrator::Euler | Integrator::Implicitfast | Integrator::Rk4));
        self.add(!simple, || match integrator {
            Ok(integrator) => format!("the integrator {integrator:?} ({TAKE_INTEGRATOR})"),
            Err(_) => format!("integrator {} ({TAKE_INTEGRATOR})", opt.integrator),
        });
        let solver = Solver::try_from(opt.solver);
        self.add(!matches!(solver, Ok(Solver::Newton | Solver::Cg)), || {
            "solvers other than Newton and CG".to_owned()
        });
        self.add(Cone::try_from(opt.cone).is_err(), || format!("friction cone {}", opt.cone));
        self.add(opt.noslip_iterations > 0, || "noslip iterations (set 'noslip_iterations' to 0)".to_owned());
        self.add(self.model.enabled(EnableBit::Sleep), || {
            "sleeping trees (without the flag 'sleep' all stay awake)".to_owned()
        });
        self.add(self.model.disabled(DisableBit::Autoreset), || {
            "the flag that disables autoreset".to_owned()
        });
    }

    fn callbacks(&mut self) {
        let c = &self.model.callbacks;
        let any = c.control.is_some()
            || c.passive.is_some()
            || c.contactfilter.is_some()
            || c.act_dyn.is_some()
            || c.act_gain.is_some()
            || c.act_bias.is_some();
        self.add(any, || "callbacks".to_owned());
    }

    fn tendons(&mut self) {
        let model = self.model;
        let curved = NonlinearTransmissions::new(model);
        for t in 0..model.ntendon {
            let name = self.element(ObjType::Tendon, "tendon", t);
            let wrapped = tendon_constants(model, t).0 != 0.0 && curved.is_wrapped(model.nu + t);
            self.add(wrapped, || format!("the armature of {name}, which geoms bend"));
        }
    }

    fn actuators(&mut self) {
        let model = self.model;
        for u in 0..model.nu {
            let name = self.element(ObjType::Actuator, "actuator", u);
            let (gain, bias) = (model.actuator_gaintype[u], model.actuator_biastype[u]);
            let gains = [GainType::Fixed, GainType::Affine, GainType::Muscle];
            let biases = [BiasType::None, BiasType::Affine, BiasType::Muscle];
            let motor = is_motor(model, u);
            let simple_gain = motor || gains.iter().any(|&kind| gain == kind as i32);
            let simple_bias = motor || biases.iter().any(|&kind| bias == kind as i32);
            self.add(!simple_gain, || format!("the gain of {name}"));
            self.add(!simple_bias, || format!("the bias of {name}"));
            let dynamics = DynType::try_from(model.actuator_dyntype[u]);
            let simple = matches!(
                dynamics,
                Ok(DynType::None
                    | DynType::Integrator
                    | DynType::Filter
                    | DynType::Filterexact
                    | DynType::Muscle)
            );
            let covered =
                if motor { is_consistent(model, u) } else { simple && model.actuator_actnum[u] <= 1 };
            self.add(!covered, || format!("the activation of {name}"));
            let transmission = TrnType::try_from(model.actuator_trntype[u]);
            let unknown = matches!(transmission, Ok(TrnType::Undefined) | Err(_));
            self.add(unknown, || format!("the transmission of {name}"));
            // contacts are found after forces
            let curved = gain == GainType::Muscle as i32 || motor;
            self.add(transmission == Ok(TrnType::Body) && curved, || {
                format!("adhesion of {name} by a muscle or motor")
            });
        }
    }

    fn equalities(&mut self) {
        if self.model.disabled(DisableBit::Equality) || self.model.disabled(DisableBit::Constraint) {
            return;
        }
        for e in 0..self.model.neq {
            let kind = self.model.eq_type[e];
            let covered = [EqType::Joint, EqType::Tendon, EqType::Connect, EqType::Weld]
                .iter()
                .any(|&k| kind == k as i32);
            let name = self.element(ObjType::Equality, "equality", e);
            self.add(!covered, || name);
        }
    }

    fn pairs(&mut self, pairs: &[StaticPair]) {
        let (iterations, most) = (self.model.opt.ccd_iterations, convex_shapes::MOST_ITERATIONS);
        let routine = |pair: &StaticPair| Routine::of(&pair.geoms.map(|g| self.model.geom_type[g]));
        let searched = pairs.iter().filter_map(routine).any(Routine::is_search);
        self.add(searched && iterations > most as i32, || {
            format!("'ccd_iterations' of {iterations} (at most {most})")
        });
        for pair in pairs {
            let kinds = pair.geoms.map(|g| GeomType::try_from(self.model.geom_type[g]));
            if Routine::of(&pair.geoms.map(|g| self.model.geom_type[g])).is_none() {
                let names = pair.geoms.map(|g| self.element(ObjType::Geom, "geom", g));
                let kind = |k: Result<GeomType, _>| {
                    k.map_or("unknown".to_owned(), |k| format!("{k:?}").to_lowercase())
                };
                let [a, b] = kinds;
                self.list.push(format!(
                    "contacts of {} ({}) with {} ({})",
                    names[0],
                    kind(a),
                    names[1],
                    kind(b)
                ));
            }
        }
    }
}
