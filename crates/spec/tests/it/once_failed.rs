//! Texts that once made the compiler panic or ask for too much memory, found by damaging model files at
//! random.

use kinetree_spec::load_model_str;

fn moving(rest: &str) -> String {
    format!(
        "<mujoco><worldbody><body><joint name='j' type='slide'/><geom size='1'/></body></worldbody>{rest}</mujoco>"
    )
}

fn refused(xml: &str, cause: &str) {
    let found = load_model_str(xml).expect_err(cause).to_string();
    assert!(found.contains(cause), "{found}");
}

#[test]
fn history_of_negative_length() {
    for part in [
        "<sensor><jointpos joint='j' nsample='-1' interval='2 -1'/></sensor>",
        "<actuator><motor joint='j' nsample='-7'/></actuator>",
    ] {
        let model = load_model_str(&moving(part)).unwrap();
        assert!(kinetree_model::Data::new(&model).history.is_empty());
    }
}

#[test]
fn too_many_activations() {
    let actuator = |dyntype: &str| {
        format!("<actuator><general joint='j' dyntype='{dyntype}' actdim='2147483647'/></actuator>")
    };
    refused(&moving(&actuator("user")), "at most");
    refused(&moving(&actuator("integrator")), "actdim");
    refused(&moving(&(actuator("user") + "<keyframe><key ctrl='0'/></keyframe>")), "too many");
}

#[test]
fn memory_that_no_file_can_say() {
    let model = load_model_str(&moving("<size njmax='2147483647'/>")).unwrap();
    assert_eq!(i64::try_from(model.sizes().narena), Ok(i64::MAX));
}

#[test]
fn products_of_sizes() {
    refused(&moving("<size nuserdata='1000000000'/>"), "nuserdata");
    let many = "<size nuser_geom='1000000'/><worldbody><replicate count='1000'><geom size='1'/></replicate></worldbody>";
    refused(&moving(many), "at most 4294967296 are possible");
}

#[test]
fn rays_through_no_pixels_or_too_many() {
    let camera = |resolution: &str, sensor: &str| {
        moving(&format!(
            "<worldbody><camera name='c' resolution='{resolution}'/></worldbody><sensor>{sensor}</sensor>"
        ))
    };
    let rays = "<rangefinder camera='c'/>";
    for resolution in ["-1 1", "1 -1", "-3 -4", "0 5", "5 0"] {
        refused(&camera(resolution, rays), "positive resolution");
        assert!(load_model_str(&camera(resolution, "")).is_ok(), "only rays need pixels");
    }
    refused(&camera("100000 100000", rays), "10000000000 rays");
    refused(&camera("4096 4097", rays), "rays");
    let model = load_model_str(&camera("7 3", rays)).unwrap();
    assert_eq!(model.nsensordata, 21);
}

#[test]
fn textures_of_hundreds_of_megabytes() {
    let texture = |size: u32| {
        moving(&format!(
            "<asset><texture name='t' type='2d' builtin='flat' width='{size}' height='{size}'/></asset>"
        ))
    };
    let model = load_model_str(&texture(9500)).unwrap();
    assert_eq!(model.ntexdata, 3 * 9500 * 9500);
    refused(&texture(30000), "too large");
}

#[test]
fn copies_of_copies_with_references_end() {
    // each copy looks up all references of the copies before it
    let many = |count: u32| {
        format!(
            "<mujoco><worldbody><replicate count='{count}' offset='1 0 0'><body><joint name='j'/><geom size='.1'/></body></replicate>
             </worldbody><sensor><jointpos joint='j'/></sensor></mujoco>"
        )
    };
    let model = load_model_str(&many(300)).unwrap();
    assert_eq!((model.nsensor, model.njnt), (300, 300));
    refused(&many(60_000), "too many elements");
}
