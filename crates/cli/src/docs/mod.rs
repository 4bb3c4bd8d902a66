//! `kinetree docs`: the manual as text inside this program, or as a site in a browser.

mod browser;
mod pages;

use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output};
use pages::{Found, Page};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Most pages that a search lists.
const RESULTS: usize = 8;

/// Read the manual: list its pages, print one, search it, or open it in a browser.
///
/// The text of the manual is inside this program and needs no network.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree docs\n  kinetree docs guides/control\n  kinetree docs contact force\n  kinetree docs --open"
)]
pub(crate) struct Args {
    /// Name of a page to print, or words to search for; none lists the pages.
    words: Vec<String>,
    /// Open the manual in a browser: the site in `target/manual` or in the folder of `--site`, or else the
    /// pages on the web.
    #[arg(long, conflicts_with = "words")]
    open: bool,
    /// Folder of the site that `tools/docs/build` has built.
    #[arg(long, value_name = "FOLDER")]
    site: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    if args.open {
        let address = browser::address(args.site.as_deref())?;
        print_address(&address, out)?;
        out.flush()?;
        return browser::open(&address);
    }
    let pages = pages::all();
    if args.words.is_empty() {
        let address = browser::address(args.site.as_deref())?;
        return list(&pages, &address, out);
    }
    if let [name] = args.words.as_slice()
        && let Some(page) = pages::named(&pages, name)
    {
        return print_page(page, out);
    }
    let found = pages::search(&pages, &args.words);
    if found.is_empty() {
        return Err(Failure::WithHelp(
            format!("no page of the manual has the words '{}'", args.words.join(" ")),
            "try fewer words; `kinetree docs` lists the pages".into(),
        ));
    }
    print_found(&found, out)
}

fn print_address(address: &str, out: &mut Output) -> Result<(), Failure> {
    if out.json {
        return Ok(out.value(&json!({ "address": address }))?);
    }
    Ok(writeln!(out, "{BOLD}{address}{BOLD:#}")?)
}

fn list(pages: &[Page], address: &str, out: &mut Output) -> Result<(), Failure> {
    if out.json {
        let list: Value =
            pages.iter().map(|page| json!({ "name": page.name, "title": page.title() })).collect();
        return Ok(out.value(&json!({ "pages": list, "address": address }))?);
    }
    let width = pages.iter().map(|page| page.name.len()).max().unwrap_or(0);
    for page in pages {
        writeln!(out, "{BOLD}{:<width$}{BOLD:#}  {}", page.name, page.title())?;
    }
    writeln!(out, "\n`kinetree docs NAME` prints a page, `kinetree docs WORDS` searches.")?;
    Ok(writeln!(out, "`kinetree docs --open` opens {address}")?)
}

fn print_page(page: &Page, out: &mut Output) -> Result<(), Failure> {
    if out.json {
        let value = json!({ "name": page.name, "title": page.title(), "text": page.text });
        return Ok(out.value(&value)?);
    }
    Ok(out.write_all(page.text.as_bytes())?)
}

fn print_found(found: &[Found<'_>], out: &mut Output) -> Result<(), Failure> {
    if out.json {
        let results: Value = found
            .iter()
            .map(|one| json!({ "name": one.page.name, "title": one.page.title(), "line": one.line }))
            .collect();
        return Ok(out.value(&json!({ "results": results }))?);
    }
    for one in found.iter().take(RESULTS) {
        writeln!(out, "{BOLD}{}{BOLD:#}  {}", one.page.name, one.page.title())?;
        writeln!(out, "    {DIM}{}{DIM:#}", one.line)?;
    }
    match found.len().saturating_sub(RESULTS) {
        0 => Ok(()),
        more => Ok(writeln!(out, "and {more} more: add a word to narrow the search")?),
    }
}
