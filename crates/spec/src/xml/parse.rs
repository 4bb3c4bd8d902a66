//! A small XML parser that keeps the position of every name and value.
//!
//! It reads what model files contain: elements, attributes, comments, declarations, character data (skipped).
//! It is lenient where hand-written files often are (undeclared name spaces, double hyphens in comments, bare
//! ampersands) and strict about structure. It does not recurse, and the depth of nesting is bounded, so no
//! input can exhaust the stack.

use std::ops::Range;

/// Deepest nesting of elements that is accepted.
pub(crate) const MAX_DEPTH: usize = 500;

/// "No such node".
pub(crate) const NONE: u32 = u32::MAX;

/// A range of bytes in the text.
pub(crate) type Span = Range<u32>;

/// An attribute.
#[derive(Clone, Debug)]
pub(crate) struct AttrData {
    pub name: Span,
    pub value: Span,
    /// The value with entities resolved, when it has any.
    pub decoded: Option<Box<str>>,
}

/// An element. Children form a linked list.
#[derive(Clone, Debug)]
pub(crate) struct NodeData {
    pub name: Span,
    pub attrs: Span,
    pub first_child: u32,
    pub last_child: u32,
    pub next: u32,
    /// Text content or children exist between the tags.
    pub has_content: bool,
    /// The first text between the tags that is not blank; empty when there is none.
    pub text: Span,
}

/// What the parser finds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parsed {
    pub nodes: Vec<NodeData>,
    pub attrs: Vec<AttrData>,
    /// The first comment inside the root element, when nothing but white space comes before it.
    pub comment: Option<Span>,
}

/// What is wrong with the text, and where.
#[derive(Clone, Debug)]
pub(crate) struct XmlError {
    pub message: String,
    pub span: Span,
}

/// Parses a text. The root element is node 0.
pub(crate) fn parse(text: &str) -> Result<Parsed, XmlError> {
    if u32::try_from(text.len()).is_err() {
        return Err(XmlError { message: "the file is larger than 4 GB".into(), span: 0..0 });
    }
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        at: 0,
        out: Parsed::default(),
        open: Vec::new(),
        began: false,
    };
    parser.run()?;
    Ok(parser.out)
}

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    out: Parsed,
    open: Vec<u32>,
    /// Something other than a declaration was seen.
    began: bool,
}

