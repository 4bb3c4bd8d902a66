//! The section of deformable bodies, from the texts that carry them.

use super::tag::Tag;
use crate::mjcf::soft::{Kind, WORDS};
use crate::spec::{Spec, Text};
use kinetree_model::DEFORMABLE_PREFIX;

/// Whether a text describes a deformable body.
pub(super) fn is_soft(text: &Text) -> bool {
    tag(text).is_some()
}

pub(super) fn soft(spec: &Spec) -> Tag {
    let mut section = Tag::new("soft");
    spec.texts.values().filter_map(tag).for_each(|tag| section.push(tag));
    section
}

/// The element of a text; `None` if its lines are not those of a deformable body.
fn tag(text: &Text) -> Option<Tag> {
    let name = text.name.strip_prefix(DEFORMABLE_PREFIX)?;
    let mut lines = text.data.lines();
    let kind = Kind::find(lines.next()?)?;
    let mut tag = Tag::new(kind.name);
    tag.set("name", name);
    for line in lines {
        let (attr, value) = line.split_once(' ')?;
        match attr {
            "pin" => {
                let mut child = Tag::new("pin");
                child.set("vertex", value);
                tag.push(child);
            }
            "attach" => {
                let (vertex, to) = value.split_once(' ')?;
                let (to, name) = to.split_once(' ')?;
                let mut child = Tag::new("attach");
                child.set("vertex", vertex);
                child.set(if to == "site" { "site" } else { "body" }, name);
                tag.push(child);
            }
            _ => {
                let mut known = WORDS.iter().chain(kind.all_numbers().map(|(name, ..)| name));
                tag.set(known.find(|known| **known == attr)?, value);
            }
        }
    }
    Some(tag)
}
