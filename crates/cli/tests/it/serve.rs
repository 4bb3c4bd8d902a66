//! `kinetree serve`: a page in a folder, models of a folder, and requests that no browser sends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// The command while it serves.
struct Server {
    process: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Folders with a page and with models, and a file outside both.
fn folders(name: &str) -> (PathBuf, PathBuf) {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let (page, models) = (root.join("page"), root.join("models"));
    let parts = models.join("parts");
    std::fs::create_dir_all(&page).unwrap();
    std::fs::create_dir_all(&parts).unwrap();
    std::fs::write(root.join("secret.txt"), "secret").unwrap();
    std::fs::write(page.join("index.html"), "<title>page</title>").unwrap();
    std::fs::write(page.join("kinetree.wasm"), [0, 97, 115, 109]).unwrap();
    std::fs::write(page.join("kinetree.wasm.br"), "compressed").unwrap();
    std::fs::write(models.join("scene.xml"), "<mujoco><include file='parts/ball.xml'/></mujoco>").unwrap();
    std::fs::write(parts.join("ball.xml"), "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
        .unwrap();
    std::fs::write(models.join("broken.xml"), "<mujoco><worldbody>").unwrap();
    (page, models)
}

fn serve(name: &str) -> Server {
    let (page, models) = folders(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinetree"));
    command.args(["serve", "--port", "0", "--page"]).arg(page).arg(models).stdout(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let port = line.split("127.0.0.1:").nth(1).and_then(|rest| rest.split('/').next()).unwrap();
    let port = port.parse().unwrap();
    Server { process, port }
}

impl Server {
    fn send(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str) -> String {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port))
    }
}

#[test]
fn the_page_and_the_models_of_a_folder_are_served() {
    let server = serve("serve");
    let page = server.get("/");
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.ends_with("<title>page</title>"), "{page}");
    assert!(server.get("/kinetree.wasm").contains("Content-Type: application/wasm"));
    let list = server.get("/folder.json");
    assert!(
        list.contains("scene.xml") && list.contains("parts/ball.xml") && list.contains("broken.xml"),
        "{list}"
    );
    let scene = server.get("/folder/model/scene.xml");
    assert!(scene.contains(r#""files":["parts/ball.xml","scene.xml"]"#), "{scene}");
    // a model with faults goes to the page, which explains them
    assert!(server.get("/folder/model/broken.xml").contains("broken.xml"));
    assert!(server.get("/folder/file/parts/ball.xml").ends_with("</mujoco>"));
}

/// The answer to a request for a picture.
fn picture(server: &Server, name: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    write!(stream, "GET /folder/picture/{name} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

#[test]
fn models_of_a_folder_have_pictures() {
    let server = serve("serve-pictures");
    // what is not there, or lies outside, is not found; a model with faults has no picture
    for name in ["none.xml", "../secret.txt"] {
        assert!(picture(&server, name).starts_with(b"HTTP/1.1 404"), "{name}");
    }
    assert!(picture(&server, "broken.xml").starts_with(b"HTTP/1.1 204"));
    let first = picture(&server, "scene.xml");
    if first.starts_with(b"HTTP/1.1 204") {
        let _ = writeln!(std::io::stderr(), "skipped: nothing can be drawn here");
        return;
    }
    let at = first.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
    assert!(String::from_utf8_lossy(&first[..at]).contains("Content-Type: image/png"));
    let info = png::Decoder::new(std::io::Cursor::new(&first[at..])).read_info().unwrap().info().size();
    assert_eq!(info, (480, 320));
    assert_eq!(picture(&server, "scene.xml"), first);
    // drawn again when one of its files has changed
    let parts = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("serve-pictures/models/parts/ball.xml");
    std::thread::sleep(std::time::Duration::from_millis(20));
    std::fs::write(parts, "<mujoco><worldbody><geom size='1' rgba='1 0 0 1'/></worldbody></mujoco>").unwrap();
    assert_ne!(picture(&server, "scene.xml"), first);
}

#[test]
fn compressed_files_go_to_browsers_that_take_them() {
    let server = serve("serve-compressed");
    let ask = |path: &str, encodings: &str| {
        server
            .send(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: {encodings}\r\n\r\n"))
    };
    let module = ask("/kinetree.wasm", "gzip, br");
    assert!(module.contains("Content-Encoding: br") && module.ends_with("compressed"), "{module}");
    assert!(module.contains("Content-Type: application/wasm"), "{module}");
    // to others, and where nothing is compressed, as it is
    for (path, encodings) in [("/kinetree.wasm", "gzip"), ("/", "br")] {
        assert!(!ask(path, encodings).contains("Content-Encoding"), "{path}");
    }
}

#[test]
fn what_a_browser_has_kept_is_not_sent_again() {
    let server = serve("serve-kept");
    let ask = |tag: &str| {
        server
            .send(&format!("GET /kinetree.wasm HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: {tag}\r\n\r\n"))
    };
    let first = ask("\"other\"");
    let tag = first.split("ETag: ").nth(1).and_then(|rest| rest.split("\r\n").next()).unwrap();
    assert!(first.starts_with("HTTP/1.1 200 OK"), "{first}");
    let again = ask(&format!("\"other\", {tag}"));
    assert!(again.starts_with("HTTP/1.1 304 Not Modified") && again.ends_with("\r\n\r\n"), "{again}");
}

#[test]
fn nothing_else_is_served() {
    let server = serve("serve-refused");
    for path in [
        "/../secret.txt",
        "/folder/file/../../secret.txt",
        "/folder/file/%2e%2e/%2e%2e/secret.txt",
        "/folder/file//etc/passwd",
        "/nothing",
    ] {
        let answer = server.get(path);
        assert!(answer.starts_with("HTTP/1.1 404") && !answer.ends_with("secret"), "{path}: {answer}");
    }
    // a name of another site that points to this machine
    assert!(server.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").starts_with("HTTP/1.1 403"));
    assert!(server.send("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n").starts_with("HTTP/1.1 405"));
    assert!(server.send("\u{1}\u{2}\r\n\r\n").starts_with("HTTP/1.1 400"));
    assert!(server.get("/").starts_with("HTTP/1.1 200"), "it lives on");
}

#[test]
fn without_a_page_the_error_says_how_to_get_one() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_kinetree")).args(["serve", "--page", "no/such"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("tools/web/build.sh page"), "{said}");
}
