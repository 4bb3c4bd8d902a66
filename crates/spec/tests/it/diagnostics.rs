//! What the reader says about broken models: the right position, the right word, all faults at once.

use kinetree_spec::diagnostics::Severity;
use kinetree_spec::{Diagnostic, Spec, Vfs};

/// All errors of a model.
fn errors(xml: &str) -> Vec<Diagnostic> {
    match Spec::from_xml_string(xml, None) {
        Ok(_) => panic!("accepted: {xml}"),
        Err(findings) => findings.list.into_iter().filter(|d| d.severity == Severity::Error).collect(),
    }
}

/// The only error of a model must contain these words.
#[track_caller]
fn expect(xml: &str, words: &[&str]) {
    let found = errors(xml);
    let text = format!("{} {}", found[0].message, found[0].suggestion.clone().unwrap_or_default());
    assert_eq!(found.len(), 1, "{found:#?}");
    for word in words {
        assert!(text.contains(word), "'{word}' is not in: {text}");
    }
    assert!(
        found[0].line > 0 && found[0].column > 0 && !found[0].snippet.is_empty(),
        "no position: {found:?}"
    );
}

#[test]
fn unknown_words_get_a_suggestion_and_a_position() {
    let xml = "<mujoco>\n  <worldbody>\n    <geom size=\"1\" ragb=\"1 0 0 1\"/>\n  </worldbody>\n</mujoco>";
    let found = errors(xml);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].line, found[0].column, found[0].length), (3, 20, 4));
    assert_eq!(found[0].suggestion.as_deref(), Some("did you mean 'rgba'?"));
    assert_eq!(found[0].snippet, "    <geom size=\"1\" ragb=\"1 0 0 1\"/>");
    expect("<mujoco><worldbdy/></mujoco>", &["<worldbdy>", "worldbody"]);
    expect("<mujoco><option integrator='Eulr'/></mujoco>", &["'Eulr'", "Euler"]);
    expect("<mujoco><actuator><motr/></actuator></mujoco>", &["motr", "motor"]);
}

#[test]
fn one_run_finds_all_faults() {
    let xml = r#"<mujoco>
      <option timestep="fast" gravity="0 0"/>
      <worldbody>
        <geom type="spher" size="1"/>
        <body quat="0 0 0 0"><geom size="1 2 3 4"/></body>
        <site name="a"/><site name="a"/>
        <geom class="missing" size="1"/>
      </worldbody>
      <sensor><touch/></sensor>
    </mujoco>"#;
    let found = errors(xml);
    assert_eq!(found.len(), 8, "{found:#?}");
    let lines: Vec<_> = found.iter().map(|d| d.line).collect();
    for line in [2, 4, 5, 6, 7, 9] {
        assert!(lines.contains(&line), "nothing about line {line}: {found:#?}");
    }
}

#[test]
fn numbers_are_checked() {
    let geom = |attr: &str| format!("<mujoco><worldbody><geom size='1' {attr}/></worldbody></mujoco>");
    expect(&geom("pos='1 2'"), &["pos", "needs 3", "got 2"]);
    expect(&geom("pos='1 2 3 4'"), &["needs 3", "got 4"]);
    expect(&geom("pos='1 2 x'"), &["'x'", "not a number"]);
    expect(&geom("mass='1e999'"), &["too large"]);
    expect(&geom("mass='1e-999'"), &["too small"]);
    expect(&geom("condim=' '"), &["condim", "needs an integer"]);
    expect(&geom("condim='3.5'"), &["not an integer"]);
    expect(&geom("group='99999999999'"), &["out of range"]);
    expect(&geom("euler='1 2 3' quat='1 0 0 0'"), &["multiple orientation specifiers"]);
}

#[test]
fn not_a_number_is_a_warning() {
    let spec =
        Spec::from_xml_string("<mujoco><worldbody><geom size='1' pos='0 nan 0'/></worldbody></mujoco>", None)
            .unwrap();
    assert_eq!(spec.warnings.len(), 1);
    assert_eq!(spec.warnings[0].severity, Severity::Warning);
    assert!(spec.compile().is_ok());
}

