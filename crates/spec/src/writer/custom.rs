//! The custom and keyframe sections.

use super::soft::is_soft;
use super::tag::Tag;
use crate::mjcf::keywords as words;
use crate::spec::{Key, Spec};

pub(super) fn custom(spec: &Spec) -> Tag {
    let mut section = Tag::new("custom");
    for numeric in spec.numerics.values() {
        let mut tag = Tag::new("numeric");
        tag.set("name", &numeric.name);
        tag.number("size", numeric.size, i32::try_from(numeric.data.len()).unwrap_or(i32::MAX));
        tag.list("data", &numeric.data, &[]);
        section.push(tag);
    }
    for text in spec.texts.values().filter(|text| !is_soft(text)) {
        let mut tag = Tag::new("text");
        tag.set("name", &text.name);
        tag.set("data", &text.data);
        section.push(tag);
    }
    for tuple in spec.tuples.values() {
        let mut tag = Tag::new("tuple");
        tag.set("name", &tuple.name);
        for entry in &tuple.entries {
            let mut child = Tag::new("element");
            child.word("objtype", words::OBJECT, &entry.objtype);
            child.set("objname", &entry.objname);
            child.number("prm", entry.objprm, 0.0);
            tag.push(child);
        }
        section.push(tag);
    }
    section
}

pub(super) fn keyframe(keys: &[Key]) -> Tag {
    let mut section = Tag::new("keyframe");
    for key in keys {
        let mut tag = Tag::new("key");
        tag.given("name", &key.name);
        tag.number("time", key.time, 0.0);
        tag.list("qpos", &key.qpos, &[]);
        tag.list("qvel", &key.qvel, &[]);
        tag.list("act", &key.act, &[]);
        tag.list("mpos", &key.mpos, &[]);
        tag.list("mquat", &key.mquat, &[]);
        tag.list("ctrl", &key.ctrl, &[]);
        section.push(tag);
    }
    section
}
