//! Parts of steps that the reference exports without declaring them in its public headers.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::handle::ModelPtr;
use crate::ffi::pointer::{In, Out, count};
use crate::functions::index;
use kinetree_model::Model;
use kinetree_model::enums::{ObjType, TrnType};

/// Wakes a tree and the cycle that it sleeps in; gives how many trees woke up.
fn wake_tree(asleep: &mut [i32], tree: usize, value: i32) -> Served<i32> {
    if asleep[tree] < 0 {
        asleep[tree] = asleep[tree].min(value);
        return Ok(0);
    }
    let (mut current, mut woken, mut met) = (tree, 0, vec![false; asleep.len()]);
    loop {
        let next = asleep[current];
        if std::mem::replace(&mut met[current], true) {
            return fault(format!("tree {tree} is not in a cycle"));
        }
        let Some(at) = usize::try_from(next).ok().filter(|&at| at < asleep.len()) else {
            return fault(format!("invalid sleep state index {next} when waking tree {tree}"));
        };
        asleep[current] = value;
        woken += 1;
        if at == tree {
            return Ok(woken);
        }
        current = at;
    }
}

export! {
    fn mj_wakeTree(tree_asleep: Out<'_, i32>, ntree: i32, i: i32, wakeval: i32) -> i32 {
        let tree = index("tree", i, count(ntree))?;
        wake_tree(tree_asleep.list(count(ntree))?, tree, wakeval)
    }
    fn mj_floodFill(
        island: Out<'_, i32>, nr: i32, rownnz: In<'_, i32>, rowadr: In<'_, i32>, colind: In<'_, i32>,
        _stack: Out<'_, i32>,
    ) -> i32 {
        let nr = count(nr);
        let (rownnz, rowadr, island) = (rownnz.list(nr)?, rowadr.list(nr)?, island.list(nr)?);
        island.fill(-1);
        let (mut found, mut waiting) = (0, Vec::new());
        for first in 0..nr {
            // a node without edges belongs to no island
            if island[first] >= 0 || rownnz[first] <= 0 {
                continue;
            }
            waiting.push(first);
            while let Some(node) = waiting.pop() {
                if std::mem::replace(&mut island[node], found) == found {
                    continue;
                }
                let (start, length) = (count(rowadr[node]), count(rownnz[node]));
                for &next in &colind.list(start + length)?[start..] {
                    let next = index("node", next, nr)?;
                    if island[next] < 0 {
                        waiting.push(next);
                    }
                }
            }
            found += 1;
        }
        Ok(found)
    }
}

/// Value and derivative of basis function `i` of an order at a coordinate of a cell.
fn basis(s: f64, i: usize, order: usize) -> Served<[f64; 2]> {
    match (order, i) {
        (1, 0) => Ok([1.0 - s, -1.0]),
        (1, 1) => Ok([s, 1.0]),
        (2, 0) => Ok([2.0 * s * s - 3.0 * s + 1.0, 4.0 * s - 3.0]),
        (2, 1) => Ok([4.0 * (s - s * s), 4.0 * (1.0 - 2.0 * s)]),
        (2, 2) => Ok([2.0 * s * s - s, 4.0 * s - 1.0]),
        _ => fault("the order of interpolation must be 1 or 2"),
    }
}

/// Values and derivatives of the basis functions of all nodes of a cell: the last axis counts fastest.
fn nodes(x: [f64; 3], order: i32) -> Served<Vec<[[f64; 2]; 3]>> {
    let order = count(order);
    let mut list = Vec::new();
    for node in 0..(order + 1).saturating_pow(3).min(27) {
        let place = [node / (order + 1).pow(2), node / (order + 1) % (order + 1), node % (order + 1)];
        let [i, j, k] = place;
        list.push([basis(x[0], i, order)?, basis(x[1], j, order)?, basis(x[2], k, order)?]);
    }
    Ok(list)
}

