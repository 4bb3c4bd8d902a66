//! Lazily allocated working memory.

/// A value that is made when it is used for the first time.
///
/// Searches of the narrow phase need some 20 KiB: more than everything else of a small world, which may have
/// formulas for all of its pairs, and none of whose distances anybody asks for.
pub(crate) struct OnDemand<T>(Option<Box<T>>);

impl<T> Default for OnDemand<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Default> OnDemand<T> {
    /// The value.
    #[inline]
    pub(crate) fn get(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }

    /// The value, if it has been used.
    #[inline]
    pub(crate) fn made(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }
}
