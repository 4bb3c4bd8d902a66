//! The floors of the crates, as `docs/architecture.md` draws them, and the dependencies that break them.

use std::collections::BTreeMap;

/// The floor of each crate: rows `| floor | crates between backticks | … |` of the page's table.
pub fn read_floors(page: &str) -> BTreeMap<String, u32> {
    let mut floors = BTreeMap::new();
    for line in page.lines() {
        let mut cells = line.trim().trim_start_matches('|').split('|').map(str::trim);
        let (Some(floor), Some(names)) = (cells.next().and_then(|cell| cell.parse().ok()), cells.next())
        else {
            continue;
        };
        for name in names.split('`').skip(1).step_by(2) {
            floors.insert(name.to_string(), floor);
        }
    }
    floors
}

/// The crates of this workspace that a manifest depends on, by the names of their folders. What tests and
/// build scripts need does not count.
pub fn dependencies(manifest: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut counts = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            counts = section == "dependencies" || section.ends_with(".dependencies");
        } else if counts && line.starts_with("kinetree") {
            let package: String = line
                .chars()
                .take_while(|letter| letter.is_alphanumeric() || "-_".contains(*letter))
                .collect();
            found.push(package.strip_prefix("kinetree-").map_or(package.clone(), String::from));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// What breaks the order of floors: crates without a floor, floors without a crate, dependencies that do not
/// lead downwards. `crates` holds the dependencies of each crate.
pub fn broken(floors: &BTreeMap<String, u32>, crates: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut found = Vec::new();
    for name in floors.keys().filter(|name| !crates.contains_key(*name)) {
        found.push(format!("{name}: has a floor, but there is no such crate"));
    }
    for (name, targets) in crates {
        let Some(floor) = floors.get(name) else {
            found.push(format!("{name}: has no floor in the table"));
            continue;
        };
        for target in targets {
            if let Some(below) = floors.get(target).filter(|below| *below >= floor) {
                found.push(format!("{name} -> {target}: from floor {floor} to floor {below}"));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crates(list: &[(&str, &[&str])]) -> BTreeMap<String, Vec<String>> {
        list.iter()
            .map(|(name, targets)| (name.to_string(), targets.iter().map(|t| t.to_string()).collect()))
            .collect()
    }

    #[test]
    fn floors_are_read_from_rows_with_a_number() {
        let floors = read_floors("| floor | crate |\n|---|---|\n| 2 | `b` |\n| 1 | `a`, `c` | `x` |\n");
        assert_eq!(floors, [("a", 1), ("b", 2), ("c", 1)].map(|(n, f)| (n.to_string(), f)).into());
    }

    #[test]
    fn dependencies_of_targets_count_and_those_of_tests_do_not() {
        let manifest = "[package]\nname = \"kinetree-x\"\n[dependencies]\nkinetree-sim.workspace = true\n\
                        libm = \"1\"\n[target.'cfg(unix)'.dependencies]\nkinetree = { path = \"..\" }\n\
                        [dev-dependencies]\nkinetree-spec.workspace = true\n";
        assert_eq!(dependencies(manifest), ["kinetree", "sim"]);
    }

    #[test]
    fn only_downwards() {
        let floors = read_floors("| 2 | `b`, `d` |\n| 1 | `a`, `gone` |");
        let found =
            broken(&floors, &crates(&[("a", &["b"]), ("b", &["a", "d"]), ("d", &[]), ("new", &["a"])]));
        assert_eq!(
            found,
            [
                "gone: has a floor, but there is no such crate",
                "a -> b: from floor 1 to floor 2",
                "b -> d: from floor 2 to floor 2",
                "new: has no floor in the table",
            ]
        );
    }
}
