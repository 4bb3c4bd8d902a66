//! Sparse patterns of matrices over degrees of freedom, known from the tree alone.
//!
//! * `M`: lower triangle of the inertia matrix by rows, each dof with its ancestors, diagonal last; simple
//!   dofs have only their diagonal.
//! * `D`: the full symmetric pattern, each dof with its ancestors and descendants.
//! * `B`: for each body the dofs that move it or are moved with it: those of its ancestors, its own and its
//!   subtree's.
//!
//! The maps carry entries of one pattern to another: `mapM2D` and `mapD2M` between the first two, `mapM2M`
//! from the legacy layout of the inertia matrix (each dof followed by its ancestors, upwards) to `M`.

use kinetree_model::{Model, Sizes, checkpoint};

/// Ancestors of a dof, nearest first.
fn ancestors(parent: &[i32], dof: usize) -> impl Iterator<Item = usize> + '_ {
    let up = |d: usize| usize::try_from(parent[d]).ok();
    std::iter::successors(up(dof), move |&d| up(d))
}

/// What the sizes of the patterns depend on.
pub(crate) struct TreeCounts<'a> {
    pub(crate) dof_parent: &'a [i32],
    pub(crate) dof_simple: &'a [bool],
    pub(crate) body_parent: &'a [usize],
    pub(crate) body_dofs: &'a [usize],
}

/// Sets `nM`, `nD`, `nC` and `nB`.
pub(crate) fn count(tree: &TreeCounts<'_>, sizes: &mut Sizes) {
    let nv = tree.dof_parent.len();
    let depths: Vec<usize> = depths(tree.dof_parent);
    sizes.nM = depths.iter().sum();
    sizes.nD = 2 * sizes.nM - nv;
    sizes.nC = (0..nv).map(|dof| if tree.dof_simple[dof] { 1 } else { depths[dof] }).sum();
    if nv == 0 {
        return;
    }
    let nbody = tree.body_parent.len();
    let mut subtree = tree.body_dofs.to_vec();
    for body in (1..nbody).rev() {
        subtree[tree.body_parent[body]] += subtree[body];
    }
    let mut above = vec![0; nbody];
    for body in 1..nbody {
        let parent = tree.body_parent[body];
        above[body] = above[parent] + tree.body_dofs[parent];
    }
    sizes.nB = subtree.iter().sum::<usize>() + above.iter().sum::<usize>();
}

/// Number of ancestors of each dof, itself included.
fn depths(parent: &[i32]) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(parent.len());
    for &p in parent {
        depths.push(1 + usize::try_from(p).map_or(0, |p| depths[p]));
    }
    depths
}

/// Fills all patterns and maps.
pub(crate) fn write(model: &mut Model) {
    let mut address = 0;
    for (dof, depth) in depths(&model.dof_parentid).into_iter().enumerate() {
        model.dof_Madr[dof] = address as i32;
        address += depth;
    }
    for part in [write_m, write_d, write_b, write_maps] {
        checkpoint();
        part(model);
    }
}

/// Row addresses from row lengths.
fn accumulate(lengths: &[i32], addresses: &mut [i32]) {
    let mut adr = 0;
    for (length, address) in lengths.iter().zip(addresses) {
        *address = adr;
        adr += length;
    }
}

fn write_m(model: &mut Model) {
    let mut adr = 0;
    for dof in 0..model.nv {
        model.M_rowadr[dof] = adr as i32;
        let start = adr;
        if model.dof_simplenum[dof] == 0 {
            for ancestor in ancestors(&model.dof_parentid, dof) {
                model.M_colind[adr] = ancestor as i32;
                model.mapM2M[adr] = model.dof_Madr[dof] + 1 + (adr - start) as i32;
                adr += 1;
            }
            model.M_colind[start..adr].reverse();
            model.mapM2M[start..adr].reverse();
        }
        model.M_colind[adr] = dof as i32;
        model.mapM2M[adr] = model.dof_Madr[dof];
        adr += 1;
        model.M_rownnz[dof] = (adr - start) as i32;
    }
}

fn write_d(model: &mut Model) {
    let parent = model.dof_parentid.to_vec();
    for dof in 0..model.nv {
        model.D_rownnz[dof] += 1;
        for ancestor in ancestors(&parent, dof) {
            model.D_rownnz[dof] += 1;
            model.D_rownnz[ancestor] += 1;
        }
    }
    accumulate(&model.D_rownnz, &mut model.D_rowadr);

    // ancestors come first; descendants follow in increasing order because dofs are visited that way
    let mut next: Vec<usize> = model.D_rowadr.iter().map(|&adr| adr as usize).collect();
    for dof in 0..model.nv {
        let start = next[dof];
        for ancestor in ancestors(&parent, dof) {
            model.D_colind[next[dof]] = ancestor as i32;
            next[dof] += 1;
        }
        model.D_colind[start..next[dof]].reverse();
        model.D_diag[dof] = (next[dof] - start) as i32;
        model.D_colind[next[dof]] = dof as i32;
        next[dof] += 1;
        // every ancestor was visited before and has its own entries in place
        for ancestor in ancestors(&parent, dof) {
            model.D_colind[next[ancestor]] = dof as i32;
            next[ancestor] += 1;
        }
    }
}

fn write_b(model: &mut Model) {
    let nbody = model.nbody;
    let mut subtree: Vec<i32> = model.body_dofnum.to_vec();
    for body in (1..nbody).rev() {
        subtree[model.body_parentid[body] as usize] += subtree[body];
    }
    // bodies are numbered depth first, so the dofs of a subtree are consecutive
    let mut first = vec![0i32; nbody];
    let mut adr = 0;
    for (first, dofs) in first.iter_mut().zip(model.body_dofnum.iter()) {
        *first = adr;
        adr += dofs;
    }
    if model.nB == 0 {
        return;
    }
    let mut adr = 0;
    for body in 0..nbody {
        let start = adr;
        model.B_rowadr[body] = adr as i32;
        let mut chain = Vec::new();
        let mut up = body;
        while up > 0 {
            up = model.body_parentid[up] as usize;
            chain.extend((first[up]..first[up] + model.body_dofnum[up]).rev());
        }
        for dof in chain.into_iter().rev().chain(first[body]..first[body] + subtree[body]) {
            model.B_colind[adr] = dof;
            adr += 1;
        }
        model.B_rownnz[body] = (adr - start) as i32;
    }
}

fn write_maps(model: &mut Model) {
    model.mapM2D.fill(-1);
    for row in 0..model.nv {
        let start = model.M_rowadr[row] as usize;
        for k in start..start + model.M_rownnz[row] as usize {
            let col = model.M_colind[k] as usize;
            let lower = find_entry(model, row, col);
            model.mapD2M[k] = lower as i32;
            model.mapM2D[lower] = k as i32;
            if col != row {
                let upper = find_entry(model, col, row);
                model.mapM2D[upper] = k as i32;
            }
        }
    }
}

/// Address of an entry of `D` that is known to exist.
fn find_entry(model: &Model, row: usize, col: usize) -> usize {
    let start = model.D_rowadr[row] as usize;
    let columns = &model.D_colind[start..start + model.D_rownnz[row] as usize];
    start + columns.partition_point(|&c| (c as usize) < col)
}
