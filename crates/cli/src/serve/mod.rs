//! `kinetree serve`: the viewer as a page, from this program to a browser on the same machine.

mod folder;
mod page;
mod request;
mod site;
#[cfg(feature = "render")]
mod thumbnail;

use crate::failure::Failure;
use crate::interrupt;
use crate::output::{BOLD, Output};
use folder::Folder;
use page::Page;
use request::{Problem, Request};
use serde_json::json;
use site::{Answer, Site};
use std::io::{self, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How long a browser may take to send a request or to take an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Most connections at a time; more are closed at once.
const CONNECTIONS: usize = 64;
/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(50);
/// Pause after a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(1);

/// Look at models in a browser: the viewer as a page, with the models of a folder.
///
/// Only programs on this machine can connect (127.0.0.1). The page needs no network.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree serve\n  kinetree serve my_robots\n  kinetree serve my_robots --port 8000"
)]
pub(crate) struct Args {
    /// Folder whose models the page offers.
    folder: Option<PathBuf>,
    /// Port; 0 takes any that is free.
    #[arg(long, default_value_t = 8765)]
    port: u16,
    /// Folder with the page that `tools/web/build.sh page` has built, for a program without one inside.
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    let folder = args.folder.as_deref().map(Folder::open).transpose()?;
    let site = Site::new(Page::find(args.page.as_deref())?, folder);
    let listener = listen(args.port)?;
    let port = listener.local_addr()?.port();
    let address = format!("http://127.0.0.1:{port}/");
    if out.json {
        out.value(&json!({ "address": address }))?;
    } else {
        writeln!(out, "{BOLD}{address}{BOLD:#}  (Ctrl-C ends)")?;
    }
    out.flush()?;
    interrupt::watch();
    serve(listener, site);
    Ok(())
}

fn listen(port: u16) -> Result<TcpListener, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        let help = "another program may use the port: --port 0 takes any that is free";
        Failure::WithHelp(format!("cannot listen on 127.0.0.1:{port}: {error}"), help.into())
    })?;
    Ok(listener)
}

/// Answers until Ctrl-C.
fn serve(listener: TcpListener, site: Site) {
    // on a thread of its own, which waits for connections and ends with the program
    std::thread::spawn(move || accept(&listener, &Arc::new(site)));
    while !interrupt::pressed() {
        std::thread::sleep(LOOK);
    }
}

/// Answers each connection on a thread of its own.
fn accept(listener: &TcpListener, site: &Arc<Site>) {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // a browser that has gone again, or too many open files
            std::thread::sleep(PAUSE);
            continue;
        };
        if open.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
            open.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let (site, open) = (site.clone(), open.clone());
        std::thread::spawn(move || {
            // who closes early has got what it wanted
            let _ = answer(&stream, &site);
            open.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// Reads one request and answers it.
fn answer(stream: &TcpStream, site: &Site) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let (answer, with_body) = match Request::read(&mut BufReader::new(stream)) {
        Ok(request) if !request.is_for_this_machine() => {
            (Answer::problem(403, "only for this machine"), true)
        }
        Ok(request) => (site.answer(&request), !request.head_only),
        Err(Problem::Closed) => return Ok(()),
        Err(problem) => (Answer::problem(problem.status(), problem.text()), true),
    };
    answer.write(stream, with_body)
}
