//! A model as text: sizes, options, then each element with its fields.

use super::float_format::FloatFormat;
use super::page::{Page, Pattern, at, memory_size};
use crate::enums::ObjType;
use crate::field::{Field, FieldSlice};
use crate::model::Model;
use crate::names::mj_id2name;

/// Arrays whose memory is listed by itself.
const MESH: &[&str] = &[
    "mesh_vert",
    "mesh_normal",
    "mesh_texcoord",
    "mesh_face",
    "mesh_facenormal",
    "mesh_facetexcoord",
    "mesh_graph",
    "mesh_polynormal",
    "mesh_polyvertadr",
    "mesh_polyvertnum",
    "mesh_polyvert",
    "mesh_polymapadr",
    "mesh_polymapnum",
    "mesh_polymap",
];
const VOLUMES: &[&str] =
    &["bvh_depth", "bvh_child", "bvh_nodeid", "bvh_aabb", "oct_depth", "oct_child", "oct_aabb", "oct_coeff"];
const SKIN: &[&str] = &[
    "skin_vert",
    "skin_texcoord",
    "skin_face",
    "skin_bonevertadr",
    "skin_bonevertnum",
    "skin_bonebindpos",
    "skin_bonebindquat",
    "skin_bonebodyid",
    "skin_bonevertid",
    "skin_bonevertweight",
];

/// A kind of element: its title, the prefixes of its fields, the size that counts it, and its type where
/// elements have names.
struct Kind {
    title: &'static str,
    prefixes: &'static [&'static str],
    rows: &'static str,
    object: Option<ObjType>,
}

const fn kind(
    title: &'static str,
    prefixes: &'static [&'static str],
    rows: &'static str,
    object: Option<ObjType>,
) -> Kind {
    Kind { title, prefixes, rows, object }
}

const KINDS: &[Kind] = &[
    kind("BODY", &["body_"], "nbody", Some(ObjType::Body)),
    kind("JOINT", &["jnt_"], "njnt", Some(ObjType::Joint)),
    kind("DOF", &["dof_"], "nv", None),
    kind("TREE", &["tree_"], "ntree", None),
    kind("GEOM", &["geom_"], "ngeom", Some(ObjType::Geom)),
    kind("SITE", &["site_"], "nsite", Some(ObjType::Site)),
    kind("CAMERA", &["cam_"], "ncam", Some(ObjType::Camera)),
    kind("LIGHT", &["light_"], "nlight", Some(ObjType::Light)),
    kind("FLEX", &["flex_"], "nflex", Some(ObjType::Flex)),
    kind("MESH", &["mesh_"], "nmesh", Some(ObjType::Mesh)),
    kind("SKIN", &["skin_"], "nskin", Some(ObjType::Skin)),
    kind("HEIGHTFIELD", &["hfield_"], "nhfield", Some(ObjType::Hfield)),
    kind("TEXTURE", &["tex_"], "ntex", Some(ObjType::Texture)),
    kind("MATERIAL", &["mat_"], "nmat", Some(ObjType::Material)),
    kind("PAIR", &["pair_"], "npair", Some(ObjType::Pair)),
    kind("EXCLUDE", &["exclude_"], "nexclude", Some(ObjType::Exclude)),
    kind("EQUALITY", &["eq_"], "neq", Some(ObjType::Equality)),
    kind("TENDON", &["tendon_", "ten_"], "ntendon", Some(ObjType::Tendon)),
    kind("ACTUATOR", &["actuator_"], "nu", Some(ObjType::Actuator)),
    kind("SENSOR", &["sensor_"], "nsensor", Some(ObjType::Sensor)),
];

