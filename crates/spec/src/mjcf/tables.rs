//! The tables of the MJCF schema, version 3.8.0.

use super::schema::{ElementSchema, Occurs};

/// An element that may stand any number of times.
const fn many(
    name: &'static str,
    attrs: &'static [&'static str],
    children: &'static [&'static ElementSchema],
) -> ElementSchema {
    ElementSchema { name, occurs: Occurs::Many, attrs, children, recursive: false }
}

/// An element that may stand once.
const fn once(
    name: &'static str,
    attrs: &'static [&'static str],
    children: &'static [&'static ElementSchema],
) -> ElementSchema {
    ElementSchema { name, occurs: Occurs::Once, attrs, children, recursive: false }
}

/// A leaf that may stand any number of times.
macro_rules! many {
    ($name:literal, $($attrs:expr),* $(; $($child:expr),+)?) => {
        { static ELEMENT: ElementSchema = many($name, &[$($attrs),*], &[$($($child),+)?]); &ELEMENT }
    };
}

/// A leaf that may stand once.
macro_rules! once {
    ($name:literal, $($attrs:expr),* $(; $($child:expr),+)?) => {
        { static ELEMENT: ElementSchema = once($name, &[$($attrs),*], &[$($($child),+)?]); &ELEMENT }
    };
}

// groups of attributes that several elements share
const POSE: &str = "pos quat axisangle xyaxes zaxis euler";
const SOLVER: &str = "solref solimp";
const JOINT: &str = "type group pos axis springdamper limited actuatorfrclimited solreflimit solimplimit solreffriction \
    solimpfriction stiffness range actuatorfrcrange actuatorgravcomp margin ref springref armature damping frictionloss user";
const GEOM: &str = "type contype conaffinity condim group priority size material friction mass density shellinertia solmix \
    margin gap fromto hfield mesh fitscale rgba fluidshape fluidcoef user";
const SITE: &str = "type group material size fromto rgba user";
const CAMERA: &str =
    "projection fovy ipd resolution output mode focal focalpixel principal principalpixel sensorsize user";
const LIGHT: &str = "directional type castshadow active pos dir bulbradius intensity range attenuation cutoff exponent \
    ambient diffuse specular mode";
const MATERIAL: &str =
    "texture texrepeat texuniform emission specular shininess reflectance metallic roughness rgba";
const PAIR: &str = "condim friction solref solreffriction solimp gap margin";
const TENDON: &str = "group limited range solreflimit solimplimit solreffriction solimpfriction frictionloss springlength \
    margin stiffness damping user";
const FLEX_CONTACT: &str = "contype conaffinity condim priority friction solmix solref solimp margin gap internal selfcollide \
    activelayers passive";
const ELASTICITY: &str = "young poisson damping thickness elastic2d";

// groups of actuator attributes
const HISTORY: &str = "nsample interp delay";
const DRIVE: &str = "gear damping armature cranklength";
const CTRL: &str = "ctrllimited ctrlrange";
const FORCE: &str = "forcelimited forcerange";
const ACT: &str = "actlimited actrange";
const ON_JOINT: &str = "joint jointinparent tendon slidersite cranksite";
const ON_SITE: &str = "site refsite";
const GENERAL: &str = "actdim dyntype gaintype biastype dynprm gainprm biasprm actearly";
const POSITION: &str = "inheritrange kp kv dampratio timeconst";
const INTVELOCITY: &str = "inheritrange actrange kp kv dampratio";
const CYLINDER: &str = "timeconst area diameter bias";
const MUSCLE: &str = "timeconst range force scale lmin lmax vmax fpmax fvmax";
const DCMOTOR: &str =
    "motorconst resistance nominal saturation inductance cogging controller input thermal lugre";

// groups of sensor attributes
const SENSOR: &str = "name nsample interp delay interval cutoff noise user";
const ON_FRAME: &str = "objtype objname";
const REF_FRAME: &str = "reftype refname";
const TWO_GEOMS: &str = "geom1 geom2 body1 body2";

