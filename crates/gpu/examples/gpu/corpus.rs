//! All models of a folder: which are covered, and how far their accelerations are from the processor's.

use crate::check::{Outcome, Pairs, compare};
use kinetree_gpu::{Gpu, GpuError, Precision};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// States of each model, unless the command says otherwise.
const STATES: usize = 100;
/// Steps between two states.
const STRIDE: usize = 5;
/// A model agrees when accelerations of all states with the same contacts do so to this.
fn bound(precision: Precision) -> f64 {
    match precision {
        Precision::Single => 1e-3,
        Precision::Double => 1e-9,
    }
}

/// Counts over all models.
#[derive(Debug, Default)]
struct Counts {
    unreadable: usize,
    motionless: usize,
    covered: usize,
    agreeing: usize,
    finite: usize,
    states: usize,
    close_states: usize,
    other_contacts: usize,
    at_margin: usize,
    contacts: [usize; 2],
    pairs: Pairs,
    /// Models that an element keeps from being covered, by kind of element.
    refused: BTreeMap<String, usize>,
}

/// Compares every model of a folder; `numbers` are those of states, of the first model and of models.
pub(crate) fn corpus(folder: &Path, numbers: &[usize], precision: Precision) -> Result<(), Box<dyn Error>> {
    let number = |k: usize, otherwise: usize| numbers.get(k).copied().unwrap_or(otherwise);
    let (states, first, count) = (number(0, STATES), number(1, 0), number(2, usize::MAX));
    let paths = model_paths(folder)?;
    let gpu = Gpu::new(None)?;
    println!("{} files on {}, {states} states each", paths.len(), gpu.adapter());
    let mut counts = Counts::default();
    for (k, path) in paths.iter().enumerate().skip(first).take(count) {
        let start = Instant::now();
        let word = one(&gpu, &folder.join(path), (states, precision), &mut counts);
        println!("{k} {}: {word} ({:.1} s)", path.display(), start.elapsed().as_secs_f64());
    }
    counts.report(bound(precision));
    Ok(())
}

/// Paths of a manifest, or of all files that may be models.
fn model_paths(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = Vec::new();
    if let Ok(manifest) = std::fs::read_to_string(folder.join("manifest.json")) {
        for line in manifest.lines() {
            let Some(rest) = line.trim().strip_prefix("\"path\": \"") else { continue };
            paths.extend(rest.split('"').next().map(PathBuf::from));
        }
        return Ok(paths);
    }
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "xml" || kind == "mjb" || kind == "urdf") {
                paths.push(path.strip_prefix(folder)?.to_path_buf());
            }
        }
    }
    paths.sort();
    Ok(paths)
}

/// Compares one model; returns what to say about it.
fn one(gpu: &Gpu, path: &Path, (states, precision): (usize, Precision), counts: &mut Counts) -> String {
    let mut model = match kinetree_spec::load_model(path) {
        Ok(model) => model,
        Err(error) => {
            counts.unreadable += 1;
            return format!("unreadable, {}", error.to_string().lines().next().unwrap_or_default());
        }
    };
    if model.nv == 0 {
        counts.motionless += 1;
        return "nothing moves".to_owned();
    }
    if precision == Precision::Double {
        // where solvers stop is no part of the bound
        let opt = &mut model.opt;
        (opt.tolerance, opt.iterations, opt.ls_iterations) =
            (1e-14, opt.iterations.max(100), opt.ls_iterations.max(50));
    }
    match compare(gpu.clone(), &Arc::new(model), states, STRIDE, precision) {
        Ok(outcome) => counts.take(&outcome, states, bound(precision)),
        Err(error) => match error.downcast_ref::<GpuError>() {
            Some(GpuError::Unsupported(elements)) => {
                let mut kinds: Vec<_> = elements.iter().map(|element| kind_of(element)).collect();
                kinds.sort();
                kinds.dedup();
                for kind in &kinds {
                    *counts.refused.entry(kind.clone()).or_default() += 1;
                }
                format!("refused, {}", kinds.join("; "))
            }
            _ => {
                *counts.refused.entry("failed".to_owned()).or_default() += 1;
                format!("failed, {error}")
            }
        },
    }
}

/// An element without names and numbers: those of one kind are counted together.
fn kind_of(element: &str) -> String {
    let mut named = false;
    let words = element.split(' ').filter(|word| {
        let is_name = word.starts_with('\'') || named || word.parse::<usize>().is_ok();
        named = (word.starts_with('\'') || named) && !word.ends_with('\'');
        !is_name
    });
    words.collect::<Vec<_>>().join(" ")
}

impl Counts {
    fn take(&mut self, outcome: &Outcome, states: usize, bound: f64) -> String {
        self.covered += 1;
        let same = &outcome.same;
        let close = same.iter().filter(|state| state.acceleration < bound).count();
        let finite = outcome.failed < states;
        self.finite += usize::from(finite);
        self.agreeing += usize::from(finite && close == same.len());
        self.states += same.len() + outcome.other_contacts;
        self.close_states += close;
        self.other_contacts += outcome.other_contacts;
        self.at_margin += outcome.at_margin;
        self.pairs.add(outcome.pairs);
        self.contacts = [0, 1].map(|k| self.contacts[k] + outcome.contacts[k]);
        let (median, worst) = match same.last() {
            Some(worst) => (same[same.len() / 2].acceleration, worst.acceleration),
            None => (f64::NAN, f64::NAN),
        };
        format!(
            "{close} of {} states close, median {median:.1e}, worst {worst:.1e}, {} with other contacts, {} at a margin, {} not finite; {} pairs, {} touch, {} at a margin, {} different ({:.2} % same)",
            same.len(),
            outcome.other_contacts,
            outcome.at_margin,
            outcome.failed,
            outcome.pairs.all,
            outcome.pairs.touching,
            outcome.pairs.at_margin,
            outcome.pairs.different,
            100.0 * outcome.pairs.shares()[1]
        )
    }

    fn report(&self, bound: f64) {
        let Self {
            unreadable,
            motionless,
            covered,
            agreeing,
            finite,
            states,
            close_states,
            other_contacts,
            at_margin,
            contacts: [contacts, differing],
            pairs,
            refused,
        } = self;
        println!(
            "unreadable: {unreadable}, nothing moves: {motionless}, covered: {covered}, of these finite: {finite}"
        );
        println!("all states within {bound:e}: {agreeing} models");
        println!("{states} states: {other_contacts} with other contacts, {close_states} within {bound:e}");
        println!("{contacts} contacts: {differing} more or fewer, without {at_margin} states at a margin");
        let Pairs { all, touching, at_margin, different } = pairs;
        let [of_all, of_touching] = pairs.shares().map(|share| 100.0 * share);
        println!(
            "{all} geom pairs of states that may touch, {touching} with a contact on either side: {at_margin} differ at a margin, {different} elsewhere. Of those away from a margin the same: {of_all:.4} % of all, {of_touching:.3} % of those that touch"
        );
        let mut kinds: Vec<_> = refused.iter().collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (kind, count) in kinds {
            println!("refused {count}: {kind}");
        }
    }
}
