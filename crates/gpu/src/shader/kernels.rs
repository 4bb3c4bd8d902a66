//! WGSL for one model: its sizes as constants, the stages from `wgsl/`, and what is unrolled for it.

use super::compose::{Composer, Conditions};
use super::conditions::conditions;
use super::contacts::contact_groups;
use super::convex::{ListKernel, bounds_constants, list_kernels, search_points};
use super::double::in_double;
use super::modules::MODULES;
use super::solver::{hessian, settings};
use crate::features::capacity::{Rooms, Usual};
use crate::features::parameters::Table;
use crate::features::plan::Plan;
use crate::layout::buffer_layout::Layout;
use crate::layout::lanes::{HessianStorage, Lanes};
use crate::precision::Precision;
use kinetree_model::Model;
use std::fmt::Write;

/// A kernel of a step.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// Name of the stage.
    pub(crate) stage: &'static str,
    /// Entry point.
    pub(crate) entry: &'static str,
    pub(crate) grid: Grid,
    pub(crate) text: String,
}

/// What the workgroups of a kernel are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grid {
    /// So many for each world.
    Worlds(u32),
    /// One for each 32 worlds.
    Crowds,
    /// Lanes for what is in a list, as many as there are, in so many workgroups at most.
    List(u32),
}

/// The kernels of a step, in order.
pub(crate) fn kernels(
    plan: &Plan<'_>,
    table: &Table,
    rooms: Rooms,
    lanes: Lanes,
    layout: &Layout,
) -> Vec<Kernel> {
    let recipes = recipes(plan, table, rooms, lanes, layout);
    let mut kernels: Vec<Kernel> = recipes.iter().map(Recipe::kernel).collect();
    if layout.precision == Precision::Double {
        kernels.iter_mut().for_each(|kernel| kernel.text = in_double(&kernel.text));
    }
    kernels
}

/// What a kernel is composed of.
struct Recipe {
    stage: &'static str,
    entry: &'static str,
    grid: Grid,
    /// The module that it begins with.
    module: &'static str,
    /// Constants before all modules.
    start: String,
    conditions: Conditions,
    /// Generated texts under their names.
    inserts: Vec<(&'static str, String)>,
}

impl Recipe {
    fn composer(&self) -> Composer<'_> {
        let composer = Composer::new(MODULES, &self.conditions);
        self.inserts.iter().fold(composer, |composer, (name, text)| composer.insert(name, text))
    }

    fn kernel(&self) -> Kernel {
        let Self { stage, entry, grid, start, .. } = self;
        let text = format!("{start}{}", self.composer().compose(self.module));
        Kernel { stage, entry, grid: *grid, text }
    }
}

fn recipes(plan: &Plan<'_>, table: &Table, rooms: Rooms, lanes: Lanes, layout: &Layout) -> Vec<Recipe> {
    let conditions = conditions(plan, lanes, layout.precision);
    let maker = Maker { plan, constants: &table.constants, conditions, layout, rooms };
    let mut recipes = vec![maker.smooth()];
    recipes.extend(maker.bounds());
    recipes.extend(maker.searches());
    recipes.push(maker.contacts());
    if plan.clusters.are_several() {
        recipes.push(maker.solver(Solved::Cluster));
    }
    recipes.push(maker.solver(Solved::World));
    if rooms.usual.is_some() {
        recipes.push(maker.solver(Solved::CrowdedWorld));
    }
    if plan.sensors.is_some() {
        recipes.push(maker.sensors());
    }
    recipes
}

/// What recipes are made from.
struct Maker<'a> {
    plan: &'a Plan<'a>,
    /// Sizes and offsets of the model.
    constants: &'a str,
    conditions: Conditions,
    layout: &'a Layout,
    rooms: Rooms,
}

/// What a kernel of the solver is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Solved {
    Cluster,
    World,
    /// A world that the usual kernel has no room for.
    CrowdedWorld,
}

