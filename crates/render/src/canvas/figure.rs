//! Plots: `mjr_figure` draws lines or bars, a grid, tick labels, a title and a legend.

use super::text::{CELL, letters, rect};
use super::{Canvas, CanvasFont, MjrRect, bytes};
use crate::font::HEIGHT;
use crate::scene::{MAX_LINE_POINTS, MjvFigure};
use kinetree_model::FloatFormat;

/// Margins around text, and from one line of text to the next, in pixels of a letter.
const PAD: i64 = 3;
const LINE: i64 = 10;
/// Most lines of the grid along an axis.
const MAX_GRID: usize = 1000;

type Point = [f64; 2];

/// A format of `printf` for one number, with the text around it.
fn formatted(format: &str, value: f64) -> String {
    let parse = || {
        let start = format.find('%')?;
        let end = start + 1 + format[start + 1..].find(|c: char| c.is_ascii_alphabetic())? + 1;
        let number: FloatFormat = format[start..end].parse().ok()?;
        Some((&format[..start], number, &format[end..]))
    };
    let Some((before, number, after)) = parse() else { return format!("{value}") };
    let mut text = before.to_owned();
    number.push(&mut text, value);
    text + after
}

/// The label at a share of a range; what is zero but for rounding is zero.
fn label(format: &str, [low, high]: Point, share: f64) -> String {
    let value = low + share * (high - low);
    formatted(format, if value.abs() < 1e-6 * (high - low) { 0.0 } else { value })
}

/// The points of each line that has some, with its number.
fn lines(fig: &MjvFigure) -> Vec<(usize, Vec<Point>)> {
    let points = |line: usize| {
        let count = (fig.linepnt[line].max(0) as usize).min(MAX_LINE_POINTS);
        let points = fig.linedata.get(line).map_or(&[][..], |points| &points[..count]);
        points.iter().map(|point| point.map(f64::from)).collect::<Vec<_>>()
    };
    (0..fig.linepnt.len()).map(|line| (line, points(line))).filter(|(_, points)| !points.is_empty()).collect()
}

/// Smallest and largest value of an axis: given, or found in the data, or both.
fn range(fig: &MjvFigure, axis: usize, lines: &[(usize, Vec<Point>)]) -> Point {
    let [mut low, mut high] = fig.range[axis].map(f64::from);
    let given = low < high;
    let values =
        || lines.iter().flat_map(|(_, points)| points).map(|point| point[axis]).filter(|x| x.is_finite());
    let found = [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)];
    if found[0] <= found[1] && (fig.flg_extend != 0 || !given) {
        [low, high] = if given { [low.min(found[0]), high.max(found[1])] } else { found };
    }
    if axis == 1 && fig.flg_symmetric != 0 {
        high = low.abs().max(high.abs());
        low = -high;
    }
    if low < high && low.is_finite() && high.is_finite() {
        return [low, high];
    }
    let low = if low.is_finite() { low } else { 0.0 };
    [low - 0.5, low + 0.5]
}

/// The text and where the axes are.
struct Layout {
    font: i64,
    ranges: [Point; 2],
    /// Where grid lines are, as shares of the range.
    ticks: [Vec<f64>; 2],
    labels: [Vec<String>; 2],
    pane: MjrRect,
}

impl Layout {
    fn new(fig: &MjvFigure, whole: MjrRect, font: i64, lines: &[(usize, Vec<Point>)]) -> Self {
        let ranges = [0, 1].map(|axis| range(fig, axis, lines));
        let ticks = fig.gridsize.map(|count| {
            let last = (count.max(2) as usize).min(MAX_GRID) - 1;
            (0..=last).map(|i| i as f64 / last as f64).collect::<Vec<_>>()
        });
        let formats = [fig.xformat.as_str(), fig.yformat.as_str()];
        let labels = [0, 1].map(|axis| {
            ticks[axis].iter().map(|&share| label(formats[axis], ranges[axis], share)).collect::<Vec<_>>()
        });
        let (pad, line) = (PAD * font, LINE * font);
        let widest = labels[1].iter().map(|text| letters(text)).max().unwrap_or(0);
        let aside = if fig.flg_ticklabel[1] != 0 { widest.max(letters(&fig.minwidth)) } else { 0 };
        let left = pad + aside * CELL * font + if aside > 0 { pad } else { 0 };
        let below = i64::from(fig.flg_ticklabel[0] != 0) + i64::from(!fig.xlabel.is_empty());
        let bottom = pad + line * below;
        let (right, top) = (pad + CELL * font, pad + line * i64::from(!fig.title.is_empty()));
        let pane = rect(
            [i64::from(whole.left) + left, i64::from(whole.bottom) + bottom],
            [(i64::from(whole.width) - left - right).max(1), (i64::from(whole.height) - bottom - top).max(1)],
        );
        Self { font, ranges, ticks, labels, pane }
    }

    /// Last column and row of the pane.
    fn last(&self) -> Point {
        [self.pane.width, self.pane.height].map(|size| f64::from(size - 1))
    }
}