/// The model as text.
///
/// ```
/// use kinetree_model::{FloatFormat, Model, Sizes, model_text};
///
/// let text = model_text(&Model::with_sizes(Sizes::default()), &FloatFormat::default());
/// assert!(text.contains("\nOPTION\n") && text.contains("\nSTATISTIC\n"));
/// ```
#[must_use]
pub fn model_text(model: &Model, format: &FloatFormat) -> String {
    let mut page = Page::new(format);
    let fields = model.fields();
    head(&mut page, model, &fields);
    options(&mut page, model);
    for name in ["qpos0", "qpos_spring"] {
        if let Some(field) = fields.iter().find(|field| field.name == name) {
            page.name(name);
            page.values(field.data, 0, field.data.len(), " ");
            page.text.push_str("\n\n");
        }
    }
    for kind in KINDS {
        elements(&mut page, model, &fields, kind);
    }
    custom(&mut page, model);
    for key in 0..model.nkey {
        keyframe(&mut page, model, key);
    }
    patterns(&mut page, model);
    page.line(format_args!("\nSIGNATURE\n  {}\n", model.signature()));
    volumes(&mut page, model);
    page.text
}

fn head(page: &mut Page<'_>, model: &Model, fields: &[Field<'_>]) {
    let own = env!("CARGO_PKG_VERSION");
    page.line(format_args!("MuJoCo version {}, as Kinetree {own} has it", crate::consts::REFERENCE_VERSION));
    let end = model.names.iter().position(|&byte| byte == 0).unwrap_or(0);
    page.line(format_args!("model name     {}\n", String::from_utf8_lossy(&model.names[..end])));

    page.line("MEMORY");
    let size = |names: &[&str]| {
        let listed = fields.iter().filter(|field| names.contains(&field.name));
        listed.map(|field| field.data.bytes()).sum::<usize>()
    };
    let when = |is_there: bool, bytes: usize| if is_there { bytes } else { 0 };
    let total = model.image_len();
    let parts = [
        ("meshes", when(model.nmesh > 0, size(MESH))),
        ("bvhs", when(model.nbvh + model.noct > 0, size(VOLUMES))),
        ("textures", model.ntexdata),
        ("skins", when(model.nskin > 0, size(SKIN))),
    ];
    let other = parts.iter().fold(total, |rest, (_, bytes)| rest.saturating_sub(*bytes));
    for (name, bytes) in [("total", total)].into_iter().chain(parts).chain([("other", other)]) {
        if bytes > 0 {
            page.line(format_args!("  {name:<12}{}", memory_size(bytes)));
        }
    }

    page.line("\nSIZES");
    for (name, value) in model.sizes().iter() {
        if value != 0 {
            page.name(&format!("  {name}"));
            page.integer(value);
            page.text.push('\n');
        }
    }
    page.text.push('\n');
}

fn options(page: &mut Page<'_>, model: &Model) {
    page.line("OPTION");
    model.opt.fields().iter().for_each(|field| page.option("  ", field));
    page.line("\nVISUAL");
    for (group, fields) in model.vis.groups() {
        page.line(format_args!("  {}", group.to_uppercase()));
        fields.iter().for_each(|field| page.option("    ", field));
    }
    page.text.push('\n');
    page.name("totalmass");
    page.float(model.body_mass.iter().sum());
    page.line("\n\nSTATISTIC");
    model.stat.fields().iter().for_each(|field| page.option("  ", field));
    page.text.push('\n');
}

/// Columns of a field.
fn columns(field: &Field<'_>) -> usize {
    field.shape[1] * field.shape[2]
}

fn elements(page: &mut Page<'_>, model: &Model, fields: &[Field<'_>], kind: &Kind) {
    let belongs = |field: &&Field<'_>| {
        field.rows == kind.rows && kind.prefixes.iter().any(|prefix| field.name.starts_with(prefix))
    };
    let own: Vec<&Field<'_>> = fields.iter().filter(belongs).filter(|field| columns(field) > 0).collect();
    let count = own.first().map_or(0, |field| field.shape[0]);
    for i in 0..count {
        page.line(format_args!("\n{} {i}:", kind.title));
        if let Some(object) = kind.object {
            let gap = if object == ObjType::Hfield { "  " } else { " " };
            let name = mj_id2name(model, object, i).unwrap_or_default();
            page.line(format_args!("  {:<21}{gap}{name}", "name"));
        }
        for field in &own {
            page.text.push_str("  ");
            page.name(field.name);
            page.values(field.data, i * columns(field), columns(field), " ");
            page.text.push('\n');
        }
        match kind.object {
            Some(ObjType::Mesh) => hull(page, model, i),
            Some(ObjType::Tendon) => path(page, model, i),
            _ => {}
        }
    }
    separate(page, count);
}

