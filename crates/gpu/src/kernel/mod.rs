//! WGSL for one model: its sizes as constants, the stages from `wgsl/`, and what is unrolled for it.

mod contacts;
mod convex;
mod hessian;
mod sensors;
mod smooth;
mod solver;

use crate::clusters::Clusters;
use crate::double::in_double;
use crate::lanes::Lanes;
use crate::layout::{Capacity, Layout};
use crate::pairs::PairGroups;
use crate::precision::Precision;
use crate::switches::with_written_inputs;
use crate::table::Table;
use contacts::contact_kernel;
use convex::Search;
use kinetree_model::Model;
use sensors::sensor_kernel;
use smooth::smooth_kernel;
use solver::Solver;
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
    /// Lanes for what is in a list, as many as there are.
    List,
}

/// Parts of the kernels.
mod part {
    pub(super) const ADHESION: &str = include_str!("../wgsl/adhesion.wgsl");
    pub(super) const ADHESION_MOVING: &str = include_str!("../wgsl/adhesion_moving.wgsl");
    pub(super) const APPEND: &str = include_str!("../wgsl/append.wgsl");
    pub(super) const APPEND_GAPS: &str = include_str!("../wgsl/append_gaps.wgsl");
    pub(super) const BALL_LIMIT: &str = include_str!("../wgsl/ball_limit.wgsl");
    pub(super) const BODY_EQUALITY: &str = include_str!("../wgsl/body_equality.wgsl");
    pub(super) const BOX_BOX: &str = include_str!("../wgsl/box_box.wgsl");
    pub(super) const CAPSULE_BOX: &str = include_str!("../wgsl/capsule_box.wgsl");
    pub(super) const CLUSTERS_WHOLE: &str = include_str!("../wgsl/clusters_whole.wgsl");
    pub(super) const COLLIDE: &str = include_str!("../wgsl/collide.wgsl");
    pub(super) const COMMON: &str = include_str!("../wgsl/common.wgsl");
    pub(super) const CONE_ELLIPTIC: &str = include_str!("../wgsl/cone_elliptic.wgsl");
    pub(super) const CONE_ELLIPTIC_HESSIAN: &str = include_str!("../wgsl/cone_elliptic_hessian.wgsl");
    pub(super) const CONE_PYRAMIDAL: &str = include_str!("../wgsl/cone_pyramidal.wgsl");
    pub(super) const CONE_PYRAMIDAL_HESSIAN: &str = include_str!("../wgsl/cone_pyramidal_hessian.wgsl");
    pub(super) const CONVEX_BOUNDS: &str = include_str!("../wgsl/convex_bounds.wgsl");
    pub(super) const CONVEX_DEPTH: &str = include_str!("../wgsl/convex_depth.wgsl");
    pub(super) const CONVEX_DISTANCE: &str = include_str!("../wgsl/convex_distance.wgsl");
    pub(super) const CONVEX_ELLIPSOID: &str = include_str!("../wgsl/convex_ellipsoid.wgsl");
    pub(super) const CONVEX_EPA: &str = include_str!("../wgsl/convex_epa.wgsl");
    pub(super) const CONVEX_EPA_KERNEL: &str = include_str!("../wgsl/convex_epa_kernel.wgsl");
    pub(super) const CONVEX_FACE: &str = include_str!("../wgsl/convex_face.wgsl");
    pub(super) const CONVEX_FIRST: &str = include_str!("../wgsl/convex_first.wgsl");
    pub(super) const CONVEX_GJK: &str = include_str!("../wgsl/convex_gjk.wgsl");
    pub(super) const CONVEX_GJK_KERNEL: &str = include_str!("../wgsl/convex_gjk_kernel.wgsl");
    pub(super) const CONVEX_MANIFOLD: &str = include_str!("../wgsl/convex_manifold.wgsl");
    pub(super) const CONVEX_MANIFOLD_KERNEL: &str = include_str!("../wgsl/convex_manifold_kernel.wgsl");
    pub(super) const CONVEX_MESH: &str = include_str!("../wgsl/convex_mesh.wgsl");
    pub(super) const CONVEX_PENETRATION: &str = include_str!("../wgsl/convex_penetration.wgsl");
    pub(super) const CONVEX_POINTS: &str = include_str!("../wgsl/convex_points.wgsl");
    pub(super) const CONVEX_SHAPE: &str = include_str!("../wgsl/convex_shape.wgsl");
    pub(super) const CONVEX_SLOT: &str = include_str!("../wgsl/convex_slot.wgsl");
    pub(super) const CONVEX_SLOTS: &str = include_str!("../wgsl/convex_slots.wgsl");
    pub(super) const CONVEX_STATE: &str = include_str!("../wgsl/convex_state.wgsl");
    pub(super) const CONVEX_SUPPORT: &str = include_str!("../wgsl/convex_support.wgsl");
    pub(super) const CONVEX_TILT_KERNEL: &str = include_str!("../wgsl/convex_tilt_kernel.wgsl");
    pub(super) const FLUID: &str = include_str!("../wgsl/fluid.wgsl");
    pub(super) const FLUID_SLOPE: &str = include_str!("../wgsl/fluid_slope.wgsl");
    pub(super) const GEOM_POSE: &str = include_str!("../wgsl/geom_pose.wgsl");
    pub(super) const GEOMS: &str = include_str!("../wgsl/geoms.wgsl");
    pub(super) const HEIGHT_FIELD: &str = include_str!("../wgsl/height_field.wgsl");
    pub(super) const HESSIAN_MEMORY: &str = include_str!("../wgsl/hessian_memory.wgsl");
    pub(super) const HESSIAN_MEMORY_INVERSE: &str = include_str!("../wgsl/hessian_memory_inverse.wgsl");
    pub(super) const HESSIAN_MEMORY_NEWTON: &str = include_str!("../wgsl/hessian_memory_newton.wgsl");
    pub(super) const INTEGRATE_EULER: &str = include_str!("../wgsl/integrate_euler.wgsl");
    pub(super) const INTEGRATE_MIDPOINT: &str = include_str!("../wgsl/integrate_midpoint.wgsl");
    pub(super) const INTEGRATE_MOTOR: &str = include_str!("../wgsl/integrate_motor.wgsl");
    pub(super) const INTEGRATE_RK4: &str = include_str!("../wgsl/integrate_rk4.wgsl");
    pub(super) const LANES_SUBGROUP: &str =
        concat!(include_str!("../wgsl/lanes_scan.wgsl"), include_str!("../wgsl/lanes_subgroup.wgsl"));
    pub(super) const LANES_SUBGROUPS: &str =
        concat!(include_str!("../wgsl/lanes_scan.wgsl"), include_str!("../wgsl/lanes_subgroups.wgsl"));
    pub(super) const LANES_WORKGROUP: &str = include_str!("../wgsl/lanes_workgroup.wgsl");
    pub(super) const MAPS_CURVED: &str = include_str!("../wgsl/maps_curved.wgsl");
    pub(super) const MAPS_LINEAR: &str = include_str!("../wgsl/maps_linear.wgsl");
    pub(super) const MINIMIZE_CG: &str = include_str!("../wgsl/minimize_cg.wgsl");
    pub(super) const MINIMIZE_NEWTON: &str = include_str!("../wgsl/minimize_newton.wgsl");
    pub(super) const MOTOR: &str = include_str!("../wgsl/motor.wgsl");
    pub(super) const MUSCLE: &str = include_str!("../wgsl/muscle.wgsl");
    pub(super) const PLANE_MESH: &str = include_str!("../wgsl/plane_mesh.wgsl");
    pub(super) const SENSORS: &str = include_str!("../wgsl/sensors.wgsl");
    pub(super) const SENSORS_CONTACT: &str = include_str!("../wgsl/sensors_contact.wgsl");
    pub(super) const SENSORS_ENERGY: &str = include_str!("../wgsl/sensors_energy.wgsl");
    pub(super) const SENSORS_KEEP: &str = include_str!("../wgsl/sensors_keep.wgsl");
    pub(super) const SENSORS_LIMIT: &str = include_str!("../wgsl/sensors_limit.wgsl");
    pub(super) const SENSORS_PLACE: &str = include_str!("../wgsl/sensors_place.wgsl");
    pub(super) const SENSORS_RAY: &str = include_str!("../wgsl/sensors_ray.wgsl");
    pub(super) const SENSORS_RAY_FIELD: &str = include_str!("../wgsl/sensors_ray_field.wgsl");
    pub(super) const SENSORS_RAY_MESH: &str = include_str!("../wgsl/sensors_ray_mesh.wgsl");
    pub(super) const SENSORS_RAY_TRIANGLE: &str = include_str!("../wgsl/sensors_ray_triangle.wgsl");
    pub(super) const SENSORS_WRENCH: &str = include_str!("../wgsl/sensors_wrench.wgsl");
    pub(super) const SMOOTH: &str = include_str!("../wgsl/smooth.wgsl");
    pub(super) const SOLVE: &str = include_str!("../wgsl/solve.wgsl");
    pub(super) const SOLVE_CLUSTER: &str = include_str!("../wgsl/solve_cluster.wgsl");
    pub(super) const SOLVE_WORLD: &str = include_str!("../wgsl/solve_world.wgsl");
    pub(super) const TENDON_ARMATURE: &str = include_str!("../wgsl/tendon_armature.wgsl");
    pub(super) const TOUCH_APART: &str = include_str!("../wgsl/touch_apart.wgsl");
    pub(super) const WRAP: &str = include_str!("../wgsl/wrap.wgsl");
}

