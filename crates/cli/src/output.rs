//! How text and JSON leave the program. Everything printed goes through [`Output`], whose errors are
//! returned, so that a closed pipe ends the command quietly instead of panicking.

use crate::failure::{Failure, count_errors};
use clap::builder::styling::{AnsiColor, Style};
use kinetree::spec::Diagnostic;
use kinetree::spec::diagnostics::Severity;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Headings and names.
pub(crate) const BOLD: Style = Style::new().bold();
/// Less important text.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Something is right.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
const ERROR: Style = AnsiColor::BrightRed.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const GUTTER: Style = AnsiColor::BrightBlue.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();

/// Sets when colours are used, for all streams.
pub(crate) fn set_colors(choice: clap::ColorChoice) {
    match choice {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Standard output.
pub(crate) struct Output {
    /// Whether programs read it.
    pub(crate) json: bool,
    stream: io::BufWriter<anstream::Stdout>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Output { json, stream: io::BufWriter::new(anstream::stdout()) }
    }

    /// Prints one JSON value on a line of its own.
    pub(crate) fn value(&mut self, value: &Value) -> io::Result<()> {
        writeln!(self.stream, "{value}")
    }

    /// Writes out what is still in the buffer.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Prints a failure: text to standard error, or JSON to standard output.
pub(crate) fn print_failure(failure: &Failure, json: bool) -> io::Result<()> {
    if json {
        let mut value = json!({ "error": failure.to_string() });
        match failure {
            Failure::Model(list) => value["diagnostics"] = list.iter().map(diagnostic_value).collect(),
            Failure::WithHelp(_, help) => value["help"] = json!(help),
            _ => {}
        }
        return writeln!(io::stdout().lock(), "{value}");
    }
    let mut stream = anstream::stderr().lock();
    match failure {
        Failure::Model(list) => {
            for diagnostic in list {
                writeln!(stream, "{}\n", colored(diagnostic))?;
            }
            writeln!(stream, "{ERROR}error{ERROR:#}: the model has {}", count_errors(list))
        }
        Failure::Interrupted => writeln!(stream, "{WARNING}interrupted{WARNING:#}"),
        Failure::WithHelp(message, help) => {
            writeln!(stream, "{ERROR}error{ERROR:#}: {message}\n  = {HELP}help{HELP:#}: {help}")
        }
        _ => writeln!(stream, "{ERROR}error{ERROR:#}: {failure}"),
    }
}

/// Prints what was noticed while a model was loaded to standard error, before the results.
pub(crate) fn print_warnings(list: &[Diagnostic]) -> io::Result<()> {
    let mut stream = anstream::stderr().lock();
    list.iter().try_for_each(|warning| writeln!(stream, "{}", colored(warning)))
}

/// A finding as JSON.
pub(crate) fn diagnostic_value(diagnostic: &Diagnostic) -> Value {
    json!({
        "severity": diagnostic.severity.to_string(),
        "message": diagnostic.message,
        "file": diagnostic.file,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "length": diagnostic.length,
        "snippet": diagnostic.snippet,
        "suggestion": diagnostic.suggestion,
    })
}

/// A finding as coloured text. The layout is that of its `Display`; only colours are added, line by line.
pub(crate) fn colored(diagnostic: &Diagnostic) -> String {
    let mark = if diagnostic.severity == Severity::Error { ERROR } else { WARNING };
    let text = diagnostic.to_string();
    let mut lines = text.lines();
    let mut result = String::new();
    if let Some(first) = lines.next() {
        let (label, message) = first.split_once(": ").unwrap_or((first, ""));
        result += &format!("{mark}{label}{mark:#}{BOLD}: {message}{BOLD:#}");
    }
    for line in lines {
        result.push('\n');
        let start = line.trim_start();
        if let Some(place) = start.strip_prefix("--> ") {
            let indent = line.len() - start.len();
            result += &format!("{GUTTER}{:indent$}-->{GUTTER:#} {place}", "");
        } else if let Some((gutter, help)) = line.split_once("= help: ") {
            result += &format!("{GUTTER}{gutter}= {GUTTER:#}{HELP}help{HELP:#}: {help}");
        } else if let Some((gutter, rest)) = line.split_once('|') {
            let style = if rest.trim_start().starts_with('^') { mark } else { Style::new() };
            result += &format!("{GUTTER}{gutter}|{GUTTER:#}{style}{rest}{style:#}");
        } else {
            result += line;
        }
    }
    result
}
