//! `kinetree plot`: a trajectory as a picture.

mod raster;

use crate::failure::Failure;
use crate::output::Output;
use plotters::coord::Shift;
use plotters::prelude::*;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Lines in one panel; more could not be distinguished.
const MAX_LINES: usize = 10;

/// Colours that can be distinguished, also by people who do not see all of them.
const COLORS: [RGBColor; MAX_LINES] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 120, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 60, 60),
    RGBColor(120, 94, 190),
    RGBColor(120, 80, 50),
    RGBColor(214, 90, 170),
    RGBColor(90, 90, 90),
    RGBColor(150, 160, 20),
    RGBColor(60, 180, 210),
];

/// Draw a trajectory recorded by `kinetree step` as an SVG or PNG picture.
///
/// Without --columns it shows joint positions, energies and the number of contacts over time, one panel each.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree plot fall.csv\n  kinetree plot fall.csv --columns qpos.root.z,energy --out height.png"
)]
pub(crate) struct Args {
    /// A .csv file written by `kinetree step`.
    trajectory: PathBuf,
    /// Columns or groups of columns; one panel for each.
    #[arg(long, value_delimiter = ',')]
    columns: Vec<String>,
    /// Picture to write; by default next to the trajectory.
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    out: Option<PathBuf>,
}

/// A table with named columns; the first is time.
struct Table {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

/// One picture of several columns.
struct Panel {
    title: String,
    columns: Vec<usize>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    let path = args.out.clone().unwrap_or_else(|| args.trajectory.with_extension("svg"));
    let pixels = match path.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => false,
        Some("png") => true,
        _ => {
            return Err(Failure::Message(format!(
                "unsupported: '{}' is neither an .svg nor a .png file",
                path.display()
            )));
        }
    };
    let table = Table::read(&args.trajectory)?;
    let panels =
        if args.columns.is_empty() { table.default_panels() } else { table.panels(&args.columns)? };
    let picture = if pixels { draw_png(&table, &panels) } else { draw_svg(&table, &panels) };
    let picture = picture.map_err(|error| Failure::Message(format!("cannot draw: {error}")))?;
    std::fs::write(&path, picture).map_err(|error| Failure::file("write", &path, &error))?;
    if out.json {
        let titles: Vec<&str> = panels.iter().map(|panel| panel.title.as_str()).collect();
        out.value(
            &json!({ "file": path.display().to_string(), "panels": titles, "rows": table.rows.len() }),
        )?;
    } else {
        writeln!(out, "wrote {}", path.display())?;
    }
    Ok(())
}

impl Table {
    fn read(path: &Path) -> Result<Table, Failure> {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))?;
        let at = |line: usize, what: &str| {
            Failure::WithHelp(
                format!("{}:{line}: {what}", path.display()),
                "`kinetree step MODEL --out FILE.csv` writes what can be plotted".into(),
            )
        };
        let mut lines = text.lines();
        let names = split_header(lines.next().unwrap_or(""));
        if names.first().is_none_or(|name| name != "time") {
            return Err(at(1, "the first column should be called 'time'"));
        }
        let mut rows = Vec::new();
        for (i, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let row: Result<Vec<f64>, _> = line.split(',').map(|cell| cell.trim().parse()).collect();
            let row = row.map_err(|_| at(i + 2, "a cell is not a number"))?;
            if row.len() != names.len() {
                return Err(at(i + 2, &format!("{} cells, but {} columns", row.len(), names.len())));
            }
            rows.push(row);
        }
        if rows.len() < 2 {
            return Err(at(1, "there are fewer than two rows"));
        }
        Ok(Table { names, rows })
    }

    /// Columns called `name`, or that belong to the group `name`.
    fn select(&self, name: &str) -> Vec<usize> {
        let prefix = format!("{name}.");
        let fits = |column: &String| column == name || column.starts_with(&prefix);
        (1..self.names.len()).filter(|&i| fits(&self.names[i])).collect()
    }

    fn default_panels(&self) -> Vec<Panel> {
        let groups = [("qpos", "joint positions"), ("energy", "energy [J]"), ("ncon", "contacts")];
        let panel = |(name, title): (&str, &str)| Panel { title: title.into(), columns: self.select(name) };
        groups.into_iter().map(panel).filter(|panel| !panel.columns.is_empty()).collect()
    }

    fn panels(&self, names: &[String]) -> Result<Vec<Panel>, Failure> {
        let panel = |name: &String| match self.select(name) {
            columns if columns.is_empty() => Err(Failure::WithHelp(
                format!("the trajectory has no column '{name}'"),
                format!("its columns are: {}", self.names.join(", ")),
            )),
            columns => Ok(Panel { title: name.clone(), columns }),
        };
        names.iter().map(panel).collect()
    }
}

