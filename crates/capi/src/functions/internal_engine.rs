//! Parts of steps that the reference exports without declaring them in its public headers.

use crate::export;
use crate::ffi::fault::{Served, fault};
use crate::ffi::pointer::{In, Out, count};
use crate::functions::index;

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
