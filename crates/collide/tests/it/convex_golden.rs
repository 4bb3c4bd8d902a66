//! Convex pairs against reference contacts and distances.
//!
//! The stored files hold a sample; `CONVEX_CASES=<folder>` checks every file of another folder made by
//! `golden/make_convex.py` and prints the agreement per pair kind.

use crate::convex_cases::{Case, Contact, Golden, distance_files, golden_files};
use kinetree_collide::{
    CcdScratch, CcdSettings, ContactPoint, Shape, convex_convex, geom_distance, hfield_convex,
};

/// Agreement demanded of every stored case (m).
const TOLERANCE: f64 = 1e-9;

fn settings(case: &Case) -> CcdSettings {
    CcdSettings { multiccd: case.multiccd, ..CcdSettings::default() }
}

fn contacts(s1: &Shape, s2: &Shape, case: &Case, scratch: &mut CcdScratch, out: &mut Vec<ContactPoint>) {
    let (p1, p2, settings) = (case.pose(0), case.pose(1), settings(case));
    match s1 {
        Shape::HeightField(field) => hfield_convex(field, &p1, s2, &p2, case.margin, &settings, scratch, out),
        _ => convex_convex(s1, &p1, s2, &p2, case.margin, &settings, scratch, out),
    }
}

/// The reference normalizes once more when it completes the contact frame.
fn flatten(contact: &ContactPoint) -> Contact {
    let (p, n) = (contact.pos, contact.normal * (1.0 / contact.normal.norm()));
    [contact.dist, p.x, p.y, p.z, n.x, n.y, n.z]
}

/// Largest difference, infinite if the number of contacts differs.
fn difference(found: &[ContactPoint], expected: &[Contact]) -> f64 {
    if found.len() != expected.len() {
        return f64::INFINITY;
    }
    let entries = found.iter().map(flatten).zip(expected);
    entries.flat_map(|(a, b)| a.into_iter().zip(*b)).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[derive(Default)]
struct Tally {
    cases: usize,
    touching: usize,
    exact: usize,
    close: usize,
    worst: f64,
    misses: Vec<usize>,
}

impl Tally {
    fn add(&mut self, index: usize, difference: f64, touching: bool) {
        self.cases += 1;
        self.touching += usize::from(touching);
        self.exact += usize::from(difference == 0.0);
        self.worst = self.worst.max(difference);
        if difference <= TOLERANCE {
            self.close += 1;
        } else {
            self.misses.push(index);
        }
    }

    fn report(&self, name: &str) {
        let Self { cases, touching, exact, close, worst, misses } = self;
        let shown = &misses[..misses.len().min(10)];
        println!(
            "{name:28} {cases:6} cases {touching:6} touching {exact:6} exact {close:6} close worst {worst:.1e} {shown:?}"
        );
    }
}

#[test]
fn contacts_agree_with_the_reference() {
    let mut failed = Vec::new();
    for path in golden_files() {
        let golden = Golden::read(&path);
        let mut scratch = CcdScratch::default();
        let mut found = Vec::new();
        let mut tally = Tally::default();
        for (index, case) in golden.cases.iter().enumerate() {
            let (s1, s2) = (golden.shape(case, 0), golden.shape(case, 1));
            found.clear();
            contacts(&s1, &s2, case, &mut scratch, &mut found);
            tally.add(index, difference(&found, &case.contacts), !case.contacts.is_empty());
        }
        tally.report(&path.file_stem().unwrap().to_string_lossy());
        if !tally.misses.is_empty() {
            failed.push(path);
        }
    }
    assert!(failed.is_empty(), "contacts differ in {failed:?}");
}

/// Distance zero between points that are apart: the reference lost track of a pair that does not touch.
fn is_false_contact(case: &Case) -> bool {
    let d = &case.distance;
    d[0] == 0.0 && (0..3).any(|i| (d[1 + i] - d[4 + i]).abs() > 1e-5)
}

#[test]
fn distances_agree_with_the_reference() {
    let mut failed = Vec::new();
    for path in golden_files().into_iter().chain(distance_files()) {
        let golden = Golden::read(&path);
        let mut scratch = CcdScratch::default();
        let mut contacts = Vec::new();
        let mut tally = Tally::default();
        for (index, case) in golden.cases.iter().enumerate() {
            let (s1, s2, settings) = (golden.shape(case, 0), golden.shape(case, 1), settings(case));
            let (p1, p2) = (case.pose(0), case.pose(1));
            let (dist, from, to) =
                geom_distance(&s1, &p1, &s2, &p2, case.distmax, &settings, &mut scratch, &mut contacts);
            let found = [dist, from.x, from.y, from.z, to.x, to.y, to.z];
            let difference = found.iter().zip(case.distance).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            if is_false_contact(case) {
                assert!(dist > TOLERANCE && ((to - from).norm() - dist).abs() < 1e-6, "{path:?} {index}");
            } else {
                tally.add(index, difference, case.distance[0] < case.distmax);
            }
        }
        tally.report(&path.file_stem().unwrap().to_string_lossy());
        if !tally.misses.is_empty() {
            failed.push(path);
        }
    }
    assert!(failed.is_empty(), "distances differ in {failed:?}");
}

/// What is prepared for meshes that are held changes no bit of any contact.
#[test]
fn meshes_that_are_held_give_the_same_contacts() {
    let bits = |contact: &ContactPoint| {
        let (p, n) = (contact.pos, contact.normal);
        [contact.dist, p.x, p.y, p.z, n.x, n.y, n.z].map(f64::to_bits)
    };
    let (mut large, mut held) = (0, CcdScratch::default());
    for path in golden_files() {
        let (golden, mut free) = (Golden::read(&path), CcdScratch::default());
        held.hold_meshes();
        for case in &golden.cases {
            let (s1, s2) = (golden.shape(case, 0), golden.shape(case, 1));
            large += [&s1, &s2].iter().filter(|s| matches!(s, Shape::Mesh(m) if m.vert.len() > 64)).count();
            let [mut expected, mut found] = [Vec::new(), Vec::new()];
            contacts(&s1, &s2, case, &mut free, &mut expected);
            contacts(&s1, &s2, case, &mut held, &mut found);
            assert!(expected.iter().map(bits).eq(found.iter().map(bits)), "{path:?}");
        }
        held.release_meshes();
    }
    assert!(large > 0, "some meshes are walked");
}
