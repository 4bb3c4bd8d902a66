//! Islands: groups of trees that constraints tie together. Each can be solved on its own.
//!
//! Trees are nodes, constraints are edges. Islands are numbered by their first tree; inside an island, dofs
//! and rows keep their order. A step needs no more than these numbers; [`mj_island`] also copies inertia
//! matrix, Jacobian and rows in island order, so that each island can be seen in contiguous arrays.

use crate::constraint::row_runs;
use crate::flex::contact_bodies::touches_flex;
use kinetree_model::enums::{ConstraintType, DisableBit, EqType, ObjType};
use kinetree_model::{Data, Model};
use std::ops::Range;

/// Working memory of island discovery.
#[derive(Default)]
pub(crate) struct IslandScratch {
    /// Union-find parents of the trees.
    link: Vec<i32>,
    /// Runs of rows whose objects have the same first tree, and that tree; -1 for rows that move nothing,
    /// such as those of a contact with a fixed vertex of a flex.
    objects: Vec<(Range<usize>, i32)>,
    /// Whether some constraint touches the tree.
    touched: Vec<bool>,
    count: Vec<i32>,
    /// Position of each tree in the order of islands.
    index: Vec<i32>,
}

/// Finds the islands and fills all island arrays.
pub(crate) fn mj_island(model: &Model, data: &mut Data, scratch: &mut IslandScratch) {
    find_islands(model, data, scratch);
    if data.nisland > 0 {
        order_inertia(model, data);
        copy_rows(data);
        order_jacobian(model, data);
    }
}

/// Finds the islands and numbers their trees, dofs and rows; copies nothing.
pub(crate) fn find_islands(model: &Model, data: &mut Data, scratch: &mut IslandScratch) {
    data.nisland = 0;
    data.nidof = 0;
    if model.disabled(DisableBit::Island) || data.nefc == 0 {
        return;
    }
    if model.ntree == 1 {
        data.nisland = 1;
        data.nidof = model.nv;
        set_all(&mut data.tree_island, 1, 0);
    } else {
        join_trees(model, data, scratch);
        number_islands(model, data, scratch);
    }
    if data.nisland > 0 {
        order_trees(model, data, scratch);
        order_dofs(model, data, scratch);
        order_rows(data, scratch);
    }
}

/// Root of a tree's set, with path halving.
fn root(link: &mut [i32], mut tree: i32) -> i32 {
    while link[tree as usize] != tree {
        let up = link[link[tree as usize] as usize];
        link[tree as usize] = up;
        tree = up;
    }
    tree
}

/// Joins two trees; the smaller index becomes the root.
fn join(link: &mut [i32], a: i32, b: i32) {
    let (a, b) = (root(link, a), root(link, b));
    let (low, high) = (a.min(b), a.max(b));
    link[high as usize] = low;
}

/// Joins the trees of every constraint and remembers one tree for each run of objects.
fn join_trees(model: &Model, data: &Data, s: &mut IslandScratch) {
    s.link.clear();
    s.link.extend(0..model.ntree as i32);
    s.touched.clear();
    s.touched.resize(model.ntree, false);
    s.objects.clear();
    let n = data.nefc;
    let (kinds, ids) = (&data.efc_type[..n], &data.efc_id[..n]);
    let first_contact = data.ne + data.nf + data.nl;
    let mut row = 0;
    while row < n {
        let (kind, id) = (kinds[row], ids[row]);
        let start = row;
        row += 1;
        let by_row = kind == ConstraintType::Equality && rows_differ(model, id as usize);
        while row < n && ids[row] == id && kinds[row] == kind && !by_row {
            row += 1;
        }
        let (mut first, mut last) = (-1, -1);
        let mut visit = |tree: i32| {
            // the dofs of a tree come together
            if tree == last || tree < 0 {
                return;
            }
            last = tree;
            if first < 0 {
                first = tree;
                s.touched[tree as usize] = true;
            } else if tree != first {
                s.touched[tree as usize] = true;
                join(&mut s.link, first, tree);
            }
        };
        let trees = if start >= first_contact {
            contact_trees(model, data, id as usize)
        } else {
            known_trees(model, kind, id as usize)
        };
        match trees {
            Some([a, b]) => {
                visit(a);
                visit(b);
            }
            // the rows of a contact have the same columns in a sparse matrix; in a dense one, parts along
            // normal and tangent may cancel in some of them
            None if model.is_sparse() => visit_row_trees(model, data, start, &mut visit),
            None => (start..row).for_each(|row| visit_row_trees(model, data, row, &mut visit)),
        }
        match s.objects.last_mut() {
            Some((rows, tree)) if *tree == first => rows.end = row,
            _ => s.objects.push((start..row, first)),
        }
    }
}

