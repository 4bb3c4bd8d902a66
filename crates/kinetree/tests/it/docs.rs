//! The documentation names files that exist.

use std::path::{Path, PathBuf};

/// Endings of files that pages name by a path, or by the last part of one.
const SOURCES: [&str; 8] = [".rs", ".wgsl", ".py", ".js", ".mjs", ".sh", ".md", ".toml"];
/// Folders of generated and foreign files.
const IGNORED: [&str; 5] = ["target", "node_modules", "__pycache__", ".git", ".venv"];

/// Folders of pages that the build of the manual writes: what lies there may be of an older build.
const GENERATED: [&str; 2] = ["reference/api/", "inside/crates/"];

fn is_generated(path: &str) -> bool {
    GENERATED.iter().any(|folder| path.contains(folder))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files and folders below a folder, relative to the root and with slashes.
fn collect(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if IGNORED.contains(&name.as_str()) {
            continue;
        }
        let path = format!("{prefix}/{name}");
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &path, found);
        }
        found.push(path);
    }
}

/// Pages of the documentation: those of the project, and those next to the code.
fn pages(tree: &[String]) -> impl Iterator<Item = &str> {
    let is_page = |path: &&String| {
        path.ends_with(".md")
            && (path.matches('/').count() == 1 || path.starts_with("/docs/") || path.starts_with("/crates/"))
    };
    tree.iter().filter(is_page).filter(|path| !is_generated(path)).map(|path| path.trim_start_matches('/'))
}

/// What stands between backticks, outside of blocks of code.
fn quoted(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|part| part.split('`').skip(1).step_by(2)).collect()
}

/// Whether a quoted text names a file or folder of the project.
fn is_path(text: &str, tree: &[String]) -> bool {
    let plain = text.chars().all(|letter| letter.is_ascii_alphanumeric() || "._/-".contains(letter));
    let first = text.split('/').next().unwrap_or_default();
    let in_project = text.contains('/') && tree.iter().any(|path| path.strip_prefix('/') == Some(first));
    // a bare ending, such as `.md`, is no file
    let is_source = SOURCES.iter().any(|ending| text.len() > ending.len() && text.ends_with(ending));
    // what builds leave, and folders of other projects
    let is_foreign = first == "target" || text.starts_with("../");
    plain && !is_foreign && (is_source || in_project)
}

#[test]
fn files_that_the_pages_name_exist() {
    let root = root();
    let mut tree = Vec::new();
    collect(&root, "", &mut tree);
    let exists = |path: &str| {
        let wanted = format!("/{}", path.trim_start_matches("./").trim_end_matches('/'));
        tree.iter().any(|known| known.ends_with(&wanted))
    };
    let (mut named, mut missing) = (0, Vec::new());
    for page in pages(&tree) {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        for path in quoted(&text).into_iter().filter(|text| is_path(text, &tree)) {
            named += 1;
            if !exists(path) {
                missing.push(format!("{page} names {path}"));
            }
        }
    }
    assert!(missing.is_empty(), "files that do not exist:\n{}", missing.join("\n"));
    assert!(named >= 100, "{named} files are named");
}

#[test]
fn links_between_pages_lead_somewhere() {
    let root = root();
    let mut tree = Vec::new();
    collect(&root, "", &mut tree);
    let (mut followed, mut missing) = (0, Vec::new());
    for page in pages(&tree) {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        let folder = root.join(page).parent().unwrap().to_path_buf();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") || file.contains(char::is_whitespace) {
                continue;
            }
            followed += 1;
            let target = folder.join(file);
            if !is_generated(&target.to_string_lossy()) && !target.exists() {
                missing.push(format!("{page} links to {link}"));
            }
        }
    }
    assert!(missing.is_empty(), "links that lead nowhere:\n{}", missing.join("\n"));
    assert!(followed >= 20, "{followed} links");
}

#[test]
fn the_table_of_floors_has_every_crate() {
    let root = root();
    let page = std::fs::read_to_string(root.join("docs/architecture.md")).unwrap();
    for entry in std::fs::read_dir(root.join("crates")).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let has_row = page.lines().any(|line| {
            let mut cells = line.trim_start_matches('|').split('|').map(str::trim);
            cells.next().is_some_and(|floor| floor.parse::<u32>().is_ok())
                && cells.next().is_some_and(|names| names.contains(&format!("`{name}`")))
        });
        assert!(has_row, "crate {name} has no floor");
        assert!(
            page.contains(&format!("../crates/{name}/README.md")),
            "the page of crate {name} is not linked"
        );
    }
    assert!(
        page.lines().filter(|line| line.contains("| `crates/")).count() >= 10,
        "the walk of ten questions"
    );
}
