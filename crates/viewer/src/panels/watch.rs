//! Fields of the data that the user watches, by the names that the engine has for them.

use super::PanelContext;
use super::icon::Icon;
use egui::{Grid, TextEdit, Ui};
use kinetree_model::{Data, FieldSlice};

/// Most numbers of a field that are shown.
const SHOWN: usize = 12;

/// What is watched.
#[derive(Default)]
pub(crate) struct Watches {
    /// What is being typed.
    typed: String,
    list: Vec<String>,
}

pub(crate) fn show(ui: &mut Ui, cx: &PanelContext<'_>, watches: &mut Watches) {
    let data = &cx.snapshot.data;
    let Watches { typed, list } = watches;
    let hint =
        TextEdit::singleline(typed).hint_text("field, such as qpos or xpos[2]").desired_width(f32::INFINITY);
    let name = ui.label("Field to watch");
    let entered = ui.add(hint).labelled_by(name.id);
    if entered.lost_focus()
        && ui.input(|input| input.key_pressed(egui::Key::Enter))
        && read(data, typed).is_ok()
    {
        list.push(std::mem::take(typed).trim().to_owned());
    }
    if !typed.trim().is_empty()
        && let Err(why) = read(data, typed)
    {
        ui.weak(why);
    }
    let mut gone = None;
    Grid::new("watch").num_columns(3).striped(true).show(ui, |ui| {
        for (i, name) in list.iter().enumerate() {
            ui.label(egui::RichText::new(name).weak());
            // a model that has changed may not have the row any more
            let text = read(data, name).unwrap_or_else(|why| why);
            ui.label(egui::RichText::new(text).monospace().size(11.5));
            if Icon::Close.button(ui, &format!("Do not watch {name}")).clicked() {
                gone = Some(i);
            }
            ui.end_row();
        }
    });
    if let Some(i) = gone {
        list.remove(i);
    }
}

/// Numbers of `field`, `field[row]` or `field[row][column]`, or why there are none.
fn read(data: &Data, text: &str) -> Result<String, String> {
    let text = text.trim();
    let (name, index) = text.split_at(text.find('[').unwrap_or(text.len()));
    let indices =
        indices(index).ok_or_else(|| format!("'{index}' is no index: write {name}[2] or {name}[2][0]"))?;
    let (values, [rows, columns]) =
        values(data, name).ok_or_else(|| format!("there is no field '{name}'"))?;
    let chosen = match indices[..] {
        [] => 0..values.len(),
        [row] if row < rows => row * columns..(row + 1) * columns,
        [row, column] if row < rows && column < columns => row * columns + column..row * columns + column + 1,
        _ => return Err(format!("{name} has {rows} rows of {columns}")),
    };
    let count = chosen.len();
    let mut words: Vec<String> = values[chosen].iter().take(SHOWN).map(|&x| short(x)).collect();
    if count > SHOWN {
        words.push(format!("… ({count} numbers)"));
    }
    Ok(words.join(" "))
}

/// The numbers in brackets, none without brackets.
fn indices(text: &str) -> Option<Vec<usize>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    inner.replace("][", ",").split(',').map(|word| word.trim().parse().ok()).collect()
}

/// All numbers of a field, and its rows and columns.
fn values(data: &Data, name: &str) -> Option<(Vec<f64>, [usize; 2])> {
    let one = |value: f64| Some((vec![value], [1, 1]));
    match name {
        "time" => return one(data.time),
        "ncon" => return one(data.ncon as f64),
        "nefc" => return one(data.nefc as f64),
        "nisland" => return one(data.nisland as f64),
        "energy" => return Some((data.energy.to_vec(), [2, 1])),
        _ => {}
    }
    let fields = data.fields();
    let field = fields.iter().find(|field| field.name == name)?;
    let values: Vec<f64> = match field.data {
        FieldSlice::F64(values) => values.to_vec(),
        FieldSlice::F32(values) => values.iter().map(|&x| x.into()).collect(),
        FieldSlice::I32(values) => values.iter().map(|&x| x.into()).collect(),
        FieldSlice::I64(values) => values.iter().map(|&x| x as f64).collect(),
        FieldSlice::U64(values) => values.iter().map(|&x| x as f64).collect(),
        FieldSlice::U8(values) => values.iter().map(|&x| x.into()).collect(),
    };
    let [rows, width, depth] = field.shape;
    Some((values, [rows, width * depth]))
}

/// Whole numbers as they are, others with five digits.
fn short(x: f64) -> String {
    match x.abs() {
        size if x.fract() == 0.0 && size < 1e15 => format!("{x:.0}"),
        size if (1e-3..1e5).contains(&size) => format!("{x:.5}"),
        _ => format!("{x:.4e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_name_row_and_column() {
        let text =
            "<mujoco><worldbody><body pos='1 2.5 3'><freejoint/><geom size='1'/></body></worldbody></mujoco>";
        let model = kinetree_spec::load_model_str(text).unwrap_or_else(|faults| panic!("{faults}"));
        let mut data = Data::new(&model);
        assert!(kinetree_sim::mj_forward(&model, &mut data).is_ok());
        data.time = 0.25;
        for (text, shown) in [
            ("qpos", "1 2.50000 3 1 0 0 0"),
            ("xpos[1]", "1 2.50000 3"),
            (" xpos[1][2] ", "3"),
            ("xpos[1, 2]", "3"),
            ("qvel[2]", "0"),
            ("time", "0.25000"),
            ("energy[0]", "0"),
            ("ncon", "0"),
            ("xmat", "1 0 0 0 1 0 0 0 1 1 0 0 … (18 numbers)"),
        ] {
            assert_eq!(read(&data, text).as_deref(), Ok(shown), "{text}");
        }
        for (text, why) in [
            ("qpso", "there is no field 'qpso'"),
            ("xpos[2]", "xpos has 2 rows of 3"),
            ("xpos[1][3]", "xpos has 2 rows of 3"),
            ("xpos[1", "'[1' is no index: write xpos[2] or xpos[2][0]"),
            ("xpos[-1]", "'[-1]' is no index: write xpos[2] or xpos[2][0]"),
            ("xpos[1][2][0]", "xpos has 2 rows of 3"),
        ] {
            assert_eq!(read(&data, text).err().as_deref(), Some(why), "{text}");
        }
    }
}
