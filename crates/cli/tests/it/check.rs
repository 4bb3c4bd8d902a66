//! What `kinetree check` says about broken models, compared with what it said when someone last read and
//! approved it.
//!
//! `KINETREE_BLESS=1 cargo test -p kinetree-cli --test it check` rewrites the expected files; read them
//! before committing.

use std::path::Path;
use std::process::Command;

fn check(model: &str) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_kinetree"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken"))
        .args(["check", "--color", "never", model])
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

/// One test for each broken model, next to which lies the text that is expected.
macro_rules! snapshots {
    ($( $name:ident )*) => {$(
        #[test]
        fn $name() {
            let (text, code) = check(concat!(stringify!($name), ".xml"));
            let expected = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join(concat!("tests/broken/", stringify!($name), ".txt"));
            if std::env::var_os("KINETREE_BLESS").is_some() {
                std::fs::write(&expected, &text).unwrap();
            }
            assert_eq!(text, std::fs::read_to_string(&expected).unwrap_or_default());
            assert_eq!(code, Some(1));
        }
    )*};
}

snapshots! {
    bad_number
    broken_xml
    cyclic_include
    dangling_reference
    duplicate_name
    misspelt_attribute
    missing_mesh
    unknown_class
    wrong_length
    zero_mass
}
