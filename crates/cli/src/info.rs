//! `kinetree info`: what is in a model, as a tree of bodies and lists of actuators and sensors.

use crate::failure::Failure;
use crate::labels::{element, member, transmission};
use crate::output::{BOLD, DIM, Output, diagnostic_value, print_warnings};
use crate::plugins;
use crate::source;
use kinetree::Model;
use kinetree::model::enums::{Cone, GeomType, Integrator, JointType, ObjType, SensorType, Solver};
use kinetree::sim::mj_get_totalmass;
use serde_json::{Map, Value, json};
use std::io::Write;

/// Show what is in a model: sizes, options, tree of bodies, actuators, sensors.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  kinetree info humanoid\n  kinetree info my_robot.urdf --json | jq .sizes.nv\n  kinetree info --plugins"
)]
pub(crate) struct Args {
    /// File or embedded model.
    #[arg(required_unless_present = "plugins")]
    model: Option<String>,
    /// Keep links that no joint moves, such as a tool's, as bodies: a URDF otherwise fuses them with their
    /// parents. Meshes that cannot be read and impossible inertias do not matter then.
    #[arg(long)]
    all_links: bool,
    /// List the plugins that models can use, with their attributes.
    #[arg(long)]
    plugins: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    if args.plugins {
        return plugins::run(out);
    }
    let Some(source) = &args.model else { return Ok(()) };
    let loaded = if args.all_links { source::load_with_all_links(source) } else { source::load(source) }?;
    let model = loaded.model;
    if out.json {
        let mut value = as_json(&model);
        value["warnings"] = loaded.warnings.iter().map(diagnostic_value).collect();
        return Ok(out.value(&value)?);
    }
    print_warnings(&loaded.warnings)?;
    let name = if model.modelname.is_empty() { source } else { &model.modelname };
    writeln!(
        out,
        "{BOLD}{name}{BOLD:#}: {} bodies, {} joints, {} degrees of freedom, {} geoms, {} actuators, {} sensors, {:.3} kg",
        model.nbody,
        model.njnt,
        model.nv,
        model.ngeom,
        model.nu,
        model.nsensor,
        mj_get_totalmass(&model)
    )?;
    writeln!(
        out,
        "{DIM}time step {} s, integrator {}, solver {}, cone {}, gravity {:?}{DIM:#}\n",
        model.opt.timestep,
        member(&Integrator::INFO, model.opt.integrator),
        member(&Solver::INFO, model.opt.solver),
        member(&Cone::INFO, model.opt.cone),
        model.opt.gravity
    )?;
    writeln!(out, "{}", body_line(&model, 0))?;
    print_children(&model, 0, "", out)?;
    list(out, "links fused with their parents", model.fused.len(), |id| {
        let link = &model.fused[id];
        let parent = element(&model, ObjType::Body, link.body);
        format!("{} {DIM}on {parent} at {:?}, quaternion {:?}{DIM:#}", link.name, link.pos, link.quat)
    })?;
    list(out, "actuators", model.nu, |id| {
        let kind = ObjType::Actuator;
        format!("{} {DIM}drives {}{DIM:#}", element(&model, kind, id), transmission(&model, id))
    })?;
    list(out, "sensors", model.nsensor, |id| {
        let kind = member(&SensorType::INFO, model.sensor_type[id]);
        let dim = model.sensor_dim[id];
        format!("{} {DIM}{kind}, {dim} value{}{DIM:#}", element(&model, ObjType::Sensor, id), plural(dim))
    })?;
    let soft: Vec<(&str, &str)> = model.deformable_bodies().collect();
    list(out, "deformable bodies", soft.len(), |id| {
        let (name, lines) = soft[id];
        format!("{name} {DIM}{}{DIM:#}", lines.lines().next().unwrap_or_default())
    })?;
    list(out, "keyframes", model.nkey, |id| element(&model, ObjType::Key, id))
}

fn plural(count: i32) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn list(out: &mut Output, title: &str, count: usize, line: impl Fn(usize) -> String) -> Result<(), Failure> {
    if count > 0 {
        writeln!(out, "\n{BOLD}{title}{BOLD:#}")?;
    }
    for id in 0..count {
        writeln!(out, "  {}", line(id))?;
    }
    Ok(())
}

