//! Tendons: their paths, rules about what may follow what, and their model arrays.

use kinetree_model::Model;
use kinetree_model::enums::{GeomType, ObjType, WrapType};

use super::draft::Draft;
use super::elements::{TendonDraft, WrapDraft};
use super::limits::resolve_limit;
use super::report::label;
use super::userdata;
use crate::spec::{Tendon, Wrap, WrapTarget};

/// Resolves all tendons.
pub(crate) fn compile<'s>(draft: &mut Draft<'s>) {
    let spec = draft.spec;
    for src in spec.tendons.values() {
        match compile_tendon(draft, src) {
            Ok(tendon) => draft.tendons.push(tendon),
            Err(message) => draft.report.error(src, message),
        }
    }
}

fn compile_tendon<'s>(draft: &mut Draft<'s>, src: &'s Tendon) -> Result<TendonDraft<'s>, String> {
    userdata::check(src.userdata.len(), draft.nuser.tendon, "nuser_tendon")?;
    if src.path.is_empty() {
        return Err("the path is empty".into());
    }
    let spatial = !matches!(src.path[0].target, WrapTarget::Joint { .. });
    if spatial && src.path.len() < 2 {
        return Err("a spatial path needs at least two objects".into());
    }
    if spatial && src.width <= 0.0 {
        return Err("the width must be positive".into());
    }
    if spatial && src.armature < 0.0 {
        return Err("tendon armature cannot be negative".into());
    }
    let path = resolve_path(draft, src);
    if path.len() == src.path.len() {
        check_path(draft, src, &path, spatial)?;
    }

    let compiler = draft.spec.compiler_of(&src.origin);
    let limited = resolve_limit(src.limited, &src.range, compiler.autolimits, "")?;
    if limited && src.range[0] >= src.range[1] {
        return Err("'range' must increase".into());
    }
    let actfrclimited =
        resolve_limit(src.actfrclimited, &src.actfrcrange, compiler.autolimits, "actuatorfrc")?;
    let [low, high] = src.actfrcrange;
    if actfrclimited && (low >= high || low > 0.0 || high < 0.0) {
        return Err("invalid actuatorfrcrange in tendon: it must increase and contain 0".into());
    }
    if src.springlength[0] > src.springlength[1] {
        return Err("invalid springlength in tendon: it must not decrease".into());
    }
    let material =
        if draft.drops_visuals() { None } else { draft.find_optional(src, ObjType::Material, &src.material) };
    Ok(TendonDraft { src, path, limited, actfrclimited, material })
}

/// Looks up the objects of a path; those that are missing are reported and left out.
fn resolve_path(draft: &mut Draft<'_>, src: &Tendon) -> Vec<WrapDraft> {
    let owner = label(src);
    src.path.iter().filter_map(|wrap| resolve_wrap(draft, &owner, wrap)).collect()
}

fn resolve_wrap(draft: &mut Draft<'_>, owner: &str, wrap: &Wrap) -> Option<WrapDraft> {
    let mut find = |kind: ObjType, name: &str| {
        let found = draft.names.find(kind, name);
        if found.is_none() {
            draft.report.unknown_name_at(wrap.pos, owner, &draft.names, kind, name);
        }
        found
    };
    match &wrap.target {
        WrapTarget::Joint { name, coef } => {
            let object = Some(find(ObjType::Joint, name)?);
            Some(WrapDraft { kind: WrapType::Joint, object, prm: *coef })
        }
        WrapTarget::Site { name } => {
            let object = Some(find(ObjType::Site, name)?);
            Some(WrapDraft { kind: WrapType::Site, object, prm: 0.0 })
        }
        WrapTarget::Geom { name, sidesite } => {
            let geom = find(ObjType::Geom, name)?;
            let side = if sidesite.is_empty() { -1.0 } else { find(ObjType::Site, sidesite)? as f64 };
            let kind = match draft.geoms[geom].src.r#type {
                GeomType::Sphere => WrapType::Sphere,
                GeomType::Cylinder => WrapType::Cylinder,
                _ => {
                    let message = format!("{owner}: geom '{name}' is neither a sphere nor a cylinder");
                    draft.report.error_at(wrap.pos, message);
                    return None;
                }
            };
            Some(WrapDraft { kind, object: Some(geom), prm: side })
        }
        WrapTarget::Pulley { divisor } => {
            if *divisor < 0.0 {
                draft
                    .report
                    .error_at(wrap.pos, format!("{owner}: the divisor of a pulley cannot be negative"));
            }
            Some(WrapDraft { kind: WrapType::Pulley, object: None, prm: *divisor })
        }
    }
}

