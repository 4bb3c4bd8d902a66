//! Damage: of bytes anywhere, and of attributes and elements of XML, with values that other files give them.

use std::collections::BTreeMap;

/// Words that are spliced in.
const WORDS: &[&str] = &[
    "-1",
    "0",
    "nan",
    "inf",
    "1e308",
    "-1e-308",
    "2147483647",
    "2147483648",
    "",
    " ",
    "<body>",
    "</body>",
    "<frame>",
    "<geom/>",
    "\"",
    "'",
    "<",
    ">",
    "/",
    "=",
    "<!--",
    "-->",
    "class=\"x\"",
    "count=\"7\"",
    "size=\"1\"",
    "type=\"mesh\"",
    "&#0;",
    "&#x10FFFF;",
    "\u{e9}",
    "0 0 0",
    "1 1 1 1 1 1 1",
    "free",
    "ball",
    "true",
    "<extension>",
    "</extension>",
    "<plugin plugin=\"mujoco.sdf.torus\"/>",
    "<plugin instance=\"x\"/>",
    "<instance name=\"x\"/>",
    "<config key=\"radius1\" value=\"nan\"/>",
    "plugin=\"mujoco.pid\"",
    "instance=\"x\"",
];

/// Elements of plugins, which many others may hold.
const PLUGIN_ELEMENTS: &[&str] = &["plugin", "config", "instance"];

/// Factors for numbers.
const FACTORS: &[f64] = &[-1.0, 0.0, 0.5, 2.0, 10.0, 1e-3, 1e3, 1e-9, 1e9, 1.0000001];

/// Values that are remembered of each attribute, at most.
const VALUES: usize = 64;

/// Xorshift numbers that depend on a seed and the number of the case.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64, case: u64) -> Self {
        // SplitMix64, so that neighbouring cases have nothing in common
        let mut z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ case.wrapping_mul(0xD1B5_4A32_D192_ED03);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self((z ^ (z >> 31)) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound.max(1) as u64) as usize
    }

    /// A number in [-1, 1).
    pub(crate) fn signed(&mut self) -> f64 {
        self.below(1 << 30) as f64 / f64::from(1 << 29) - 1.0
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}

/// What the files of a corpus write: values by attribute, attributes by element, and whole elements by name.
#[derive(Default)]
pub(crate) struct Dictionary {
    values: BTreeMap<Vec<u8>, Vec<Vec<u8>>>,
    attributes: BTreeMap<Vec<u8>, Vec<Vec<u8>>>,
    elements: BTreeMap<Vec<u8>, Vec<Vec<u8>>>,
}

/// Start and end of each tag `<…>` of a text.
fn tags(text: &[u8]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].iter().position(|&b| b == b'<').map(|n| at + n) {
        let Some(close) = text[open..].iter().position(|&b| b == b'>').map(|n| open + n + 1) else { break };
        out.push((open, close));
        at = close;
    }
    out
}

/// The name of an element that a tag begins.
fn name_of(tag: &[u8]) -> &[u8] {
    let rest = tag.get(1..).unwrap_or_default();
    let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    &rest[..length]
}

/// Ranges of the name and value of each attribute of a tag.
fn attributes_of(tag: &[u8]) -> Vec<((usize, usize), (usize, usize))> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(equals) = tag[at..].iter().position(|&b| b == b'=').map(|n| at + n) {
        let start = tag[..equals].iter().rposition(u8::is_ascii_whitespace).map_or(0, |n| n + 1);
        let Some(&quote) = tag.get(equals + 1).filter(|q| matches!(q, b'"' | b'\'')) else {
            at = equals + 1;
            continue;
        };
        let Some(length) = tag[equals + 2..].iter().position(|&b| b == quote) else { break };
        out.push(((start, equals), (equals + 2, equals + 2 + length)));
        at = equals + 3 + length;
    }
    out
}

fn remember(list: &mut Vec<Vec<u8>>, value: &[u8]) {
    if list.len() < VALUES && value.len() < 400 && !list.iter().any(|known| known == value) {
        list.push(value.to_vec());
    }
}