/// Puts texts in the place of lines that are markers, as `//NAME//`.
fn fill(text: &str, parts: &[(&str, &str)]) -> String {
    let marked = |line: &str| {
        let name = line.trim().strip_prefix("//")?.strip_suffix("//")?;
        parts.iter().find(|(marker, _)| *marker == name).map(|(_, replacement)| *replacement)
    };
    text.split_inclusive('\n').map(|line| marked(line).unwrap_or(line)).collect()
}

/// The kernels of a step, in order.
pub(crate) fn kernels(
    model: &Model,
    table: &Table,
    pairs: &PairGroups,
    capacity: Capacity,
    lanes: Lanes,
    layout: &Layout,
) -> Vec<Kernel> {
    let (solve_lanes, sensing) = (layout.solve_lanes, layout.readings > 0);
    let clusters = Clusters::new(model);
    let switches = layout.switches.is_some();
    let common = if switches { with_written_inputs(part::COMMON) } else { part::COMMON.to_owned() };
    let start = |count: usize| format!("{}{common}", header(&table.constants, count, lanes));
    // the solver alone is compiled for a capacity: it has rows and contacts in workgroup memory
    let mut room = String::new();
    let _ = writeln!(room, "const MAX_CONTACTS = {}u;", capacity.contacts);
    let _ = writeln!(room, "const MAX_ROWS = NFIXED + {}u;", capacity.rows);
    let _ = writeln!(room, "const MAX_BLOCKS = NFIXED + MAX_CONTACTS;");
    let _ = writeln!(room, "const SCRATCH_JACOBIAN = {}u;", layout.jacobian);
    let kernel = |stage, entry, text| Kernel { stage, entry, grid: Grid::Worlds(1), text };
    let solver = Solver { model, pairs, clusters: &clusters, sensing, switches, precision: layout.precision };
    let search = Search::new(model, pairs);
    let mut kernels =
        vec![kernel("smooth", "smooth_dynamics", start(smooth_lanes(model)) + &smooth_kernel(model, layout))];
    kernels.extend(search.bounds_kernel().map(|text| kernel("bounds", "find_candidates", start(32) + &text)));
    kernels.extend(search.list_kernels().into_iter().map(|(stage, entry, text)| Kernel {
        grid: Grid::List,
        // lanes have nothing to do with each other
        ..kernel(stage, entry, format!("{}const LANES = 32u;\n\n{common}{text}", table.constants))
    }));
    kernels.push(kernel("contacts", "find_contacts", start(32) + &contact_kernel(model, pairs)));
    if clusters.are_several() {
        let text = start(clusters.lanes()) + &room + &solver.text(true);
        kernels.push(Kernel {
            grid: Grid::Worlds(clusters.len() as u32),
            ..kernel("clusters", "solve_cluster", text)
        });
    }
    kernels.push(kernel("solver", "solve_constraints", start(solve_lanes) + &room + &solver.text(false)));
    if sensing {
        kernels.push(kernel("sensors", "read_sensors", start(32) + &sensor_kernel(model, table.precision)));
    }
    if layout.precision == Precision::Double {
        kernels.iter_mut().for_each(|kernel| kernel.text = in_double(&kernel.text));
    }
    kernels
}