impl Maker<'_> {
    fn smooth(&self) -> Recipe {
        self.recipe("smooth", "smooth_dynamics", "smooth", smooth_lanes(self.plan.model), "")
    }

    fn bounds(&self) -> Option<Recipe> {
        let own = bounds_constants(self.plan)?;
        Some(self.recipe("bounds", "find_candidates", "convex_bounds", 32, &own))
    }

    fn searches(&self) -> Vec<Recipe> {
        let recipe = |ListKernel { stage, entry, module, workgroups, constants }: ListKernel| {
            // lanes have nothing to do with each other
            let start = format!("{}const LANES = 32u;\n{constants}\n", self.constants);
            let inserts = vec![("supports", self.plan.shapes.supports(false))];
            Recipe {
                grid: Grid::List(workgroups),
                start,
                inserts,
                ..self.recipe(stage, entry, module, 32, "")
            }
        };
        list_kernels(self.plan).into_iter().map(recipe).collect()
    }

    fn contacts(&self) -> Recipe {
        let mut own = format!("const MAX_POINTS = {}u;\n", self.plan.pairs.most_points());
        if self.plan.shapes.has_fields() {
            own += &search_points();
        }
        let mut recipe = self.recipe("contacts", "find_contacts", "collide", 32, &own);
        recipe.conditions.set("CONTACT_KERNEL", true);
        recipe.inserts.push(("contact_groups", contact_groups(self.plan)));
        recipe.inserts.push(("supports", self.plan.shapes.supports(true)));
        recipe
    }

    /// The kernel of a cluster or of a world.
    fn solver(&self, solved: Solved) -> Recipe {
        let clusters = &self.plan.clusters;
        let (width, lanes) = match solved {
            Solved::Cluster => (clusters.width(), clusters.lanes()),
            _ => (clusters.padded_width(), self.layout.solve_lanes),
        };
        let own = self.room(solved) + &settings(self.plan, self.layout.precision, width);
        let of_world = |stage| self.recipe(stage, "solve_constraints", "solve", lanes, &own);
        let mut recipe = match solved {
            Solved::Cluster => {
                let grid = Grid::Worlds(clusters.len() as u32);
                Recipe { grid, ..self.recipe("clusters", "solve_cluster", "solve", lanes, &own) }
            }
            Solved::World => of_world("solver"),
            Solved::CrowdedWorld => Recipe { grid: Grid::Crowds, ..of_world("crowded worlds") },
        };
        recipe.conditions.set("OF_CLUSTER", solved == Solved::Cluster);
        recipe.conditions.set("USUAL", solved == Solved::World && self.rooms.usual.is_some());
        recipe.conditions.set("CROWDED", solved == Solved::CrowdedWorld);
        recipe.conditions.set("HESSIAN_IN_MEMORY", HessianStorage::of(width) == HessianStorage::Scratch);
        recipe.inserts.push(("hessian", hessian(self.plan, width)));
        recipe
    }

    /// The solver alone is compiled for a capacity: it has rows and contacts in workgroup memory.
    fn room(&self, solved: Solved) -> String {
        let mut room = String::new();
        let Rooms { most, usual } = self.rooms;
        let all = Usual { contacts: most.contacts, rows: most.rows };
        let own = if solved == Solved::CrowdedWorld { all } else { usual.unwrap_or(all) };
        let _ = writeln!(room, "const MAX_CONTACTS = {}u;", own.contacts);
        let _ = writeln!(room, "const MAX_ROWS = NFIXED + {}u;", own.rows);
        if let (Solved::CrowdedWorld, Some(usual)) = (solved, usual) {
            let _ = writeln!(room, "const USUAL_CONTACTS = {}u;", usual.contacts);
            let _ = writeln!(room, "const USUAL_ROWS = NFIXED + {}u;", usual.rows);
            let _ = writeln!(room, "const MOST_DIM = {}u;", self.plan.pairs.largest_dimension());
        }
        let _ = writeln!(room, "const MAX_BLOCKS = NFIXED + MAX_CONTACTS;");
        let _ = writeln!(room, "const SCRATCH_JACOBIAN = {}u;", self.layout.jacobian);
        room
    }

    fn sensors(&self) -> Recipe {
        let mut own = Table::new(self.layout.precision);
        own.quantity("TIMESTEP", self.plan.model.opt.timestep);
        self.recipe("sensors", "read_sensors", "sensors", 32, &own.constants)
    }

    /// A kernel with a workgroup for each world, with constants of its `own`.
    fn recipe(
        &self,
        stage: &'static str,
        entry: &'static str,
        module: &'static str,
        lanes: usize,
        own: &str,
    ) -> Recipe {
        let sizes = format!("const LANES = {lanes}u;\nconst SUBGROUPS = {}u;\n", lanes / 32);
        let start = format!("{}{sizes}{own}\n", self.constants);
        let mut conditions = self.conditions.clone();
        conditions.set("ONE_SUBGROUP", lanes == 32);
        Recipe { stage, entry, grid: Grid::Worlds(1), module, start, conditions, inserts: Vec::new() }
    }
}

