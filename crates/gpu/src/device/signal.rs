//! A result that a callback brings, for those who wait for it.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// What the two ends share.
#[derive(Debug)]
enum Slot<T> {
    /// Nothing has come yet; the waker of the task that waits for it.
    Open(Option<Waker>),
    /// A value, or nothing when the callback has gone without a call.
    Closed(Option<T>),
}

/// The end that waits: a future of the value, or of nothing when it will never come.
#[derive(Debug)]
pub(crate) struct Signal<T>(Arc<Mutex<Slot<T>>>);

/// The end of the callback.
#[derive(Debug)]
pub(crate) struct Sender<T>(Arc<Mutex<Slot<T>>>);

/// A signal, and what sets it off.
pub(crate) fn signal<T>() -> (Sender<T>, Signal<T>) {
    let slot = Arc::new(Mutex::new(Slot::Open(None)));
    (Sender(Arc::clone(&slot)), Signal(slot))
}

impl<T> Sender<T> {
    /// Hands a value over.
    pub(crate) fn send(self, value: T) {
        self.close(Some(value));
    }

    /// The first that closes decides.
    fn close(&self, value: Option<T>) {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Slot::Open(waiting) = &mut *slot {
            let waiting = waiting.take();
            *slot = Slot::Closed(value);
            drop(slot);
            if let Some(waker) = waiting {
                waker.wake();
            }
        }
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.close(None);
    }
}

impl<T> Signal<T> {
    /// Whether something has come.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn has_come(&self) -> bool {
        matches!(&*self.0.lock().unwrap_or_else(PoisonError::into_inner), Slot::Closed(_))
    }
}

impl<T> Future for Signal<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *slot {
            Slot::Closed(value) => Poll::Ready(value.take()),
            Slot::Open(waiting) => {
                *waiting = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::signal;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn a_value_comes_before_or_after_it_is_waited_for_or_never() {
        let (sender, value) = signal();
        sender.send(1);
        assert_eq!(pollster::block_on(value), Some(1));
        let (sender, value) = signal();
        let other = thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            sender.send(2);
        });
        assert_eq!(pollster::block_on(value), Some(2));
        assert!(other.join().is_ok());
        let (sender, value) = signal::<u32>();
        drop(sender);
        assert_eq!(pollster::block_on(value), None);
    }
}
