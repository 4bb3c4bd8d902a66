//! The list of all coordinates that are identified, and models with their present values.

use super::quantity::{FieldChange, Quantity, set_constants};
use crate::error::{ControlError, expect};
use kinetree_model::{Data, Model};

/// Relative perturbation of coordinates for differences of steps.
const EPS: f64 = 1e-6;
/// What the solver may take for differences of steps, which must not see where it stops.
const ITERATIONS: i32 = 200;

/// A quantity that is identified.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// The quantity.
    pub quantity: Quantity,
    /// Values to begin with; those of the model when there are none.
    pub initial: Option<Vec<f64>>,
    /// Least values; those that make sense when there are none.
    pub lower: Option<Vec<f64>>,
    /// Greatest values.
    pub upper: Option<Vec<f64>>,
    /// What is known beforehand: means and standard deviations (infinite where nothing is known).
    pub prior: Option<(Vec<f64>, Vec<f64>)>,
}

impl Unknown {
    /// A quantity about which nothing is known but the model's own value to begin with.
    #[must_use]
    pub fn new(quantity: Quantity) -> Self {
        Self { quantity, initial: None, lower: None, upper: None, prior: None }
    }
}

/// A coordinate of a quantity.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    unknown: usize,
    coordinate: usize,
    pub(crate) name: String,
    pub(crate) bounds: [f64; 2],
    /// Mean and deviation.
    pub(crate) prior: Option<[f64; 2]>,
    pub(crate) moves_constants: bool,
    /// The actuator whose delay it is.
    pub(crate) delay: Option<usize>,
}

/// All coordinates that are identified.
#[derive(Clone, Debug)]
pub(crate) struct Parameters {
    quantities: Vec<Quantity>,
    pub(crate) columns: Vec<Column>,
    /// Fields with gradients that the quantities change.
    pub(crate) fields: Vec<&'static str>,
    pub(crate) initial: Vec<f64>,
}

/// Two models around the present one, along a coordinate.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) models: [Model; 2],
    pub(crate) distance: f64,
}

/// The model with the present values, and those around it.
#[derive(Debug)]
pub(crate) struct Versions {
    pub(crate) model: Model,
    pub(crate) delays: Vec<f64>,
    /// What each coordinate does to fields with gradients.
    pub(crate) changes: Vec<Option<Vec<FieldChange>>>,
    pub(crate) moved: Vec<Pair>,
}

impl Parameters {
    pub(crate) fn new(model: &Model, unknowns: &[Unknown]) -> Result<Self, ControlError> {
        if unknowns.is_empty() {
            return Err(ControlError::Unidentified("there are no parameters to identify"));
        }
        let mut found =
            Self { quantities: Vec::new(), columns: Vec::new(), fields: Vec::new(), initial: Vec::new() };
        for (index, unknown) in unknowns.iter().enumerate() {
            let quantity = &unknown.quantity;
            quantity.check(model)?;
            let contradicts = |other: &Quantity| {
                let body = |quantity: &Quantity| match quantity {
                    Quantity::Mass(body) | Quantity::Inertia(body) => Some(*body),
                    _ => None,
                };
                other == quantity || (body(other).is_some() && body(other) == body(quantity))
            };
            if found.quantities.iter().any(contradicts) {
                let quantity = quantity.name(model, 0);
                return Err(ControlError::Quantity { quantity, reason: "it is asked for twice" });
            }
            found.quantities.push(quantity.clone());
            found.add(model, index, unknown)?;
        }
        Ok(found)
    }

