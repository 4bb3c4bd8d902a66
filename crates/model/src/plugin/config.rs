//! The configuration of an instance: a text for each attribute of its plugin.

use super::{Attribute, PluginResult};

/// The configuration of a plugin instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginConfig {
    /// Name, given text and default of each attribute, in the order of the plugin.
    values: Vec<(String, String, String)>,
}

impl PluginConfig {
    /// The configuration with these pairs of attribute and text; the last of several texts counts.
    ///
    /// # Errors
    /// When an attribute does not exist or its text is not of its kind.
    pub fn new<'t>(
        attributes: &[Attribute],
        pairs: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> PluginResult<Self> {
        let mut config = Self {
            values: attributes
                .iter()
                .map(|attribute| (attribute.name.to_string(), String::new(), attribute.default.to_string()))
                .collect(),
        };
        for (name, text) in pairs {
            let Some(at) = attributes.iter().position(|attribute| attribute.name == name) else {
                return Err(format!("there is no attribute '{name}'"));
            };
            let kind = attributes[at].kind;
            if !kind.admits(text) {
                return Err(format!("attribute '{name}' must be a {}, not '{text}'", kind.name()));
            }
            text.clone_into(&mut config.values[at].1);
        }
        Ok(config)
    }

    /// The configuration in the bytes of a model: zero-terminated texts, one for each attribute.
    ///
    /// # Errors
    /// As [`PluginConfig::new`].
    pub(crate) fn from_bytes(attributes: &[Attribute], bytes: &[u8]) -> PluginResult<Self> {
        let texts = bytes.split(|&byte| byte == 0).map(String::from_utf8_lossy);
        let texts: Vec<_> = texts.take(attributes.len()).collect();
        Self::new(attributes, attributes.iter().zip(&texts).map(|(a, text)| (&*a.name, &**text)))
    }

    /// The bytes that stand in a model.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> =
            self.values.iter().flat_map(|(_, text, _)| text.bytes().chain(std::iter::once(0))).collect();
        if bytes.is_empty() {
            bytes.push(0);
        }
        bytes
    }

    /// Name and text of each attribute, in order; empty where none was given.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(name, text, _)| (name.as_str(), text.as_str()))
    }

    /// The text that was given for an attribute, if any.
    #[must_use]
    pub fn given(&self, name: &str) -> Option<&str> {
        self.values
            .iter()
            .find(|(n, text, _)| n == name && !text.is_empty())
            .map(|(_, text, _)| text.as_str())
    }

    /// The text of an attribute, or its default; empty for an attribute that does not exist.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        let default = || self.values.iter().find(|(n, ..)| n == name).map_or("", |(.., text)| text);
        self.given(name).unwrap_or_else(default)
    }

    /// The number of an attribute; zero where there is neither a text nor a default.
    ///
    /// # Errors
    /// When the text is no number.
    pub fn number(&self, name: &str) -> PluginResult<f64> {
        let text = self.text(name).trim();
        if text.is_empty() {
            return Ok(0.0);
        }
        text.parse().map_err(|_| format!("attribute '{name}' must be a number, not '{text}'"))
    }

    /// The number that was given for an attribute, if any.
    ///
    /// # Errors
    /// When the text is no number.
    pub fn given_number(&self, name: &str) -> PluginResult<Option<f64>> {
        self.given(name).map(|_| self.number(name)).transpose()
    }

    /// The numbers of an attribute.
    ///
    /// # Errors
    /// When a word of the text is no number.
    pub fn numbers(&self, name: &str) -> PluginResult<Vec<f64>> {
        let parse = |word: &str| {
            word.parse().map_err(|_| format!("attribute '{name}' must be numbers, and '{word}' is none"))
        };
        self.text(name).split_whitespace().map(parse).collect()
    }

    /// Whether the text of an attribute is `true`.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.text(name).trim() == "true"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::AttributeKind;

    #[test]
    fn texts_are_checked_and_have_defaults() {
        let attributes = [
            Attribute::new("gain", AttributeKind::Number, "2.5", ""),
            Attribute::new("size", AttributeKind::Numbers, "", ""),
            Attribute::new("flat", AttributeKind::Flag, "", ""),
        ];
        let config = PluginConfig::new(&attributes, [("size", "1 2  3"), ("flat", "true")]).unwrap();
        assert_eq!(config.number("gain"), Ok(2.5));
        assert_eq!(config.given_number("gain"), Ok(None));
        assert_eq!(config.numbers("size"), Ok(vec![1.0, 2.0, 3.0]));
        assert!(config.flag("flat"));
        assert_eq!(config.to_bytes(), b"\x001 2  3\0true\0");
        assert_eq!(PluginConfig::from_bytes(&attributes, &config.to_bytes()), Ok(config));
        let message = |name, text| PluginConfig::new(&attributes, [(name, text)]).unwrap_err();
        assert_eq!(message("gian", "1"), "there is no attribute 'gian'");
        assert_eq!(message("gain", "much"), "attribute 'gain' must be a number, not 'much'");
        assert_eq!(message("gain", "nan"), "attribute 'gain' must be a number, not 'nan'");
        assert!(message("flat", "yes").contains("must be a flag"));
    }
}
