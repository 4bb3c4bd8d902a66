//! Words of MJCF that only one reference level knows: attributes, elements and values of attributes that came
//! after MuJoCo 3.8, and those that went before 4.0.
//!
//! They are told apart from misspelled words everywhere, also inside frames, where the reference of 3.8 does
//! not look at attributes: what such a word says would otherwise be lost in silence.

use kinetree_model::Reference;

/// Elements (none: all), words, and the version of MuJoCo that brought or took them. A default of an element
/// has its name.
type Words = (&'static [&'static str], &'static str, &'static str);

/// Attributes that came after 3.8.
const NEW_ATTRIBUTES: &[Words] = &[
    (&["compiler"], "conflict", "3.10"),
    (&["compiler"], "savecompiled savecanonical", "3.16"),
    (&["compiler"], "passthrough", "3.17"),
    (&["flag"], "diagexact", "3.9"),
    (&["flag"], "ipc", "3.14"),
    (&["flag"], "speculative", "4.0"),
    (&["body"], "simple", "3.11"),
    (&["body"], "fuse", "3.16"),
    (&["frame"], "scale scaling massscale", "3.16"),
    (&["attach"], "frame", "3.11"),
    (&["joint", "spatial", "fixed", "tendon"], "springyield", "4.0"),
    (&["geom", "pair"], "adhesion", "3.11"),
    (&["geom"], "surfacevel", "3.11"),
    (&["geom"], "castshadow", "4.0"),
    (&["site"], "mesh", "3.13"),
    (&["light"], "softness", "3.12"),
    (&["flexcomp"], "mesh", "3.16"),
    (&["elasticity"], "section sectionsize", "3.17"),
    (&["elasticity"], "shear yield", "4.0"),
    (&["flex"], "nodecoord", "3.12"),
    (&["texture"], "class embed", "3.17"),
    (&["tendon"], "armature actuatorfrclimited actuatorfrcrange", "4.0"),
    (&["general"], "input", "3.11"),
    (&["general"], "velrange ffrange", "3.12"),
    (&["general"], "inheritrange", "3.16"),
    (&["intvelocity"], "actlimited", "3.11"),
    (&["insidesite"], "enclosed", "3.15"),
    (&["tactile"], "cutoff", "3.13"),
    (&["key"], "plastic", "4.0"),
];

/// Elements that came after 3.8, in the elements that hold them.
const NEW_ELEMENTS: &[Words] = &[
    (&["default"], "texture", "3.17"),
    (&["actuator", "default"], "pid", "3.12"),
    (&["actuator", "default"], "orientation", "3.11"),
];

/// Values of attributes that came after 3.8: elements, the attribute and a value, the version.
const NEW_VALUES: &[Words] = &[
    (&["option"], "integrator discrete", "3.13"),
    (&["headlight"], "active auto", "4.0"),
    (&["headlight"], "active false", "4.0"),
    (&["headlight"], "active true", "4.0"),
    (&["site"], "type mesh", "3.13"),
    (&["general"], "dyntype pid", "3.12"),
    (&["general"], "gaintype so3", "3.11"),
    (&["general"], "gaintype pid", "3.12"),
    (&["general"], "biastype so3", "3.11"),
    (&["dcmotor"], "input pos", "3.12"),
    (&["dcmotor"], "input vel", "3.12"),
    (&["dcmotor"], "input ff", "3.12"),
    (&["dcmotor"], "input none", "3.12"),
    (&["mesh"], "builtin grid", "3.16"),
    (&["mesh"], "builtin box", "3.16"),
    (&["mesh"], "builtin cylinder", "3.16"),
    (&["mesh"], "builtin ellipsoid", "3.16"),
    (&["mesh"], "builtin square", "3.16"),
    (&["mesh"], "builtin disc", "3.16"),
    (&["contact"], "data linvel", "3.16"),
    (&["contact"], "data angvel", "3.16"),
];

/// Attributes that went.
const REMOVED_ATTRIBUTES: &[Words] = &[(&["contact"], "internal", "3.15")];

/// Elements that went, in whatever element.
const REMOVED_ELEMENTS: &[Words] = &[(&[], "composite", "4.0"), (&["equality"], "flexvert", "4.0")];

/// Values of attributes that went.
const REMOVED_VALUES: &[Words] = &[
    (&["edge"], "equality vert", "4.0"),
    (&["dcmotor"], "input position", "3.12"),
    (&["dcmotor"], "input velocity", "3.12"),
    (&["plugin"], "plugin mujoco.elasticity.cable", "4.0"),
    (&[], "objtype cam", "3.12"),
    (&[], "reftype cam", "3.12"),
];

/// Whether the element is listed.
fn concerns(elements: &[&str], element: &str) -> bool {
    elements.is_empty() || elements.contains(&element)
}

/// The version of a word of an element.
fn version_of(table: &[Words], element: &str, word: &str) -> Option<&'static str> {
    let holds = |words: &str| words.split_ascii_whitespace().any(|known| known == word);
    table.iter().find(|(elements, words, _)| concerns(elements, element) && holds(words)).map(|words| words.2)
}

/// The version of a value of an attribute, which may hold several, and the value.
fn value_version<'v>(
    table: &[Words],
    element: &str,
    attribute: &str,
    text: &'v str,
) -> Option<(&'v str, &'static str)> {
    let named = table.iter().filter(|(elements, words, _)| {
        concerns(elements, element) && words.split_ascii_whitespace().next() == Some(attribute)
    });
    named.into_iter().find_map(|(_, words, version)| {
        let value = words.split_ascii_whitespace().nth(1)?;
        text.split_ascii_whitespace().find(|word| *word == value).map(|word| (word, *version))
    })
}

/// What is wrong with a word of an element at a reference level, if the level does not know it.
fn fault(reference: Reference, what: &str, new: Option<&str>, removed: Option<&str>) -> Option<String> {
    match (new, removed, reference.new_words(), reference.removed_words()) {
        (Some(version), _, false, _) => {
            Some(format!("{what} is new in MuJoCo {version}; load with reference 4.0"))
        }
        (Some(version), _, true, _) => {
            Some(format!("unsupported: {what} (new in MuJoCo {version}) at reference level 4.0"))
        }
        (_, Some(version), _, true) => {
            Some(format!("{what} was removed in MuJoCo {version}; load with reference 3.8"))
        }
        _ => None,
    }
}

/// What is wrong with an attribute.
pub(crate) fn attribute(reference: Reference, element: &str, attribute: &str) -> Option<String> {
    let new = version_of(NEW_ATTRIBUTES, element, attribute);
    let removed = version_of(REMOVED_ATTRIBUTES, element, attribute);
    fault(reference, &format!("attribute '{attribute}' in <{element}>"), new, removed)
}

/// What is wrong with an element inside another one.
pub(crate) fn element(reference: Reference, parent: &str, element: &str) -> Option<String> {
    let new = version_of(NEW_ELEMENTS, parent, element);
    let removed = version_of(REMOVED_ELEMENTS, parent, element);
    fault(reference, &format!("element <{element}> in <{parent}>"), new, removed)
}

/// What is wrong with a value of an attribute.
pub(crate) fn value(reference: Reference, element: &str, attribute: &str, text: &str) -> Option<String> {
    let new = value_version(NEW_VALUES, element, attribute, text);
    let removed = value_version(REMOVED_VALUES, element, attribute, text);
    let (word, _) = new.or(removed)?;
    let what = format!("'{word}' as {attribute} of <{element}>");
    fault(reference, &what, new.map(|found| found.1), removed.map(|found| found.1))
}
