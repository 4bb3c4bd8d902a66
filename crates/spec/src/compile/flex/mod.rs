//! Flexes: topology, bounding trees, elastic constants, and their model arrays.

mod bending;
mod cell_stiffness;
pub(super) mod draft;
mod pattern;
mod stiffness;
mod topology;
mod write;

use kinetree_collide::bvh::{BvhLeaf, BvhTree};
use kinetree_math::MINVAL;
use kinetree_model::enums::{FlexSelf, ObjType};

use super::draft::Draft;
use super::frames::{Pose, rotate};
use crate::assets::linalg::{V3, cross, dot, sub};
use crate::spec::Flex;
use draft::{FlexDraft, cell_numbers};
use topology::Topology;

pub(crate) use pattern::count;
pub(crate) use write::write;

/// Resolves all flexes.
pub(crate) fn compile(draft: &mut Draft<'_>) {
    let spec = draft.spec;
    if spec.flexes.is_empty() {
        return;
    }
    let poses = world_poses(draft);
    for src in spec.flexes.values() {
        match compile_flex(draft, src, &poses) {
            Ok(Some(flex)) => draft.flexes.push(flex),
            Ok(None) => {}
            Err(message) => draft.report.error(src, message),
        }
    }
}

/// Poses of all bodies in the world when no joint is displaced.
fn world_poses(draft: &Draft<'_>) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::with_capacity(draft.bodies.len());
    for (b, body) in draft.bodies.iter().enumerate() {
        let pose = if b == 0 { Pose::IDENTITY } else { compose_pose(&poses[body.parent], &body.pose) };
        poses.push(pose);
    }
    poses
}

/// Pose in the world from that in the parent.
fn compose_pose(parent: &Pose, pose: &Pose) -> Pose {
    let moved = rotate(&parent.quat, &pose.pos);
    let quat = super::frames::quat_product(&parent.quat, &pose.quat);
    Pose::new(std::array::from_fn(|k| moved[k] + parent.pos[k]), quat)
}

/// Conditions on what the element says by itself.
fn check(src: &Flex) -> Result<(), String> {
    let interpolated = !src.nodebody.is_empty();
    if !(1..=3).contains(&src.dim) {
        return Err(format!("'dim' is {}, it must be 1, 2 or 3", src.dim));
    }
    if src.elem.is_empty() || !src.elem.len().is_multiple_of(src.dim as usize + 1) {
        return Err(format!("'element' must have {} vertices for each element", src.dim + 1));
    }
    if src.vertbody.is_empty() && !interpolated {
        return Err("needs bodies of its vertices or nodes".into());
    }
    if !src.vert.len().is_multiple_of(3) || !src.node.len().is_multiple_of(3) {
        return Err("'vertex' must have three numbers for each vertex".into());
    }
    if ![1, 3, 4, 6].contains(&src.condim) {
        return Err(format!("condim must be 1, 3, 4 or 6, not {}", src.condim));
    }
    if src.edgestiffness > 0.0 && src.dim > 1 {
        return Err("edges have stiffness in one dimension only: use <elasticity>".into());
    }
    if interpolated && src.selfcollide != FlexSelf::None {
        return Err("trilinear interpolation cannot do self-collision: set selfcollide=\"none\"".into());
    }
    if interpolated && src.internal {
        return Err("trilinear interpolation cannot do internal collisions: set internal=\"false\"".into());
    }
    if src.elastic2d != 0 && src.thickness <= 0.0 {
        return Err("2d elasticity requires positive thickness".into());
    }
    if src.elastic2d != 0 && interpolated {
        return Err("interpolated flex does not yet support 2d elasticity".into());
    }
    if src.elastic2d != 0 && src.dim != 2 {
        return Err(format!("2d elasticity requires 2d flex, not dim {}", src.dim));
    }
    if src.young > 0.0 && !(0.0..0.5).contains(&src.poisson) {
        return Err(format!("'poisson' is {}, it must be at least 0 and less than 0.5", src.poisson));
    }
    check_nodes(src)
}

/// Nodes must fit the cells.
fn check_nodes(src: &Flex) -> Result<(), String> {
    let nodes = src.nodebody.len();
    if nodes > 0 && src.order == 0 {
        return Err("nodes need an order of interpolation: set 'dof'".into());
    }
    if src.order == 0 {
        return Ok(());
    }
    if !(0..=2).contains(&src.order) {
        return Err(format!("the order of interpolation is {}, it must be 1 or 2", src.order));
    }
    if src.cellcount.iter().any(|&cells| cells < 1) || cell_numbers(src).is_none() {
        return Err("cellcount cannot be 0 or negative along an axis, nor too large".into());
    }
    let expected: i64 =
        src.cellcount.iter().map(|&cells| i64::from(cells) * i64::from(src.order) + 1).product();
    if nodes as i64 != expected {
        return Err(format!("has {nodes} nodes, but 'cellcount' and 'dof' ask for {expected}"));
    }
    if !src.node.is_empty() && src.node.len() != 3 * nodes {
        return Err("needs a position for each node".into());
    }
    Ok(())
}