impl Canvas {
    /// Draws a plot into a part of the canvas, and notes in the figure where its axes are.
    pub fn figure(&mut self, viewport: MjrRect, fig: &mut MjvFigure, font: CanvasFont) {
        let (all, left, bottom) = (self.rect(), viewport.left.max(0), viewport.bottom.max(0));
        let size = [
            viewport.width.min(all.width.saturating_sub(left)),
            viewport.height.min(all.height.saturating_sub(bottom)),
        ];
        let whole = MjrRect::new(left, bottom, size[0], size[1]);
        if whole.is_empty() {
            return;
        }
        let letter = i64::from((font.letter() / 2).max(1));
        let lines = lines(fig);
        let layout = Layout::new(fig, whole, letter, &lines);
        self.fill(whole, fig.figurergba.map(f64::from));
        self.fill(layout.pane, fig.panergba.map(f64::from));
        self.grid(fig, &layout);
        self.curves(fig, &layout, &lines);
        self.legend(fig, &layout, &lines);
        let right_of = |text: &str| (f64::from(whole.width) - (letters(text) * CELL * letter) as f64) / 2.0;
        let (bottom, top) = (i64::from(whole.bottom), i64::from(whole.bottom) + i64::from(whole.height));
        for (text, y) in
            [(fig.title.as_str(), top - LINE * letter), (fig.xlabel.as_str(), bottom + PAD * letter)]
        {
            let x = (f64::from(whole.left) + right_of(text)) as i64;
            self.write(text, [x, y], letter, fig.textrgb.map(f64::from));
        }
        let pane = layout.pane;
        fig.xaxispixel = [pane.left, pane.left + pane.width];
        fig.yaxispixel = [pane.bottom, pane.bottom + pane.height];
        fig.xaxisdata = layout.ranges[0].map(|x| x as f32);
        fig.yaxisdata = layout.ranges[1].map(|x| x as f32);
    }

    /// Lines of the grid with their values.
    fn grid(&mut self, fig: &MjvFigure, layout: &Layout) {
        let (font, pane, last) = (layout.font, layout.pane, layout.last());
        for axis in [0, 1] {
            for (share, text) in layout.ticks[axis].iter().zip(&layout.labels[axis]) {
                let at = share * last[axis];
                let ends = if axis == 0 { [[at, 0.0], [at, last[1]]] } else { [[0.0, at], [last[0], at]] };
                self.stroke(pane, &ends, fig.gridwidth.into(), fig.gridrgb);
                if fig.flg_ticklabel[axis] == 0 {
                    continue;
                }
                let extent = letters(text) * CELL * font;
                let (left, bottom) = (f64::from(pane.left), f64::from(pane.bottom));
                let corner = if axis == 0 {
                    [left + at - extent as f64 / 2.0, bottom - (LINE * font) as f64]
                } else {
                    [
                        left - (extent + PAD * font) as f64,
                        bottom + at - (i64::from(HEIGHT) * font) as f64 / 2.0,
                    ]
                };
                self.write(text, corner.map(|x| x as i64), font, fig.textrgb.map(f64::from));
            }
        }
    }

    /// Lines or bars, and the line at the selection.
    fn curves(&mut self, fig: &MjvFigure, layout: &Layout, lines: &[(usize, Vec<Point>)]) {
        let (pane, last) = (layout.pane, layout.last());
        let low = layout.ranges.map(|[low, _]| low);
        let scale = [0, 1].map(|axis| last[axis] / (layout.ranges[axis][1] - layout.ranges[axis][0]));
        let pixel = |point: &Point| [0, 1].map(|axis| (point[axis] - low[axis]) * scale[axis]);
        for (line, points) in lines {
            let pixels: Vec<Point> = points.iter().map(pixel).collect();
            let (width, rgb) = (f64::from(fig.linewidth), fig.linergb[*line]);
            if fig.flg_barplot == 0 {
                self.stroke(pane, &pixels, width, rgb);
                continue;
            }
            let zero = (-low[1] * scale[1]).clamp(0.0, last[1]);
            for [x, y] in pixels {
                self.stroke(pane, &[[x, zero], [x, y]], width.max(0.6 * scale[0]), rgb);
            }
        }
        if fig.flg_selection != 0 {
            let at = (f64::from(fig.selection) - low[0]) * scale[0];
            self.stroke(pane, &[[at, 0.0], [at, last[1]]], 1.0, fig.textrgb);
        }
    }

    /// Names of lines in their colours.
    fn legend(&mut self, fig: &MjvFigure, layout: &Layout, lines: &[(usize, Vec<Point>)]) {
        let names: Vec<(usize, &str)> = lines
            .iter()
            .filter_map(|(line, _)| Some((*line, fig.linename.get(*line)?.as_str())))
            .filter(|(_, name)| !name.is_empty())
            .collect();
        if names.is_empty() || fig.flg_legend == 0 {
            return;
        }
        let (font, pane) = (layout.font, layout.pane);
        let (pad, line) = (PAD * font, LINE * font);
        let width = names.iter().map(|(_, name)| letters(name)).max().unwrap_or(0) * CELL * font + 2 * pad;
        let height = names.len() as i64 * line + pad;
        let x = i64::from(pane.left) + i64::from(pane.width) - width;
        let top = i64::from(pane.bottom) + i64::from(pane.height) - i64::from(fig.legendoffset) * line;
        self.fill(rect([x, top - height], [width, height]), fig.legendrgba.map(f64::from));
        for (row, (index, name)) in names.into_iter().enumerate() {
            let y = top - (row as i64 + 1) * line;
            self.write(name, [x + pad, y], font, fig.linergb[index].map(f64::from));
        }
    }

