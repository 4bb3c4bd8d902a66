//! Figures: what programs draw curves with.

use kinetree_render::scene::MjvFigure;

const LINES: usize = 100;
const POINTS: usize = 1001;

/// `mjvFigure` of the header.
#[repr(C)]
#[cfg_attr(not(feature = "render"), allow(dead_code))] // without the renderer nobody reads it here
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

    /// The engine's figure with the same values.
    #[cfg(feature = "render")]
    pub fn to_own(&self) -> MjvFigure {
        use kinetree_render::scene::{FixedText, Label};
        let mut own = MjvFigure {
            linename: self.linename.iter().map(|name| Label::from_padded(name)).collect(),
            xformat: FixedText::from_padded(&self.xformat),
            yformat: FixedText::from_padded(&self.yformat),
            minwidth: FixedText::from_padded(&self.minwidth),
            title: FixedText::from_padded(&self.title),
            xlabel: FixedText::from_padded(&self.xlabel),
            ..MjvFigure::default()
        };
        macro_rules! take {
            ($( $name:ident )*) => { $( own.$name = self.$name; )* };
        }
        take! {
            flg_legend flg_ticklabel flg_extend flg_barplot flg_selection flg_symmetric linewidth gridwidth gridsize
            gridrgb figurergba panergba legendrgba textrgb linergb range legendoffset subplot highlight highlightid
            selection linepnt xaxispixel yaxispixel xaxisdata yaxisdata
        }
        for (line, points) in self.linedata.iter().enumerate() {
            let used = (self.linepnt[line].max(0) as usize).min(POINTS);
            let points = points.chunks_exact(2).take(used);
            own.linedata[line].iter_mut().zip(points).for_each(|(to, from)| *to = [from[0], from[1]]);
        }
        own
    }

    /// Takes over where the axes were drawn.
    #[cfg(feature = "render")]
    pub fn take_axes(&mut self, own: &MjvFigure) {
        (self.xaxispixel, self.yaxispixel) = (own.xaxispixel, own.yaxispixel);
        (self.xaxisdata, self.yaxisdata) = (own.xaxisdata, own.yaxisdata);
    }
}
