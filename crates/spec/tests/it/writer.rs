//! The MJCF writer: every model of this project reads back to itself, and what is written is what a person
//! would write.

use std::path::PathBuf;

use kinetree_spec::Spec;

/// Largest difference of a float after writing and reading.
const TOLERANCE: f64 = 1e-12;

fn models() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let folders = [folder.join("showcase"), folder.join("soft"), folder];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let files = entries.map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|e| e == "xml" || e == "urdf")).collect()
}

#[test]
fn models_read_back_to_themselves() {
    let mut count = 0;
    for path in models() {
        let Ok(spec) = Spec::from_xml_file(&path) else { continue };
        let Ok(model) = spec.compile() else { continue };
        let text = spec.to_xml().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let again = Spec::from_xml_string_at(&text, &spec.compiler().modelfiledir, None);
        let again = again.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let copy = again.compile().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_eq!(model.difference(&copy, TOLERANCE), None, "{}", path.display());
        assert_eq!(again.to_xml().unwrap(), text, "{}: no fixed point", path.display());
        count += 1;
    }
    assert!(count > 20, "only {count} models were written");
}

#[test]
fn classes_and_frames_stay_and_defaults_go() {
    let text = r#"<mujoco model="m">
  <default>
    <default class="rod">
      <geom size="0.1 0.2 0" type="capsule"/>
    </default>
  </default>
  <worldbody>
    <frame name="f" pos="1 0 0" euler="0 0 180">
      <geom class="rod" condim="3"/>
      <body name="b" childclass="rod">
        <joint name="j" range="-90 180"/>
        <geom/>
        <geom class="main" size="0.3"/>
      </body>
    </frame>
    <frame name="empty"/>
  </worldbody>
</mujoco>"#;
    let written = Spec::from_xml_string(text, None).unwrap().to_xml().unwrap();
    let expected = format!(
        r#"<mujoco model="m">
  <compiler angle="radian"/>

  <default>
    <default class="rod">
      <geom size="0.1 0.2 0" type="capsule"/>
    </default>
  </default>

  <worldbody>
    <frame name="f" pos="1 0 0" quat="{} 0 0 1">
      <geom class="rod"/>
      <body name="b" childclass="rod">
        <joint name="j" range="{} {}"/>
        <geom/>
        <geom class="main" size="0.3"/>
      </body>
    </frame>
    <frame name="empty"/>
  </worldbody>
</mujoco>
"#,
        "6.123233995736766e-17",
        -std::f64::consts::FRAC_PI_2,
        std::f64::consts::PI
    );
    assert_eq!(written, expected);
}

/// As in the reference, which leaves none of these attributes to a class.
#[test]
fn cameras_and_lights_say_where_they_are() {
    let text = r#"<mujoco>
  <default>
    <default class="c">
      <camera pos="1 2 3" fovy="30"/>
      <light pos="4 5 6" dir="0 1 0"/>
    </default>
  </default>
  <worldbody>
    <camera/>
    <camera class="c" quat="0 1 0 0"/>
    <light/>
    <light class="c"/>
  </worldbody>
</mujoco>"#;
    let written = Spec::from_xml_string(text, None).unwrap().to_xml().unwrap();
    for line in [
        r#"<camera pos="0 0 0"/>"#,
        r#"<camera class="c" pos="1 2 3" quat="0 1 0 0"/>"#,
        r#"<light pos="0 0 0" dir="0 0 -1"/>"#,
        r#"<light class="c" pos="4 5 6" dir="0 1 0"/>"#,
        r#"<camera pos="1 2 3" fovy="30"/>"#,
    ] {
        assert!(written.contains(line), "{line} is not in\n{written}");
    }
}

#[test]
fn what_cannot_be_written_is_an_error() {
    let mut spec = Spec::new();
    spec.add_texture(kinetree_spec::spec::Texture {
        name: "pixels".into(),
        data: vec![0; 12],
        ..Default::default()
    });
    let error = spec.to_xml().unwrap_err().to_string();
    let cells = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/compile/flex_cells.xml");
    let lost = Spec::from_xml_file(cells).unwrap().to_xml().unwrap_err().to_string();
    assert!(lost.contains("flex 'beam'") && lost.contains("MJB"), "{lost}");
    assert!(error.contains("'pixels'") && error.contains("PNG"), "{error}");
}

/// `saveinertial` writes the inertia that the geoms gave; where static bodies are fused it belongs to other
/// bodies than those of the text, and what is written still reads back to the same model.
#[test]
fn compiled_inertia_is_written_when_asked_for() {
    let text = |fuse: bool| {
        format!(
            r#"<mujoco><compiler saveinertial="true" fusestatic="{fuse}"/><worldbody><body name="a"><joint/><geom size="0.1"/>
               <body name="b" pos="1 0 0"><geom type="box" size="0.1 0.2 0.3"/></body></body></worldbody></mujoco>"#
        )
    };
    for fuse in [false, true] {
        let spec = Spec::from_xml_string(&text(fuse), None).unwrap();
        let written = spec.to_xml().unwrap();
        let (model, again) = (spec.compile().unwrap(), Spec::from_xml_string(&written, None).unwrap());
        assert_eq!(model.nbody, if fuse { 2 } else { 3 });
        assert_eq!(written.matches("<inertial").count(), if fuse { 0 } else { 2 }, "{written}");
        assert_eq!(model.difference(&again.compile().unwrap(), TOLERANCE), None, "{written}");
    }
}
