//! Reading attributes, and collecting what is wrong with them.
//!
//! All readers write into a field that already holds its default: a missing attribute leaves it alone, a bad
//! one is reported and leaves it alone too, so that one run finds all faults.

use std::collections::HashMap;
use std::str::FromStr;

use kinetree_model::Reference;

use super::keywords::Keywords;
use crate::diagnostics::{Diagnostic, Diagnostics, Severity, SourceMap, SourcePos, suggest};
use crate::spec::Orientation;
use crate::xml::{Attr, Node};

/// Most findings that are kept; a file that is wrong everywhere is not worth listing completely.
const MAX_FINDINGS: usize = 100;

/// Findings and the texts they are about.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// The texts.
    pub sources: SourceMap,
    /// The findings.
    pub list: Vec<Diagnostic>,
    /// Where numbers stand that are not a number.
    pub not_numbers: Vec<SourcePos>,
    errors: usize,
    /// The version of MuJoCo whose meaning the texts have.
    pub reference: Reference,
}

/// A number that can be read from text.
pub(crate) trait Number: Copy + Default + FromStr {
    /// What is expected, for messages.
    const WHAT: &'static str;
    /// Parses one word. Errors say what is wrong with it.
    fn parse(word: &str) -> Result<Self, &'static str>;
    /// An empty attribute counts as a missing one.
    const MAY_BE_EMPTY: bool = true;
    /// The number is not a number.
    fn is_nan(self) -> bool {
        false
    }
}

macro_rules! float_number {
    ($($ty:ty),+) => {$(
        impl Number for $ty {
            const WHAT: &'static str = "a number";
            fn parse(word: &str) -> Result<Self, &'static str> {
                let Ok(value) = <$ty>::from_str(word) else {
                    return hexadecimal(word).map(|value| value as $ty).ok_or("is not a number");
                };
                // infinity may be written out, but not reached by overflow
                if value.is_infinite() && word.bytes().any(|b| b.is_ascii_digit()) {
                    return Err("is too large");
                }
                let mut mantissa = word.bytes().take_while(|b| !b.eq_ignore_ascii_case(&b'e'));
                if value.abs() < <$ty>::MIN_POSITIVE && mantissa.any(|b| matches!(b, b'1'..=b'9')) {
                    return Err("is too small");
                }
                Ok(value)
            }
            fn is_nan(self) -> bool {
                <$ty>::is_nan(self)
            }
        }
    )+};
}
float_number!(f64, f32);

/// A hexadecimal number, `0x1.8p3` for example, as C reads it.
fn hexadecimal(word: &str) -> Option<f64> {
    let (sign, digits) = match word.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, word.strip_prefix('+').unwrap_or(word)),
    };
    let digits = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"))?;
    let (digits, exponent) = match digits.split_once(['p', 'P']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (digits, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // sixteen digits are more than a double holds
    if digits.len() > 17 || digits.trim_matches('.').is_empty() || exponent.abs() > 1000 {
        return None;
    }
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        value = 16.0 * value + f64::from(digit.to_digit(16)?);
    }
    Some(sign * value * libm::exp2(f64::from(exponent - 4 * fraction.len() as i32)))
}

impl Number for i32 {
    const WHAT: &'static str = "an integer";
    const MAY_BE_EMPTY: bool = false;
    fn parse(word: &str) -> Result<Self, &'static str> {
        i32::from_str(word).map_err(|e| match e.kind() {
            std::num::IntErrorKind::PosOverflow | std::num::IntErrorKind::NegOverflow => {
                "is out of range for an integer"
            }
            _ => "is not an integer",
        })
    }
}

/// What is wrong with an attribute, by what is wrong with a number in it.
fn reason(why: &str) -> &'static str {
    if why.contains("too large") || why.contains("out of range") {
        "number is too large"
    } else {
        "bad format"
    }
}

/// How many numbers an attribute holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    Exactly(usize),
    AtMost(usize),
    Any,
}

