//! The section of deformable bodies, an extension that the reference does not know.
//!
//! The engine's core does not step such bodies, so that a description and a compiled model carry them as
//! custom texts: one for each body, with the prefix [`DEFORMABLE_PREFIX`] before its name. The first line is
//! the kind of body; every other line is an attribute and its value, or `pin` and `attach` with theirs.
//! The crate that steps them reads these lines.

use super::keywords::BOOL;
use super::reader::Reader;
use crate::diagnostics::suggest;
use crate::spec::{DefaultId, Text, WORLD_NAME};
use crate::xml::{Attr, Node};
use kinetree_model::DEFORMABLE_PREFIX;
use kinetree_model::enums::ObjType;

/// What the numbers of an attribute may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Range {
    /// Finite.
    Finite,
    Positive,
    NotNegative,
    /// Poisson's ratio of a material that resists changes of volume by a finite force.
    Poisson,
    /// From 0 to 1.
    Unit,
    /// Whole numbers between two.
    Whole(i32, i32),
}

impl Range {
    fn holds(self, x: f64) -> bool {
        x.is_finite()
            && match self {
                Self::Finite => true,
                Self::Positive => x > 0.0,
                Self::NotNegative => x >= 0.0,
                Self::Poisson => (0.0..0.5).contains(&x),
                Self::Unit => (0.0..=1.0).contains(&x),
                Self::Whole(least, most) => {
                    x.fract() == 0.0 && (f64::from(least)..=f64::from(most)).contains(&x)
                }
            }
    }

    fn words(self) -> String {
        match self {
            Self::Finite => "finite".to_owned(),
            Self::Positive => "positive".to_owned(),
            Self::NotNegative => "zero or more".to_owned(),
            Self::Poisson => "in [0, 0.5); 0.49 is nearly incompressible".to_owned(),
            Self::Unit => "between 0 and 1".to_owned(),
            Self::Whole(least, most) => format!("a whole number between {least} and {most}"),
        }
    }
}

/// An attribute of numbers: its name, how many there are (0 for any multiple of three), and their range.
pub(crate) type Numbers = (&'static str, usize, Range);

/// A kind of body.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Names of materials and sections; case does not matter.
    pub(crate) presets: &'static [&'static str],
    /// Attributes of numbers, besides [`COMMON`].
    pub(crate) numbers: &'static [Numbers],
    /// Whether its shape may be a mesh.
    pub(crate) has_mesh: bool,
}

impl Kind {
    /// The kind with a name.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// All attributes of numbers.
    pub(crate) fn all_numbers(&self) -> impl Iterator<Item = &'static Numbers> {
        self.numbers.iter().chain(&COMMON)
    }
}

/// Most cells of a body.
const MOST_CELLS: f64 = 1e6;

/// Kinds of bodies.
pub(crate) const KINDS: [Kind; 3] = [
    Kind {
        name: "cloth",
        presets: &["Cotton", "Silk", "Leather", "Rubber", "Paper", "Membrane"],
        numbers: &[
            ("cells", 2, Range::Whole(1, 4096)),
            ("size", 2, Range::Positive),
            ("pos", 3, Range::Finite),
            ("quat", 4, Range::Finite),
            ("thickness", 1, Range::Positive),
        ],
        has_mesh: true,
    },
    Kind {
        name: "body",
        presets: &["Rubber", "Gelatin", "SoftTissue", "Muscle", "Foam", "Stiff"],
        numbers: &[
            ("cells", 3, Range::Whole(1, 1024)),
            ("size", 3, Range::Positive),
            ("cell", 1, Range::Positive),
            ("pos", 3, Range::Finite),
            ("quat", 4, Range::Finite),
            ("radius", 1, Range::NotNegative),
        ],
        has_mesh: true,
    },
    Kind {
        name: "rope",
        presets: &["Rope", "SteelCable", "SoftCable", "Hair", "Chain"],
        numbers: &[
            ("fromto", 6, Range::Finite),
            ("segments", 1, Range::Whole(1, 1_000_000)),
            ("point", 0, Range::Finite),
            ("radius", 1, Range::Positive),
            ("solidity", 1, Range::NotNegative),
        ],
        has_mesh: false,
    },
];

/// Attributes of numbers that all kinds have.
pub(crate) const COMMON: [Numbers; 10] = [
    ("young", 1, Range::Positive),
    ("poisson", 1, Range::Poisson),
    ("density", 1, Range::Positive),
    ("friction", 1, Range::NotNegative),
    ("damping", 1, Range::NotNegative),
    ("rgba", 4, Range::Unit),
    ("drag", 1, Range::NotNegative),
    ("substeps", 1, Range::Whole(1, 1_000_000)),
    ("iterations", 1, Range::Whole(1, 1_000_000)),
    ("sleep", 2, Range::NotNegative),
];

