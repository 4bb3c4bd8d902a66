//! Every index of a model compared with the size it points into.
//!
//! The engine trusts a compiled model. A file may hold anything, so what the compiler guarantees is checked here: ids,
//! address ranges, row patterns of sparse matrices, kinds, and the order of the tree.

use super::BinaryError;
use crate::Model;
use crate::enums::{EqType, GeomType, JointType, ObjType, TrnType, WrapType};

type Check = Result<(), BinaryError>;

fn bad(field: &'static str, index: usize, value: impl Into<i64>) -> BinaryError {
    BinaryError::Reference { field, index, value: value.into() }
}

/// Each entry is an id below `size`; `least` is -1 where "none" is allowed.
fn ids(field: &'static str, values: &[i32], least: i32, size: usize) -> Check {
    match values.iter().position(|&id| id < least || i64::from(id) >= size as i64) {
        Some(index) => Err(bad(field, index, values[index])),
        None => Ok(()),
    }
}

/// Each range of `numbers` entries that starts at `addresses` lies within `size`; empty ranges may start anywhere.
fn ranges(field: &'static str, addresses: &[i32], numbers: &[i32], size: usize) -> Check {
    for (index, (&address, &number)) in addresses.iter().zip(numbers).enumerate() {
        let end = i64::from(address) + i64::from(number);
        if number < 0 || (number > 0 && (address < 0 || end > size as i64)) {
            return Err(bad(field, index, address));
        }
    }
    Ok(())
}

/// Number of objects of a kind.
fn count(model: &Model, kind: i32) -> Option<usize> {
    let kind = ObjType::try_from(kind).ok()?;
    if kind == ObjType::Dof {
        return Some(model.nv);
    }
    crate::name_addresses(model, kind).map(<[i32]>::len)
}

/// Checks of the form `field < size` and `adr, num < size`.
macro_rules! table {
    ($model:ident; ids { $( $id:ident: $least:literal, $id_size:ident; )* } ranges { $( $adr:ident $num:ident, $size:ident; )* }) => {
        $( ids(stringify!($id), $model.$id.as_flattened_ids(), $least, $model.$id_size)?; )*
        $( ranges(stringify!($adr), $model.$adr.as_flattened_ids(), $model.$num.as_flattened_ids(), $model.$size)?; )*
    };
}

/// Arrays of ids, one or several per element, as one list.
trait FlattenedIds {
    fn as_flattened_ids(&self) -> &[i32];
}
impl FlattenedIds for [i32] {
    fn as_flattened_ids(&self) -> &[i32] {
        self
    }
}
impl<const N: usize> FlattenedIds for [[i32; N]] {
    fn as_flattened_ids(&self) -> &[i32] {
        self.as_flattened()
    }
}

/// Checks all references of a model.
pub(super) fn check(model: &Model) -> Check {
    tree(model)?;
    elements(model)?;
    deformables(model)?;
    patterns(model)?;
    joints(model)?;
    data_blocks(model)?;
    typed(model)?;
    names(model)
}

fn tree(m: &Model) -> Check {
    if m.nbody == 0 {
        return Err(BinaryError::Size { field: "nbody", value: 0 });
    }
    table! { m;
        ids {
            body_parentid: 0, nbody; body_rootid: 0, nbody; body_weldid: 0, nbody; body_mocapid: -1, nmocap;
            body_treeid: -1, ntree; body_plugin: -1, nplugin; jnt_bodyid: 0, nbody; jnt_actuatorid: -1, nu;
            dof_bodyid: 0, nbody; dof_jntid: 0, njnt; dof_parentid: -1, nv; dof_treeid: 0, ntree; dof_Madr: 0, nM;
            geom_bodyid: 0, nbody; geom_matid: -1, nmat; geom_plugin: -1, nplugin; site_bodyid: 0, nbody;
            site_matid: -1, nmat; cam_bodyid: 0, nbody; cam_targetbodyid: -1, nbody; light_bodyid: 0, nbody;
            light_targetbodyid: -1, nbody; light_texid: -1, ntex; bvh_child: -1, nbvh; oct_child: -1, noct;
        }
        ranges {
            body_jntadr body_jntnum, njnt; body_dofadr body_dofnum, nv; body_geomadr body_geomnum, ngeom;
            body_bvhadr body_bvhnum, nbvh; tree_bodyadr tree_bodynum, nbody; tree_dofadr tree_dofnum, nv;
        }
    }
    // parents come first, which is what all passes over the tree rely on
    for (body, &parent) in m.body_parentid.iter().enumerate().skip(1) {
        if parent as usize >= body {
            return Err(bad("body_parentid", body, parent));
        }
    }
    for (dof, &parent) in m.dof_parentid.iter().enumerate() {
        if i64::from(parent) >= dof as i64 {
            return Err(bad("dof_parentid", dof, parent));
        }
    }
    Ok(())
}