impl Log {
    /// An empty log of texts of a reference level.
    pub(crate) fn at(reference: Reference) -> Self {
        Self { reference, ..Self::default() }
    }

    /// Adds a finding about a position in the text.
    pub(crate) fn report(
        &mut self,
        severity: Severity,
        pos: SourcePos,
        message: impl Into<String>,
        suggestion: Option<String>,
    ) {
        self.errors += usize::from(severity == Severity::Error);
        if self.list.len() < MAX_FINDINGS || (severity == Severity::Error && self.errors == 1) {
            let mut diagnostic = self.sources.diagnostic(severity, pos, message);
            diagnostic.suggestion = suggestion;
            self.list.push(diagnostic);
        }
    }

    /// Enough was found: further findings count but are not worth describing.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= MAX_FINDINGS && self.errors > 0
    }

    /// Adds an error.
    pub(crate) fn error(&mut self, pos: SourcePos, message: impl Into<String>) {
        self.report(Severity::Error, pos, message, None);
    }

    /// Adds an error with a suggestion.
    pub(crate) fn error_help(&mut self, pos: SourcePos, message: impl Into<String>, help: impl Into<String>) {
        self.report(Severity::Error, pos, message, Some(help.into()));
    }

    /// Adds a warning.
    pub(crate) fn warning(&mut self, pos: SourcePos, message: impl Into<String>) {
        self.report(Severity::Warning, pos, message, None);
    }

    /// An error was found.
    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The findings, as an error value.
    pub(crate) fn into_diagnostics(self) -> Diagnostics {
        Diagnostics { list: self.list }
    }

    /// Reports a missing attribute. True when it is there.
    pub(crate) fn required(&mut self, node: Node<'_>, name: &str) -> bool {
        let found = node.attr(name).is_some_and(|attr| !attr.value().trim().is_empty());
        if !found {
            self.error(node.pos(), format!("required attribute missing: '{name}' of <{}>", node.name()));
        }
        found
    }

    /// A text attribute.
    pub(crate) fn text<'d>(&mut self, node: Node<'d>, name: &str) -> Option<&'d str> {
        node.attr(name).map(Attr::value)
    }

    /// A text attribute into a field. True when it was given.
    pub(crate) fn set_text(&mut self, node: Node<'_>, name: &str, field: &mut String) -> bool {
        match node.attr(name) {
            Some(attr) => {
                attr.value().clone_into(field);
                true
            }
            None => false,
        }
    }

    /// A text attribute that must be there; empty when it is not.
    pub(crate) fn required_text(&mut self, node: Node<'_>, name: &str) -> String {
        match node.attr(name) {
            Some(attr) => attr.value().to_owned(),
            None => {
                self.error(node.pos(), format!("required attribute missing: '{name}' of <{}>", node.name()));
                String::new()
            }
        }
    }

    /// The numbers of an attribute; `None` when it is missing, empty or wrong.
    fn numbers<T: Number>(&mut self, node: Node<'_>, name: &str, count: Count) -> Option<Vec<T>> {
        let attr = node.attr(name)?;
        let text = attr.value();
        let mut values = Vec::new();
        for word in
            text.split(|c: char| c.is_ascii_whitespace() || c == '\u{b}').filter(|word| !word.is_empty())
        {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            match T::parse(word) {
                Ok(value) => {
                    if value.is_nan() {
                        let pos = attr.part_pos(start..start + word.len());
                        self.warning(pos, format!("'{name}' is not a number"));
                        // what users keep in a model for themselves may be anything
                        if !matches!((node.name(), name), (_, "user") | ("numeric", "data"))
                            && self.not_numbers.len() < MAX_FINDINGS
                        {
                            self.not_numbers.push(pos);
                        }
                    }
                    values.push(value);
                }
                Err(why) => {
                    let shown: String = word.chars().take(40).collect();
                    let message = format!(
                        "{} in attribute '{name}' of <{}>: '{shown}' {why}",
                        reason(why),
                        node.name()
                    );
                    let help = if word.contains(',') {
                        format!("expected {}: write a decimal point, and spaces between numbers", T::WHAT)
                    } else {
                        format!("expected {}", T::WHAT)
                    };
                    self.error_help(attr.part_pos(start..start + word.len()), message, help);
                    return None;
                }
            }
        }
        if values.is_empty() {
            return None;
        }
        let (good, wanted) = match count {
            Count::Exactly(n) => (values.len() == n, format!("{n}")),
            Count::AtMost(n) => (values.len() <= n, format!("at most {n}")),
            Count::Any => (true, String::new()),
        };
        if !good {
            let noun = if matches!(count, Count::Exactly(1)) { "number" } else { "numbers" };
            let fault = match count {
                Count::Exactly(n) if values.len() < n => "does not have enough data",
                _ => "has too much data",
            };
            let message = format!(
                "attribute '{name}' {fault}: <{}> needs {wanted} {noun}, got {}",
                node.name(),
                values.len()
            );
            self.error_help(attr.value_pos(), message, "numbers are separated by spaces");
            return None;
        }
        Some(values)
    }

    /// One number into a field. True when it was given.
    pub(crate) fn number<T: Number>(&mut self, node: Node<'_>, name: &str, field: &mut T) -> bool {
        match self.numbers::<T>(node, name, Count::Exactly(1)) {
            Some(values) => {
                *field = values[0];
                true
            }
            None => {
                if let Some(attr) =
                    node.attr(name).filter(|attr| !T::MAY_BE_EMPTY && attr.value().trim().is_empty())
                {
                    self.error(
                        attr.name_pos(),
                        format!("attribute '{name}' of <{}> needs {}", node.name(), T::WHAT),
                    );
                }
                false
            }
        }
    }

    /// One optional number.
    pub(crate) fn maybe_number<T: Number>(&mut self, node: Node<'_>, name: &str) -> Option<T> {
        let mut value = T::default();
        self.number(node, name, &mut value).then_some(value)
    }

    /// Exactly as many numbers as the field holds. True when they were given.
    pub(crate) fn exact<T: Number>(&mut self, node: Node<'_>, name: &str, field: &mut [T]) -> bool {
        match self.numbers::<T>(node, name, Count::Exactly(field.len())) {
            Some(values) => {
                field.copy_from_slice(&values);
                true
            }
            None => false,
        }
    }

    /// At most as many numbers as the field holds; the rest of the field stays. Returns how many were given.
    pub(crate) fn up_to<T: Number>(&mut self, node: Node<'_>, name: &str, field: &mut [T]) -> usize {
        match self.numbers::<T>(node, name, Count::AtMost(field.len())) {
            Some(values) => {
                field[..values.len()].copy_from_slice(&values);
                values.len()
            }
            None => 0,
        }
    }

    /// Any number of numbers.
    pub(crate) fn list<T: Number>(&mut self, node: Node<'_>, name: &str) -> Option<Vec<T>> {
        self.numbers(node, name, Count::Any)
    }

    /// Any number of numbers into a field. True when they were given.
    pub(crate) fn set_list<T: Number>(&mut self, node: Node<'_>, name: &str, field: &mut Vec<T>) -> bool {
        match self.list(node, name) {
            Some(values) => {
                *field = values;
                true
            }
            None => false,
        }
    }

    /// A keyword into a field. True when it was given.
    pub(crate) fn keyword<T: Copy>(
        &mut self,
        node: Node<'_>,
        name: &str,
        words: Keywords<T>,
        field: &mut T,
    ) -> bool {
        match self.maybe_keyword(node, name, words) {
            Some(value) => {
                *field = value;
                true
            }
            None => false,
        }
    }

    /// An optional keyword.
    pub(crate) fn maybe_keyword<T: Copy>(
        &mut self,
        node: Node<'_>,
        name: &str,
        words: Keywords<T>,
    ) -> Option<T> {
        let attr = node.attr(name)?;
        self.find_keyword(node, attr, attr.value(), words)
    }

    /// Space-separated keywords, in order; `None` when one is unknown or stands twice.
    pub(crate) fn keywords<T: Copy>(
        &mut self,
        node: Node<'_>,
        name: &str,
        words: Keywords<T>,
    ) -> Option<Vec<T>> {
        let attr = node.attr(name)?;
        let mut seen = Vec::new();
        let mut values = Vec::new();
        for word in attr.value().split_ascii_whitespace() {
            if seen.contains(&word) {
                self.error(attr.value_pos(), format!("'{word}' stands twice in attribute '{name}'"));
                return None;
            }
            seen.push(word);
            values.push(self.find_keyword(node, attr, word, words)?);
        }
        Some(values)
    }

    fn find_keyword<T: Copy>(
        &mut self,
        node: Node<'_>,
        attr: Attr<'_>,
        word: &str,
        words: Keywords<T>,
    ) -> Option<T> {
        if let Some((_, value)) = words.iter().find(|(known, _)| *known == word) {
            return Some(*value);
        }
        let known: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
        self.unknown_keyword(node, attr, word, &known);
        None
    }

    /// Elements of a kind, by their names and places, have names of their own.
    pub(crate) fn check_unique(&mut self, names: &[(&str, SourcePos)], kind: &str) {
        let mut first: HashMap<&str, SourcePos> = HashMap::new();
        for (name, pos) in names {
            if let Some(earlier) = first.insert(name, *pos) {
                let message = format!("repeated name '{name}' in {kind}");
                self.error_help(*pos, message, format!("it was first used in line {}", earlier.line));
            }
        }
    }

    fn unknown_keyword(&mut self, node: Node<'_>, attr: Attr<'_>, word: &str, known: &[&str]) {
        let message =
            format!("invalid keyword: '{word}' is not a valid '{}' of <{}>", attr.name(), node.name());
        let help =
            suggest(word, known.iter().copied()).unwrap_or_else(|| format!("one of: {}", known.join(", ")));
        self.error_help(attr.value_pos(), message, help);
    }

    /// A true/false attribute into a field. True when it was given.
    pub(crate) fn flag(&mut self, node: Node<'_>, name: &str, field: &mut bool) -> bool {
        self.keyword(node, name, super::keywords::BOOL, field)
    }

    /// A quaternion, which must not be zero.
    pub(crate) fn quat(&mut self, node: Node<'_>, name: &str, field: &mut [f64; 4]) {
        let before = *field;
        if self.exact(node, name, field) && field.iter().all(|&x| x == 0.0) {
            *field = before;
            let pos = node.attr(name).map_or(node.pos(), Attr::value_pos);
            self.error(pos, "zero quaternion is not allowed");
        }
    }

    /// Another form of orientation. Returns whether any form was given, the quaternion included.
    pub(crate) fn orientation(&mut self, node: Node<'_>, field: &mut Orientation) -> bool {
        let mut given: Vec<&str> = node.attr("quat").iter().map(|_| "quat").collect();
        let (mut four, mut six, mut three) = ([0.0; 4], [0.0; 6], [0.0; 3]);
        if !given.is_empty() && self.reference.class_orientation() {
            *field = Orientation::Quat;
        }
        if self.exact(node, "axisangle", &mut four) {
            *field = Orientation::AxisAngle(four);
            given.push("axisangle");
        }
        if self.exact(node, "xyaxes", &mut six) {
            *field = Orientation::XyAxes(six);
            given.push("xyaxes");
        }
        if self.exact(node, "zaxis", &mut three) {
            *field = Orientation::ZAxis(three);
            given.push("zaxis");
        }
        if self.exact(node, "euler", &mut three) {
            *field = Orientation::Euler(three);
            given.push("euler");
        }
        if given.len() > 1 {
            self.error(
                node.pos(),
                format!(
                    "multiple orientation specifiers are not allowed in <{}>: {}",
                    node.name(),
                    given.join(", ")
                ),
            );
        }
        !given.is_empty()
    }
}