static CONFIG: ElementSchema = many("config", &["key value"], &[]);
static PLUGIN: ElementSchema = many("plugin", &["plugin instance"], &[&CONFIG]);
static LAYER: ElementSchema = many("layer", &["texture role"], &[]);
static BONE: ElementSchema = many("bone", &["body bindpos bindquat vertid vertweight"], &[]);
static SKIN: ElementSchema =
    many("skin", &["name file material rgba inflate vertex texcoord face group"], &[&BONE]);

/// The root element.
pub(crate) static ROOT: ElementSchema = once(
    "mujoco",
    &["model"],
    &[
        &COMPILER,
        &OPTION,
        &SIZE,
        &VISUAL,
        &STATISTIC,
        &DEFAULT,
        &EXTENSION,
        &CUSTOM,
        &ASSET,
        &WORLDBODY,
        &DEFORMABLE,
        &SOFT,
        &CONTACT,
        &EQUALITY,
        &TENDONS,
        &ACTUATORS,
        &SENSORS,
        &KEYFRAME,
    ],
);

/// Compiler settings.
pub(crate) static COMPILER: ElementSchema = many(
    "compiler",
    &[
        "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb eulerseq meshdir \
       texturedir discardvisual usethread fusestatic inertiafromgeom inertiagrouprange saveinertial assetdir alignfree",
    ],
    &[once!(
        "lengthrange",
        "mode useexisting uselimit accel maxforce timeconst timestep inttotal interval tolrange"
    )],
);

/// Physics options.
pub(crate) static OPTION: ElementSchema = many(
    "option",
    &[
        "timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance gravity wind magnetic density \
       viscosity o_margin o_solref o_solimp o_friction integrator cone jacobian solver iterations ls_iterations \
       noslip_iterations ccd_iterations sdf_iterations sdf_initpoints actuatorgroupdisable",
    ],
    &[once!(
        "flag",
        "constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart filterparent actuation \
         refsafe sensor midphase eulerdamp autoreset nativeccd island override energy fwdinv invdiscrete multiccd sleep"
    )],
);

/// Sizes.
pub(crate) static SIZE: ElementSchema = many(
    "size",
    &[
        "memory njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon \
       nuser_actuator nuser_sensor",
    ],
    &[],
);

static VISUAL: ElementSchema = many(
    "visual",
    &[],
    &[
        once!(
            "global",
            "cameraid orthographic fovy ipd azimuth elevation linewidth glow offwidth offheight realtime ellipsoidinertia bvactive"
        ),
        once!("quality", "shadowsize offsamples numslices numstacks numquads"),
        once!("headlight", "ambient diffuse specular active"),
        once!(
            "map",
            "stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip shadowscale actuatortendon"
        ),
        once!(
            "scale",
            "forcewidth contactwidth contactheight connect com camera light selectpoint jointlength jointwidth actuatorlength \
             actuatorwidth framelength framewidth constraint slidercrank frustum"
        ),
        once!(
            "rgba",
            "fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light selectpoint connect \
             contactpoint contactforce contactfriction contacttorque contactgap rangefinder constraint slidercrank crankbroken \
             frustum bv bvactive"
        ),
    ],
);

static STATISTIC: ElementSchema = many("statistic", &["meaninertia meanmass meansize extent center"], &[]);

static DEFAULT: ElementSchema = ElementSchema {
    name: "default",
    occurs: Occurs::Many,
    attrs: &["class"],
    recursive: true,
    children: &[
        once!("mesh", "scale maxhullvert inertia"),
        once!("material", MATERIAL; &LAYER),
        once!("joint", JOINT),
        once!("geom", GEOM, POSE, SOLVER),
        once!("site", SITE, POSE),
        once!("camera", CAMERA, POSE),
        once!("light", LIGHT),
        once!("pair", PAIR),
        once!("equality", "active", SOLVER),
        once!("tendon", TENDON, "width material rgba"),
        once!("general", "user group", HISTORY, DRIVE, CTRL, FORCE, ACT, GENERAL),
        once!("motor", "user group", HISTORY, DRIVE, CTRL, FORCE),
        once!("position", "user group", HISTORY, DRIVE, CTRL, FORCE, POSITION),
        once!("velocity", "user group kv", HISTORY, DRIVE, CTRL, FORCE),
        once!("intvelocity", "user group", HISTORY, DRIVE, CTRL, FORCE, INTVELOCITY),
        once!("damper", "user group kv ctrlrange", HISTORY, DRIVE, FORCE),
        once!("cylinder", "user group", HISTORY, DRIVE, CTRL, FORCE, CYLINDER),
        once!("muscle", "user group", HISTORY, DRIVE, CTRL, FORCE, MUSCLE),
        once!("adhesion", "user group gain ctrlrange", HISTORY, FORCE),
        once!("dcmotor", "user group", HISTORY, DRIVE, CTRL, DCMOTOR),
    ],
};

