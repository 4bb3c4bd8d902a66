//! A data as text: counts, warnings and timers, then each array as a table.

use super::float_format::FloatFormat;
use super::page::{Blocks, Page, Pattern, at, memory_size};
use crate::consts::{NISLAND, NSOLVER};
use crate::contact::Contact;
use crate::data::Data;
use crate::enums::{ObjType, Solver};
use crate::field::{Field, FieldSlice};
use crate::model::Model;
use crate::names::mj_id2name;

/// The data as text. `contact_force` gives the force of a contact, in its frame.
///
/// ```
/// use kinetree_model::{Data, FloatFormat, Model, Sizes, data_text};
///
/// let model = Model::with_sizes(Sizes::default());
/// let text = data_text(&model, &Data::new(&model), &FloatFormat::default(), |_| [0.0; 6]);
/// assert!(text.contains("\nTIME =  0"));
/// ```
#[must_use]
pub fn data_text(
    model: &Model,
    data: &Data,
    format: &FloatFormat,
    contact_force: impl Fn(usize) -> [f64; 6],
) -> String {
    let mut page = Page::new(format);
    let fields = data.fields();
    counts(&mut page, model, data);
    counters(&mut page, data);
    solver(&mut page, data);
    page.vector("ENERGY = ", &data.energy);
    page.text.push_str("\nTIME = ");
    page.float(data.time);
    page.text.push_str("\n\n");
    tables(&mut page, &fields, &["qpos", "qvel", "act"]);
    histories(&mut page, model, data);
    state(&mut page, &fields, data);
    flexes_and_tendons(&mut page, model, data, &fields);
    matrices(&mut page, model, data, &fields);
    for (i, contact) in data.contact.iter().enumerate() {
        if i == 0 {
            page.line("CONTACT");
        }
        show_contact(&mut page, model, i, contact, contact_force(i));
    }
    if !data.contact.is_empty() {
        page.text.push('\n');
    }
    rows(&mut page, model, data, &fields);
    tables(
        &mut page,
        &fields,
        &[
            "efc_pos",
            "efc_margin",
            "efc_frictionloss",
            "efc_diagApprox",
            "efc_KBIP",
            "efc_D",
            "efc_R",
            "flexedge_velocity",
            "ten_velocity",
            "actuator_velocity",
            "cvel",
            "cdof_dot",
            "qfrc_bias",
            "qfrc_spring",
            "qfrc_damper",
            "qfrc_gravcomp",
            "qfrc_fluid",
            "qfrc_passive",
            "efc_vel",
            "efc_aref",
            "subtree_linvel",
            "subtree_angmom",
            "actuator_force",
            "qfrc_actuator",
            "qfrc_smooth",
            "qacc_smooth",
            "efc_b",
            "efc_force",
            "efc_state",
            "qfrc_constraint",
            "qfrc_inverse",
            "cacc",
            "cfrc_int",
            "cfrc_ext",
        ],
    );
    islands(&mut page, model, data);
    if model.ntendon > 0 {
        page.grouped("TENDON_EFCADR", &data.tendon_efcadr, |_| None);
    }
    page.text
}

/// Arrays as tables under their names in capitals.
fn tables(page: &mut Page<'_>, fields: &[Field<'_>], names: &[&str]) {
    for name in names {
        if let Some(field) = fields.iter().find(|field| field.name == *name) {
            page.table(&name.to_uppercase(), field.data, field.shape[1] * field.shape[2]);
        }
    }
}

fn counts(page: &mut Page<'_>, model: &Model, data: &Data) {
    let (own, buffer) = (size_of::<Data>(), model.sizes().data_bytes());
    page.line("MEMORY");
    for (name, bytes) in [("total", own + buffer), ("struct", own), ("buffer", buffer)] {
        page.line(format_args!("  {name:<14}{}", memory_size(bytes)));
    }
    // nothing is kept in an arena here
    page.line(format_args!("  {:<14}{}, used 0.0%\n\nSIZES", "arena", memory_size(model.narena)));
    let scalar =
        |name: &str| Data::SCALARS.iter().find(|scalar| scalar.name == name).map_or(0, |s| (s.get)(data));
    let mut show = |name: &str, value: usize| page.line(format_args!("  {name:<21} {value}"));
    show("narena", model.narena);
    show("nbuffer", buffer);
    show("nplugin", model.nplugin);
    show("maxuse_stack", 0);
    show("maxuse_arena", 0);
    for name in ["maxuse_con", "maxuse_efc"] {
        show(name, scalar(name));
    }
    for known in Data::SCALARS.iter().filter(|known| !known.name.starts_with("maxuse_")) {
        show(known.name, (known.get)(data));
    }
    show("threadpool", 0);
    page.text.push('\n');
}