/// Whether the rows of an equality touch different trees: those of edges and vertices of a flex do.
fn rows_differ(model: &Model, eq: usize) -> bool {
    model.eq_type[eq] == EqType::Flex || model.eq_type[eq] == EqType::Flexvert
}

/// The trees of a contact, -1 for the world; `None` for a contact with a flex.
#[inline]
fn contact_trees(model: &Model, data: &Data, contact: usize) -> Option<[i32; 2]> {
    if touches_flex(&data.contact[contact]) {
        return None;
    }
    let [a, b] = data.contact[contact].geom;
    let tree = |geom: i32| model.body_treeid[model.geom_bodyid[geom as usize] as usize];
    Some([tree(a), tree(b)])
}

/// The trees of another constraint whose objects tell them; -1 stands for the world.
fn known_trees(model: &Model, kind: i32, id: usize) -> Option<[i32; 2]> {
    match ConstraintType::try_from(kind) {
        Ok(ConstraintType::FrictionDof) => Some([model.dof_treeid[id], -1]),
        Ok(ConstraintType::LimitJoint) => Some([model.dof_treeid[model.jnt_dofadr[id] as usize], -1]),
        Ok(ConstraintType::Equality)
            if model.eq_type[id] == EqType::Connect || model.eq_type[id] == EqType::Weld =>
        {
            let mut body = [model.eq_obj1id[id] as usize, model.eq_obj2id[id] as usize];
            if model.eq_objtype[id] == ObjType::Site {
                body = body.map(|s| model.site_bodyid[s] as usize);
            }
            Some(body.map(|b| model.body_treeid[b]))
        }
        _ => None,
    }
}

/// Reads the trees of a row from its Jacobian.
fn visit_row_trees(model: &Model, data: &Data, row: usize, visit: &mut impl FnMut(i32)) {
    if model.is_sparse() {
        let adr = data.efc_J_rowadr[row] as usize;
        for &dof in &data.efc_J_colind[adr..adr + data.efc_J_rownnz[row] as usize] {
            visit(model.dof_treeid[dof as usize]);
        }
    } else {
        for (dof, &x) in data.efc_J[row * model.nv..(row + 1) * model.nv].iter().enumerate() {
            if x != 0.0 {
                visit(model.dof_treeid[dof]);
            }
        }
    }
}

/// Numbers the islands in the order of their first tree.
fn number_islands(model: &Model, data: &mut Data, s: &mut IslandScratch) {
    data.tree_island.clear();
    data.tree_island.resize(model.ntree, -1);
    for tree in 0..model.ntree {
        if !s.touched[tree] {
            continue;
        }
        let first = root(&mut s.link, tree as i32) as usize;
        // the root of a set is its smallest tree, so it already has a number unless it is this one
        if first == tree {
            data.tree_island[tree] = data.nisland as i32;
            data.nisland += 1;
        } else {
            data.tree_island[tree] = data.tree_island[first];
        }
        data.nidof += model.tree_dofnum[tree] as usize;
    }
}

/// Starts of consecutive runs with the given lengths.
fn starts(address: &mut Vec<i32>, length: &[i32]) -> i32 {
    address.clear();
    let mut total = 0;
    for n in length {
        address.push(total);
        total += n;
    }
    total
}

/// `n` times the same value.
fn set_all(v: &mut Vec<i32>, n: usize, value: i32) {
    v.clear();
    v.resize(n, value);
}

/// The numbers below `n`.
fn count_up(v: &mut Vec<i32>, n: i32) {
    v.resize(n.max(0) as usize, 0);
    // in lanes, which the compiler makes of long lists only
    let (fours, rest) = v.as_chunks_mut::<4>();
    let mut next = 0;
    for four in fours {
        *four = [next, next + 1, next + 2, next + 3];
        next += 4;
    }
    rest.iter_mut().zip(next..).for_each(|(x, i)| *x = i);
}

