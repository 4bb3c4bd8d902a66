//! Pictures as files: PNG, animated GIF, and MP4 by way of ffmpeg.

use crate::failure::Failure;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// How thoroughly colours of a GIF are chosen: 1 is best, 30 is fastest.
const GIF_SPEED: i32 = 10;

/// One frame.
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixels: Pixels,
}

/// What a frame shows, rows from the top.
pub(crate) enum Pixels {
    /// Red, green and blue.
    Color(Vec<u8>),
    /// Distances, and the farthest that matters.
    Depth { metres: Vec<f32>, farthest: f32 },
}

impl Picture {
    /// Red, green and blue; distances get darker.
    fn rgb(&self) -> Vec<u8> {
        match &self.pixels {
            Pixels::Color(rgb) => rgb.clone(),
            Pixels::Depth { metres, farthest } => metres
                .iter()
                .flat_map(|d| [(255.0 * (1.0 - d / farthest.max(1e-6)).clamp(0.0, 1.0)) as u8; 3])
                .collect(),
        }
    }
}

/// A file that frames are written to.
pub(crate) enum Film {
    Png(PathBuf),
    Gif { path: PathBuf, fps: f64, frames: u64, encoder: Option<gif::Encoder<BufWriter<File>>> },
    Mp4 { path: PathBuf, fps: f64, encoder: Option<Child> },
}

impl Film {
    /// Whether a file of this name is a film; an error for a name that is neither picture nor film.
    pub(crate) fn is_film(path: &Path) -> Result<bool, Failure> {
        match ending(path).as_str() {
            "png" => Ok(false),
            "gif" | "mp4" => Ok(true),
            _ => Err(Failure::Message(format!("'{}' should end in .png, .gif or .mp4", path.display()))),
        }
    }

    /// Opens a file.
    pub(crate) fn open(path: &Path, fps: f64) -> Result<Self, Failure> {
        let path = path.to_owned();
        Ok(match ending(&path).as_str() {
            "gif" => Film::Gif { path, fps, frames: 0, encoder: None },
            "mp4" => Film::Mp4 { path, fps, encoder: None },
            _ => Film::Png(path),
        })
    }

    /// Adds a frame.
    pub(crate) fn push(&mut self, picture: &Picture) -> Result<(), Failure> {
        match self {
            Film::Png(path) => write_png(path, picture),
            Film::Gif { path, fps, frames, encoder } => {
                let result = push_gif(path, *fps, *frames, encoder, picture);
                *frames += 1;
                result
            }
            Film::Mp4 { path, fps, encoder } => {
                if encoder.is_none() {
                    *encoder = Some(start_ffmpeg(path, *fps, picture)?);
                }
                let pipe = encoder.as_mut().and_then(|child| child.stdin.as_mut());
                match pipe.map(|pipe| pipe.write_all(&picture.rgb())) {
                    Some(Ok(())) => Ok(()),
                    // ffmpeg says why when it is waited for
                    _ => Err(ffmpeg_failure(encoder.take())),
                }
            }
        }
    }

    /// Completes the file.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self {
            Film::Mp4 { encoder: Some(mut child), .. } => {
                drop(child.stdin.take());
                match child.wait_with_output() {
                    Ok(output) if output.status.success() => Ok(()),
                    Ok(output) => Err(Failure::Message(format!(
                        "ffmpeg failed: {}",
                        String::from_utf8_lossy(&output.stderr).trim()
                    ))),
                    Err(error) => Err(Failure::Message(format!("ffmpeg failed: {error}"))),
                }
            }
            // the encoder writes the end of the file when it is dropped
            _ => Ok(()),
        }
    }
}

fn ending(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn write_png(path: &Path, picture: &Picture) -> Result<(), Failure> {
    let file = File::create(path).map_err(|error| Failure::file("write", path, &error))?;
    encode_png(BufWriter::new(file), picture)
        .map_err(|error| Failure::Message(format!("cannot write '{}': {error}", path.display())))
}

/// Colours with 8 bits, distances with 16 bits in millimetres.
pub(crate) fn encode_png(to: impl Write, picture: &Picture) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(to, picture.width, picture.height);
    encoder.set_compression(png::Compression::High);
    let bytes = match &picture.pixels {
        Pixels::Color(rgb) => {
            encoder.set_color(png::ColorType::Rgb);
            rgb.clone()
        }
        Pixels::Depth { metres, .. } => {
            encoder.set_color(png::ColorType::Grayscale);
            encoder.set_depth(png::BitDepth::Sixteen);
            metres
                .iter()
                .flat_map(|d| ((d * 1000.0).round().clamp(0.0, 65535.0) as u16).to_be_bytes())
                .collect()
        }
    };
    encoder.write_header()?.write_image_data(&bytes)
}

fn push_gif(
    path: &Path,
    fps: f64,
    frames: u64,
    encoder: &mut Option<gif::Encoder<BufWriter<File>>>,
    picture: &Picture,
) -> Result<(), Failure> {
    let failed =
        |error: gif::EncodingError| Failure::Message(format!("cannot write '{}': {error}", path.display()));
    let side = |n: u32| {
        u16::try_from(n)
            .map_err(|_| Failure::Message(format!("a GIF has at most {} pixels along a side", u16::MAX)))
    };
    let (width, height) = (side(picture.width)?, side(picture.height)?);
    let encoder = match encoder {
        Some(encoder) => encoder,
        none => {
            let file = File::create(path).map_err(|error| Failure::file("write", path, &error))?;
            let mut new = gif::Encoder::new(BufWriter::new(file), width, height, &[]).map_err(failed)?;
            new.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
            none.insert(new)
        }
    };
    let mut frame = gif::Frame::from_rgb_speed(width, height, &picture.rgb(), GIF_SPEED);
    // frames last whole hundredths of a second: the sum keeps to the clock
    let at = |n: u64| (100.0 * n as f64 / fps).round();
    frame.delay = (at(frames + 1) - at(frames)).clamp(1.0, 65535.0) as u16;
    encoder.write_frame(&frame).map_err(failed)
}

/// Starts ffmpeg, which reads frames from a pipe.
fn start_ffmpeg(path: &Path, fps: f64, picture: &Picture) -> Result<Child, Failure> {
    let size = format!("{}x{}", picture.width, picture.height);
    let mut command = Command::new("ffmpeg");
    command.args([
        "-y",
        "-loglevel",
        "error",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-s",
        &size,
        "-r",
        &fps.to_string(),
        "-i",
        "-",
    ]);
    // players want even sides and colours at half resolution
    command
        .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-movflags", "+faststart"])
        .arg(path);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::WithHelp(
            "films in MP4 need the program ffmpeg, which is not installed".into(),
            "install it (`apt-get install ffmpeg`, `brew install ffmpeg`), or write a .gif".into(),
        ),
        _ => Failure::Message(format!("cannot start ffmpeg: {error}")),
    })
}

/// Whether films in MP4 can be written.
#[cfg(feature = "view")]
pub(crate) fn has_ffmpeg() -> bool {
    let mut command = Command::new("ffmpeg");
    command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Why ffmpeg stopped reading.
fn ffmpeg_failure(child: Option<Child>) -> Failure {
    let said = child
        .and_then(|c| c.wait_with_output().ok())
        .map(|o| String::from_utf8_lossy(&o.stderr).trim().to_owned());
    Failure::Message(format!(
        "ffmpeg stopped: {}",
        said.filter(|s| !s.is_empty()).unwrap_or_else(|| "no reason given".into())
    ))
}
