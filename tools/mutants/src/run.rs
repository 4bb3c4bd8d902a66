//! Running the tests: once without mutants, then for each mutant.

use crate::copy::{Program, TRACE, Workspace};
use crate::sites::Mutant;
use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

type Failure = Box<dyn std::error::Error>;

/// How long a test program takes, and the mutants that it passes.
struct Measured<'p> {
    program: &'p Program,
    time: Duration,
    reaches: HashSet<usize>,
}

/// How a test program ended; `None` when it ran out of time.
fn run(
    program: &Program,
    mutant: usize,
    trace: Option<&Path>,
    limit: Duration,
) -> std::io::Result<Option<bool>> {
    let mut command = Command::new(&program.path);
    command.current_dir(&program.folder).env("MUTANT", mutant.to_string());
    // the same random cases in every run, so that only the mutant makes a difference
    command.env("PROPTEST_RNG_SEED", "1");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(trace) = trace {
        command.env("MUTANT_TRACE", trace);
    }
    let mut child = command.spawn()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Runs all programs without mutants.
fn baseline<'p>(workspace: &Workspace, programs: &'p [Program]) -> Result<Vec<Measured<'p>>, Failure> {
    let trace = workspace.folder.join("trace");
    let mut out = Vec::new();
    for program in programs {
        let _ = std::fs::remove_file(&trace);
        let start = Instant::now();
        if run(program, TRACE, Some(&trace), Duration::from_secs(900))? != Some(true) {
            return Err(format!("{} fails without mutants", program.path.display()).into());
        }
        let time = start.elapsed();
        let text = std::fs::read_to_string(&trace).unwrap_or_default();
        let reaches = text.lines().filter_map(|line| line.parse().ok()).collect();
        out.push(Measured { program, time, reaches });
    }
    out.sort_by_key(|measured| measured.time);
    Ok(out)
}

/// The mutants that no test notices, each with a word about it. They are taken in the order of the sample, so
/// that the first ones of a run that is broken off are a sample too.
pub(crate) fn all<'m>(
    workspace: &Workspace,
    mutants: &'m [Mutant],
    programs: &[Program],
    seed: u64,
) -> Result<Vec<(&'m Mutant, &'static str)>, Failure> {
    let programs = baseline(workspace, programs)?;
    let total: Duration = programs.iter().map(|measured| measured.time).sum();
    println!("without mutants the tests take {total:.1?}");
    let known = workspace.listed("noticed");
    let (mut unnoticed, start) = (Vec::new(), Instant::now());
    let mut order: Vec<&Mutant> = mutants.iter().collect();
    order.sort_by_cached_key(|mutant| mutant.rank(seed));
    for (n, mutant) in order.into_iter().enumerate() {
        if known.contains(&mutant.identity()) {
            continue;
        }
        let mut by = None;
        let mut reached = false;
        for Measured { program, time, .. } in programs.iter().filter(|p| p.reaches.contains(&mutant.id)) {
            reached = true;
            let passed = run(program, mutant.id, None, *time * 5 + Duration::from_secs(20))?;
            if passed != Some(true) {
                let name = program.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                by = Some(if passed.is_none() { format!("{name}, out of time") } else { name });
                break;
            }
        }
        let word = by.as_deref().map_or_else(|| "UNNOTICED".to_owned(), |name| format!("noticed by {name}"));
        println!("[{}/{}, {:.0?}] {mutant}: {word}", n + 1, mutants.len(), start.elapsed());
        if by.is_some() {
            workspace.note("noticed", mutant)?;
        } else {
            unnoticed.push((mutant, if reached { "though reached" } else { "not reached" }));
        }
    }
    Ok(unnoticed)
}
