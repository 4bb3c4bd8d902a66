//! `std::string` and `std::vector` as the reference's library has them: those of libc++ on a 64-bit machine.
//!
//! C++ programs read and write the strings and vectors of a description directly, so their memory layout is
//! part of the interface. A short string lies in the 24 bytes themselves: twice its length, then up to 22
//! bytes and a zero. A long one has its capacity with the lowest bit set, its length, and where it lies. A
//! vector is three pointers: its begin, its end, and the end of its memory. Memory is that of
//! `operator new`, which is `malloc`.

#![allow(unsafe_code)]

use super::errors::{raw_allocate, raw_free};
use std::mem::MaybeUninit;

/// Most bytes of a short string.
const SHORT: usize = 22;

/// A `std::string`.
#[derive(Default)]
#[repr(C)]
pub struct CxxString {
    words: [usize; 3],
}

const _: () = assert!(size_of::<CxxString>() == 24 && cfg!(target_endian = "little"));

impl CxxString {
    /// A string with a text.
    pub fn new(text: &str) -> Self {
        let mut string = Self::default();
        string.set(text.as_bytes());
        string
    }

    fn is_long(&self) -> bool {
        self.words[0] & 1 == 1
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        let (start, length) = if self.is_long() {
            (self.words[2] as *const u8, self.words[1])
        } else {
            let base = self.words.as_ptr().cast::<u8>();
            (base.wrapping_add(1), (self.words[0] & 0xff) >> 1)
        };
        // SAFETY: by the layout, so many bytes lie there
        unsafe { std::slice::from_raw_parts(start, length) }
    }

    /// The text; bytes that are no UTF-8 are replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    /// Where the text begins, which ends with a zero.
    pub fn pointer(&self) -> *const std::ffi::c_char {
        self.bytes().as_ptr().cast()
    }

    /// Sets the bytes.
    pub fn set(&mut self, bytes: &[u8]) {
        if self.bytes() == bytes {
            return;
        }
        let old = std::mem::take(self);
        drop(old);
        if bytes.len() <= SHORT {
            let base = self.words.as_mut_ptr().cast::<u8>();
            // SAFETY: 24 bytes are there: the length, at most 22 bytes, and a zero
            unsafe {
                base.write((bytes.len() << 1) as u8);
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), base.add(1), bytes.len());
                base.add(1 + bytes.len()).write(0);
            }
            return;
        }
        let capacity = (bytes.len() + 1).next_multiple_of(16);
        let memory = raw_allocate(capacity);
        // SAFETY: the memory has room for the bytes and a zero
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len());
            memory.add(bytes.len()).write(0);
        }
        self.words = [capacity | 1, bytes.len(), memory as usize];
    }
}

impl Drop for CxxString {
    fn drop(&mut self) {
        if self.is_long() {
            // SAFETY: by the layout, the memory is the string's
            unsafe { raw_free(self.words[2] as *mut u8) };
        }
    }
}

impl Clone for CxxString {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.set(self.bytes());
        copy
    }
}

/// A `std::vector`.
#[repr(C)]
pub struct CxxVec<T> {
    begin: *mut T,
    end: *mut T,
    limit: *mut T,
}

impl<T> Default for CxxVec<T> {
    fn default() -> Self {
        Self { begin: std::ptr::null_mut(), end: std::ptr::null_mut(), limit: std::ptr::null_mut() }
    }
}

impl<T> CxxVec<T> {
    /// The elements.
    pub fn list(&self) -> &[T] {
        if self.begin.is_null() {
            return &[];
        }
        // SAFETY: by the layout, the elements lie between begin and end
        unsafe { std::slice::from_raw_parts(self.begin, self.end.offset_from(self.begin).max(0) as usize) }
    }

    /// The elements, to be changed.
    pub fn list_mut(&mut self) -> &mut [T] {
        if self.begin.is_null() {
            return &mut [];
        }
        // SAFETY: as above
        unsafe {
            std::slice::from_raw_parts_mut(self.begin, self.end.offset_from(self.begin).max(0) as usize)
        }
    }