/// Attributes of text.
pub(crate) const WORDS: [&str; 3] = ["preset", "selfcontact", "mesh"];

impl Reader<'_> {
    /// Reads a section of deformable bodies.
    pub(super) fn read_soft(&mut self, section: Node<'_>) {
        for node in section.children() {
            let Some(kind) = Kind::find(node.name()) else { continue };
            let name = self.log.required_text(node, "name");
            let mut data = kind.name.to_owned();
            self.read_soft_words(node, kind, &mut data);
            for numbers in kind.all_numbers() {
                self.read_soft_numbers(node, numbers, &mut data);
            }
            self.check_soft_cells(node);
            let vertices = vertex_count(node);
            for child in node.children() {
                match child.name() {
                    "pin" => self.read_soft_pin(child, vertices, &mut data),
                    "attach" => self.read_soft_attachment(child, vertices, &mut data),
                    _ => {}
                }
            }
            let origin = self.origin(node, DefaultId(0));
            self.spec.add_text(Text { name: format!("{DEFORMABLE_PREFIX}{name}"), origin, data });
        }
    }

    /// Attributes of text.
    fn read_soft_words(&mut self, node: Node<'_>, kind: &Kind, data: &mut String) {
        if let Some(attr) = node.attr("preset") {
            let word = attr.value();
            if !kind.presets.iter().any(|known| known.eq_ignore_ascii_case(word)) {
                let help = suggest(word, kind.presets.iter().copied())
                    .unwrap_or_else(|| format!("one of: {}", kind.presets.join(", ")));
                let message = format!("'{word}' is not a valid 'preset' of <{}>", kind.name);
                self.log.error_help(attr.value_pos(), message, help);
            }
            push(data, "preset", word);
        }
        if let Some(own) = self.log.maybe_keyword(node, "selfcontact", BOOL) {
            push(data, "selfcontact", if own { "true" } else { "false" });
        }
        let Some(mesh) = node.attr("mesh").filter(|_| kind.has_mesh) else { return };
        push(data, "mesh", mesh.value());
        for given in ["cells", "size"] {
            if let Some(attr) = node.attr(given) {
                let message = format!("'{given}' belongs to a body without 'mesh'");
                self.log.error_help(attr.name_pos(), message, "take one of both out");
            }
        }
        if kind.name == "body" && node.attr("cell").is_none() {
            let message = "<body> with a mesh needs the attribute 'cell'";
            self.log.error_help(node.pos(), message, "the size of the cells that fill the mesh (m)");
        }
    }

    fn read_soft_numbers(&mut self, node: Node<'_>, &(attr, count, range): &Numbers, data: &mut String) {
        let Some(source) = node.attr(attr) else { return };
        let numbers = if count == 0 {
            self.log.list(node, attr)
        } else {
            let mut exact = vec![0.0; count];
            self.log.exact(node, attr, &mut exact).then_some(exact)
        };
        let Some(numbers) = numbers else { return };
        if let Some(bad) = numbers.iter().find(|x| !range.holds(**x)) {
            let message = format!("'{attr}' of <{}> is {bad}", node.name());
            self.log.error_help(source.value_pos(), message, format!("it must be {}", range.words()));
        } else if attr == "quat" && numbers.iter().all(|&x| x == 0.0) {
            self.log.error(source.value_pos(), "zero quaternion is not allowed");
        } else if count == 0 && (numbers.len() % 3 != 0 || numbers.len() < 6) {
            let message = format!("'{attr}' of <{}> has {} numbers", node.name(), numbers.len());
            self.log.error_help(source.value_pos(), message, "three for each of two points or more");
        }
        push(data, attr, &join(&numbers));
    }

    /// An error when there are more cells than fit into memory.
    fn check_soft_cells(&mut self, node: Node<'_>) {
        let Some(attr) = node.attr("cells") else { return };
        let cells: f64 = words(attr).map(|word| word.parse().unwrap_or(0.0)).product();
        if cells > MOST_CELLS {
            let message = format!("'cells' of <{}> makes {cells} cells", node.name());
            self.log.error_help(attr.value_pos(), message, "at most a million: take larger cells");
        }
    }

    fn read_soft_pin(&mut self, node: Node<'_>, vertices: Option<f64>, data: &mut String) {
        self.log.required(node, "vertex");
        let Some(list) = self.log.list::<i32>(node, "vertex") else { return };
        for &vertex in &list {
            self.check_soft_vertex(node, vertex, vertices);
        }
        push(data, "pin", &join(&list));
    }

    fn read_soft_attachment(&mut self, node: Node<'_>, vertices: Option<f64>, data: &mut String) {
        let Some(vertex) = self.log.maybe_number::<i32>(node, "vertex") else {
            self.log.required(node, "vertex");
            return;
        };
        self.check_soft_vertex(node, vertex, vertices);
        match (self.log.text(node, "site"), self.log.text(node, "body")) {
            (Some(site), None) => push(data, "attach", &format!("{vertex} site {site}")),
            (None, Some(body)) => push(data, "attach", &format!("{vertex} body {body}")),
            _ => self.log.error(node.pos(), "an attachment has either a 'site' or a 'body'"),
        }
    }

    /// An error unless a body with so many vertices has this one.
    fn check_soft_vertex(&mut self, node: Node<'_>, vertex: i32, vertices: Option<f64>) {
        let last = vertices.map_or(f64::from(i32::MAX), |count| count - 1.0);
        if vertex < 0 || f64::from(vertex) > last {
            let pos = node.attr("vertex").map_or(node.pos(), Attr::value_pos);
            let help = match vertices {
                Some(_) => format!("vertices are numbered from 0 to {last}"),
                None => "vertices are numbered from 0".to_owned(),
            };
            self.log.error_help(pos, format!("there is no vertex {vertex}"), help);
        }
    }
}

