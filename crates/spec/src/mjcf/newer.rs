//! Attributes of MJCF that came after the version that is read here, so that a file of a newer MuJoCo is told
//! apart from a misspelled one: what it says would otherwise be lost without a word inside frames, where the
//! reference does not look at attributes.

/// Elements, an attribute, and the version of MuJoCo that brought it. A default of an element has its name.
const NEWER: &[(&[&str], &str, &str)] = &[
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
    (&["general", "dcmotor"], "input", "3.11"),
    (&["general"], "velrange ffrange", "3.12"),
    (&["general"], "inheritrange", "3.16"),
    (&["intvelocity"], "actlimited", "3.11"),
    (&["insidesite"], "enclosed", "3.15"),
    (&["tactile"], "cutoff", "3.13"),
    (&["key"], "plastic", "4.0"),
];

/// The version of MuJoCo that brought an attribute to an element, when it came later than what is read here.
pub(crate) fn since(element: &str, attribute: &str) -> Option<&'static str> {
    NEWER
        .iter()
        .find(|(elements, attributes, _)| {
            elements.contains(&element) && attributes.split_ascii_whitespace().any(|name| name == attribute)
        })
        .map(|&(_, _, version)| version)
}
