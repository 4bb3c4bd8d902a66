//! The arguments of `kinetree render`.

use std::path::PathBuf;

/// Draw a model as a picture (.png) or a film (.gif, .mp4).
///
/// A picture shows the model after --seconds of simulation, a film everything up to then. No display is
/// needed. Films in MP4 need the program ffmpeg. Ctrl-C stops a film and keeps what was drawn.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree render humanoid --out humanoid.png\n  kinetree render arm --camera wrist --size 320x240 --out wrist.png\n  kinetree render quadruped --seconds 4 --fps 30 --out walk.gif\n  kinetree render humanoid --depth --out depth.png"
)]
pub(crate) struct Args {
    /// File or embedded model.
    pub(super) model: String,
    /// File to write: .png for a picture, .gif or .mp4 for a film.
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Columns and rows in pixels.
    #[arg(long, value_name = "WxH", default_value = "640x480", value_parser = parse_size)]
    pub(super) size: [u32; 2],
    /// Camera of the model by name or number; otherwise one that sees the whole model.
    #[arg(long)]
    pub(super) camera: Option<String>,
    /// Direction of the free camera around the vertical (degrees).
    #[arg(long, allow_hyphen_values = true)]
    pub(super) azimuth: Option<f64>,
    /// Direction of the free camera over the horizon (degrees, negative looks down).
    #[arg(long, allow_hyphen_values = true)]
    pub(super) elevation: Option<f64>,
    /// Distance of the free camera (m).
    #[arg(long, allow_negative_numbers = true)]
    pub(super) distance: Option<f64>,
    /// Point that the free camera looks at (m).
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', allow_hyphen_values = true)]
    pub(super) lookat: Option<Vec<f64>>,
    /// Body that the free camera follows, by name or number.
    #[arg(long, conflicts_with_all = ["camera", "lookat"])]
    pub(super) track: Option<String>,
    /// Simulated time; 0 for a picture and 3 for a film unless given.
    #[arg(long, allow_negative_numbers = true)]
    pub(super) seconds: Option<f64>,
    /// Frames of a film per second.
    #[arg(long, default_value_t = 30.0, allow_negative_numbers = true)]
    pub(super) fps: f64,
    /// Controls: one value for each actuator, or name=value for some.
    #[arg(long, value_delimiter = ',', value_name = "VALUE|NAME=VALUE", allow_hyphen_values = true)]
    pub(super) ctrl: Vec<String>,
    /// Controls over time: a .csv file with a column `time` and columns `ctrl.NAME`, as `kinetree step`
    /// writes it.
    #[arg(long, value_name = "FILE", conflicts_with = "ctrl")]
    pub(super) controls: Option<PathBuf>,
    /// Keyframe to start from, by name or number.
    #[arg(long)]
    pub(super) key: Option<String>,
    /// Distances instead of colours: a .png has 16 bits per pixel in millimetres, a film gets darker with
    /// distance.
    #[arg(long)]
    pub(super) depth: bool,
    /// Objects instead of colours, one colour each.
    #[arg(long, conflicts_with = "depth")]
    pub(super) segmentation: bool,
}

/// `640x480`.
fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let sides =
        text.split_once(['x', '×']).and_then(|(w, h)| Some([w.trim().parse().ok()?, h.trim().parse().ok()?]));
    match sides {
        Some([w, h]) if w > 0 && h > 0 => Ok([w, h]),
        _ => Err("give columns and rows as in 640x480".into()),
    }
}