export! {
    fn mju_evalBasis(x: In<'_, f64>, i: i32, order: i32) -> f64 {
        let nodes = nodes(x.array()?, order)?;
        Ok(nodes[index("node", i, nodes.len())?].iter().map(|[value, _]| value).product())
    }
    fn mju_interpolate3D(res: Out<'_, f64>, x: In<'_, f64>, coeff: In<'_, f64>, order: i32, nodeindices: In<'_, i32>) {
        let nodes = nodes(x.array()?, order)?;
        let numbers = nodeindices.optional(nodes.len())?;
        let mut sum = res.array::<3>()?;
        for (j, node) in nodes.iter().enumerate() {
            let weight: f64 = node.iter().map(|[value, _]| value).product();
            let at = numbers.map_or(j, |numbers| count(numbers[j]));
            let given = &coeff.list(3 * at + 3)?[3 * at..];
            sum.iter_mut().zip(given).for_each(|(to, from)| *to += weight * from);
        }
        res.set(sum)
    }
    fn mju_defGradient(res: Out<'_, f64>, p: In<'_, f64>, dof: In<'_, f64>, order: i32) {
        let nodes = nodes(p.array()?, order)?;
        let dof = dof.list(3 * nodes.len())?;
        let mut gradient = [0.0; 9];
        for (node, position) in nodes.iter().zip(dof.chunks_exact(3)) {
            let [[a, da], [b, db], [c, dc]] = *node;
            let factors = [da * b * c, a * db * c, a * b * dc];
            for (row, x) in position.iter().enumerate() {
                (0..3).for_each(|column| gradient[3 * row + column] += x * factors[column]);
            }
        }
        res.set(gradient)
    }
    fn mju_cellLookup(
        coord: In<'_, f64>, cellnum: In<'_, i32>, order: i32, local: Out<'_, f64>, nodeindices: Out<'_, i32>,
    ) -> i32 {
        let (coord, cells) = (coord.array::<3>()?, cellnum.array::<3>()?);
        let (mut first, mut inside) = ([0; 3], [0.0; 3]);
        for axis in 0..3 {
            let scaled = coord[axis] * f64::from(cells[axis]);
            let cell = (scaled.floor() as i32).min(cells[axis].saturating_sub(1)).max(0);
            inside[axis] = (scaled - f64::from(cell)).clamp(0.0, 1.0);
            first[axis] = cell.saturating_mul(order);
        }
        local.set(inside)?;
        let nodes = nodes(inside, order)?.len();
        if !nodeindices.is_null() {
            let side = order + 1;
            let [y, z] = [cells[1], cells[2]].map(|cells| cells.saturating_mul(order).saturating_add(1));
            nodeindices.fill_with(nodes, |node| {
                let node = node as i32;
                let [i, j, k] = [node / (side * side), node / side % side, node % side];
                let row = (first[0] + i).wrapping_mul(y).wrapping_add(first[1] + j);
                row.wrapping_mul(z).wrapping_add(first[2] + k)
            })?;
        }
        Ok(nodes as i32)
    }
}

/// Actuators that act on a joint or tendon, each with the square of its gear.
fn drivers(m: &Model, kind: i32, id: i32) -> Served<Vec<(usize, f64)>> {
    let (of_kind, count): (fn(TrnType) -> bool, usize) = match ObjType::try_from(kind) {
        Ok(ObjType::Joint) => (|trn| matches!(trn, TrnType::Joint | TrnType::Jointinparent), m.njnt),
        Ok(ObjType::Tendon) => (|trn| trn == TrnType::Tendon, m.ntendon),
        _ => return fault("only joint and tendon objects can inherit damping and armature from actuators"),
    };
    index("object", id, count)?;
    let acts = |&actuator: &usize| {
        m.actuator_trnid[actuator][0] == id
            && TrnType::try_from(m.actuator_trntype[actuator]).is_ok_and(of_kind)
    };
    Ok((0..m.nu).filter(acts).map(|actuator| (actuator, m.actuator_gear[actuator][0].powi(2))).collect())
}

/// What actuators add to the armature of a joint or tendon.
pub(super) fn driven_armature(m: &Model, kind: ObjType, id: usize) -> f64 {
    let driven = drivers(m, kind as i32, id as i32).unwrap_or_default();
    driven.into_iter().map(|(actuator, gear2)| m.actuator_armature[actuator] * gear2).sum()
}