static EXTENSION: ElementSchema =
    many("extension", &[], &[many!("plugin", "plugin"; many!("instance", "name"; &CONFIG))]);

static CUSTOM: ElementSchema = many(
    "custom",
    &[],
    &[
        many!("numeric", "name size data"),
        many!("text", "name data"),
        many!("tuple", "name"; many!("element", "objtype objname prm")),
    ],
);

static ASSET: ElementSchema = many(
    "asset",
    &[],
    &[
        many!(
            "mesh",
            "name class content_type file vertex normal texcoord face refpos refquat scale smoothnormal maxhullvert inertia \
             builtin params material"; &PLUGIN
        ),
        many!("hfield", "name content_type file nrow ncol size elevation"),
        &SKIN,
        many!(
            "texture",
            "name type colorspace content_type file gridsize gridlayout fileright fileleft fileup filedown filefront fileback \
             builtin rgb1 rgb2 mark markrgb random width height hflip vflip nchannel"
        ),
        many!("material", "name class", MATERIAL; &LAYER),
        many!("model", "name file content_type"),
    ],
);

/// What a body, a frame and the world may hold besides bodies, frames and replicates.
static BODY_CHILDREN: &[&ElementSchema] = &[
    once!("inertial", POSE, "mass diaginertia fullinertia"),
    many!("joint", "name class", JOINT),
    many!("freejoint", "name group align"),
    many!("geom", "name class", GEOM, POSE, SOLVER; &PLUGIN),
    many!("attach", "model body prefix"),
    many!("site", "name class", SITE, POSE),
    many!("camera", "name class target", CAMERA, POSE),
    many!("light", "name class target texture", LIGHT),
    &PLUGIN,
    &COMPOSITE,
    &FLEXCOMP,
];

const BODY: &str = "name childclass mocap gravcomp sleep user";

static WORLDBODY: ElementSchema = many("worldbody", &[], BODY_CHILDREN);

/// Elements with the content of a body.
pub(crate) static BODY_LIKE: &[&ElementSchema] = &[
    {
        static ELEMENT: ElementSchema = many("body", &[BODY, POSE], BODY_CHILDREN);
        &ELEMENT
    },
    {
        static ELEMENT: ElementSchema = many("frame", &["name childclass", POSE], BODY_CHILDREN);
        &ELEMENT
    },
    {
        static ELEMENT: ElementSchema =
            many("replicate", &["childclass count offset euler sep"], BODY_CHILDREN);
        &ELEMENT
    },
];

static COMPOSITE: ElementSchema = many(
    "composite",
    &["prefix type count offset vertex initial curve size quat"],
    &[
        many!(
            "joint",
            "kind group stiffness damping armature solreffix solimpfix type axis limited range margin solreflimit solimplimit \
             frictionloss solreffriction solimpfriction"
        ),
        once!("skin", "texcoord material group rgba inflate subgrid"),
        once!(
            "geom",
            "type contype conaffinity condim group priority size material rgba friction mass density solmix margin gap",
            SOLVER
        ),
        once!("site", "group size material rgba"),
        &PLUGIN,
    ],
);

static FLEXCOMP: ElementSchema = many(
    "flexcomp",
    &[
        "name type group dim dof count cellcount spacing radius rigid mass inertiabox scale file point element texcoord material \
         rgba flatskin origin",
        POSE,
    ],
    &[
        once!("edge", "equality stiffness damping", SOLVER),
        once!("elasticity", ELASTICITY),
        once!("contact", FLEX_CONTACT),
        many!("pin", "id range grid gridrange"),
        &PLUGIN,
    ],
);