/// Column titles; a quoted title may hold commas.
fn split_header(line: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => names.push(String::new()),
            _ => {
                if let Some(name) = names.last_mut() {
                    name.push(c);
                }
            }
        }
    }
    names
}

type DrawError = Box<dyn std::error::Error>;

/// Enlargement of pictures made of pixels, so that they stay sharp on fine screens.
const PIXELS: u32 = 2;

fn size(panels: &[Panel], scale: u32) -> (u32, u32) {
    (860 * scale, (40 + 240 * panels.len().max(1) as u32) * scale)
}

fn draw_svg(table: &Table, panels: &[Panel]) -> Result<Vec<u8>, DrawError> {
    let mut svg = String::new();
    draw(table, panels, &SVGBackend::with_string(&mut svg, size(panels, 1)).into_drawing_area(), 1)?;
    Ok(svg.into_bytes())
}

fn draw_png(table: &Table, panels: &[Panel]) -> Result<Vec<u8>, DrawError> {
    let (size, mut pixels) = (size(panels, PIXELS), Vec::new());
    draw(table, panels, &raster::Raster::new(size, &mut pixels).into_drawing_area(), PIXELS)?;
    Ok(raster::encode(size, &pixels)?)
}

fn draw<B: DrawingBackend>(
    table: &Table,
    panels: &[Panel],
    root: &DrawingArea<B, Shift>,
    scale: u32,
) -> Result<(), DrawError>
where
    B::ErrorType: 'static,
{
    root.fill(&WHITE)?;
    for (panel, area) in panels.iter().zip(root.split_evenly((panels.len().max(1), 1))) {
        draw_panel(table, panel, &area, scale)?;
    }
    root.present()?;
    Ok(())
}

fn draw_panel<B: DrawingBackend>(
    table: &Table,
    panel: &Panel,
    area: &DrawingArea<B, Shift>,
    scale: u32,
) -> Result<(), DrawError>
where
    B::ErrorType: 'static,
{
    let (stroke, length) = (2 * scale, 14 * scale as i32);
    let shown = &panel.columns[..panel.columns.len().min(MAX_LINES)];
    let title = match panel.columns.len() - shown.len() {
        0 => panel.title.clone(),
        more => format!("{} (first {MAX_LINES} of {})", panel.title, MAX_LINES + more),
    };
    let times = (table.rows[0][0], table.rows[table.rows.len() - 1][0]);
    let (low, high) = range(table, shown);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 16 * scale))
        .margin(8 * scale)
        .margin_right(16 * scale)
        .x_label_area_size(28 * scale)
        .y_label_area_size(56 * scale)
        .build_cartesian_2d(times.0..times.1.max(times.0 + 1e-9), low..high)?;
    chart
        .configure_mesh()
        .max_light_lines(0)
        .bold_line_style(BLACK.mix(0.1))
        .x_desc("time [s]")
        .label_style(("sans-serif", 11 * scale))
        .draw()?;
    for (&column, color) in shown.iter().zip(COLORS) {
        let points = table.rows.iter().map(|row| (row[0], row[column])).filter(|point| point.1.is_finite());
        let name = table.names[column].split_once('.').map_or(table.names[column].as_str(), |(_, name)| name);
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(stroke)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + length, y)], color.stroke_width(stroke)));
    }
    if shown.len() > 1 {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.8))
            .label_font(("sans-serif", 11 * scale))
            .draw()?;
    }
    Ok(())
}

/// Smallest and largest value with a little room; a constant gets a range around it.
fn range(table: &Table, columns: &[usize]) -> (f64, f64) {
    let values = table.rows.iter().flat_map(|row| columns.iter().map(|&c| row[c])).filter(|v| v.is_finite());
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if low > high {
        return (0.0, 1.0);
    }
    let room = if high > low { 0.05 * (high - low) } else { low.abs().max(1.0) * 0.5 };
    (low - room, high + room)
}
