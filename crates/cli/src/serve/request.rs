//! HTTP requests, as far as a page needs them: `GET` and `HEAD` of a path.

use std::io::{BufRead, Read};

/// Most bytes of a request.
const LONGEST: u64 = 16 << 10;

/// A request that was understood.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// The path without its leading slash and what follows a question mark, decoded.
    pub(crate) path: String,
    /// Whether the content is not wanted.
    pub(crate) head_only: bool,
    /// Whether the content may be compressed with Brotli.
    pub(crate) brotli: bool,
    /// Tags of the versions that the browser has kept (`If-None-Match`).
    pub(crate) kept: String,
    host: String,
}

/// Why a request was not understood.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// Nothing came.
    Closed,
    /// It is no HTTP.
    Malformed,
    /// It is longer than any browser's.
    TooLong,
    /// It wants to change something.
    Method,
}

impl Problem {
    /// The status code of HTTP.
    pub(crate) fn status(&self) -> u16 {
        match self {
            Problem::Closed | Problem::Malformed => 400,
            Problem::TooLong => 431,
            Problem::Method => 405,
        }
    }

    pub(crate) fn text(&self) -> &'static str {
        match self {
            Problem::Closed | Problem::Malformed => "the request was not understood",
            Problem::TooLong => "the request is too long",
            Problem::Method => "only GET and HEAD are answered",
        }
    }
}

impl Request {
    /// Reads a request up to the empty line that ends it.
    pub(crate) fn read(input: &mut impl BufRead) -> Result<Self, Problem> {
        let mut input = input.take(LONGEST);
        let first = line(&mut input)?;
        let mut words = first.split(' ');
        let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if !words.next().is_some_and(|version| version.starts_with("HTTP/1.")) {
            return Err(if first.is_empty() { Problem::Closed } else { Problem::Malformed });
        }
        let (mut host, mut kept, mut brotli) = (String::new(), String::new(), false);
        loop {
            let header = line(&mut input)?;
            if header.is_empty() {
                break;
            }
            let (name, value) = header.split_once(':').ok_or(Problem::Malformed)?;
            if name.eq_ignore_ascii_case("host") {
                value.trim().clone_into(&mut host);
            } else if name.eq_ignore_ascii_case("accept-encoding") {
                brotli = value.split(',').any(accepts_brotli);
            } else if name.eq_ignore_ascii_case("if-none-match") {
                value.trim().clone_into(&mut kept);
            }
        }
        if input.limit() == 0 {
            return Err(Problem::TooLong);
        }
        let head_only = match method {
            "GET" => false,
            "HEAD" => true,
            _ => return Err(Problem::Method),
        };
        let path = target.strip_prefix('/').ok_or(Problem::Malformed)?;
        let path = path.split(['?', '#']).next().unwrap_or_default();
        Ok(Self { path: decode(path).ok_or(Problem::Malformed)?, head_only, brotli, kept, host })
    }

    /// Whether the browser was told to ask this machine. A page of another site that has its name point here
    /// must not read files.
    pub(crate) fn is_for_this_machine(&self) -> bool {
        let name = self.host.rsplit_once(':').map_or(self.host.as_str(), |(name, _)| name);
        matches!(name, "127.0.0.1" | "localhost")
    }
}

/// Whether an item of `Accept-Encoding` is Brotli with a weight above zero.
fn accepts_brotli(item: &str) -> bool {
    let (name, weight) = item.split_once(';').unwrap_or((item, "q=1"));
    let weight = weight.trim().strip_prefix("q=").and_then(|number| number.parse::<f32>().ok());
    name.trim().eq_ignore_ascii_case("br") && weight.is_some_and(|weight| weight > 0.0)
}

/// A line without its end.
fn line(input: &mut impl BufRead) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    input.read_until(b'\n', &mut bytes).map_err(|_| Problem::Closed)?;
    if bytes.pop_if(|last| *last == b'\n').is_none() && !bytes.is_empty() {
        return Err(Problem::TooLong);
    }
    bytes.pop_if(|last| *last == b'\r');
    String::from_utf8(bytes).map_err(|_| Problem::Malformed)
}

/// Text with `%` and two hexadecimal digits in place of other bytes.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| byte.and_then(|b| char::from(b).to_digit(16));
        let (high, low) = (digit(rest.next())?, digit(rest.next())?);
        bytes.push((16 * high + low) as u8);
    }
    String::from_utf8(bytes).ok().filter(|path| !path.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Request, Problem> {
        Request::read(&mut text.as_bytes())
    }

    #[test]
    fn a_request_of_a_browser_is_understood() {
        let request =
            read("GET /models/a%20b.xml?x=1 HTTP/1.1\r\nHost: localhost:80\r\nAccept: */*\r\n\r\n").unwrap();
        assert_eq!((request.path.as_str(), request.head_only), ("models/a b.xml", false));
        assert!(request.is_for_this_machine());
        let other = read("HEAD / HTTP/1.1\r\nHost: evil.example\r\n\r\n").unwrap();
        assert!(other.head_only && !other.is_for_this_machine());
    }

    #[test]
    fn compression_is_used_where_it_is_accepted() {
        let brotli = |header: &str| read(&format!("GET / HTTP/1.1\r\n{header}\r\n\r\n")).unwrap().brotli;
        assert!(brotli("Accept-Encoding: gzip, deflate, br, zstd"));
        assert!(brotli("accept-encoding: gzip;q=0.8, BR;q=0.9"));
        for header in ["Accept-Encoding: gzip, deflate", "Accept-Encoding: br;q=0", "Accept: br"] {
            assert!(!brotli(header), "{header}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        assert_eq!(read(""), Err(Problem::Closed));
        assert_eq!(read("garbage\r\n\r\n"), Err(Problem::Malformed));
        assert_eq!(read("POST / HTTP/1.1\r\n\r\n"), Err(Problem::Method));
        assert_eq!(read("GET /%zz HTTP/1.1\r\n\r\n"), Err(Problem::Malformed));
        assert_eq!(read("GET /%00 HTTP/1.1\r\n\r\n"), Err(Problem::Malformed));
        let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000));
        assert_eq!(read(&long), Err(Problem::TooLong));
    }
}
