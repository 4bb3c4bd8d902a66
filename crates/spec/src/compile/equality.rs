//! Equality constraints: what they connect, and their model arrays.

use kinetree_model::Model;
use kinetree_model::enums::{EqType, JointType, ObjType};

use super::draft::Draft;
use super::elements::EqualityDraft;
use crate::spec::Equality;

/// Resolves all constraints.
pub(crate) fn compile<'s>(draft: &mut Draft<'s>) {
    let spec = draft.spec;
    for src in spec.equalities.values() {
        match compile_equality(draft, src) {
            Ok(Some(objects)) => draft.equalities.push(EqualityDraft { src, objects }),
            Ok(None) => {}
            Err(message) => draft.report.error(src, message),
        }
    }
}

/// Kind of the objects that a constraint connects.
pub(crate) fn object_kind(src: &Equality) -> Result<ObjType, String> {
    match src.r#type {
        EqType::Weld | EqType::Connect => match src.objtype {
            ObjType::Site | ObjType::Body => Ok(src.objtype),
            _ => {
                let kind = if src.r#type == EqType::Connect { "connect" } else { "weld" };
                Err(format!("{kind} constraint supports only sites and bodies"))
            }
        },
        EqType::Joint => Ok(ObjType::Joint),
        EqType::Tendon => Ok(ObjType::Tendon),
        EqType::Flex | EqType::Flexvert | EqType::Flexstrain => Ok(ObjType::Flex),
        EqType::Distance => Err("distance constraints no longer exist".into()),
    }
}

/// `None` when an object is missing, which has been reported.
fn compile_equality(draft: &mut Draft<'_>, src: &Equality) -> Result<Option<[i32; 2]>, String> {
    let kind = object_kind(src)?;
    let first = draft.find_required(src, kind, &src.name1);
    let second = if src.name2.is_empty() {
        // without a second body the constraint is to the world
        Some(if kind == ObjType::Body { 0 } else { -1 })
    } else {
        draft.find_required(src, kind, &src.name2).map(|id| id as i32)
    };
    let (Some(first), Some(second)) = (first, second) else { return Ok(None) };
    let first = first as i32;
    if first == second {
        return Err(format!("'{}' cannot be connected to itself", src.name1));
    }
    if kind == ObjType::Joint {
        let scalar = |j: i32| {
            usize::try_from(j)
                .map_or(true, |j| matches!(draft.joints[j].kind(), JointType::Hinge | JointType::Slide))
        };
        if !scalar(first) || !scalar(second) {
            return Err("only hinge and slide joints can be coupled".into());
        }
    }
    if kind == ObjType::Flex && draft.flexes.get(first as usize).is_some_and(|flex| flex.rigid) {
        return Err(format!("flex '{}' is rigid and cannot be constrained", src.name1));
    }
    if kind == ObjType::Site && second < 0 {
        return Err("a constraint between sites needs two sites".into());
    }
    Ok(Some([first, second]))
}

/// Upper bound on the number of equality rows.
pub(crate) fn max_rows(draft: &Draft<'_>) -> usize {
    let rows = |equality: &EqualityDraft<'_>| match equality.src.r#type {
        EqType::Connect => 3,
        EqType::Weld => 7,
        _ => 1,
    };
    draft.equalities.iter().map(rows).sum()
}

/// Fills the arrays of equality constraints.
pub(crate) fn write(draft: &Draft<'_>, model: &mut Model) {
    for (i, equality) in draft.equalities.iter().enumerate() {
        let src = equality.src;
        model.eq_type[i] = src.r#type as i32;
        [model.eq_obj1id[i], model.eq_obj2id[i]] = equality.objects;
        model.eq_objtype[i] = src.objtype as i32;
        model.eq_active0[i] = u8::from(src.active);
        model.eq_solref[i] = src.solref;
        model.eq_solimp[i] = src.solimp;
        model.eq_data[i] = src.data;
    }
}
