//! A copy of the workspace with all mutants in it, and its test programs.

use crate::sites::Mutant;
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

type Failure = Box<dyn std::error::Error>;

/// The crate that tells whether a mutant is switched on.
const SWITCH: &str = r#"//! Switches of mutants.
use std::io::Write;
use std::sync::{LazyLock, Mutex};

static ACTIVE: LazyLock<usize> = LazyLock::new(|| std::env::var("MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0));
static SEEN: LazyLock<Option<Mutex<(Vec<bool>, std::fs::File)>>> = LazyLock::new(|| {
    let file = std::env::var("MUTANT_TRACE").ok()?;
    Some(Mutex::new((vec![false; 100_000], std::fs::File::options().append(true).create(true).open(file).ok()?)))
});

/// Whether this mutant is switched on.
#[inline]
pub fn is(mutant: usize) -> bool {
    if *ACTIVE == usize::MAX {
        note(mutant);
    }
    *ACTIVE == mutant
}

#[cold]
fn note(mutant: usize) {
    if let Some(seen) = &*SEEN {
        let mut seen = seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if !std::mem::replace(&mut seen.0[mutant], true) {
            let _ = writeln!(seen.1, "{mutant}");
        }
    }
}
"#;

/// Value of `MUTANT` that switches none on and notes those that are passed.
pub(crate) const TRACE: usize = usize::MAX;

/// Writes a file unless it is so already: files keep their time, and are not compiled again.
fn write_changed(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == bytes) { Ok(()) } else { std::fs::write(path, bytes) }
}

/// Copies a file that is not so already, or the files of a folder, where a link leads to one.
fn copy_changed(from: &Path, to: &Path) -> std::io::Result<()> {
    if from.is_dir() {
        for entry in std::fs::read_dir(from)? {
            let entry = entry?;
            copy_changed(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    // a file that was deleted may still be known
    let Ok(bytes) = std::fs::read(from) else { return Ok(()) };
    to.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    write_changed(to, &bytes)
}

/// Selects the package of a crate for cargo.
fn package_option(name: &str) -> String {
    if name == "kinetree" { "--package=kinetree".to_owned() } else { format!("--package=kinetree-{name}") }
}

/// A test program, and the folder of its package, where it is to run.
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    pub(crate) folder: PathBuf,
}

/// The copy.
pub(crate) struct Workspace {
    root: PathBuf,
    pub(crate) folder: PathBuf,
}

impl Workspace {
    /// A place for the copy. What earlier runs found out about mutants is forgotten unless this one goes on
    /// with it.
    pub(crate) fn new(root: &Path, folder: &Path, again: bool) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let workspace = Self { root: root.to_owned(), folder: folder.to_owned() };
        if !again {
            for list in ["broken", "noticed"] {
                std::fs::write(workspace.folder.join(list), "")?;
            }
        }
        Ok(workspace)
    }

    /// Mutants that earlier runs put on a list.
    pub(crate) fn listed(&self, list: &str) -> HashSet<String> {
        let text = std::fs::read_to_string(self.folder.join(list)).unwrap_or_default();
        text.lines().map(String::from).collect()
    }

    /// Puts a mutant on a list.
    pub(crate) fn note(&self, list: &str, mutant: &Mutant) -> std::io::Result<()> {
        use std::io::Write;
        let mut file = std::fs::File::options().append(true).create(true).open(self.folder.join(list))?;
        writeln!(file, "{}", mutant.identity())
    }

    /// Copies all files that git knows or does not ignore, but for those that are written with mutants.
    pub(crate) fn copy(&self, mutants: &[Mutant]) -> Result<(), Failure> {
        let (root, folder) = (&self.root, &self.folder);
        let crates: HashSet<_> = mutants.iter().filter_map(|mutant| mutant.file.iter().nth(1)).collect();
        let manifests = crates.iter().map(|name| Path::new("crates").join(name).join("Cargo.toml"));
        let written: HashSet<PathBuf> =
            mutants.iter().map(|mutant| mutant.file.clone()).chain(manifests).collect();
        let listed =
            Command::new("git").args(["ls-files", "-co", "--exclude-standard"]).current_dir(root).output()?;
        if !listed.status.success() {
            return Err("git cannot list the files of the workspace".into());
        }
        for name in String::from_utf8(listed.stdout)?.lines() {
            if written.contains(Path::new(name)) {
                continue;
            }
            copy_changed(&root.join(name), &folder.join(name))?;
        }
        Ok(())
    }

    /// Puts the mutants in and builds the tests of these crates, or all. Mutants that do not compile are
    /// taken out.
    pub(crate) fn build(&self, mutants: &mut Vec<Mutant>, tests: &[String]) -> Result<Vec<Program>, Failure> {
        let known = self.listed("broken");
        // also those whose mutants turn out not to compile: they are written without any
        let files: BTreeSet<PathBuf> = mutants.iter().map(|mutant| mutant.file.clone()).collect();
        mutants.retain(|mutant| !known.contains(&mutant.identity()));
        self.add_switch(mutants)?;
        loop {
            self.write_sources(&files, mutants)?;
            let (programs, broken) = self.compile(mutants, tests)?;
            if broken.is_empty() {
                return Ok(programs);
            }
            println!("{} mutants do not compile", broken.len());
            for mutant in mutants.iter().filter(|mutant| broken.contains(&mutant.id)) {
                self.note("broken", mutant)?;
            }
            mutants.retain(|mutant| !broken.contains(&mutant.id));
        }
    }

    fn add_switch(&self, mutants: &[Mutant]) -> Result<(), Failure> {
        let switch = self.folder.join("crates/mutant_switch");
        std::fs::create_dir_all(switch.join("src"))?;
        let manifest = "[package]\nname = \"mutant_switch\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        write_changed(&switch.join("src/lib.rs"), SWITCH.as_bytes())?;
        write_changed(&switch.join("Cargo.toml"), manifest.as_bytes())?;
        let crates: HashSet<_> = mutants.iter().filter_map(|mutant| mutant.file.iter().nth(1)).collect();
        for name in crates {
            let manifest = Path::new("crates").join(name).join("Cargo.toml");
            let text = std::fs::read_to_string(self.root.join(&manifest))?;
            let line = "[dependencies]\nmutant_switch = { path = \"../mutant_switch\" }\n";
            let text = text.replacen("[dependencies]\n", line, 1);
            write_changed(&self.folder.join(manifest), text.as_bytes())?;
        }
        Ok(())
    }

    /// Writes files with their mutants, from the end of each to its start so that places stay right.
    fn write_sources(&self, files: &BTreeSet<PathBuf>, mutants: &[Mutant]) -> Result<(), Failure> {
        for file in files {
            let mut list: Vec<&Mutant> = mutants.iter().filter(|mutant| mutant.file == *file).collect();
            let mut text = std::fs::read_to_string(self.root.join(file))?;
            list.sort_by_key(|mutant| std::cmp::Reverse(mutant.start));
            for mutant in list {
                text.replace_range(mutant.start..mutant.end, &mutant.replacement());
            }
            write_changed(&self.folder.join(file), text.as_bytes())?;
        }
        Ok(())
    }

    /// The test programs, or the mutants at which the compiler stops.
    fn compile(
        &self,
        mutants: &[Mutant],
        tests: &[String],
    ) -> Result<(Vec<Program>, HashSet<usize>), Failure> {
        let packages = if tests.is_empty() {
            ["--workspace", "--exclude", "kinetree-python"].map(String::from).to_vec()
        } else {
            tests.iter().map(|name| package_option(name)).collect()
        };
        let output = Command::new("cargo")
            .args(["test", "--no-run", "--message-format=json"])
            .args(packages)
            .current_dir(&self.folder)
            .stderr(std::process::Stdio::inherit())
            .output()?;
        let (mut programs, mut broken) = (Vec::new(), HashSet::new());
        for message in String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        {
            if let Some(path) = message["executable"].as_str().filter(|_| message["profile"]["test"] == true)
            {
                let manifest = Path::new(message["manifest_path"].as_str().unwrap_or_default());
                programs.push(Program { path: path.into(), folder: manifest.with_file_name("") });
            }
            if message["message"]["level"] == "error" {
                broken.extend(self.blamed(&message["message"], mutants));
            }
        }
        if !output.status.success() && broken.is_empty() {
            return Err("the copy does not compile, and no mutant is to blame".into());
        }
        Ok((programs, broken))
    }

    /// Mutants in the lines that an error message points at.
    fn blamed(&self, message: &Value, mutants: &[Mutant]) -> Vec<usize> {
        let mut out = Vec::new();
        for span in message["spans"].as_array().into_iter().flatten() {
            let (Some(file), Some(line)) = (span["file_name"].as_str(), span["line_start"].as_u64()) else {
                continue;
            };
            let path = self.folder.join(file);
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let last = span["line_end"].as_u64().unwrap_or(line);
            let lines: Vec<&str> =
                text.lines().skip(line as usize - 1).take((last - line + 1) as usize).collect();
            let here = |mutant: &&Mutant| {
                let name = format!("::mutant_switch::is({})", mutant.id);
                lines.iter().any(|line| line.contains(&name))
            };
            out.extend(mutants.iter().filter(here).map(|mutant| mutant.id));
        }
        out
    }
}
