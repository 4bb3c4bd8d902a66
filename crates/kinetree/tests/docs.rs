//! The documentation names files that exist.

use std::path::Path;

#[test]
fn files_that_the_pages_name_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut named = 0;
    for page in
        ["README.md", "docs/architecture.md", "docs/conformance.md", "docs/contacts.md", "docs/solver.md"]
    {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        // paths stand between backticks
        for path in text.split('`').filter(|part| part.starts_with("crates/") && part.ends_with(".rs")) {
            assert!(root.join(path).is_file(), "{page} names {path}, which does not exist");
            named += 1;
        }
    }
    assert!(named >= 10, "the stranger's walk names ten files, {named} were found");
}
