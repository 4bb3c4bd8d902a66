//! Greedy graph colouring: constraints of one colour share no vertex, so that their order does not matter.

/// A colour for each set of vertices. Sets are taken in their order and get the lowest colour that none of
/// their vertices has yet, so that equal input gives equal colours.
pub(crate) fn color<'a>(sets: impl Iterator<Item = &'a [u32]>, vertex_count: usize) -> Vec<u32> {
    // colours in use at each vertex, 64 in a word; words are added when they are needed
    let mut used: Vec<Vec<u64>> = vec![Vec::new(); vertex_count];
    sets.map(|set| {
        let color = lowest_free(set, &used);
        let (word, bit) = (color / 64, color % 64);
        for &vertex in set {
            let words = &mut used[vertex as usize];
            if words.len() <= word {
                words.resize(word + 1, 0);
            }
            words[word] |= 1 << bit;
        }
        color as u32
    })
    .collect()
}

fn lowest_free(set: &[u32], used: &[Vec<u64>]) -> usize {
    let mut word = 0;
    loop {
        let taken =
            set.iter().fold(0, |taken, &v| taken | used[v as usize].get(word).copied().unwrap_or_default());
        if taken != u64::MAX {
            return 64 * word + taken.trailing_ones() as usize;
        }
        word += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::color;

    #[test]
    fn sets_of_one_color_share_no_vertex() {
        // all pairs of 20 vertices need at least 19 colours; 300 sets at one vertex need 300
        let pairs: Vec<[u32; 2]> = (0..20).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        let star: Vec<[u32; 2]> = (1..=300).map(|a| [0, a]).collect();
        for (sets, least) in [(&pairs, 19), (&star, 300)] {
            let colors = color(sets.iter().map(|set| &set[..]), 301);
            for (i, a) in sets.iter().enumerate() {
                for (j, b) in sets[..i].iter().enumerate() {
                    assert!(colors[i] != colors[j] || a.iter().all(|v| !b.contains(v)), "{a:?} and {b:?}");
                }
            }
            assert!(colors.iter().max() >= Some(&(least - 1)));
        }
    }
}
