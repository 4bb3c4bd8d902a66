//! Exceptions to the rules: a text file with one on each line, `subject # reason`. One that nothing needs any
//! more is a fault as well.

use std::collections::BTreeMap;

/// The exceptions, and which of them were needed.
#[derive(Debug, Default)]
pub struct Exceptions {
    /// Whether an exception was used, by its subject.
    needed: BTreeMap<String, bool>,
}

impl Exceptions {
    /// Reads a list. Empty lines and those that begin with `#` are comments.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut needed = BTreeMap::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (subject, reason) = line.split_once(" # ").unwrap_or((line, ""));
            if reason.trim().is_empty() {
                return Err(format!("an exception needs a reason, `subject # reason`: {line}"));
            }
            needed.insert(subject.trim().to_string(), false);
        }
        Ok(Self { needed })
    }

    /// Whether there is an exception, without using it.
    pub fn has(&self, subject: &str) -> bool {
        self.needed.contains_key(subject)
    }

    /// Whether there is an exception, which is thereby needed.
    pub fn allows(&mut self, subject: &str) -> bool {
        self.needed.get_mut(subject).is_some_and(|needed| {
            *needed = true;
            true
        })
    }

    /// The exceptions that were not needed.
    pub fn superfluous(&self) -> impl Iterator<Item = &str> {
        self.needed.iter().filter(|(_, needed)| !**needed).map(|(subject, _)| subject.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Exceptions;

    #[test]
    fn an_exception_that_is_not_used_is_superfluous() {
        let mut exceptions = Exceptions::read("# list\n\na -> b # because\nc -> d # too\n").unwrap();
        assert!(exceptions.allows("a -> b"));
        assert!(!exceptions.allows("b -> a"));
        assert_eq!(exceptions.superfluous().collect::<Vec<_>>(), ["c -> d"]);
    }

    #[test]
    fn an_exception_needs_a_reason() {
        assert!(Exceptions::read("a -> b").is_err());
        assert!(Exceptions::read("a -> b # ").is_err());
    }
}