/// Warnings and timers.
fn counters(page: &mut Page<'_>, data: &Data) {
    let raised = data.warning.iter().enumerate().filter(|(_, warning)| warning.number != 0);
    let lines: Vec<String> = raised
        .map(|(i, warning)| {
            format!("    {i}:  lastinfo = {}   number = {}\n", warning.lastinfo, warning.number)
        })
        .collect();
    if !lines.is_empty() {
        page.line(format_args!("WARNING\n{}", lines.concat()));
    }
    if data.timer.iter().map(|timer| timer.duration).sum::<f64>() != 0.0 {
        page.line("TIMER");
        for (i, timer) in data.timer.iter().enumerate() {
            page.text.push_str(&format!("    {i}:  duration = "));
            page.float(timer.duration);
            page.line(format_args!("   number = {}", timer.number));
        }
        page.text.push('\n');
    }
}

/// What the solver tells about its iterations.
fn solver(page: &mut Page<'_>, data: &Data) {
    if data.nefc == 0 {
        return;
    }
    page.line("SOLVER STAT");
    page.vector("  solver_fwdinv = ", &data.solver_fwdinv);
    for island in 0..data.nisland.clamp(1, NISLAND) {
        let count = at(&data.solver_niter, island).min(NSOLVER);
        if count == 0 {
            continue;
        }
        page.line(format_args!("  ISLAND {island}\n    solver_niter = {}", data.solver_niter[island]));
        page.line(format_args!("    solver_nnz = {}", data.solver_nnz[island]));
        let known = data.solver.get(island * NSOLVER..).unwrap_or(&[]);
        for (i, stat) in known.iter().take(count).enumerate() {
            page.text.push_str(&format!("      {i}:  improvement = "));
            page.float(stat.improvement);
            page.text.push_str("    gradient = ");
            page.float(stat.gradient);
            page.text.push_str("    lineslope = ");
            page.float(stat.lineslope);
            page.line(format_args!(
                "\n          nactive = {}   nchange = {}   neval = {}   nupdate = {}",
                stat.nactive, stat.nchange, stat.neval, stat.nupdate
            ));
        }
        page.text.push('\n');
    }
}

/// Samples of the past, of actuators and sensors that have them.
fn histories(page: &mut Page<'_>, model: &Model, data: &Data) {
    if model.nhistory == 0 {
        return;
    }
    page.line("DELAY");
    let name = |object, i| mj_id2name(model, object, i).unwrap_or_default();
    for i in 0..model.nu {
        let title = format!("actuator {i} '{}'", name(ObjType::Actuator, i));
        history(page, data, &title, (model.actuator_historyadr[i], model.actuator_history[i][0], 1));
    }
    for i in 0..model.nsensor {
        let title = format!("sensor {i}  '{}'", name(ObjType::Sensor, i));
        let dim = at(&model.sensor_dim, i);
        history(page, data, &title, (model.sensor_historyadr[i], model.sensor_history[i][0], dim));
    }
    page.text.push('\n');
}

/// The samples that begin at an address, so many of so many values each.
fn history(page: &mut Page<'_>, data: &Data, title: &str, (start, count, dim): (i32, i32, usize)) {
    let (Ok(start), Ok(count)) = (usize::try_from(start), usize::try_from(count)) else { return };
    let Some(buffer) = data.history.get(start..start + 2 + count * (1 + dim)) else { return };
    if count == 0 {
        return;
    }
    page.text.push_str(&format!("  {title}:\n    phase  = "));
    page.float(buffer[0]);
    page.text.push_str(&format!("\n    cursor =  {}\n    times  = ", buffer[1] as i32));
    let (times, samples) = buffer[2..].split_at(count);
    times.iter().for_each(|&time| page.float(time));
    if dim == 1 {
        page.text.push_str("\n    values = ");
        samples.iter().for_each(|&sample| page.float(sample));
        page.text.push('\n');
        return;
    }
    page.line("\n    values:");
    for (i, sample) in samples.chunks(dim.max(1)).enumerate() {
        page.text.push_str(&format!("      [{i}] ="));
        sample.iter().for_each(|&value| page.float(value));
        page.text.push('\n');
    }
}

