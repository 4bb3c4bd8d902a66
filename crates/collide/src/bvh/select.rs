//! Selection: bringing the `nth` smallest elements to the front.
//!
//! Any algorithm splits the same way when the comparison is an order. Ours compares up to rounding and is
//! undefined for degenerate triangles, whose centre is not a number; then the result depends on which
//! comparisons are made. To build the reference's trees for such meshes too, this one makes those of the
//! reference's library: a quickselect whose pivot is the median of first, middle and last, with a partition
//! that handles runs of elements equal to the pivot, selection sort for up to seven elements, and a stop as
//! soon as the part in question turns out to be sorted. Indices are kept in range, whatever the comparison
//! says.

/// Longest range that is sorted outright.
const SMALL: usize = 7;

/// Reorders `list` so that `precedes` holds for none of `list[nth..]` against `list[..nth]`, when it is an
/// order.
pub(super) fn select_nth<T>(list: &mut [T], nth: usize, precedes: impl Fn(&T, &T) -> bool) {
    let (mut first, mut last) = (0, list.len());
    while nth < last {
        match last - first {
            0 | 1 => return,
            2 => {
                if precedes(&list[last - 1], &list[first]) {
                    list.swap(first, last - 1);
                }
                return;
            }
            3 => {
                sort_three(list, first, first + 1, last - 1, &precedes);
                return;
            }
            small if small <= SMALL => {
                selection_sort(&mut list[first..last], &precedes);
                return;
            }
            _ => {}
        }
        match partition(list, first, last, &precedes) {
            Partition::Equal(end) => {
                if nth < end {
                    return;
                }
                first = end;
            }
            Partition::Around { pivot, untouched } => {
                if nth == pivot {
                    return;
                }
                let part = if nth < pivot { first..pivot } else { pivot..last };
                if untouched && is_sorted(&list[part], &precedes) {
                    return;
                }
                if nth < pivot {
                    last = pivot;
                } else {
                    first = pivot + 1;
                }
            }
        }
    }
}

/// How a range was split.
enum Partition {
    /// Everything before this index equals the first element; the rest is larger.
    Equal(usize),
    /// Smaller elements come before `pivot`, others after it; `untouched` when nothing had to move.
    Around { pivot: usize, untouched: bool },
}

fn partition<T>(list: &mut [T], first: usize, last: usize, precedes: &impl Fn(&T, &T) -> bool) -> Partition {
    let mut pivot = first + (last - first) / 2;
    let mut moved = sort_three(list, first, pivot, last - 1, precedes);
    let (mut low, mut high) = (first, last - 1);
    if !precedes(&list[low], &list[pivot]) {
        // the first element equals the pivot: look for a smaller one to take its place
        match (first + 1..last - 1).rev().find(|&i| precedes(&list[i], &list[pivot])) {
            Some(smaller) => {
                list.swap(first, smaller);
                high = smaller;
                moved = true;
            }
            None => return Partition::Equal(split_off_equal(list, first, last, precedes)),
        }
    }
    low += 1;
    if low < high {
        loop {
            while low < last && precedes(&list[low], &list[pivot]) {
                low += 1;
            }
            high -= 1;
            while high > first && !precedes(&list[high], &list[pivot]) {
                high -= 1;
            }
            if low >= high {
                break;
            }
            list.swap(low, high);
            moved = true;
            if pivot == low {
                pivot = high;
            }
            low += 1;
        }
    }
    let low = low.min(last - 1);
    if low != pivot && precedes(&list[pivot], &list[low]) {
        list.swap(low, pivot);
        moved = true;
    }
    Partition::Around { pivot: low, untouched: !moved }
}