fn words(attr: Attr<'_>) -> impl Iterator<Item = &str> {
    attr.value().split_ascii_whitespace()
}

/// How many vertices a body has; `None` where that depends on a mesh, or its attributes are wrong.
fn vertex_count(node: Node<'_>) -> Option<f64> {
    if node.attr("mesh").is_some() {
        return None;
    }
    let number = |word: &str| word.parse::<f64>().ok();
    let along = |count: usize, default: f64| -> Option<f64> {
        let Some(attr) = node.attr("cells") else { return Some((default + 1.0).powi(count as i32)) };
        words(attr).map(|word| number(word).map(|cells| cells + 1.0)).product()
    };
    match node.name() {
        "cloth" => along(2, 10.0),
        "body" => along(3, 4.0),
        _ => match (node.attr("point"), node.attr("segments")) {
            (Some(points), _) => Some((words(points).count() / 3) as f64),
            (None, Some(segments)) => number(segments.value().trim()).map(|count| count + 1.0),
            (None, None) => Some(21.0),
        },
    }
}

/// Appends a line.
fn push(data: &mut String, attr: &str, value: &str) {
    // lines end a value
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    *data += &format!("\n{attr} {value}");
}

/// Numbers in the shortest form that reads back to the same bits.
fn join<T: std::fmt::Display>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

/// Kinds and names of what a body refers to: the sites and bodies it is attached to, and its mesh.
pub(crate) fn references(text: &Text) -> impl Iterator<Item = (ObjType, &str)> {
    let known = text.name.starts_with(DEFORMABLE_PREFIX) && has_kind(text);
    text.data.lines().skip(1).filter(move |_| known).filter_map(reference)
}

/// What one line refers to.
fn reference(line: &str) -> Option<(ObjType, &str)> {
    let (word, name) = match line.split_once(' ')? {
        ("mesh", name) => ("mesh", name),
        ("attach", rest) => rest.split_once(' ')?.1.split_once(' ')?,
        _ => return None,
    };
    match word {
        "mesh" => Some((ObjType::Mesh, name)),
        "site" => Some((ObjType::Site, name)),
        "body" => Some((ObjType::Body, name)),
        _ => None,
    }
}

/// Gives a body and what it refers to other names, as a model that becomes part of another one gets. Other
/// texts are left alone; whether this one is a body.
pub(crate) fn rename(text: &mut Text, around: impl Fn(&str) -> String) -> bool {
    let Some(name) = text.name.strip_prefix(DEFORMABLE_PREFIX).filter(|_| has_kind(text)) else {
        return false;
    };
    text.name = format!("{DEFORMABLE_PREFIX}{}", around(name));
    let renamed = |line: &str| match reference(line) {
        // there is one world
        Some((_, WORLD_NAME)) | None => line.to_owned(),
        // the name is the end of its line
        Some((_, name)) => format!("{}{}", &line[..line.len() - name.len()], around(name)),
    };
    text.data = text.data.lines().map(renamed).collect::<Vec<_>>().join("\n");
    true
}

/// Whether the first line of a text is a kind of body.
fn has_kind(text: &Text) -> bool {
    text.data.lines().next().is_some_and(|kind| Kind::find(kind).is_some())
}
