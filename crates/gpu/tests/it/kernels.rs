//! Digests of the kernels of this project's own models: a change of how kernels are put together that is not
//! meant to change them does not.
//!
//! A kernel counts as the set of its declarations, without comments, spaces and order. After a change that is
//! meant, `KINETREE_BLESS=1 cargo test -p kinetree-gpu --test it kernels` writes the digests anew;
//! `KINETREE_KERNELS` names a folder for the texts themselves, to be compared.

use kinetree_gpu::{GpuError, GpuOptions, KernelSettings, KernelSources, Precision, kernel_sources};
use kinetree_model::Model;
use std::path::{Path, PathBuf};

/// Names of settings, and which they are.
fn variants() -> [(&'static str, KernelSettings); 4] {
    let options = |precision, sensors| GpuOptions { precision, sensors };
    let plain = KernelSettings::default();
    let (single, double) = (Precision::Single, Precision::Double);
    [
        ("single", plain),
        ("single subgroups sensors", {
            KernelSettings { options: options(single, true), subgroups: true, ..plain }
        }),
        ("double sensors equalities", {
            KernelSettings { options: options(double, true), equality_activation: true, ..plain }
        }),
        ("double subgroups varied", {
            KernelSettings { options: options(double, false), subgroups: true, varied: true, ..plain }
        }),
    ]
}

/// A hash that is the same everywhere (FNV-1a).
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Declarations of a text, without comments and with single spaces, in alphabetical order.
fn declarations(text: &str) -> Vec<String> {
    let words = text.lines().flat_map(|line| line.split("//").next().unwrap_or_default().split_whitespace());
    let (mut list, mut current, mut depth) = (Vec::new(), String::new(), 0);
    for character in words.flat_map(|word| word.chars().chain([' '])) {
        current.push(character);
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(character, ';' | '}') {
            list.push(std::mem::take(&mut current).trim().to_owned());
        }
    }
    assert!(current.trim().is_empty(), "a declaration without an end: {current}");
    list.sort();
    list
}

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = [folder.clone(), folder.join("showcase")].into_iter().flat_map(|folder| {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    });
    let mut paths: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|kind| kind == "xml" || kind == "urdf")).collect();
    paths.sort();
    paths
}

/// Kernels of a model; without sensors where these are not covered.
fn sources(model: &Model, mut settings: KernelSettings) -> Option<KernelSources> {
    let first = kernel_sources(model, settings);
    settings.options.sensors = false;
    let sources = if first.is_err() { kernel_sources(model, settings) } else { first };
    match sources {
        Ok(sources) => Some(sources),
        Err(GpuError::Unsupported(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

fn digest(sources: &KernelSources) -> String {
    let of_kernel = |(stage, text): &(&str, String)| {
        format!("{}={:016x}", stage.replace(' ', "-"), hash(&declarations(text).join("\n")))
    };
    let kernels: Vec<String> = sources.kernels.iter().map(of_kernel).collect();
    let numbers: String = sources.parameters.iter().map(|x| format!("{:016x}", x.to_bits())).collect();
    let indices: String = sources.indices.iter().map(|i| format!("{i} ")).collect();
    format!("{} parameters={:016x} indices={:016x}", kernels.join(" "), hash(&numbers), hash(&indices))
}

#[test]
fn kernels_have_their_digests() {
    let dump = std::env::var_os("KINETREE_KERNELS").map(PathBuf::from);
    let mut text = String::new();
    for path in models() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(model) = kinetree_spec::load_model(&path) else { continue };
        for (variant, settings) in variants() {
            let Some(sources) = sources(&model, settings) else { continue };
            text += &format!("{name}, {variant}: {}\n", digest(&sources));
            for (stage, kernel) in sources.kernels.iter().filter(|_| dump.is_some()) {
                let file = format!("{name}.{variant}.{stage}.txt").replace(' ', "-");
                let lines = declarations(kernel).join("\n");
                std::fs::write(dump.as_deref().unwrap_or(Path::new(".")).join(file), lines).unwrap();
            }
        }
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/kernels.txt");
    if std::env::var_os("KINETREE_BLESS").is_some() {
        std::fs::create_dir_all(golden.parent().unwrap()).unwrap();
        std::fs::write(&golden, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&golden).unwrap();
    assert!(text.lines().count() > 60, "most models are covered");
    for (line, expected) in text.lines().zip(expected.lines()) {
        assert_eq!(line, expected);
    }
    assert_eq!(text.lines().count(), expected.lines().count());
}
