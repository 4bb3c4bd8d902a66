//! What is where: the page, and under `folder` the models of the folder.

use super::folder::Folder;
use super::page::Page;
use super::request::Request;
use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};

/// The page and a folder of models.
#[derive(Debug)]
pub(crate) struct Site {
    page: Page,
    folder: Option<Folder>,
}

/// An answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    status: u16,
    content_type: &'static str,
    /// Whether the content is compressed with Brotli.
    brotli: bool,
    /// Entity tag of the content, by which a browser knows a version that it has kept.
    tag: Option<String>,
    content: Cow<'static, [u8]>,
}

impl Site {
    pub(crate) fn new(page: Page, folder: Option<Folder>) -> Self {
        Self { page, folder }
    }

    /// Answers a request.
    pub(crate) fn answer(&self, request: &Request) -> Answer {
        let name = if request.path.is_empty() { "index.html" } else { &request.path };
        let found = match (&self.folder, name) {
            (Some(folder), "folder.json") => Some(Answer::json(&folder.list())),
            (Some(folder), _) if name.starts_with("folder/") => from_folder(folder, name),
            _ => self.page_file(name, request),
        };
        found.unwrap_or_else(|| Answer::problem(404, "there is no such file"))
    }

    /// A file of the page, as its build has compressed it where the browser takes that, unless the browser
    /// has it already.
    fn page_file(&self, name: &str, request: &Request) -> Option<Answer> {
        let compressed = request.brotli.then(|| self.page.read(&format!("{name}.br"))).flatten();
        let brotli = compressed.is_some();
        let content = compressed.or_else(|| self.page.read(name))?;
        let tag = entity_tag(&content);
        let known = request.kept.split(',').any(|kept| kept.trim() == tag);
        let answer = Answer { brotli, tag: Some(tag), ..Answer::new(kind(name)) };
        Some(if known { Answer { status: 304, ..answer } } else { Answer { content, ..answer } })
    }
}

fn from_folder(folder: &Folder, name: &str) -> Option<Answer> {
    if let Some(model) = name.strip_prefix("folder/model/") {
        return folder.model(model).map(|model| Answer::json(&model));
    }
    if let Some(model) = name.strip_prefix("folder/picture/") {
        let answer = |png: Vec<u8>| Answer {
            // not an error: a model with faults has no picture
            status: if png.is_empty() { 204 } else { 200 },
            content: png.into(),
            ..Answer::new("image/png")
        };
        return folder.picture(model).map(answer);
    }
    let content = folder.read(name.strip_prefix("folder/file/")?)?;
    Some(Answer { content: content.into(), ..Answer::new("application/octet-stream") })
}

impl Answer {
    /// An empty answer of a type.
    fn new(content_type: &'static str) -> Self {
        Self { status: 200, content_type, brotli: false, tag: None, content: Cow::Borrowed(&[]) }
    }

    fn json(value: &serde_json::Value) -> Self {
        Self { content: value.to_string().into_bytes().into(), ..Self::new("application/json") }
    }

    /// A refusal with its reason.
    pub(crate) fn problem(status: u16, text: &'static str) -> Self {
        Self { status, content: text.as_bytes().into(), ..Self::new("text/plain; charset=utf-8") }
    }

    /// Sends the answer, and the content if it is wanted.
    pub(crate) fn write(&self, mut to: impl Write, with_content: bool) -> io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            204 => "No Content",
            304 => "Not Modified",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            431 => "Request Header Fields Too Large",
            _ => "Bad Request",
        };
        write!(
            to,
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nCache-Control: no-cache\r\n\
             Vary: Accept-Encoding\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n",
            self.status, self.content_type,
        )?;
        if self.brotli {
            to.write_all(b"Content-Encoding: br\r\n")?;
        }
        if let Some(tag) = &self.tag {
            write!(to, "ETag: {tag}\r\n")?;
        }
        // without content there is no length
        if !matches!(self.status, 204 | 304) {
            write!(to, "Content-Length: {}\r\n", self.content.len())?;
        }
        to.write_all(b"\r\n")?;
        if with_content {
            to.write_all(&self.content)?;
        }
        to.flush()
    }
}

/// An entity tag of HTTP: a hash in quotation marks.
fn entity_tag(content: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

/// The type of a file of the page, by its ending.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript",
        "css" => "text/css",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "xml" => "text/xml",
        _ => "application/octet-stream",
    }
}