static DEFORMABLE: ElementSchema = many(
    "deformable",
    &[],
    &[
        many!(
            "flex",
            "name group dim radius material rgba flatskin body vertex element texcoord elemtexcoord node cellcount dof";
            once!("contact", FLEX_CONTACT),
            once!("edge", "stiffness damping"),
            once!("elasticity", ELASTICITY)
        ),
        &SKIN,
    ],
);

/// Attributes of all deformable bodies; this section is an extension of our own.
const SOFT_BODY: &str =
    "name preset young poisson density friction damping rgba drag substeps iterations sleep selfcontact";

static SOFT_PIN: ElementSchema = many("pin", &["vertex"], &[]);

static SOFT_ATTACH: ElementSchema = many("attach", &["vertex site body"], &[]);

static SOFT: ElementSchema = many(
    "soft",
    &[],
    &[
        many!("cloth", SOFT_BODY, "mesh cells size pos quat thickness"; &SOFT_PIN, &SOFT_ATTACH),
        many!("body", SOFT_BODY, "mesh cells size cell pos quat radius"; &SOFT_PIN, &SOFT_ATTACH),
        many!("rope", SOFT_BODY, "fromto segments point radius solidity"; &SOFT_PIN, &SOFT_ATTACH),
    ],
);

static CONTACT: ElementSchema = many(
    "contact",
    &[],
    &[many!("pair", "name class geom1 geom2", PAIR), many!("exclude", "name body1 body2")],
);

const EQUALITY_COMMON: &str = "name class active solref solimp";

static EQUALITY: ElementSchema = many(
    "equality",
    &[],
    &[
        many!("connect", EQUALITY_COMMON, "body1 body2 anchor site1 site2"),
        many!("weld", EQUALITY_COMMON, "body1 body2 relpose anchor site1 site2 torquescale"),
        many!("joint", EQUALITY_COMMON, "joint1 joint2 polycoef"),
        many!("tendon", EQUALITY_COMMON, "tendon1 tendon2 polycoef"),
        many!("flex", EQUALITY_COMMON, "flex"),
        many!("flexvert", EQUALITY_COMMON, "flex"),
        many!("flexstrain", EQUALITY_COMMON, "flex cell"),
    ],
);

const TENDON_REGULAR: &str = "name class actuatorfrclimited actuatorfrcrange armature";

static TENDONS: ElementSchema = many(
    "tendon",
    &[],
    &[
        many!(
            "spatial", TENDON, TENDON_REGULAR, "width material rgba";
            many!("site", "site"), many!("geom", "geom sidesite"), many!("pulley", "divisor")
        ),
        many!("fixed", TENDON, TENDON_REGULAR; many!("joint", "joint coef")),
    ],
);

const ACTUATOR: &str = "name class group user";
const LENGTH: &str = "lengthrange";

static ACTUATORS: ElementSchema = many(
    "actuator",
    &[],
    &[
        many!(
            "general", ACTUATOR, LENGTH, HISTORY, DRIVE, CTRL, FORCE, ACT, ON_JOINT, ON_SITE, "body", GENERAL
        ),
        many!("motor", ACTUATOR, LENGTH, HISTORY, DRIVE, CTRL, FORCE, ON_JOINT, ON_SITE),
        many!("position", ACTUATOR, LENGTH, HISTORY, DRIVE, CTRL, FORCE, ON_JOINT, ON_SITE, POSITION),
        many!("velocity", ACTUATOR, LENGTH, HISTORY, DRIVE, CTRL, FORCE, ON_JOINT, ON_SITE, "kv"),
        many!("intvelocity", ACTUATOR, LENGTH, HISTORY, DRIVE, CTRL, FORCE, ON_JOINT, ON_SITE, INTVELOCITY),
        many!("damper", ACTUATOR, LENGTH, HISTORY, DRIVE, FORCE, ON_JOINT, ON_SITE, "ctrlrange kv"),
        many!("cylinder", ACTUATOR, LENGTH, HISTORY, DRIVE, CTRL, FORCE, ON_JOINT, ON_SITE, CYLINDER),
        many!("muscle", ACTUATOR, LENGTH, HISTORY, DRIVE, CTRL, FORCE, ON_JOINT, "tausmooth", MUSCLE),
        many!("adhesion", ACTUATOR, HISTORY, FORCE, "ctrlrange body gain"),
        many!("dcmotor", ACTUATOR, LENGTH, HISTORY, DRIVE, CTRL, ON_JOINT, ON_SITE, DCMOTOR),
        many!(
            "plugin", ACTUATOR, LENGTH, HISTORY, DRIVE, CTRL, FORCE, ACT, ON_JOINT, "site plugin instance actdim dyntype dynprm actearly";
            &CONFIG
        ),
    ],
);