fn elements(m: &Model) -> Check {
    table! { m;
        ids {
            mat_texid: -1, ntex; pair_geom1: 0, ngeom; pair_geom2: 0, ngeom; tendon_matid: -1, nmat;
            tendon_actuatorid: -1, nu; tendon_treeid: -1, ntree; actuator_plugin: -1, nplugin; sensor_plugin: -1, nplugin;
            mesh_facenormal: 0, nmeshnormal; skin_bonebodyid: 0, nbody; skin_matid: -1, nmat; mesh_polyvert: 0, nmeshvert;
            mesh_polymap: 0, nmeshpoly; mesh_pathadr: -1, npaths; skin_pathadr: -1, npaths; hfield_pathadr: -1, npaths;
            tex_pathadr: -1, npaths; plugin_attradr: 0, npluginattr;
        }
        ranges {
            mesh_vertadr mesh_vertnum, nmeshvert; mesh_faceadr mesh_facenum, nmeshface; mesh_bvhadr mesh_bvhnum, nbvh;
            mesh_octadr mesh_octnum, noct; mesh_normaladr mesh_normalnum, nmeshnormal;
            mesh_texcoordadr mesh_texcoordnum, nmeshtexcoord; mesh_polyadr mesh_polynum, nmeshpoly;
            mesh_polyvertadr mesh_polyvertnum, nmeshpolyvert; mesh_polymapadr mesh_polymapnum, nmeshpolymap;
            skin_vertadr skin_vertnum, nskinvert; skin_faceadr skin_facenum, nskinface;
            skin_boneadr skin_bonenum, nskinbone; skin_bonevertadr skin_bonevertnum, nskinbonevert;
            tendon_adr tendon_num, nwrap; actuator_actadr actuator_actnum, na; sensor_adr sensor_dim, nsensordata;
            plugin_stateadr plugin_statenum, npluginstate; numeric_adr numeric_size, nnumericdata;
            text_adr text_size, ntextdata; tuple_adr tuple_size, ntupledata;
        }
    }
    Ok(())
}

fn deformables(m: &Model) -> Check {
    table! { m;
        ids {
            flex_matid: -1, nmat; flex_nodebodyid: -1, nbody; flex_vertbodyid: -1, nbody; flex_edge: 0, nflexvert;
            flex_elem: 0, nflexvert; flex_shell: 0, nflexvert; flex_elemedge: 0, nflexedge;
        }
        ranges {
            flex_nodeadr flex_nodenum, nflexnode; flex_vertadr flex_vertnum, nflexvert; flex_edgeadr flex_edgenum, nflexedge;
            flex_elemadr flex_elemnum, nflexelem; flex_evpairadr flex_evpairnum, nflexevpair; flex_bvhadr flex_bvhnum, nbvh;
            flex_vertedgeadr flex_vertedgenum, nflexedge;
        }
    }
    Ok(())
}

/// Rows of sparse matrices.
fn patterns(m: &Model) -> Check {
    table! { m;
        ids {
            B_colind: 0, nv; M_colind: 0, nv; D_colind: 0, nv; ten_J_colind: 0, nv; flexedge_J_colind: 0, nv;
            flexvert_J_colind: 0, nv; mapM2M: 0, nM; mapM2D: 0, nC; mapD2M: 0, nD;
        }
        ranges {
            B_rowadr B_rownnz, nB; M_rowadr M_rownnz, nC; D_rowadr D_rownnz, nD; ten_J_rowadr ten_J_rownnz, nJten;
            flexedge_J_rowadr flexedge_J_rownnz, nJfe; flexvert_J_rowadr flexvert_J_rownnz, nJfv;
        }
    }
    for dof in 0..m.nv {
        if m.D_diag[dof] < 0 || m.D_diag[dof] >= m.D_rownnz[dof] {
            return Err(bad("D_diag", dof, m.D_diag[dof]));
        }
        // the last entry of a row is the diagonal
        let last = m.M_rowadr[dof] + m.M_rownnz[dof] - 1;
        if m.M_rownnz[dof] < 1 || m.M_colind[last as usize] as usize != dof {
            return Err(bad("M_rownnz", dof, m.M_rownnz[dof]));
        }
    }
    Ok(())
}

fn joints(m: &Model) -> Check {
    for joint in 0..m.njnt {
        let kind = m.jnt_type[joint];
        let (positions, dofs) = match JointType::try_from(kind) {
            Ok(JointType::Free) => (7, 6),
            Ok(JointType::Ball) => (4, 3),
            Ok(JointType::Slide | JointType::Hinge) => (1, 1),
            Err(_) => return Err(bad("jnt_type", joint, kind)),
        };
        ranges("jnt_qposadr", &m.jnt_qposadr[joint..=joint], &[positions], m.nq)?;
        ranges("jnt_dofadr", &m.jnt_dofadr[joint..=joint], &[dofs], m.nv)?;
    }
    Ok(())
}

