//! Where a `Data` carries the working memory of the engine that computes with it.

use std::any::Any;

/// The working memory of an engine: buffers that it uses again from call to call.
///
/// What they are, only the engine knows: it keeps one value of a type of its own here, which nobody else can
/// name. It carries no results, so that a data without it, or with that of another, computes the same.
#[derive(Default)]
pub struct Workspace(Option<Box<dyn Any + Send + Sync>>);

impl Workspace {
    /// Takes the memory out; without any, or with that of another engine, begins with new memory.
    #[must_use]
    pub fn take<T: Any + Send + Sync + Default>(&mut self) -> Box<T> {
        self.0.take().and_then(|memory| memory.downcast().ok()).unwrap_or_default()
    }

    /// Puts memory in for the next call.
    pub fn put<T: Any + Send + Sync>(&mut self, memory: Box<T>) {
        self.0 = Some(memory);
    }
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::Workspace;

    #[test]
    fn memory_is_found_again_by_its_type_alone() {
        let mut workspace = Workspace::default();
        let mut memory = workspace.take::<Vec<u8>>();
        memory.push(7);
        workspace.put(memory);
        assert_eq!(*workspace.take::<Vec<u8>>(), [7]);
        // taken: the next one begins anew
        assert!(workspace.take::<Vec<u8>>().is_empty());
        workspace.put(Box::new(3_u32));
        assert!(workspace.take::<Vec<u8>>().is_empty());
    }
}