#[test]
fn not_a_number_is_an_error_where_something_moves() {
    let body = |attr: &str, joint: &str| {
        format!(
            "<mujoco><worldbody><body><joint {joint}/><geom size='1' {attr}/></body></worldbody></mujoco>"
        )
    };
    for (attr, joint) in [("pos='0 nan 0'", ""), ("", "damping='NaN'"), ("friction='nan'", "")] {
        let found = kinetree_spec::load_model_str(&body(attr, joint)).unwrap_err().list;
        assert!(found[0].message.contains("not a number"), "{found:#?}");
        assert_eq!(found[0].line, 1);
    }
    assert!(Spec::from_xml_string(&body("user='nan'", ""), None).unwrap().compile().is_ok());
}

#[test]
fn structure_is_checked() {
    expect("<mujoco><worldbody><joint/></worldbody></mujoco>", &["world body cannot have"]);
    expect("<mujoco><worldbody name='w'/></mujoco>", &["'name'"]);
    expect("<mujoco><option><flag/><flag/></option></mujoco>", &["found 2 times"]);
    expect("<mujoco><default class='x'/></mujoco>", &["main", "nest"]);
    expect("<mujoco><default><default/></default></mujoco>", &["needs a name"]);
    expect(
        "<mujoco><default><default class='a'/><default class='a'/></default></mujoco>",
        &["repeated default class name"],
    );
    expect("<mujoco><compiler coordinate='global'/></mujoco>", &["global"]);
    expect("<mujoco><compiler eulerseq='xyw'/></mujoco>", &["Euler sequence"]);
    expect("<robots/>", &["not the root"]);
}

#[test]
fn relations_are_checked() {
    expect("<mujoco><equality><connect body1='a'/></equality></mujoco>", &["anchor"]);
    expect(
        "<mujoco><equality><weld body1='a' site1='b' site2='c'/></equality></mujoco>",
        &["cannot be mixed"],
    );
    expect("<mujoco><actuator><motor joint='a' tendon='b'/></actuator></mujoco>", &["one target"]);
    expect(
        "<mujoco><actuator><position joint='a' kv='1' dampratio='1'/></actuator></mujoco>",
        &["kv", "dampratio"],
    );
    expect("<mujoco><actuator><dcmotor joint='a'/></actuator></mujoco>", &["motor constant"]);
    expect("<mujoco><sensor><distance geom1='a' body1='b' geom2='c'/></sensor></mujoco>", &["exactly one"]);
    expect(
        "<mujoco><sensor><rangefinder site='a' data='normal dist'/></sensor></mujoco>",
        &["must be in order"],
    );
    expect(
        "<mujoco><sensor><framepos objtype='site' objname='a' refname='b'/></sensor></mujoco>",
        &["reftype"],
    );
    expect("<mujoco><tendon><spatial><pulley/></spatial></tendon></mujoco>", &["divisor"]);
    expect("<mujoco><custom><numeric name='n' size='1' data='1 2'/></custom></mujoco>", &["2 numbers"]);
}

#[test]
fn broken_xml_names_the_position() {
    let found = errors("<mujoco>\n  <worldbody>\n  </mujoco>");
    assert_eq!((found[0].line, found.len()), (3, 1));
    expect("<mujoco><geom a='1' a='2'/></mujoco>", &["given twice"]);
    assert!(errors("")[0].message.contains("no root"));
    assert!(errors(&"<a>".repeat(2000))[0].message.contains("nested more than"));
}

