//! Cost of a step of a cloth of 15 × 15 vertices on a box, beside a flex of the same grid.
//!
//! ```text
//! cargo run --release -p kinetree-soft --example beside_flex
//! ```
//!
//! Both fall on a box and come to rest first. Then their steps take turns, and the processor time of this
//! thread counts: of each turn of ten steps, the median. `beside_flex positions` prints the vertices of the
//! cloth instead.

use kinetree_model::{Data, Model};
use kinetree_soft::{Cloth, ClothPreset, DeformableBody, SoftWorld, XpbdSettings};
use std::error::Error;

/// Steps of a turn.
const STEPS: usize = 10;
const TURNS: usize = 15;

const GEOMS: &str = "<geom type='plane' size='2 2 1'/>";
const FIXED: &str = "<geom type='box' size='.1 .1 .1' pos='0 0 .1'/>";
const FREE: &str = "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='2'/></body>";
const FLEX: &str = "<flexcomp name='cloth' type='grid' dim='2' count='15 15 1' spacing='.0357 .0357 .1' pos='.011 .007 .22'
    mass='.075' radius='.001'><edge equality='true' damping='.01'/><contact solref='.005 1' selfcollide='none'/></flexcomp>";

fn load(bodies: &str) -> Result<Model, Box<dyn Error>> {
    let option = "<option timestep='.002' solver='CG' tolerance='1e-6' integrator='implicitfast'/>";
    let text = format!("<mujoco>{option}<worldbody>{GEOMS}{bodies}</worldbody></mujoco>");
    Ok(kinetree_spec::load_model_str(&text)?)
}

/// Time that this thread was on a processor (s), as Linux tells it; else not a number.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|time| time.parse::<f64>().ok()).map_or(f64::NAN, |ns| 1e-9 * ns)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

fn main() -> Result<(), Box<dyn Error>> {
    let settle = 300;
    for (name, body) in [("a box that cannot move", FIXED), ("a box that can", FREE)] {
        let (with_flex, with_cloth) = (load(&format!("{body}{FLEX}"))?, load(body)?);
        let (mut flex, mut data) = (Data::new(&with_flex), Data::new(&with_cloth));
        let mut cloth = Cloth::grid([14, 14], [0.5, 0.5], ClothPreset::Cotton)?;
        for x in &mut cloth.particles_mut().position {
            *x += kinetree_soft::Vec3::new(0.011, 0.007, 0.22);
        }
        let mut world = SoftWorld::default();
        world.add(cloth, XpbdSettings { drag: 2.0, ..XpbdSettings::default() });
        for _ in 0..settle {
            flex.step(&with_flex)?;
            world.step(&with_cloth, &mut data)?;
        }
        if std::env::args().nth(1).is_some_and(|argument| argument == "positions") {
            let particles = world.body(0).ok_or("no cloth")?.particles();
            for x in &particles.position {
                println!("{} {} {}", x.x, x.y, x.z);
            }
            continue;
        }
        let (mut of_flex, mut of_cloth) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            let begin = processor_seconds();
            for _ in 0..STEPS {
                flex.step(&with_flex)?;
            }
            let middle = processor_seconds();
            for _ in 0..STEPS {
                world.step(&with_cloth, &mut data)?;
            }
            let steps = STEPS as f64;
            of_flex.push((middle - begin) / steps);
            of_cloth.push((processor_seconds() - middle) / steps);
        }
        let (flex_time, cloth_time) = (1e6 * median(of_flex), 1e6 * median(of_cloth));
        println!(
            "{name}: flex {flex_time:.0} µs with {} contacts, cloth {cloth_time:.0} µs: {:.2} times",
            flex.ncon,
            cloth_time / flex_time
        );
    }
    Ok(())
}
