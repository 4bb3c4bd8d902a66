//! The sizes of the model, from the lists of the draft.

use kinetree_model::consts::MAX_BYTES;
use kinetree_model::enums::JointType;
use kinetree_model::{Sizes, claim};

use super::draft::Draft;
use super::max_length::MAX_LENGTH;
use super::sparsity::{self, TreeCounts};
use super::{custom, equality, flex, joints, mesh_arrays, names, plugin, sensor, tendon, tree};

/// Refuses sizes that no machine should try to allocate.
pub(crate) fn check(sizes: &Sizes) -> Result<(), String> {
    let unbounded = ["ntexdata", "ntextdata", "narena", "nbuffer", "njmax", "nconmax"];
    for (name, value) in sizes.iter().into_iter().filter(|(name, _)| !unbounded.contains(name)) {
        if value as u128 > MAX_LENGTH as u128 {
            return Err(format!("{name} is {value}, at most {MAX_LENGTH} is possible"));
        }
    }
    for (what, bytes) in [("the model", sizes.model_bytes()), ("each world", sizes.data_bytes())] {
        if bytes > MAX_BYTES {
            return Err(format!(
                "{what} would take {bytes} bytes of memory, at most {MAX_BYTES} are possible"
            ));
        }
    }
    let bytes = sizes.model_bytes().saturating_add(sizes.data_bytes());
    claim("the model and a world of it", bytes).map_err(|lack| lack.to_string())
}

/// Counts everything. Joints get their addresses here, because patterns depend on them.
pub(crate) fn count(draft: &mut Draft<'_>) -> Sizes {
    let mut sizes = Sizes::default();
    (sizes.nq, sizes.nv) = joints::assign_addresses(draft);
    let draft = &*draft;
    sizes.nbody = draft.bodies.len();
    sizes.njnt = draft.joints.len();
    sizes.ntree = tree::count_trees(draft);
    sizes.ngeom = draft.geom_numbers.iter().flatten().count();
    sizes.nsite = draft.sites.len();
    sizes.ncam = draft.cameras.len();
    sizes.nlight = draft.lights.len();
    sizes.nmocap = draft.bodies.iter().filter(|body| body.src.mocap).count();
    count_assets(draft, &mut sizes);
    count_elements(draft, &mut sizes);
    count_user(draft, &mut sizes);
    count_patterns(draft, &mut sizes);
    plugin::count(draft, &mut sizes);
    names::count(draft, &mut sizes);
    sizes
}

fn count_assets(draft: &Draft<'_>, sizes: &mut Sizes) {
    sizes.nbvhstatic = draft.bodies.iter().map(|body| body.bvh.len()).sum();
    mesh_arrays::count(draft, sizes);
    sizes.nbvhstatic = sizes.nbvhstatic.saturating_add_signed(draft.extra_bvh_nodes as isize);
    sizes.nbvh = sizes.nbvhstatic;
    flex::count(draft, sizes);
    sizes.nskin = draft.skins.len();
    for skin in &draft.skins {
        sizes.nskinvert += skin.surface.vert.len();
        sizes.nskintexvert += skin.surface.texcoord.len();
        sizes.nskinface += skin.surface.face.len();
        sizes.nskinbone += skin.bones.len();
        sizes.nskinbonevert += skin.bones.iter().map(|bone| bone.vertid.len()).sum::<usize>();
    }
    sizes.nhfield = draft.hfields.len();
    sizes.nhfielddata = draft.hfields.iter().map(|hfield| hfield.data().len()).sum();
    sizes.ntex = draft.textures.len();
    sizes.ntexdata = draft.textures.iter().map(|texture| texture.data().len()).sum();
    sizes.nmat = draft.materials.len();
}

fn count_elements(draft: &Draft<'_>, sizes: &mut Sizes) {
    sizes.npair = draft.pairs.len();
    sizes.nexclude = draft.excludes.len();
    sizes.neq = draft.equalities.len();
    sizes.nemax = equality::max_rows(draft);
    sizes.ntendon = draft.tendons.len();
    sizes.nwrap = draft.tendons.iter().map(|tendon| tendon.path.len()).sum();
    sizes.nJten =
        if sizes.nv == 0 { 0 } else { draft.tendons.iter().map(|t| tendon::count_dofs(draft, t)).sum() };
    sizes.nu = draft.actuators.len();
    sizes.na = draft.actuators.iter().map(|actuator| actuator.actdim).sum();
    sizes.nsensor = draft.sensors.len();
    (sizes.nsensordata, sizes.nhistory) = sensor::count(draft);
    sizes.nnumeric = draft.numerics.len();
    sizes.nnumericdata = draft.numerics.iter().map(|numeric| numeric.size).sum();
    sizes.ntext = draft.texts.len();
    sizes.ntextdata = draft.texts.iter().map(|text| custom::text_size(text)).sum();
    sizes.ntuple = draft.tuples.len();
    sizes.ntupledata = draft.tuples.iter().map(|tuple| tuple.src.entries.len()).sum();
    sizes.nkey = draft.keys.len();
}

fn count_user(draft: &Draft<'_>, sizes: &mut Sizes) {
    let user = &draft.nuser;
    sizes.nuser_body = user.body;
    sizes.nuser_jnt = user.jnt;
    sizes.nuser_geom = user.geom;
    sizes.nuser_site = user.site;
    sizes.nuser_cam = user.cam;
    sizes.nuser_tendon = user.tendon;
    sizes.nuser_actuator = user.actuator;
    sizes.nuser_sensor = user.sensor;
    sizes.nuserdata = usize::try_from(draft.spec.size.nuserdata).unwrap_or(0);
}

/// Sizes of the sparse patterns over dofs.
fn count_patterns(draft: &Draft<'_>, sizes: &mut Sizes) {
    let simple = tree::simple_levels(draft);
    let mut dof_parent = Vec::with_capacity(sizes.nv);
    let mut dof_simple = Vec::with_capacity(sizes.nv);
    let mut last = vec![-1; draft.bodies.len()];
    for (b, body) in draft.bodies.iter().enumerate() {
        last[b] = if b == 0 { -1 } else { last[body.parent] };
        for _ in 0..body.dofnum {
            dof_parent.push(last[b]);
            dof_simple.push(simple[b] != 0);
            last[b] = dof_parent.len() as i32 - 1;
        }
    }
    let body_parent: Vec<usize> = draft.bodies.iter().map(|body| body.parent).collect();
    let body_dofs: Vec<usize> = draft.bodies.iter().map(|body| body.dofnum).collect();
    let tree = TreeCounts {
        dof_parent: &dof_parent,
        dof_simple: &dof_simple,
        body_parent: &body_parent,
        body_dofs: &body_dofs,
    };
    sparsity::count(&tree, sizes);
    debug_assert_eq!(
        sizes.nv,
        draft
            .joints
            .iter()
            .map(|joint| if joint.kind() == JointType::Free { 6 } else { joint.widths().1 })
            .sum()
    );
}
