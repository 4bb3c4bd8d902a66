//! Words that attributes accept, and what they stand for.

use kinetree_model::enums::{
    BiasType, CamLight, CamOutBit, ColorSpace, ConDataField, Cone, DataType, DynType, EqType, FlexSelf,
    GainType, GeomType, Integrator, Jacobian, JointType, LengthRangeMode, LightType, ObjType, Projection,
    RayDataField, SleepPolicy, Solver, Stage, TextureRole, TextureType,
};

use crate::spec::cable::Curve;
use crate::spec::flexcomp::{FlexcompDof, FlexcompEquality, FlexcompKind};
use crate::spec::{
    AlignFree, GeomInertia, InertiaFromGeom, Limited, MeshBuiltin, MeshInertia, TextureBuiltin, TextureMark,
};

/// A table of words and their values.
pub(crate) type Keywords<T> = &'static [(&'static str, T)];

pub(crate) const BOOL: Keywords<bool> = &[("false", false), ("true", true)];
pub(crate) const ENABLE: Keywords<bool> = &[("disable", false), ("enable", true)];
pub(crate) const LIMITED: Keywords<Limited> =
    &[("false", Limited::False), ("true", Limited::True), ("auto", Limited::Auto)];
pub(crate) const ALIGN: Keywords<AlignFree> =
    &[("false", AlignFree::False), ("true", AlignFree::True), ("auto", AlignFree::Auto)];
pub(crate) const INERTIA_FROM_GEOM: Keywords<InertiaFromGeom> =
    &[("false", InertiaFromGeom::False), ("true", InertiaFromGeom::True), ("auto", InertiaFromGeom::Auto)];
pub(crate) const COORDINATE: Keywords<bool> = &[("local", false), ("global", true)];
pub(crate) const ANGLE: Keywords<bool> = &[("radian", false), ("degree", true)];
pub(crate) const FLUID: Keywords<bool> = &[("none", false), ("ellipsoid", true)];
pub(crate) const SLEEP: Keywords<SleepPolicy> = &[
    ("auto", SleepPolicy::Auto),
    ("never", SleepPolicy::Never),
    ("allowed", SleepPolicy::Allowed),
    ("init", SleepPolicy::Init),
];
pub(crate) const JOINT: Keywords<JointType> = &[
    ("free", JointType::Free),
    ("ball", JointType::Ball),
    ("slide", JointType::Slide),
    ("hinge", JointType::Hinge),
];
pub(crate) const GEOM: Keywords<GeomType> = &[
    ("plane", GeomType::Plane),
    ("hfield", GeomType::Hfield),
    ("sphere", GeomType::Sphere),
    ("capsule", GeomType::Capsule),
    ("ellipsoid", GeomType::Ellipsoid),
    ("cylinder", GeomType::Cylinder),
    ("box", GeomType::Box),
    ("mesh", GeomType::Mesh),
    ("sdf", GeomType::Sdf),
];
pub(crate) const GEOM_INERTIA: Keywords<GeomInertia> =
    &[("false", GeomInertia::Volume), ("true", GeomInertia::Shell)];
pub(crate) const PROJECTION: Keywords<Projection> =
    &[("perspective", Projection::Perspective), ("orthographic", Projection::Orthographic)];
pub(crate) const CAM_LIGHT: Keywords<CamLight> = &[
    ("fixed", CamLight::Fixed),
    ("track", CamLight::Track),
    ("trackcom", CamLight::Trackcom),
    ("targetbody", CamLight::Targetbody),
    ("targetbodycom", CamLight::Targetbodycom),
];
pub(crate) const LIGHT: Keywords<LightType> = &[
    ("spot", LightType::Spot),
    ("directional", LightType::Directional),
    ("point", LightType::Point),
    ("image", LightType::Image),
];
pub(crate) const TEXTURE_ROLE: Keywords<TextureRole> = &[
    ("rgb", TextureRole::Rgb),
    ("occlusion", TextureRole::Occlusion),
    ("roughness", TextureRole::Roughness),
    ("metallic", TextureRole::Metallic),
    ("normal", TextureRole::Normal),
    ("opacity", TextureRole::Opacity),
    ("emissive", TextureRole::Emissive),
    ("rgba", TextureRole::Rgba),
    ("orm", TextureRole::Orm),
];
pub(crate) const INTEGRATOR: Keywords<i32> = &[
    ("Euler", Integrator::Euler as i32),
    ("RK4", Integrator::Rk4 as i32),
    ("implicit", Integrator::Implicit as i32),
    ("implicitfast", Integrator::Implicitfast as i32),
    // extensions
    ("ImplicitSpringDamper", Integrator::ImplicitSpringDamper as i32),
    ("ImplicitEuler", Integrator::ImplicitEuler as i32),
];
pub(crate) const CONE: Keywords<i32> =
    &[("pyramidal", Cone::Pyramidal as i32), ("elliptic", Cone::Elliptic as i32)];