/// `None` when a name is missing, which has been reported.
fn compile_flex<'s>(
    draft: &mut Draft<'s>,
    src: &'s Flex,
    poses: &[Pose],
) -> Result<Option<FlexDraft<'s>>, String> {
    check(src)?;
    let (dim, interpolated) = (src.dim as usize, !src.nodebody.is_empty());
    let (nvert, single) = count_vertices(src)?;
    check_elements(src, nvert)?;
    let elemtexcoord = element_texcoords(draft, src, nvert)?;
    let material =
        if draft.drops_visuals() { None } else { draft.find_optional(src, ObjType::Material, &src.material) };
    let Some(vert_body) = find_bodies(draft, src, &src.vertbody) else { return Ok(None) };
    let Some(node_body) = find_bodies(draft, src, &src.nodebody) else { return Ok(None) };
    let bends = dim == 2 && matches!(src.elastic2d, 1 | 3);
    if bends && vert_body.iter().any(|&b| draft.bodies[b].joints.len() != 3) {
        return Err("vertices of a surface that bends cannot be pinned".into());
    }

    let rigid = single || (!interpolated && vert_body.iter().all(|&b| b == vert_body[0]));
    let offsets = if interpolated { &src.node } else { &src.vert };
    let centered = offsets.iter().all(|&x| x == 0.0);
    let mut flex = FlexDraft {
        src,
        dim,
        material,
        vert_body,
        node_body,
        nvert,
        rigid,
        centered,
        elem: src.elem.clone(),
        elemtexcoord,
        topology: Topology::default(),
        stiffness: Vec::new(),
        bending: Vec::new(),
        tree: BvhTree::default(),
        size: [0.0; 3],
        vert0: Vec::new(),
        node0: Vec::new(),
    };
    let vertices = vertex_positions(&flex, poses);
    if interpolated {
        // vertices belong to no body
        flex.vert_body.clear();
    }
    orient_faces_outward(&mut flex, &vertices);
    if flex.elemtexcoord.is_empty() {
        flex.elemtexcoord.clone_from(&flex.elem);
    }
    flex.topology = Topology::new(&flex.elem, dim);
    set_elasticity(&mut flex, &vertices, poses);
    set_bounds(&mut flex, &vertices);
    Ok(Some(flex))
}

/// Number of vertices, and whether one body carries them all.
fn count_vertices(src: &Flex) -> Result<(usize, bool), String> {
    let (dim, interpolated) = (src.dim as usize, !src.nodebody.is_empty());
    let nvert = if src.vert.is_empty() { src.vertbody.len() } else { src.vert.len() / 3 };
    let single = !src.vert.is_empty() && src.vertbody.len() == 1;
    if !src.vert.is_empty() && !single && src.vertbody.len() != nvert {
        return Err(format!("has {nvert} vertices and {} bodies of vertices", src.vertbody.len()));
    }
    if interpolated && (src.vert.is_empty() || single) {
        return Err("an interpolated flex needs a position and a body for each vertex".into());
    }
    if nvert < dim + 1 {
        return Err(format!("needs at least {} vertices", dim + 1));
    }
    Ok((nvert, single))
}

/// Elements must refer to different vertices that exist.
fn check_elements(src: &Flex, nvert: usize) -> Result<(), String> {
    for (e, element) in src.elem.chunks_exact(src.dim as usize + 1).enumerate() {
        if let Some(v) = element.iter().find(|v| usize::try_from(**v).map_or(true, |v| v >= nvert)) {
            return Err(format!("element {e} refers to vertex {v}, but there are {nvert}"));
        }
        if (1..element.len()).any(|i| element[..i].contains(&element[i])) {
            return Err(format!("element {e} has a vertex twice"));
        }
    }
    Ok(())
}

/// Texture coordinates of the elements: as given, or those of their vertices.
fn element_texcoords(draft: &Draft<'_>, src: &Flex, nvert: usize) -> Result<Vec<i32>, String> {
    if src.texcoord.is_empty() || draft.drops_visuals() {
        // they will be the vertices of the elements as these are stored
        return Ok(Vec::new());
    }
    let coordinates = src.texcoord.len() / 2;
    if src.elemtexcoord.is_empty() {
        if src.texcoord.len() != 2 * nvert {
            return Err(format!("needs two texture coordinates for each of {nvert} vertices"));
        }
        // the reference takes three numbers for each element, whatever its dimension
        let mut numbers = src.elem.clone();
        let known = 3 * (src.elem.len() / (src.dim as usize + 1));
        numbers.iter_mut().skip(known).for_each(|number| *number = 0);
        return Ok(numbers);
    }
    if src.elemtexcoord.len() != src.elem.len() {
        return Err("'elemtexcoord' must have as many numbers as 'element'".into());
    }
    match src.elemtexcoord.iter().find(|i| usize::try_from(**i).map_or(true, |i| i >= coordinates)) {
        Some(i) => {
            Err(format!("'elemtexcoord' refers to texture coordinate {i}, but there are {coordinates}"))
        }
        None => Ok(src.elemtexcoord.clone()),
    }
}

