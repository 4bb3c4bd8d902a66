//! Figures: what programs draw curves with. This library fills them with the defaults; it does not draw them.

use kinetree_render::scene::MjvFigure;

const LINES: usize = 100;
const POINTS: usize = 1001;

/// `mjvFigure` of the header.
#[repr(C)]
#[allow(dead_code)] // programs read what this library only clears
pub struct Figure {
    flg_legend: i32,
    flg_ticklabel: [i32; 2],
    flg_extend: i32,
    flg_barplot: i32,
    flg_selection: i32,
    flg_symmetric: i32,
    linewidth: f32,
    gridwidth: f32,
    gridsize: [i32; 2],
    gridrgb: [f32; 3],
    figurergba: [f32; 4],
    panergba: [f32; 4],
    legendrgba: [f32; 4],
    textrgb: [f32; 3],
    linergb: [[f32; 3]; LINES],
    range: [[f32; 2]; 2],
    xformat: [u8; 20],
    yformat: [u8; 20],
    minwidth: [u8; 20],
    title: [u8; 1000],
    xlabel: [u8; 100],
    linename: [[u8; 100]; LINES],
    legendoffset: i32,
    subplot: i32,
    highlight: [i32; 2],
    highlightid: i32,
    selection: f32,
    linepnt: [i32; LINES],
    linedata: [[f32; 2 * POINTS]; LINES],
    xaxispixel: [i32; 2],
    yaxispixel: [i32; 2],
    xaxisdata: [f32; 2],
    yaxisdata: [f32; 2],
}

/// A text that ends with a zero.
fn text<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.iter_mut().zip(text.bytes()).for_each(|(to, byte)| *to = byte);
    bytes
}

impl Figure {
    /// Fills a figure of zeros with the defaults.
    pub fn fill(&mut self) {
        (self.flg_legend, self.flg_ticklabel, self.flg_extend) = (1, [1; 2], 1);
        (self.linewidth, self.gridwidth, self.gridsize, self.gridrgb) = (3.0, 1.0, [2; 2], [0.4; 3]);
        (self.figurergba[3], self.panergba[3], self.legendrgba[3]) = (1.0, 1.0, 0.3);
        self.textrgb = [1.0; 3];
        self.linergb = std::array::from_fn(MjvFigure::line_color);
        self.range = [[0.0, 1.0]; 2];
        (self.xformat, self.yformat, self.minwidth) = (text("%.0f"), text("%.2g"), text("XXX"));
        self.highlightid = -1;
    }
}
