//! Fuzzing of the whole engine: damages model files at random, and takes every model that still loads through
//! the pipeline.
//!
//! ```text
//! fuzz [--cases N] [--seed S] [--from K] [--only K] [--out FOLDER] [file or folder…]     (default: models/)
//! ```
//!
//! A case is a file and its damage, chosen by the seed and the number of the case alone, so that `--only K`
//! repeats it. The model that is left is compiled, stepped, inverted, written as text, stepped in several
//! worlds at a time, saved, loaded back and stepped again (see `case`). Findings are panics, hangs, steps of
//! more than five seconds, and worlds in lockstep or saved models that move differently; each is written to
//! the output folder with its text. Cases run in a process of their own: one that hangs, or dies of a full
//! stack or memory (limit it with `ulimit -v`), is a finding, and the run goes on with the next one.

mod case;
mod clock;
mod damage;
mod seeds;

use case::Finding;
use clock::computed;
use damage::Random;
use seeds::Corpus;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A stage of a case that computes longer than this is given up as a hang.
const HANG: Duration = Duration::from_secs(60);
/// Exit status of a worker that gave up a case.
const GAVE_UP: i32 = 3;
/// How often progress is shown.
const REPORT: Duration = Duration::from_secs(20);

#[derive(Clone)]
struct Arguments {
    cases: u64,
    seed: u64,
    from: u64,
    only: Option<u64>,
    out: PathBuf,
    worker: bool,
    roots: Vec<String>,
}

impl Arguments {
    fn parse() -> Result<Self, String> {
        let mut parsed = Self {
            cases: 1000,
            seed: 1,
            from: 0,
            only: None,
            out: std::env::temp_dir().join("kinetree-fuzz"),
            worker: false,
            roots: Vec::new(),
        };
        let mut rest = std::env::args().skip(1);
        while let Some(word) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("'{word}' needs a value"));
            let number = |text: String| text.parse::<u64>().map_err(|_| format!("'{text}' is not a number"));
            match word.as_str() {
                "--cases" => parsed.cases = number(value()?)?,
                "--seed" => parsed.seed = number(value()?)?,
                "--from" => parsed.from = number(value()?)?,
                "--only" => parsed.only = Some(number(value()?)?),
                "--out" => parsed.out = value()?.into(),
                "--worker" => parsed.worker = true,
                _ if word.starts_with('-') => return Err(format!("unknown option '{word}'")),
                _ => parsed.roots.push(word),
            }
        }
        if parsed.roots.is_empty() {
            parsed.roots.push("models".into());
        }
        Ok(parsed)
    }
}

/// What the watchdog looks at: the case at hand, its stage, and what had been computed when that began.
static CURRENT: Mutex<Option<(u64, &'static str, Duration)>> = Mutex::new(None);

/// Notes that a stage begins.
fn enter(case: u64, stage: &'static str) {
    if let Ok(mut current) = CURRENT.lock() {
        *current = Some((case, stage, computed()));
    }
}

/// Ends the worker when a stage hangs.
fn watch() {
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let current = CURRENT.lock().map_or(None, |guard| *guard);
        if let Some((case, stage, _)) = current.filter(|(_, _, start)| computed() > *start + HANG) {
            println!("finding: case {case}: hang while {stage}");
            std::process::exit(GAVE_UP);
        }
    }
}

/// Counts of a run, as the worker leaves them to the next one.
#[derive(Default)]
struct Tally {
    next: u64,
    loaded: u64,
    steps: u64,
    findings: u64,
    slowest_step: f64,
}

impl Tally {
    fn path(out: &Path) -> PathBuf {
        out.join("tally")
    }

    fn read(out: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(Self::path(out)).ok()?;
        let mut numbers = text.split_whitespace();
        let mut count = || numbers.next()?.parse().ok();
        let (next, loaded, steps, findings) = (count()?, count()?, count()?, count()?);
        Some(Self { next, loaded, steps, findings, slowest_step: numbers.next()?.parse().ok()? })
    }

    fn write(&self, out: &Path) -> std::io::Result<()> {
        let Self { next, loaded, steps, findings, slowest_step } = self;
        std::fs::write(Self::path(out), format!("{next} {loaded} {steps} {findings} {slowest_step}"))
    }