/// Lanes of the kernel of unconstrained dynamics: one for each body and dof, up to four subgroups.
fn smooth_lanes(model: &Model) -> usize {
    model.nbody.max(model.nv).next_multiple_of(32).min(128)
}

/// Constants, and how the lanes of a kernel communicate.
fn header(constants: &str, count: usize, lanes: Lanes) -> String {
    let exchange = match lanes {
        Lanes::Subgroups if count == 32 => part::LANES_SUBGROUP,
        Lanes::Subgroups => part::LANES_SUBGROUPS,
        Lanes::Workgroup => part::LANES_WORKGROUP,
    };
    format!("{constants}const LANES = {count}u;\nconst SUBGROUPS = {}u;\n\n{exchange}\n", count / 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::{Tree, write_model};
    use crate::options::GpuOptions;
    use kinetree_model::Data;
    use kinetree_sim::static_pairs;
    use wgpu::naga;

    /// Whether all kernels of a model are right WGSL, with and without subgroups and in both precisions.
    fn examine(elements: &str, options: &str) {
        let text = format!("<mujoco><option {options}/>{elements}</mujoco>");
        let model = kinetree_spec::load_model_str(&text).expect("a model");
        let pairs = PairGroups::new(&model, &static_pairs(&model, &Data::new(&model)));
        let tree = Tree::new(&model);
        let capacity = Capacity { contacts: 8, rows: 24, candidates: 8 };
        let everywhere = [Lanes::Subgroups, Lanes::Workgroup]
            .into_iter()
            .flat_map(|lanes| [(lanes, Precision::Single), (lanes, Precision::Double)]);
        for (lanes, precision) in everywhere {
            let options = GpuOptions { precision, sensors: true };
            let switches = (model.neq > 0).then(|| vec![true; model.neq]);
            let layout = Layout::new(&model, tree.roots.len().max(1), capacity, options, switches);
            let table = write_model(&model, &tree, &pairs, &layout, true);
            for kernel in kernels(&model, &table, &pairs, capacity, lanes, &layout) {
                let module = naga::front::wgsl::parse_str(&kernel.text);
                let module = module.unwrap_or_else(|error| {
                    panic!("{}: {}", kernel.stage, error.emit_to_string(&kernel.text))
                });
                let (flags, all) = (naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all());
                if let Err(error) = naga::valid::Validator::new(flags, all).validate(&module) {
                    panic!("{}: {}", kernel.stage, error.emit_to_string(&kernel.text));
                }
            }
        }
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
