//! Whether an X11 display answers.

use std::net::TcpStream;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};

/// Ports of displays begin here.
const FIRST_PORT: u16 = 6000;

/// Host and number of a display such as `:0`, `unix:0.0` or `host:10`; no host for this machine.
fn parse(display: &str) -> Option<(Option<&str>, u16)> {
    let (host, rest) = display.rsplit_once(':')?;
    let number = rest.split('.').next()?.parse().ok()?;
    let host = host.rsplit('/').next().filter(|host| !host.is_empty() && *host != "unix");
    Some((host, number))
}

/// An error when nobody listens where a display should be. What cannot be understood is left to the library.
pub(crate) fn ask_x11(display: &str) -> Result<(), String> {
    let Some((host, number)) = parse(display) else { return Ok(()) };
    let answered = match host {
        Some(host) => {
            let port =
                FIRST_PORT.checked_add(number).ok_or_else(|| format!("there is no display {number}"))?;
            TcpStream::connect((host, port)).map(drop)
        }
        None => {
            let path = format!("/tmp/.X11-unix/X{number}");
            let hidden = || UnixStream::connect_addr(&SocketAddr::from_abstract_name(&path)?);
            UnixStream::connect(&path).or_else(|_| hidden()).map(drop)
        }
    };
    answered.map_err(|error| format!("the display '{display}' does not answer: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_are_understood() {
        assert_eq!(parse(":0"), Some((None, 0)));
        assert_eq!(parse("unix:12.1"), Some((None, 12)));
        assert_eq!(parse("tcp/far.example:3.0"), Some((Some("far.example"), 3)));
        assert_eq!(parse("none"), None);
    }

    #[test]
    fn a_display_that_is_not_there_does_not_answer() {
        let text = ask_x11(":64999").unwrap_err();
        assert!(text.starts_with("the display ':64999' does not answer"), "{text}");
    }
}
