//! WGSL of the user: which functions it has, and what is wrong with it, by the user's own lines.

use crate::error::GpuError;
use wgpu::naga::front::wgsl::parse_str;
use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};
use wgpu::naga::{Function, Module, Scalar, Span, TypeInner};

/// A function that a user may define.
struct Signature {
    name: &'static str,
    result: Option<Scalar>,
    text: &'static str,
}

/// All of them.
const SIGNATURES: [Signature; 4] = [
    Signature { name: "observe", result: None, text: "fn observe(world: u32)" },
    Signature { name: "reward", result: Some(Scalar::F32), text: "fn reward(world: u32) -> f32" },
    Signature { name: "terminated", result: Some(Scalar::BOOL), text: "fn terminated(world: u32) -> bool" },
    Signature { name: "reset", result: None, text: "fn reset(world: u32)" },
];

/// Which functions a text defines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Defined {
    pub(crate) observe: bool,
    pub(crate) reward: bool,
    pub(crate) terminated: bool,
    pub(crate) reset: bool,
}

/// Compiles a text after what it may use, and tells which functions it defines.
pub(crate) fn compile_user_text(prelude: &str, text: &str) -> Result<Defined, GpuError> {
    let source = format!("{prelude}{text}");
    let own = |span: Span| own_line(span, &source, prelude);
    let module = parse_str(&source).map_err(|error| {
        let labels: Vec<_> = error.labels().map(|(span, label)| (own(span), label.to_owned())).collect();
        // what is defined twice has two labels, of which one may be in our text
        let own_label = labels.iter().find(|(line, _)| line.is_some());
        let (line, label) = own_label.cloned().unwrap_or_default();
        // labels often repeat the message
        let label = if error.message().contains(&label) { String::new() } else { format!(" ({label})") };
        GpuError::Kernel { line, reason: format!("{}{label}", error.message()) }
    })?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(&module).map_err(|error| {
        let line = error.spans().find_map(|(span, _)| own(*span));
        GpuError::Kernel { line, reason: chain(error.as_inner()) }
    })?;
    let defined = |k: usize| {
        let signature = &SIGNATURES[k];
        let found = module.functions.iter().find(|(_, f)| f.name.as_deref() == Some(signature.name));
        let Some((handle, function)) = found else { return Ok(false) };
        if fits(&module, function, signature) {
            return Ok(true);
        }
        let reason = format!("'{}' must be declared as: {}", signature.name, signature.text);
        Err(GpuError::Kernel { line: own(module.functions.get_span(handle)), reason })
    };
    let [observe, reward, terminated, reset] = [defined(0)?, defined(1)?, defined(2)?, defined(3)?];
    if !(observe || reward || terminated || reset) {
        let wanted = SIGNATURES.map(|signature| signature.text).join(", ");
        return Err(GpuError::Kernel { line: None, reason: format!("it has none of {wanted}") });
    }
    Ok(Defined { observe, reward, terminated, reset })
}

/// Line of the user's text, counted from 1; none where it is in what comes before.
fn own_line(span: Span, source: &str, prelude: &str) -> Option<u32> {
    let begin = span.to_range()?.start;
    let own = source.get(prelude.len()..begin.min(source.len()))?;
    (begin >= prelude.len()).then(|| own.matches('\n').count() as u32 + 1)
}

/// An error and its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Whether a function takes a world and returns what it should.
fn fits(module: &Module, function: &Function, signature: &Signature) -> bool {
    let scalar = |handle| match module.types[handle].inner {
        TypeInner::Scalar(scalar) => Some(scalar),
        _ => None,
    };
    let [world] = &function.arguments[..] else { return false };
    let result = function.result.as_ref().map(|result| scalar(result.ty));
    scalar(world.ty) == Some(Scalar::U32) && result == signature.result.map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRELUDE: &str = "const NQ = 3u;\nfn qpos(world: u32, i: u32) -> f32 { return f32(world + i); }\n";

    fn failure(text: &str) -> (Option<u32>, String) {
        match compile_user_text(PRELUDE, text) {
            Err(GpuError::Kernel { line, reason }) => (line, reason),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn functions_are_found_by_name() {
        let text = "fn reward(world: u32) -> f32 { return qpos(world, 0u); }\nfn reset(w: u32) {}";
        let defined = compile_user_text(PRELUDE, text).unwrap();
        assert_eq!(defined, Defined { reward: true, reset: true, ..Default::default() });
    }

    #[test]
    fn mistakes_are_told_with_the_users_lines() {
        let (line, reason) = failure("\nfn reward(world: u32) -> f32 {\n    return qposs(world, 0u);\n}");
        assert!(line == Some(3) && reason.contains("qposs"), "{line:?} {reason}");
        let (line, reason) = failure("fn reward(world: u32) -> f32 {\n    return 1.0\n}");
        assert!(line == Some(3) && reason.contains("expected `;`"), "{line:?} {reason}");
        let (line, reason) = failure("fn reward(world: u32) -> f32 { return qpos(world, 1.5); }");
        assert!(line == Some(1), "{line:?} {reason}");
        let (line, reason) = failure("\n\nfn qpos(world: u32, i: u32) -> f32 { return 1.0; }");
        assert!(line == Some(3) && reason.contains("qpos"), "{line:?} {reason}");
        // found by validation, not by the parser
        let (line, reason) = failure("fn reward(world: u32) -> f32 {\n    let x = 1.0;\n}");
        assert!(line.is_some(), "{line:?} {reason}");
        let (line, reason) = failure("\nfn reward(world: i32) -> f32 { return 1.0; }");
        assert!(line == Some(2) && reason.contains("fn reward(world: u32) -> f32"), "{line:?} {reason}");
        let (line, reason) = failure("fn helper() {}");
        assert!(line.is_none() && reason.contains("fn observe(world: u32)"), "{reason}");
    }
}