/// The rest of the state, inputs, and what positions give.
fn state(page: &mut Page<'_>, fields: &[Field<'_>], data: &Data) {
    tables(page, fields, &["qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied"]);
    if !data.eq_active.is_empty() {
        page.name("EQ_ACTIVE");
        page.values(FieldSlice::U8(&data.eq_active), 0, data.eq_active.len(), "");
        page.text.push_str("\n\n");
    }
    tables(page, fields, &["mocap_pos", "mocap_quat", "qacc", "act_dot", "userdata"]);
    page.table("SENSOR", FieldSlice::F64(&data.sensordata), 1);
    tables(
        page,
        fields,
        &[
            "tree_asleep",
            "xpos",
            "xquat",
            "xmat",
            "xipos",
            "ximat",
            "xanchor",
            "xaxis",
            "geom_xpos",
            "geom_xmat",
            "site_xpos",
            "site_xmat",
            "cam_xpos",
            "cam_xmat",
            "light_xpos",
            "light_xdir",
            "subtree_com",
            "cdof",
            "cinert",
            "flexvert_xpos",
            "flexelem_aabb",
        ],
    );
}

fn flexes_and_tendons(page: &mut Page<'_>, model: &Model, data: &Data, fields: &[Field<'_>]) {
    let pattern = Pattern {
        rownnz: &model.flexedge_J_rownnz,
        rowadr: &model.flexedge_J_rowadr,
        colind: &model.flexedge_J_colind,
    };
    let edges = (model.nflexedge, model.nv);
    page.sparsity("FLEXEDGE_J: flex edge connectivity", edges, pattern, &[], &[]);
    page.sparse("FLEXEDGE_J", &data.flexedge_J, model.nflexedge, pattern);
    tables(page, fields, &["flexedge_length", "ten_length"]);
    let pattern =
        Pattern { rownnz: &model.ten_J_rownnz, rowadr: &model.ten_J_rowadr, colind: &model.ten_J_colind };
    page.sparsity("TEN_J: tendon moments", (model.ntendon, model.nv), pattern, &[], &[]);
    page.table("TEN_J_ROWNNZ", FieldSlice::I32(&model.ten_J_rownnz), 1);
    page.table("TEN_J_ROWADR", FieldSlice::I32(&model.ten_J_rowadr), 1);
    page.sparse("TEN_J", &data.ten_J, model.ntendon, pattern);
    let (objects, points) = (data.wrap_obj.as_flattened(), data.wrap_xpos.as_flattened());
    for i in 0..model.ntendon {
        let (start, count) = (at(&data.ten_wrapadr, i), at(&data.ten_wrapnum, i));
        page.line(format_args!("TENDON {i}: {count} wrap points"));
        for j in start..(start + count).min(objects.len()) {
            page.text.push_str(&format!("    {}:  ", objects[j]));
            page.vector("", &points[3 * j..][..3]);
        }
        page.text.push('\n');
    }
}

