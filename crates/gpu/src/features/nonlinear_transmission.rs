//! Lengths of actuators and tendons that are not linear in joint coordinates: spatial tendons with
//! pulleys and geoms to wrap around, sites, slider-cranks, and ball and free joints. Each is a sum of
//! pieces that act on pairs of bodies.

use crate::features::parameters::{ScratchSizes, Table};
use kinetree_model::Model;
use kinetree_model::enums::{JointType, TrnType, WrapType};
use std::ops::Range;

/// What a kernel computes the pieces of an item from, as it numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Straight = 0,
    AroundSphere = 1,
    AroundCylinder = 2,
    AtSite = 3,
    BetweenSites = 4,
    Crank = 5,
}

/// One or three pieces that are computed together.
#[derive(Clone, Debug)]
struct Item {
    kind: Kind,
    /// Sites, then the geom and the site at its side; -1 where there is none.
    ids: [i32; 4],
    numbers: [f64; 6],
    /// Pairs of bodies that the pieces act on.
    bodies: Vec<[i32; 2]>,
}

/// Transmissions of a model whose length is a nonlinear function of positions.
#[derive(Clone, Debug)]
pub(crate) struct NonlinearTransmissions {
    items: Vec<Item>,
    /// Pieces of each transmission, actuators first.
    pieces: Vec<Range<usize>>,
    /// What the sum over the pieces of a transmission is multiplied with.
    scales: Vec<f64>,
    /// The ball or free joint that a transmission acts on, and whether its gear is fixed to the parent.
    ball_joints: Vec<Option<(usize, bool)>>,
}

impl NonlinearTransmissions {
    pub(crate) fn new(model: &Model) -> Self {
        let count = model.nu + model.ntendon;
        let mut transmissions = Self {
            items: Vec::new(),
            pieces: vec![0..0; count],
            scales: vec![1.0; count],
            ball_joints: vec![None; count],
        };
        for t in (0..model.ntendon).filter(|&t| is_spatial(model, t)) {
            transmissions.pieces[model.nu + t] = transmissions.add_items(path_items(model, t));
        }
        for u in 0..model.nu {
            transmissions.add_actuator(model, u);
        }
        transmissions
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.ball_joints.iter().all(Option::is_none)
    }

    /// Whether tendons wrap around geoms.
    pub(crate) fn wraps(&self) -> bool {
        self.items.iter().any(|item| matches!(item.kind, Kind::AroundSphere | Kind::AroundCylinder))
    }

    /// Number of pieces.
    pub(crate) fn piece_count(&self) -> usize {
        self.items.iter().map(|item| item.bodies.len()).sum()
    }

    /// The items of a transmission.
    pub(crate) fn items_of(&self, transmission: usize) -> Range<usize> {
        let range = &self.pieces[transmission];
        let starts = self.items.iter().scan(0, |next, item| {
            let first = *next;
            *next += item.bodies.len();
            Some(first)
        });
        let before = |start_of: usize| starts.clone().take_while(|&start| start < start_of).count();
        before(range.start)..before(range.end)
    }

    /// Whether a path of a tendon is bent by geoms.
    pub(crate) fn is_wrapped(&self, transmission: usize) -> bool {
        self.items[self.items_of(transmission)].iter().any(|item| item.kind != Kind::Straight)
    }

    fn add_items(&mut self, items: Vec<Item>) -> Range<usize> {
        let first = self.piece_count();
        self.items.extend(items);
        first..self.piece_count()
    }

    fn add_actuator(&mut self, model: &Model, u: usize) {
        let id = model.actuator_trnid[u][0] as usize;
        let gear = model.actuator_gear[u];
        let site_body = |site: i32| model.site_bodyid[site as usize];
        let [first, second] = model.actuator_trnid[u];
        match TrnType::try_from(model.actuator_trntype[u]) {
            Ok(kind @ (TrnType::Joint | TrnType::Jointinparent)) if is_rotating(model, id) => {
                self.ball_joints[u] = Some((id, kind == TrnType::Jointinparent));
            }
            Ok(TrnType::Tendon) if is_spatial(model, id) => {
                self.pieces[u] = self.pieces[model.nu + id].clone();
                self.scales[u] = gear[0];
            }
            Ok(TrnType::Site) if second < 0 => {
                let item = Item {
                    kind: Kind::AtSite,
                    ids: [first, first, -1, -1],
                    numbers: gear,
                    bodies: vec![[0, site_body(first)]],
                };
                self.pieces[u] = self.add_items(vec![item]);
            }
            Ok(TrnType::Site) => {
                let item = Item {
                    kind: Kind::BetweenSites,
                    ids: [first, second, -1, -1],
                    numbers: gear,
                    bodies: vec![[site_body(second), site_body(first)]],
                };
                self.pieces[u] = self.add_items(vec![item]);
            }
            Ok(TrnType::Slidercrank) => {
                let item = Item {
                    kind: Kind::Crank,
                    ids: [first, second, -1, -1],
                    numbers: [gear[0], model.actuator_cranklength[u], 0.0, 0.0, 0.0, 0.0],
                    bodies: vec![[site_body(second), site_body(first)]],
                };
                self.pieces[u] = self.add_items(vec![item]);
            }
            _ => {}
        }
    }

