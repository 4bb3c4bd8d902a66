//! MJB files: an exact round trip, and a refusal of everything that is not a whole model.

use crate::common;
use kinetree_model::{BinaryError, Model, Sizes};
use proptest::prelude::*;

/// Bytes of the header: file id, bytes per number, number of sizes, version, number of arrays.
const HEADER: usize = 20;

#[test]
fn round_trip_keeps_every_field() {
    let model = common::small_model();
    let bytes = model.to_bytes();
    assert_eq!(bytes.len(), model.image_len());
    let copy = Model::from_bytes(&bytes).unwrap();
    assert_eq!(copy.sizes(), model.sizes());
    assert_eq!(copy.modelname, model.modelname);
    assert_eq!(copy.opt, model.opt);
    assert_eq!(copy.vis, model.vis);
    assert_eq!(copy.stat, model.stat);
    for (a, b) in model.fields().iter().zip(copy.fields()) {
        assert_eq!(a.data, b.data, "{}", a.name);
    }
    assert_eq!(copy.to_bytes(), bytes);
}

/// The image with one number of the header replaced.
fn with_header(index: usize, number: i32) -> Vec<u8> {
    let mut bytes = common::small_model().to_bytes();
    bytes[4 * index..][..4].copy_from_slice(&number.to_le_bytes());
    bytes
}

#[test]
fn foreign_files_are_named_as_such() {
    assert_eq!(Model::from_bytes(b"").unwrap_err(), BinaryError::Foreign);
    assert_eq!(Model::from_bytes(b"<mujoco/>").unwrap_err(), BinaryError::Foreign);
    assert_eq!(Model::from_bytes(&with_header(1, 4)).unwrap_err(), BinaryError::Precision { found: 4 });
    assert_eq!(
        Model::from_bytes(&with_header(3, 3_007_000)).unwrap_err(),
        BinaryError::Version { found: 3_007_000 }
    );
    let error = Model::from_bytes(&with_header(4, 7)).unwrap_err();
    assert!(matches!(error, BinaryError::Layout { what: "arrays", found: 7, .. }), "{error}");
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let mut bytes = common::small_model().to_bytes();
    bytes[HEADER..HEADER + 8].copy_from_slice(&i64::MAX.to_le_bytes());
    assert_eq!(Model::from_bytes(&bytes).unwrap_err(), BinaryError::Size { field: "nq", value: i64::MAX });
    bytes[HEADER..HEADER + 8].copy_from_slice(&(-1i64).to_le_bytes());
    assert_eq!(Model::from_bytes(&bytes).unwrap_err(), BinaryError::Size { field: "nq", value: -1 });
}

#[test]
fn references_out_of_range_are_refused() {
    let mut model = common::small_model();
    model.body_parentid[2] = 7;
    let error = Model::from_bytes(&model.to_bytes()).unwrap_err();
    assert!(matches!(error, BinaryError::Reference(index) if index.field == "body_parentid"), "{error}");
    // a parent must come before its child
    model.body_parentid[2] = 2;
    assert!(Model::from_bytes(&model.to_bytes()).is_err());
}

proptest! {
    #[test]
    fn truncated_files_are_refused(cut in 0.0..1.0f64) {
        let bytes = common::small_model().to_bytes();
        let cut = (cut * bytes.len() as f64) as usize;
        prop_assert!(Model::from_bytes(&bytes[..cut]).is_err());
    }

    #[test]
    fn trailing_bytes_are_refused(tail in proptest::collection::vec(any::<u8>(), 1..50)) {
        let mut bytes = common::small_model().to_bytes();
        bytes.extend(tail);
        prop_assert!(matches!(Model::from_bytes(&bytes), Err(BinaryError::Length { .. })), "trailing bytes accepted");
    }

    #[test]
    fn flipped_bits_never_panic(flips in proptest::collection::vec((0.0..1.0f64, 0u8..8), 1..8)) {
        let original = common::small_model().to_bytes();
        let mut bytes = original.clone();
        for (at, bit) in flips {
            bytes[(at * original.len() as f64) as usize] ^= 1 << bit;
        }
        // what is read is written back as it was; padding and numbers may have changed
        if let Ok(model) = Model::from_bytes(&bytes) {
            prop_assert_eq!(model.to_bytes().len(), bytes.len());
        }
    }
}

/// What a world has of its own may be larger than the file, and so may columns of what has no rows.
#[test]
fn sizes_of_worlds_are_not_bound_by_the_file() {
    let mut sizes =
        Sizes { nbody: 1, nuserdata: 50_000, nhistory: 60_000, nuser_site: 70_000, ..Sizes::default() };
    sizes.nnames = 1;
    let model = Model::with_sizes(sizes.clone());
    let image = model.to_bytes();
    assert!(image.len() < 50_000);
    let size_of = |model: &Model| (model.nuserdata, model.nhistory, model.nuser_site);
    match Model::from_bytes(&image) {
        Ok(again) => assert_eq!(size_of(&again), size_of(&model)),
        // references of an empty model may be refused, its sizes not
        Err(error) => assert!(!error.to_string().contains("cannot be"), "{error}"),
    }
    sizes.nhistory = 1 << 40;
    let absurd = Model::with_sizes(sizes).to_bytes();
    let error = Model::from_bytes(&absurd).unwrap_err().to_string();
    assert!(error.contains("`nhistory` cannot be"), "{error}");
}