/// Blocks whose length follows from several fields.
fn data_blocks(m: &Model) -> Check {
    let product = |factors: &[i32]| factors.iter().try_fold(1i64, |n, &f| (f >= 0).then(|| n.checked_mul(f.into()))?);
    for i in 0..m.nhfield {
        let end = product(&[m.hfield_nrow[i], m.hfield_ncol[i]]).and_then(|n| n.checked_add(m.hfield_adr[i].into()));
        if m.hfield_adr[i] < 0 || end.is_none_or(|end| end > m.nhfielddata as i64) {
            return Err(bad("hfield_adr", i, m.hfield_adr[i]));
        }
    }
    for i in 0..m.ntex {
        let bytes = product(&[m.tex_height[i], m.tex_width[i], m.tex_nchannel[i]]);
        let end = bytes.and_then(|n| n.checked_add(m.tex_adr[i]));
        if m.tex_adr[i] < 0 || end.is_none_or(|end| end > m.ntexdata as i64) {
            return Err(bad("tex_adr", i, m.tex_adr[i]));
        }
    }
    mesh_parts(m)?;
    for (field, history, addresses) in [
        ("actuator_historyadr", &m.actuator_history[..], &m.actuator_historyadr[..]),
        ("sensor_historyadr", &m.sensor_history[..], &m.sensor_historyadr[..]),
    ] {
        for (i, (&[samples, _], &address)) in history.iter().zip(addresses).enumerate() {
            if samples < 0 || (samples > 0 && (address < 0 || i64::from(address) + i64::from(samples) > m.nhistory as i64)) {
                return Err(bad(field, i, address));
            }
        }
    }
    Ok(())
}

/// Faces, hull graphs and polygons, which count from the start of their mesh.
fn mesh_parts(m: &Model) -> Check {
    for mesh in 0..m.nmesh {
        let (vertices, texcoords) = (m.mesh_vertnum[mesh] as usize, m.mesh_texcoordnum[mesh] as usize);
        let (normals, polygons) = (m.mesh_normalnum[mesh] as usize, m.mesh_polynum[mesh] as usize);
        if let Some(faces) = part(&m.mesh_face, m.mesh_faceadr[mesh], m.mesh_facenum[mesh]) {
            ids("mesh_face", faces.as_flattened(), 0, vertices)?;
        }
        if let Some(faces) = part(&m.mesh_facenormal, m.mesh_faceadr[mesh], m.mesh_facenum[mesh]) {
            ids("mesh_facenormal", faces.as_flattened(), 0, normals)?;
        }
        if let Some(faces) = part(&m.mesh_facetexcoord, m.mesh_faceadr[mesh], m.mesh_facenum[mesh]).filter(|_| texcoords > 0) {
            ids("mesh_facetexcoord", faces.as_flattened(), 0, texcoords)?;
        }
        for polygon in m.mesh_polyadr[mesh].max(0) as usize..m.mesh_polyadr[mesh].max(0) as usize + polygons {
            if let Some(list) = part(&m.mesh_polyvert, m.mesh_polyvertadr[polygon], m.mesh_polyvertnum[polygon]) {
                ids("mesh_polyvert", list, 0, vertices)?;
            }
        }
        hull_graph(m, mesh, vertices)?;
    }
    Ok(())
}

/// The hull of a mesh: `numvert numface vert_edgeadr[numvert] vert_globalid[numvert] edge_localid[numvert + 3 numface]
/// face_globalid[3 numface]`.
fn hull_graph(m: &Model, mesh: usize, vertices: usize) -> Check {
    let start = m.mesh_graphadr[mesh];
    if start < 0 {
        return Ok(());
    }
    let wrong = || bad("mesh_graphadr", mesh, start);
    let graph = m.mesh_graph.get(start as usize..).ok_or_else(wrong)?;
    let [hull_vertices, hull_faces] = match graph {
        [a, b, ..] if *a >= 0 && *b >= 0 => [*a as usize, *b as usize],
        _ => return Err(wrong()),
    };
    let edges = hull_vertices + 3 * hull_faces;
    let graph = graph.get(2..2 + 2 * hull_vertices + edges + 3 * hull_faces).ok_or_else(wrong)?;
    let (addresses, rest) = graph.split_at(hull_vertices);
    let (globals, rest) = rest.split_at(hull_vertices);
    let (locals, faces) = rest.split_at(edges);
    ids("mesh_graph", addresses, 0, edges.max(1))?;
    ids("mesh_graph", globals, 0, vertices)?;
    ids("mesh_graph", locals, -1, hull_vertices)?;
    // each list of neighbours ends with -1
    if edges > 0 && locals.last() != Some(&-1) {
        return Err(wrong());
    }
    ids("mesh_graph", faces, 0, vertices)
}

