//! Damages model files at random, reads and compiles what is left, and reports every panic and every slow case.
//!
//! `mutate_models <rounds> <seed> < list-of-files`. Models are damaged as text; other files of the list (meshes, images) are
//! damaged as bytes and loaded by a small model. What fails is kept as `mutant-<seed>-<round>`, the file at hand is
//! `mutant-current`; the same seed repeats a run. Files that take long to load are chosen rarely. A watchdog ends the run
//! when a file hangs. Limit the memory of the process (`ulimit -v`) to find files that ask for too much.

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use kinetree_spec::{Spec, Vfs, vfs};

/// Words that are spliced in.
const WORDS: &[&str] = &[
    "-1",
    "0",
    "nan",
    "inf",
    "1e308",
    "-1e-308",
    "2147483647",
    "2147483648",
    "",
    " ",
    "<body>",
    "</body>",
    "<frame>",
    "<geom/>",
    "\"",
    "'",
    "<",
    ">",
    "/",
    "=",
    "<!--",
    "-->",
    "class=\"x\"",
    "count=\"7\"",
    "size=\"1\"",
    "type=\"mesh\"",
    "&#0;",
    "&#x10FFFF;",
    "\u{e9}",
    "0 0 0",
    "1 1 1 1 1 1 1",
    "free",
    "ball",
    "true",
];

/// Files larger than this are left out: they take their time in any case.
const LARGEST: usize = 1 << 20;
/// A case slower than this is reported.
const SLOW: Duration = Duration::from_secs(10);
/// A case slower than this ends the run.
const HANG: Duration = Duration::from_secs(300);
/// Files that load within this time are the usual choice; the others come once in `RARE` rounds.
const QUICK: Duration = Duration::from_millis(3);
const RARE: usize = 200;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

fn damage(text: &mut Vec<u8>, random: &mut Random) {
    if text.is_empty() {
        return;
    }
    let at = random.below(text.len());
    let end = (at + 1 + random.below(60)).min(text.len());
    let word = WORDS[random.below(WORDS.len())].bytes();
    match random.below(8) {
        0 => text[at] = random.below(256) as u8,
        1 => drop(text.drain(at..end)),
        2 => {
            let piece = text[at..end].to_vec();
            let place = random.below(text.len());
            drop(text.splice(place..place, piece));
        }
        3 | 4 => {
            // exchange a whole number
            let start = text.iter().skip(at).position(u8::is_ascii_digit).map_or(at, |n| at + n);
            let length = text[start..].iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
            drop(text.splice(start..start + length, word));
        }
        5 => {
            // exchange the value of an attribute
            let Some(open) = text.iter().skip(at).position(|&b| b == b'"').map(|n| at + n + 1) else {
                return;
            };
            let length = text[open..].iter().position(|&b| b == b'"').unwrap_or(0);
            drop(text.splice(open..open + length, word));
        }
        6 => drop(text.splice(at..at, word)),
        _ => {
            let other = random.below(text.len());
            text.swap(at, other);
        }
    }
}

/// When the case at hand began.
static STARTED: Mutex<Option<Instant>> = Mutex::new(None);

struct Seed {
    path: String,
    content: Vec<u8>,
}

impl Seed {
    fn is_model(&self) -> bool {
        self.path.ends_with(".xml") || self.path.ends_with(".urdf")
    }

    /// Reads and compiles this file with other content; whether that succeeded.
    fn load(&self, content: &[u8]) -> bool {
        if self.is_model() {
            let text = String::from_utf8_lossy(content);
            return Spec::from_xml_string_at(&text, vfs::folder_of(&self.path), None)
                .and_then(|spec| spec.compile())
                .is_ok();
        }
        let extension = self.path.rsplit('.').next().unwrap_or_default().to_lowercase();
        let asset = match extension.as_str() {
            "png" => format!(
                "<texture file='x.{extension}' type='2d'/><hfield name='h' file='x.{extension}' size='1 1 1 1'/>"
            ),
            _ => format!("<mesh name='m' file='x.{extension}'/>"),
        };
        let geom = if extension == "png" { "type='hfield' hfield='h'" } else { "type='mesh' mesh='m'" };
        let xml = format!(
            "<mujoco><asset>{asset}</asset><worldbody><body><geom {geom}/></body></worldbody></mujoco>"
        );
        let mut files = Vfs::new();
        files.add_buffer(&format!("x.{extension}"), content.to_vec()).is_ok()
            && kinetree_spec::load_model_str_with(&xml, &files).is_ok()
    }
}

/// Files in two lists: those that load quickly and the others.
fn read_seeds() -> [Vec<Seed>; 2] {
    let mut lists = [Vec::new(), Vec::new()];
    for path in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(content) = std::fs::read(&path) else { continue };
        if content.len() < LARGEST {
            let seed = Seed { path, content };
            let start = Instant::now();
            seed.load(&seed.content);
            lists[usize::from(start.elapsed() > QUICK)].push(seed);
        }
    }
    lists
}

/// Ends the process when a case hangs; the file at hand is left for inspection.
fn watch() {
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let started = STARTED.lock().map_or(None, |guard| *guard);
        if started.is_some_and(|start| start.elapsed() > HANG) {
            println!("hang: see mutant-current");
            std::process::exit(3);
        }
    }
}

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>().expect("a number"));
    let (rounds, seed) = (args.next().unwrap_or(1000), args.next().unwrap_or(1));
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let lists = read_seeds();
    println!("{} files to damage, {} of them slow", lists[0].len() + lists[1].len(), lists[1].len());
    std::panic::set_hook(Box::new(|info| eprintln!("{info}")));
    std::thread::spawn(watch);
    let (mut accepted, mut panics, mut longest) = (0, 0, Duration::ZERO);
    for round in 0..rounds {
        let list = &lists[usize::from(random.below(RARE) == 0)];
        let Some(file) = list.get(random.below(list.len())) else { continue };
        let mut content = file.content.clone();
        for _ in 0..=random.below(4) {
            damage(&mut content, &mut random);
        }
        // an abort (stack, memory) leaves its cause behind
        let _ = std::fs::write("mutant-current", &content);
        let start = Instant::now();
        *STARTED.lock().expect("no panic while held") = Some(start);
        let outcome = catch_unwind(AssertUnwindSafe(|| file.load(&content)));
        let time = start.elapsed();
        longest = longest.max(time);
        if time > SLOW {
            println!("slow: {} round {round}: {time:?}", file.path);
            let _ = std::fs::write(format!("mutant-slow-{seed}-{round}"), &content);
        }
        match outcome {
            Ok(good) => accepted += u64::from(good),
            Err(_) => {
                panics += 1;
                println!("panic: {} round {round}", file.path);
                let _ = std::fs::write(format!("mutant-{seed}-{round}"), &content);
            }
        }
        if (round + 1) % 10_000 == 0 || round + 1 == rounds {
            println!("{} rounds, {accepted} accepted, {panics} panics, longest {longest:?}", round + 1);
            let _ = std::io::stdout().flush();
        }
    }
}