pub(crate) const JACOBIAN: Keywords<i32> = &[
    ("dense", Jacobian::Dense as i32),
    ("sparse", Jacobian::Sparse as i32),
    ("auto", Jacobian::Auto as i32),
];
pub(crate) const SOLVER: Keywords<i32> = &[
    ("PGS", Solver::Pgs as i32),
    ("CG", Solver::Cg as i32),
    ("Newton", Solver::Newton as i32),
    // an extension
    ("CGPGS", Solver::CgPgs as i32),
];
pub(crate) const EQUALITY: Keywords<EqType> = &[
    ("connect", EqType::Connect),
    ("weld", EqType::Weld),
    ("joint", EqType::Joint),
    ("tendon", EqType::Tendon),
    ("flex", EqType::Flex),
    ("flexvert", EqType::Flexvert),
    ("flexstrain", EqType::Flexstrain),
];
pub(crate) const TEXTURE: Keywords<TextureType> =
    &[("2d", TextureType::T2d), ("cube", TextureType::Cube), ("skybox", TextureType::Skybox)];
pub(crate) const COLOR_SPACE: Keywords<ColorSpace> =
    &[("auto", ColorSpace::Auto), ("linear", ColorSpace::Linear), ("sRGB", ColorSpace::Srgb)];
pub(crate) const BUILTIN: Keywords<TextureBuiltin> = &[
    ("none", TextureBuiltin::None),
    ("gradient", TextureBuiltin::Gradient),
    ("checker", TextureBuiltin::Checker),
    ("flat", TextureBuiltin::Flat),
];
pub(crate) const MARK: Keywords<TextureMark> = &[
    ("none", TextureMark::None),
    ("edge", TextureMark::Edge),
    ("cross", TextureMark::Cross),
    ("random", TextureMark::Random),
];
pub(crate) const DYN: Keywords<DynType> = &[
    ("none", DynType::None),
    ("integrator", DynType::Integrator),
    ("filter", DynType::Filter),
    ("filterexact", DynType::Filterexact),
    ("muscle", DynType::Muscle),
    ("dcmotor", DynType::Dcmotor),
    ("user", DynType::User),
];
pub(crate) const GAIN: Keywords<GainType> = &[
    ("fixed", GainType::Fixed),
    ("affine", GainType::Affine),
    ("muscle", GainType::Muscle),
    ("dcmotor", GainType::Dcmotor),
    ("user", GainType::User),
];
pub(crate) const BIAS: Keywords<BiasType> = &[
    ("none", BiasType::None),
    ("affine", BiasType::Affine),
    ("muscle", BiasType::Muscle),
    ("dcmotor", BiasType::Dcmotor),
    ("user", BiasType::User),
];
pub(crate) const DCMOTOR_INPUT: Keywords<i32> = &[("voltage", 0), ("position", 1), ("velocity", 2)];
pub(crate) const INTERP: Keywords<i32> = &[("zoh", 0), ("linear", 1), ("cubic", 2)];
pub(crate) const STAGE: Keywords<Stage> =
    &[("none", Stage::None), ("pos", Stage::Pos), ("vel", Stage::Vel), ("acc", Stage::Acc)];