/// ColumnIndices runs of items, of which there are `count`, in island order: those of island 0 first, those
/// of no island last. `from` gets the item at each position, `to` the position of each item.
fn arrange(
    count: usize,
    runs: impl Iterator<Item = (Range<usize>, i32)> + Clone,
    (address, total): (&[i32], i32),
    cursor: &mut Vec<i32>,
    (to, from): (&mut Vec<i32>, &mut Vec<i32>),
) {
    let slot = |island: i32| usize::try_from(island).unwrap_or(address.len());
    if runs.clone().is_sorted_by_key(|(_, island)| slot(island)) {
        // where each tree stands by itself, everything mostly is in order
        count_up(to, count as i32);
        count_up(from, count as i32);
        return;
    }
    to.resize(count, 0);
    from.resize(count, 0);
    cursor.clear();
    cursor.extend_from_slice(address);
    cursor.push(total);
    for (items, island) in runs {
        let (at, n) = (&mut cursor[slot(island)], items.len());
        for (from, item) in from[*at as usize..][..n].iter_mut().zip(items.start as i32..) {
            *from = item;
        }
        for (to, at) in to[items].iter_mut().zip(*at..) {
            *to = at;
        }
        *at += n as i32;
    }
}

fn order_trees(model: &Model, data: &mut Data, s: &mut IslandScratch) {
    if model.ntree == 1 {
        set_all(&mut data.island_ntree, 1, 1);
        for zero in [&mut data.island_itreeadr, &mut s.index, &mut data.map_itree2tree] {
            set_all(zero, 1, 0);
        }
        return;
    }
    set_all(&mut data.island_ntree, data.nisland, 0);
    for &island in &data.tree_island {
        if island >= 0 {
            data.island_ntree[island as usize] += 1;
        }
    }
    let total = starts(&mut data.island_itreeadr, &data.island_ntree);
    let trees = data.tree_island.iter().enumerate().map(|(tree, &island)| (tree..tree + 1, island));
    let maps = (&mut s.index, &mut data.map_itree2tree);
    arrange(model.ntree, trees, (&data.island_itreeadr, total), &mut s.count, maps);
}

fn order_dofs(model: &Model, data: &mut Data, s: &mut IslandScratch) {
    if data.nisland == 1 && data.nidof == model.nv {
        let n = model.nv as i32;
        set_all(&mut data.dof_island, model.nv, 0);
        set_all(&mut data.island_nv, 1, n);
        set_all(&mut data.island_idofadr, 1, 0);
        set_all(&mut data.island_dofadr, 1, 0);
        count_up(&mut data.map_dof2idof, n);
        count_up(&mut data.map_idof2dof, n);
        return;
    }
    let trees = model.tree_dofadr.iter().zip(&model.tree_dofnum).map(|(&start, &n)| {
        let start = start as usize;
        start..start + n as usize
    });
    let runs = trees.zip(data.tree_island.iter().copied());
    data.dof_island.resize(model.nv, -1);
    set_all(&mut data.island_nv, data.nisland, 0);
    for (dofs, island) in runs.clone() {
        if let Ok(island) = usize::try_from(island) {
            data.island_nv[island] += dofs.len() as i32;
        }
        data.dof_island[dofs].fill(island);
    }
    let total = starts(&mut data.island_idofadr, &data.island_nv);
    let maps = (&mut data.map_dof2idof, &mut data.map_idof2dof);
    arrange(model.nv, runs, (&data.island_idofadr, total), &mut s.count, maps);
    data.island_dofadr.clear();
    data.island_dofadr.extend(data.island_idofadr.iter().map(|&i| data.map_idof2dof[i as usize]));
}

/// Copies the inertia matrix and its factor in island order; columns count from the island's first dof.
fn order_inertia(model: &Model, data: &mut Data) {
    for v in [&mut data.iM, &mut data.iLD, &mut data.iLDiagInv] {
        v.clear();
    }
    for v in [&mut data.iM_rownnz, &mut data.iM_rowadr, &mut data.iM_colind] {
        v.clear();
    }
    for &dof in &data.map_idof2dof[..data.nidof] {
        let dof = dof as usize;
        let first = data.island_idofadr[data.dof_island[dof] as usize];
        let adr = model.M_rowadr[dof] as usize;
        let range = adr..adr + model.M_rownnz[dof] as usize;
        data.iM_rownnz.push(model.M_rownnz[dof]);
        data.iM_rowadr.push(data.iM_colind.len() as i32);
        data.iM_colind
            .extend(model.M_colind[range.clone()].iter().map(|&c| data.map_dof2idof[c as usize] - first));
        data.iM.extend_from_slice(&data.M[range.clone()]);
        data.iLD.extend_from_slice(&data.qLD[range]);
        data.iLDiagInv.push(data.qLDiagInv[dof]);
    }
}

