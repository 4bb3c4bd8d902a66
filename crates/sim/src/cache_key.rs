//! The key of a cache: a copy of what the cached value was made from.
//!
//! The owner of a model can change all of it between two steps. A stage that keeps something from step to
//! step therefore keeps a copy of what it was made from, and compares: lists are short, so that this is a few
//! steps of several numbers at once. During a step, which may make several evaluations, nobody changes the
//! model, unless callbacks do: a key that is held compares once ([`CacheKey::hold`]).

use std::ops::BitOr;

/// A copy of the lists that a cached value was made from.
#[derive(Debug, Default)]
pub(crate) struct CacheKey {
    ints: Vec<i32>,
    numbers: Vec<f64>,
    hold: Hold,
}

/// Whether lists can change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Hold {
    /// They can.
    #[default]
    No,
    /// They cannot, and have not been compared since.
    Begun,
    /// They cannot, and are those of the key.
    Compared,
}

impl CacheKey {
    /// Says that the lists of this key cannot change from now on, or that they can again.
    pub(crate) fn hold(&mut self, held: bool) {
        self.hold = if held { Hold::Begun } else { Hold::No };
    }

    /// Whether the lists are known to be those of the key without comparing them.
    #[inline]
    pub(crate) fn is_known(&self) -> bool {
        self.hold == Hold::Compared
    }

    /// As [`CacheKey::matches`], and remembers it while the lists cannot change.
    #[inline]
    pub(crate) fn compare(&mut self, ints: &[&[i32]], numbers: &[&[f64]]) -> bool {
        let same = self.matches(ints, numbers);
        if same && self.hold == Hold::Begun {
            self.hold = Hold::Compared;
        }
        same
    }

    /// Whether these are the lists of the key.
    #[inline]
    pub(crate) fn matches(&self, ints: &[&[i32]], numbers: &[&[f64]]) -> bool {
        let (mut own_ints, mut own_numbers) = (&self.ints[..], &self.numbers[..]);
        ints.iter().all(|list| take_equal::<8, _, _>(&mut own_ints, list, |a, b| a ^ b))
            && numbers
                .iter()
                .all(|list| take_equal::<4, _, _>(&mut own_numbers, list, |a, b| a.to_bits() ^ b.to_bits()))
            && own_ints.is_empty()
            && own_numbers.is_empty()
    }

    /// Copies other lists.
    pub(crate) fn set(&mut self, ints: &[&[i32]], numbers: &[&[f64]]) {
        self.ints.clear();
        self.ints.extend(ints.iter().copied().flatten());
        self.numbers.clear();
        self.numbers.extend(numbers.iter().copied().flatten());
        if self.hold == Hold::Begun {
            self.hold = Hold::Compared;
        }
    }
}

/// Whether `rest` begins with `part`, which is taken off. `difference` is zero for two equal numbers, of
/// which `N` are compared at once.
#[inline(always)]
fn take_equal<const N: usize, T: Copy, B>(rest: &mut &[T], part: &[T], difference: impl Fn(T, T) -> B) -> bool
where
    B: Copy + Default + PartialEq + BitOr<Output = B>,
{
    let Some((front, back)) = rest.split_at_checked(part.len()) else { return false };
    *rest = back;
    let mut different = [B::default(); N];
    let mut compare = |a: &[T; N], b: &[T; N]| {
        for k in 0..N {
            different[k] = different[k] | difference(a[k], b[k]);
        }
    };
    if let (Some(a), Some(b)) = (front.last_chunk::<N>(), part.last_chunk::<N>()) {
        // the last ones may be compared twice
        compare(a, b);
        for (a, b) in front.as_chunks::<N>().0.iter().zip(part.as_chunks::<N>().0) {
            compare(a, b);
        }
    } else {
        for (&a, &b) in front.iter().zip(part) {
            different[0] = different[0] | difference(a, b);
        }
    }
    different.into_iter().fold(B::default(), |all, d| all | d) == B::default()
}

#[cfg(test)]
mod tests {
    use super::CacheKey;

    #[test]
    fn held_keys_compare_once() {
        let mut key = CacheKey::default();
        key.hold(true);
        assert!(!key.is_known() && !key.compare(&[&[1]], &[]) && !key.is_known());
        key.set(&[&[1]], &[]);
        assert!(key.is_known());
        key.hold(true);
        assert!(!key.is_known() && key.compare(&[&[1]], &[]) && key.is_known());
        key.hold(false);
        assert!(!key.is_known() && key.compare(&[&[1]], &[]) && !key.is_known());
    }

    #[test]
    fn every_number_counts() {
        let ints: Vec<i32> = (0..21).collect();
        let numbers: Vec<f64> = (0..13).map(f64::from).collect();
        let mut key = CacheKey::default();
        assert!(!key.matches(&[&ints], &[&numbers]));
        key.set(&[&ints, &[7]], &[&numbers]);
        assert!(key.matches(&[&ints, &[7]], &[&numbers]));
        assert!(!key.matches(&[&ints], &[&numbers]) && !key.matches(&[&ints, &[7, 8]], &[&numbers]));
        for k in 0..ints.len() {
            let mut other = ints.clone();
            other[k] += 1;
            assert!(!key.matches(&[&other, &[7]], &[&numbers]), "{k}");
        }
        for k in 0..numbers.len() {
            let mut other = numbers.clone();
            other[k] += 1e-9;
            assert!(!key.matches(&[&ints, &[7]], &[&other]), "{k}");
        }
    }
}