    /// Adds the coordinates of a quantity.
    fn add(&mut self, model: &Model, index: usize, unknown: &Unknown) -> Result<(), ControlError> {
        let quantity = &unknown.quantity;
        let (count, [low, high]) = (quantity.count(), quantity.bounds());
        let initial = match &unknown.initial {
            Some(initial) => initial.clone(),
            None => quantity.nominal(model)?,
        };
        expect("the list of initial values", &initial, count)?;
        let sized = |what: &'static str, list: &Option<Vec<f64>>, least: f64| match list {
            Some(list) if list.len() != count => {
                Err(ControlError::Size { what, expected: count, found: list.len() })
            }
            Some(list) => Ok(list.clone()),
            None => Ok(vec![least; count]),
        };
        let (lower, upper) = (
            sized("the list of lower bounds", &unknown.lower, low)?,
            sized("the list of upper bounds", &unknown.upper, high)?,
        );
        for coordinate in 0..count {
            let bounds = [lower[coordinate].max(low), upper[coordinate].min(high)];
            let name = quantity.name(model, coordinate);
            let value = initial[coordinate];
            if bounds[0] >= bounds[1] || bounds.iter().any(|bound| bound.is_nan()) {
                return Err(ControlError::Quantity { quantity: name, reason: "its bounds leave no room" });
            }
            if !(bounds[0]..=bounds[1]).contains(&value) {
                let reason = "its initial value is outside of its bounds";
                return Err(ControlError::Quantity { quantity: name, reason });
            }
            let prior = match &unknown.prior {
                Some((means, deviations)) => {
                    expect("the list of means of the prior", means, count)?;
                    let deviation = deviations.get(coordinate).copied().unwrap_or(f64::NAN);
                    if deviation.is_nan() || deviation <= 0.0 {
                        let reason = "the deviation of its prior should be above zero";
                        return Err(ControlError::Quantity { quantity: name, reason });
                    }
                    deviation.is_finite().then_some([means[coordinate], deviation])
                }
                None => None,
            };
            self.columns.push(Column {
                unknown: index,
                coordinate,
                name,
                bounds,
                prior,
                moves_constants: quantity.moves_constants(),
                delay: if let Quantity::Delay(actuator) = quantity { Some(*actuator) } else { None },
            });
        }
        for change in quantity.changes(model, &initial, 0).into_iter().flatten() {
            self.add_field(change.field);
        }
        if quantity.moves_constants() && model.dof_simplenum.iter().any(|count| *count > 0) {
            self.add_field("dof_M0");
        }
        self.initial.extend(initial);
        Ok(())
    }

    fn add_field(&mut self, field: &'static str) {
        if !self.fields.contains(&field) {
            self.fields.push(field);
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.columns.len()
    }

    /// A change of each coordinate that is neither small nor large.
    pub(crate) fn scales(&self, model: &Model, values: &[f64]) -> Vec<f64> {
        let scale = |(column, value): (&Column, &f64)| {
            self.quantities[column.unknown].scale(model, column.coordinate, *value)
        };
        self.columns.iter().zip(values).map(scale).collect()
    }

    /// The model with values of the coordinates, and the delays of its controls.
    pub(crate) fn model(&self, nominal: &Model, values: &[f64]) -> Result<(Model, Vec<f64>), ControlError> {
        let (mut model, mut delays) = (nominal.clone(), vec![0.0; nominal.nu]);
        let mut rest = values;
        for quantity in &self.quantities {
            let (own, others) = rest.split_at(quantity.count());
            quantity.apply(nominal, own, &mut model);
            if let Quantity::Delay(actuator) = quantity {
                delays[*actuator] = own[0];
            }
            rest = others;
        }
        if self.columns.iter().any(|column| column.moves_constants) {
            let mut data = Data::new(&model);
            set_constants(&mut model, &mut data)?;
        }
        Ok((model, delays))
    }

    /// The model with values of the coordinates, and those around it.
    pub(crate) fn versions(&self, nominal: &Model, values: &[f64]) -> Result<Versions, ControlError> {
        let (model, delays) = self.model(nominal, values)?;
        let scales = self.scales(&model, values);
        let (mut changes, mut moved) = (Vec::new(), Vec::new());
        for (index, column) in self.columns.iter().enumerate() {
            let quantity = &self.quantities[column.unknown];
            let first = index - column.coordinate;
            let own = &values[first..first + quantity.count()];
            let (value, eps, [low, _]) = (values[index], EPS * scales[index], quantity.bounds());
            let ends = [(value - eps).max(low), value + eps];
            let mut models = Vec::new();
            for end in ends {
                let mut around = values.to_vec();
                around[index] = end;
                let mut model = self.model(nominal, &around)?.0;
                (model.opt.tolerance, model.opt.iterations) = (0.0, model.opt.iterations.max(ITERATIONS));
                models.push(model);
            }
            let models: [Model; 2] = models
                .try_into()
                .map_err(|_| ControlError::Unidentified("a parameter has no models around it"))?;
            let distance = ends[1] - ends[0];
            let mut own_changes = quantity.changes(&model, own, column.coordinate);
            if let Some(own_changes) = &mut own_changes
                && column.moves_constants
            {
                for dof in (0..model.nv).filter(|&dof| model.dof_simplenum[dof] > 0) {
                    let derivative = (models[1].dof_M0[dof] - models[0].dof_M0[dof]) / distance;
                    own_changes.push(FieldChange { field: "dof_M0", index: dof, derivative });
                }
            }
            changes.push(own_changes);
            moved.push(Pair { models, distance });
        }
        Ok(Versions { model, delays, changes, moved })
    }
}
