//! The integrator that takes springs and dampers implicitly: backward Euler, written out for one mass and for
//! two.

use super::{close, load, steps};
use kinetree_model::Data;

const H: f64 = 0.01;

fn mass_on_a_spring(integrator: &str, stiffness: f64, damping: f64) -> (kinetree_model::Model, Data) {
    let model = load(&format!(
        r#"<mujoco><option timestep="{H}" gravity="0 0 -2" integrator="{integrator}"/><worldbody><body>
           <joint type="slide" axis="0 0 1" stiffness="{stiffness}" damping="{damping}" springref="0.3"/>
           <geom size="0.1" mass="1.7"/></body></worldbody></mujoco>"#
    ));
    let data = Data::new(&model);
    (model, data)
}

#[test]
fn one_mass_follows_backward_euler() {
    for integrator in ["ImplicitSpringDamper", "ImplicitEuler"] {
        let (model, mut data) = mass_on_a_spring(integrator, 900.0, 4.0);
        let (mut q, mut v) = (0.0, 0.0);
        for _ in 0..50 {
            // m (v⁺ − v)/h = −k (q + h v⁺ − r) − c v⁺ − m g
            v = (1.7 * v + H * (-900.0 * (q - 0.3) - 1.7 * 2.0)) / (1.7 + H * 4.0 + H * H * 900.0);
            q += H * v;
            steps(&model, &mut data, 1);
            close(data.qvel[0], v, 1e-12);
            close(data.qpos[0], q, 1e-12);
        }
    }
}

#[test]
fn any_stiffness_comes_to_rest() {
    let (model, mut data) = mass_on_a_spring("ImplicitSpringDamper", 1e9, 10.0);
    steps(&model, &mut data, 200);
    close(data.qpos[0], 0.3 - 1.7 * 2.0 / 1e9, 1e-9);
    close(data.qvel[0], 0.0, 1e-6);
}