    fn show(&self, since: Instant, done: u64) {
        println!(
            "{} cases ({:.0}/s), {} loaded, {} steps, slowest step {:.3} s, {} findings",
            self.next,
            done as f64 / since.elapsed().as_secs_f64(),
            self.loaded,
            self.steps,
            self.slowest_step,
            self.findings
        );
        let _ = std::io::stdout().flush();
    }
}

/// Runs cases in this process until the last one.
fn work(arguments: &Arguments) -> std::io::Result<()> {
    let corpus = Corpus::read(&arguments.roots);
    std::panic::set_hook(Box::new(|info| eprintln!("{info}")));
    std::thread::spawn(watch);
    let mut tally = Tally::read(&arguments.out).unwrap_or_default();
    let (start, first, mut shown) = (Instant::now(), tally.next, Instant::now());
    println!("{} files to damage", corpus.len());
    while tally.next < arguments.cases {
        let number = tally.next;
        // written first: a case that ends the process is not run again
        tally.next += 1;
        tally.write(&arguments.out)?;
        let random = &mut Random::new(arguments.seed, number);
        let (file, content) = corpus.case(random);
        let outcome = case::run(file, &content, random, &mut |stage| enter(number, stage));
        tally.loaded += u64::from(outcome.loaded);
        tally.steps += outcome.steps;
        tally.slowest_step = tally.slowest_step.max(outcome.slowest_step.as_secs_f64());
        if let Some(Finding(cause)) = outcome.finding {
            tally.findings += 1;
            println!("finding: case {number}: {cause}: {}", file.path.display());
            keep(arguments, number, &content)?;
        }
        if shown.elapsed() > REPORT {
            shown = Instant::now();
            tally.show(start, tally.next - first);
        }
    }
    tally.write(&arguments.out)?;
    tally.show(start, tally.next - first);
    Ok(())
}

/// Writes the damaged file of a finding.
fn keep(arguments: &Arguments, case: u64, content: &[u8]) -> std::io::Result<()> {
    std::fs::write(arguments.out.join(format!("finding-{}-{case}", arguments.seed)), content)
}

/// Repeats one case without a limit of time.
fn repeat(arguments: &Arguments, number: u64) -> std::io::Result<()> {
    let corpus = Corpus::read(&arguments.roots);
    let random = &mut Random::new(arguments.seed, number);
    let (file, content) = corpus.case(random);
    keep(arguments, number, &content)?;
    println!("case {number}: {}", file.path.display());
    let start = Instant::now();
    let outcome =
        case::run(file, &content, random, &mut |stage| println!("{:>9.3?} {stage}", start.elapsed()));
    println!("loaded: {}, {} steps, slowest {:?}", outcome.loaded, outcome.steps, outcome.slowest_step);
    if let Some(Finding(cause)) = outcome.finding {
        println!("finding: {cause}");
    }
    Ok(())
}

/// Runs workers until all cases are done; whether there was no finding.
fn supervise(arguments: &Arguments) -> std::io::Result<bool> {
    Tally { next: arguments.from, ..Tally::default() }.write(&arguments.out)?;
    loop {
        let worker =
            Command::new(std::env::current_exe()?).args(std::env::args().skip(1)).arg("--worker").status()?;
        let Some(mut tally) = Tally::read(&arguments.out) else {
            return Err(std::io::Error::other("the worker left no tally"));
        };
        if worker.success() {
            return Ok(tally.findings == 0);
        }
        let number = tally.next.saturating_sub(1);
        if worker.code() != Some(GAVE_UP) {
            println!("finding: case {number}: the process died ({worker})");
        }
        let corpus = Corpus::read(&arguments.roots);
        keep(arguments, number, &corpus.case(&mut Random::new(arguments.seed, number)).1)?;
        tally.findings += 1;
        tally.write(&arguments.out)?;
    }
}

fn main() -> ExitCode {
    let arguments = match Arguments::parse() {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::from(2);
        }
    };
    let run = || -> std::io::Result<bool> {
        std::fs::create_dir_all(&arguments.out)?;
        match arguments.only {
            Some(number) => repeat(&arguments, number).map(|()| true),
            None if arguments.worker => work(&arguments).map(|()| true),
            None => supervise(&arguments),
        }
    };
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
