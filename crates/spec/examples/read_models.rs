//! Reads the model files named on the command line (or, with `-`, on standard input) and prints what is wrong with them.

use std::io::BufRead;

use kinetree_spec::Spec;

fn main() {
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    if paths == ["-"] {
        paths = std::io::stdin().lock().lines().map_while(Result::ok).collect();
    }
    for path in paths {
        match Spec::from_xml_file(&path) {
            Ok(spec) => {
                let parts: Vec<_> = spec.unsupported.iter().map(|part| part.what.as_str()).collect();
                println!("ok {path} bodies={} {}", spec.bodies.len(), parts.join(","));
            }
            Err(findings) => println!("refused {path}\n{findings}"),
        }
    }
}