/// Moves elements equal to the first, which is the smallest, to the front; returns where they end.
fn split_off_equal<T>(
    list: &mut [T],
    first: usize,
    last: usize,
    precedes: &impl Fn(&T, &T) -> bool,
) -> usize {
    let (mut low, mut high) = (first + 1, last - 1);
    if !precedes(&list[first], &list[high]) {
        // make sure that a larger element stands at the end
        match (low..high).find(|&i| precedes(&list[first], &list[i])) {
            Some(larger) => {
                list.swap(larger, high);
                low = larger + 1;
            }
            None => return last,
        }
    }
    if low == high {
        return last;
    }
    loop {
        while low < last - 1 && !precedes(&list[first], &list[low]) {
            low += 1;
        }
        high -= 1;
        while high > first && precedes(&list[first], &list[high]) {
            high -= 1;
        }
        if low >= high {
            return low;
        }
        list.swap(low, high);
        low += 1;
    }
}

/// Sorts three elements; true when anything moved.
fn sort_three<T>(list: &mut [T], a: usize, b: usize, c: usize, precedes: &impl Fn(&T, &T) -> bool) -> bool {
    if !precedes(&list[b], &list[a]) {
        if !precedes(&list[c], &list[b]) {
            return false;
        }
        list.swap(b, c);
        if precedes(&list[b], &list[a]) {
            list.swap(a, b);
        }
    } else if precedes(&list[c], &list[b]) {
        list.swap(a, c);
    } else {
        list.swap(a, b);
        if precedes(&list[c], &list[b]) {
            list.swap(b, c);
        }
    }
    true
}

fn selection_sort<T>(list: &mut [T], precedes: &impl Fn(&T, &T) -> bool) {
    for start in 0..list.len().saturating_sub(1) {
        let mut smallest = start;
        for i in start + 1..list.len() {
            if precedes(&list[i], &list[smallest]) {
                smallest = i;
            }
        }
        list.swap(start, smallest);
    }
}

fn is_sorted<T>(list: &[T], precedes: &impl Fn(&T, &T) -> bool) -> bool {
    list.windows(2).all(|pair| !precedes(&pair[1], &pair[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator of pseudo-random numbers.
    fn numbers(count: usize, modulus: u64) -> Vec<u64> {
        let mut state = 1u64;
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 33) % modulus
            })
            .collect()
    }

    #[test]
    fn splits_as_sorting_would() {
        for (count, modulus) in
            [(1, 5), (2, 5), (3, 2), (7, 4), (8, 1), (9, 3), (100, 7), (500, 1000), (501, 2)]
        {
            let list = numbers(count, modulus);
            let mut sorted = list.clone();
            sorted.sort_unstable();
            for nth in [0, count / 3, count / 2, count - 1] {
                let mut split = list.clone();
                select_nth(&mut split, nth, |a, b| a < b);
                assert_eq!(split[nth], sorted[nth]);
                assert!(split[..nth].iter().all(|x| *x <= split[nth]));
                assert!(split[nth..].iter().all(|x| *x >= split[nth]));
            }
        }
    }

    /// Runs of equal elements at the front, where those that are equal to the smallest are split off.
    #[test]
    fn splits_lists_with_many_equal_elements() {
        for seed in 0..400 {
            let count = 8 + seed % 23;
            let list: Vec<u64> =
                numbers(count * (seed + 1), 9)[count * seed..].iter().map(|&x| x.saturating_sub(5)).collect();
            let mut sorted = list.clone();
            sorted.sort_unstable();
            for nth in 0..count {
                let mut split = list.clone();
                select_nth(&mut split, nth, |a, b| a < b);
                assert!(split[..nth].iter().all(|x| *x <= split[nth]), "{list:?} {nth}: {split:?}");
                assert!(split[nth..].iter().all(|x| *x >= split[nth]), "{list:?} {nth}: {split:?}");
                split.sort_unstable();
                assert_eq!(split, sorted);
            }
        }
    }

    #[test]
    fn survives_comparisons_that_are_no_order() {
        for modulus in [2, 3, 17] {
            let mut list = numbers(200, 1000);
            select_nth(&mut list, 100, |a, b| (a * 31 + b * 17) % modulus == 0);
            assert_eq!(list.len(), 200);
        }
    }
}