static SENSORS: ElementSchema = many(
    "sensor",
    &[],
    &[
        many!("touch", SENSOR, "site"),
        many!("accelerometer", SENSOR, "site"),
        many!("velocimeter", SENSOR, "site"),
        many!("gyro", SENSOR, "site"),
        many!("force", SENSOR, "site"),
        many!("torque", SENSOR, "site"),
        many!("magnetometer", SENSOR, "site"),
        many!("camprojection", SENSOR, "site camera"),
        many!("rangefinder", SENSOR, "site camera data"),
        many!("jointpos", SENSOR, "joint"),
        many!("jointvel", SENSOR, "joint"),
        many!("tendonpos", SENSOR, "tendon"),
        many!("tendonvel", SENSOR, "tendon"),
        many!("actuatorpos", SENSOR, "actuator"),
        many!("actuatorvel", SENSOR, "actuator"),
        many!("actuatorfrc", SENSOR, "actuator"),
        many!("jointactuatorfrc", SENSOR, "joint"),
        many!("tendonactuatorfrc", SENSOR, "tendon"),
        many!("ballquat", SENSOR, "joint"),
        many!("ballangvel", SENSOR, "joint"),
        many!("jointlimitpos", SENSOR, "joint"),
        many!("jointlimitvel", SENSOR, "joint"),
        many!("jointlimitfrc", SENSOR, "joint"),
        many!("tendonlimitpos", SENSOR, "tendon"),
        many!("tendonlimitvel", SENSOR, "tendon"),
        many!("tendonlimitfrc", SENSOR, "tendon"),
        many!("framepos", SENSOR, ON_FRAME, REF_FRAME),
        many!("framequat", SENSOR, ON_FRAME, REF_FRAME),
        many!("framexaxis", SENSOR, ON_FRAME, REF_FRAME),
        many!("frameyaxis", SENSOR, ON_FRAME, REF_FRAME),
        many!("framezaxis", SENSOR, ON_FRAME, REF_FRAME),
        many!("framelinvel", SENSOR, ON_FRAME, REF_FRAME),
        many!("frameangvel", SENSOR, ON_FRAME, REF_FRAME),
        many!("framelinacc", SENSOR, ON_FRAME),
        many!("frameangacc", SENSOR, ON_FRAME),
        many!("subtreecom", SENSOR, "body"),
        many!("subtreelinvel", SENSOR, "body"),
        many!("subtreeangmom", SENSOR, "body"),
        many!("insidesite", SENSOR, "site", ON_FRAME),
        many!("distance", SENSOR, TWO_GEOMS),
        many!("normal", SENSOR, TWO_GEOMS),
        many!("fromto", SENSOR, TWO_GEOMS),
        many!("contact", SENSOR, TWO_GEOMS, "subtree1 subtree2 site num data reduce"),
        many!("e_potential", SENSOR),
        many!("e_kinetic", SENSOR),
        many!("clock", SENSOR),
        many!("tactile", "name geom mesh nsample interp delay interval user"),
        many!("user", "name objtype objname datatype needstage dim cutoff noise user"),
        many!("plugin", "name plugin instance cutoff user", ON_FRAME, REF_FRAME; &CONFIG),
    ],
);

static KEYFRAME: ElementSchema =
    many("keyframe", &[], &[many!("key", "name time qpos qvel act mpos mquat ctrl")]);
