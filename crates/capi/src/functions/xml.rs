//! Models and descriptions from files and text, compiled, and saved.

use crate::export;
use crate::ffi::cpp::{CxxString, CxxVec};
use crate::ffi::errors::keep_warnings;
use crate::ffi::errors::warn_text;
use crate::ffi::fault::{Fault, Served};
use crate::ffi::handle::{DataPtr, ModelPtr};
use crate::ffi::pointer::{Out, Text, count, write_message};
use crate::ffi::spec::{SpecHandle, SpecPtr};
use crate::ffi::words::Place;
use crate::functions::life::give;
use crate::functions::plugins::registry;
use crate::functions::vfs::{VfsPtr, files};
use kinetree_model::Model;
use kinetree_spec::diagnostics::Diagnostic;
use kinetree_spec::diagnostics::Severity;
use kinetree_spec::{Diagnostics, Spec, StateLayout, Vfs};
use std::ffi::{c_char, c_int};
use std::sync::{Mutex, PoisonError};

/// The description that was read last, as a copy that no program changes.
static LAST: Mutex<Option<Spec>> = Mutex::new(None);

fn set_last(spec: Option<Spec>) {
    let old = std::mem::replace(&mut *LAST.lock().unwrap_or_else(PoisonError::into_inner), spec);
    drop(old);
}

/// Findings that did not stop the reader or the compiler, one after the other.
fn warnings(spec: &Spec) -> String {
    let texts = spec.warnings.iter().filter(|found| found.severity == Severity::Warning);
    texts.map(|found| found.message.clone()).collect::<Vec<_>>().join("\n")
}

/// What is wrong, in the form that programs know: the cause, then the element.
fn error_text(found: &Diagnostics) -> String {
    let mut text = String::new();
    for diagnostic in &found.list {
        match diagnostic.subject.as_deref().filter(|_| diagnostic.line == 0) {
            Some(subject) => {
                text += &format!("Error: {}\nElement name '{}'", subject.problem, subject.name);
                if !subject.info.is_empty() {
                    text += &format!(", {}", subject.info);
                }
            }
            None => {
                text += &diagnostic.message;
                text += &place_text(diagnostic);
            }
        }
        text.push('\n');
    }
    if !text.is_empty() {
        text.pop();
    }
    text
}

/// Where a finding is: the name of the element if it is known, else its tag, and its line.
fn place_text(found: &Diagnostic) -> String {
    if found.line == 0 {
        return String::new();
    }
    let name = found.subject.as_deref().map(|subject| subject.name.as_str()).filter(|name| !name.is_empty());
    let element = match (name, tag(found)) {
        (Some(name), _) => format!("Element name '{name}',"),
        (None, Some(tag)) => format!("Element '{tag}',"),
        (None, None) => "Element in".to_owned(),
    };
    format!("\n{element} line {}, column {}", found.line, found.column)
}

/// The tag that the place of a finding is in, if the line shows it.
fn tag(found: &Diagnostic) -> Option<&str> {
    let end = found
        .snippet
        .char_indices()
        .nth(found.snippet_column as usize)
        .map_or(found.snippet.len(), |(at, _)| at);
    let tag = &found.snippet[found.snippet[..end].rfind('<')? + 1..];
    tag.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|tag| !tag.is_empty())
}

/// Says that numbers of a file are not numbers, which programs know by this word.
fn warn_of_not_numbers(spec: &Spec) {
    if !spec.not_numbers.is_empty() {
        warn_text("XML contains a 'NaN'; check the numbers that were read");
    }
}

