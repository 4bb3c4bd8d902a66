//! User data: how many numbers each kind of element carries, and copying them.

use crate::spec::Spec;

/// Numbers per element of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UserSizes {
    pub(crate) body: usize,
    pub(crate) jnt: usize,
    pub(crate) geom: usize,
    pub(crate) site: usize,
    pub(crate) cam: usize,
    pub(crate) tendon: usize,
    pub(crate) actuator: usize,
    pub(crate) sensor: usize,
}

impl UserSizes {
    /// Sizes that the user fixed, or the longest list of each kind.
    pub(crate) fn of(spec: &Spec) -> Self {
        fn pick<'a>(fixed: i32, lists: impl Iterator<Item = &'a Vec<f64>>) -> usize {
            usize::try_from(fixed).unwrap_or_else(|_| lists.map(Vec::len).max().unwrap_or(0))
        }
        let size = &spec.size;
        Self {
            body: pick(size.nuser_body, spec.bodies.values().map(|e| &e.userdata)),
            jnt: pick(size.nuser_jnt, spec.joints.values().map(|e| &e.userdata)),
            geom: pick(size.nuser_geom, spec.geoms.values().map(|e| &e.userdata)),
            site: pick(size.nuser_site, spec.sites.values().map(|e| &e.userdata)),
            cam: pick(size.nuser_cam, spec.cameras.values().map(|e| &e.userdata)),
            tendon: pick(size.nuser_tendon, spec.tendons.values().map(|e| &e.userdata)),
            actuator: pick(size.nuser_actuator, spec.actuators.values().map(|e| &e.userdata)),
            sensor: pick(size.nuser_sensor, spec.sensors.values().map(|e| &e.userdata)),
        }
    }
}

/// Refuses lists longer than the user allowed.
pub(crate) fn check(given: usize, allowed: usize, size: &str) -> Result<(), String> {
    if given <= allowed { Ok(()) } else { Err(format!("'user' has {given} values, but {size} is {allowed}")) }
}

/// Copies the data of element `id`; missing numbers stay zero.
pub(crate) fn write(array: &mut [f64], width: usize, id: usize, data: &[f64]) {
    array[id * width..id * width + data.len()].copy_from_slice(data);
}