/// A part of an array; `None` where the range is empty or does not fit, which is checked elsewhere.
fn part<T>(array: &[T], address: i32, number: i32) -> Option<&[T]> {
    let start = usize::try_from(address).ok()?;
    array.get(start..start.checked_add(usize::try_from(number).ok()?)?)
}

/// References whose target depends on a kind.
fn typed(m: &Model) -> Check {
    for i in 0..m.ngeom {
        let size = match GeomType::try_from(m.geom_type[i]) {
            Ok(GeomType::Mesh | GeomType::Sdf) => m.nmesh,
            Ok(GeomType::Hfield) => m.nhfield,
            // primitive shapes may remember the mesh that they were fitted to
            Ok(_) => m.nmesh.max(m.nhfield),
            Err(_) => return Err(bad("geom_type", i, m.geom_type[i])),
        };
        ids("geom_dataid", &m.geom_dataid[i..=i], -1, size)?;
    }
    for i in 0..m.neq {
        let kind = m.eq_type[i];
        let size = match EqType::try_from(kind) {
            Ok(EqType::Connect | EqType::Weld) => count(m, m.eq_objtype[i]),
            Ok(EqType::Joint) => Some(m.njnt),
            Ok(EqType::Tendon) => Some(m.ntendon),
            Ok(EqType::Flex | EqType::Flexvert | EqType::Flexstrain) => Some(m.nflex),
            Ok(EqType::Distance) | Err(_) => None,
        };
        let size = size.ok_or_else(|| bad("eq_type", i, kind))?;
        ids("eq_obj1id", &m.eq_obj1id[i..=i], 0, size)?;
        ids("eq_obj2id", &m.eq_obj2id[i..=i], -1, size)?;
    }
    for i in 0..m.nwrap {
        let size = match WrapType::try_from(m.wrap_type[i]) {
            Ok(WrapType::Joint) => m.njnt,
            Ok(WrapType::Site) => m.nsite,
            Ok(WrapType::Sphere | WrapType::Cylinder) => m.ngeom,
            Ok(WrapType::Pulley | WrapType::None) => continue,
            Err(_) => return Err(bad("wrap_type", i, m.wrap_type[i])),
        };
        ids("wrap_objid", &m.wrap_objid[i..=i], 0, size)?;
    }
    actuators(m)?;
    objects("sensor_objid", &m.sensor_objtype, &m.sensor_objid, m)?;
    objects("sensor_refid", &m.sensor_reftype, &m.sensor_refid, m)?;
    objects("tuple_objid", &m.tuple_objtype, &m.tuple_objid, m)
}

fn actuators(m: &Model) -> Check {
    for i in 0..m.nu {
        let (least, size) = match TrnType::try_from(m.actuator_trntype[i]) {
            Ok(TrnType::Joint | TrnType::Jointinparent) => (0, m.njnt),
            Ok(TrnType::Slidercrank | TrnType::Site) => (0, m.nsite),
            Ok(TrnType::Tendon) => (0, m.ntendon),
            Ok(TrnType::Body) => (0, m.nbody),
            Ok(TrnType::Undefined) => (-1, usize::MAX),
            Err(_) => return Err(bad("actuator_trntype", i, m.actuator_trntype[i])),
        };
        ids("actuator_trnid", &m.actuator_trnid[i][..1], least, size)?;
        let second = matches!(TrnType::try_from(m.actuator_trntype[i]), Ok(TrnType::Slidercrank | TrnType::Site));
        if second {
            ids("actuator_trnid", &m.actuator_trnid[i][1..], -1, size)?;
        }
    }
    Ok(())
}

fn objects(field: &'static str, kinds: &[i32], values: &[i32], m: &Model) -> Check {
    for (i, (&kind, &id)) in kinds.iter().zip(values).enumerate() {
        let known = kind == ObjType::Unknown as i32 || count(m, kind).is_some_and(|n| id >= -1 && i64::from(id) < n as i64);
        if !known {
            return Err(bad(field, i, id));
        }
    }
    Ok(())
}

fn names(m: &Model) -> Check {
    if m.names.last().is_some_and(|&byte| byte != 0) {
        return Err(bad("names", m.names.len() - 1, m.names[m.names.len() - 1]));
    }
    for kind in 1..ObjType::Plugin as i32 + 1 {
        let addresses = ObjType::try_from(kind).ok().and_then(|kind| crate::name_addresses(m, kind));
        ids("names", addresses.unwrap_or_default(), 0, m.nnames)?;
    }
    ids("names_map", &m.names_map, -1, m.nnames_map)
}
