"""Enumerations with the reference's names and values, made from the engine's own tables."""

import enum
from typing import TYPE_CHECKING, Any

from kinetree import _core, face_enums

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """The enumerations are made below, from a table."""


class _Named(enum.IntEnum):
    """An enumeration whose members are numbers and are shown by name, in every version of Python."""

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, form):
        return format(int(self), form) if form else str(self)


# making one of members is not in the types of `enum` for classes of one's own
_NAMED: Any = _Named


# what each enumeration is for
TEXTS = {
    "mjtDisableBit": "Bits of `opt.disableflags`: parts of the pipeline that are left out.",
    "mjtEnableBit": "Bits of `opt.enableflags`: parts of the pipeline that are added.",
    "mjtJoint": "Kinds of joints, as in `jnt_type`.",
    "mjtGeom": "Kinds of geoms, as in `geom_type`; the last ones are for drawing only.",
    "mjtProjection": "Projections of cameras, as in `cam_projection`.",
    "mjtCamLight": "How cameras and lights follow bodies, as in `cam_mode`.",
    "mjtLightType": "Kinds of lights, as in `light_type`.",
    "mjtTexture": "Kinds of textures, as in `tex_type`.",
    "mjtTextureRole": "What a texture does in a material: columns of `mat_texid`.",
    "mjtColorSpace": "Colour spaces of textures, as in `tex_colorspace`.",
    "mjtIntegrator": "Integrators, as in `opt.integrator`.",
    "mjtCone": "Friction cones, as in `opt.cone`.",
    "mjtJacobian": "Storage of the constraint Jacobian, as in `opt.jacobian`.",
    "mjtSolver": "Constraint solvers, as in `opt.solver`.",
    "mjtEq": "Kinds of equality constraints, as in `eq_type`.",
    "mjtWrap": "Kinds of steps on tendon paths, as in `wrap_type`.",
    "mjtTrn": "What actuators act on, as in `actuator_trntype`.",
    "mjtDyn": "Activation dynamics of actuators, as in `actuator_dyntype`.",
    "mjtGain": "Gains of actuators, as in `actuator_gaintype`.",
    "mjtBias": "Biases of actuators, as in `actuator_biastype`.",
    "mjtObj": "Kinds of elements, for `mj_name2id` and others.",
    "mjtSensor": "Kinds of sensors, as in `sensor_type`.",
    "mjtStage": "Stages of the pipeline, for `mj_forwardSkip` and sensors.",
    "mjtDataType": "Kinds of sensor values, as in `sensor_datatype`.",
    "mjtConDataField": "What contact sensors measure, as bits.",
    "mjtRayDataField": "What rangefinders measure, as bits.",
    "mjtCamOutBit": "What cameras output, as bits.",
    "mjtSameFrame": "Which frames coincide, as in `geom_sameframe`.",
    "mjtSleepPolicy": "Whether trees may sleep, as in `tree_sleep_policy`.",
    "mjtLRMode": "Which actuators get length ranges, in `MjLROpt.mode`.",
    "mjtFlexSelf": "How flexes collide with themselves, as in `flex_selfcollide`.",
    "mjtSDFType": "Combinations of signed distance fields.",
    "mjtState": "Components of state vectors, as bits, for `mj_getState` and others.",
    "mjtConstraint": "Kinds of constraint rows, as in `efc_type`.",
    "mjtConstraintState": "States of constraint rows, as in `efc_state`.",
    "mjtWarning": "Warnings: indices of `data.warning`.",
    "mjtTimer": "Timers: indices of `data.timer`.",
    "mjtSleepState": "Sleep states of trees and bodies.",
    "mjtCatBit": "Categories of geoms in a scene, as bits.",
    "mjtMouse": "What a drag of the mouse does, for `mjv_moveCamera` and others.",
    "mjtPertBit": "How a perturbation acts, as bits of `MjvPerturb.active`.",
    "mjtCamera": "Kinds of abstract cameras, as in `MjvCamera.type`.",
    "mjtLabel": "What is labelled in a scene, in `MjvOption.label`.",
    "mjtFrame": "Whose axes are drawn in a scene, in `MjvOption.frame`.",
    "mjtVisFlag": "What is visible in a scene: indices of `MjvOption.flags`.",
    "mjtRndFlag": "Effects of drawing: indices of `MjvScene.flags`.",
    "mjtStereo": "Stereo modes, as in `MjvScene.stereo`.",
    "mjtAlignFree": "Whether free joints are aligned with inertial frames.",
    "mjtBuiltin": "Generated textures, as in `MjsTexture.builtin`.",
    "mjtButton": "Buttons of the mouse.",
    "mjtDepthMap": "Direction of depth values, in `MjrContext.readDepthMap`.",
    "mjtEvent": "Events of a user interface.",
    "mjtFont": "Fonts, for `mjr_text` and others.",
    "mjtFontScale": "Sizes of letters, in percent.",
    "mjtFramebuffer": "Buffers that are drawn to, for `mjr_setBuffer`.",
    "mjtGeomInertia": "Whether the mass of a geom is in its volume or its surface.",
    "mjtGridPos": "Positions of texts in a picture, for `mjr_overlay`.",
    "mjtInertiaFromGeom": "When inertia follows from geoms.",
    "mjtItem": "Items of a user interface.",
    "mjtLimited": "Whether something is limited, as in `MjsJoint.limited`.",
    "mjtMark": "Marks on generated textures, as in `MjsTexture.mark`.",
    "mjtMeshBuiltin": "Generated meshes.",
    "mjtMeshInertia": "How the inertia of a mesh is computed, as in `MjsMesh.inertia`.",
    "mjtOrientation": "Forms of orientations, as in `MjsOrientation.type`.",
    "mjtPluginCapabilityBit": "What plugins can do, as bits.",
    "mjtSection": "States of sections of a user interface.",
    "mjtTaskStatus": "States of tasks on threads.",
}


def _make(name, members):
    made = _NAMED(name, dict(members), module="kinetree")
    made.__doc__ = TEXTS[name]
    return made


for _name, _members, _extra in _core.ENUMS:
    globals()[_name] = _make(_name, [*_members, *_extra])
for _name, (_prefix, _names) in face_enums.TABLE.items():
    globals()[_name] = _make(_name, face_enums.members(_prefix, _names))

__all__ = [*(name for name, _, _ in _core.ENUMS), *face_enums.TABLE]