    /// Draws a polyline into a pane; points are columns and rows from its lower left corner.
    fn stroke(&mut self, pane: MjrRect, points: &[Point], width: f64, rgb: [f32; 3]) {
        let color = bytes(rgb.map(f64::from));
        let longest = pane.width.max(pane.height).max(3);
        let half = (width.round_ties_even() as i64).clamp(1, longest.into());
        let corner = [i64::from(pane.left), i64::from(pane.bottom)];
        // where the square of a pen at a point begins
        let pen = |point: Point| {
            let pixel = point.map(|x| (x.clamp(-1e9, 1e9)).round_ties_even() as i64 - (half - 1) / 2);
            [pixel[0] + corner[0], pixel[1] + corner[1]]
        };
        for (&a, &b) in points.iter().zip(points.iter().skip(1)) {
            if a.iter().chain(&b).any(|x| !x.is_finite()) {
                continue;
            }
            let (from, to) = (pen(a), pen(b));
            if from[0] == to[0] || from[1] == to[1] {
                let first = [from[0].min(to[0]), from[1].min(to[1])];
                let size = [(from[0] - to[0]).abs() + half, (from[1] - to[1]).abs() + half];
                self.paint(first, size, pane, color);
                continue;
            }
            let extent = (b[0] - a[0]).abs().max((b[1] - a[1]).abs());
            let last = extent.min(f64::from(4 * longest)) as i64 + 1;
            for step in 0..=last {
                let share = step as f64 / last as f64;
                self.paint(
                    pen([a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])]),
                    [half; 2],
                    pane,
                    color,
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parabola() -> MjvFigure {
        let mut fig = MjvFigure { gridsize: [3, 5], range: [[0.0; 2]; 2], ..MjvFigure::default() };
        fig.linepnt[0] = 50;
        for (i, point) in fig.linedata[0].iter_mut().enumerate() {
            let x = i as f32 / 49.0 * 4.0;
            *point = [x, x * x];
        }
        fig
    }

    #[test]
    fn lines_are_where_their_points_are() {
        let (mut canvas, mut fig) = (Canvas::new(300, 200).unwrap(), parabola());
        canvas.figure(MjrRect::new(10, 20, 200, 120), &mut fig, CanvasFont::new(150));
        assert_eq!((fig.xaxisdata, fig.yaxisdata), ([0.0, 4.0], [0.0, 16.0]));
        let (x, y) = (fig.xaxispixel, fig.yaxispixel);
        let color = bytes(fig.linergb[0].map(f64::from));
        let column = (x[0] + x[1]) / 2;
        let rows: Vec<i32> = (0..200)
            .filter(|&row| canvas.read_color(MjrRect::new(column, row, 1, 1)).unwrap() == color)
            .collect();
        let expected = y[0] + (y[1] - y[0]) / 4;
        assert!(!rows.is_empty() && rows.iter().all(|row| (row - expected).abs() < 4), "{rows:?} {expected}");
    }

    #[test]
    fn wild_figures_are_drawn_as_far_as_they_go() {
        let mut fig = parabola();
        fig.linewidth = 1e30;
        fig.gridsize = [i32::MAX, i32::MIN];
        fig.linepnt = [i32::MAX; 100];
        fig.linedata[3] = [[f32::NAN, f32::INFINITY]; MAX_LINE_POINTS];
        fig.linedata[4] = [[f32::MAX, f32::MIN]; MAX_LINE_POINTS];
        (fig.legendoffset, fig.selection, fig.flg_selection) = (i32::MIN, f32::NAN, 1);
        for barplot in [0, 1] {
            fig.flg_barplot = barplot;
            for view in [
                MjrRect::new(-5, -5, 20, 20),
                MjrRect::new(5000, 0, 20, 20),
                MjrRect::new(0, 0, i32::MAX, i32::MAX),
            ] {
                Canvas::new(64, 48).unwrap().figure(view, &mut fig, CanvasFont::new(300));
            }
        }
    }

    #[test]
    fn formats_of_labels_are_those_of_c() {
        let cases = [
            ("%.0f", "2"),
            ("%.2g s", "1.5 s"),
            ("t=%5.1f", "t=  1.5"),
            ("%d", "1.5"),
            ("", "1.5"),
            ("%", "1.5"),
        ];
        for (format, expected) in cases {
            assert_eq!(formatted(format, 1.5), expected, "{format}");
        }
        assert_eq!(label("%g", [-1.0, 1.0], 0.5 + 1e-9), "0");
    }
}