#[test]
fn includes_are_checked() {
    let read = |files: &[(&str, &str)]| {
        let mut vfs = Vfs::new();
        files.iter().for_each(|(name, text)| vfs.add_buffer(name, text.as_bytes()).unwrap());
        Spec::from_xml_file_in(files[0].0, Some(&vfs)).map_err(|findings| Box::new(findings.list[0].clone()))
    };
    let main = "<mujoco>\n<include file='part.xml'/></mujoco>";
    // a fault in an included file is reported there
    let error =
        read(&[("main.xml", main), ("part.xml", "<mujoco>\n\n<worldbody><goem/></worldbody></mujoco>")])
            .unwrap_err();
    assert_eq!((error.file.as_str(), error.line), ("part.xml", 3));
    // cycles and repetitions
    let error =
        read(&[("main.xml", main), ("part.xml", "<mujoco><include file='main.xml'/></mujoco>")]).unwrap_err();
    assert!(error.message.contains("already included"), "{error}");
    let twice = "<mujoco><include file='part.xml'/><include file='part.xml'/></mujoco>";
    let error = read(&[("main.xml", twice), ("part.xml", "<mujoco><worldbody/></mujoco>")]).unwrap_err();
    assert!(error.message.contains("already included"), "{error}");
    let error = read(&[("main.xml", main)]).unwrap_err();
    assert!(error.message.contains("cannot find"), "{error}");
    assert!(
        read(&[("main.xml", main), ("part.xml", "<mujoco></mujoco>")]).unwrap_err().message.contains("empty")
    );
    // a model that contains itself
    let own = "<mujoco><asset><model name='me' file='main.xml'/></asset></mujoco>";
    let error = read(&[("main.xml", own)]).unwrap_err();
    assert!(error.message.contains("contains itself"), "{error}");
}

#[test]
fn plugins_that_are_not_there_are_named() {
    let xml = "<mujoco><extension>\n<plugin plugin='mujoco.elasticity.cabel'/></extension><worldbody><body name='b'>\n\
        <flexcomp name='f' type='grid' count='3 3 3' spacing='1 1 1' dim='3'>\n\
        <plugin plugin='mujoco.elasticity.solid'/></flexcomp></body></worldbody></mujoco>";
    let spec = Spec::from_xml_string(xml, None).unwrap();
    let error = spec.compile().unwrap_err();
    let found: Vec<(&str, u32)> = error.list.iter().map(|e| (e.message.as_str(), e.line)).collect();
    assert!(found.contains(&("plugin 'mujoco.elasticity.cabel' is not registered", 2)), "{found:?}");
    assert!(found.contains(&("plugin 'mujoco.elasticity.solid' is not registered", 3)), "{found:?}");
    assert!(error.to_string().contains("did you mean 'mujoco.elasticity.cable'?"), "{error}");
}

#[test]
fn a_flag_without_effect_is_told() {
    let spec = Spec::from_xml_string(
        "<mujoco>\n<option><flag nativeccd='disable' gravity='disable'/></option></mujoco>",
        None,
    );
    let warnings = spec.unwrap().warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].message.contains("nativeccd") && warnings[0].line == 2);
}

#[test]
fn findings_are_separated_by_an_empty_line() {
    let xml = "<mujoco><worldbody><geom sise='1'/><geom size='x'/></worldbody></mujoco>";
    let Err(findings) = Spec::from_xml_string(xml, None) else { panic!("accepted") };
    assert_eq!(findings.list.len(), 2);
    let text = findings.to_string();
    assert!(!text.starts_with('\n'));
    assert_eq!(text, format!("{}\n\n{}", findings.list[0], findings.list[1]));
}

#[test]
fn words_of_newer_versions_are_refused_in_frames_too() {
    let frame = |attributes: &str, inside: &str| {
        format!("<mujoco><worldbody><body><frame {attributes}>{inside}</frame></body></worldbody></mujoco>")
    };
    let sphere = "<geom size='0.1'/>";
    for (xml, word) in [
        (frame("scale='2'", sphere), "'scale'"),
        (frame("scaling='geometry'", sphere), "'scaling'"),
        (frame("massscale='2'", sphere), "'massscale'"),
        (frame("", "<geom size='0.1' adhesion='1'/>"), "'adhesion'"),
        (frame("", "<geom size='0.1'/><joint springyield='1'/>"), "'springyield'"),
        (frame("", "<body fuse='false'><geom size='0.1'/></body>"), "'fuse'"),
        ("<mujoco><compiler savecompiled='true'/></mujoco>".into(), "'savecompiled'"),
    ] {
        expect(&xml, &[word, "is new in MuJoCo", "load with reference 4.0"]);
    }
    // any other word is passed over in a frame, as the reference does, with a warning
    let spec = Spec::from_xml_string(&frame("scales='2'", sphere), None).unwrap();
    assert!(spec.warnings[0].message.contains("'scales'"));
    assert!(!spec.warnings[0].message.contains("new in"));
}
