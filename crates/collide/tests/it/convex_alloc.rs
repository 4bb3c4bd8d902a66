//! Once warm, the convex routines allocate nothing.

use crate::convex_cases::{Golden, golden_files};
use crate::counting_allocator::allocation_count;
use kinetree_collide::{CcdScratch, CcdSettings, collide, geom_distance};

#[test]
fn nothing_is_allocated_after_warm_up() {
    for path in golden_files() {
        let golden = Golden::read(&path);
        let mut scratch = CcdScratch::default();
        let mut out = Vec::new();
        let mut run = || {
            for case in &golden.cases {
                let (s1, s2) = (golden.shape(case, 0), golden.shape(case, 1));
                let (p1, p2, settings) = (case.pose(0), case.pose(1), CcdSettings::default());
                out.clear();
                collide(&s1, &p1, &s2, &p2, case.margin, &settings, &mut scratch, &mut out);
                geom_distance(&s1, &p1, &s2, &p2, case.distmax, &settings, &mut scratch, &mut out);
            }
        };
        run();
        let before = allocation_count();
        run();
        assert_eq!(allocation_count(), before, "{path:?}");
    }
}
