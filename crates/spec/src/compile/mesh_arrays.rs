//! Concatenation of compiled meshes into the arrays of the model.

use kinetree_model::{Model, Sizes};

use super::draft::Draft;
use super::elements::MeshDraft;

/// Meshes that stay in the model, in order.
fn kept<'a, 's>(draft: &'a Draft<'s>) -> impl Iterator<Item = &'a MeshDraft<'s>> {
    draft.meshes.iter().enumerate().filter(|(m, _)| draft.mesh_id(*m) >= 0).map(|(_, mesh)| mesh)
}

/// Sets the sizes of mesh arrays.
pub(crate) fn count(draft: &Draft<'_>, sizes: &mut Sizes) {
    for mesh in kept(draft) {
        let data = &mesh.asset.mesh;
        sizes.nmesh += 1;
        sizes.nbvhstatic += mesh.asset.tree.len();
        sizes.noct += mesh.asset.octree.len();
        sizes.nmeshvert += data.vert.len();
        sizes.nmeshnormal += data.normal.len();
        sizes.nmeshtexcoord += data.texcoord.len();
        sizes.nmeshface += data.face.len();
        sizes.nmeshgraph += data.graph.len();
        sizes.nmeshpoly += data.polynormal.len();
        sizes.nmeshpolyvert += data.polyvert.len();
        sizes.nmeshpolymap += data.polymap.len();
    }
}

/// Copies a part of an array.
pub(super) fn put<T: Copy>(array: &mut [T], next: usize, data: &[T]) {
    array[next..next + data.len()].copy_from_slice(data);
}

/// The same for addresses that were counted from the start of the mesh.
fn put_shifted(array: &mut [i32], next: usize, data: &[i32], shift: usize) {
    for (slot, value) in array[next..next + data.len()].iter_mut().zip(data) {
        *slot = value + shift as i32;
    }
}

/// Address of a part that may be missing.
pub(super) fn optional(present: bool, address: usize) -> i32 {
    if present { address as i32 } else { -1 }
}

/// Fills the arrays of meshes; their boxes follow those of the bodies, which end at `bvh_start`. Returns
/// where their own end.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model, bvh_start: usize) -> usize {
    let (mut vert, mut normal, mut texcoord, mut face, mut graph) = (0, 0, 0, 0, 0);
    let (mut poly, mut polyvert, mut polymap, mut bvh, mut oct) = (0, 0, 0, bvh_start, 0);
    for (i, mesh) in kept(draft).enumerate() {
        let data = &mesh.asset.mesh;
        model.mesh_vertadr[i] = vert as i32;
        model.mesh_vertnum[i] = data.vert.len() as i32;
        model.mesh_faceadr[i] = face as i32;
        model.mesh_facenum[i] = data.face.len() as i32;
        model.mesh_bvhadr[i] = optional(!mesh.asset.tree.is_empty(), bvh);
        model.mesh_bvhnum[i] = mesh.asset.tree.len() as i32;
        let octree = &mesh.asset.octree;
        model.mesh_octadr[i] = optional(!octree.is_empty(), oct);
        model.mesh_octnum[i] = octree.len() as i32;
        model.mesh_normaladr[i] = normal as i32;
        model.mesh_normalnum[i] = data.normal.len() as i32;
        model.mesh_texcoordadr[i] = optional(!data.texcoord.is_empty(), texcoord);
        model.mesh_texcoordnum[i] = data.texcoord.len() as i32;
        model.mesh_graphadr[i] = optional(!data.graph.is_empty(), graph);
        model.mesh_scale[i] = data.scale;
        model.mesh_pos[i] = data.pos;
        model.mesh_quat[i] = data.quat;
        model.mesh_polynum[i] = data.polynormal.len() as i32;
        model.mesh_polyadr[i] = poly as i32;

        put(&mut model.mesh_vert, vert, &data.vert);
        put(&mut model.mesh_normal, normal, &data.normal);
        put(&mut model.mesh_texcoord, texcoord, &data.texcoord);
        put(&mut model.mesh_face, face, &data.face);
        put(&mut model.mesh_facenormal, face, &data.facenormal);
        if !data.texcoord.is_empty() {
            put(&mut model.mesh_facetexcoord, face, &data.facetexcoord);
        }
        put(&mut model.mesh_graph, graph, &data.graph);
        put(&mut model.mesh_polynormal, poly, &data.polynormal);
        put_shifted(&mut model.mesh_polyvertadr, poly, &data.polyvertadr, polyvert);
        put(&mut model.mesh_polyvertnum, poly, &data.polyvertnum);
        put(&mut model.mesh_polyvert, polyvert, &data.polyvert);
        put_shifted(&mut model.mesh_polymapadr, vert, &data.polymapadr, polymap);
        put(&mut model.mesh_polymapnum, vert, &data.polymapnum);
        put(&mut model.mesh_polymap, polymap, &data.polymap);
        put(&mut model.bvh_aabb, bvh, &mesh.asset.tree.aabb);
        put(&mut model.bvh_child, bvh, &mesh.asset.tree.child);
        put(&mut model.bvh_depth, bvh, &mesh.asset.tree.depth);
        put(&mut model.bvh_nodeid, bvh, &mesh.asset.tree.nodeid);

        put(&mut model.oct_depth, oct, &octree.depth);
        put(&mut model.oct_child, oct, &octree.child);
        put(&mut model.oct_aabb, oct, &octree.aabb);
        put(&mut model.oct_coeff, oct, &octree.coeff);

        oct += octree.len();
        vert += data.vert.len();
        normal += data.normal.len();
        texcoord += data.texcoord.len();
        face += data.face.len();
        graph += data.graph.len();
        poly += data.polynormal.len();
        polyvert += data.polyvert.len();
        polymap += data.polymap.len();
        bvh += mesh.asset.tree.len();
    }
    bvh
}