impl Parser<'_> {
    fn run(&mut self) -> Result<(), XmlError> {
        if self.text.starts_with('\u{feff}') {
            self.at = 3;
        }
        loop {
            let Some(next) = self.text[self.at..].find('<') else {
                self.at = self.bytes.len();
                break;
            };
            self.note_content(self.at..self.at + next);
            self.at += next;
            match self.bytes.get(self.at + 1) {
                Some(b'?') => self.declaration()?,
                Some(b'!') => self.markup()?,
                Some(b'/') => self.close_tag()?,
                _ if self.open.is_empty() && !self.out.nodes.is_empty() => {
                    // only the first root counts; what follows it is not a model
                    self.at = self.bytes.len();
                    break;
                }
                _ => self.open_tag()?,
            }
        }
        if let Some(&node) = self.open.last() {
            let name = self.out.nodes[node as usize].name.clone();
            return Err(XmlError {
                message: format!("element <{}> is never closed", self.slice(&name)),
                span: name,
            });
        }
        if self.out.nodes.is_empty() {
            return Err(XmlError { message: "the file has no root element".into(), span: 0..0 });
        }
        Ok(())
    }

    fn slice(&self, span: &Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    fn error<T>(&self, at: usize, message: impl Into<String>) -> Result<T, XmlError> {
        Err(XmlError { message: message.into(), span: at as u32..(at + 1).min(self.bytes.len()) as u32 })
    }

    /// Remembers that the open element has text.
    fn note_content(&mut self, range: Range<usize>) {
        if let Some(&node) = self.open.last()
            && self.bytes[range.clone()].iter().any(|b| !b.is_ascii_whitespace())
        {
            let node = &mut self.out.nodes[node as usize];
            node.has_content = true;
            if node.text.is_empty() {
                node.text = range.start as u32..range.end as u32;
            }
        }
    }

    /// Skips to the end of a construct that starts here.
    fn skip_until(&mut self, end: &str, what: &str) -> Result<(), XmlError> {
        let start = self.at;
        match self.text[start..].find(end) {
            Some(n) => {
                self.at = start + n + end.len();
                Ok(())
            }
            None => self.error(start, format!("{what} is never closed")),
        }
    }

    /// A declaration, which must come before everything else.
    fn declaration(&mut self) -> Result<(), XmlError> {
        if self.began {
            return self.error(self.at, "a declaration <? ?> must stand at the top of the file");
        }
        self.skip_until("?>", "declaration")
    }

    /// A comment, character data or a document type.
    fn markup(&mut self) -> Result<(), XmlError> {
        self.began = true;
        let start = self.at;
        let rest = &self.text[start..];
        if rest.starts_with("<!--") {
            self.at += 4;
            self.skip_until("-->", "comment")?;
            if let [root] = self.open[..] {
                let root = &mut self.out.nodes[root as usize];
                if root.first_child == NONE && !root.has_content && self.out.comment.is_none() {
                    self.out.comment = Some(start as u32 + 4..self.at as u32 - 3);
                }
                root.has_content = true;
            }
            Ok(())
        } else if rest.starts_with("<![CDATA[") {
            self.skip_until("]]>", "character data")
        } else {
            self.skip_until(">", "declaration")
        }
    }

    fn close_tag(&mut self) -> Result<(), XmlError> {
        let start = self.at;
        self.at += 2;
        let name = self.name();
        self.skip_space();
        if self.bytes.get(self.at) != Some(&b'>') {
            return self.error(start, "malformed closing tag");
        }
        self.at += 1;
        let Some(node) = self.open.pop() else {
            return self.error(start, format!("closing tag </{}> without an opening one", self.slice(&name)));
        };
        let opened = self.out.nodes[node as usize].name.clone();
        if self.slice(&opened) != self.slice(&name) {
            let line = 1 + self.bytes[..opened.start as usize].iter().filter(|&&byte| byte == b'\n').count();
            let (opened, closed) = (self.slice(&opened), self.slice(&name));
            let message = format!(
                "</{closed}> stands where </{opened}> is needed: <{opened}> in line {line} is still open"
            );
            return Err(XmlError { message, span: name });
        }
        Ok(())
    }

    fn open_tag(&mut self) -> Result<(), XmlError> {
        self.began = true;
        let start = self.at;
        self.at += 1;
        let name = self.name();
        if name.is_empty() {
            return self.error(start, "'<' is not followed by an element name");
        }
        let attrs_start = self.out.attrs.len() as u32;
        let closed = loop {
            self.skip_space();
            match self.bytes.get(self.at) {
                Some(b'>') => {
                    self.at += 1;
                    break false;
                }
                Some(b'/') if self.bytes.get(self.at + 1) == Some(&b'>') => {
                    self.at += 2;
                    break true;
                }
                Some(&b) if is_name_start(b) => self.attribute(attrs_start)?,
                Some(_) => return self.error(self.at, format!("unexpected text in <{}>", self.slice(&name))),
                None => return self.error(start, format!("element <{}> is never closed", self.slice(&name))),
            }
        };
        let attrs = attrs_start..self.out.attrs.len() as u32;
        self.add_node(name, attrs, closed, start)
    }

    fn add_node(&mut self, name: Span, attrs: Span, closed: bool, start: usize) -> Result<(), XmlError> {
        let id = self.out.nodes.len() as u32;
        self.out.nodes.push(NodeData {
            name,
            attrs,
            first_child: NONE,
            last_child: NONE,
            next: NONE,
            has_content: false,
            text: 0..0,
        });
        if let Some(&parent) = self.open.last() {
            let parent = &mut self.out.nodes[parent as usize];
            parent.has_content = true;
            let previous = std::mem::replace(&mut parent.last_child, id);
            if previous == NONE {
                parent.first_child = id;
            } else {
                self.out.nodes[previous as usize].next = id;
            }
        }
        if !closed {
            if self.open.len() == MAX_DEPTH {
                return self.error(start, format!("elements are nested more than {MAX_DEPTH} deep"));
            }
            self.open.push(id);
        }
        Ok(())
    }

    fn attribute(&mut self, attrs_start: u32) -> Result<(), XmlError> {
        let name = self.name();
        self.skip_space();
        if self.bytes.get(self.at) != Some(&b'=') {
            return Err(XmlError {
                message: format!("attribute '{}' has no value", self.slice(&name)),
                span: name,
            });
        }
        self.at += 1;
        self.skip_space();
        let Some(&quote @ (b'"' | b'\'')) = self.bytes.get(self.at) else {
            let message = format!("the value of '{}' is not quoted", self.slice(&name));
            return Err(XmlError { message, span: name });
        };
        let start = self.at + 1;
        let Some(length) = self.bytes[start..].iter().position(|&b| b == quote) else {
            let message = format!("the value of attribute '{}' is never closed", self.slice(&name));
            return Err(XmlError { message, span: name });
        };
        self.at = start + length + 1;
        let known = &self.out.attrs[attrs_start as usize..];
        if known.iter().any(|attr| self.slice(&attr.name) == self.slice(&name)) {
            return Err(XmlError {
                message: format!("attribute '{}' is given twice", self.slice(&name)),
                span: name,
            });
        }
        let value = start as u32..(start + length) as u32;
        let decoded = decode(self.slice(&value));
        self.out.attrs.push(AttrData { name, value, decoded });
        Ok(())
    }

    fn name(&mut self) -> Span {
        let start = self.at;
        if self.bytes.get(start).is_some_and(|&b| is_name_start(b)) {
            while self
                .bytes
                .get(self.at)
                .is_some_and(|&b| is_name_start(b) || matches!(b, b'0'..=b'9' | b'-' | b'.'))
            {
                self.at += 1;
            }
        }
        start as u32..self.at as u32
    }

    fn skip_space(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }
}

