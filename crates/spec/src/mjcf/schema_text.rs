//! The schema as text: one line for each element, with how often it may stand in its parent and its
//! attributes.

use super::schema::{ElementSchema, Occurs};
use super::tables::ROOT;
use std::fmt::Write;

/// All elements and attributes of MJCF, as text or, with `html`, as a table. With `pad` each level is
/// indented.
#[must_use]
pub fn schema_text(html: bool, pad: bool) -> String {
    let mut text = String::new();
    if html {
        text.push_str("<table>\n");
    }
    write_element(&mut text, &ROOT, 0, html, pad);
    if html {
        text.push_str("</table>\n");
    }
    text
}

fn write_element(text: &mut String, element: &ElementSchema, depth: usize, html: bool, pad: bool) {
    let occurs = match (element.recursive, element.occurs) {
        (true, _) => "R",
        (false, Occurs::Once) => "?",
        (false, Occurs::Many) => "*",
    };
    let attributes: Vec<&str> = element.attr_names().collect();
    let attributes = attributes.join(" ");
    let name = element.name;
    // writing to a string cannot fail
    let _ = if html {
        let indent = "&nbsp;".repeat(if pad { 4 * depth } else { 0 });
        writeln!(text, "<tr><td>{indent}{name}</td><td>{occurs}</td><td>{attributes}</td></tr>")
    } else {
        let indent = " ".repeat(if pad { 4 * depth } else { 0 });
        writeln!(text, "{}", format!("{indent}{name} ({occurs}) {attributes}").trim_end())
    };
    for child in element.children {
        write_element(text, child, depth + 1, html, pad);
    }
}
