//! Ids of elements, typed by what they address.

use super::actuator::Actuator;
use super::arena::Id;
use super::body::Body;
use super::camera::Camera;
use super::frame::Frame;
use super::geom::Geom;
use super::hfield::HField;
use super::joint::Joint;
use super::light::Light;
use super::material::Material;
use super::mesh::Mesh;
use super::sensor::Sensor;
use super::site::Site;
use super::tendon::Tendon;
use super::texture::Texture;

/// Id of a body.
pub type BodyId = Id<Body>;
/// Id of a frame.
pub type FrameId = Id<Frame>;
/// Id of a joint.
pub type JointId = Id<Joint>;
/// Id of a geom.
pub type GeomId = Id<Geom>;
/// Id of a site.
pub type SiteId = Id<Site>;
/// Id of a camera.
pub type CameraId = Id<Camera>;
/// Id of a light.
pub type LightId = Id<Light>;
/// Id of a mesh.
pub type MeshId = Id<Mesh>;
/// Id of a height field.
pub type HFieldId = Id<HField>;
/// Id of a texture.
pub type TextureId = Id<Texture>;
/// Id of a material.
pub type MaterialId = Id<Material>;
/// Id of a tendon.
pub type TendonId = Id<Tendon>;
/// Id of an actuator.
pub type ActuatorId = Id<Actuator>;
/// Id of a sensor.
pub type SensorId = Id<Sensor>;