/// Hands a description over, or says why there is none.
fn give_spec(parsed: Result<Spec, Diagnostics>, error: Out<'_, c_char>, error_sz: i32) -> SpecPtr<'static> {
    match parsed {
        Ok(mut spec) => {
            spec.registry = registry();
            write_message(error, error_sz, &warnings(&spec));
            warn_of_not_numbers(&spec);
            SpecHandle::make(spec)
        }
        Err(found) => {
            write_message(error, error_sz, &error_text(&found));
            crate::ffi::fault::Failed::failed()
        }
    }
}

/// Compiles a description as it is, and remembers what the model's state belongs to.
fn compile(handle: &mut SpecHandle, vfs: &Vfs) -> Served<Option<Model>> {
    handle.tell("", false);
    handle.take_all()?;
    handle.spec.registry = registry();
    let (compiled, told) = keep_warnings(|| handle.finished().compile_with(Some(vfs)));
    match compiled {
        Ok(model) => {
            handle.layout = Some(StateLayout::of(&handle.spec));
            handle.set_compiled(model.signature());
            crate::functions::spec::show_wraps(handle);
            let text = [warnings(&handle.spec), told].concat();
            handle.tell(&text, !text.is_empty());
            Ok(Some(model))
        }
        Err(found) => {
            handle.tell(&with_warnings(error_text(&found), &told), false);
            Ok(None)
        }
    }
}

/// Puts a compiled model into the place of another one, or into memory for one.
fn put(m: ModelPtr<'_>, mut model: Model) -> Served {
    kinetree_sim::install_pipeline(&mut model);
    model.callbacks = crate::ffi::callbacks::hooks(&model);
    if m.is_empty_struct() {
        m.fill(model);
        return Ok(());
    }
    m.replace(model)
}

/// Compiles a description again into the model and the data that a program has; false where it says why not.
fn recompile(s: SpecPtr<'_>, vfs: VfsPtr<'_>, m: ModelPtr<'_>, d: DataPtr<'_>) -> Served<bool> {
    let (handle, files) = (s.get()?, files(vfs)?);
    handle.take_all()?;
    handle.spec.registry = registry();
    let Some(layout) = handle.layout.clone() else {
        handle.tell("this description was not compiled before", false);
        return Ok(false);
    };
    if d.is_null() {
        let Some(model) = compile(handle, &files)? else { return Ok(false) };
        put(m, model)?;
        handle.compiled = m.owned();
        return Ok(true);
    }
    let empty = m.is_empty_struct();
    let known = if empty { handle.compiled.and_then(ModelPtr::still) } else { Some(m.get()?) };
    let Some(old) = known else {
        handle.tell("the model that this description was compiled to is not there any more", false);
        return Ok(false);
    };
    let compiled = handle.finished().recompile(&layout, old, d.read()?, Some(&files));
    match compiled {
        Ok((model, data)) => {
            handle.layout = Some(StateLayout::of(&handle.spec));
            handle.set_compiled(model.signature());
            put(m, model)?;
            handle.compiled = m.owned();
            d.replace(m.get()?, data)?;
            Ok(true)
        }
        Err(kinetree_spec::RecompileError::Compile(found)) => {
            handle.tell(&error_text(&found), false);
            Ok(false)
        }
        Err(other) => {
            handle.tell(&other.to_string(), false);
            Ok(false)
        }
    }
}

/// An error with the warnings that were given on the way to it.
fn with_warnings(error: String, warnings: &str) -> String {
    if warnings.is_empty() { error } else { format!("{error}\n{warnings}") }
}

/// The text of a description.
fn xml_of(spec: &Spec) -> Served<String> {
    Ok(spec.to_xml_rounded(None, crate::functions::texts::xml_precision())?)
}

/// Writes a file, or says why it cannot be.
fn save(name: &str, text: Served<String>, error: Out<'_, c_char>, error_sz: i32) -> i32 {
    let written = text.and_then(|text| {
        std::fs::write(name, text).map_err(|cause| Fault(format!("could not write '{name}': {cause}")))
    });
    match written {
        Ok(()) => {
            write_message(error, error_sz, "");
            1
        }
        Err(Fault(text)) => {
            write_message(error, error_sz, &text);
            0
        }
    }
}

export! {
    fn mj_loadXML(filename: Text<'_>, vfs: VfsPtr<'_>, error: Out<'_, c_char>, error_sz: c_int) -> ModelPtr<'static> {
        if filename.is_null() {
            write_message(error, error_sz, "mj_loadXML: filename argument required");
            return Ok(ModelPtr::none());
        }
        let (name, files) = (filename.get()?, files(vfs)?);
        let (model, told) = keep_warnings(|| {
            let mut spec = Spec::from_xml_file_in(&*name, Some(&files))?;
            spec.registry = registry();
            let model = spec.compile_with(Some(&files))?;
            Ok((spec, model))
        });
        match model {
            Ok((spec, model)) => {
                write_message(error, error_sz, &[warnings(&spec), told].concat());
                warn_of_not_numbers(&spec);
                set_last(Some(spec));
                Ok(give(model))
            }
            Err(found) => {
                write_message(error, error_sz, &with_warnings(error_text(&found), &told));
                Ok(ModelPtr::none())
            }
        }
    }
    fn mj_parseXML(filename: Text<'_>, vfs: VfsPtr<'_>, error: Out<'_, c_char>, error_sz: c_int) -> SpecPtr<'static> {
        if filename.is_null() {
            write_message(error, error_sz, "mj_parseXML: filename argument required");
            return Ok(crate::ffi::fault::Failed::failed());
        }
        let (name, files) = (filename.get()?, files(vfs)?);
        Ok(give_spec(Spec::from_xml_file_in(&*name, Some(&files)), error, error_sz))
    }
    fn mj_parseXMLString(xml: Text<'_>, vfs: VfsPtr<'_>, error: Out<'_, c_char>, error_sz: c_int) -> SpecPtr<'static> {
        let (xml, files) = (xml.get()?, files(vfs)?);
        Ok(give_spec(Spec::from_xml_string(&xml, Some(&files)), error, error_sz))
    }
    fn mj_parse(
        filename: Text<'_>, content_type: Text<'_>, vfs: VfsPtr<'_>, error: Out<'_, c_char>, error_sz: c_int,
    ) -> SpecPtr<'static> {
        let (name, files) = (filename.get()?, files(vfs)?);
        Ok(give_spec(Spec::from_file_of_type(&*name, &content_type.or_empty(), Some(&files)), error, error_sz))
    }
    fn mj_compile(s: SpecPtr<'_>, vfs: VfsPtr<'_>) -> ModelPtr<'static> {
        let (handle, files) = (s.get()?, files(vfs)?);
        match compile(handle, &files) {
            Ok(model) => {
                let model = model.map_or(ModelPtr::none(), give);
                handle.compiled = model.owned();
                Ok(model)
            }
            Err(Fault(text)) => {
                handle.tell(&text, false);
                Ok(ModelPtr::none())
            }
        }
    }
    fn mj_recompile(s: SpecPtr<'_>, vfs: VfsPtr<'_>, m: ModelPtr<'_>, d: DataPtr<'_>) -> i32 {
        let done = recompile(s, vfs, m, d)?;
        if !done {
            // the headers' promise: a program has nothing left to delete
            d.delete()?;
            m.discard()?;
        }
        Ok(if done { 0 } else { -1 })
    }
    fn mj_copyBack(s: SpecPtr<'_>, m: ModelPtr<'_>) -> i32 {
        let handle = s.get()?;
        handle.take_all()?;
        match crate::functions::copy_back::copy_back(&mut handle.spec, m.get()?) {
            Ok(()) => {
                handle.show_all();
                Ok(1)
            }
            Err(Fault(text)) => {
                handle.tell(&text, false);
                Ok(0)
            }
        }
    }
    fn mj_saveLastXML(filename: Text<'_>, m: ModelPtr<'_>, error: Out<'_, c_char>, error_sz: c_int) -> i32 {
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(mut spec) = last else {
            write_message(error, error_sz, "No XML model loaded");
            return Ok(0);
        };
        let text = if m.is_null() {
            xml_of(&spec)
        } else {
            crate::functions::copy_back::copy_back(&mut spec, m.get()?).and_then(|()| xml_of(&spec))
        };
        if filename.is_null() || filename.or_empty().is_empty() {
            return Ok(match text {
                Ok(text) => {
                    println!("{text}");
                    1
                }
                Err(Fault(text)) => {
                    write_message(error, error_sz, &text);
                    0
                }
            });
        }
        Ok(save(&filename.or_empty(), text, error, error_sz))
    }
    fn mj_freeLastXML() {
        set_last(None);
        Ok(())
    }
    fn _Z16SetGlobalXmlSpecP7mjSpec_(spec: SpecPtr<'_>) {
        if spec.is_null() {
            set_last(None);
            return Ok(());
        }
        let handle = spec.get()?;
        handle.take_all()?;
        set_last(Some(handle.finished().into_owned()));
        spec.delete()
    }
    fn mj_saveXMLString(s: SpecPtr<'_>, xml: Out<'_, c_char>, xml_sz: c_int, error: Out<'_, c_char>, error_sz: c_int) -> i32 {
        if s.is_null() {
            write_message(error, error_sz, "Cannot write empty model");
            return Ok(-1);
        }
        let handle = s.get()?;
        let text = handle.take_all().and_then(|()| xml_of(&handle.finished()));
        match text {
            Ok(text) if text.len() < count(xml_sz) => {
                write_message(xml, xml_sz, &text);
                write_message(error, error_sz, "");
                Ok(0)
            }
            Ok(text) => {
                write_message(error, error_sz, "Output string too short, should be at least the returned size");
                Ok(text.len() as i32 + 1)
            }
            Err(Fault(text)) => {
                write_message(error, error_sz, &text);
                Ok(-1)
            }
        }
    }
    fn mj_saveXML(s: SpecPtr<'_>, filename: Text<'_>, error: Out<'_, c_char>, error_sz: c_int) -> i32 {
        let handle = s.get()?;
        let text = handle.take_all().and_then(|()| xml_of(&handle.finished()));
        Ok(save(&filename.get()?, text, error, error_sz) - 1)
    }
    fn mj_makeSpec() -> SpecPtr<'static> {
        let mut spec = Spec::new();
        spec.registry = registry();
        Ok(SpecHandle::make(spec))
    }
    fn mj_copySpec(s: SpecPtr<'_>) -> SpecPtr<'static> {
        let handle = s.get()?;
        handle.take_all()?;
        let copy = SpecHandle::make(handle.spec.clone());
        copy.get()?.layout.clone_from(&handle.layout);
        Ok(copy)
    }
    fn mj_deleteSpec(s: SpecPtr<'_>) { s.delete() }
    fn mjs_getError(s: SpecPtr<'_>) -> *const c_char { Ok(s.get()?.message.as_ptr()) }
    fn mjs_isWarning(s: SpecPtr<'_>) -> i32 { Ok(i32::from(s.get()?.is_warning)) }
    fn mju_getXMLDependencies(filename: Text<'_>, dependencies: Place<'_, CxxVec<CxxString>>) {
        let files = kinetree_spec::dependencies(&*filename.get()?, None)?;
        dependencies.get()?.set(files.iter().map(|file| CxxString::new(file)));
        Ok(())
    }
}
