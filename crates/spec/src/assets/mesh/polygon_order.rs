//! Iteration order of a chained hash table.
//!
//! The compiled arrays list polygons in the order in which the reference's hash map yields them. That map
//! keeps all entries in one list; an entry goes to the front of its bucket's run, or to the front of the list
//! when the bucket is empty, and growing the table gathers runs again. Simulating the list is enough, the
//! entries themselves are elsewhere.

const NONE: usize = usize::MAX;
/// Position 0 of the list is its head, entry `i` is at position `i + 1`.
const HEAD: usize = 0;

/// Order of entries inserted with distinct keys.
#[derive(Default)]
pub(super) struct BucketOrder {
    hash: Vec<u64>,
    /// Successor of each position.
    next: Vec<usize>,
    /// For each bucket, the position before its first entry.
    buckets: Vec<usize>,
}

impl BucketOrder {
    /// Adds the next entry.
    pub(super) fn insert(&mut self, hash: u64) {
        if self.next.is_empty() {
            self.next.push(NONE);
        }
        if self.hash.len() + 1 > self.buckets.len() {
            let count = self.buckets.len();
            let power_of_two = count > 2 && count.is_power_of_two();
            self.rehash((2 * count + usize::from(!power_of_two)).max(self.hash.len() + 1));
        }
        self.hash.push(hash);
        let position = self.hash.len();
        let bucket = self.bucket(hash);
        let before = self.buckets[bucket];
        if before == NONE {
            let first = self.next[HEAD];
            self.next.push(first);
            self.next[HEAD] = position;
            self.buckets[bucket] = HEAD;
            if first != NONE {
                let displaced = self.bucket_of(first);
                self.buckets[displaced] = position;
            }
        } else {
            self.next.push(self.next[before]);
            self.next[before] = position;
        }
    }

    /// Entries in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let mut position = self.next.first().copied().unwrap_or(NONE);
        std::iter::from_fn(move || {
            (position != NONE).then(|| {
                let entry = position - 1;
                position = self.next[position];
                entry
            })
        })
    }

    fn bucket(&self, hash: u64) -> usize {
        (hash % self.buckets.len() as u64) as usize
    }

    fn bucket_of(&self, position: usize) -> usize {
        self.bucket(self.hash[position - 1])
    }

    fn rehash(&mut self, wanted: usize) {
        let count = if wanted == 1 { 2 } else { next_prime_or_power(wanted) };
        self.buckets = vec![NONE; count];
        let mut previous = self.next[HEAD];
        if previous == NONE {
            return;
        }
        let mut run = self.bucket_of(previous);
        self.buckets[run] = HEAD;
        let mut current = self.next[previous];
        while current != NONE {
            let bucket = self.bucket_of(current);
            if bucket == run {
                previous = current;
            } else if self.buckets[bucket] == NONE {
                self.buckets[bucket] = previous;
                previous = current;
                run = bucket;
            } else {
                // move the entry to the front of its bucket's run
                self.next[previous] = self.next[current];
                let before = self.buckets[bucket];
                self.next[current] = self.next[before];
                self.next[before] = current;
            }
            current = self.next[previous];
        }
    }
}

/// Table sizes are primes unless a power of two is asked for.
fn next_prime_or_power(n: usize) -> usize {
    if n.is_power_of_two() {
        return n;
    }
    let is_prime = |n: usize| n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
    (n..).find(|n| is_prime(*n)).unwrap_or(n)
}
