//! `kinetree-web-tool MODULE FOLDER NAME`: writes the JavaScript glue of a compiled module, its types, and
//! the module without what only the glue needed. With the variable `NAMES` functions keep their names.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = &arguments[..] else {
        eprintln!("kinetree-web-tool: three arguments are needed: MODULE FOLDER NAME");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).typescript(true).omit_default_module_path(true);
    // names of functions are a fifth of a module; `NAMES` keeps them
    bindgen.remove_name_section(std::env::var_os("NAMES").is_none()).remove_producers_section(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("kinetree-web-tool: {problem:#}");
            ExitCode::FAILURE
        }
    }
}