    /// Pieces, moment arms and lengths; nothing where all lengths are linear.
    pub(crate) fn scratch_sizes(&self, transmissions: usize, dofs: usize) -> ScratchSizes {
        if self.is_empty() {
            return ScratchSizes::new();
        }
        vec![
            ("SCRATCH_PIECE", 4 * self.piece_count()),
            ("SCRATCH_ARMS", transmissions * dofs),
            ("SCRATCH_LENGTH", transmissions.div_ceil(4)),
        ]
    }

    /// Writes what the kernels read; nothing where all lengths are linear.
    pub(crate) fn write(&self, model: &Model, table: &mut Table) {
        if self.is_empty() {
            return;
        }
        let starts = self.items.iter().scan(0, |next, item| {
            let first = *next;
            *next += item.bodies.len() as i32;
            Some(first)
        });
        table.size("NITEM", self.items.len());
        table.ints("ITEM_KIND", self.items.iter().map(|item| item.kind as i32));
        table.ints("ITEM_IDS", self.items.iter().flat_map(|item| item.ids));
        table.ints("ITEM_PIECE", starts);
        table.ints("PIECE_BODIES", self.items.iter().flat_map(|item| item.bodies.iter().flatten().copied()));
        table.floats("ITEM_NUMBERS", self.items.iter().flat_map(|item| item.numbers));
        table.ints(
            "TRANSMISSION_PIECES",
            self.pieces.iter().flat_map(|range| [range.start as i32, range.end as i32]),
        );
        table.floats("TRANSMISSION_SCALE", self.scales.iter().copied());
        table.ints(
            "TRANSMISSION_BALL",
            self.ball_joints.iter().map(|ball| ball.map_or(-1, |(joint, _)| joint as i32)),
        );
        table.ints(
            "TRANSMISSION_IN_PARENT",
            self.ball_joints.iter().map(|ball| i32::from(ball.is_some_and(|ball| ball.1))),
        );
        let gear = |transmission: usize| model.actuator_gear.get(transmission).copied().unwrap_or([0.0; 6]);
        table.floats("TRANSMISSION_GEAR", (0..self.scales.len()).flat_map(gear));
        table.ints("SITE_BODYID", model.site_bodyid.iter().copied());
        table.floats("SITE_POS", model.site_pos.as_flattened().iter().copied());
        table.floats("SITE_QUAT", model.site_quat.as_flattened().iter().copied());
    }
}

/// Whether a tendon is a path in space.
pub(crate) fn is_spatial(model: &Model, tendon: usize) -> bool {
    model.tendon_num[tendon] > 0
        && model.wrap_type[model.tendon_adr[tendon] as usize] != WrapType::Joint as i32
}

/// Whether a joint has a quaternion.
pub(crate) fn is_rotating(model: &Model, joint: usize) -> bool {
    model.jnt_type[joint] < JointType::Slide as i32
}

/// The stretches of a spatial tendon, cut by pulleys into branches whose length counts less.
fn path_items(model: &Model, tendon: usize) -> Vec<Item> {
    let first = model.tendon_adr[tendon] as usize;
    let last = first + model.tendon_num[tendon] as usize - 1;
    let kind = |i: usize| WrapType::try_from(model.wrap_type[i]);
    let mut items = Vec::new();
    let (mut divisor, mut i) = (1.0, first);
    while i < last {
        if kind(i) == Ok(WrapType::Pulley) {
            divisor = model.wrap_prm[i];
        }
        if kind(i) == Ok(WrapType::Pulley) || kind(i + 1) == Ok(WrapType::Pulley) {
            i += 1;
            continue;
        }
        let around = match kind(i + 1) {
            Ok(WrapType::Sphere) => Some(Kind::AroundSphere),
            Ok(WrapType::Cylinder) => Some(Kind::AroundCylinder),
            _ => None,
        };
        items.push(stretch(model, i, around, 1.0 / divisor));
        i += if around.is_some() { 2 } else { 1 };
    }
    items
}

/// The stretch that begins with entry `i` of a path.
fn stretch(model: &Model, i: usize, around: Option<Kind>, scale: f64) -> Item {
    let numbers = [scale, 0.0, 0.0, 0.0, 0.0, 0.0];
    let site_body = |site: i32| model.site_bodyid[site as usize];
    let from = model.wrap_objid[i];
    let Some(kind) = around else {
        let to = model.wrap_objid[i + 1];
        let bodies = vec![[site_body(from), site_body(to)]];
        return Item { kind: Kind::Straight, ids: [from, to, -1, -1], numbers, bodies };
    };
    let (geom, to) = (model.wrap_objid[i + 1], model.wrap_objid[i + 2]);
    let side = model.wrap_prm[i + 1].round();
    let side = if side >= 0.0 && side < model.nsite as f64 { side as i32 } else { -1 };
    let (a, b, g) = (site_body(from), site_body(to), model.geom_bodyid[geom as usize]);
    Item { kind, ids: [from, to, geom, side], numbers, bodies: vec![[a, b], [a, g], [g, b]] }
}
