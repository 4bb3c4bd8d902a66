//! Comparing two compiled models field by field.

use crate::{Field, FieldSlice, Model};

impl Model {
    /// What differs between two models: the first size, option or array that is not the same. Integers and
    /// text must agree exactly, floats within `tolerance` of the largest magnitude of their array, at least
    /// 1. `None`: nothing differs.
    #[must_use]
    pub fn difference(&self, other: &Model, tolerance: f64) -> Option<String> {
        let sizes = self.sizes().iter().into_iter().zip(other.sizes().iter());
        if let Some(((name, a), (_, b))) = sizes.into_iter().find(|(a, b)| a != b) {
            return Some(format!("{name}: {a} and {b}"));
        }
        let groups = |model: &Model, f: &mut dyn FnMut(Field<'_>)| {
            model.opt.fields().into_iter().for_each(&mut *f);
            model.stat.fields().into_iter().for_each(&mut *f);
            model.vis.groups().into_iter().flat_map(|(_, fields)| fields).for_each(&mut *f);
            model.fields().into_iter().for_each(&mut *f);
        };
        let mut own: Vec<(&'static str, Numbers)> = Vec::new();
        groups(self, &mut |field| own.push((field.name, Numbers::of(field.data))));
        let mut own = own.into_iter();
        let mut found = None;
        groups(other, &mut |field| {
            let Some((name, mine)) = own.next() else { return };
            if found.is_none() {
                found = mine.differs(&Numbers::of(field.data), tolerance).map(|what| format!("{name}{what}"));
            }
        });
        found
    }
}

/// The numbers of a field.
enum Numbers {
    Floats(Vec<f64>),
    Integers(Vec<i64>),
}

impl Numbers {
    fn of(data: FieldSlice<'_>) -> Self {
        match data {
            FieldSlice::F64(s) => Self::Floats(s.to_vec()),
            FieldSlice::F32(s) => Self::Floats(s.iter().map(|&x| f64::from(x)).collect()),
            FieldSlice::I32(s) => Self::Integers(s.iter().map(|&x| i64::from(x)).collect()),
            FieldSlice::I64(s) => Self::Integers(s.to_vec()),
            FieldSlice::U64(s) => Self::Integers(s.iter().map(|&x| x as i64).collect()),
            FieldSlice::U8(s) => Self::Integers(s.iter().map(|&x| i64::from(x)).collect()),
        }
    }

    /// The first index at which two lists differ, with both values.
    fn differs(&self, other: &Self, tolerance: f64) -> Option<String> {
        match (self, other) {
            (Self::Floats(a), Self::Floats(b)) => {
                let scale = a.iter().filter(|x| x.is_finite()).fold(1.0f64, |scale, x| scale.max(x.abs()));
                let same = |(x, y): (&f64, &f64)| {
                    x == y || (x - y).abs() <= tolerance * scale || (x.is_nan() && y.is_nan())
                };
                let index = a.iter().zip(b).position(|pair| !same(pair))?;
                Some(format!("[{index}]: {} and {}", a[index], b[index]))
            }
            (Self::Integers(a), Self::Integers(b)) => {
                let index = a.iter().zip(b).position(|(x, y)| x != y)?;
                Some(format!("[{index}]: {} and {}", a[index], b[index]))
            }
            _ => Some(": another type".to_owned()),
        }
    }
}
