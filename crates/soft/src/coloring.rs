//! Greedy graph colouring: constraints of one colour share no vertex, so that their order does not matter.

/// A colour for each set of vertices. Sets are taken in their order and get the lowest colour that none of
/// their vertices has yet, so that equal input gives equal colours.
pub(crate) fn color<'a>(sets: impl Iterator<Item = &'a [u32]>, vertex_count: usize) -> Vec<u32> {
    let mut used = ColorsInUse::new(vertex_count);
    let mut assign = |set: &[u32]| {
        let color = used.free(set).next().unwrap_or_default();
        used.insert(set, color);
        color as u32
    };
    sets.map(&mut assign).collect()
}

/// The same with colours of about equally many sets: of the colours that there are already, a set gets the
/// one with the fewest sets.
pub(crate) fn color_evenly<'a>(sets: impl Iterator<Item = &'a [u32]>, vertex_count: usize) -> Vec<u32> {
    let mut used = ColorsInUse::new(vertex_count);
    let mut members: Vec<usize> = Vec::new();
    let mut assign = |set: &[u32]| {
        let known = used.free(set).take_while(|&color| color < members.len());
        let color = known.min_by_key(|&color| members[color]).unwrap_or(members.len());
        used.insert(set, color);
        if color == members.len() {
            members.push(0);
        }
        members[color] += 1;
        color as u32
    };
    sets.map(&mut assign).collect()
}

/// Colours in use at each vertex, 64 in a word; words are added when they are needed.
struct ColorsInUse(Vec<Vec<u64>>);

impl ColorsInUse {
    fn new(vertex_count: usize) -> Self {
        Self(vec![Vec::new(); vertex_count])
    }

    /// Colours that no vertex of the set has, in ascending order and without end.
    fn free(&self, set: &[u32]) -> impl Iterator<Item = usize> {
        let taken = |word: usize| {
            set.iter().fold(0, |taken, &v| taken | self.0[v as usize].get(word).copied().unwrap_or_default())
        };
        (0..).flat_map(move |word| {
            let taken: u64 = taken(word);
            (0..64).filter(move |bit| taken >> bit & 1 == 0).map(move |bit| 64 * word + bit)
        })
    }

    fn insert(&mut self, set: &[u32], color: usize) {
        let (word, bit) = (color / 64, color % 64);
        for &vertex in set {
            let words = &mut self.0[vertex as usize];
            if words.len() <= word {
                words.resize(word + 1, 0);
            }
            words[word] |= 1 << bit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{color, color_evenly};

    #[test]
    fn sets_of_one_color_share_no_vertex() {
        // all pairs of 20 vertices need at least 19 colours; 300 sets at one vertex need 300
        let pairs: Vec<[u32; 2]> = (0..20).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        let star: Vec<[u32; 2]> = (1..=300).map(|a| [0, a]).collect();
        for (sets, least) in [(&pairs, 19), (&star, 300)] {
            let slices = || sets.iter().map(|set| &set[..]);
            for colors in [color(slices(), 301), color_evenly(slices(), 301)] {
                for (i, a) in sets.iter().enumerate() {
                    for (j, b) in sets[..i].iter().enumerate() {
                        let apart = a.iter().all(|v| !b.contains(v));
                        assert!(colors[i] != colors[j] || apart, "{a:?} and {b:?}");
                    }
                }
                assert!(colors.iter().max() >= Some(&(least - 1)));
            }
        }
    }

    #[test]
    fn colors_are_used_evenly() {
        // a long row of pairs needs two colours; each pair that stands alone takes the rarer one
        let mut sets: Vec<[u32; 2]> = (0..20).map(|v| [v, v + 1]).collect();
        sets.extend((0..41).map(|k| [30 + 2 * k, 31 + 2 * k]));
        let colors = color_evenly(sets.iter().map(|set| &set[..]), 120);
        let count = |color: u32| colors.iter().filter(|&&c| c == color).count();
        assert_eq!([count(0), count(1), count(2)], [31, 30, 0]);
    }
}
