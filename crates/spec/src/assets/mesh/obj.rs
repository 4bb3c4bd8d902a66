//! Wavefront OBJ: positions, normals, texture coordinates and polygons; materials and curves are skipped.
//!
//! A file may hold several shapes, separated by `g` and `o` statements. The vertex lists are common to the
//! file, but only the faces of the first non-empty shape are kept. Texture rows are flipped, v → 1 − v.

use super::obj_number::{parse_int, parse_real};
use super::obj_polygon::{Corner, Triangulator};
use super::{MeshError, MeshOrigin, MeshSource};

/// Reads an OBJ file.
pub(super) fn decode(bytes: &[u8]) -> Result<MeshSource, MeshError> {
    let mut reader = Reader::default();
    for (number, line) in lines(bytes).enumerate() {
        reader.statement(line, number + 1)?;
    }
    reader.close_shape(Separator::End)?;

    let corners = reader.first_shape.unwrap_or_default();
    let mut texcoord = reader.texcoord;
    for uv in texcoord.chunks_exact_mut(2) {
        uv[1] = 1.0 - uv[1];
    }
    let column = |wanted: bool, pick: fn(&Corner) -> i32| -> Vec<i32> {
        if wanted { corners.iter().map(pick).collect() } else { Vec::new() }
    };
    Ok(MeshSource {
        origin: MeshOrigin::Obj,
        face: column(true, |c| c.vert),
        facenormal: column(!reader.normal.is_empty(), |c| c.normal),
        facetexcoord: column(!texcoord.is_empty(), |c| c.texcoord),
        vert: reader.vert,
        normal: reader.normal,
        texcoord,
    })
}

/// What ends a shape; each has its own rule for when an almost empty shape counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    Group,
    Object,
    End,
}

#[derive(Default)]
struct Reader {
    vert: Vec<f32>,
    normal: Vec<f32>,
    texcoord: Vec<f32>,
    /// corners of the open shape's polygons, and the number of corners of each
    corners: Vec<Corner>,
    polygons: Vec<usize>,
    has_lines_or_points: bool,
    /// triangles of the first shape, once it is complete
    first_shape: Option<Vec<Corner>>,
}

impl Reader {
    fn statement(&mut self, line: &[u8], number: usize) -> Result<(), MeshError> {
        let line = skip_blanks(line);
        let is_blank = |at: usize| matches!(line.get(at), Some(b' ' | b'\t'));
        match line.first() {
            Some(b'v') if is_blank(1) => read_reals::<3>(&line[2..], &mut self.vert),
            Some(b'v') if line.get(1) == Some(&b'n') && is_blank(2) => {
                read_reals::<3>(&line[3..], &mut self.normal);
            }
            Some(b'v') if line.get(1) == Some(&b't') && is_blank(2) => {
                read_reals::<2>(&line[3..], &mut self.texcoord);
            }
            Some(b'f') if is_blank(1) => self.face(skip_blanks(&line[2..]), number)?,
            Some(kind @ (b'l' | b'p')) if is_blank(1) => {
                self.each_corner(&line[2..], number, char::from(*kind), |_, _| ())?;
                self.has_lines_or_points = true;
            }
            Some(b'g') if is_blank(1) => self.close_shape(Separator::Group)?,
            Some(b'o') if is_blank(1) => self.close_shape(Separator::Object)?,
            _ => {}
        }
        Ok(())
    }

    fn face(&mut self, text: &[u8], number: usize) -> Result<(), MeshError> {
        let start = self.corners.len();
        let keep = self.first_shape.is_none();
        self.each_corner(text, number, 'f', |reader, corner| {
            if keep {
                reader.corners.push(corner);
            }
        })?;
        if keep {
            self.polygons.push(self.corners.len() - start);
        }
        Ok(())
    }

    /// Calls `use_corner` for every `v`, `v/vt`, `v//vn` or `v/vt/vn` of a statement.
    fn each_corner(
        &mut self,
        mut text: &[u8],
        line: usize,
        statement: char,
        mut use_corner: impl FnMut(&mut Self, Corner),
    ) -> Result<(), MeshError> {
        while text.first().is_some_and(|c| *c != b'\r') {
            let Some((corner, rest)) = self.corner(text) else {
                return Err(MeshError::ObjIndex { line, statement });
            };
            use_corner(self, corner);
            let gap = rest.iter().take_while(|c| matches!(c, b' ' | b'\t' | b'\r')).count();
            text = &rest[gap..];
        }
        Ok(())
    }

    fn corner<'t>(&self, text: &'t [u8]) -> Option<(Corner, &'t [u8])> {
        let mut corner = Corner { vert: resolve(text, self.vert.len() / 3)?, texcoord: -1, normal: -1 };
        let mut rest = after_index(text);
        if let Some(tail) = rest.strip_prefix(b"/") {
            rest = tail;
            if let Some(tail) = rest.strip_prefix(b"/") {
                corner.normal = resolve(tail, self.normal.len() / 3)?;
                rest = after_index(tail);
            } else {
                corner.texcoord = resolve(rest, self.texcoord.len() / 2)?;
                rest = after_index(rest);
                if let Some(tail) = rest.strip_prefix(b"/") {
                    corner.normal = resolve(tail, self.normal.len() / 3)?;
                    rest = after_index(tail);
                }
            }
        }
        Some((corner, rest))
    }

    fn close_shape(&mut self, separator: Separator) -> Result<(), MeshError> {
        if self.first_shape.is_some() {
            return Ok(());
        }
        let mut triangles = Vec::with_capacity(self.corners.len());
        let mut cutter = Triangulator::new(&self.vert);
        let mut start = 0;
        for &size in &self.polygons {
            cutter.cut(&self.corners[start..start + size], &mut triangles)?;
            start += size;
        }
        let complete = !triangles.is_empty()
            || match separator {
                Separator::Group => false,
                Separator::Object => self.has_lines_or_points,
                Separator::End => self.has_lines_or_points || !self.polygons.is_empty(),
            };
        if complete {
            self.first_shape = Some(triangles);
        }
        self.corners.clear();
        self.polygons.clear();
        self.has_lines_or_points = false;
        Ok(())
    }
}

/// Zero-based index; negative ones count back from the end of the list so far, zero is an error.
fn resolve(text: &[u8], count: usize) -> Option<i32> {
    match parse_int(text) {
        0 => None,
        index if index > 0 => Some(index - 1),
        index => Some((count as i32).wrapping_add(index)),
    }
}

fn after_index(text: &[u8]) -> &[u8] {
    let length = text.iter().take_while(|c| !matches!(c, b'/' | b' ' | b'\t' | b'\r')).count();
    &text[length..]
}

fn skip_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|c| matches!(c, b' ' | b'\t')).count();
    &text[blanks..]
}

fn read_reals<const N: usize>(mut text: &[u8], out: &mut Vec<f32>) {
    for _ in 0..N {
        text = skip_blanks(text);
        let length = text.iter().take_while(|c| !matches!(c, b' ' | b'\t' | b'\r')).count();
        let (token, rest) = text.split_at(length);
        out.push(parse_real(token));
        text = rest;
    }
}

/// Lines ended by `\n`, `\r\n` or `\r`; a zero byte hides the rest of its line.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|c| matches!(c, b'\n' | b'\r')).unwrap_or(rest.len());
        let (line, tail) = rest.split_at(end);
        rest = tail.strip_prefix(b"\r\n").or_else(|| tail.get(1..)).unwrap_or_default();
        Some(line.split(|c| *c == 0).next().unwrap_or_default())
    })
}