    /// Sets the elements.
    pub fn set(&mut self, elements: impl ExactSizeIterator<Item = T>) {
        drop(std::mem::take(self));
        let count = elements.len();
        if count == 0 {
            return;
        }
        let memory: *mut MaybeUninit<T> = raw_allocate(count * size_of::<T>()).cast();
        for (place, element) in elements.enumerate() {
            // SAFETY: the memory has room for so many elements
            unsafe { (*memory.add(place)).write(element) };
        }
        self.begin = memory.cast();
        // SAFETY: the end of the memory that was just filled
        self.end = unsafe { self.begin.add(count) };
        self.limit = self.end;
    }

    /// Adds an element at the end.
    pub fn push(&mut self, element: T) {
        // SAFETY: elements are moved to new memory, and the old memory is given back without dropping them
        unsafe {
            let count = self.list().len();
            let memory: *mut T = raw_allocate((count + 1) * size_of::<T>()).cast();
            std::ptr::copy_nonoverlapping(self.list().as_ptr(), memory, count);
            memory.add(count).write(element);
            raw_free(self.begin.cast());
            self.begin = memory;
            self.end = memory.add(count + 1);
            self.limit = self.end;
        }
    }
}

impl<T> Drop for CxxVec<T> {
    fn drop(&mut self) {
        // SAFETY: the elements and the memory are the vector's
        unsafe {
            std::ptr::drop_in_place(self.list_mut());
            raw_free(self.begin.cast());
        }
    }
}

/// Links of a node of a `std::map`; key and value follow.
#[repr(C)]
struct MapNode {
    left: *const MapNode,
    right: *const MapNode,
    parent: *const MapNode,
    is_black: bool,
    key: CxxString,
    value: CxxString,
}

/// A `std::map` from texts to texts that programs read: each node is the right child of the one before it.
pub struct TextMap {
    /// what the program gets: the first node, the node that follows the last one, and the number of nodes
    head: Box<MapHead>,
    #[allow(clippy::vec_box)] // nodes point at each other and must not move
    _nodes: Vec<Box<MapNode>>,
}

/// A `std::map` itself; the node behind the last one has a left child only.
#[repr(C)]
struct MapHead {
    begin: *const MapNode,
    root: *const MapNode,
    size: usize,
}

impl TextMap {
    /// A map of pairs; of those with the same key the last one counts.
    pub fn new(pairs: &[(String, String)]) -> Self {
        let sorted: std::collections::BTreeMap<_, _> = pairs.iter().cloned().collect();
        let null = std::ptr::null();
        let mut nodes: Vec<Box<MapNode>> = sorted
            .iter()
            .map(|(key, value)| {
                let (key, value) = (CxxString::new(key), CxxString::new(value));
                Box::new(MapNode { left: null, right: null, parent: null, is_black: true, key, value })
            })
            .collect();
        let mut head = Box::new(MapHead { begin: null, root: null, size: nodes.len() });
        let end: *const MapNode = std::ptr::addr_of_mut!(head.root).cast_const().cast();
        let places: Vec<*const MapNode> = nodes.iter().map(|node| std::ptr::from_ref(&**node)).collect();
        for (i, node) in nodes.iter_mut().enumerate() {
            node.parent = if i == 0 { end } else { places[i - 1] };
            node.right = places.get(i + 1).copied().unwrap_or(null);
        }
        head.root = places.first().copied().unwrap_or(null);
        head.begin = if places.is_empty() { end } else { head.root };
        Self { head, _nodes: nodes }
    }

    /// The pointer for the program.
    pub fn pointer(&self) -> *const std::ffi::c_void {
        std::ptr::from_ref(&*self.head).cast()
    }
}

/// The pairs of a `std::map` from texts to texts, in order: a red-black tree, whose root is the left child of
/// a node that follows the pointer to its first node.
pub fn text_map(map: *const std::ffi::c_void) -> Vec<(String, String)> {
    let (mut pairs, mut pending) = (Vec::new(), Vec::new());
    if map.is_null() {
        return pairs;
    }
    // SAFETY: the header says that such a map lies here
    unsafe {
        let mut node = map.cast::<*const MapNode>().add(1).read();
        while !node.is_null() || !pending.is_empty() {
            while !node.is_null() {
                pending.push(node);
                node = (*node).left;
            }
            let Some(next) = pending.pop() else { break };
            pairs.push(((*next).key.text(), (*next).value.text()));
            node = (*next).right;
        }
    }
    pairs
}
