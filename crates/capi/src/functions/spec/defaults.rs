//! Structs with the values of new elements.

use crate::export;
use crate::ffi::pointer::Out;
use crate::ffi::spec::BodyPtr;
use crate::layout::spec::*;

/// Exports functions that fill a struct, which may be any memory, with the values of a new element.
macro_rules! defaults {
    ($( $name:ident $t:ident; )*) => { $(
        export! {
            fn $name(body: BodyPtr<'_, $t>) {
                let mut value = $t::default();
                value.show(&Default::default());
                body.begin(value)
            }
        }
    )* };
}

defaults! {
    mjs_defaultBody MjsBody; mjs_defaultFrame MjsFrame; mjs_defaultJoint MjsJoint; mjs_defaultGeom MjsGeom;
    mjs_defaultSite MjsSite; mjs_defaultCamera MjsCamera; mjs_defaultLight MjsLight; mjs_defaultFlex MjsFlex;
    mjs_defaultMesh MjsMesh; mjs_defaultHField MjsHField; mjs_defaultSkin MjsSkin; mjs_defaultTexture MjsTexture;
    mjs_defaultMaterial MjsMaterial; mjs_defaultPair MjsPair; mjs_defaultEquality MjsEquality;
    mjs_defaultTendon MjsTendon; mjs_defaultActuator MjsActuator; mjs_defaultSensor MjsSensor;
    mjs_defaultNumeric MjsNumeric; mjs_defaultText MjsText; mjs_defaultTuple MjsTuple; mjs_defaultKey MjsKey;
}

export! {
    fn mjs_defaultPlugin(plugin: BodyPtr<'_, MjsPlugin>) { plugin.begin(MjsPlugin::default()) }
    fn mjs_defaultOrientation(orient: Out<'_, MjsOrientation>) { orient.set([MjsOrientation::default()]) }
    fn mjs_defaultSpec(spec: crate::ffi::words::Room<'_, crate::layout::spec_settings::MjSpec>) {
        spec.begin(crate::layout::spec_settings::MjSpec::default())
    }
}