pub(crate) const DATATYPE: Keywords<DataType> = &[
    ("real", DataType::Real),
    ("positive", DataType::Positive),
    ("axis", DataType::Axis),
    ("quaternion", DataType::Quaternion),
];
pub(crate) const CONTACT_DATA: Keywords<i32> = &[
    ("found", ConDataField::Found as i32),
    ("force", ConDataField::Force as i32),
    ("torque", ConDataField::Torque as i32),
    ("dist", ConDataField::Dist as i32),
    ("pos", ConDataField::Pos as i32),
    ("normal", ConDataField::Normal as i32),
    ("tangent", ConDataField::Tangent as i32),
];
pub(crate) const RAY_DATA: Keywords<i32> = &[
    ("dist", RayDataField::Dist as i32),
    ("dir", RayDataField::Dir as i32),
    ("origin", RayDataField::Origin as i32),
    ("point", RayDataField::Point as i32),
    ("normal", RayDataField::Normal as i32),
    ("depth", RayDataField::Depth as i32),
];
pub(crate) const CAMERA_OUTPUT: Keywords<i32> = &[
    ("rgb", CamOutBit::Rgb as i32),
    ("depth", CamOutBit::Depth as i32),
    ("distance", CamOutBit::Dist as i32),
    ("normal", CamOutBit::Normal as i32),
    ("segmentation", CamOutBit::Seg as i32),
];
pub(crate) const REDUCE: Keywords<i32> = &[("none", 0), ("mindist", 1), ("maxforce", 2), ("netforce", 3)];
pub(crate) const LENGTH_RANGE_MODE: Keywords<LengthRangeMode> = &[
    ("none", LengthRangeMode::None),
    ("muscle", LengthRangeMode::Muscle),
    ("muscleuser", LengthRangeMode::Muscleuser),
    ("all", LengthRangeMode::All),
];
pub(crate) const MESH_INERTIA: Keywords<MeshInertia> = &[
    ("convex", MeshInertia::Convex),
    ("legacy", MeshInertia::Legacy),
    ("exact", MeshInertia::Exact),
    ("shell", MeshInertia::Shell),
];
pub(crate) const MESH_BUILTIN: Keywords<MeshBuiltin> = &[
    ("none", MeshBuiltin::None),
    ("sphere", MeshBuiltin::Sphere),
    ("hemisphere", MeshBuiltin::Hemisphere),
    ("cone", MeshBuiltin::Cone),
    ("supertorus", MeshBuiltin::Supertorus),
    ("supersphere", MeshBuiltin::Supersphere),
    ("wedge", MeshBuiltin::Wedge),
    ("plate", MeshBuiltin::Plate),
];
pub(crate) const FLEX_SELF: Keywords<FlexSelf> = &[
    ("none", FlexSelf::None),
    ("narrow", FlexSelf::Narrow),
    ("bvh", FlexSelf::Bvh),
    ("sap", FlexSelf::Sap),
    ("auto", FlexSelf::Auto),
];
pub(crate) const ELASTIC_2D: Keywords<i32> = &[("none", 0), ("bend", 1), ("stretch", 2), ("both", 3)];
/// Degrees of freedom of a flex; the value is the order of interpolation.
pub(crate) const FLEX_DOF: Keywords<i32> =
    &[("full", 0), ("radial", 0), ("trilinear", 1), ("quadratic", 2), ("2d", 0)];
pub(crate) const FLEXCOMP: Keywords<FlexcompKind> = &[
    ("grid", FlexcompKind::Grid),
    ("box", FlexcompKind::Box),
    ("cylinder", FlexcompKind::Cylinder),
    ("ellipsoid", FlexcompKind::Ellipsoid),
    ("square", FlexcompKind::Square),
    ("disc", FlexcompKind::Disc),
    ("circle", FlexcompKind::Circle),
    ("mesh", FlexcompKind::Mesh),
    ("gmsh", FlexcompKind::Gmsh),
    ("direct", FlexcompKind::Direct),
];
pub(crate) const FLEXCOMP_DOF: Keywords<FlexcompDof> = &[
    ("full", FlexcompDof::Full),
    ("radial", FlexcompDof::Radial),
    ("trilinear", FlexcompDof::Trilinear),
    ("quadratic", FlexcompDof::Quadratic),
    ("2d", FlexcompDof::Planar),
];
pub(crate) const FLEXCOMP_EQUALITY: Keywords<FlexcompEquality> = &[
    ("false", FlexcompEquality::None),
    ("true", FlexcompEquality::Edge),
    ("vert", FlexcompEquality::Vertex),
    ("strain", FlexcompEquality::Strain),
];
pub(crate) const COMPOSITE: Keywords<()> =
    &[("particle", ()), ("grid", ()), ("rope", ()), ("loop", ()), ("cable", ()), ("cloth", ())];
pub(crate) const COMPOSITE_JOINT: Keywords<()> = &[("main", ())];
pub(crate) const COMPOSITE_CURVE: Keywords<Curve> =
    &[("s", Curve::Line), ("cos(s)", Curve::Cos), ("sin(s)", Curve::Sin), ("0", Curve::Zero)];

/// Kinds of objects by their name in the text.
pub(crate) const OBJECT: Keywords<ObjType> = &[
    ("body", ObjType::Body),
    ("xbody", ObjType::Xbody),
    ("joint", ObjType::Joint),
    ("dof", ObjType::Dof),
    ("geom", ObjType::Geom),
    ("site", ObjType::Site),
    ("camera", ObjType::Camera),
    ("light", ObjType::Light),
    ("flex", ObjType::Flex),
    ("mesh", ObjType::Mesh),
    ("skin", ObjType::Skin),
    ("hfield", ObjType::Hfield),
    ("texture", ObjType::Texture),
    ("material", ObjType::Material),
    ("pair", ObjType::Pair),
    ("exclude", ObjType::Exclude),
    ("equality", ObjType::Equality),
    ("tendon", ObjType::Tendon),
    ("actuator", ObjType::Actuator),
    ("sensor", ObjType::Sensor),
    ("numeric", ObjType::Numeric),
    ("text", ObjType::Text),
    ("tuple", ObjType::Tuple),
    ("key", ObjType::Key),
    ("plugin", ObjType::Plugin),
    ("frame", ObjType::Frame),
];

/// Kind of an object by its name in the text; `None` for unknown names.
pub(crate) fn object_type(name: &str) -> Option<ObjType> {
    OBJECT.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}