export! {
    fn mj_actuatorDamping(m: ModelPtr<'_>, kind: i32, id: i32, poly: Out<'_, f64>) -> f64 {
        let m = m.get()?;
        let mut coefficients = poly.array::<2>()?;
        let mut damping = 0.0;
        for (actuator, gear2) in drivers(m, kind, id)? {
            damping += m.actuator_damping[actuator] * gear2;
            let own = m.actuator_dampingpoly[actuator];
            coefficients.iter_mut().zip(own).for_each(|(to, from)| *to += from * gear2);
        }
        poly.set(coefficients)?;
        Ok(damping)
    }
    fn mj_actuatorArmature(m: ModelPtr<'_>, kind: i32, id: i32) -> f64 {
        let m = m.get()?;
        Ok(drivers(m, kind, id)?.into_iter().map(|(actuator, gear2)| m.actuator_armature[actuator] * gear2).sum())
    }
}

/// Rotation of a cell by its deformation in the middle, as a quaternion from the world to the cell.
fn cell_rotation(positions: &[f64], order: i32) -> Served<[f64; 4]> {
    let mut gradient = [0.0; 9];
    for (node, position) in nodes([0.5; 3], order)?.iter().zip(positions.chunks_exact(3)) {
        let [[a, da], [b, db], [c, dc]] = *node;
        let factors = [da * b * c, a * db * c, a * b * dc];
        for (row, x) in position.iter().enumerate() {
            (0..3).for_each(|column| gradient[3 * row + column] += x * factors[column]);
        }
    }
    let mut rotation = [1.0, 0.0, 0.0, 0.0];
    kinetree_math::rot::mat_to_rot(&mut rotation, &kinetree_math::rot::mat3(&gradient));
    Ok(kinetree_math::rot::quat_conj(&rotation))
}

export! {
    fn mju_flexGatherCellState(
        order: i32, cy: i32, cz: i32, ci: i32, cj: i32, ck: i32, xpos_g: In<'_, f64>, vel_g: In<'_, f64>,
        xpos0_g: In<'_, f64>, xpos_c: Out<'_, f64>, vel_c: Out<'_, f64>, xpos0_c: Out<'_, f64>,
        nodeindices: Out<'_, i32>, quat: Out<'_, f64>,
    ) {
        if !matches!(order, 1 | 2) || [cy, cz, ci, cj, ck].iter().any(|&number| number < 0) {
            return fault("the order of interpolation must be 1 or 2, and cells are counted from 0");
        }
        let side = |cells: i32| count(cells).saturating_mul(count(order)).saturating_add(1);
        let (ny, nz) = (side(cy), side(cz));
        let mut list = Vec::new();
        for (i, j, k) in (0..=order).flat_map(|i| (0..=order).flat_map(move |j| (0..=order).map(move |k| (i, j, k)))) {
            let at = |cell: i32, node: i32| count(cell).saturating_mul(count(order)).saturating_add(count(node));
            let row = at(ci, i).saturating_mul(ny).saturating_add(at(cj, j));
            list.push(row.saturating_mul(nz).saturating_add(at(ck, k)));
        }
        let room = 3 * (list.iter().max().copied().unwrap_or(0).saturating_add(1)).min(usize::MAX / 32);
        for (from, to) in [(xpos_g, xpos_c), (vel_g, vel_c), (xpos0_g, xpos0_c)] {
            if let (Some(from), Some(to)) = (from.optional(room)?, to.optional(3 * list.len())?) {
                for (to, &node) in to.chunks_exact_mut(3).zip(&list) {
                    to.copy_from_slice(&from[3 * node..3 * node + 3]);
                }
            }
        }
        if !nodeindices.is_null() {
            nodeindices.fill_with(list.len(), |at| list[at] as i32)?;
        }
        if !quat.is_null() && !xpos_c.is_null() {
            quat.set(cell_rotation(xpos_c.reader().list(3 * list.len())?, order)?)?;
        }
        Ok(())
    }
}
