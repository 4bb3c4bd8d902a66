//! Cubes and sky boxes from image files.

use super::pixels::{CompiledTexture, Image, MAX_BYTES, TextureError, rgb_bytes};
use crate::spec::Texture;

/// Face letters in the order of the faces.
const FACES: &[u8; 6] = b"RLUDFB";

/// A cube from one image: the same face six times, or a grid of faces.
pub(super) fn from_one_image(texture: &Texture, image: &Image) -> Result<CompiledTexture, TextureError> {
    let [rows, columns] = texture.gridsize;
    if rows < 1 || columns < 1 || i64::from(rows) * i64::from(columns) > 12 {
        return Err(TextureError::GridSize);
    }
    let (rows, columns) = (rows as usize, columns as usize);
    if image.width / columns != image.height / rows
        || !image.width.is_multiple_of(columns)
        || !image.height.is_multiple_of(rows)
    {
        return Err(TextureError::GridImage);
    }
    require_rgb(image)?;
    let colorspace = image.resolve(texture.colorspace);
    if rows == 1 && columns == 1 {
        return Ok(CompiledTexture {
            width: image.width as i32,
            height: image.width as i32,
            nchannel: 3,
            colorspace,
            data: image.data.clone(),
        });
    }
    let width = image.width / columns;
    let mut faces = Faces::new(width)?;
    for cell in 0..rows * columns {
        let symbol = texture.gridlayout.get(cell).copied().unwrap_or(b'.');
        if symbol == b'.' {
            continue;
        }
        let Some(face) = FACES.iter().position(|f| *f == symbol) else {
            return Err(TextureError::GridSymbol(char::from(symbol)));
        };
        let (row, column) = (width * (cell / columns), width * (cell % columns));
        for (j, line) in faces.face_mut(face).chunks_exact_mut(3 * width).enumerate() {
            let start = 3 * ((row + j) * image.width + column);
            line.copy_from_slice(&image.data[start..start + 3 * width]);
        }
    }
    faces.finish(texture, colorspace)
}

/// A cube from up to six image files.
pub(super) fn from_faces(
    texture: &Texture,
    mut load: impl FnMut(&str) -> Result<Image, TextureError>,
) -> Result<CompiledTexture, TextureError> {
    let mut colorspace = texture.colorspace;
    let mut faces: Option<Faces> = None;
    for (face, file) in texture.cubefiles.iter().enumerate() {
        if file.is_empty() {
            continue;
        }
        let image = load(file)?;
        colorspace = image.resolve(colorspace);
        if image.width != image.height {
            return Err(TextureError::NotSquare(file.clone()));
        }
        require_rgb(&image)?;
        let faces = match &mut faces {
            Some(faces) if faces.width != image.width => {
                return Err(TextureError::FaceSize(file.clone()));
            }
            Some(faces) => faces,
            None => faces.insert(Faces::new(image.width)?),
        };
        faces.face_mut(face).copy_from_slice(&image.data);
    }
    faces.ok_or(TextureError::NoSource)?.finish(texture, colorspace)
}

fn require_rgb(image: &Image) -> Result<(), TextureError> {
    if image.nchannel == 3 {
        Ok(())
    } else {
        Err(TextureError::Channels { what: "cube or skybox texture", nchannel: image.nchannel })
    }
}

/// Six square faces being filled.
struct Faces {
    width: usize,
    data: Vec<u8>,
    defined: [bool; 6],
}

impl Faces {
    fn new(width: usize) -> Result<Self, TextureError> {
        let bytes = 18 * width as u64 * width as u64;
        if width == 0 || bytes > MAX_BYTES {
            return Err(TextureError::TooLarge);
        }
        Ok(Self { width, data: vec![0; bytes as usize], defined: [false; 6] })
    }

    fn face_mut(&mut self, face: usize) -> &mut [u8] {
        self.defined[face] = true;
        let size = 3 * self.width * self.width;
        &mut self.data[face * size..(face + 1) * size]
    }

    /// Paints the missing faces in the first colour.
    fn finish(
        mut self,
        texture: &Texture,
        colorspace: kinetree_model::enums::ColorSpace,
    ) -> Result<CompiledTexture, TextureError> {
        let rgb = rgb_bytes(&texture.rgb1);
        for face in 0..6 {
            if !self.defined[face] {
                for pixel in self.face_mut(face).chunks_exact_mut(3) {
                    pixel.copy_from_slice(&rgb);
                }
            }
        }
        Ok(CompiledTexture {
            width: self.width as i32,
            height: 6 * self.width as i32,
            nchannel: 3,
            colorspace,
            data: self.data,
        })
    }
}