/// Sorts the rows by island.
fn order_rows(data: &mut Data, s: &mut IslandScratch) {
    if data.nisland == 1 {
        let n = data.nefc as i32;
        set_all(&mut data.efc_island, data.nefc, 0);
        set_all(&mut data.island_ne, 1, data.ne as i32);
        set_all(&mut data.island_nf, 1, data.nf as i32);
        set_all(&mut data.island_nefc, 1, n);
        set_all(&mut data.island_iefcadr, 1, 0);
        count_up(&mut data.map_efc2iefc, n);
        count_up(&mut data.map_iefc2efc, n);
        return;
    }
    data.efc_island.resize(data.nefc, 0);
    for v in [&mut data.island_ne, &mut data.island_nf, &mut data.island_nefc] {
        set_all(v, data.nisland, 0);
    }
    // how many of some rows lie before the given one
    let before = |rows: &Range<usize>, end: usize| rows.end.min(end) as i32 - rows.start.min(end) as i32;
    // rows that move nothing go with the first island, where they change nothing
    let tree_island = &data.tree_island;
    let island_of = |tree: i32| usize::try_from(tree).map_or(0, |tree| tree_island[tree]);
    for (rows, tree) in &s.objects {
        let island = island_of(*tree);
        data.efc_island[rows.clone()].fill(island);
        let island = island as usize;
        let ne = before(rows, data.ne);
        data.island_nefc[island] += rows.len() as i32;
        data.island_ne[island] += ne;
        data.island_nf[island] += before(rows, data.ne + data.nf) - ne;
    }
    let total = starts(&mut data.island_iefcadr, &data.island_nefc);
    let runs = s.objects.iter().map(|(rows, tree)| (rows.clone(), island_of(*tree)));
    let maps = (&mut data.map_efc2iefc, &mut data.map_iefc2efc);
    arrange(data.nefc, runs, (&data.island_iefcadr, total), &mut s.count, maps);
}

/// Copies what describes the rows, in island order.
fn copy_rows(data: &mut Data) {
    let order = &data.map_iefc2efc;
    for (to, from) in [(&mut data.iefc_type, &data.efc_type), (&mut data.iefc_id, &data.efc_id)] {
        to.clear();
        to.extend(order.iter().map(|&i| from[i as usize]));
    }
    for (to, from) in [
        (&mut data.iefc_frictionloss, &data.efc_frictionloss),
        (&mut data.iefc_D, &data.efc_D),
        (&mut data.iefc_R, &data.efc_R),
    ] {
        to.clear();
        to.extend(order.iter().map(|&i| from[i as usize]));
    }
}

/// Copies the Jacobian in island order: sparse rows with the island's columns, or one dense block per island.
fn order_jacobian(model: &Model, data: &mut Data) {
    data.iefc_J.clear();
    for v in
        [&mut data.iefc_J_rownnz, &mut data.iefc_J_rowadr, &mut data.iefc_J_colind, &mut data.iefc_J_rowsuper]
    {
        v.clear();
    }
    if !model.is_sparse() {
        data.iefc_J.resize(data.nefc * data.nidof, 0.0);
        for island in 0..data.nisland {
            let first = data.island_iefcadr[island] as usize;
            let rows = &data.map_iefc2efc[first..first + data.island_nefc[island] as usize];
            let adr = data.island_idofadr[island] as usize;
            let nv = data.island_nv[island] as usize;
            let dofs = &data.map_idof2dof[adr..adr + nv];
            let target = &mut data.iefc_J[data.nidof * first..];
            for (out, &row) in target.chunks_exact_mut(nv).zip(rows) {
                let source = &data.efc_J[row as usize * model.nv..][..model.nv];
                for (x, &dof) in out.iter_mut().zip(dofs) {
                    *x = source[dof as usize];
                }
            }
        }
        return;
    }
    for &row in &data.map_iefc2efc {
        let row = row as usize;
        let first = data.island_idofadr[data.efc_island[row] as usize];
        let adr = data.efc_J_rowadr[row] as usize;
        let range = adr..adr + data.efc_J_rownnz[row] as usize;
        data.iefc_J_rownnz.push(data.efc_J_rownnz[row]);
        data.iefc_J_rowadr.push(data.iefc_J_colind.len() as i32);
        data.iefc_J_colind
            .extend(data.efc_J_colind[range.clone()].iter().map(|&c| data.map_dof2idof[c as usize] - first));
        data.iefc_J.extend_from_slice(&data.efc_J[range]);
    }
    row_runs(&mut data.iefc_J_rowsuper, &data.iefc_J_rownnz, &data.iefc_J_rowadr, &data.iefc_J_colind);
}