/// Lanes of the kernel of unconstrained dynamics: one for each body and dof, up to four subgroups.
fn smooth_lanes(model: &Model) -> usize {
    model.nbody.max(model.nv).next_multiple_of(32).min(128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::capacity::Capacity;
    use crate::features::contact_pairs::PairGroups;
    use crate::layout::model_parameters::write_model;
    use kinetree_model::Data;
    use kinetree_sim::static_pairs;
    use std::collections::BTreeMap;
    use wgpu::naga;

    /// What is wrong with a text, if it is not right WGSL.
    fn mistake(text: &str) -> Option<String> {
        let module = match naga::front::wgsl::parse_str(text) {
            Ok(module) => module,
            Err(error) => return Some(error.emit_to_string(text)),
        };
        let (flags, all) = (naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all());
        let checked = naga::valid::Validator::new(flags, all).validate(&module);
        checked.err().map(|error| error.emit_to_string(text))
    }

    /// Calls `f` with the plan of a model, with and without subgroups and in both precisions.
    fn everywhere(elements: &str, options: &str, mut f: impl FnMut(&Plan<'_>, Lanes, Precision)) {
        let text = format!("<mujoco><option {options}/>{elements}</mujoco>");
        let model = kinetree_spec::load_model_str(&text).expect("a model");
        let pairs = PairGroups::new(&model, &static_pairs(&model, &Data::new(&model)));
        let first_active = (model.neq > 0).then(|| vec![true; model.neq]);
        let plan = Plan::new(&model, pairs, true, first_active);
        for lanes in [Lanes::Subgroups, Lanes::Workgroup] {
            for precision in [Precision::Single, Precision::Double] {
                f(&plan, lanes, precision);
            }
        }
    }

    const CAPACITY: Capacity = Capacity { contacts: 16, rows: 48, candidates: 8 };
    /// With a kernel for crowded worlds, so that it is looked at, too.
    const ROOMS: Rooms = Rooms { most: CAPACITY, usual: Some(Usual { contacts: 8, rows: 24 }) };

    /// Whether all kernels of a model are right WGSL.
    fn examine(elements: &str, options: &str) {
        everywhere(elements, options, |plan, lanes, precision| {
            let layout = Layout::new(plan, CAPACITY, precision);
            let table = write_model(plan, &layout, true);
            for kernel in kernels(plan, &table, ROOMS, lanes, &layout) {
                assert_eq!(mistake(&kernel.text), None, "{}", kernel.stage);
            }
        });
    }

    /// Modules that were looked at by themselves, with what they import, and what is wrong with them.
    type Examined = BTreeMap<(&'static str, bool), Option<String>>;

    fn examine_modules(elements: &str, options: &str, examined: &mut Examined) {
        everywhere(elements, options, |plan, lanes, precision| {
            let layout = Layout::new(plan, CAPACITY, precision);
            let table = write_model(plan, &layout, true);
            for recipe in recipes(plan, &table, ROOMS, lanes, &layout) {
                let names = recipe.composer().compose_named(recipe.module).1;
                let is_double = precision == Precision::Double;
                for (name, _) in MODULES.iter().filter(|(name, _)| names.contains(name)) {
                    examined.entry((name, is_double)).or_insert_with(|| {
                        let text = format!("{}{}", recipe.start, recipe.composer().compose(name));
                        mistake(&if is_double { in_double(&text) } else { text })
                    });
                }
            }
        });
    }

    /// One free body for each shape, above a plane.
    const SHAPES: &str = "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>
        <hfield name='h' nrow='2' ncol='2' elevation='0 1 1 0' size='1 1 1 1'/></asset>
        <worldbody><geom type='plane' size='1 1 1'/><geom type='hfield' hfield='h'/>
        <body><freejoint/><geom size='.1'/></body>
        <body><freejoint/><geom type='capsule' size='.1 .1'/></body>
        <body><freejoint/><geom type='ellipsoid' size='.1 .2 .3'/></body>
        <body><freejoint/><geom type='cylinder' size='.1 .1'/></body>
        <body><freejoint/><geom type='box' size='.1 .1 .1'/></body>
        <body><freejoint/><geom type='mesh' mesh='m'/></body></worldbody>";

    /// Actuators, tendons and sensors with kernels of their own.
    const FEATURES: &str = "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>
        <hfield name='h' nrow='2' ncol='2' elevation='0 1 1 0' size='1 1 1 1'/></asset>
        <worldbody><geom type='plane' size='1 1 1'/><geom type='hfield' hfield='h' contype='0'/><site name='w'/>
        <geom type='mesh' mesh='m' contype='0'/><camera name='c' resolution='2 2'/>
        <body name='b'><joint name='j' range='-1 1' limited='true'/><geom name='g' size='.1' fluidshape='ellipsoid'/><site name='s' pos='0 0 1'/></body>
        <body name='d' pos='0 0 2'><joint type='ball' name='k' range='0 1' limited='true'/><geom size='.1'/></body></worldbody>
        <tendon><spatial name='t' armature='1' limited='true' range='0 2'><site site='w'/><site site='s'/></spatial></tendon>
        <equality><weld body1='b' body2='d'/></equality><actuator><adhesion body='b' ctrlrange='0 1'/><general body='d' biastype='affine' biasprm='1 0 -1'/><dcmotor joint='j' resistance='1' motorconst='1' inductance='1' lugre='1 1 1 1 1'/></actuator>
        <sensor><clock/><contact geom1='g' data='found force torque dist pos normal tangent' reduce='maxforce'/><force site='s'/><jointlimitfrc joint='j'/><jointlimitpos joint='k'/><tendonlimitvel tendon='t'/><e_kinetic/>
        <e_potential/><rangefinder site='s'/><rangefinder camera='c'/><insidesite site='w' objtype='body' objname='b'/><camprojection site='s' camera='c'/></sensor>";

    /// Forty bodies with muscles and tendons, which the solver cuts into clusters.
    fn many() -> String {
        let body = |k: usize| format!("<body pos='{k} 0 1'><joint name='j{k}'/><geom size='.1'/></body>");
        let bodies: String = (0..40).map(body).collect();
        format!(
            "<worldbody>{bodies}</worldbody><tendon><fixed name='t' armature='1' actuatorfrclimited='true' \
             actuatorfrcrange='-1 1'><joint joint='j0' coef='1'/></fixed></tendon>
             <actuator><muscle joint='j1' lengthrange='0 1'/><motor tendon='t'/></actuator>"
        )
    }

    /// So many dofs of one tree that the Hessian does not fit into registers, with gravity compensation.
    fn large() -> String {
        let open: String = (0..130).map(|_| "<body gravcomp='1' pos='0 0 .1'><joint actuatorgravcomp='true'/><geom size='.01' contype='0'/>").collect();
        format!("<worldbody>{open}{}</worldbody>", "</body>".repeat(130))
    }

    #[test]
    fn every_module_is_right_wgsl_by_itself() {
        let mut examined = Examined::new();
        for options in [
            "density='1' viscosity='1' integrator='implicitfast'",
            "cone='elliptic' integrator='RK4'",
            "solver='CG'",
        ] {
            examine_modules(FEATURES, options, &mut examined);
            examine_modules(SHAPES, options, &mut examined);
        }
        examine_modules(&many(), "", &mut examined);
        examine_modules(&large(), "", &mut examined);
        examine_modules(&large(), "solver='CG'", &mut examined);
        examine_modules(
            "<worldbody><geom type='box' size='1 1 1'/><body pos='0 0 2'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody>",
            "integrator='implicitfast'",
            &mut examined,
        );
        examine_modules(
            "<worldbody><site name='a'/><geom name='g' size='.1'/><body pos='0 0 1'><joint/><geom size='.1'/><site name='b'/></body></worldbody>
             <tendon><spatial><site site='a'/><geom geom='g'/><site site='b'/></spatial></tendon>",
            "",
            &mut examined,
        );
        let wrong: Vec<_> =
            examined.iter().filter_map(|(name, mistake)| Some((name, mistake.as_ref()?))).collect();
        let text: String = wrong.iter().map(|(name, mistake)| format!("{name:?}: {mistake}\n")).collect();
        assert!(wrong.is_empty(), "{text}");
        // that of functions of the user has constants of its own
        let known = |name: &str| examined.keys().any(|(known, _)| *known == name) || name == "functions";
        let missing: Vec<_> = MODULES.iter().map(|(name, _)| *name).filter(|name| !known(name)).collect();
        assert!(missing.is_empty(), "no kernel imports {missing:?}");
    }

    #[test]
    fn kernels_of_all_features_are_right_wgsl() {
        examine(FEATURES, "density='1' viscosity='1' integrator='implicitfast'");
        examine(FEATURES, "cone='elliptic' integrator='RK4'");
        examine(FEATURES, "solver='CG' cone='elliptic' density='1' integrator='implicitfast'");
    }

    #[test]
    fn kernels_of_all_shapes_are_right_wgsl() {
        examine(SHAPES, "");
        examine(SHAPES, "cone='elliptic' integrator='implicitfast'");
        examine(SHAPES, "integrator='RK4'");
        examine(SHAPES, "solver='CG'");
    }
}
