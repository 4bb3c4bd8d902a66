//! Parsed model files: a tree of elements over one or more texts.
//!
//! A [`Dom`] holds the main file and everything it includes. An `<include>` element stands for the children
//! of the included root, so walking the children of a node passes through includes without noticing them.

mod parse;

use std::sync::Arc;

use crate::diagnostics::{FileId, SourcePos};
pub(crate) use parse::{MAX_DEPTH, Span, XmlError};
use parse::{NONE, Parsed};

/// One parsed text.
#[derive(Debug)]
pub(crate) struct Document {
    file: FileId,
    text: Arc<str>,
    parsed: Parsed,
    /// Start of each line in the text.
    line_starts: Vec<u32>,
    /// Folder of the file when it was included; empty for the main file.
    pub dir: String,
    /// Included documents by the node of their `<include>`.
    includes: Vec<(u32, u32)>,
}

impl Document {
    pub(crate) fn new(file: FileId, text: Arc<str>) -> Result<Self, (XmlError, SourcePos)> {
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        let mut document = Document {
            file,
            text,
            parsed: Parsed::default(),
            line_starts,
            dir: String::new(),
            includes: Vec::new(),
        };
        match parse::parse(&document.text) {
            Ok(parsed) => document.parsed = parsed,
            Err(error) => {
                let pos = document.pos(&error.span);
                return Err((error, pos));
            }
        }
        Ok(document)
    }

    fn slice(&self, span: &Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Line and column of a range of bytes.
    fn pos(&self, span: &Span) -> SourcePos {
        let line = self.line_starts.partition_point(|&start| start <= span.start).max(1);
        let line_start = self.line_starts[line - 1] as usize;
        let column = self.text.get(line_start..span.start as usize).map_or(0, |part| part.chars().count());
        let length =
            self.text.get(span.start as usize..span.end as usize).map_or(0, |part| part.chars().count());
        SourcePos { file: self.file, line: line as u32, column: column as u32 + 1, length: length as u32 }
    }
}

/// A model file with everything it includes. Document 0 is the main file.
#[derive(Debug, Default)]
pub(crate) struct Dom {
    pub documents: Vec<Document>,
}

impl Dom {
    /// The root element of a document.
    pub(crate) fn root(&self, document: u32) -> Node<'_> {
        Node { dom: self, document, id: 0 }
    }

    /// An element by its number in a document.
    pub(crate) fn node(&self, document: u32, id: u32) -> Node<'_> {
        Node { dom: self, document, id }
    }

    /// Makes an `<include>` element stand for the children of another document's root.
    pub(crate) fn set_include(&mut self, document: u32, node: u32, included: u32) {
        self.documents[document as usize].includes.push((node, included));
    }
}

/// An element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'d> {
    dom: &'d Dom,
    document: u32,
    id: u32,
}

/// An attribute with its position in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attr<'d> {
    document: &'d Document,
    index: usize,
}

impl<'d> Node<'d> {
    fn doc(self) -> &'d Document {
        &self.dom.documents[self.document as usize]
    }

    fn data(self) -> &'d parse::NodeData {
        &self.doc().parsed.nodes[self.id as usize]
    }

    /// Number of the document the element is in.
    pub(crate) fn document(self) -> u32 {
        self.document
    }

    /// Number of the element in its document.
    pub(crate) fn id(self) -> u32 {
        self.id
    }

    pub(crate) fn name(self) -> &'d str {
        self.doc().slice(&self.data().name)
    }

    /// Position of the element's name.
    pub(crate) fn pos(self) -> SourcePos {
        self.doc().pos(&self.data().name)
    }

    /// Folder of the included file the element is in; empty in the main file.
    pub(crate) fn include_dir(self) -> &'d str {
        &self.doc().dir
    }

    /// Something stands between the tags.
    pub(crate) fn has_content(self) -> bool {
        self.data().has_content
    }

    /// The first text between the tags, as it stands there; empty when there is none.
    pub(crate) fn text(self) -> &'d str {
        self.doc().slice(&self.data().text)
    }

    /// The comment at the start of the document.
    pub(crate) fn comment(self) -> Option<&'d str> {
        self.doc().parsed.comment.as_ref().map(|span| self.doc().slice(span))
    }

    pub(crate) fn attrs(self) -> impl Iterator<Item = Attr<'d>> {
        let document = self.doc();
        let range = self.data().attrs.clone();
        range.map(move |index| Attr { document, index: index as usize })
    }

    pub(crate) fn attr(self, name: &str) -> Option<Attr<'d>> {
        self.attrs().find(|attr| attr.name() == name)
    }

    /// Children as they stand in the text, `<include>` elements among them.
    pub(crate) fn raw_children(self) -> Vec<Node<'d>> {
        let nodes = &self.doc().parsed.nodes;
        let first = Some(self.data().first_child).filter(|&id| id != NONE);
        let ids = std::iter::successors(first, |&id| Some(nodes[id as usize].next).filter(|&id| id != NONE));
        ids.map(|id| Node { id, ..self }).collect()
    }

    /// Children, with the content of included files in the place of their `<include>` elements.
    pub(crate) fn children(self) -> Vec<Node<'d>> {
        let mut children = Vec::new();
        let mut pending = self.raw_children();
        pending.reverse();
        while let Some(node) = pending.pop() {
            let included = node.doc().includes.iter().find(|(id, _)| *id == node.id);
            match included {
                Some(&(_, document)) => {
                    pending.extend(self.dom.root(document).raw_children().into_iter().rev());
                }
                None => children.push(node),
            }
        }
        children
    }

    /// Children with this name.
    pub(crate) fn children_named(self, name: &str) -> Vec<Node<'d>> {
        let mut children = self.children();
        children.retain(|child| child.name() == name);
        children
    }

    /// First child with this name.
    pub(crate) fn child(self, name: &str) -> Option<Node<'d>> {
        self.children().into_iter().find(|child| child.name() == name)
    }
}

impl<'d> Attr<'d> {
    fn data(self) -> &'d parse::AttrData {
        &self.document.parsed.attrs[self.index]
    }

    pub(crate) fn name(self) -> &'d str {
        self.document.slice(&self.data().name)
    }

    pub(crate) fn value(self) -> &'d str {
        let data = self.data();
        data.decoded.as_deref().unwrap_or_else(|| self.document.slice(&data.value))
    }

    /// Position of the name.
    pub(crate) fn name_pos(self) -> SourcePos {
        self.document.pos(&self.data().name)
    }

    /// Position of the value.
    pub(crate) fn value_pos(self) -> SourcePos {
        let span = &self.data().value;
        let length = span.end.min(span.start + 200);
        let end = (span.start..=length).rev().find(|&i| self.document.text.is_char_boundary(i as usize));
        self.document.pos(&(span.start..end.unwrap_or(span.start)))
    }

    /// Position of a part of the value, when the value has no entities; of the whole value otherwise.
    pub(crate) fn part_pos(self, part: std::ops::Range<usize>) -> SourcePos {
        if self.data().decoded.is_some() {
            return self.value_pos();
        }
        let start = self.data().value.start;
        self.document.pos(&(start + part.start as u32..start + part.end as u32))
    }
}