/// Prints the bodies below `parent`, each behind the lines that lead to it. Walks with its own stack: a chain
/// of bodies may be deeper than the program's.
fn print_children(model: &Model, parent: usize, indent: &str, out: &mut Output) -> Result<(), Failure> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); model.nbody];
    for body in 1..model.nbody {
        children[model.body_parentid[body] as usize].push(body);
    }
    let push = |stack: &mut Vec<(usize, bool, String)>, parent: usize, indent: &str| {
        let last = children[parent].last().copied();
        stack
            .extend(children[parent].iter().rev().map(|&body| (body, Some(body) == last, indent.to_owned())));
    };
    let mut stack = Vec::new();
    push(&mut stack, parent, indent);
    while let Some((body, is_last, indent)) = stack.pop() {
        let (branch, below) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        writeln!(out, "{DIM}{indent}{branch}{DIM:#}{}", body_line(model, body))?;
        push(&mut stack, body, &format!("{indent}{below}"));
    }
    Ok(())
}

/// One body with its joints and shapes.
fn body_line(model: &Model, body: usize) -> String {
    let mut parts = Vec::new();
    for joint in owned(model.body_jntadr[body], model.body_jntnum[body]) {
        let kind = member(&JointType::INFO, model.jnt_type[joint]);
        parts.push(format!("{kind} {}", element(model, ObjType::Joint, joint)));
    }
    let mut shapes: Vec<(String, usize)> = Vec::new();
    for geom in owned(model.body_geomadr[body], model.body_geomnum[body]) {
        let kind = member(&GeomType::INFO, model.geom_type[geom]);
        match shapes.iter_mut().find(|(name, _)| *name == kind) {
            Some((_, count)) => *count += 1,
            None => shapes.push((kind, 1)),
        }
    }
    parts.extend(shapes.into_iter().map(|(kind, n)| if n == 1 { kind } else { format!("{n} × {kind}") }));
    if model.body_mass[body] > 0.0 {
        parts.push(format!("{:.3} kg", model.body_mass[body]));
    }
    format!("{BOLD}{}{BOLD:#} {DIM}{}{DIM:#}", element(model, ObjType::Body, body), parts.join(", "))
}

/// Range of the elements that a body owns; the address is -1 when it has none.
fn owned(address: i32, count: i32) -> std::ops::Range<usize> {
    let start = address.max(0) as usize;
    start..start + count.max(0) as usize
}

fn as_json(model: &Model) -> Value {
    let sizes: Map<String, Value> =
        model.sizes().iter().into_iter().map(|(name, size)| (name.to_owned(), json!(size))).collect();
    let bodies: Value = (0..model.nbody)
        .map(|body| {
            json!({
                "name": element(model, ObjType::Body, body),
                "parent": model.body_parentid[body],
                "mass": model.body_mass[body],
                "joints": owned(model.body_jntadr[body], model.body_jntnum[body]).map(|joint| json!({
                    "name": element(model, ObjType::Joint, joint),
                    "type": member(&JointType::INFO, model.jnt_type[joint]),
                })).collect::<Value>(),
                "geoms": owned(model.body_geomadr[body], model.body_geomnum[body])
                    .map(|geom| json!(member(&GeomType::INFO, model.geom_type[geom]))).collect::<Value>(),
            })
        })
        .collect();
    let fused: Value = model
        .fused
        .iter()
        .map(|link| {
            let parent = element(model, ObjType::Body, link.body);
            json!({ "name": link.name, "parent": parent, "pos": link.pos, "quat": link.quat })
        })
        .collect();
    let actuators: Value = (0..model.nu)
        .map(|id| json!({ "name": element(model, ObjType::Actuator, id), "drives": transmission(model, id) }))
        .collect();
    let sensors: Value = (0..model.nsensor)
        .map(|id| {
            json!({
                "name": element(model, ObjType::Sensor, id),
                "type": member(&SensorType::INFO, model.sensor_type[id]),
                "dim": model.sensor_dim[id],
            })
        })
        .collect();
    json!({
        "name": model.modelname,
        "timestep": model.opt.timestep,
        "integrator": member(&Integrator::INFO, model.opt.integrator),
        "solver": member(&Solver::INFO, model.opt.solver),
        "mass": mj_get_totalmass(model),
        "sizes": sizes,
        "bodies": bodies,
        "fused_links": fused,
        "actuators": actuators,
        "sensors": sensors,
    })
}
