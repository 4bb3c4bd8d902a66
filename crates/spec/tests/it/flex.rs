//! Flexes and flex composites: what they become, what is wrong with them, and that no index leads astray.

use kinetree_model::Model;
use kinetree_spec::{Spec, Vfs, load_model_str, load_model_str_with};

/// A model with one flex composite in the world.
fn composite(attributes: &str, children: &str) -> String {
    format!(
        r#"<mujoco><worldbody><flexcomp name="f" mass="1" radius="0.01" {attributes}>{children}</flexcomp></worldbody></mujoco>"#
    )
}

fn load(attributes: &str, children: &str) -> Model {
    let xml = composite(attributes, children);
    load_model_str(&xml).unwrap_or_else(|problem| panic!("{xml}: {problem}"))
}

const GRID: &str = r#"type="grid" spacing="0.1 0.1 0.1""#;
const ALONE: &str = r#"<contact selfcollide="none"/>"#;

#[test]
fn shapes_have_the_points_and_elements_that_geometry_says() {
    // kind, dimension, count: vertices, elements
    for (kind, dim, count, vertices, elements) in [
        ("grid", 1, "5 1 1", 5, 4),
        ("circle", 1, "7 1 1", 6, 6),
        ("grid", 2, "4 3 1", 12, 12),
        ("square", 3, "4 3 1", 12, 12),
        ("disc", 2, "5 5 1", 25, 32),
        ("grid", 3, "3 4 2", 24, 36),
        // the surface of a solid and its centre; a surface without its lid
        ("box", 3, "3 3 3", 27, 48),
        ("ellipsoid", 3, "4 4 4", 57, 108),
        ("cylinder", 2, "3 3 3", 25, 40),
    ] {
        let model =
            load(&format!(r#"type="{kind}" dim="{dim}" count="{count}" spacing="0.1 0.1 0.1""#), ALONE);
        assert_eq!((model.nflexvert, model.nflexelem), (vertices, elements), "{kind} {dim} {count}");
        assert_eq!(model.check_indices(), Ok(()), "{kind} {dim} {count}");
        let mass: f64 = model.body_mass.iter().sum();
        assert!((mass - 1.0).abs() < 1e-12);
    }
}

#[test]
fn dofs_and_pins_decide_about_bodies() {
    let grid = format!(r#"{GRID} dim="2" count="4 3 1""#);
    assert_eq!(load(&grid, ALONE).nv, 36);
    assert_eq!(load(&format!(r#"{grid} dof="2d""#), ALONE).nv, 24);
    assert_eq!(load(&grid, &format!(r#"{ALONE}<pin id="0 3"/><pin gridrange="2 0 3 1"/>"#)).nv, 36 - 18);
    let rigid = load(&format!(r#"{grid} rigid="true""#), ALONE);
    assert_eq!((rigid.nv, rigid.flex_rigid[0], rigid.nJfe), (0, 1, 0));
    let solid = r#"type="box" dim="3" count="3 3 3" spacing="0.1 0.1 0.1""#;
    assert_eq!(load(&format!(r#"{solid} dof="radial""#), ALONE).nv, 26);
    let linear = load(&format!(r#"{solid} dof="trilinear""#), ALONE);
    assert_eq!((linear.nv, linear.nflexnode, linear.flex_interp[0]), (24, 8, 1));
    let quadratic = load(&format!(r#"{solid} dof="quadratic" cellcount="2 1 1""#), ALONE);
    assert_eq!((quadratic.nflexnode, quadratic.flex_interp[0]), (5 * 3 * 3, 2));
}

#[test]
fn files_are_read_from_the_virtual_folder() {
    let mut files = Vfs::new();
    let points = "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
    let text = format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n{points}$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n"
    );
    files.add_buffer("solid.msh", text.into_bytes()).unwrap();
    files
        .add_buffer("sheet.obj", b"v 0 0 1\nv 1 0 1\nv 0 1 1\nv 0 0 1\nf 1 2 3\nf 4 3 2\n".to_vec())
        .unwrap();
    let solid =
        load_model_str_with(&composite(r#"type="gmsh" file="solid.msh" dim="3""#, ALONE), &files).unwrap();
    assert_eq!((solid.nflexvert, solid.nflexelem, solid.flex_dim[0]), (4, 1, 3));
    let sheet = composite(r#"type="mesh" file="sheet.obj" dim="2" scale="2 2 2""#, ALONE);
    let sheet = load_model_str_with(&sheet, &files).unwrap();
    // the vertex that is there twice counts once
    assert_eq!((sheet.nflexvert, sheet.nflexelem, sheet.body_pos[2]), (3, 2, [2.0, 0.0, 2.0]));
    let error = load_model_str_with(&composite(r#"type="gmsh" file="none.msh""#, ""), &files).unwrap_err();
    assert!(error.to_string().contains("Error opening file"), "{error}");
}

#[test]
fn what_is_wrong_is_said() {
    let grid = format!(r#"{GRID} dim="2" count="3 3 1""#);
    for (attributes, children, message) in [
        (format!(r#"{GRID} dim="4" count="3 3 1""#), "", "Invalid dim"),
        (format!(r#"{GRID} dim="2" count="3 0 1""#), "", "Count too small: each must be at least 1"),
        (format!(r#"{GRID} dim="2" count="100000 100000 9""#), "", "too large"),
        (r#"type="box" dim="3" count="3 3 1" spacing="0.1 0.1 0.1""#.into(), "", "at least 2"),
        (
            r#"type="grid" dim="1" count="3 1 1" spacing="0.01 0.1 0.1""#.into(),
            "",
            "must be larger than geometry size",
        ),
        (r#"type="direct" dim="2" point="0 0 0 1 0 0" element="0 1 2""#.into(), "", "has point id 2"),
        (
            r#"type="direct" dim="2" point="0 0 0 1 0 0 0 1 0" element="0 1""#.into(),
            "",
            "a multiple of dim+1, that is 3",
        ),
        (r#"type="gmsh""#.into(), "", "File is required"),
        (grid.clone(), r#"<pin id="9"/>"#, "must be below 9"),
        (grid.clone(), r#"<pin grid="1 3"/>"#, "outside of the grid"),
        (grid.clone(), r#"<elasticity young="1" poisson="0.5"/>"#, "less than 0.5"),
        (grid.clone(), r#"<contact selfcollide="none" condim="-3"/>"#, "condim must be 1, 3, 4 or 6"),
        (grid.clone(), r#"<elasticity young="1" elastic2d="both"/>"#, "positive thickness"),
        (grid.clone(), r#"<edge stiffness="3"/>"#, "one dimension only"),
        (format!(r#"{grid} dof="trilinear""#), "", "cannot do self-collision"),
        (format!(r#"{grid} dof="trilinear" cellcount="1 0 1""#), ALONE, "each 'cellcount' must be positive"),
        (format!(r#"{grid} rigid="true" material="no""#), ALONE, "material 'no' not found"),
    ] {
        let xml = composite(&attributes, children);
        let error = load_model_str(&xml).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(message), "{xml}: {error}");
    }
    let nameless =
        "<mujoco><worldbody><body><flexcomp name='f' dim='1' count='3 1 1'/></body></worldbody></mujoco>";
    assert!(load_model_str(nameless).unwrap_err().to_string().contains("must have a name"));
    let constrained = r#"<mujoco><worldbody><body name="b"/></worldbody>
        <deformable><flex name="r" body="b" vertex="0 0 0 1 0 0" element="0 1" dim="1"/></deformable>
        <equality><flex flex="r"/></equality></mujoco>"#;
    assert!(load_model_str(constrained).unwrap_err().to_string().contains("is rigid"));
}

#[test]
fn wrong_indices_of_flexes_are_named() {
    let model = load(&format!(r#"{GRID} dim="2" count="3 3 1""#), r#"<edge equality="vert"/>"#);
    let check = |field: &str, change: &dyn Fn(&mut Model)| {
        let mut model = model.clone();
        change(&mut model);
        let error = model.check_indices().unwrap_err();
        assert_eq!(error.field, field, "{error}");
    };
    check("flex_dim", &|m| m.flex_dim[0] = 0);
    check("flex_elem", &|m| m.flex_elem[4] = 9);
    check("flex_edge", &|m| m.flex_edge[2] = [0, -1]);
    check("flex_elemedge", &|m| m.flex_elemedge[0] = 99);
    check("flex_vertbodyid", &|m| m.flex_vertbodyid[0] = 99);
    check("flex_vertadr", &|m| m.flex_vertadr[0] = 1);
    check("flex_stiffnessadr", &|m| m.flex_stiffnessadr[0] = 1);
    check("flex_shell", &|m| m.flex_shell[0] = -2);
    check("flex_evpair", &|m| m.flex_evpair[0] = [0, 20]);
    check("flex_bvhadr", &|m| m.flex_bvhadr[0] = -1 - 1 + m.nbvh as i32);
    check("flexedge_J_colind", &|m| m.flexedge_J_colind[0] = m.nv as i32);
    check("flexvert_J_rowadr", &|m| m.flexvert_J_rowadr[1] = [-1, 0]);
    check("flex_vertedge", &|m| m.flex_vertedge[0] = [16, 0]);
    check("eq_obj1id", &|m| m.eq_obj1id[0] = 1);
}

#[test]
fn a_composite_is_written_as_what_it_became() {
    let xml = composite(
        &format!(r#"{GRID} dim="2" count="3 3 1""#),
        r#"<edge equality="true" damping="0.1"/><contact selfcollide="sap" passive="true"/>"#,
    );
    let text = Spec::from_xml_string(&xml, None).unwrap().to_xml().unwrap();
    for part in [
        "<flex name=\"f\"",
        "<body name=\"f_8\"",
        "<flex flex=\"f\"",
        "selfcollide=\"sap\"",
        "passive=\"true\"",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}
