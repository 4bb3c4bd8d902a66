//! The project's own models, whole and damaged.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use kinetree_spec::Spec;

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "xml" || e == "urdf")).collect();
    files.sort();
    assert!(files.len() > 25, "the models are missing");
    files
}

#[test]
fn every_model_compiles() {
    for path in models() {
        let result = Spec::from_xml_file(&path).and_then(|spec| {
            assert!(
                spec.warnings.iter().all(|w| w.message.contains("is used already")),
                "{}: {:?}",
                path.display(),
                spec.warnings
            );
            spec.compile()
        });
        match result {
            Ok(model) => assert_eq!(model.check_indices(), Ok(()), "{}", path.display()),
            Err(findings) => panic!("{}\n{findings}", path.display()),
        }
    }
}

/// A small generator of pseudo-random numbers (xorshift), so that failures can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// One random change: a byte, a piece removed or doubled, a number or word exchanged.
fn damage(text: &mut Vec<u8>, random: &mut Random) {
    const WORDS: [&str; 14] = [
        "-1",
        "0",
        "nan",
        "1e308",
        "2147483648",
        "",
        "<body>",
        "</body>",
        "\"",
        "class=\"x\"",
        "count=\"7\"",
        "&#0;",
        "\u{e9}",
        "0 0 0",
    ];
    let at = random.below(text.len());
    let end = (at + 1 + random.below(40)).min(text.len());
    match random.below(6) {
        0 => text[at] = random.below(256) as u8,
        1 => drop(text.drain(at..end)),
        2 => {
            let piece = text[at..end].to_vec();
            let position = random.below(text.len());
            drop(text.splice(position..position, piece));
        }
        3 => {
            // exchange one number for another word
            let digit = text.iter().skip(at).position(u8::is_ascii_digit).map_or(at, |n| at + n);
            drop(text.splice(digit..(digit + 1).min(text.len()), WORDS[random.below(WORDS.len())].bytes()));
        }
        4 => drop(text.splice(at..at, WORDS[random.below(WORDS.len())].bytes())),
        _ => text.truncate(at.max(1)),
    }
}

#[test]
fn damaged_models_are_refused_or_read_but_never_break_the_reader() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for path in models() {
        let original = std::fs::read(&path).unwrap();
        for round in 0..60 {
            let mut text = original.clone();
            for _ in 0..=random.below(3) {
                damage(&mut text, &mut random);
            }
            let text = String::from_utf8_lossy(&text).into_owned();
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                Spec::from_xml_string(&text, None).and_then(|spec| spec.compile())
            }));
            assert!(outcome.is_ok(), "{} round {round} panics:\n{text}", path.display());
        }
    }
}