/// Moments, inertia and its factors, and who is awake.
fn matrices(page: &mut Page<'_>, model: &Model, data: &Data, fields: &[Field<'_>]) {
    tables(page, fields, &["actuator_length"]);
    let pattern =
        Pattern { rownnz: &data.moment_rownnz, rowadr: &data.moment_rowadr, colind: &data.moment_colind };
    page.sparsity("actuator_moment", (model.nu, model.nv), pattern, &[], &[]);
    page.sparse("ACTUATOR_MOMENT", &data.actuator_moment, model.nu, pattern);
    tables(page, fields, &["crb"]);
    inertia(page, model, &data.qM);
    let lower = Pattern { rownnz: &model.M_rownnz, rowadr: &model.M_rowadr, colind: &model.M_colind };
    page.sparse("M", &data.M, model.nv, lower);
    page.sparse("QLD", &data.qLD, model.nv, lower);
    tables(page, fields, &["qLDiagInv"]);
    if data.nisland > 0 {
        page.sparsity("M: inertia structure", (model.nv, model.nv), lower, &[], &[]);
        let pattern = Pattern { rownnz: &data.iM_rownnz, rowadr: &data.iM_rowadr, colind: &data.iM_colind };
        let islands = islands_of(&data.map_idof2dof, &data.dof_island, data.nidof);
        let title = "iM: block-diagonal inertia (nnzs are island ids)";
        page.block_sparsity(title, data.nidof, &islands, pattern, blocks(data), &[]);
    }
    let is_set = |values: &[f64]| values.iter().any(|&x| x != 0.0);
    if is_set(&data.qHDiagInv) {
        page.sparse("QH", &data.qH, model.nv, lower);
        tables(page, fields, &["qHDiagInv"]);
    }
    page.integers("TREE_AWAKE", &data.tree_awake);
    page.integers("BODY_AWAKE", &data.body_awake);
    let first = |list: &[i32], count: usize| list[..count.min(list.len())].to_vec();
    page.integers("BODY_AWAKE_IND", &first(&data.body_awake_ind, data.nbody_awake));
    page.integers("PARENT_AWAKE_IND", &first(&data.parent_awake_ind, data.nparent_awake));
    page.integers("DOF_AWAKE_IND", &first(&data.dof_awake_ind, data.nv_awake));
    let full = Pattern { rownnz: &model.D_rownnz, rowadr: &model.D_rowadr, colind: &model.D_colind };
    for (title, values) in [("QDERIV", &data.qDeriv[..]), ("QLU", &data.qLU[..])] {
        if is_set(values) {
            page.sparse(title, values, model.nv, full);
        }
    }
}

/// The inertia matrix as a triangle, empty where dofs do not share a branch.
fn inertia(page: &mut Page<'_>, model: &Model, values: &[f64]) {
    if model.nv == 0 || model.nv > 300 {
        return;
    }
    page.line("QM");
    let gap = " ".repeat(page.format.zero_width() + 1);
    for row in 0..model.nv {
        page.text.push(' ');
        let mut ancestors = vec![None; row + 1];
        let (mut dof, mut address) = (row, at(&model.dof_Madr, row));
        loop {
            ancestors[dof] = values.get(address);
            match usize::try_from(model.dof_parentid[dof]) {
                Ok(parent) if parent < dof => (dof, address) = (parent, address + 1),
                _ => break,
            }
        }
        for entry in ancestors {
            match entry {
                Some(&value) => {
                    page.text.push(' ');
                    page.float(value);
                }
                None => page.text.push_str(&gap),
            }
        }
        page.text.push('\n');
    }
    page.text.push('\n');
}

fn show_contact(page: &mut Page<'_>, model: &Model, i: usize, contact: &Contact, force: [f64; 6]) {
    page.line(format_args!("  {i}:\n     dim           {}", contact.dim));
    let [first, second] = contact.geom;
    if let (Ok(a), Ok(b)) = (usize::try_from(first), usize::try_from(second)) {
        let label = |id: usize| mj_id2name(model, ObjType::Geom, id).map_or(id.to_string(), str::to_owned);
        page.line(format_args!("     geoms         {} : {}", label(a), label(b)));
    } else {
        let of = |side: usize| {
            format!(
                "{} {} {} {}",
                contact.geom[side], contact.flex[side], contact.elem[side], contact.vert[side]
            )
        };
        page.line(format_args!("     gfev          {} : {}", of(0), of(1)));
    }
    page.line(format_args!(
        "     exclude       {}\n     efc_address   {}",
        contact.exclude, contact.efc_address
    ));
    let mut show = |name: &str, values: &[f64]| page.vector(&format!("     {name:<13}"), values);
    show("solref", &contact.solref);
    show("solimp", &contact.solimp);
    show("dist", &[contact.dist]);
    show("includemargin", &[contact.includemargin]);
    show("pos", &contact.pos);
    show("frame", &contact.frame);
    show("friction", &contact.friction);
    show("mu", &[contact.mu]);
    show("force", &force);
}

