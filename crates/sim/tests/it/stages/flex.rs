//! Flexes: Jacobians by finite differences, Hooke's law, momentum, contacts, and what bodies share.

use super::{all_close, close, derivative, forward, load, noise, shake, start, steps};
use kinetree_model::Data;
use kinetree_model::enums::ConstraintType;

/// A sheet that is pinned along one side to a body on a hinge.
const FLAG: &str = r#"<mujoco><option gravity="0 0 -9.81"/><worldbody>
    <body name="pole" pos="0 0 1"><joint axis="0 1 0"/><geom size="0.05" mass="1" contype="0" conaffinity="0"/>
      <flexcomp name="flag" type="grid" dim="2" count="4 3 1" spacing="0.1 0.1 0.1" radius="0.01" mass="0.2">
        <edge EDGE/><contact selfcollide="none"/><pin gridrange="0 0 0 2"/></flexcomp></body>
    </worldbody></mujoco>"#;

#[test]
fn jacobians_of_edges_are_derivatives_of_their_lengths() {
    let (model, mut data) = start(&FLAG.replace("EDGE", r#"equality="true""#));
    assert_eq!((model.flex_vertnum[0], model.nv), (12, 1 + 27));
    shake(&model, &mut data, 3);
    for edge in [0, 7, 20] {
        let mut row = vec![0.0; model.nv];
        let first = model.flexedge_J_rowadr[edge] as usize;
        for k in first..first + model.flexedge_J_rownnz[edge] as usize {
            row[model.flexedge_J_colind[k] as usize] = data.flexedge_J[k];
        }
        all_close(&derivative(&model, &data, |data| data.flexedge_length[edge]), &row, 1e-6);
        let rate: f64 = row.iter().zip(&data.qvel[..]).map(|(j, v)| j * v).sum();
        close(data.flexedge_velocity[edge], rate, 1e-12);
    }
}

#[test]
fn jacobians_of_strains_are_their_derivatives() {
    let (model, mut data) = start(
        r#"<mujoco><worldbody><flexcomp name="sheet" type="grid" dim="2" count="4 3 1" spacing="0.1 0.1 0.1" radius="0.01"
        mass="0.2" pos="0 0 1"><edge equality="vert"/><contact selfcollide="none"/></flexcomp></worldbody></mujoco>"#,
    );
    let moved: Vec<f64> = noise(model.nv, 5).iter().map(|x| 0.02 * x).collect();
    data.qpos.copy_from_slice(&moved);
    forward(&model, &mut data);
    assert_eq!(data.ne, 2 * 12);
    for (vertex, k) in [(0, 0), (5, 1), (11, 0)] {
        let mut row = vec![0.0; model.nv];
        let first = model.flexvert_J_rowadr[vertex][k] as usize;
        for i in first..first + model.flexvert_J_rownnz[vertex][k] as usize {
            row[model.flexvert_J_colind.as_flattened()[i] as usize] = data.flexvert_J.as_flattened()[i];
        }
        all_close(&derivative(&model, &data, |data| data.flexvert_length[vertex][k]), &row, 1e-6);
    }
}

/// A bar of 0.4 × 0.2 × 0.2 m.
const BAR: &str = r#"<mujoco><option gravity="0 0 0"/><worldbody>
    <flexcomp name="bar" type="grid" dim="3" count="5 3 3" spacing="0.1 0.1 0.1" radius="0.001" mass="1">
      <elasticity young="1e4" poisson="0" damping="0"/><contact selfcollide="none"/></flexcomp></worldbody></mujoco>"#;

#[test]
fn a_stretched_bar_pulls_as_hooke_says() {
    const STRAIN: f64 = 1e-6;
    let (model, mut data) = start(BAR);
    let rest: Vec<[f64; 3]> = model.body_pos[1..].to_vec();
    for (i, x) in rest.iter().enumerate() {
        data.qpos[3 * i] = STRAIN * x[0];
    }
    forward(&model, &mut data);
    let pull = |end: f64, axis: usize| -> f64 {
        let there = rest.iter().enumerate().filter(|(_, x)| (x[0] - end).abs() < 1e-9);
        there.map(|(i, _)| data.qfrc_spring[3 * i + axis]).sum()
    };
    // stress is Young's modulus times strain, and the section has 0.04 m²
    let force = 1e4 * STRAIN * 0.04;
    close(pull(0.2, 0) / force, -1.0, 1e-4);
    close(pull(-0.2, 0) / force, 1.0, 1e-4);
    close(pull(0.2, 1) / force, 0.0, 1e-4);
}

#[test]
fn elastic_forces_do_not_see_rigid_motions() {
    let (model, mut data) = start(BAR);
    let (sin, cos) = 0.7f64.sin_cos();
    for (i, x) in model.body_pos[1..].iter().enumerate() {
        let rotated = [cos * x[0] - sin * x[1] + 0.3, sin * x[0] + cos * x[1], x[2] - 0.1];
        for k in 0..3 {
            data.qpos[3 * i + k] = rotated[k] - x[k];
        }
    }
    forward(&model, &mut data);
    assert!(data.qfrc_spring.iter().all(|f| f.abs() < 1e-9), "{:?}", data.qfrc_spring);
}

#[test]
fn a_free_cloth_keeps_its_momentum() {
    let (model, mut data) = start(
        r#"<mujoco><option gravity="0 0 0" timestep="0.0005"/><worldbody>
        <flexcomp name="cloth" type="grid" dim="2" count="6 5 1" spacing="0.1 0.1 0.1" radius="0.01" mass="0.6">
          <edge damping="0.01"/><contact selfcollide="none"/>
          <elasticity young="1e4" poisson="0.2" thickness="0.002" elastic2d="both" damping="1e-4"/>
        </flexcomp></worldbody></mujoco>"#,
    );
    for (v, x) in data.qvel.iter_mut().zip(noise(model.nv, 9)) {
        *v = 0.3 * x + 0.1;
    }
    let momentum = |data: &Data| -> [f64; 3] {
        std::array::from_fn(|k| {
            (0..model.nv / 3).map(|i| model.body_mass[i + 1] * data.qvel[3 * i + k]).sum()
        })
    };
    let before = momentum(&data);
    steps(&model, &mut data, 400);
    let moved: f64 = data.qpos.iter().map(|x| x.abs()).fold(0.0, f64::max);
    assert!(moved > 0.02, "the cloth has moved by {moved}");
    for (a, b) in momentum(&data).iter().zip(before) {
        assert!((a - b).abs() < 1e-10, "{a} was {b}");
    }
}

#[test]
fn a_sphere_rests_on_the_bodies_of_a_triangle() {
    let (model, data) = start(
        r#"<mujoco><worldbody>
        <body pos="0 0 0.0995"><freejoint/><geom name="ball" size="0.09" mass="1"/></body>
        <flexcomp name="sheet" type="grid" dim="2" count="3 3 1" spacing="0.1 0.1 0.1" radius="0.01" mass="0.2">
          <edge equality="true"/><contact condim="3" selfcollide="none"/></flexcomp></worldbody></mujoco>"#,
    );
    assert!(data.ncon > 0);
    for contact in &data.contact {
        assert_eq!((contact.geom, contact.flex), ([0, -1], [-1, 0]));
        assert!(contact.elem[1] >= 0 && contact.vert[1] == -1 && contact.dist < 0.0);
        // the normal row: the ball moves against it with all its weight, the corners with shares that make
        // one
        let row = contact.efc_address as usize;
        assert_eq!(data.efc_type[row], ConstraintType::ContactPyramidal as i32);
        let dense: Vec<f64> = if model.is_sparse() {
            let mut dense = vec![0.0; model.nv];
            let first = data.efc_J_rowadr[row] as usize;
            for k in first..first + data.efc_J_rownnz[row] as usize {
                dense[data.efc_J_colind[k] as usize] = data.efc_J[k];
            }
            dense
        } else {
            data.efc_J[row * model.nv..(row + 1) * model.nv].to_vec()
        };
        let up: f64 = (6..model.nv).skip(2).step_by(3).map(|dof| dense[dof]).sum();
        close(up, -dense[2], 1e-9);
    }
}

#[test]
fn an_interpolated_block_falls_like_a_stone() {
    let model = load(
        r#"<mujoco><worldbody><flexcomp name="block" type="box" dim="3" count="3 3 3" spacing="0.1 0.1 0.1" radius="0.01"
        mass="2" dof="trilinear" pos="0 0 5"><elasticity young="1e4" poisson="0.2" damping="0.01"/><contact selfcollide="none"/>
        </flexcomp></worldbody></mujoco>"#,
    );
    assert_eq!((model.nv, model.flex_vertnum[0]), (24, 27));
    let mut data = Data::new(&model);
    forward(&model, &mut data);
    let before = data.flexvert_xpos.to_vec();
    steps(&model, &mut data, 50);
    forward(&model, &mut data);
    // semi-implicit Euler falls h² g n (n + 1) / 2
    let fall = 0.002 * 0.002 * 9.81 * 50.0 * 51.0 / 2.0;
    for (a, b) in data.flexvert_xpos.iter().zip(&before) {
        all_close(a, &[b[0], b[1], b[2] - fall], 1e-9);
    }
}

#[test]
fn contacts_of_a_passive_flex_are_springs() {
    let (_, data) = start(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 0.1"/>
        <flexcomp name="sheet" type="grid" dim="2" count="3 3 1" spacing="0.1 0.1 0.1" radius="0.01" mass="0.2" pos="0 0 0.009">
          <edge equality="true"/><contact passive="true" selfcollide="none"/></flexcomp></worldbody></mujoco>"#,
    );
    assert_eq!((data.ncon, data.nefc - data.ne), (9, 0));
    assert!(data.contact.iter().all(|contact| contact.exclude == 4 && contact.efc_address == -1));
    for vertex in 0..9 {
        close(data.qfrc_spring[3 * vertex + 2], 1e4 * 0.001, 1e-9);
    }
}

#[test]
fn elements_touch_a_flat_height_field_at_its_height() {
    for (dim, count) in [(1, "3 1 1"), (2, "3 3 1"), (3, "2 2 2")] {
        let (model, data) = start(&format!(
            r#"<mujoco><asset><hfield name="field" nrow="3" ncol="3" size="1 1 0.2 0.1" elevation="0 1 1 1 1 1 1 1 1"/></asset>
            <worldbody><geom type="hfield" hfield="field"/>
            <flexcomp name="f" type="grid" dim="{dim}" count="{count}" spacing="0.11 0.11 0.11" pos="0.27 0.25 HEIGHT" radius="0.02"
              mass="1"><edge equality="true"/><contact selfcollide="none"/></flexcomp></worldbody></mujoco>"#
        )
        // the lowest points are at 0.195, the field at 0.2 and the radius is 0.02
        .replace("HEIGHT", if dim == 3 { "0.25" } else { "0.195" }));
        // a prism may also be left through its sides, where it is shallower
        let up = data.contact.iter().filter(|contact| contact.frame[2] > 0.99).count();
        assert!(up > 0, "{dim}");
        for contact in &data.contact {
            assert_eq!((contact.geom, contact.flex), ([0, -1], [-1, 0]));
            if contact.frame[2] > 0.99 {
                close(contact.dist, -0.025, 1e-5);
                close(contact.pos[2], 0.1875, 1e-4);
            } else {
                assert!(contact.dist > -0.025);
            }
        }
        assert_eq!(model.flex_dim[0], dim);
    }
}

#[test]
fn strains_of_a_cell_lend_their_weight_to_eight_rows_behind() {
    let hinges: String = (0..10)
        .map(|i| {
            format!(
                r#"<body pos="{i} 0 3"><joint frictionloss="1"/><geom size="0.1" mass="{}"/></body>"#,
                i + 1
            )
        })
        .collect();
    let (model, data) = start(&format!(
        r#"<mujoco><worldbody>{hinges}<flexcomp name="block" type="grid" dim="3" count="2 2 2" spacing="0.1 0.1 0.1" radius="0.01"
        mass="1" dof="trilinear" pos="0 0 1"><edge equality="strain"/><contact selfcollide="none"/></flexcomp></worldbody></mujoco>"#
    ));
    // 24 dofs of the nodes less six of rigid motions
    assert_eq!((data.ne, data.nf, data.nefc), (18, 10, 28));
    let node = model.flex_nodebodyid[0] as usize;
    for row in 0..28 {
        let own = model.dof_invweight0[row.max(18) - 18];
        let weight = if row < 26 { model.body_invweight0[node][0] } else { own };
        close(data.efc_diagApprox[row] / weight, 1.0, 1e-9);
    }
}

/// Spin and roll of contacts with elements: the same rows in both storages, and none of them turns a vertex,
/// which only slides.
#[test]
fn vertices_only_slide_in_contacts() {
    let xml = |jacobian: &str| {
        format!(
            r#"<mujoco><option cone="elliptic" jacobian="{jacobian}" gravity="0 0 0"/><worldbody>
                 <body pos="0 0 0.3" euler="10 20 30"><joint axis="0 1 0.3"/><joint axis="1 0.2 0.3"/>
                   <geom type="capsule" fromto="-0.2 0 0 0.2 0 0" size="0.05" condim="6"/></body>
                 <flexcomp type="grid" count="6 6 1" spacing="0.1 0.1 0.1" dim="2" pos="0 0 0.36" radius="0.02"
                   name="f" mass="1"><contact selfcollide="none"/></flexcomp></worldbody></mujoco>"#
        )
    };
    let rows = ["dense", "sparse"].map(|jacobian| {
        let model = load(&xml(jacobian));
        let mut data = Data::new(&model);
        forward(&model, &mut data);
        assert!(data.ncon > 4 && data.nefc == 6 * data.ncon);
        let mut dense = vec![0.0; data.nefc * model.nv];
        for row in 0..data.nefc {
            let target = &mut dense[row * model.nv..(row + 1) * model.nv];
            if model.is_sparse() {
                let (first, count) = (data.efc_J_rowadr[row] as usize, data.efc_J_rownnz[row] as usize);
                for k in first..first + count {
                    target[data.efc_J_colind[k] as usize] = data.efc_J[k];
                }
            } else {
                target.copy_from_slice(&data.efc_J[row * model.nv..(row + 1) * model.nv]);
            }
            // the capsule has the first two dofs
            assert!(row % 6 < 3 || target[2..].iter().all(|&entry| entry == 0.0));
            assert!(row % 6 < 3 || target[..2].iter().any(|&entry| entry != 0.0));
        }
        dense
    });
    all_close(&rows[0], &rows[1], 1e-14);
}
