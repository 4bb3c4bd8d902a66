//! Damages model files at random, reads and compiles what is left, and reports every panic and every slow case.
//!
//! `mutate_models <rounds> <seed> < list-of-files`. A failing text is written to `mutant-<seed>-<round>.xml`, the one at hand to
//! `mutant-current.xml`; the same seed repeats a run. Limit the memory of the process to find texts that ask for too much.

use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use kinetree_spec::{Spec, vfs};

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

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>().expect("a number"));
    let (rounds, seed) = (args.next().unwrap_or(1000), args.next().unwrap_or(1));
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let paths: Vec<String> = std::io::stdin().lock().lines().map_while(Result::ok).collect();
    let files: Vec<(String, Vec<u8>)> = paths
        .into_iter()
        .filter_map(|path| Some((path.clone(), std::fs::read(&path).ok()?)))
        .filter(|(_, text)| text.len() < LARGEST)
        .collect();
    std::panic::set_hook(Box::new(|info| eprintln!("{info}")));
    let (mut accepted, mut panics) = (0, 0);
    for round in 0..rounds {
        let (path, original) = &files[random.below(files.len())];
        let mut text = original.clone();
        for _ in 0..=random.below(4) {
            damage(&mut text, &mut random);
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        // an abort (stack, memory) leaves its cause behind
        let _ = std::fs::write("mutant-current.xml", &text);
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            Spec::from_xml_string_at(&text, vfs::folder_of(path), None)
                .and_then(|spec| spec.compile())
                .is_ok()
        }));
        if start.elapsed() > SLOW {
            println!("slow: {path} round {round}: {:?}", start.elapsed());
            let _ = std::fs::write(format!("mutant-slow-{seed}-{round}.xml"), &text);
        }
        match outcome {
            Ok(good) => accepted += u64::from(good),
            Err(_) => {
                panics += 1;
                println!("panic: {path} round {round}");
                let _ = std::fs::write(format!("mutant-{seed}-{round}.xml"), &text);
            }
        }
    }
    println!("{rounds} rounds, {accepted} accepted, {panics} panics");
}
