//! Mutation testing: how many faults, put into the engine at random, do the tests notice?
//!
//! ```text
//! cargo run --manifest-path tools/mutants/Cargo.toml -- [--count 300] [--seed 1] [--work FOLDER]
//!     [--crates math,collide,sim,spec] [--tests math,collide,sim,spec] [--only LIST] [--again yes]
//!     [--list yes]
//! ```
//!
//! All mutants of a sample are compiled into one copy of the workspace, each behind a switch that is read
//! when the program starts, so that the tests are built once. A first run without mutants notes which test
//! program comes by which mutant; each mutant then needs only these, the quick ones first, until one fails or
//! runs out of time. After tests were added, `--again yes` with the same sample runs only the mutants that
//! were not noticed before; `--only` takes the mutants of a file with lines as they are printed, `path:line:
//! before -> after`. `--list` prints the sample, and no more. `--tests` runs the tests of these crates
//! instead of all. Mutants that change no result are listed with the reason in `equivalent.txt` beside this
//! package, and do not count.

mod copy;
mod equivalent;
mod run;
mod sites;

use copy::Workspace;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What the command line asks for.
pub(crate) struct Arguments {
    count: usize,
    seed: u64,
    work: PathBuf,
    crates: Vec<String>,
    again: bool,
    only: Option<PathBuf>,
    tests: Vec<String>,
    list: bool,
}

impl Arguments {
    fn parse() -> Result<Self, String> {
        let mut parsed = Self {
            count: 300,
            seed: 1,
            work: std::env::temp_dir().join("kinetree-mutants"),
            crates: ["math", "collide", "sim", "spec"].map(String::from).to_vec(),
            again: false,
            only: None,
            tests: Vec::new(),
            list: false,
        };
        let mut rest = std::env::args().skip(1);
        while let Some(word) = rest.next() {
            let value = rest.next().ok_or_else(|| format!("'{word}' needs a value"))?;
            let number = || value.parse::<u64>().map_err(|_| format!("'{value}' is not a number"));
            match word.as_str() {
                "--count" => parsed.count = number()? as usize,
                "--seed" => parsed.seed = number()?,
                "--work" => parsed.work = value.into(),
                "--again" => parsed.again = value == "yes",
                "--list" => parsed.list = value == "yes",
                "--only" => parsed.only = Some(value.into()),
                "--tests" => parsed.tests = value.split(',').map(String::from).collect(),
                "--crates" => parsed.crates = value.split(',').map(String::from).collect(),
                _ => return Err(format!("unknown option '{word}'")),
            }
        }
        Ok(parsed)
    }
}

fn test(arguments: &Arguments) -> Result<(), Box<dyn std::error::Error>> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).ok_or("no workspace above the package")?;
    let known = equivalent::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("equivalent.txt"))?;
    let (all, mut mutants) = sites::sample(root, arguments)?;
    println!("{} of {all} possible mutants, seed {}", mutants.len(), arguments.seed);
    mutants.retain(|mutant| !known.contains(&mutant.key()));
    println!("{} after those that are known to change no result", mutants.len());
    if arguments.list {
        mutants.iter().for_each(|mutant| println!("{mutant}"));
        return Ok(());
    }
    let workspace = Workspace::new(root, &arguments.work, arguments.again)?;
    workspace.copy(&mutants)?;
    let programs = workspace.build(&mut mutants, &arguments.tests)?;
    println!("{} mutants compile, {} test programs", mutants.len(), programs.len());
    let unnoticed = run::all(&workspace, &mutants, &programs, arguments.seed)?;
    let noticed = mutants.len() - unnoticed.len();
    println!(
        "\nnoticed: {noticed} of {} ({:.1} %)",
        mutants.len(),
        100.0 * noticed as f64 / mutants.len().max(1) as f64
    );
    for (mutant, how) in unnoticed {
        println!("unnoticed, {how}: {mutant}");
    }
    Ok(())
}

fn main() -> ExitCode {
    match Arguments::parse().map_err(Into::into).and_then(|arguments| test(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