/// Faces and vertices of the hull of a mesh.
fn hull(page: &mut Page<'_>, model: &Model, mesh: usize) {
    if let Ok(start) = usize::try_from(model.mesh_graphadr[mesh]) {
        page.line(format_args!("  {:<21} {}", "qhull face", at(&model.mesh_graph, start + 1)));
        page.line(format_args!("  {:<21} {}", "qhull vert", at(&model.mesh_graph, start)));
    }
}

/// The path of a tendon.
fn path(page: &mut Page<'_>, model: &Model, tendon: usize) {
    page.line("  path\n    type  objid  prm");
    let start = at(&model.tendon_adr, tendon);
    for i in start..(start + at(&model.tendon_num, tendon)).min(model.nwrap) {
        page.text.push_str(&format!("    {}     {}     ", model.wrap_type[i], model.wrap_objid[i]));
        page.float(model.wrap_prm[i]);
        page.text.push('\n');
    }
    page.text.push('\n');
}

/// Custom numbers, texts and tuples.
fn custom(page: &mut Page<'_>, model: &Model) {
    let name = |object, i| mj_id2name(model, object, i).unwrap_or_default();
    for i in 0..model.nnumeric {
        let (start, size) = (at(&model.numeric_adr, i), at(&model.numeric_size, i));
        page.line(format_args!("\nNUMERIC {i}:\n  name         {}", name(ObjType::Numeric, i)));
        page.text.push_str(&format!("  size         {size}\n  value       "));
        page.values(FieldSlice::F64(&model.numeric_data), start, size, "");
        page.text.push('\n');
    }
    separate(page, model.nnumeric);
    for i in 0..model.ntext {
        let (start, size) = (at(&model.text_adr, i), at(&model.text_size, i));
        let bytes = model.text_data.get(start..start + size).unwrap_or(&[]);
        let text = String::from_utf8_lossy(bytes.split(|&byte| byte == 0).next().unwrap_or(&[]));
        page.line(format_args!("\nTEXT {i}:\n  name         {}", name(ObjType::Text, i)));
        page.line(format_args!("  size         {size}\n  value        {text}"));
    }
    separate(page, model.ntext);
    for i in 0..model.ntuple {
        let (start, size) = (at(&model.tuple_adr, i), at(&model.tuple_size, i));
        page.line(format_args!("\nTUPLE {i}:\n  name         {}", name(ObjType::Tuple, i)));
        page.line(format_args!("  size         {size}\n  elements"));
        for j in start..(start + size).min(model.ntupledata) {
            let kind = ObjType::INFO.members.iter().find(|(_, value)| *value == model.tuple_objtype[j]);
            let word = kind.map_or("", |(name, _)| name.trim_start_matches("mjOBJ_")).to_lowercase();
            page.text.push_str(&format!("       {word} {}, prm = ", model.tuple_objid[j]));
            page.float(model.tuple_objprm[j]);
            page.text.push('\n');
        }
    }
    separate(page, model.ntuple);
}

/// Ends a list, unless there was nothing in it.
fn separate(page: &mut Page<'_>, count: usize) {
    if count > 0 {
        page.text.push('\n');
    }
}