fn is_name_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == b':' || b >= 128
}

/// The value with entities and line ends resolved; `None` when it has none. Unknown entities stay as they
/// are.
fn decode(raw: &str) -> Option<Box<str>> {
    if !raw.contains(['&', '\r']) {
        return None;
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(n) = rest.find(['&', '\r']) {
        out.push_str(&rest[..n]);
        rest = &rest[n..];
        if let Some(after) = rest.strip_prefix('\r') {
            out.push('\n');
            rest = after.strip_prefix('\n').unwrap_or(after);
        } else if let Some((c, length)) = entity(rest) {
            out.push(c);
            rest = &rest[length..];
        } else {
            out.push('&');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    Some(out.into())
}

/// The character an entity stands for and the length of the entity.
fn entity(text: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 5] =
        [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"'), ("&apos;", '\'')];
    if let Some(&(name, c)) = NAMED.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((c, name.len()));
    }
    let digits = text.strip_prefix("&#")?;
    let end = digits.as_bytes().iter().take(12).position(|&b| b == b';')?;
    let number = match digits[..end].strip_prefix('x') {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits[..end].parse().ok()?,
    };
    Some((char::from_u32(number)?, end + 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        parse(text).map(|_| String::new()).unwrap_or_else(|e| e.message)
    }

    #[test]
    fn reads_what_model_files_contain() {
        let text = "\u{feff}<?xml version='1.0'?>\n<!-- top -- here -->\n<!DOCTYPE x>\n<a><!-- first --><b:c x='1 &lt; 2'/>text<d y=\"&#65;&#x42;&unknown;\"></d></a>\n";
        let parsed = parse(text).unwrap();
        let names: Vec<_> =
            parsed.nodes.iter().map(|n| &text[n.name.start as usize..n.name.end as usize]).collect();
        assert_eq!(names, ["a", "b:c", "d"]);
        assert_eq!(parsed.attrs[0].decoded.as_deref(), Some("1 < 2"));
        assert_eq!(parsed.attrs[1].decoded.as_deref(), Some("AB&unknown;"));
        assert!(parsed.comment.is_some());
    }

    #[test]
    fn names_the_fault() {
        assert!(message("<a><b></a>").contains("</a> stands where </b> is needed"));
        assert!(message("<a><b/>").contains("never closed"));
        assert!(message("<a x=1/>").contains("not quoted"));
        assert!(message("<a x='1' x='2'/>").contains("given twice"));
        assert!(message("<a x='1/>").contains("never closed"));
        assert!(message("<a x/>").contains("no value"));
        assert!(message("").contains("no root"));
        assert!(message("</a>").contains("without an opening"));
        assert!(message("<a>< b/></a>").contains("element name"));
        assert!(message("<a><!-- x</a>").contains("comment is never closed"));
        assert!(message("<!-- x --><?xml version='1.0'?><a/>").contains("at the top"));
        assert!(message("<a><?xml version='1.0'?></a>").contains("at the top"));
        assert!(message("<a b='1' ='2'/>").contains("unexpected text"));
    }

    #[test]
    fn deep_nesting_is_refused_not_followed() {
        let deep = "<a>".repeat(100_000);
        assert!(message(&deep).contains("nested more than"));
    }
}
