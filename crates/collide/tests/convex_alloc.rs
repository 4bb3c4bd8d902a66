//! Once warm, the convex routines allocate nothing.
#![allow(unsafe_code, reason = "counting allocations takes a global allocator")]

mod convex_cases;

use convex_cases::{Golden, golden_files};
use kinetree_collide::{CcdScratch, CcdSettings, collide, geom_distance};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: everything is passed on to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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
        let before = COUNT.with(Cell::get);
        run();
        assert_eq!(COUNT.with(Cell::get), before, "{path:?}");
    }
}