impl Dictionary {
    /// Takes in the tags of one file.
    pub(crate) fn learn(&mut self, text: &[u8]) {
        for (open, close) in tags(text) {
            let tag = &text[open..close];
            let name = name_of(tag);
            if name.is_empty() {
                continue;
            }
            for ((start, equals), (begin, end)) in attributes_of(tag) {
                remember(self.values.entry(tag[start..equals].to_vec()).or_default(), &tag[begin..end]);
                remember(self.attributes.entry(name.to_vec()).or_default(), &tag[start..equals]);
            }
            if tag.ends_with(b"/>") {
                remember(self.elements.entry(name.to_vec()).or_default(), tag);
            }
        }
    }

    /// Changes one attribute or element of a model.
    fn damage_xml(&self, text: &mut Vec<u8>, random: &mut Random) -> Option<()> {
        let tags = tags(text);
        let &(open, close) = random.pick(&tags)?;
        let tag = text[open..close].to_vec();
        let name = name_of(&tag);
        match random.below(9) {
            // another element of this name, in its place or behind it
            0 => {
                let other = random.pick(self.elements.get(name)?)?.clone();
                let start = if tag.ends_with(b"/>") && random.below(2) == 0 { open } else { close };
                drop(text.splice(start..close, other));
            }
            // one more attribute
            1 | 2 => {
                let attribute = random.pick(self.attributes.get(name)?)?;
                let value = random.pick(self.values.get(attribute)?)?;
                let place = open + 1 + name.len();
                let piece = [b" ", attribute.as_slice(), b"=\"", value, b"\""].concat();
                drop(text.splice(place..place, piece));
            }
            // an element of a plugin anywhere
            3 => {
                let kind = random.pick(PLUGIN_ELEMENTS)?;
                let other = random.pick(self.elements.get(kind.as_bytes())?)?.clone();
                drop(text.splice(close..close, other));
            }
            kind => {
                let list = attributes_of(&tag);
                let &((start, equals), (begin, end)) = random.pick(&list)?;
                let value = match kind {
                    4 | 5 => random.pick(self.values.get(&tag[start..equals])?)?.clone(),
                    6 => random.pick(WORDS)?.bytes().collect(),
                    _ => change_number(&tag[begin..end], random)?,
                };
                drop(text.splice(open + begin..open + end, value));
            }
        }
        Some(())
    }

    /// Damages a file a little, mostly as XML when it is a model.
    pub(crate) fn damage(&self, content: &mut Vec<u8>, is_model: bool, random: &mut Random) {
        for _ in 0..=random.below(4) {
            if is_model && random.below(4) != 0 {
                let _ = self.damage_xml(content, random);
            } else {
                damage_bytes(content, random);
            }
        }
    }
}

/// Scales one number of a list.
fn change_number(value: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(value).ok()?;
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let at = random.below(words.len());
    let number: f64 = words.get(at)?.parse().ok()?;
    words[at] = (number * random.pick(FACTORS)?).to_string();
    Some(words.join(" ").into_bytes())
}

fn damage_bytes(text: &mut Vec<u8>, random: &mut Random) {
    if text.is_empty() {
        return;
    }
    let at = random.below(text.len());
    let end = (at + 1 + random.below(60)).min(text.len());
    let word = WORDS[random.below(WORDS.len())].bytes();
    match random.below(7) {
        0 => text[at] = random.below(256) as u8,
        1 => drop(text.drain(at..end)),
        2 => {
            let piece = text[at..end].to_vec();
            let place = random.below(text.len());
            drop(text.splice(place..place, piece));
        }
        3 | 4 => {
            // exchange a whole number
            let start = text.iter().skip(at).position(u8::is_ascii_digit).map_or(at, |n| at + n);
            let length = text[start..].iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
            drop(text.splice(start..start + length, word));
        }
        5 => drop(text.splice(at..at, word)),
        _ => {
            let other = random.below(text.len());
            text.swap(at, other);
        }
    }
}
