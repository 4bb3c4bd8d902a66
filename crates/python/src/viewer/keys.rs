//! Keys by the numbers that programs know from GLFW.

use egui::Key;

/// The number of a key.
pub(super) fn code(key: Key) -> i32 {
    let symbol = key.name();
    match key {
        Key::Space => 32,
        Key::Quote => 39,
        Key::Comma => 44,
        Key::Minus => 45,
        Key::Period => 46,
        Key::Slash => 47,
        Key::Semicolon | Key::Colon => 59,
        Key::Equals | Key::Plus => 61,
        Key::OpenBracket => 91,
        Key::Backslash => 92,
        Key::CloseBracket => 93,
        Key::Backtick => 96,
        Key::Escape => 256,
        Key::Enter => 257,
        Key::Tab => 258,
        Key::Backspace => 259,
        Key::Insert => 260,
        Key::Delete => 261,
        Key::ArrowRight => 262,
        Key::ArrowLeft => 263,
        Key::ArrowDown => 264,
        Key::ArrowUp => 265,
        Key::PageUp => 266,
        Key::PageDown => 267,
        Key::Home => 268,
        Key::End => 269,
        // digits and letters are their own characters, function keys count from F1
        _ if symbol.len() == 1 => i32::from(symbol.as_bytes()[0]),
        _ => symbol.strip_prefix('F').and_then(|n| n.parse::<i32>().ok()).map_or(-1, |n| 289 + n),
    }
}
