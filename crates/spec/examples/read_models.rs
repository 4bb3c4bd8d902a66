//! Reads and compiles the model files named on the command line (or, with `-`, on standard input) and prints
//! what is wrong with them.

use std::io::BufRead;

use kinetree_spec::Spec;

fn main() {
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    if paths == ["-"] {
        paths = std::io::stdin().lock().lines().map_while(Result::ok).collect();
    }
    for path in paths {
        let result = Spec::from_xml_file(&path).and_then(|spec| spec.compile());
        match result {
            Ok(model) => println!("ok {path} nbody={} nkey={}", model.nbody, model.nkey),
            Err(findings) => println!("refused {path}\n{findings}"),
        }
    }
}