/// Rules about neighbours on the path; geoms on it count as used.
fn check_path(draft: &mut Draft<'_>, src: &Tendon, path: &[WrapDraft], spatial: bool) -> Result<(), String> {
    let kind = |i: usize| path.get(i).map(|wrap| wrap.kind);
    for (i, wrap) in path.iter().enumerate() {
        let before = i.checked_sub(1).and_then(kind);
        let after = kind(i + 1);
        let step = i + 1;
        match wrap.kind {
            WrapType::Joint if spatial => return Err(format!("a joint in a spatial path, at step {step}")),
            WrapType::Joint => {}
            _ if !spatial => return Err(format!("a spatial object in a fixed path, at step {step}")),
            WrapType::Pulley => {
                if before == Some(WrapType::Pulley) {
                    return Err(format!("two pulleys in a row, at step {step}"));
                }
                if after.is_none() {
                    return Err("the path ends with a pulley".into());
                }
            }
            WrapType::Site => {
                let alone = |side: Option<WrapType>| matches!(side, None | Some(WrapType::Pulley));
                if alone(before) && alone(after) {
                    return Err(format!("the site at step {step} needs a neighbor that is not a pulley"));
                }
                if after == Some(WrapType::Site) && wrap.object == path[i + 1].object {
                    return Err(format!("the site at step {step} is repeated"));
                }
            }
            WrapType::Sphere | WrapType::Cylinder => {
                if before != Some(WrapType::Site) || after != Some(WrapType::Site) {
                    return Err(format!("the geom at step {step} must stand between two sites"));
                }
                if src.armature > 0.0 {
                    return Err("geom wrapping not supported in a tendon with armature".into());
                }
                if let Some(geom) = wrap.object {
                    draft.geoms[geom].visual = false;
                }
            }
            WrapType::None => {}
        }
    }
    Ok(())
}

/// Body that carries an object of a spatial path.
pub(crate) fn wrap_body(draft: &Draft<'_>, wrap: &WrapDraft) -> Option<usize> {
    match wrap.kind {
        WrapType::Site => wrap.object.map(|s| draft.sites[s].body),
        WrapType::Sphere | WrapType::Cylinder => wrap.object.map(|g| draft.geoms[g].body),
        _ => None,
    }
}

/// Number of dofs that can move a tendon: the width of its row in the tendon Jacobian.
pub(crate) fn count_dofs(draft: &Draft<'_>, tendon: &TendonDraft<'_>) -> usize {
    if tendon.path.first().is_some_and(|wrap| wrap.kind == WrapType::Joint) {
        return tendon.path.len();
    }
    let mut counted = vec![false; draft.bodies.len()];
    let mut dofs = 0;
    for wrap in &tendon.path {
        let mut body = wrap_body(draft, wrap).unwrap_or(0);
        while body > 0 && !counted[body] {
            counted[body] = true;
            dofs += draft.bodies[body].dofnum;
            body = draft.bodies[body].parent;
        }
    }
    dofs
}

/// Fills the arrays of tendons and of the objects on their paths.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model) {
    let mut adr = 0;
    for (t, tendon) in draft.tendons.iter().enumerate() {
        let src = tendon.src;
        model.tendon_adr[t] = adr as i32;
        model.tendon_num[t] = tendon.path.len() as i32;
        model.tendon_matid[t] = tendon.material.map_or(-1, |material| material as i32);
        model.tendon_group[t] = src.group;
        model.tendon_limited[t] = u8::from(tendon.limited);
        model.tendon_actfrclimited[t] = u8::from(tendon.actfrclimited);
        model.tendon_width[t] = src.width;
        model.tendon_solref_lim[t] = src.solref_limit;
        model.tendon_solimp_lim[t] = src.solimp_limit;
        model.tendon_solref_fri[t] = src.solref_friction;
        model.tendon_solimp_fri[t] = src.solimp_friction;
        model.tendon_range[t] = src.range;
        model.tendon_actfrcrange[t] = src.actfrcrange;
        model.tendon_margin[t] = src.margin;
        model.tendon_stiffness[t] = src.stiffness[0];
        model.tendon_stiffnesspoly[t] = [src.stiffness[1], src.stiffness[2]];
        model.tendon_damping[t] = src.damping[0];
        model.tendon_dampingpoly[t] = [src.damping[1], src.damping[2]];
        model.tendon_armature[t] = src.armature;
        model.tendon_frictionloss[t] = src.frictionloss;
        model.tendon_lengthspring[t] = src.springlength;
        model.tendon_rgba[t] = src.rgba;
        userdata::write(&mut model.tendon_user, draft.nuser.tendon, t, &src.userdata);
        for wrap in &tendon.path {
            model.wrap_type[adr] = wrap.kind as i32;
            model.wrap_objid[adr] = match (wrap.kind, wrap.object) {
                (WrapType::Sphere | WrapType::Cylinder, Some(g)) => {
                    draft.geom_id(g).map_or(-1, |id| id as i32)
                }
                (_, object) => object.map_or(-1, |id| id as i32),
            };
            model.wrap_prm[adr] = wrap.prm;
            adr += 1;
        }
    }
}
