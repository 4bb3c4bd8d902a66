//! Live plots of sensors, energies, contacts and timings.

use crate::signal::{Plot, Signals};
use egui::Ui;
use egui_plot::{Legend, Line, PlotPoints};

pub(crate) fn show(ui: &mut Ui, signals: &mut Signals) {
    ui.horizontal(|ui| {
        for plot in signals.plots.iter_mut().filter(|plot| !plot.lines.is_empty()) {
            ui.toggle_value(&mut plot.shown, plot.name);
        }
    });
    let Signals { times, plots, .. } = signals;
    let shown: Vec<&Plot> = plots.iter().filter(|plot| plot.shown && !plot.lines.is_empty()).collect();
    if shown.is_empty() {
        return;
    }
    let height = ui.available_height();
    let times: Vec<f64> = times.iter().copied().collect();
    ui.columns(shown.len(), |columns| {
        for (ui, plot) in columns.iter_mut().zip(shown) {
            chart(ui, plot, &times, height);
        }
    });
}

fn chart(ui: &mut Ui, plot: &Plot, times: &[f64], height: f32) {
    egui_plot::Plot::new(plot.name)
        .height(height)
        .legend(Legend::default().text_style(egui::TextStyle::Small).background_alpha(0.4))
        .allow_scroll(false)
        .allow_drag(false)
        .show(ui, |chart| {
            for line in &plot.lines {
                let points = times.iter().zip(&line.values).map(|(&t, &value)| [t, value]);
                chart.line(Line::new(&line.name, PlotPoints::from_iter(points)));
            }
        });
}
