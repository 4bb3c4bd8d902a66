//! Binary files: an exact round trip, and a refusal of everything that is not an intact file.

mod common;

use kinetree_model::{BinaryError, Model};
use proptest::prelude::*;

#[test]
fn round_trip_keeps_every_field() {
    let model = common::small_model();
    let bytes = model.to_bytes();
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

#[test]
fn foreign_files_are_named_as_such() {
    assert_eq!(Model::from_bytes(b"").unwrap_err(), BinaryError::Foreign);
    assert_eq!(Model::from_bytes(b"<mujoco/>").unwrap_err(), BinaryError::Foreign);
    let mut bytes = common::small_model().to_bytes();
    bytes[8] = 99;
    assert_eq!(Model::from_bytes(&bytes).unwrap_err(), BinaryError::Version { found: 99 });
    let mut bytes = common::small_model().to_bytes();
    bytes[12] ^= 1;
    assert_eq!(Model::from_bytes(&bytes).unwrap_err(), BinaryError::Layout);
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
    fn flipped_bits_are_refused(flips in proptest::collection::vec((0.0..1.0f64, 0u8..8), 1..8)) {
        let original = common::small_model().to_bytes();
        let mut bytes = original.clone();
        for (at, bit) in flips {
            bytes[(at * original.len() as f64) as usize] ^= 1 << bit;
        }
        prop_assume!(bytes != original);
        prop_assert!(Model::from_bytes(&bytes).is_err());
    }
}