/// Constraint rows with their matrices.
fn rows(page: &mut Page<'_>, model: &Model, data: &Data, fields: &[Field<'_>]) {
    tables(page, fields, &["efc_type", "efc_id"]);
    if !model.is_sparse() {
        page.table("EFC_J", FieldSlice::F64(&data.efc_J), model.nv);
        if data.nisland > 0 {
            page.blocks("IEFC_J", &data.iefc_J, data.nidof, blocks(data));
        }
        page.table("EFC_AR", FieldSlice::F64(&data.efc_AR), data.nefc);
        return;
    }
    tables(page, fields, &["efc_J_rownnz", "efc_J_rowadr"]);
    let pattern =
        Pattern { rownnz: &data.efc_J_rownnz, rowadr: &data.efc_J_rowadr, colind: &data.efc_J_colind };
    page.sparse("EFC_J", &data.efc_J, data.nefc, pattern);
    page.sparsity("J: constraint Jacobian", (data.nefc, model.nv), pattern, &[], &data.efc_J_rowsuper);
    if data.nisland > 0 {
        let pattern =
            Pattern { rownnz: &data.iefc_J_rownnz, rowadr: &data.iefc_J_rowadr, colind: &data.iefc_J_colind };
        let islands = islands_of(&data.map_iefc2efc, &data.efc_island, data.nefc);
        let title = "IEFC_J: block-diagonalized constraint Jacobian (nnzs are island ids)";
        page.block_sparsity(title, data.nidof, &islands, pattern, blocks(data), &data.iefc_J_rowsuper);
    }
    if model.opt.solver == Solver::Pgs || model.opt.noslip_iterations > 0 {
        tables(page, fields, &["efc_AR_rownnz", "efc_AR_rowadr"]);
        let pattern =
            Pattern { rownnz: &data.efc_AR_rownnz, rowadr: &data.efc_AR_rowadr, colind: &data.efc_AR_colind };
        page.sparse("EFC_AR", &data.efc_AR, data.nefc, pattern);
        page.sparsity("efc_AR: inverse constraint inertia", (data.nefc, data.nefc), pattern, &[], &[]);
    }
}

fn blocks(data: &Data) -> Blocks<'_> {
    Blocks {
        first_row: &data.island_iefcadr,
        rows: &data.island_nefc,
        first_col: &data.island_idofadr,
        cols: &data.island_nv,
    }
}

/// Islands of things in island order.
fn islands_of(order: &[i32], island: &[i32], count: usize) -> Vec<i32> {
    order.iter().take(count).map(|&i| island.get(i as usize).copied().unwrap_or(-1)).collect()
}

/// Who is in which island.
fn islands(page: &mut Page<'_>, model: &Model, data: &Data) {
    if data.nisland == 0 {
        return;
    }
    page.integers("TREE_ISLAND", &data.tree_island);
    page.integers("ISLAND_NTREE", &data.island_ntree);
    page.integers("ISLAND_ITREEADR", &data.island_itreeadr);
    page.integers("MAP_ITREE2TREE", &data.map_itree2tree[..model.ntree.min(data.map_itree2tree.len())]);
    let none = |_| None;
    let of = |islands: &'_ [i32]| {
        let islands = islands.to_vec();
        move |i: i32| islands.get(i as usize).copied()
    };
    page.grouped("DOF_ISLAND", &data.dof_island, none);
    page.grouped("ISLAND_NV", &data.island_nv, none);
    page.grouped("ISLAND_IDOFADR", &data.island_idofadr, none);
    page.grouped("MAP_IDOF2DOF", &data.map_idof2dof, of(&data.dof_island));
    page.grouped("EFC_ISLAND", &data.efc_island, none);
    page.grouped("ISLAND_NEFC", &data.island_nefc, none);
    page.grouped("ISLAND_IEFCADR", &data.island_iefcadr, none);
    page.grouped("MAP_IEFC2EFC", &data.map_iefc2efc, of(&data.efc_island));
}
