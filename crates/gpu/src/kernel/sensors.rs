//! The kernel of sensors, with the parts that a model needs.

use super::smooth::cluster_dof;
use super::{fill, part};
use crate::body_equality::BodyEqualities;
use crate::precision::Precision;
use crate::sensor_rays::RayScene;
use crate::sensors::Sensors;
use crate::table::Table;
use kinetree_model::Model;
use kinetree_model::enums::GeomType;

const JOINT_LIMITS: &str = "        case JOINT_LIMIT: {
            let adr = ints[DOF_LIMITADR + a];
            var limit = vec3<f32>(0.0);
            if (adr >= 0) {
                let at = 4u * SCRATCH_LIMIT + 2u * a;
                let forces = vec2<f32>(get_scratch(at), get_scratch(at + 1u));
                let x = get_scratch(4u * SCRATCH_QPOS + u32(adr));
                limit = limit_reading(x, get_scratch(4u * SCRATCH_QVEL + a), number3(DOF_RANGE + 3u * a), forces);
            }
            put(s, 0u, limit[index(SENSOR_IDS + 3u * s + 2u)]);
        }
";
const TENDON_LIMITS: &str = "        case TENDON_LIMIT: {
            let row = 4u * SCRATCH_ROW + index(SENSOR_IDS + 3u * s + 1u);
            let forces = vec2<f32>(get_scratch(row), get_scratch(row + 1u));
            let map = scratch[scratch_base + SCRATCH_MAP + a];
            let limit = limit_reading(map.x, map.y, number3(SENSOR_FRAMES + 14u * s), forces);
            put(s, 0u, limit[index(SENSOR_IDS + 3u * s + 2u)]);
        }
        case BALL_LIMIT: {
            let joint = index(BALL_JNT + a);
            let q = 4u * SCRATCH_QPOS + index(JNT_QPOSADR + joint);
            let v = 4u * SCRATCH_QVEL + index(JNT_DOFADR + joint);
            let turn = rotation_vector(unit_quat(vec4<f32>(get_scratch(q), get_scratch(q + 1u), get_scratch(q + 2u), get_scratch(q + 3u))));
            let angle = length(turn);
            let axis = select(vec3<f32>(1.0, 0.0, 0.0), turn / angle, angle > 1e-15);
            let spin = dot(axis, vec3<f32>(get_scratch(v), get_scratch(v + 1u), get_scratch(v + 2u)));
            let force = get_scratch(4u * SCRATCH_ROW + NFIXED - NBALL + a);
            let bound = number2(BALL_NUMBERS + BALL_SIZE * a);
            let limit = limit_reading(angle, spin, vec3<f32>(-1e30, bound), vec2<f32>(0.0, force));
            put(s, 0u, limit[index(SENSOR_IDS + 3u * s + 2u)]);
        }
";
const ENERGIES: &str = "        case E_POTENTIAL: { put(s, 0u, potential_energy()); }
        case E_KINETIC: { put(s, 0u, kinetic_energy()); }
";
const RANGES: &str = "        case RANGE: { read_range(s, a); }\n";
const CONTACTS: &str = "        case CONTACT: { read_contacts(s); }\n";
const WRENCHES: &str = "        case FORCE, TORQUE: { interaction(s, kind, frame); }\n";
const PLACES: &str = "        case INSIDE_SITE: { read_inside(s, frame); }
        case CAM_PROJECTION: { read_projection(s, frame); }
";
/// Wrenches of equalities of bodies, as their rows have them.
const EQUALITIES: &str = "    for (var e = 0u; e < NBODYEQ; e++) {
        // rows push the first body
        for (var side = 0u; side < 2u; side++) {
            let own = index(EQUALITY_BODIES + 2u * e + side);
            if (own < b || own >= end) { continue; }
            let at = EQUALITY_NUMBERS + EQUALITY_SIZE * e;
            let row = 4u * SCRATCH_ROW + NLINEAR + index(EQUALITY_ROW + e);
            let is_weld = index(EQUALITY_ROW + e + 1u) - index(EQUALITY_ROW + e) == 6u;
            let away = select(-1.0, 1.0, side == 1u);
            let force = away * vec3<f32>(get_scratch(row), get_scratch(row + 1u), get_scratch(row + 2u));
            var torque = vec3<f32>(0.0);
            if (is_weld) { torque = away * vec3<f32>(get_scratch(row + 3u), get_scratch(row + 4u), get_scratch(row + 5u)); }
            let point = body_pos(own) + rotate(body_quat(own), number3(at + 3u * side));
            total = add_wrench(total, site.pos, point, force, torque);
        }
    }
";
const MESHES: &str = "            case RAY_MESH_SHAPE: { hit = ray_mesh(k, p, d, size); }\n";
const FIELDS: &str = "            case RAY_HFIELD: { hit = ray_field(k, p, d); }\n";

/// The text of the kernel behind what all kernels share.
pub(super) fn sensor_kernel(model: &Model, precision: Precision) -> String {
    let needs = Sensors::new(model).needs();
    let only = |condition: bool, text: &'static str| if condition { text } else { "" };
    let cases = [
        only(needs.joint_limits, JOINT_LIMITS),
        only(needs.row_limits, TENDON_LIMITS),
        only(needs.energy, ENERGIES),
        only(needs.rays, RANGES),
        only(needs.contacts, CONTACTS),
    ]
    .concat();
    let frames = [only(needs.wrenches, WRENCHES), only(needs.places, PLACES)].concat();
    let mut constants = Table::new(precision);
    constants.quantity("TIMESTEP", model.opt.timestep);
    let mut text = constants.constants + &fill(part::SENSORS, &[("CASES", &cases), ("FRAME_CASES", &frames)]);
    text += only(needs.joint_limits || needs.row_limits, part::SENSORS_LIMIT);
    text += only(needs.places, part::SENSORS_PLACE);
    text += only(needs.contacts, part::SENSORS_CONTACT);
    if needs.wrenches {
        let held = !BodyEqualities::new(model).is_empty();
        text += &fill(part::SENSORS_WRENCH, &[("EQUALITIES", only(held, EQUALITIES))]);
    }
    if needs.energy {
        text += cluster_dof(model);
        text += part::SENSORS_ENERGY;
    }
    if needs.rays {
        text += &ray_text(model);
    }
    text
}

/// Rays against the shapes that there are.
fn ray_text(model: &Model) -> String {
    let scene = RayScene::new(model);
    let (meshes, fields) = (scene.has(model, GeomType::Mesh), scene.has(model, GeomType::Hfield));
    let only = |condition: bool, text: &'static str| if condition { text } else { "" };
    let shapes = [only(meshes, MESHES), only(fields, FIELDS)].concat();
    fill(part::SENSORS_RAY, &[("RAY_SHAPES", &shapes)])
        + only(meshes || fields, part::SENSORS_RAY_TRIANGLE)
        + only(meshes, part::SENSORS_RAY_MESH)
        + only(fields, part::SENSORS_RAY_FIELD)
}