/// Numbers of bodies; `None` when one is missing, which has been reported.
fn find_bodies(draft: &mut Draft<'_>, src: &Flex, names: &[String]) -> Option<Vec<usize>> {
    let found: Vec<_> = names.iter().map(|name| draft.names.find(ObjType::Body, name)).collect();
    if let Some(missing) = found.iter().position(Option::is_none) {
        draft.find_required(src, ObjType::Body, &names[missing]);
    }
    found.into_iter().collect()
}

/// Vertices in the world in the reference pose.
fn vertex_positions(flex: &FlexDraft<'_>, poses: &[Pose]) -> Vec<V3> {
    let offset = |i: usize| flex.src.vert.get(3 * i..3 * i + 3).map_or([0.0; 3], |v| [v[0], v[1], v[2]]);
    (0..flex.nvert)
        .map(|i| {
            let pose = &poses[flex.body_of(i).unwrap_or(0)];
            if flex.centered && !flex.interpolated() {
                return pose.pos;
            }
            let moved = rotate(&pose.quat, &offset(i));
            std::array::from_fn(|k| pose.pos[k] + moved[k])
        })
        .collect()
}

/// Makes the faces of tetrahedra counterclockwise seen from outside.
fn orient_faces_outward(flex: &mut FlexDraft<'_>, vertices: &[V3]) {
    if flex.dim < 3 {
        return;
    }
    for element in flex.elem.as_chunks_mut::<4>().0 {
        let [a, b, c, d] = element.map(|v| vertices[v as usize]);
        if dot(&cross(&sub(&b, &a), &sub(&c, &a)), &sub(&d, &a)) > 0.0 {
            element.swap(1, 2);
        }
    }
}

/// Elastic constants of elements, edges or cells, and the nodes they refer to.
fn set_elasticity(flex: &mut FlexDraft<'_>, vertices: &[V3], poses: &[Pose]) {
    let src = flex.src;
    if flex.interpolated() {
        flex.node0 = cell_stiffness::reference_nodes(flex, poses);
        if src.young > 0.0 || src.strain_constrained {
            flex.stiffness = cell_stiffness::cells(flex);
        }
        return;
    }
    if src.young <= 0.0 {
        return;
    }
    flex.stiffness = stiffness::elements(flex, vertices);
    if flex.dim == 2 && matches!(src.elastic2d, 1 | 3) {
        let shear = src.young / (2.0 * (1.0 + src.poisson));
        let constants = |flap: &[i32; 4]| bending::edge(vertices, flap, shear, src.thickness);
        flex.bending = flex.topology.flaps.iter().map(constants).collect();
    }
}

/// The bounding tree of the elements that may collide, and the box around all.
fn set_bounds(flex: &mut FlexDraft<'_>, vertices: &[V3]) {
    let radius = flex.src.radius;
    let layers = flex.src.activelayers;
    let elements = flex.elem.chunks_exact(flex.dim + 1).enumerate();
    let active = elements.filter(|(e, _)| flex.dim < 3 || flex.topology.layer[*e] < layers);
    let leaves: Vec<BvhLeaf> = active
        .map(|(e, element)| {
            let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
            for &v in element {
                for k in 0..3 {
                    low[k] = low[k].min(vertices[v as usize][k]);
                    high[k] = high[k].max(vertices[v as usize][k]);
                }
            }
            let mut aabb = [0.0; 6];
            for k in 0..3 {
                aabb[k] = 0.5 * (high[k] + low[k]);
                aabb[3 + k] = 0.5 * (high[k] - low[k]) + radius;
            }
            BvhLeaf { id: e as i32, pos: [aabb[0], aabb[1], aabb[2]], quat: None, aabb }
        })
        .collect();
    flex.tree = BvhTree::build(&leaves, &[0.0; 3], &super::frames::UNIT);
    let root = flex.tree.aabb.first().copied().unwrap_or_default();
    flex.size = std::array::from_fn(|k| root[3 + k] - radius);
    let inside = |v: &V3| -> V3 {
        std::array::from_fn(|k| {
            if flex.size[k] > MINVAL { (v[k] - root[k]) / (2.0 * flex.size[k]) + 0.5 } else { 0.5 }
        })
    };
    flex.vert0 = vertices.iter().map(inside).collect();
}