/// What of a keyframe differs from where a data begins.
fn keyframe(page: &mut Page<'_>, model: &Model, key: usize) {
    if let Some(name) = mj_id2name(model, ObjType::Key, key).filter(|name| !name.is_empty()) {
        page.line(format_args!("key_name{key}    {name}"));
    }
    if model.key_time[key] != 0.0 {
        page.line(format_args!("key_time{key}    {:.4}", model.key_time[key]));
    }
    let row = |list: &[f64], width: usize| list.get(key * width..(key + 1) * width).unwrap_or(&[]).to_vec();
    let is_set = |list: &[f64]| list.iter().any(|&x| x != 0.0);
    let qpos = row(&model.key_qpos, model.nq);
    let (mpos, mquat) = (
        row(model.key_mpos.as_flattened(), 3 * model.nmocap),
        row(model.key_mquat.as_flattened(), 4 * model.nmocap),
    );
    let moved = |differs: &dyn Fn(usize, usize) -> bool| {
        let mocap =
            |body: usize| usize::try_from(model.body_mocapid[body]).ok().filter(|&id| id < model.nmocap);
        (0..model.nbody).any(|body| mocap(body).is_some_and(|id| differs(body, id)))
    };
    let (qvel, act, ctrl) =
        (row(&model.key_qvel, model.nv), row(&model.key_act, model.na), row(&model.key_ctrl, model.nu));
    let (new_qpos, new_qvel, new_act) = (qpos[..] != model.qpos0[..], is_set(&qvel), is_set(&act));
    let new_mpos = moved(&|body, id| mpos[3 * id..][..3] != model.body_pos[body]);
    let new_mquat = moved(&|body, id| mquat[4 * id..][..4] != model.body_quat[body]);
    let rows = [
        ("qpos", &qpos, new_qpos),
        ("qvel", &qvel, new_qvel),
        ("act", &act, new_act),
        ("mpos", &mpos, new_mpos),
        ("mquat", &mquat, new_mquat),
        ("ctrl", &ctrl, is_set(&ctrl)),
    ];
    for (name, values, _) in rows.iter().filter(|(_, _, is_new)| *is_new) {
        page.text.push_str(&format!("key_{name}{key}   "));
        values.iter().for_each(|&value| page.float(value));
        page.text.push('\n');
    }
    if rows.iter().any(|(_, _, is_new)| *is_new) {
        page.text.push('\n');
    }
}

/// The patterns of the matrices that a model fixes.
fn patterns(page: &mut Page<'_>, model: &Model) {
    let pattern = Pattern { rownnz: &model.B_rownnz, rowadr: &model.B_rowadr, colind: &model.B_colind };
    page.sparsity("B: body-dof matrix", (model.nbody, model.nv), pattern, &[], &[]);
    page.integers("B_ROWNNZ", &model.B_rownnz);
    page.integers("B_ROWADR", &model.B_rowadr);
    page.integers("B_COLIND", &model.B_colind);
    let pattern = Pattern { rownnz: &model.M_rownnz, rowadr: &model.M_rowadr, colind: &model.M_colind };
    page.sparsity("M: reduced inertia matrix", (model.nv, model.nv), pattern, &[], &[]);
    page.integers("M_ROWNNZ", &model.M_rownnz);
    page.integers("M_ROWADR", &model.M_rowadr);
    page.integers("M_COLIND", &model.M_colind);
    page.integers("MAPM2M", &model.mapM2M);
    let pattern = Pattern { rownnz: &model.D_rownnz, rowadr: &model.D_rowadr, colind: &model.D_colind };
    page.sparsity("D: dof-dof matrix", (model.nv, model.nv), pattern, &model.D_diag, &[]);
    page.integers("D_ROWNNZ", &model.D_rownnz);
    page.integers("D_ROWADR", &model.D_rowadr);
    page.integers("D_COLIND", &model.D_colind);
    page.integers("MAPM2D", &model.mapM2D);
    page.integers("MAPD2M", &model.mapD2M);
}

/// The trees of bounding volumes.
fn volumes(page: &mut Page<'_>, model: &Model) {
    page.line("BVH:");
    page.line(format_args!("  {:<8}{:<8}{:<8}{:<10}{}", "id", "depth", "nodeid", "child[0]", "child[1]"));
    // numbers that may be negative keep room for a sign
    let signed = |value: i32| if value < 0 { value.to_string() } else { format!(" {value}") };
    for i in 0..model.nbvh {
        let [left, right] = model.bvh_child[i].map(signed);
        let node = signed(model.bvh_nodeid[i]);
        page.line(format_args!("  {i:<8}{:<8}{node:<8}{left:<10}{right}", model.bvh_depth[i]));
    }
    page.text.push('\n');
}
