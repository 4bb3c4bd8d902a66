"""Kinetree: a MuJoCo-compatible physics engine in pure Rust."""

# Made by python/tools/make_stubs.py from the engine's field table.

import enum
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
reference_version: str

class FatalError(Exception):
    """The engine cannot do what was asked: the message says why and what to try."""

class UnexpectedError(Exception):
    """An error inside the engine; the data refuses further calls until it is reset or another is copied to it. Please report it."""


class mjtAlignFree(enum.IntEnum):
    """Whether free joints are aligned with inertial frames."""
    mjALIGNFREE_FALSE = 0
    mjALIGNFREE_TRUE = 1
    mjALIGNFREE_AUTO = 2

class mjtBias(enum.IntEnum):
    """Biases of actuators, as in `actuator_biastype`."""
    mjBIAS_NONE = 0
    mjBIAS_AFFINE = 1
    mjBIAS_MUSCLE = 2
    mjBIAS_DCMOTOR = 3
    mjBIAS_USER = 4

class mjtBuiltin(enum.IntEnum):
    """Generated textures, as in `MjsTexture.builtin`."""
    mjBUILTIN_NONE = 0
    mjBUILTIN_GRADIENT = 1
    mjBUILTIN_CHECKER = 2
    mjBUILTIN_FLAT = 3

class mjtButton(enum.IntEnum):
    """Buttons of the mouse."""
    mjBUTTON_NONE = 0
    mjBUTTON_LEFT = 1
    mjBUTTON_RIGHT = 2
    mjBUTTON_MIDDLE = 3

class mjtCamLight(enum.IntEnum):
    """How cameras and lights follow bodies, as in `cam_mode`."""
    mjCAMLIGHT_FIXED = 0
    mjCAMLIGHT_TRACK = 1
    mjCAMLIGHT_TRACKCOM = 2
    mjCAMLIGHT_TARGETBODY = 3
    mjCAMLIGHT_TARGETBODYCOM = 4

class mjtCamOutBit(enum.IntEnum):
    """What cameras output, as bits."""
    mjCAMOUT_RGB = 1
    mjCAMOUT_DEPTH = 2
    mjCAMOUT_DIST = 4
    mjCAMOUT_NORMAL = 8
    mjCAMOUT_SEG = 16
    mjNCAMOUT = 5

class mjtCamera(enum.IntEnum):
    """Kinds of abstract cameras, as in `MjvCamera.type`."""
    mjCAMERA_FREE = 0
    mjCAMERA_TRACKING = 1
    mjCAMERA_FIXED = 2
    mjCAMERA_USER = 3

class mjtCatBit(enum.IntEnum):
    """Categories of geoms in a scene, as bits."""
    mjCAT_STATIC = 1
    mjCAT_DYNAMIC = 2
    mjCAT_DECOR = 4
    mjCAT_ALL = 7

class mjtColorSpace(enum.IntEnum):
    """Colour spaces of textures, as in `tex_colorspace`."""
    mjCOLORSPACE_AUTO = 0
    mjCOLORSPACE_LINEAR = 1
    mjCOLORSPACE_SRGB = 2

class mjtConDataField(enum.IntEnum):
    """What contact sensors measure, as bits."""
    mjCONDATA_FOUND = 0
    mjCONDATA_FORCE = 1
    mjCONDATA_TORQUE = 2
    mjCONDATA_DIST = 3
    mjCONDATA_POS = 4
    mjCONDATA_NORMAL = 5
    mjCONDATA_TANGENT = 6
    mjNCONDATA = 7

class mjtCone(enum.IntEnum):
    """Friction cones, as in `opt.cone`."""
    mjCONE_PYRAMIDAL = 0
    mjCONE_ELLIPTIC = 1

class mjtConstraint(enum.IntEnum):
    """Kinds of constraint rows, as in `efc_type`."""
    mjCNSTR_EQUALITY = 0
    mjCNSTR_FRICTION_DOF = 1
    mjCNSTR_FRICTION_TENDON = 2
    mjCNSTR_LIMIT_JOINT = 3
    mjCNSTR_LIMIT_TENDON = 4
    mjCNSTR_CONTACT_FRICTIONLESS = 5
    mjCNSTR_CONTACT_PYRAMIDAL = 6
    mjCNSTR_CONTACT_ELLIPTIC = 7

class mjtConstraintState(enum.IntEnum):
    """States of constraint rows, as in `efc_state`."""
    mjCNSTRSTATE_SATISFIED = 0
    mjCNSTRSTATE_QUADRATIC = 1
    mjCNSTRSTATE_LINEARNEG = 2
    mjCNSTRSTATE_LINEARPOS = 3
    mjCNSTRSTATE_CONE = 4

class mjtDataType(enum.IntEnum):
    """Kinds of sensor values, as in `sensor_datatype`."""
    mjDATATYPE_REAL = 0
    mjDATATYPE_POSITIVE = 1
    mjDATATYPE_AXIS = 2
    mjDATATYPE_QUATERNION = 3

class mjtDepthMap(enum.IntEnum):
    """Direction of depth values, in `MjrContext.readDepthMap`."""
    mjDEPTH_ZERONEAR = 0
    mjDEPTH_ZEROFAR = 1

class mjtDisableBit(enum.IntEnum):
    """Bits of `opt.disableflags`: parts of the pipeline that are left out."""
    mjDSBL_CONSTRAINT = 1
    mjDSBL_EQUALITY = 2
    mjDSBL_FRICTIONLOSS = 4
    mjDSBL_LIMIT = 8
    mjDSBL_CONTACT = 16
    mjDSBL_SPRING = 32
    mjDSBL_DAMPER = 64
    mjDSBL_GRAVITY = 128
    mjDSBL_CLAMPCTRL = 256
    mjDSBL_WARMSTART = 512
    mjDSBL_FILTERPARENT = 1024
    mjDSBL_ACTUATION = 2048
    mjDSBL_REFSAFE = 4096
    mjDSBL_SENSOR = 8192
    mjDSBL_MIDPHASE = 16384
    mjDSBL_EULERDAMP = 32768
    mjDSBL_AUTORESET = 65536
    mjDSBL_NATIVECCD = 131072
    mjDSBL_ISLAND = 262144
    mjDSBL_MULTICCD = 524288
    mjNDISABLE = 20

class mjtDyn(enum.IntEnum):
    """Activation dynamics of actuators, as in `actuator_dyntype`."""
    mjDYN_NONE = 0
    mjDYN_INTEGRATOR = 1
    mjDYN_FILTER = 2
    mjDYN_FILTEREXACT = 3
    mjDYN_MUSCLE = 4
    mjDYN_DCMOTOR = 5
    mjDYN_USER = 6

class mjtEnableBit(enum.IntEnum):
    """Bits of `opt.enableflags`: parts of the pipeline that are added."""
    mjENBL_OVERRIDE = 1
    mjENBL_ENERGY = 2
    mjENBL_FWDINV = 4
    mjENBL_INVDISCRETE = 8
    mjENBL_SLEEP = 16
    mjNENABLE = 5

class mjtEq(enum.IntEnum):
    """Kinds of equality constraints, as in `eq_type`."""
    mjEQ_CONNECT = 0
    mjEQ_WELD = 1
    mjEQ_JOINT = 2
    mjEQ_TENDON = 3
    mjEQ_FLEX = 4
    mjEQ_FLEXVERT = 5
    mjEQ_FLEXSTRAIN = 6
    mjEQ_DISTANCE = 7

class mjtEvent(enum.IntEnum):
    """Events of a user interface."""
    mjEVENT_NONE = 0
    mjEVENT_MOVE = 1
    mjEVENT_PRESS = 2
    mjEVENT_RELEASE = 3
    mjEVENT_SCROLL = 4
    mjEVENT_KEY = 5
    mjEVENT_RESIZE = 6
    mjEVENT_REDRAW = 7
    mjEVENT_FILESDROP = 8

class mjtFlexSelf(enum.IntEnum):
    """How flexes collide with themselves, as in `flex_selfcollide`."""
    mjFLEXSELF_NONE = 0
    mjFLEXSELF_NARROW = 1
    mjFLEXSELF_BVH = 2
    mjFLEXSELF_SAP = 3
    mjFLEXSELF_AUTO = 4

class mjtFont(enum.IntEnum):
    """Fonts, for `mjr_text` and others."""
    mjFONT_NORMAL = 0
    mjFONT_SHADOW = 1
    mjFONT_BIG = 2

class mjtFontScale(enum.IntEnum):
    """Sizes of letters, in percent."""
    mjFONTSCALE_50 = 50
    mjFONTSCALE_100 = 100
    mjFONTSCALE_150 = 150
    mjFONTSCALE_200 = 200
    mjFONTSCALE_250 = 250
    mjFONTSCALE_300 = 300

class mjtFrame(enum.IntEnum):
    """Whose axes are drawn in a scene, in `MjvOption.frame`."""
    mjFRAME_NONE = 0
    mjFRAME_BODY = 1
    mjFRAME_GEOM = 2
    mjFRAME_SITE = 3
    mjFRAME_CAMERA = 4
    mjFRAME_LIGHT = 5
    mjFRAME_CONTACT = 6
    mjFRAME_WORLD = 7
    mjNFRAME = 8

class mjtFramebuffer(enum.IntEnum):
    """Buffers that are drawn to, for `mjr_setBuffer`."""
    mjFB_WINDOW = 0
    mjFB_OFFSCREEN = 1

class mjtGain(enum.IntEnum):
    """Gains of actuators, as in `actuator_gaintype`."""
    mjGAIN_FIXED = 0
    mjGAIN_AFFINE = 1
    mjGAIN_MUSCLE = 2
    mjGAIN_DCMOTOR = 3
    mjGAIN_USER = 4

class mjtGeom(enum.IntEnum):
    """Kinds of geoms, as in `geom_type`; the last ones are for drawing only."""
    mjGEOM_PLANE = 0
    mjGEOM_HFIELD = 1
    mjGEOM_SPHERE = 2
    mjGEOM_CAPSULE = 3
    mjGEOM_ELLIPSOID = 4
    mjGEOM_CYLINDER = 5
    mjGEOM_BOX = 6
    mjGEOM_MESH = 7
    mjGEOM_SDF = 8
    mjGEOM_ARROW = 100
    mjGEOM_ARROW1 = 101
    mjGEOM_ARROW2 = 102
    mjGEOM_LINE = 103
    mjGEOM_LINEBOX = 104
    mjGEOM_FLEX = 105
    mjGEOM_SKIN = 106
    mjGEOM_LABEL = 107
    mjGEOM_TRIANGLE = 108
    mjGEOM_NONE = 1001
    mjNGEOMTYPES = 9

class mjtGeomInertia(enum.IntEnum):
    """Whether the mass of a geom is in its volume or its surface."""
    mjINERTIA_VOLUME = 0
    mjINERTIA_SHELL = 1

class mjtGridPos(enum.IntEnum):
    """Positions of texts in a picture, for `mjr_overlay`."""
    mjGRID_TOPLEFT = 0
    mjGRID_TOPRIGHT = 1
    mjGRID_BOTTOMLEFT = 2
    mjGRID_BOTTOMRIGHT = 3
    mjGRID_TOP = 4
    mjGRID_BOTTOM = 5
    mjGRID_LEFT = 6
    mjGRID_RIGHT = 7

class mjtInertiaFromGeom(enum.IntEnum):
    """When inertia follows from geoms."""
    mjINERTIAFROMGEOM_FALSE = 0
    mjINERTIAFROMGEOM_TRUE = 1
    mjINERTIAFROMGEOM_AUTO = 2

class mjtIntegrator(enum.IntEnum):
    """Integrators, as in `opt.integrator`."""
    mjINT_EULER = 0
    mjINT_RK4 = 1
    mjINT_IMPLICIT = 2
    mjINT_IMPLICITFAST = 3
    ktINT_IMPLICITSPRINGDAMPER = 100
    ktINT_IMPLICITEULER = 101

class mjtItem(enum.IntEnum):
    """Items of a user interface."""
    mjITEM_END = -2
    mjITEM_SECTION = -1
    mjITEM_SEPARATOR = 0
    mjITEM_STATIC = 1
    mjITEM_BUTTON = 2
    mjITEM_CHECKINT = 3
    mjITEM_CHECKBYTE = 4
    mjITEM_RADIO = 5
    mjITEM_RADIOLINE = 6
    mjITEM_SELECT = 7
    mjITEM_SLIDERINT = 8
    mjITEM_SLIDERNUM = 9
    mjITEM_EDITINT = 10
    mjITEM_EDITNUM = 11
    mjITEM_EDITFLOAT = 12
    mjITEM_EDITTXT = 13
    mjNITEM = 14

class mjtJacobian(enum.IntEnum):
    """Storage of the constraint Jacobian, as in `opt.jacobian`."""
    mjJAC_DENSE = 0
    mjJAC_SPARSE = 1
    mjJAC_AUTO = 2

class mjtJoint(enum.IntEnum):
    """Kinds of joints, as in `jnt_type`."""
    mjJNT_FREE = 0
    mjJNT_BALL = 1
    mjJNT_SLIDE = 2
    mjJNT_HINGE = 3

class mjtLRMode(enum.IntEnum):
    """Which actuators get length ranges, in `MjLROpt.mode`."""
    mjLRMODE_NONE = 0
    mjLRMODE_MUSCLE = 1
    mjLRMODE_MUSCLEUSER = 2
    mjLRMODE_ALL = 3

class mjtLabel(enum.IntEnum):
    """What is labelled in a scene, in `MjvOption.label`."""
    mjLABEL_NONE = 0
    mjLABEL_BODY = 1
    mjLABEL_JOINT = 2
    mjLABEL_GEOM = 3
    mjLABEL_SITE = 4
    mjLABEL_CAMERA = 5
    mjLABEL_LIGHT = 6
    mjLABEL_TENDON = 7
    mjLABEL_ACTUATOR = 8
    mjLABEL_CONSTRAINT = 9
    mjLABEL_FLEX = 10
    mjLABEL_SKIN = 11
    mjLABEL_SELECTION = 12
    mjLABEL_SELPNT = 13
    mjLABEL_CONTACTPOINT = 14
    mjLABEL_CONTACTFORCE = 15
    mjLABEL_ISLAND = 16
    mjNLABEL = 17

class mjtLightType(enum.IntEnum):
    """Kinds of lights, as in `light_type`."""
    mjLIGHT_SPOT = 0
    mjLIGHT_DIRECTIONAL = 1
    mjLIGHT_POINT = 2
    mjLIGHT_IMAGE = 3

class mjtLimited(enum.IntEnum):
    """Whether something is limited, as in `MjsJoint.limited`."""
    mjLIMITED_FALSE = 0
    mjLIMITED_TRUE = 1
    mjLIMITED_AUTO = 2

class mjtMark(enum.IntEnum):
    """Marks on generated textures, as in `MjsTexture.mark`."""
    mjMARK_NONE = 0
    mjMARK_EDGE = 1
    mjMARK_CROSS = 2
    mjMARK_RANDOM = 3

class mjtMeshBuiltin(enum.IntEnum):
    """Generated meshes."""
    mjMESH_BUILTIN_NONE = 0
    mjMESH_BUILTIN_SPHERE = 1
    mjMESH_BUILTIN_HEMISPHERE = 2
    mjMESH_BUILTIN_CONE = 3
    mjMESH_BUILTIN_SUPERSPHERE = 4
    mjMESH_BUILTIN_SUPERTORUS = 5
    mjMESH_BUILTIN_WEDGE = 6
    mjMESH_BUILTIN_PLATE = 7

class mjtMeshInertia(enum.IntEnum):
    """How the inertia of a mesh is computed, as in `MjsMesh.inertia`."""
    mjMESH_INERTIA_CONVEX = 0
    mjMESH_INERTIA_EXACT = 1
    mjMESH_INERTIA_LEGACY = 2
    mjMESH_INERTIA_SHELL = 3

class mjtMouse(enum.IntEnum):
    """What a drag of the mouse does, for `mjv_moveCamera` and others."""
    mjMOUSE_NONE = 0
    mjMOUSE_ROTATE_V = 1
    mjMOUSE_ROTATE_H = 2
    mjMOUSE_MOVE_V = 3
    mjMOUSE_MOVE_H = 4
    mjMOUSE_ZOOM = 5
    mjMOUSE_MOVE_V_REL = 6
    mjMOUSE_MOVE_H_REL = 7

class mjtObj(enum.IntEnum):
    """Kinds of elements, for `mj_name2id` and others."""
    mjOBJ_UNKNOWN = 0
    mjOBJ_BODY = 1
    mjOBJ_XBODY = 2
    mjOBJ_JOINT = 3
    mjOBJ_DOF = 4
    mjOBJ_GEOM = 5
    mjOBJ_SITE = 6
    mjOBJ_CAMERA = 7
    mjOBJ_LIGHT = 8
    mjOBJ_FLEX = 9
    mjOBJ_MESH = 10
    mjOBJ_SKIN = 11
    mjOBJ_HFIELD = 12
    mjOBJ_TEXTURE = 13
    mjOBJ_MATERIAL = 14
    mjOBJ_PAIR = 15
    mjOBJ_EXCLUDE = 16
    mjOBJ_EQUALITY = 17
    mjOBJ_TENDON = 18
    mjOBJ_ACTUATOR = 19
    mjOBJ_SENSOR = 20
    mjOBJ_NUMERIC = 21
    mjOBJ_TEXT = 22
    mjOBJ_TUPLE = 23
    mjOBJ_KEY = 24
    mjOBJ_PLUGIN = 25
    mjOBJ_FRAME = 100
    mjOBJ_DEFAULT = 101
    mjOBJ_MODEL = 102
    mjNOBJECT = 26

class mjtOrientation(enum.IntEnum):
    """Forms of orientations, as in `MjsOrientation.type`."""
    mjORIENTATION_QUAT = 0
    mjORIENTATION_AXISANGLE = 1
    mjORIENTATION_XYAXES = 2
    mjORIENTATION_ZAXIS = 3
    mjORIENTATION_EULER = 4

class mjtPertBit(enum.IntEnum):
    """How a perturbation acts, as bits of `MjvPerturb.active`."""
    mjPERT_TRANSLATE = 1
    mjPERT_ROTATE = 2

class mjtPluginCapabilityBit(enum.IntEnum):
    """What plugins can do, as bits."""
    mjPLUGIN_ACTUATOR = 1
    mjPLUGIN_SENSOR = 2
    mjPLUGIN_PASSIVE = 4
    mjPLUGIN_SDF = 8

class mjtProjection(enum.IntEnum):
    """Projections of cameras, as in `cam_projection`."""
    mjPROJ_PERSPECTIVE = 0
    mjPROJ_ORTHOGRAPHIC = 1

class mjtRayDataField(enum.IntEnum):
    """What rangefinders measure, as bits."""
    mjRAYDATA_DIST = 0
    mjRAYDATA_DIR = 1
    mjRAYDATA_ORIGIN = 2
    mjRAYDATA_POINT = 3
    mjRAYDATA_NORMAL = 4
    mjRAYDATA_DEPTH = 5
    mjNRAYDATA = 6

class mjtRndFlag(enum.IntEnum):
    """Effects of drawing: indices of `MjvScene.flags`."""
    mjRND_SHADOW = 0
    mjRND_WIREFRAME = 1
    mjRND_REFLECTION = 2
    mjRND_ADDITIVE = 3
    mjRND_SKYBOX = 4
    mjRND_FOG = 5
    mjRND_HAZE = 6
    mjRND_DEPTH = 7
    mjRND_SEGMENT = 8
    mjRND_IDCOLOR = 9
    mjRND_CULL_FACE = 10
    mjNRNDFLAG = 11

class mjtSDFType(enum.IntEnum):
    """Combinations of signed distance fields."""
    mjSDFTYPE_SINGLE = 0
    mjSDFTYPE_INTERSECTION = 1
    mjSDFTYPE_MIDSURFACE = 2
    mjSDFTYPE_COLLISION = 3

class mjtSameFrame(enum.IntEnum):
    """Which frames coincide, as in `geom_sameframe`."""
    mjSAMEFRAME_NONE = 0
    mjSAMEFRAME_BODY = 1
    mjSAMEFRAME_INERTIA = 2
    mjSAMEFRAME_BODYROT = 3
    mjSAMEFRAME_INERTIAROT = 4

class mjtSection(enum.IntEnum):
    """States of sections of a user interface."""
    mjSECT_CLOSED = 0
    mjSECT_OPEN = 1
    mjSECT_FIXED = 2

class mjtSensor(enum.IntEnum):
    """Kinds of sensors, as in `sensor_type`."""
    mjSENS_TOUCH = 0
    mjSENS_ACCELEROMETER = 1
    mjSENS_VELOCIMETER = 2
    mjSENS_GYRO = 3
    mjSENS_FORCE = 4
    mjSENS_TORQUE = 5
    mjSENS_MAGNETOMETER = 6
    mjSENS_RANGEFINDER = 7
    mjSENS_CAMPROJECTION = 8
    mjSENS_JOINTPOS = 9
    mjSENS_JOINTVEL = 10
    mjSENS_TENDONPOS = 11
    mjSENS_TENDONVEL = 12
    mjSENS_ACTUATORPOS = 13
    mjSENS_ACTUATORVEL = 14
    mjSENS_ACTUATORFRC = 15
    mjSENS_JOINTACTFRC = 16
    mjSENS_TENDONACTFRC = 17
    mjSENS_BALLQUAT = 18
    mjSENS_BALLANGVEL = 19
    mjSENS_JOINTLIMITPOS = 20
    mjSENS_JOINTLIMITVEL = 21
    mjSENS_JOINTLIMITFRC = 22
    mjSENS_TENDONLIMITPOS = 23
    mjSENS_TENDONLIMITVEL = 24
    mjSENS_TENDONLIMITFRC = 25
    mjSENS_FRAMEPOS = 26
    mjSENS_FRAMEQUAT = 27
    mjSENS_FRAMEXAXIS = 28
    mjSENS_FRAMEYAXIS = 29
    mjSENS_FRAMEZAXIS = 30
    mjSENS_FRAMELINVEL = 31
    mjSENS_FRAMEANGVEL = 32
    mjSENS_FRAMELINACC = 33
    mjSENS_FRAMEANGACC = 34
    mjSENS_SUBTREECOM = 35
    mjSENS_SUBTREELINVEL = 36
    mjSENS_SUBTREEANGMOM = 37
    mjSENS_INSIDESITE = 38
    mjSENS_GEOMDIST = 39
    mjSENS_GEOMNORMAL = 40
    mjSENS_GEOMFROMTO = 41
    mjSENS_CONTACT = 42
    mjSENS_E_POTENTIAL = 43
    mjSENS_E_KINETIC = 44
    mjSENS_CLOCK = 45
    mjSENS_TACTILE = 46
    mjSENS_PLUGIN = 47
    mjSENS_USER = 48

class mjtSleepPolicy(enum.IntEnum):
    """Whether trees may sleep, as in `tree_sleep_policy`."""
    mjSLEEP_AUTO = 0
    mjSLEEP_AUTO_NEVER = 1
    mjSLEEP_AUTO_ALLOWED = 2
    mjSLEEP_NEVER = 3
    mjSLEEP_ALLOWED = 4
    mjSLEEP_INIT = 5

class mjtSleepState(enum.IntEnum):
    """Sleep states of trees and bodies."""
    mjS_STATIC = -1
    mjS_ASLEEP = 0
    mjS_AWAKE = 1

class mjtSolver(enum.IntEnum):
    """Constraint solvers, as in `opt.solver`."""
    mjSOL_PGS = 0
    mjSOL_CG = 1
    mjSOL_NEWTON = 2
    ktSOL_CGPGS = 100

class mjtStage(enum.IntEnum):
    """Stages of the pipeline, for `mj_forwardSkip` and sensors."""
    mjSTAGE_NONE = 0
    mjSTAGE_POS = 1
    mjSTAGE_VEL = 2
    mjSTAGE_ACC = 3

class mjtState(enum.IntEnum):
    """Components of state vectors, as bits, for `mj_getState` and others."""
    mjSTATE_TIME = 1
    mjSTATE_QPOS = 2
    mjSTATE_QVEL = 4
    mjSTATE_ACT = 8
    mjSTATE_HISTORY = 16
    mjSTATE_WARMSTART = 32
    mjSTATE_CTRL = 64
    mjSTATE_QFRC_APPLIED = 128
    mjSTATE_XFRC_APPLIED = 256
    mjSTATE_EQ_ACTIVE = 512
    mjSTATE_MOCAP_POS = 1024
    mjSTATE_MOCAP_QUAT = 2048
    mjSTATE_USERDATA = 4096
    mjSTATE_PLUGIN = 8192
    mjNSTATE = 14
    mjSTATE_PHYSICS = 30
    mjSTATE_FULLPHYSICS = 8223
    mjSTATE_USER = 8128
    mjSTATE_INTEGRATION = 16383

class mjtStereo(enum.IntEnum):
    """Stereo modes, as in `MjvScene.stereo`."""
    mjSTEREO_NONE = 0
    mjSTEREO_QUADBUFFERED = 1
    mjSTEREO_SIDEBYSIDE = 2

class mjtTaskStatus(enum.IntEnum):
    """States of tasks on threads."""
    mjTASK_NEW = 0
    mjTASK_QUEUED = 1
    mjTASK_COMPLETED = 2

class mjtTexture(enum.IntEnum):
    """Kinds of textures, as in `tex_type`."""
    mjTEXTURE_2D = 0
    mjTEXTURE_CUBE = 1
    mjTEXTURE_SKYBOX = 2

class mjtTextureRole(enum.IntEnum):
    """What a texture does in a material: columns of `mat_texid`."""
    mjTEXROLE_USER = 0
    mjTEXROLE_RGB = 1
    mjTEXROLE_OCCLUSION = 2
    mjTEXROLE_ROUGHNESS = 3
    mjTEXROLE_METALLIC = 4
    mjTEXROLE_NORMAL = 5
    mjTEXROLE_OPACITY = 6
    mjTEXROLE_EMISSIVE = 7
    mjTEXROLE_RGBA = 8
    mjTEXROLE_ORM = 9
    mjNTEXROLE = 10

class mjtTimer(enum.IntEnum):
    """Timers: indices of `data.timer`."""
    mjTIMER_STEP = 0
    mjTIMER_FORWARD = 1
    mjTIMER_INVERSE = 2
    mjTIMER_POSITION = 3
    mjTIMER_VELOCITY = 4
    mjTIMER_ACTUATION = 5
    mjTIMER_CONSTRAINT = 6
    mjTIMER_ADVANCE = 7
    mjTIMER_POS_KINEMATICS = 8
    mjTIMER_POS_INERTIA = 9
    mjTIMER_POS_COLLISION = 10
    mjTIMER_POS_MAKE = 11
    mjTIMER_POS_PROJECT = 12
    mjTIMER_COL_BROAD = 13
    mjTIMER_COL_NARROW = 14
    mjNTIMER = 15

class mjtTrn(enum.IntEnum):
    """What actuators act on, as in `actuator_trntype`."""
    mjTRN_JOINT = 0
    mjTRN_JOINTINPARENT = 1
    mjTRN_SLIDERCRANK = 2
    mjTRN_TENDON = 3
    mjTRN_SITE = 4
    mjTRN_BODY = 5
    mjTRN_UNDEFINED = 1000

class mjtVisFlag(enum.IntEnum):
    """What is visible in a scene: indices of `MjvOption.flags`."""
    mjVIS_CONVEXHULL = 0
    mjVIS_TEXTURE = 1
    mjVIS_JOINT = 2
    mjVIS_CAMERA = 3
    mjVIS_ACTUATOR = 4
    mjVIS_ACTIVATION = 5
    mjVIS_LIGHT = 6
    mjVIS_TENDON = 7
    mjVIS_RANGEFINDER = 8
    mjVIS_CONSTRAINT = 9
    mjVIS_INERTIA = 10
    mjVIS_SCLINERTIA = 11
    mjVIS_PERTFORCE = 12
    mjVIS_PERTOBJ = 13
    mjVIS_CONTACTPOINT = 14
    mjVIS_ISLAND = 15
    mjVIS_CONTACTFORCE = 16
    mjVIS_CONTACTSPLIT = 17
    mjVIS_TRANSPARENT = 18
    mjVIS_AUTOCONNECT = 19
    mjVIS_COM = 20
    mjVIS_SELECT = 21
    mjVIS_STATIC = 22
    mjVIS_SKIN = 23
    mjVIS_FLEXVERT = 24
    mjVIS_FLEXEDGE = 25
    mjVIS_FLEXFACE = 26
    mjVIS_FLEXSKIN = 27
    mjVIS_BODYBVH = 28
    mjVIS_MESHBVH = 29
    mjVIS_SDFITER = 30
    mjNVISFLAG = 31

class mjtWarning(enum.IntEnum):
    """Warnings: indices of `data.warning`."""
    mjWARN_INERTIA = 0
    mjWARN_CONTACTFULL = 1
    mjWARN_CNSTRFULL = 2
    mjWARN_BADQPOS = 3
    mjWARN_BADQVEL = 4
    mjWARN_BADQACC = 5
    mjWARN_BADCTRL = 6
    mjNWARNING = 7

class mjtWrap(enum.IntEnum):
    """Kinds of steps on tendon paths, as in `wrap_type`."""
    mjWRAP_NONE = 0
    mjWRAP_JOINT = 1
    mjWRAP_PULLEY = 2
    mjWRAP_SITE = 3
    mjWRAP_SPHERE = 4
    mjWRAP_CYLINDER = 5

mjDISABLESTRING: tuple
mjENABLESTRING: tuple
mjFRAMESTRING: tuple
mjLABELSTRING: tuple
mjMAXCONPAIR: int
mjMAXFLEXNODES: int
mjMAXIMP: float
mjMAXLIGHT: int
mjMAXLINE: int
mjMAXLINEPNT: int
mjMAXOVERLAY: int
mjMAXPLANEGRID: int
mjMAXTREEDEPTH: int
mjMAXVAL: float
mjMINAWAKE: int
mjMINIMP: float
mjMINMU: float
mjMINVAL: float
mjNBIAS: int
mjNDYN: int
mjNEQDATA: int
mjNFLUID: int
mjNGAIN: int
mjNGROUP: int
mjNIMP: int
mjNISLAND: int
mjNPOLY: int
mjNREF: int
mjNSENS: int
mjNSOLVER: int
mjPI: float
mjRNDSTRING: tuple
mjTIMERSTRING: tuple
mjVERSION_HEADER: int
mjVISSTRING: tuple

class MjOption:
    """Physics options; `model.opt` is the group of a model.
    
    The most used are `timestep` (s), `gravity` (3,) in m/s², `integrator` (`mjtIntegrator`), `solver` (`mjtSolver`), `iterations`,
    `tolerance`, `cone` (`mjtCone`), `impratio`, and the bits `disableflags` and `enableflags` (`mjtDisableBit`, `mjtEnableBit`).
    
    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """
    def __init__(self) -> None: ...
    timestep: float
    """Time step (s)."""
    impratio: float
    """Ratio of frictional to normal contact impedance."""
    tolerance: float
    """At which scaled improvement or gradient the solver stops."""
    ls_tolerance: float
    """Relative tolerance of the line search."""
    noslip_tolerance: float
    """Tolerance of the noslip solver."""
    ccd_tolerance: float
    """Tolerance of convex collision (m)."""
    sleep_tolerance: float
    """Velocity below which a tree is quiet (m/s; angular velocities count by `dof_length`)."""
    gravity: NDArray[np.float64]
    """Gravity (m/s²). Shape (3,)."""
    wind: NDArray[np.float64]
    """Velocity of the medium (m/s). Shape (3,)."""
    magnetic: NDArray[np.float64]
    """Magnetic flux density (T). Shape (3,)."""
    density: float
    """Density of the medium (kg/m³)."""
    viscosity: float
    """Viscosity of the medium (Pa s)."""
    o_margin: float
    """Margin of all contacts, when overridden (m)."""
    o_solref: NDArray[np.float64]
    """Reference parameters of all contacts, when overridden: time constant (s), damping ratio; or -stiffness (1/s²), -damping (1/s). Shape (2,)."""
    o_solimp: NDArray[np.float64]
    """Impedance parameters of all contacts, when overridden: at zero and at the width, width (m), midpoint, power. Shape (5,)."""
    o_friction: NDArray[np.float64]
    """Friction of all contacts, when overridden: two tangential, one torsional and two rolling (m). Shape (5,)."""
    integrator: int
    """Integrator."""
    cone: int
    """Friction cone."""
    jacobian: int
    """Storage of the constraint Jacobian."""
    solver: int
    """Constraint solver."""
    iterations: int
    """Most solver iterations."""
    ls_iterations: int
    """Most line-search iterations."""
    noslip_iterations: int
    """Most noslip iterations."""
    ccd_iterations: int
    """Most iterations of convex collision."""
    disableflags: int
    """Disabled features, as bits."""
    enableflags: int
    """Enabled optional features, as bits."""
    disableactuator: int
    """Disabled actuator groups, as bits."""
    sdf_initpoints: int
    """Starting points of signed-distance collision."""
    sdf_iterations: int
    """Most iterations of signed-distance collision."""

class MjStatistic:
    """Statistics of a model, `model.stat`: `meaninertia`, `meanmass`, `meansize`, `extent` (m) and `center` (3,).
    
    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """
    def __init__(self) -> None: ...
    meaninertia: float
    """Mean diagonal of the inertia matrix (kg or kg m²)."""
    meanmass: float
    """Mean body mass (kg)."""
    meansize: float
    """Mean body size (m)."""
    extent: float
    """Spatial extent (m)."""
    center: NDArray[np.float64]
    """Centre of the model (m). Shape (3,)."""

class MjVisualGlobal:
    """Global settings, `model.vis.global_`: field of view, stereo, and the size of the offscreen buffer, `offwidth` x `offheight`.
    
    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """
    def __init__(self) -> None: ...
    cameraid: int
    """First camera shown; -1: free."""
    orthographic: int
    """Whether the free camera is orthographic."""
    fovy: float
    """Vertical field of view of the free camera (deg), or extent when orthographic (m)."""
    ipd: float
    """Eye distance of the free camera (m)."""
    azimuth: float
    """First azimuth of the free camera (deg)."""
    elevation: float
    """First elevation of the free camera (deg)."""
    linewidth: float
    """Width of lines (pixels)."""
    glow: float
    """Glow of the selected body."""
    realtime: float
    """First speed relative to real time."""
    offwidth: int
    """Width of the off-screen image (pixels)."""
    offheight: int
    """Height of the off-screen image (pixels)."""
    ellipsoidinertia: int
    """Whether inertia is shown as ellipsoids."""
    bvactive: int
    """Whether active bounding volumes are shown."""

class MjVisualQuality:
    """Rendering quality, `model.vis.quality`: size of shadow maps, samples per pixel, subdivisions of round shapes.
    
    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """
    def __init__(self) -> None: ...
    shadowsize: int
    """Size of the shadow map (pixels)."""
    offsamples: int
    """Samples per off-screen pixel."""
    numslices: int
    """Slices around round shapes."""
    numstacks: int
    """Stacks along round shapes."""
    numquads: int
    """Subdivisions of boxes."""

class MjVisualHeadlight:
    """The light at the camera, `model.vis.headlight`: `ambient`, `diffuse` and `specular` colours (3,), and `active`.
    
    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """
    def __init__(self) -> None: ...
    ambient: NDArray[np.float32]
    """Ambient colour. Shape (3,)."""
    diffuse: NDArray[np.float32]
    """Diffuse colour. Shape (3,)."""
    specular: NDArray[np.float32]
    """Specular colour. Shape (3,)."""
    active: int
    """Whether it is on."""

class MjVisualMap:
    """Scales between physical and visual quantities, `model.vis.map`: forces, clipping planes, fog, shadows.
    
    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """
    def __init__(self) -> None: ...
    stiffness: float
    """Stiffness of the mouse's spring per mass: from distance to force (1/s²)."""
    stiffnessrot: float
    """Stiffness of the mouse's rotational spring per inertia: from angle to torque (1/s²)."""
    force: float
    """Length of force arrows: from force per mean mass to length (m kg/N)."""
    torque: float
    """Length of torque arrows: from torque to length (m/(N m))."""
    alpha: float
    """Factor on opacity when transparency is on."""
    fogstart: float
    """Where fog begins, in extents."""
    fogend: float
    """Where fog is full, in extents."""
    znear: float
    """Near plane, in extents."""
    zfar: float
    """Far plane, in extents."""
    haze: float
    """Share of haze."""
    shadowclip: float
    """Half size of directional shadows, in extents."""
    shadowscale: float
    """Share of the spot that casts shadows."""
    actuatortendon: float
    """Width of actuated tendons."""

class MjVisualScale:
    """Sizes of decorative elements relative to the mean body size, `model.vis.scale`.
    
    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """
    def __init__(self) -> None: ...
    forcewidth: float
    """Width of force arrows."""
    contactwidth: float
    """Width of contact discs."""
    contactheight: float
    """Height of contact discs."""
    connect: float
    """Width of connectors."""
    com: float
    """Radius of centres of mass."""
    camera: float
    """Size of cameras."""
    light: float
    """Size of lights."""
    selectpoint: float
    """Size of the selected point."""
    jointlength: float
    """Length of joint axes."""
    jointwidth: float
    """Width of joint axes."""
    actuatorlength: float
    """Length of actuators."""
    actuatorwidth: float
    """Width of actuators."""
    framelength: float
    """Length of frame axes."""
    framewidth: float
    """Width of frame axes."""
    constraint: float
    """Width of constraint lines."""
    slidercrank: float
    """Width of slider-cranks."""
    frustum: float
    """Depth of camera frustums."""

class MjVisualRgba:
    """Colours of decorative elements, `model.vis.rgba`: four values from 0 to 1 each.
    
    Args:
        fields: arrays by name; for use by the package. None for the defaults.
    """
    def __init__(self) -> None: ...
    fog: NDArray[np.float32]
    """Colour of fog. Shape (4,)."""
    haze: NDArray[np.float32]
    """Colour of haze. Shape (4,)."""
    force: NDArray[np.float32]
    """Colour of forces. Shape (4,)."""
    inertia: NDArray[np.float32]
    """Colour of inertia boxes. Shape (4,)."""
    joint: NDArray[np.float32]
    """Colour of joints. Shape (4,)."""
    actuator: NDArray[np.float32]
    """Colour of idle actuators. Shape (4,)."""
    actuatornegative: NDArray[np.float32]
    """Colour of actuators at their lower limit. Shape (4,)."""
    actuatorpositive: NDArray[np.float32]
    """Colour of actuators at their upper limit. Shape (4,)."""
    com: NDArray[np.float32]
    """Colour of centres of mass. Shape (4,)."""
    camera: NDArray[np.float32]
    """Colour of cameras. Shape (4,)."""
    light: NDArray[np.float32]
    """Colour of lights. Shape (4,)."""
    selectpoint: NDArray[np.float32]
    """Colour of the selected point. Shape (4,)."""
    connect: NDArray[np.float32]
    """Colour of connectors. Shape (4,)."""
    contactpoint: NDArray[np.float32]
    """Colour of contact points. Shape (4,)."""
    contactforce: NDArray[np.float32]
    """Colour of contact forces. Shape (4,)."""
    contactfriction: NDArray[np.float32]
    """Colour of friction forces. Shape (4,)."""
    contacttorque: NDArray[np.float32]
    """Colour of contact torques. Shape (4,)."""
    contactgap: NDArray[np.float32]
    """Colour of contacts in the gap. Shape (4,)."""
    rangefinder: NDArray[np.float32]
    """Colour of rangefinder rays. Shape (4,)."""
    constraint: NDArray[np.float32]
    """Colour of constraint lines. Shape (4,)."""
    slidercrank: NDArray[np.float32]
    """Colour of slider-cranks. Shape (4,)."""
    crankbroken: NDArray[np.float32]
    """Colour of broken slider-cranks. Shape (4,)."""
    frustum: NDArray[np.float32]
    """Colour of camera frustums. Shape (4,)."""
    bv: NDArray[np.float32]
    """Colour of bounding volumes. Shape (4,)."""
    bvactive: NDArray[np.float32]
    """Colour of active bounding volumes. Shape (4,)."""

class MjVisual:
    """Visualization settings; `model.vis` is that of a model.
    
    The groups are `global_`, `quality`, `headlight`, `map`, `scale` and `rgba`. The largest picture of a `Renderer` is
    `model.vis.global_.offwidth` x `offheight`.
    
    Args:
        options: groups by name; for use by the package. None for the defaults.
    """
    global_: MjVisualGlobal
    quality: MjVisualQuality
    headlight: MjVisualHeadlight
    map: MjVisualMap
    scale: MjVisualScale
    rgba: MjVisualRgba

class MjContact:
    """One contact between two geoms or flexes.
    
    `data.contact[i]` is one that was found; a new one is all zeros, for `mj_addContact`. `geom1` and `geom2` are the geoms (-1 for
    flexes, see `flex`, `elem` and `vert`), `dist` is the distance (m), negative when they penetrate, `pos` (3,) the point in the
    world (m), and `frame` (9,) the axes in rows, with the normal from the first geom to the second in front. `friction` (5,) has two
    sliding, one torsional (m) and two rolling coefficients (m); `efc_address` is the first of its rows in the `efc_…` fields, -1 for none.
    `mj_contactForce` computes its force.
    
    Args:
        fields: arrays by name; for use by the package.
    """
    def __init__(self, fields: Any = None) -> None: ...
    dist: float
    includemargin: float
    mu: float
    dim: int
    geom1: int
    geom2: int
    exclude: int
    efc_address: int
    pos: NDArray[np.float64]
    frame: NDArray[np.float64]
    friction: NDArray[np.float64]
    solref: NDArray[np.float64]
    solreffriction: NDArray[np.float64]
    solimp: NDArray[np.float64]
    H: NDArray[np.float64]
    geom: NDArray[np.int32]
    flex: NDArray[np.int32]
    elem: NDArray[np.int32]
    vert: NDArray[np.int32]

class MjWarningStat:
    """How often a warning was raised: `number`, and `lastinfo`, a detail such as a dof. `data.warning[i]` is one.
    
    Args:
        fields: arrays by name; for use by the package.
    """
    def __init__(self, fields: Any = None) -> None: ...
    lastinfo: int
    number: int

class MjTimerStat:
    """Time spent in one stage: `duration` in seconds and `number` of calls. `data.timer[i]` is one.
    
    Args:
        fields: arrays by name; for use by the package.
    """
    def __init__(self, fields: Any = None) -> None: ...
    duration: float
    number: int

class MjSolverStat:
    """Diagnostics of one solver iteration; `data.solver[i]` is one.
    
    `improvement` is the decrease of the cost, `gradient` its norm, both scaled; `lineslope` the derivative at the end of the line search;
    `nactive` the number of active rows, `nchange` of rows that changed their state, `neval` of evaluations in the line search and
    `nupdate` of rank-one updates.
    
    Args:
        fields: arrays by name; for use by the package.
    """
    def __init__(self, fields: Any = None) -> None: ...
    improvement: float
    gradient: float
    lineslope: float
    nactive: int
    nchange: int
    neval: int
    nupdate: int

class MjvCamera:
    """An abstract camera: how a view moves and what it looks at. `mjv_defaultFreeCamera` gives it a view of a whole model.
    
    `type` is an `mjtCamera`: free, tracking a body (`trackbodyid`) or fixed to a camera of the model (`fixedcamid`). Free and tracking
    cameras look at `lookat` (3,) from `distance` (m), `azimuth` and `elevation` (degrees).
    
    Example::
    
        camera = kinetree.MjvCamera()
        camera.lookat, camera.distance, camera.elevation = data.xpos[1], 3.0, -20.0
        renderer.update_scene(data, camera)
    """
    def __init__(self) -> None: ...
    type: int
    fixedcamid: int
    trackbodyid: int
    lookat: NDArray[np.float64]
    distance: float
    azimuth: float
    elevation: float
    orthographic: int

class MjvFigure:
    """A plot of up to 100 lines for `mjr_figure`.
    
    Line i has `linepnt[i]` points, whose coordinates are in `linedata[i]`, x and y in turn, and the name `linename[i]`. `title`, `xlabel`,
    `range` (a minimum above the maximum for automatic), `flg_barplot` and colours such as `panergba` say how it looks.
    """
    def __init__(self) -> None: ...
    flg_legend: int
    flg_ticklabel: NDArray[np.int32]
    flg_extend: int
    flg_barplot: int
    flg_selection: int
    flg_symmetric: int
    linewidth: float
    gridwidth: float
    gridsize: NDArray[np.int32]
    gridrgb: NDArray[np.float32]
    figurergba: NDArray[np.float32]
    panergba: NDArray[np.float32]
    legendrgba: NDArray[np.float32]
    textrgb: NDArray[np.float32]
    linergb: NDArray[np.float32]
    range: NDArray[np.float32]
    xformat: str
    yformat: str
    minwidth: str
    title: str
    xlabel: str
    linename: NDArray[np.bytes_]
    legendoffset: int
    subplot: int
    highlight: NDArray[np.int32]
    highlightid: int
    selection: float
    linepnt: NDArray[np.int32]
    linedata: NDArray[np.float32]
    xaxispixel: NDArray[np.int32]
    yaxispixel: NDArray[np.int32]
    xaxisdata: NDArray[np.float32]
    yaxisdata: NDArray[np.float32]

class MjvGLCamera:
    """A camera as drawing needs it: `pos`, `forward` and `up` (3,), and the frustum at the near plane. `scene.camera` has two, for stereo."""
    def __init__(self) -> None: ...
    pos: NDArray[np.float32]
    forward: NDArray[np.float32]
    up: NDArray[np.float32]
    frustum_center: float
    frustum_width: float
    frustum_bottom: float
    frustum_top: float
    frustum_near: float
    frustum_far: float
    orthographic: int

class MjvGeom:
    """A geom of a scene: `type` (`mjtGeom`), `size`, `pos`, `mat`, `rgba`, material and `label`. `scene.geoms[i]` is one; `mjv_initGeom` sets one."""
    def __init__(self) -> None: ...
    type: int
    dataid: int
    objtype: int
    objid: int
    category: int
    matid: int
    texcoord: int
    segid: int
    size: NDArray[np.float32]
    pos: NDArray[np.float32]
    mat: NDArray[np.float32]
    rgba: NDArray[np.float32]
    emission: float
    specular: float
    shininess: float
    reflectance: float
    label: str
    camdist: float
    modelrbound: float
    transparent: int

class MjvLight:
    """A light of a scene: `pos`, `dir`, `type` (`mjtLightType`) and colours. `scene.lights[i]` is one."""
    def __init__(self) -> None: ...
    id: int
    pos: NDArray[np.float32]
    dir: NDArray[np.float32]
    type: int
    texid: int
    attenuation: NDArray[np.float32]
    cutoff: float
    exponent: float
    ambient: NDArray[np.float32]
    diffuse: NDArray[np.float32]
    specular: NDArray[np.float32]
    headlight: int
    castshadow: int
    bulbradius: float
    intensity: float
    range: float

class MjvOption:
    """What is visible in a scene.
    
    `flags` has a switch for each `mjtVisFlag`, such as contact points and forces; `geomgroup` and the other groups have six each.
    `label` and `frame` (`mjtLabel`, `mjtFrame`) choose what is labelled and drawn with axes.
    
    Example::
    
        option = kinetree.MjvOption()
        option.flags[kinetree.mjtVisFlag.mjVIS_CONTACTFORCE] = 1
        renderer.update_scene(data, scene_option=option)
    """
    def __init__(self) -> None: ...
    label: int
    frame: int
    geomgroup: NDArray[np.uint8]
    sitegroup: NDArray[np.uint8]
    jointgroup: NDArray[np.uint8]
    tendongroup: NDArray[np.uint8]
    actuatorgroup: NDArray[np.uint8]
    flexgroup: NDArray[np.uint8]
    skingroup: NDArray[np.uint8]
    flags: NDArray[np.uint8]
    bvh_depth: int
    flex_layer: int

class MjvPerturb:
    """The body that a user has selected, `select`, and the pose that it is pulled to: `refpos` (3,) and `refquat` (4,).
    
    `active` is an `mjtPertBit`.
    """
    def __init__(self) -> None: ...
    select: int
    flexselect: int
    skinselect: int
    active: int
    active2: int
    refpos: NDArray[np.float64]
    refquat: NDArray[np.float64]
    refselpos: NDArray[np.float64]
    localpos: NDArray[np.float64]
    localmass: float
    scale: float

class MjLROpt:
    """Settings of the search for actuator length ranges, `mj_setLengthRange`.
    
    `mode` chooses the actuators (`mjtLRMode`), `useexisting` and `uselimit` what is taken as it is, `accel` and `maxforce` the push,
    `timeconst`, `timestep`, `inttotal` and `interval` (s) the simulation, `tolrange` the convergence.
    
    Args:
        fields: arrays by name; for use by the package.
    """
    def __init__(self, fields: Any = None) -> None: ...
    mode: int
    useexisting: int
    uselimit: int
    accel: float
    maxforce: float
    timeconst: float
    timestep: float
    inttotal: float
    interval: float
    tolrange: float

class MjrRect:
    """A rectangle of pixels, counted from the lower left corner of a buffer.
    
    Args:
        left: first column.
        bottom: first row.
        width: number of columns.
        height: number of rows.
    """
    def __init__(self, left: Any = 0, bottom: Any = 0, width: Any = 0, height: Any = 0) -> None: ...
    left: int
    bottom: int
    width: int
    height: int

class MjvScene:
    """All that one picture shows: geoms, lights and cameras. `mjv_updateScene` fills it, `mjr_render` draws it.
    
    `geoms` has room for `maxgeom` geoms, of which `ngeom` are used; a program may append its own with `mjv_initGeom`. `flags` has a switch for each
    `mjtRndFlag`, such as shadows.
    
    Args:
        model: the `MjModel`, or None for an empty scene.
        maxgeom: largest number of geoms.
    """
    def __init__(self, model: Any = None, maxgeom: Any = 0) -> None: ...
    maxgeom: int
    """Largest number of geoms."""
    ngeom: int
    """Number of geoms."""
    nflex: int
    """Number of flexes."""
    flexvertopt: int
    """Whether vertices of flexes are shown."""
    flexedgeopt: int
    """Whether edges of flexes are shown."""
    flexfaceopt: int
    """Whether faces of flexes are shown."""
    flexskinopt: int
    """Whether the smooth surface of flexes is shown."""
    nskin: int
    """Number of skins."""
    nlight: int
    """Number of lights."""
    enabletransform: int
    """Whether the model is moved into the room by `translate`, `rotate` and `scale`."""
    translate: NDArray[np.float32]
    """Position of the model in the room (m). Shape (3,)."""
    rotate: NDArray[np.float32]
    """Orientation of the model in the room, a quaternion. Shape (4,)."""
    scale: float
    """Scale of the model in the room."""
    stereo: int
    """Stereo mode, an `mjtStereo`."""
    flags: NDArray[np.uint8]
    """Effects of drawing by `mjtRndFlag`, 0 or 1 each."""
    framewidth: int
    """Width of a frame around the picture in pixels; 0 for none."""
    framergb: NDArray[np.float32]
    """Colour of that frame. Shape (3,)."""
    status: int
    """0 when the scene is complete, 1 when there were more geoms than `maxgeom`."""
    geomorder: NDArray[np.int32]
    flexedgeadr: NDArray[np.int32]
    flexedgenum: NDArray[np.int32]
    flexvertadr: NDArray[np.int32]
    flexvertnum: NDArray[np.int32]
    flexfaceadr: NDArray[np.int32]
    flexfacenum: NDArray[np.int32]
    flexedge: NDArray[np.int32]
    skinfacenum: NDArray[np.int32]
    skinvertadr: NDArray[np.int32]
    skinvertnum: NDArray[np.int32]
    flexfaceused: NDArray[np.int32]
    flexvert: NDArray[np.float32]
    flexface: NDArray[np.float32]
    flexnormal: NDArray[np.float32]
    flextexcoord: NDArray[np.float32]
    skinvert: NDArray[np.float32]
    skinnormal: NDArray[np.float32]
    geoms: Sequence[MjvGeom]
    """The geoms, `maxgeom` of which the first `ngeom` are shown."""
    lights: Sequence[MjvLight]
    """The lights, of which the first `nlight` are used."""
    camera: Sequence[MjvGLCamera]
    """The two cameras, left and right; equal unless the scene is stereo."""

class MjModel:
    """A compiled model: sizes, options and one array per field, with MuJoCo's names. It does not change during a simulation.
    
    Get one with `from_xml_path`, `from_xml_string`, `from_binary_path` or `MjSpec.compile`. Arrays such as `body_mass` (nbody,) and
    `geom_friction` (ngeom, 3) are views of the engine's memory, so that assignments take effect at once; call `mj_setConst` after a
    change of masses or poses. `opt`, `vis` and `stat` are groups of settings. `model.body("torso").mass` reads by name; there are such
    functions for all kinds of elements. Units are SI, angles are in radians, quaternions are (w, x, y, z).
    
    Example::
    
        model = kinetree.MjModel.from_xml_path("models/showcase/humanoid.xml")
        model.opt.timestep = 0.002
        model.geom("floor").friction[0] = 0.8
    """
    @classmethod
    def from_xml_path(cls, filename: str | os.PathLike[str], assets: dict[str, bytes] | None = None, reference: str | None = None) -> MjModel:
        """Compiles an MJCF or URDF file.
        
        Args:
            filename: path of the file.
            assets: dictionary from file names to bytes; these are found before the disk is searched.
            reference: version of MuJoCo whose meaning the file has, "3.8" (the default) or "4.0".
        
        Raises:
            ValueError: the file has faults; the message lists them with file, line, column and a suggestion.
        """
        ...
    @classmethod
    def from_xml_string(cls, xml: str | bytes, assets: dict[str, bytes] | None = None, reference: str | None = None) -> MjModel:
        """Compiles MJCF or URDF text.
        
        Args:
            xml: the text.
            assets: dictionary from file names to bytes, for included files, meshes and textures.
            reference: version of MuJoCo whose meaning the text has, "3.8" (the default) or "4.0".
        
        Raises:
            ValueError: the text has faults; the message lists them with line, column and a suggestion.
        """
        ...
    @classmethod
    def from_binary_path(cls, filename: str | os.PathLike[str], assets: dict[str, bytes] | None = None) -> MjModel:
        """Loads a model in MuJoCo's binary format (MJB), such as `mj_saveModel` writes.
        
        Args:
            filename: path of the file.
            assets: dictionary from file names to bytes; these are found before the disk is searched.
        
        Raises:
            ValueError: the file is not such a model.
        """
        ...
    opt: MjOption
    """Physics options, an `MjOption`."""
    stat: MjStatistic
    """Model statistics, an `MjStatistic`."""
    vis: MjVisual
    """Visualization settings, an `MjVisual`."""
    reference: str
    """The version of MuJoCo whose meaning the model has: "3.8" or "4.0"."""
    nq: int
    """Number of position coordinates: length of `qpos`."""
    nv: int
    """Number of degrees of freedom: length of `qvel`."""
    nu: int
    """Number of actuators: length of `ctrl`."""
    na: int
    """Number of activation states: length of `act`."""
    nbody: int
    """Number of bodies, the world included."""
    nbvh: int
    """Number of bounding volumes."""
    nbvhstatic: int
    """Number of bounding volumes that are fixed in a body."""
    nbvhdynamic: int
    """Number of bounding volumes that are recomputed each step."""
    noct: int
    """Number of octree cells of all meshes."""
    njnt: int
    """Number of joints."""
    ntree: int
    """Number of kinematic trees."""
    nM: int
    """Number of entries of `qM`: each dof with all its ancestors."""
    nB: int
    """Number of entries of the body–dof pattern."""
    nC: int
    """Number of entries of the lower triangle of the reduced inertia matrix."""
    nD: int
    """Number of entries of the full dof–dof pattern."""
    ngeom: int
    """Number of geoms."""
    nsite: int
    """Number of sites."""
    ncam: int
    """Number of cameras."""
    nlight: int
    """Number of lights."""
    nflex: int
    """Number of flexes."""
    nflexnode: int
    """Number of interpolation nodes of all flexes."""
    nflexvert: int
    """Number of vertices of all flexes."""
    nflexedge: int
    """Number of edges of all flexes."""
    nflexelem: int
    """Number of elements of all flexes."""
    nflexelemdata: int
    """Number of vertex ids of all flex elements."""
    nflexstiffness: int
    """Number of stiffness parameters of all flexes."""
    nflexelemedge: int
    """Number of edge ids of all flex elements."""
    nflexshelldata: int
    """Number of vertex ids of all flex shell fragments."""
    nflexevpair: int
    """Number of element–vertex collision pairs of all flexes."""
    nflextexcoord: int
    """Number of texture coordinates of all flexes."""
    nJfe: int
    """Number of entries of the flex edge Jacobian."""
    nJfv: int
    """Number of entries of the flex vertex Jacobian."""
    nmesh: int
    """Number of meshes."""
    nmeshvert: int
    """Number of vertices of all meshes."""
    nmeshnormal: int
    """Number of normals of all meshes."""
    nmeshtexcoord: int
    """Number of texture coordinates of all meshes."""
    nmeshface: int
    """Number of triangles of all meshes."""
    nmeshgraph: int
    """Number of integers of all hull graphs."""
    nmeshpoly: int
    """Number of hull polygons of all meshes."""
    nmeshpolyvert: int
    """Number of vertex ids of all hull polygons."""
    nmeshpolymap: int
    """Number of polygon ids in the vertex-to-polygon maps of all meshes."""
    nskin: int
    """Number of skins."""
    nskinvert: int
    """Number of vertices of all skins."""
    nskintexvert: int
    """Number of vertices of all skins that have texture coordinates."""
    nskinface: int
    """Number of triangles of all skins."""
    nskinbone: int
    """Number of bones of all skins."""
    nskinbonevert: int
    """Number of vertices bound to all bones."""
    nhfield: int
    """Number of height fields."""
    nhfielddata: int
    """Number of elevations of all height fields."""
    ntex: int
    """Number of textures."""
    ntexdata: int
    """Number of bytes of all textures."""
    nmat: int
    """Number of materials."""
    npair: int
    """Number of predefined geom pairs."""
    nexclude: int
    """Number of excluded body pairs."""
    neq: int
    """Number of equality constraints."""
    ntendon: int
    """Number of tendons."""
    nJten: int
    """Number of entries of the tendon Jacobian."""
    nwrap: int
    """Number of path elements of all tendons."""
    nsensor: int
    """Number of sensors."""
    nnumeric: int
    """Number of custom numeric fields."""
    nnumericdata: int
    """Number of values of all custom numeric fields."""
    ntext: int
    """Number of custom text fields."""
    ntextdata: int
    """Number of bytes of all custom text fields, terminators included."""
    ntuple: int
    """Number of custom tuples."""
    ntupledata: int
    """Number of objects of all tuples."""
    nkey: int
    """Number of keyframes."""
    nmocap: int
    """Number of mocap bodies."""
    nplugin: int
    """Number of plugin instances."""
    npluginattr: int
    """Number of bytes of all plugin settings."""
    nuser_body: int
    """User values per body."""
    nuser_jnt: int
    """User values per joint."""
    nuser_geom: int
    """User values per geom."""
    nuser_site: int
    """User values per site."""
    nuser_cam: int
    """User values per camera."""
    nuser_tendon: int
    """User values per tendon."""
    nuser_actuator: int
    """User values per actuator."""
    nuser_sensor: int
    """User values per sensor."""
    nnames: int
    """Number of bytes of all names, terminators included."""
    npaths: int
    """Number of bytes of all asset paths, terminators included."""
    nnames_map: int
    """Number of slots of the name table."""
    nJmom: int
    """Number of entries reserved for the actuator moment matrix."""
    ngravcomp: int
    """Number of bodies with gravity compensation."""
    nemax: int
    """Most equality rows that can exist at once."""
    njmax: int
    """User's limit on constraint rows; -1: none."""
    nconmax: int
    """User's limit on contacts; -1: none."""
    nuserdata: int
    """Length of `userdata`."""
    nsensordata: int
    """Length of `sensordata`."""
    npluginstate: int
    """Number of plugin state values."""
    nhistory: int
    """Length of `history`."""
    narena: int
    """Bytes of the reference's arena; informative."""
    nbuffer: int
    """Bytes of the reference's buffer; informative."""
    qpos0: NDArray[np.float64]
    """Positions in the initial configuration (m or rad; quaternions of ball and free joints). Shape (nq,)."""
    qpos_spring: NDArray[np.float64]
    """Positions at which joint springs are at rest (m or rad; quaternions of ball and free joints). Shape (nq,)."""
    body_parentid: NDArray[np.int32]
    """Id of the parent body. Shape (nbody,)."""
    body_rootid: NDArray[np.int32]
    """Id of the ancestor that is a child of the world. Shape (nbody,)."""
    body_weldid: NDArray[np.int32]
    """Id of the topmost body to which this one is rigidly attached. Shape (nbody,)."""
    body_mocapid: NDArray[np.int32]
    """Mocap index; -1: not a mocap body. Shape (nbody,)."""
    body_jntnum: NDArray[np.int32]
    """Number of joints. Shape (nbody,)."""
    body_jntadr: NDArray[np.int32]
    """First joint; -1: none. Shape (nbody,)."""
    body_dofnum: NDArray[np.int32]
    """Number of dofs. Shape (nbody,)."""
    body_dofadr: NDArray[np.int32]
    """First dof; -1: none. Shape (nbody,)."""
    body_treeid: NDArray[np.int32]
    """Kinematic tree; -1: static. Shape (nbody,)."""
    body_geomnum: NDArray[np.int32]
    """Number of geoms. Shape (nbody,)."""
    body_geomadr: NDArray[np.int32]
    """First geom; -1: none. Shape (nbody,)."""
    body_simple: NDArray[np.uint8]
    """1: the inertia matrix of this body is diagonal; 2: it also only slides. Shape (nbody,)."""
    body_sameframe: NDArray[np.uint8]
    """How the inertial frame coincides with the body frame. Shape (nbody,)."""
    body_pos: NDArray[np.float64]
    """Position in the parent's frame (m). Shape (nbody, 3)."""
    body_quat: NDArray[np.float64]
    """Orientation in the parent's frame. Shape (nbody, 4)."""
    body_ipos: NDArray[np.float64]
    """Centre of mass in the body frame (m). Shape (nbody, 3)."""
    body_iquat: NDArray[np.float64]
    """Orientation of the principal axes in the body frame. Shape (nbody, 4)."""
    body_mass: NDArray[np.float64]
    """Mass (kg). Shape (nbody,)."""
    body_subtreemass: NDArray[np.float64]
    """Mass of the subtree that starts here (kg). Shape (nbody,)."""
    body_inertia: NDArray[np.float64]
    """Principal moments of inertia (kg m²). Shape (nbody, 3)."""
    body_invweight0: NDArray[np.float64]
    """Mean inverse inertia in `qpos0`: translation (1/kg), rotation (1/(kg m²)). Shape (nbody, 2)."""
    body_gravcomp: NDArray[np.float64]
    """Fraction of the weight that is compensated. Shape (nbody,)."""
    body_margin: NDArray[np.float64]
    """Largest geom margin, gaps included (m). Shape (nbody,)."""
    body_user: NDArray[np.float64]
    """User values (any unit). Shape (nbody,)."""
    body_plugin: NDArray[np.int32]
    """Plugin instance; -1: none. Shape (nbody,)."""
    body_contype: NDArray[np.int32]
    """Union of the geoms' contypes. Shape (nbody,)."""
    body_conaffinity: NDArray[np.int32]
    """Union of the geoms' conaffinities. Shape (nbody,)."""
    body_bvhadr: NDArray[np.int32]
    """Root of the bounding volume tree; -1: none. Shape (nbody,)."""
    body_bvhnum: NDArray[np.int32]
    """Number of bounding volumes. Shape (nbody,)."""
    bvh_depth: NDArray[np.int32]
    """Depth in the bounding volume tree. Shape (nbvh,)."""
    bvh_child: NDArray[np.int32]
    """Left and right children; -1: none. Shape (nbvh, 2)."""
    bvh_nodeid: NDArray[np.int32]
    """Geom or element of a leaf; -1: inner node. Shape (nbvh,)."""
    bvh_aabb: NDArray[np.float64]
    """Local bounding box: centre, half sizes (m). Shape (nbvhstatic, 6)."""
    oct_depth: NDArray[np.int32]
    """Depth in the octree. Shape (noct,)."""
    oct_child: NDArray[np.int32]
    """Eight children; -1: none. Shape (noct, 8)."""
    oct_aabb: NDArray[np.float64]
    """Bounding box: centre, half sizes (m). Shape (noct, 6)."""
    oct_coeff: NDArray[np.float64]
    """Signed distances at the corners of a leaf (m), for interpolation. Shape (noct, 8)."""
    jnt_type: NDArray[np.int32]
    """Type of joint. Shape (njnt,)."""
    jnt_qposadr: NDArray[np.int32]
    """First position coordinate. Shape (njnt,)."""
    jnt_dofadr: NDArray[np.int32]
    """First dof. Shape (njnt,)."""
    jnt_bodyid: NDArray[np.int32]
    """Body that the joint moves. Shape (njnt,)."""
    jnt_actuatorid: NDArray[np.int32]
    """Actuator that drives the joint alone; -1: none or several. Shape (njnt,)."""
    jnt_group: NDArray[np.int32]
    """Group, for visualization. Shape (njnt,)."""
    jnt_limited: NDArray[np.uint8]
    """Whether the range is enforced. Shape (njnt,)."""
    jnt_actfrclimited: NDArray[np.uint8]
    """Whether the total actuator force is limited. Shape (njnt,)."""
    jnt_actgravcomp: NDArray[np.uint8]
    """Whether gravity compensation counts as actuator force. Shape (njnt,)."""
    jnt_solref: NDArray[np.float64]
    """Reference parameters of the limit: time constant (s), damping ratio; or -stiffness (1/s²), -damping (1/s). Shape (njnt, 2)."""
    jnt_solimp: NDArray[np.float64]
    """Impedance parameters of the limit: at zero and at the width, width (m or rad), midpoint, power. Shape (njnt, 5)."""
    jnt_pos: NDArray[np.float64]
    """Anchor in the body frame (m). Shape (njnt, 3)."""
    jnt_axis: NDArray[np.float64]
    """Axis in the body frame. Shape (njnt, 3)."""
    jnt_stiffness: NDArray[np.float64]
    """Spring stiffness (N/m or N m/rad). Shape (njnt,)."""
    jnt_stiffnesspoly: NDArray[np.float64]
    """Spring coefficients of orders two and three (N/m² and N/m³, or N m/rad² and N m/rad³). Shape (njnt, 2)."""
    jnt_range: NDArray[np.float64]
    """Limits (m or rad). Shape (njnt, 2)."""
    jnt_actfrcrange: NDArray[np.float64]
    """Limits of the total actuator force (N or N m). Shape (njnt, 2)."""
    jnt_margin: NDArray[np.float64]
    """Distance to the limit at which the constraint appears (m or rad). Shape (njnt,)."""
    jnt_user: NDArray[np.float64]
    """User values (any unit). Shape (njnt,)."""
    dof_bodyid: NDArray[np.int32]
    """Body that the dof moves. Shape (nv,)."""
    dof_jntid: NDArray[np.int32]
    """Joint of the dof. Shape (nv,)."""
    dof_parentid: NDArray[np.int32]
    """Previous dof on the way to the root; -1: none. Shape (nv,)."""
    dof_treeid: NDArray[np.int32]
    """Kinematic tree. Shape (nv,)."""
    dof_Madr: NDArray[np.int32]
    """Address of the diagonal entry in `qM`. Shape (nv,)."""
    dof_simplenum: NDArray[np.int32]
    """Number of consecutive simple dofs from here on. Shape (nv,)."""
    dof_solref: NDArray[np.float64]
    """Reference parameters of the friction constraint: time constant (s), damping ratio; or -stiffness (1/s²), -damping (1/s). Shape (nv, 2)."""
    dof_solimp: NDArray[np.float64]
    """Impedance parameters of the friction constraint: at zero and at the width, width (m or rad), midpoint, power. Shape (nv, 5)."""
    dof_frictionloss: NDArray[np.float64]
    """Dry friction (N or N m). Shape (nv,)."""
    dof_armature: NDArray[np.float64]
    """Rotor inertia added to the diagonal (kg or kg m²). Shape (nv,)."""
    dof_damping: NDArray[np.float64]
    """Damping coefficient (N s/m or N m s/rad). Shape (nv,)."""
    dof_dampingpoly: NDArray[np.float64]
    """Damping coefficients of orders two and three (N s²/m² and N s³/m³, or N m s²/rad² and N m s³/rad³). Shape (nv, 2)."""
    dof_invweight0: NDArray[np.float64]
    """Diagonal of the inverse inertia in `qpos0` (1/kg or 1/(kg m²)). Shape (nv,)."""
    dof_M0: NDArray[np.float64]
    """Diagonal of the inertia in `qpos0` (kg or kg m²). Shape (nv,)."""
    dof_length: NDArray[np.float64]
    """Length that turns the dof's velocity into a linear one (m of rotations; 1 for translations). Shape (nv,)."""
    tree_bodyadr: NDArray[np.int32]
    """First body. Shape (ntree,)."""
    tree_bodynum: NDArray[np.int32]
    """Number of bodies. Shape (ntree,)."""
    tree_dofadr: NDArray[np.int32]
    """First dof. Shape (ntree,)."""
    tree_dofnum: NDArray[np.int32]
    """Number of dofs. Shape (ntree,)."""
    tree_sleep_policy: NDArray[np.int32]
    """When the tree may sleep. Shape (ntree,)."""
    geom_type: NDArray[np.int32]
    """Type of shape. Shape (ngeom,)."""
    geom_contype: NDArray[np.int32]
    """Collision type bits. Shape (ngeom,)."""
    geom_conaffinity: NDArray[np.int32]
    """Collision affinity bits. Shape (ngeom,)."""
    geom_condim: NDArray[np.int32]
    """Dimension of its contacts: 1, 3, 4 or 6. Shape (ngeom,)."""
    geom_bodyid: NDArray[np.int32]
    """Body of the geom. Shape (ngeom,)."""
    geom_dataid: NDArray[np.int32]
    """Mesh or height field; -1: none. Shape (ngeom,)."""
    geom_matid: NDArray[np.int32]
    """Material; -1: none. Shape (ngeom,)."""
    geom_group: NDArray[np.int32]
    """Group, for visualization and filters. Shape (ngeom,)."""
    geom_priority: NDArray[np.int32]
    """The higher one decides a contact's parameters. Shape (ngeom,)."""
    geom_plugin: NDArray[np.int32]
    """Plugin instance; -1: none. Shape (ngeom,)."""
    geom_sameframe: NDArray[np.uint8]
    """How the geom frame coincides with the body or inertial frame. Shape (ngeom,)."""
    geom_solmix: NDArray[np.float64]
    """Weight when solver parameters are mixed. Shape (ngeom,)."""
    geom_solref: NDArray[np.float64]
    """Reference parameters of contacts: time constant (s), damping ratio; or -stiffness (1/s²), -damping (1/s). Shape (ngeom, 2)."""
    geom_solimp: NDArray[np.float64]
    """Impedance parameters of contacts: at zero and at the width, width (m), midpoint, power. Shape (ngeom, 5)."""
    geom_size: NDArray[np.float64]
    """Size parameters, by type (m). Shape (ngeom, 3)."""
    geom_aabb: NDArray[np.float64]
    """Local bounding box: centre, half sizes (m). Shape (ngeom, 6)."""
    geom_rbound: NDArray[np.float64]
    """Radius of the bounding sphere; 0: plane (m). Shape (ngeom,)."""
    geom_pos: NDArray[np.float64]
    """Position in the body frame (m). Shape (ngeom, 3)."""
    geom_quat: NDArray[np.float64]
    """Orientation in the body frame. Shape (ngeom, 4)."""
    geom_friction: NDArray[np.float64]
    """Sliding friction, torsional and rolling friction (m). Shape (ngeom, 3)."""
    geom_margin: NDArray[np.float64]
    """Distance at which contacts are detected (m). Shape (ngeom,)."""
    geom_gap: NDArray[np.float64]
    """Distance below the margin in which contacts make no force (m). Shape (ngeom,)."""
    geom_fluid: NDArray[np.float64]
    """Ellipsoid fluid model: six coefficients, added mass (m³) and inertia (m⁵) per density of the medium. Shape (ngeom, 12)."""
    geom_user: NDArray[np.float64]
    """User values (any unit). Shape (ngeom,)."""
    geom_rgba: NDArray[np.float32]
    """Colour without a material. Shape (ngeom, 4)."""
    site_type: NDArray[np.int32]
    """Type of shape. Shape (nsite,)."""
    site_bodyid: NDArray[np.int32]
    """Body of the site. Shape (nsite,)."""
    site_matid: NDArray[np.int32]
    """Material; -1: none. Shape (nsite,)."""
    site_group: NDArray[np.int32]
    """Group, for visualization. Shape (nsite,)."""
    site_sameframe: NDArray[np.uint8]
    """How the site frame coincides with the body or inertial frame. Shape (nsite,)."""
    site_size: NDArray[np.float64]
    """Size parameters, by type (m). Shape (nsite, 3)."""
    site_pos: NDArray[np.float64]
    """Position in the body frame (m). Shape (nsite, 3)."""
    site_quat: NDArray[np.float64]
    """Orientation in the body frame. Shape (nsite, 4)."""
    site_user: NDArray[np.float64]
    """User values (any unit). Shape (nsite,)."""
    site_rgba: NDArray[np.float32]
    """Colour without a material. Shape (nsite, 4)."""
    cam_mode: NDArray[np.int32]
    """How the camera follows its body. Shape (ncam,)."""
    cam_bodyid: NDArray[np.int32]
    """Body of the camera. Shape (ncam,)."""
    cam_targetbodyid: NDArray[np.int32]
    """Body looked at; -1: none. Shape (ncam,)."""
    cam_pos: NDArray[np.float64]
    """Position in the body frame (m). Shape (ncam, 3)."""
    cam_quat: NDArray[np.float64]
    """Orientation in the body frame. Shape (ncam, 4)."""
    cam_poscom0: NDArray[np.float64]
    """Position relative to the subtree's centre of mass in `qpos0` (m). Shape (ncam, 3)."""
    cam_pos0: NDArray[np.float64]
    """Position relative to the body in `qpos0`, world axes (m). Shape (ncam, 3)."""
    cam_mat0: NDArray[np.float64]
    """Orientation in `qpos0`. Shape (ncam, 9)."""
    cam_projection: NDArray[np.int32]
    """Perspective or orthographic. Shape (ncam,)."""
    cam_fovy: NDArray[np.float64]
    """Vertical field of view (deg), or extent when orthographic (m). Shape (ncam,)."""
    cam_ipd: NDArray[np.float64]
    """Distance between the eyes (m). Shape (ncam,)."""
    cam_resolution: NDArray[np.int32]
    """Width and height (pixels). Shape (ncam, 2)."""
    cam_output: NDArray[np.int32]
    """Kinds of image it makes, as bits. Shape (ncam,)."""
    cam_sensorsize: NDArray[np.float32]
    """Size of the image sensor (m). Shape (ncam, 2)."""
    cam_intrinsic: NDArray[np.float32]
    """Focal lengths and principal point (m). Shape (ncam, 4)."""
    cam_user: NDArray[np.float64]
    """User values (any unit). Shape (ncam,)."""
    light_mode: NDArray[np.int32]
    """How the light follows its body. Shape (nlight,)."""
    light_bodyid: NDArray[np.int32]
    """Body of the light. Shape (nlight,)."""
    light_targetbodyid: NDArray[np.int32]
    """Body lit; -1: none. Shape (nlight,)."""
    light_type: NDArray[np.int32]
    """Type of light. Shape (nlight,)."""
    light_texid: NDArray[np.int32]
    """Texture of an image light; -1: none. Shape (nlight,)."""
    light_castshadow: NDArray[np.uint8]
    """Whether it casts shadows. Shape (nlight,)."""
    light_bulbradius: NDArray[np.float32]
    """Radius of the bulb, for soft shadows (m). Shape (nlight,)."""
    light_intensity: NDArray[np.float32]
    """Intensity (cd). Shape (nlight,)."""
    light_range: NDArray[np.float32]
    """Reach (m). Shape (nlight,)."""
    light_active: NDArray[np.uint8]
    """Whether it is on. Shape (nlight,)."""
    light_pos: NDArray[np.float64]
    """Position in the body frame (m). Shape (nlight, 3)."""
    light_dir: NDArray[np.float64]
    """Direction in the body frame. Shape (nlight, 3)."""
    light_poscom0: NDArray[np.float64]
    """Position relative to the subtree's centre of mass in `qpos0` (m). Shape (nlight, 3)."""
    light_pos0: NDArray[np.float64]
    """Position relative to the body in `qpos0`, world axes (m). Shape (nlight, 3)."""
    light_dir0: NDArray[np.float64]
    """Direction in `qpos0`. Shape (nlight, 3)."""
    light_attenuation: NDArray[np.float32]
    """Constant, linear (1/m) and quadratic (1/m²) attenuation. Shape (nlight, 3)."""
    light_cutoff: NDArray[np.float32]
    """Spot half angle (deg). Shape (nlight,)."""
    light_exponent: NDArray[np.float32]
    """Spot exponent. Shape (nlight,)."""
    light_ambient: NDArray[np.float32]
    """Ambient colour. Shape (nlight, 3)."""
    light_diffuse: NDArray[np.float32]
    """Diffuse colour. Shape (nlight, 3)."""
    light_specular: NDArray[np.float32]
    """Specular colour. Shape (nlight, 3)."""
    flex_contype: NDArray[np.int32]
    """Collision type bits. Shape (nflex,)."""
    flex_conaffinity: NDArray[np.int32]
    """Collision affinity bits. Shape (nflex,)."""
    flex_condim: NDArray[np.int32]
    """Dimension of its contacts. Shape (nflex,)."""
    flex_priority: NDArray[np.int32]
    """The higher one decides a contact's parameters. Shape (nflex,)."""
    flex_solmix: NDArray[np.float64]
    """Weight when solver parameters are mixed. Shape (nflex,)."""
    flex_solref: NDArray[np.float64]
    """Reference parameters of contacts: time constant (s), damping ratio; or -stiffness (1/s²), -damping (1/s). Shape (nflex, 2)."""
    flex_solimp: NDArray[np.float64]
    """Impedance parameters of contacts: at zero and at the width, width (m), midpoint, power. Shape (nflex, 5)."""
    flex_friction: NDArray[np.float64]
    """Sliding friction, torsional and rolling friction (m). Shape (nflex, 3)."""
    flex_margin: NDArray[np.float64]
    """Distance at which contacts are detected (m). Shape (nflex,)."""
    flex_gap: NDArray[np.float64]
    """Distance below the margin in which contacts make no force (m). Shape (nflex,)."""
    flex_internal: NDArray[np.uint8]
    """Whether neighbouring elements may collide. Shape (nflex,)."""
    flex_selfcollide: NDArray[np.int32]
    """How self-collisions are searched. Shape (nflex,)."""
    flex_activelayers: NDArray[np.int32]
    """Element layers that collide in a solid. Shape (nflex,)."""
    flex_passive: NDArray[np.int32]
    """Whether its contacts act as passive forces. Shape (nflex,)."""
    flex_dim: NDArray[np.int32]
    """Dimension of the elements: 1 lines, 2 triangles, 3 tetrahedra. Shape (nflex,)."""
    flex_matid: NDArray[np.int32]
    """Material; -1: none. Shape (nflex,)."""
    flex_group: NDArray[np.int32]
    """Group, for visualization. Shape (nflex,)."""
    flex_interp: NDArray[np.int32]
    """Order of interpolation; 0: none. Shape (nflex,)."""
    flex_bandwidth: NDArray[np.int32]
    """Bandwidth of the stiffness matrix. Shape (nflex,)."""
    flex_cellnum: NDArray[np.int32]
    """Number of cells along each axis. Shape (nflex, 3)."""
    flex_nodeadr: NDArray[np.int32]
    """First node. Shape (nflex,)."""
    flex_nodenum: NDArray[np.int32]
    """Number of nodes. Shape (nflex,)."""
    flex_vertadr: NDArray[np.int32]
    """First vertex. Shape (nflex,)."""
    flex_vertnum: NDArray[np.int32]
    """Number of vertices. Shape (nflex,)."""
    flex_edgeadr: NDArray[np.int32]
    """First edge. Shape (nflex,)."""
    flex_edgenum: NDArray[np.int32]
    """Number of edges. Shape (nflex,)."""
    flex_elemadr: NDArray[np.int32]
    """First element. Shape (nflex,)."""
    flex_elemnum: NDArray[np.int32]
    """Number of elements. Shape (nflex,)."""
    flex_elemdataadr: NDArray[np.int32]
    """First vertex id of the elements. Shape (nflex,)."""
    flex_stiffnessadr: NDArray[np.int32]
    """First stiffness parameter. Shape (nflex,)."""
    flex_elemedgeadr: NDArray[np.int32]
    """First edge id of the elements. Shape (nflex,)."""
    flex_shellnum: NDArray[np.int32]
    """Number of shell fragments. Shape (nflex,)."""
    flex_shelldataadr: NDArray[np.int32]
    """First vertex id of the shell; -1: none. Shape (nflex,)."""
    flex_evpairadr: NDArray[np.int32]
    """First element–vertex pair. Shape (nflex,)."""
    flex_evpairnum: NDArray[np.int32]
    """Number of element–vertex pairs. Shape (nflex,)."""
    flex_texcoordadr: NDArray[np.int32]
    """First texture coordinate; -1: none. Shape (nflex,)."""
    flex_nodebodyid: NDArray[np.int32]
    """Body of each node. Shape (nflexnode,)."""
    flex_vertbodyid: NDArray[np.int32]
    """Body of each vertex. Shape (nflexvert,)."""
    flex_vertedgeadr: NDArray[np.int32]
    """First edge around each vertex. Shape (nflexvert,)."""
    flex_vertedgenum: NDArray[np.int32]
    """Number of edges around each vertex. Shape (nflexvert,)."""
    flex_vertedge: NDArray[np.int32]
    """Edge ids around each vertex. Shape (nflexedge, 2)."""
    flex_edge: NDArray[np.int32]
    """Vertices of each edge. Shape (nflexedge, 2)."""
    flex_edgeflap: NDArray[np.int32]
    """The two vertices opposite each edge. Shape (nflexedge, 2)."""
    flex_elem: NDArray[np.int32]
    """Vertices of each element. Shape (nflexelemdata,)."""
    flex_elemtexcoord: NDArray[np.int32]
    """Texture coordinates of each element. Shape (nflexelemdata,)."""
    flex_elemedge: NDArray[np.int32]
    """Edges of each element. Shape (nflexelemedge,)."""
    flex_elemlayer: NDArray[np.int32]
    """Distance of each element from the surface, in elements. Shape (nflexelem,)."""
    flex_shell: NDArray[np.int32]
    """Vertices of each shell fragment. Shape (nflexshelldata,)."""
    flex_evpair: NDArray[np.int32]
    """Element and vertex of each pair. Shape (nflexevpair, 2)."""
    flex_vert: NDArray[np.float64]
    """Vertex positions in their body frames (m). Shape (nflexvert, 3)."""
    flex_vert0: NDArray[np.float64]
    """Vertex positions in `qpos0`, scaled to the unit cube. Shape (nflexvert, 3)."""
    flex_vertmetric: NDArray[np.float64]
    """Inverse reference metric at each vertex, weighted by masses (1/(kg m²)). Shape (nflexvert, 4)."""
    flex_node: NDArray[np.float64]
    """Node positions in their body frames (m). Shape (nflexnode, 3)."""
    flex_node0: NDArray[np.float64]
    """Node positions in `qpos0` (m). Shape (nflexnode, 3)."""
    flexedge_length0: NDArray[np.float64]
    """Edge lengths in `qpos0` (m). Shape (nflexedge,)."""
    flexedge_invweight0: NDArray[np.float64]
    """Inverse inertia of each edge in `qpos0` (1/kg). Shape (nflexedge,)."""
    flex_radius: NDArray[np.float64]
    """Radius around the elements (m). Shape (nflex,)."""
    flex_size: NDArray[np.float64]
    """Half sizes of the bounding box in `qpos0` (m). Shape (nflex, 3)."""
    flex_stiffness: NDArray[np.float64]
    """Stiffness parameters: of changes of squared edge lengths (N/m³), of displacements in interpolated cells (N/m). Shape (nflexstiffness,)."""
    flex_bending: NDArray[np.float64]
    """Bending coefficients of the edges: a matrix of four vertices (N/m), curvature at rest (N/m²). Shape (nflexedge, 17)."""
    flex_damping: NDArray[np.float64]
    """Rayleigh damping of the elements (s). Shape (nflex,)."""
    flex_edgestiffness: NDArray[np.float64]
    """Edge stiffness (N/m). Shape (nflex,)."""
    flex_edgedamping: NDArray[np.float64]
    """Edge damping (N s/m). Shape (nflex,)."""
    flex_edgeequality: NDArray[np.int32]
    """Kind of edge constraint. Shape (nflex,)."""
    flex_rigid: NDArray[np.uint8]
    """Whether all vertices belong to one body. Shape (nflex,)."""
    flexedge_rigid: NDArray[np.uint8]
    """Whether both vertices belong to one body. Shape (nflexedge,)."""
    flex_centered: NDArray[np.uint8]
    """Whether all vertices are at the centres of their bodies. Shape (nflex,)."""
    flex_flatskin: NDArray[np.uint8]
    """Whether it is rendered with flat shading. Shape (nflex,)."""
    flex_bvhadr: NDArray[np.int32]
    """Root of the bounding volume tree; -1: none. Shape (nflex,)."""
    flex_bvhnum: NDArray[np.int32]
    """Number of bounding volumes. Shape (nflex,)."""
    flexedge_J_rownnz: NDArray[np.int32]
    """Entries of each row of the edge Jacobian. Shape (nflexedge,)."""
    flexedge_J_rowadr: NDArray[np.int32]
    """First entry of each row of the edge Jacobian. Shape (nflexedge,)."""
    flexedge_J_colind: NDArray[np.int32]
    """Columns of the edge Jacobian. Shape (nJfe,)."""
    flexvert_J_rownnz: NDArray[np.int32]
    """Entries of each row of the vertex Jacobian. Shape (nflexvert, 2)."""
    flexvert_J_rowadr: NDArray[np.int32]
    """First entry of each row of the vertex Jacobian. Shape (nflexvert, 2)."""
    flexvert_J_colind: NDArray[np.int32]
    """Columns of the vertex Jacobian. Shape (nJfv, 2)."""
    flex_rgba: NDArray[np.float32]
    """Colour without a material. Shape (nflex, 4)."""
    flex_texcoord: NDArray[np.float32]
    """Texture coordinates. Shape (nflextexcoord, 2)."""
    mesh_vertadr: NDArray[np.int32]
    """First vertex. Shape (nmesh,)."""
    mesh_vertnum: NDArray[np.int32]
    """Number of vertices. Shape (nmesh,)."""
    mesh_faceadr: NDArray[np.int32]
    """First triangle. Shape (nmesh,)."""
    mesh_facenum: NDArray[np.int32]
    """Number of triangles. Shape (nmesh,)."""
    mesh_bvhadr: NDArray[np.int32]
    """Root of the bounding volume tree. Shape (nmesh,)."""
    mesh_bvhnum: NDArray[np.int32]
    """Number of bounding volumes. Shape (nmesh,)."""
    mesh_octadr: NDArray[np.int32]
    """Root of the octree. Shape (nmesh,)."""
    mesh_octnum: NDArray[np.int32]
    """Number of octree cells. Shape (nmesh,)."""
    mesh_normaladr: NDArray[np.int32]
    """First normal. Shape (nmesh,)."""
    mesh_normalnum: NDArray[np.int32]
    """Number of normals. Shape (nmesh,)."""
    mesh_texcoordadr: NDArray[np.int32]
    """First texture coordinate; -1: none. Shape (nmesh,)."""
    mesh_texcoordnum: NDArray[np.int32]
    """Number of texture coordinates. Shape (nmesh,)."""
    mesh_graphadr: NDArray[np.int32]
    """First integer of the hull graph; -1: none. Shape (nmesh,)."""
    mesh_vert: NDArray[np.float32]
    """Vertex positions (m). Shape (nmeshvert, 3)."""
    mesh_normal: NDArray[np.float32]
    """Normals. Shape (nmeshnormal, 3)."""
    mesh_texcoord: NDArray[np.float32]
    """Texture coordinates. Shape (nmeshtexcoord, 2)."""
    mesh_face: NDArray[np.int32]
    """Vertices of each triangle. Shape (nmeshface, 3)."""
    mesh_facenormal: NDArray[np.int32]
    """Normals of each triangle's corners. Shape (nmeshface, 3)."""
    mesh_facetexcoord: NDArray[np.int32]
    """Texture coordinates of each triangle's corners. Shape (nmeshface, 3)."""
    mesh_graph: NDArray[np.int32]
    """Hull graphs. Shape (nmeshgraph,)."""
    mesh_scale: NDArray[np.float64]
    """Scale that was applied. Shape (nmesh, 3)."""
    mesh_pos: NDArray[np.float64]
    """Translation that was taken out to centre the mesh (m). Shape (nmesh, 3)."""
    mesh_quat: NDArray[np.float64]
    """Rotation that was taken out to align the mesh. Shape (nmesh, 4)."""
    mesh_pathadr: NDArray[np.int32]
    """Address of the file name in `paths`; -1: none. Shape (nmesh,)."""
    mesh_polynum: NDArray[np.int32]
    """Number of hull polygons. Shape (nmesh,)."""
    mesh_polyadr: NDArray[np.int32]
    """First hull polygon. Shape (nmesh,)."""
    mesh_polynormal: NDArray[np.float64]
    """Outward normal of each hull polygon. Shape (nmeshpoly, 3)."""
    mesh_polyvertadr: NDArray[np.int32]
    """First vertex id of each hull polygon. Shape (nmeshpoly,)."""
    mesh_polyvertnum: NDArray[np.int32]
    """Number of vertices of each hull polygon. Shape (nmeshpoly,)."""
    mesh_polyvert: NDArray[np.int32]
    """Vertex ids of the hull polygons. Shape (nmeshpolyvert,)."""
    mesh_polymapadr: NDArray[np.int32]
    """First polygon around each vertex. Shape (nmeshvert,)."""
    mesh_polymapnum: NDArray[np.int32]
    """Number of polygons around each vertex. Shape (nmeshvert,)."""
    mesh_polymap: NDArray[np.int32]
    """Polygon ids around each vertex. Shape (nmeshpolymap,)."""
    skin_matid: NDArray[np.int32]
    """Material; -1: none. Shape (nskin,)."""
    skin_group: NDArray[np.int32]
    """Group, for visualization. Shape (nskin,)."""
    skin_rgba: NDArray[np.float32]
    """Colour without a material. Shape (nskin, 4)."""
    skin_inflate: NDArray[np.float32]
    """Distance by which the surface is moved outwards (m). Shape (nskin,)."""
    skin_vertadr: NDArray[np.int32]
    """First vertex. Shape (nskin,)."""
    skin_vertnum: NDArray[np.int32]
    """Number of vertices. Shape (nskin,)."""
    skin_texcoordadr: NDArray[np.int32]
    """First texture coordinate; -1: none. Shape (nskin,)."""
    skin_faceadr: NDArray[np.int32]
    """First triangle. Shape (nskin,)."""
    skin_facenum: NDArray[np.int32]
    """Number of triangles. Shape (nskin,)."""
    skin_boneadr: NDArray[np.int32]
    """First bone. Shape (nskin,)."""
    skin_bonenum: NDArray[np.int32]
    """Number of bones. Shape (nskin,)."""
    skin_vert: NDArray[np.float32]
    """Vertex positions (m). Shape (nskinvert, 3)."""
    skin_texcoord: NDArray[np.float32]
    """Texture coordinates. Shape (nskintexvert, 2)."""
    skin_face: NDArray[np.int32]
    """Vertices of each triangle. Shape (nskinface, 3)."""
    skin_bonevertadr: NDArray[np.int32]
    """First vertex bound to each bone. Shape (nskinbone,)."""
    skin_bonevertnum: NDArray[np.int32]
    """Number of vertices bound to each bone. Shape (nskinbone,)."""
    skin_bonebindpos: NDArray[np.float32]
    """Position of each bone at binding (m). Shape (nskinbone, 3)."""
    skin_bonebindquat: NDArray[np.float32]
    """Orientation of each bone at binding. Shape (nskinbone, 4)."""
    skin_bonebodyid: NDArray[np.int32]
    """Body of each bone. Shape (nskinbone,)."""
    skin_bonevertid: NDArray[np.int32]
    """Vertices bound to the bones. Shape (nskinbonevert,)."""
    skin_bonevertweight: NDArray[np.float32]
    """Weights of the bound vertices. Shape (nskinbonevert,)."""
    skin_pathadr: NDArray[np.int32]
    """Address of the file name in `paths`; -1: none. Shape (nskin,)."""
    hfield_size: NDArray[np.float64]
    """Half sizes in x and y, elevation scale, thickness of the base (m). Shape (nhfield, 4)."""
    hfield_nrow: NDArray[np.int32]
    """Number of rows. Shape (nhfield,)."""
    hfield_ncol: NDArray[np.int32]
    """Number of columns. Shape (nhfield,)."""
    hfield_adr: NDArray[np.int32]
    """First elevation. Shape (nhfield,)."""
    hfield_data: NDArray[np.float32]
    """Elevations, from 0 to 1. Shape (nhfielddata,)."""
    hfield_pathadr: NDArray[np.int32]
    """Address of the file name in `paths`; -1: none. Shape (nhfield,)."""
    tex_type: NDArray[np.int32]
    """Type of texture. Shape (ntex,)."""
    tex_colorspace: NDArray[np.int32]
    """Colour space. Shape (ntex,)."""
    tex_height: NDArray[np.int32]
    """Rows of pixels. Shape (ntex,)."""
    tex_width: NDArray[np.int32]
    """Columns of pixels. Shape (ntex,)."""
    tex_nchannel: NDArray[np.int32]
    """Bytes per pixel. Shape (ntex,)."""
    tex_adr: NDArray[np.int64]
    """First byte. Shape (ntex,)."""
    tex_data: NDArray[np.uint8]
    """Pixels. Shape (ntexdata,)."""
    tex_pathadr: NDArray[np.int32]
    """Address of the file name in `paths`; -1: none. Shape (ntex,)."""
    mat_texid: NDArray[np.int32]
    """Texture for each role; -1: none. Shape (nmat, 10)."""
    mat_texuniform: NDArray[np.uint8]
    """Whether the texture repeats per unit length instead of per object. Shape (nmat,)."""
    mat_texrepeat: NDArray[np.float32]
    """Repetitions of the texture; with `mat_texuniform` per length (1/m). Shape (nmat, 2)."""
    mat_emission: NDArray[np.float32]
    """Emission. Shape (nmat,)."""
    mat_specular: NDArray[np.float32]
    """Specular reflection. Shape (nmat,)."""
    mat_shininess: NDArray[np.float32]
    """Shininess. Shape (nmat,)."""
    mat_reflectance: NDArray[np.float32]
    """Reflectance. Shape (nmat,)."""
    mat_metallic: NDArray[np.float32]
    """Metallic coefficient; -1: unset. Shape (nmat,)."""
    mat_roughness: NDArray[np.float32]
    """Roughness; -1: unset. Shape (nmat,)."""
    mat_rgba: NDArray[np.float32]
    """Colour. Shape (nmat, 4)."""
    pair_dim: NDArray[np.int32]
    """Dimension of the contacts. Shape (npair,)."""
    pair_geom1: NDArray[np.int32]
    """First geom. Shape (npair,)."""
    pair_geom2: NDArray[np.int32]
    """Second geom. Shape (npair,)."""
    pair_signature: NDArray[np.int32]
    """Both body ids in one integer. Shape (npair,)."""
    pair_solref: NDArray[np.float64]
    """Reference parameters of the normal direction: time constant (s), damping ratio; or -stiffness (1/s²), -damping (1/s). Shape (npair, 2)."""
    pair_solreffriction: NDArray[np.float64]
    """Reference parameters of the friction directions: time constant (s), damping ratio; or -stiffness (1/s²), -damping (1/s). Shape (npair, 2)."""
    pair_solimp: NDArray[np.float64]
    """Impedance parameters: at zero and at the width, width (m), midpoint, power. Shape (npair, 5)."""
    pair_margin: NDArray[np.float64]
    """Distance at which contacts are detected (m). Shape (npair,)."""
    pair_gap: NDArray[np.float64]
    """Distance below the margin in which contacts make no force (m). Shape (npair,)."""
    pair_friction: NDArray[np.float64]
    """Friction: two tangential, one torsional and two rolling (m). Shape (npair, 5)."""
    exclude_signature: NDArray[np.int32]
    """Both body ids in one integer. Shape (nexclude,)."""
    eq_type: NDArray[np.int32]
    """Type of equality. Shape (neq,)."""
    eq_obj1id: NDArray[np.int32]
    """First object. Shape (neq,)."""
    eq_obj2id: NDArray[np.int32]
    """Second object; -1: none. Shape (neq,)."""
    eq_objtype: NDArray[np.int32]
    """Type of the objects. Shape (neq,)."""
    eq_active0: NDArray[np.uint8]
    """Whether it is active after a reset. Shape (neq,)."""
    eq_solref: NDArray[np.float64]
    """Reference parameters: time constant (s), damping ratio; or -stiffness (1/s²), -damping (1/s). Shape (neq, 2)."""
    eq_solimp: NDArray[np.float64]
    """Impedance parameters: at zero and at the width, width (m or rad), midpoint, power. Shape (neq, 5)."""
    eq_data: NDArray[np.float64]
    """Parameters by type: anchors (m) and relative pose, or coefficients of a polynomial of positions or lengths (m or rad). Shape (neq, 11)."""
    tendon_adr: NDArray[np.int32]
    """First path element. Shape (ntendon,)."""
    tendon_num: NDArray[np.int32]
    """Number of path elements. Shape (ntendon,)."""
    tendon_matid: NDArray[np.int32]
    """Material; -1: none. Shape (ntendon,)."""
    tendon_actuatorid: NDArray[np.int32]
    """Actuator that drives the tendon alone; -1: none or several. Shape (ntendon,)."""
    tendon_group: NDArray[np.int32]
    """Group, for visualization. Shape (ntendon,)."""
    tendon_treenum: NDArray[np.int32]
    """Number of kinematic trees it couples. Shape (ntendon,)."""
    tendon_treeid: NDArray[np.int32]
    """Up to two of those trees. Shape (ntendon, 2)."""
    ten_J_rownnz: NDArray[np.int32]
    """Entries of each row of the tendon Jacobian. Shape (ntendon,)."""
    ten_J_rowadr: NDArray[np.int32]
    """First entry of each row of the tendon Jacobian. Shape (ntendon,)."""
    ten_J_colind: NDArray[np.int32]
    """Columns of the tendon Jacobian. Shape (nJten,)."""
    tendon_limited: NDArray[np.uint8]
    """Whether the range is enforced. Shape (ntendon,)."""
    tendon_actfrclimited: NDArray[np.uint8]
    """Whether the total actuator force is limited. Shape (ntendon,)."""
    tendon_width: NDArray[np.float64]
    """Width for rendering (m). Shape (ntendon,)."""
    tendon_solref_lim: NDArray[np.float64]
    """Reference parameters of the limit: time constant (s), damping ratio; or -stiffness (1/s²), -damping (1/s). Shape (ntendon, 2)."""
    tendon_solimp_lim: NDArray[np.float64]
    """Impedance parameters of the limit: at zero and at the width, width (m or rad), midpoint, power. Shape (ntendon, 5)."""
    tendon_solref_fri: NDArray[np.float64]
    """Reference parameters of the friction constraint: time constant (s), damping ratio; or -stiffness (1/s²), -damping (1/s). Shape (ntendon, 2)."""
    tendon_solimp_fri: NDArray[np.float64]
    """Impedance parameters of the friction constraint: at zero and at the width, width (m or rad), midpoint, power. Shape (ntendon, 5)."""
    tendon_range: NDArray[np.float64]
    """Limits of the length (m or rad). Shape (ntendon, 2)."""
    tendon_actfrcrange: NDArray[np.float64]
    """Limits of the total actuator force (N or N m). Shape (ntendon, 2)."""
    tendon_margin: NDArray[np.float64]
    """Distance to the limit at which the constraint appears (m or rad). Shape (ntendon,)."""
    tendon_stiffness: NDArray[np.float64]
    """Spring stiffness (N/m or N m/rad). Shape (ntendon,)."""
    tendon_stiffnesspoly: NDArray[np.float64]
    """Spring coefficients of orders two and three (N/m² and N/m³, or N m/rad² and N m/rad³). Shape (ntendon, 2)."""
    tendon_damping: NDArray[np.float64]
    """Damping coefficient (N s/m or N m s/rad). Shape (ntendon,)."""
    tendon_dampingpoly: NDArray[np.float64]
    """Damping coefficients of orders two and three (N s²/m² and N s³/m³, or N m s²/rad² and N m s³/rad³). Shape (ntendon, 2)."""
    tendon_armature: NDArray[np.float64]
    """Inertia that resists changes of length (kg or kg m²). Shape (ntendon,)."""
    tendon_frictionloss: NDArray[np.float64]
    """Dry friction (N or N m). Shape (ntendon,)."""
    tendon_lengthspring: NDArray[np.float64]
    """Range of lengths in which the spring is at rest (m or rad). Shape (ntendon, 2)."""
    tendon_length0: NDArray[np.float64]
    """Length in `qpos0` (m; rad where it combines hinges). Shape (ntendon,)."""
    tendon_invweight0: NDArray[np.float64]
    """Inverse inertia along the tendon in `qpos0` (1/kg or 1/(kg m²)). Shape (ntendon,)."""
    tendon_user: NDArray[np.float64]
    """User values (any unit). Shape (ntendon,)."""
    tendon_rgba: NDArray[np.float32]
    """Colour without a material. Shape (ntendon, 4)."""
    wrap_type: NDArray[np.int32]
    """Type of path element. Shape (nwrap,)."""
    wrap_objid: NDArray[np.int32]
    """Joint, site or geom of the element. Shape (nwrap,)."""
    wrap_prm: NDArray[np.float64]
    """Coefficient, divisor or side site of the element. Shape (nwrap,)."""
    actuator_trntype: NDArray[np.int32]
    """Type of transmission. Shape (nu,)."""
    actuator_dyntype: NDArray[np.int32]
    """Type of activation dynamics. Shape (nu,)."""
    actuator_gaintype: NDArray[np.int32]
    """Type of gain. Shape (nu,)."""
    actuator_biastype: NDArray[np.int32]
    """Type of bias. Shape (nu,)."""
    actuator_trnid: NDArray[np.int32]
    """Ids of the transmission's objects; -1: none. Shape (nu, 2)."""
    actuator_damping: NDArray[np.float64]
    """Damping that the actuator adds (N s/m or N m s/rad). Shape (nu,)."""
    actuator_dampingpoly: NDArray[np.float64]
    """Coefficients of orders two and three of that damping (N s²/m² and N s³/m³, or N m s²/rad² and N m s³/rad³). Shape (nu, 2)."""
    actuator_armature: NDArray[np.float64]
    """Inertia that the actuator adds (kg or kg m²). Shape (nu,)."""
    actuator_actadr: NDArray[np.int32]
    """First activation; -1: stateless. Shape (nu,)."""
    actuator_actnum: NDArray[np.int32]
    """Number of activations. Shape (nu,)."""
    actuator_group: NDArray[np.int32]
    """Group, for disabling and visualization. Shape (nu,)."""
    actuator_history: NDArray[np.int32]
    """Samples kept and interpolation order of the control history. Shape (nu, 2)."""
    actuator_historyadr: NDArray[np.int32]
    """First value in `history`; -1: none. Shape (nu,)."""
    actuator_delay: NDArray[np.float64]
    """Delay of the control (s). Shape (nu,)."""
    actuator_ctrllimited: NDArray[np.uint8]
    """Whether the control is clamped. Shape (nu,)."""
    actuator_forcelimited: NDArray[np.uint8]
    """Whether the force is clamped. Shape (nu,)."""
    actuator_actlimited: NDArray[np.uint8]
    """Whether the activation is clamped. Shape (nu,)."""
    actuator_dynprm: NDArray[np.float64]
    """Parameters of the activation dynamics; the first of a filter or muscle is its time constant (s). Shape (nu, 10)."""
    actuator_gainprm: NDArray[np.float64]
    """Parameters of the gain (unit of the force per that of the control or activation). Shape (nu, 10)."""
    actuator_biasprm: NDArray[np.float64]
    """Parameters of the bias; affine: force (N or N m), per length (N/m or N m/rad), per velocity (N s/m or N m s/rad). Shape (nu, 10)."""
    actuator_actearly: NDArray[np.uint8]
    """Whether the force uses the activation of the next step. Shape (nu,)."""
    actuator_ctrlrange: NDArray[np.float64]
    """Limits of the control (unit of the control). Shape (nu, 2)."""
    actuator_forcerange: NDArray[np.float64]
    """Limits of the force (N or N m). Shape (nu, 2)."""
    actuator_actrange: NDArray[np.float64]
    """Limits of the activation (unit of the activation). Shape (nu, 2)."""
    actuator_gear: NDArray[np.float64]
    """Scale of length and force, per transmission axis. Shape (nu, 6)."""
    actuator_cranklength: NDArray[np.float64]
    """Length of the connecting rod of a slider-crank (m). Shape (nu,)."""
    actuator_acc0: NDArray[np.float64]
    """Norm of the joint accelerations due to unit force in `qpos0` (m/s² or rad/s², per N or N m). Shape (nu,)."""
    actuator_length0: NDArray[np.float64]
    """Length in `qpos0` (m or rad). Shape (nu,)."""
    actuator_lengthrange: NDArray[np.float64]
    """Range of lengths that can be reached (m or rad). Shape (nu, 2)."""
    actuator_user: NDArray[np.float64]
    """User values (any unit). Shape (nu,)."""
    actuator_plugin: NDArray[np.int32]
    """Plugin instance; -1: none. Shape (nu,)."""
    sensor_type: NDArray[np.int32]
    """Type of sensor. Shape (nsensor,)."""
    sensor_datatype: NDArray[np.int32]
    """What its values mean. Shape (nsensor,)."""
    sensor_needstage: NDArray[np.int32]
    """Stage after which it can be computed. Shape (nsensor,)."""
    sensor_objtype: NDArray[np.int32]
    """Type of the object that is sensed. Shape (nsensor,)."""
    sensor_objid: NDArray[np.int32]
    """The object that is sensed. Shape (nsensor,)."""
    sensor_reftype: NDArray[np.int32]
    """Type of the reference frame. Shape (nsensor,)."""
    sensor_refid: NDArray[np.int32]
    """Reference frame; -1: the world. Shape (nsensor,)."""
    sensor_intprm: NDArray[np.int32]
    """Integer parameters, by type. Shape (nsensor, 3)."""
    sensor_dim: NDArray[np.int32]
    """Number of values. Shape (nsensor,)."""
    sensor_adr: NDArray[np.int32]
    """First value in `sensordata`. Shape (nsensor,)."""
    sensor_cutoff: NDArray[np.float64]
    """Limit on the values (unit of the sensor); 0: none. Shape (nsensor,)."""
    sensor_noise: NDArray[np.float64]
    """Standard deviation of noise, for the user's use (unit of the sensor). Shape (nsensor,)."""
    sensor_history: NDArray[np.int32]
    """Samples kept and interpolation order. Shape (nsensor, 2)."""
    sensor_historyadr: NDArray[np.int32]
    """First value in `history`; -1: none. Shape (nsensor,)."""
    sensor_delay: NDArray[np.float64]
    """Delay (s). Shape (nsensor,)."""
    sensor_interval: NDArray[np.float64]
    """Period and phase of sampling (s). Shape (nsensor, 2)."""
    sensor_user: NDArray[np.float64]
    """User values (any unit). Shape (nsensor,)."""
    sensor_plugin: NDArray[np.int32]
    """Plugin instance; -1: none. Shape (nsensor,)."""
    plugin: NDArray[np.int32]
    """Registered slot of the plugin. Shape (nplugin,)."""
    plugin_stateadr: NDArray[np.int32]
    """First state value. Shape (nplugin,)."""
    plugin_statenum: NDArray[np.int32]
    """Number of state values. Shape (nplugin,)."""
    plugin_attr: NDArray[np.uint8]
    """Settings as text. Shape (npluginattr,)."""
    plugin_attradr: NDArray[np.int32]
    """First byte of the settings. Shape (nplugin,)."""
    numeric_adr: NDArray[np.int32]
    """First value. Shape (nnumeric,)."""
    numeric_size: NDArray[np.int32]
    """Number of values. Shape (nnumeric,)."""
    numeric_data: NDArray[np.float64]
    """Values (any unit). Shape (nnumericdata,)."""
    text_adr: NDArray[np.int32]
    """First byte. Shape (ntext,)."""
    text_size: NDArray[np.int32]
    """Number of bytes, terminator included. Shape (ntext,)."""
    text_data: NDArray[np.uint8]
    """Text. Shape (ntextdata,)."""
    tuple_adr: NDArray[np.int32]
    """First object. Shape (ntuple,)."""
    tuple_size: NDArray[np.int32]
    """Number of objects. Shape (ntuple,)."""
    tuple_objtype: NDArray[np.int32]
    """Type of each object. Shape (ntupledata,)."""
    tuple_objid: NDArray[np.int32]
    """Id of each object. Shape (ntupledata,)."""
    tuple_objprm: NDArray[np.float64]
    """Parameter of each object (any unit). Shape (ntupledata,)."""
    key_time: NDArray[np.float64]
    """Time (s). Shape (nkey,)."""
    key_qpos: NDArray[np.float64]
    """Positions (m or rad; quaternions of ball and free joints). Shape (nkey,)."""
    key_qvel: NDArray[np.float64]
    """Velocities (m/s or rad/s). Shape (nkey,)."""
    key_act: NDArray[np.float64]
    """Activations (unit of the control; after an integrator its unit times s). Shape (nkey,)."""
    key_mpos: NDArray[np.float64]
    """Mocap positions (m). Shape (nkey,)."""
    key_mquat: NDArray[np.float64]
    """Mocap orientations. Shape (nkey,)."""
    key_ctrl: NDArray[np.float64]
    """Controls (unit of each actuator's control: N or N m for a motor, m or rad for a position servo). Shape (nkey,)."""
    name_bodyadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nbody,)."""
    name_jntadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (njnt,)."""
    name_geomadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (ngeom,)."""
    name_siteadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nsite,)."""
    name_camadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (ncam,)."""
    name_lightadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nlight,)."""
    name_flexadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nflex,)."""
    name_meshadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nmesh,)."""
    name_skinadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nskin,)."""
    name_hfieldadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nhfield,)."""
    name_texadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (ntex,)."""
    name_matadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nmat,)."""
    name_pairadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (npair,)."""
    name_excludeadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nexclude,)."""
    name_eqadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (neq,)."""
    name_tendonadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (ntendon,)."""
    name_actuatoradr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nu,)."""
    name_sensoradr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nsensor,)."""
    name_numericadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nnumeric,)."""
    name_textadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (ntext,)."""
    name_tupleadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (ntuple,)."""
    name_keyadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nkey,)."""
    name_pluginadr: NDArray[np.int32]
    """Address of each name in `names`. Shape (nplugin,)."""
    names: bytes
    """All names, each zero-terminated; the model's comes first. Shape (nnames,)."""
    names_map: NDArray[np.int32]
    """Hash table from names to ids. Shape (nnames_map,)."""
    paths: bytes
    """Asset paths, each zero-terminated. Shape (npaths,)."""
    B_rownnz: NDArray[np.int32]
    """Dofs of each body, its ancestors and its subtree: how many. Shape (nbody,)."""
    B_rowadr: NDArray[np.int32]
    """First entry of each body's row. Shape (nbody,)."""
    B_colind: NDArray[np.int32]
    """Dofs of each body, its ancestors and its subtree, ascending. Shape (nB,)."""
    M_rownnz: NDArray[np.int32]
    """Entries of each row of the reduced inertia matrix. Shape (nv,)."""
    M_rowadr: NDArray[np.int32]
    """First entry of each row of the reduced inertia matrix. Shape (nv,)."""
    M_colind: NDArray[np.int32]
    """Columns of the reduced inertia matrix. Shape (nC,)."""
    mapM2M: NDArray[np.int32]
    """For each entry of `M` the address in `qM`. Shape (nC,)."""
    D_rownnz: NDArray[np.int32]
    """Entries of each row of the full pattern. Shape (nv,)."""
    D_rowadr: NDArray[np.int32]
    """First entry of each row of the full pattern. Shape (nv,)."""
    D_diag: NDArray[np.int32]
    """Position of the diagonal in each row. Shape (nv,)."""
    D_colind: NDArray[np.int32]
    """Columns of the full pattern. Shape (nD,)."""
    mapM2D: NDArray[np.int32]
    """For each entry of the full pattern the address in `M`. Shape (nD,)."""
    mapD2M: NDArray[np.int32]
    """For each entry of `M` the address in the full pattern. Shape (nC,)."""
    def actuator(self, name: str | int = ...) -> Any:
        """Fields of one actuator, given by name or index."""
        ...
    def body(self, name: str | int = ...) -> Any:
        """Fields of one body, given by name or index."""
        ...
    def camera(self, name: str | int = ...) -> Any:
        """Fields of one camera, given by name or index."""
        ...
    def equality(self, name: str | int = ...) -> Any:
        """Fields of one equality, given by name or index."""
        ...
    def exclude(self, name: str | int = ...) -> Any:
        """Fields of one exclude, given by name or index."""
        ...
    def geom(self, name: str | int = ...) -> Any:
        """Fields of one geom, given by name or index."""
        ...
    def hfield(self, name: str | int = ...) -> Any:
        """Fields of one hfield, given by name or index."""
        ...
    def joint(self, name: str | int = ...) -> Any:
        """Fields of one joint, given by name or index."""
        ...
    def keyframe(self, name: str | int = ...) -> Any:
        """Fields of one keyframe, given by name or index."""
        ...
    def light(self, name: str | int = ...) -> Any:
        """Fields of one light, given by name or index."""
        ...
    def material(self, name: str | int = ...) -> Any:
        """Fields of one material, given by name or index."""
        ...
    def mesh(self, name: str | int = ...) -> Any:
        """Fields of one mesh, given by name or index."""
        ...
    def numeric(self, name: str | int = ...) -> Any:
        """Fields of one numeric, given by name or index."""
        ...
    def pair(self, name: str | int = ...) -> Any:
        """Fields of one pair, given by name or index."""
        ...
    def sensor(self, name: str | int = ...) -> Any:
        """Fields of one sensor, given by name or index."""
        ...
    def site(self, name: str | int = ...) -> Any:
        """Fields of one site, given by name or index."""
        ...
    def skin(self, name: str | int = ...) -> Any:
        """Fields of one skin, given by name or index."""
        ...
    def tendon(self, name: str | int = ...) -> Any:
        """Fields of one tendon, given by name or index."""
        ...
    def texture(self, name: str | int = ...) -> Any:
        """Fields of one texture, given by name or index."""
        ...
    def tuple(self, name: str | int = ...) -> Any:
        """Fields of one tuple, given by name or index."""
        ...
    def jnt(self, name: str | int = ...) -> Any:
        """Fields of one joint, given by name or index."""
        ...
    def cam(self, name: str | int = ...) -> Any:
        """Fields of one camera, given by name or index."""
        ...
    def eq(self, name: str | int = ...) -> Any:
        """Fields of one equality, given by name or index."""
        ...
    def key(self, name: str | int = ...) -> Any:
        """Fields of one keyframe, given by name or index."""
        ...
    def mat(self, name: str | int = ...) -> Any:
        """Fields of one material, given by name or index."""
        ...
    def tex(self, name: str | int = ...) -> Any:
        """Fields of one texture, given by name or index."""
        ...
    def ten(self, name: str | int = ...) -> Any:
        """Fields of one tendon, given by name or index."""
        ...

class MjData:
    """One world: the state, the inputs and all results of a simulation, with MuJoCo's names.
    
    The state is `qpos` (nq,), `qvel` (nv,), `act` (na,) and `time`; inputs are `ctrl` (nu,), `qfrc_applied` (nv,), `xfrc_applied`
    (nbody, 6) and the mocap poses. Results such as `xpos`, `sensordata` and `contact` belong to the last `mj_step` or `mj_forward`.
    Arrays are views of the engine's memory: assign to them in place, and copy them to keep values. `data.joint("hip").qpos` and its
    like read and write by name. `copy.copy(data)` copies the world; several threads may each simulate their own.
    
    Args:
        model: the `MjModel`; its initial values are the state.
        source: an `MjData` of the same model to copy instead.
    
    Example::
    
        data = kinetree.MjData(model)
        kinetree.mj_step(model, data)
        print(data.time, data.qpos, data.ncon)
    """
    def __init__(self, model: MjModel, source: MjData | None = None) -> None: ...
    model: MjModel
    """The model this data was made for."""
    time: float
    """Simulation time (s)."""
    ncon: int
    """Number of contacts, those in the gap included."""
    ne: int
    """Number of equality rows."""
    nf: int
    """Number of friction-loss rows."""
    nl: int
    """Number of limit rows."""
    nefc: int
    """Number of constraint rows."""
    nJ: int
    """Entries of the constraint Jacobian."""
    nA: int
    """Entries of the inverse-inertia matrix in constraint space."""
    nisland: int
    """Number of islands."""
    nidof: int
    """Number of dofs in islands."""
    ntree_awake: int
    """Number of awake trees."""
    nbody_awake: int
    """Number of awake and static bodies."""
    nparent_awake: int
    """Number of bodies whose parent is awake or static."""
    nv_awake: int
    """Number of awake dofs."""
    maxuse_con: int
    """Largest number of contacts since the last reset."""
    maxuse_efc: int
    """Largest number of constraint rows since the last reset."""
    flg_energypos: int
    """Whether `energy[0]` is up to date."""
    flg_energyvel: int
    """Whether `energy[1]` is up to date."""
    flg_subtreevel: int
    """Whether subtree velocities are up to date."""
    flg_rnepost: int
    """Whether `cacc`, `cfrc_int` and `cfrc_ext` are up to date."""
    energy: NDArray[np.float64]
    """Potential and kinetic energy."""
    solver_niter: NDArray[np.int32]
    """Number of solver iterations, by island."""
    solver_nnz: NDArray[np.int32]
    """Number of entries of the factored Hessian, by island."""
    solver_fwdinv: NDArray[np.float64]
    """Differences of forward and inverse dynamics: constraint forces, applied forces."""
    @property
    def contact(self) -> Any:
        """The active contacts, a list of `MjContact` of the length `ncon`; `data.contact.dist` and the like are arrays of all."""
        ...
    @property
    def warning(self) -> Any:
        """How often each warning was raised, a list of `MjWarningStat` by `mjtWarning`."""
        ...
    @property
    def timer(self) -> Any:
        """Time spent in the stages of the pipeline, a list of `MjTimerStat` by `mjtTimer`."""
        ...
    @property
    def solver(self) -> Any:
        """Solver statistics, a list of `MjSolverStat`: one entry per iteration of each island."""
        ...
    @property
    def solver_unconverged(self) -> MjWarningStat:
        """How often the solver ran out of iterations before it converged, and the last island in which it did."""
        ...
    @property
    def derivative_kinks(self) -> MjWarningStat:
        """How often a derivative was that of one side of a kink of the narrow phase, and how many contacts of the last one were there."""
        ...
    qpos: NDArray[np.float64]
    """Positions (m or rad; quaternions of ball and free joints). Shape (nq,)."""
    qvel: NDArray[np.float64]
    """Velocities (m/s or rad/s). Shape (nv,)."""
    act: NDArray[np.float64]
    """Activations (unit of the control; after an integrator its unit times s). Shape (na,)."""
    history: NDArray[np.float64]
    """Control and sensor samples of the past with their times (units of the controls and sensors; s). Shape (nhistory,)."""
    qacc_warmstart: NDArray[np.float64]
    """Acceleration from which the solver starts (m/s² or rad/s²). Shape (nv,)."""
    plugin_state: NDArray[np.float64]
    """Plugin state (units of the plugin). Shape (npluginstate,)."""
    ctrl: NDArray[np.float64]
    """Controls (unit of each actuator's control: N or N m for a motor, m or rad for a position servo). Shape (nu,)."""
    qfrc_applied: NDArray[np.float64]
    """Applied generalized forces (N or N m). Shape (nv,)."""
    xfrc_applied: NDArray[np.float64]
    """Applied force (N) and torque (N m) at each body's centre of mass, world axes. Shape (nbody, 6)."""
    eq_active: NDArray[np.uint8]
    """Whether each equality is active. Shape (neq,)."""
    mocap_pos: NDArray[np.float64]
    """Positions of mocap bodies (m). Shape (nmocap, 3)."""
    mocap_quat: NDArray[np.float64]
    """Orientations of mocap bodies. Shape (nmocap, 4)."""
    qacc: NDArray[np.float64]
    """Accelerations (m/s² or rad/s²). Shape (nv,)."""
    act_dot: NDArray[np.float64]
    """Time derivatives of the activations (unit of the activation per s). Shape (na,)."""
    userdata: NDArray[np.float64]
    """Values of the user (any unit). Shape (nuserdata,)."""
    sensordata: NDArray[np.float64]
    """Sensor values (unit of each sensor: rad/s for a gyro, m/s² for an accelerometer, N for a force, …). Shape (nsensordata,)."""
    tree_asleep: NDArray[np.int32]
    """Negative: awake, steps until it may sleep; else next tree of the sleeping island. Shape (ntree,)."""
    plugin: NDArray[np.int32]
    """Registered slot of each plugin instance. Shape (nplugin,)."""
    plugin_data: NDArray[np.uint64]
    """Plugin data. Shape (nplugin,)."""
    xpos: NDArray[np.float64]
    """Positions of body frames (m). Shape (nbody, 3)."""
    xquat: NDArray[np.float64]
    """Orientations of body frames. Shape (nbody, 4)."""
    xmat: NDArray[np.float64]
    """Orientations of body frames as matrices. Shape (nbody, 9)."""
    xipos: NDArray[np.float64]
    """Centres of mass (m). Shape (nbody, 3)."""
    ximat: NDArray[np.float64]
    """Orientations of inertial frames. Shape (nbody, 9)."""
    xanchor: NDArray[np.float64]
    """Joint anchors (m). Shape (njnt, 3)."""
    xaxis: NDArray[np.float64]
    """Joint axes. Shape (njnt, 3)."""
    geom_xpos: NDArray[np.float64]
    """Geom positions (m). Shape (ngeom, 3)."""
    geom_xmat: NDArray[np.float64]
    """Geom orientations. Shape (ngeom, 9)."""
    site_xpos: NDArray[np.float64]
    """Site positions (m). Shape (nsite, 3)."""
    site_xmat: NDArray[np.float64]
    """Site orientations. Shape (nsite, 9)."""
    cam_xpos: NDArray[np.float64]
    """Camera positions (m). Shape (ncam, 3)."""
    cam_xmat: NDArray[np.float64]
    """Camera orientations. Shape (ncam, 9)."""
    light_xpos: NDArray[np.float64]
    """Light positions (m). Shape (nlight, 3)."""
    light_xdir: NDArray[np.float64]
    """Light directions. Shape (nlight, 3)."""
    subtree_com: NDArray[np.float64]
    """Centre of mass of each subtree (m). Shape (nbody, 3)."""
    cdof: NDArray[np.float64]
    """Motion axis of each dof about the tree's centre of mass: rotation, translation (m/rad of a hinge; a slide has no unit). Shape (nv, 6)."""
    cinert: NDArray[np.float64]
    """Inertia of each body about the tree's centre of mass: moments (kg m²), mass times offset (kg m), mass (kg). Shape (nbody, 10)."""
    flexvert_xpos: NDArray[np.float64]
    """Flex vertex positions (m). Shape (nflexvert, 3)."""
    flexelem_aabb: NDArray[np.float64]
    """Bounding boxes of flex elements: centre, half sizes (m). Shape (nflexelem, 6)."""
    flexedge_J: NDArray[np.float64]
    """Jacobian of flex edge lengths (m per m or rad). Shape (nJfe,)."""
    flexedge_length: NDArray[np.float64]
    """Flex edge lengths (m). Shape (nflexedge,)."""
    flexvert_J: NDArray[np.float64]
    """Jacobian of flex vertex strains (√kg per m or rad). Shape (nJfv, 2)."""
    flexvert_length: NDArray[np.float64]
    """Flex vertex strains, times the square root of the vertex's mass (√kg). Shape (nflexvert, 2)."""
    bvh_aabb_dyn: NDArray[np.float64]
    """Bounding boxes that are recomputed each step: centre, half sizes (m). Shape (nbvhdynamic, 6)."""
    ten_wrapadr: NDArray[np.int32]
    """First path point of each tendon. Shape (ntendon,)."""
    ten_wrapnum: NDArray[np.int32]
    """Number of path points of each tendon. Shape (ntendon,)."""
    ten_J: NDArray[np.float64]
    """Jacobian of tendon lengths (m or rad, per m or rad of the joint). Shape (nJten,)."""
    ten_length: NDArray[np.float64]
    """Tendon lengths (m; rad where they combine hinges). Shape (ntendon,)."""
    wrap_obj: NDArray[np.int32]
    """Geom of each path point; -1: site, -2: pulley. Shape (nwrap, 2)."""
    wrap_xpos: NDArray[np.float64]
    """Path points (m). Shape (nwrap, 6)."""
    actuator_length: NDArray[np.float64]
    """Actuator lengths (m or rad). Shape (nu,)."""
    moment_rownnz: NDArray[np.int32]
    """Entries of each row of the moment matrix. Shape (nu,)."""
    moment_rowadr: NDArray[np.int32]
    """First entry of each row of the moment matrix. Shape (nu,)."""
    moment_colind: NDArray[np.int32]
    """Columns of the moment matrix. Shape (nJmom,)."""
    actuator_moment: NDArray[np.float64]
    """Moment matrix: derivative of actuator lengths (m or rad, per m or rad of the joint). Shape (nJmom,)."""
    crb: NDArray[np.float64]
    """Composite inertia of each subtree: moments (kg m²), mass times offset (kg m), mass (kg). Shape (nbody, 10)."""
    qM: NDArray[np.float64]
    """Inertia matrix, each dof with all its ancestors (kg, kg m or kg m²). Shape (nM,)."""
    M: NDArray[np.float64]
    """Reduced inertia matrix: lower triangle in compressed rows (kg, kg m or kg m²). Shape (nC,)."""
    qLD: NDArray[np.float64]
    """Factor of the reduced inertia matrix; its diagonal (kg or kg m²) is that of D in LᵀDL. Shape (nC,)."""
    qLDiagInv: NDArray[np.float64]
    """Inverse diagonal of that factor (1/kg or 1/(kg m²)). Shape (nv,)."""
    bvh_active: NDArray[np.uint8]
    """Whether each bounding volume was visited. Shape (nbvh,)."""
    tree_awake: NDArray[np.int32]
    """Whether each tree is awake. Shape (ntree,)."""
    body_awake: NDArray[np.int32]
    """Sleep state of each body. Shape (nbody,)."""
    body_awake_ind: NDArray[np.int32]
    """Awake and static bodies. Shape (nbody,)."""
    parent_awake_ind: NDArray[np.int32]
    """Bodies whose parent is awake or static. Shape (nbody,)."""
    dof_awake_ind: NDArray[np.int32]
    """Awake dofs. Shape (nv,)."""
    flexedge_velocity: NDArray[np.float64]
    """Flex edge velocities (m/s). Shape (nflexedge,)."""
    ten_velocity: NDArray[np.float64]
    """Tendon velocities (m/s or rad/s). Shape (ntendon,)."""
    actuator_velocity: NDArray[np.float64]
    """Actuator velocities (m/s or rad/s). Shape (nu,)."""
    cvel: NDArray[np.float64]
    """Velocity of each body about the tree's centre of mass: rotation (rad/s), translation (m/s). Shape (nbody, 6)."""
    cdof_dot: NDArray[np.float64]
    """Time derivative of `cdof`: rotation (1/s), translation (m/(rad s) of a hinge, 1/s of a slide). Shape (nv, 6)."""
    qfrc_bias: NDArray[np.float64]
    """Coriolis, centrifugal and gravitational forces (N or N m). Shape (nv,)."""
    qfrc_spring: NDArray[np.float64]
    """Spring forces (N or N m). Shape (nv,)."""
    qfrc_damper: NDArray[np.float64]
    """Damper forces (N or N m). Shape (nv,)."""
    qfrc_gravcomp: NDArray[np.float64]
    """Gravity compensation (N or N m). Shape (nv,)."""
    qfrc_fluid: NDArray[np.float64]
    """Fluid forces (N or N m). Shape (nv,)."""
    qfrc_passive: NDArray[np.float64]
    """Sum of passive forces (N or N m). Shape (nv,)."""
    subtree_linvel: NDArray[np.float64]
    """Velocity of each subtree's centre of mass (m/s). Shape (nbody, 3)."""
    subtree_angmom: NDArray[np.float64]
    """Angular momentum of each subtree about its centre of mass (kg m²/s). Shape (nbody, 3)."""
    qH: NDArray[np.float64]
    """Factor of the inertia matrix modified by an integrator; its diagonal (kg or kg m²) is that of D in LᵀDL. Shape (nC,)."""
    qHDiagInv: NDArray[np.float64]
    """Inverse diagonal of that factor (1/kg or 1/(kg m²)). Shape (nv,)."""
    qDeriv: NDArray[np.float64]
    """Derivative of smooth forces with respect to velocity (N s/m, N s or N m s/rad). Shape (nD,)."""
    qLU: NDArray[np.float64]
    """LU factor of the inertia matrix minus the scaled derivative (kg, kg m or kg m²). Shape (nD,)."""
    actuator_force: NDArray[np.float64]
    """Actuator forces (N or N m). Shape (nu,)."""
    qfrc_actuator: NDArray[np.float64]
    """Actuator forces in joint space (N or N m). Shape (nv,)."""
    qfrc_smooth: NDArray[np.float64]
    """Sum of all forces but the constraints' (N or N m). Shape (nv,)."""
    qacc_smooth: NDArray[np.float64]
    """Acceleration without constraints (m/s² or rad/s²). Shape (nv,)."""
    qfrc_constraint: NDArray[np.float64]
    """Constraint forces (N or N m). Shape (nv,)."""
    qfrc_inverse: NDArray[np.float64]
    """External force that inverse dynamics finds (N or N m). Shape (nv,)."""
    cacc: NDArray[np.float64]
    """Acceleration of each body about the tree's centre of mass: rotation (rad/s²), translation (m/s²). Shape (nbody, 6)."""
    cfrc_int: NDArray[np.float64]
    """Torque (N m) and force (N) between each body and its parent, about the tree's centre of mass. Shape (nbody, 6)."""
    cfrc_ext: NDArray[np.float64]
    """External torque (N m) and force (N) on each body, about the tree's centre of mass. Shape (nbody, 6)."""
    efc_type: NDArray[np.int32]
    """Type of each constraint row. Shape (nefc,)."""
    efc_id: NDArray[np.int32]
    """Object of each constraint row. Shape (nefc,)."""
    efc_J_rownnz: NDArray[np.int32]
    """Entries of each Jacobian row. Shape (nefc,)."""
    efc_J_rowadr: NDArray[np.int32]
    """First entry of each Jacobian row. Shape (nefc,)."""
    efc_J_rowsuper: NDArray[np.int32]
    """Following rows with the same columns. Shape (nefc,)."""
    efc_J_colind: NDArray[np.int32]
    """Columns of the Jacobian. Shape (nJ,)."""
    efc_J: NDArray[np.float64]
    """Constraint Jacobian (m or rad, per m or rad of the joint). Shape (nJ,)."""
    efc_pos: NDArray[np.float64]
    """Constraint violation (m or rad). Shape (nefc,)."""
    efc_margin: NDArray[np.float64]
    """Margin at which the row appears (m or rad). Shape (nefc,)."""
    efc_frictionloss: NDArray[np.float64]
    """Dry friction (N or N m). Shape (nefc,)."""
    efc_diagApprox: NDArray[np.float64]
    """Estimate of the diagonal of the inverse inertia in constraint space (1/kg or 1/(kg m²)). Shape (nefc,)."""
    efc_KBIP: NDArray[np.float64]
    """Stiffness (1/s²), damping (1/s), impedance and its derivative (1/m or 1/rad). Shape (nefc, 4)."""
    efc_D: NDArray[np.float64]
    """Constraint mass (kg or kg m²). Shape (nefc,)."""
    efc_R: NDArray[np.float64]
    """Inverse constraint mass (1/kg or 1/(kg m²)). Shape (nefc,)."""
    tendon_efcadr: NDArray[np.int32]
    """First row of each tendon; -1: none. Shape (ntendon,)."""
    efc_vel: NDArray[np.float64]
    """Velocity in constraint space (m/s or rad/s). Shape (nefc,)."""
    efc_aref: NDArray[np.float64]
    """Reference acceleration (m/s² or rad/s²). Shape (nefc,)."""
    efc_b: NDArray[np.float64]
    """Linear cost term (m/s² or rad/s²). Shape (nefc,)."""
    efc_state: NDArray[np.int32]
    """State of each row. Shape (nefc,)."""
    efc_force: NDArray[np.float64]
    """Constraint forces in constraint space (N or N m). Shape (nefc,)."""
    efc_AR_rownnz: NDArray[np.int32]
    """Entries of each row of the regularized inverse inertia. Shape (nefc,)."""
    efc_AR_rowadr: NDArray[np.int32]
    """First entry of each row of the regularized inverse inertia. Shape (nefc,)."""
    efc_AR_colind: NDArray[np.int32]
    """Columns of the regularized inverse inertia. Shape (nA,)."""
    efc_AR: NDArray[np.float64]
    """Regularized inverse inertia in constraint space (1/kg, 1/(kg m) or 1/(kg m²)). Shape (nA,)."""
    tree_island: NDArray[np.int32]
    """Island of each tree; -1: none. Shape (ntree,)."""
    island_ntree: NDArray[np.int32]
    """Trees of each island. Shape (nisland,)."""
    island_itreeadr: NDArray[np.int32]
    """First tree of each island. Shape (nisland,)."""
    map_itree2tree: NDArray[np.int32]
    """Trees ordered by island. Shape (ntree,)."""
    dof_island: NDArray[np.int32]
    """Island of each dof; -1: none. Shape (nv,)."""
    island_nv: NDArray[np.int32]
    """Dofs of each island. Shape (nisland,)."""
    island_idofadr: NDArray[np.int32]
    """First dof of each island, in island order. Shape (nisland,)."""
    island_dofadr: NDArray[np.int32]
    """First dof of each island, in model order. Shape (nisland,)."""
    map_dof2idof: NDArray[np.int32]
    """Index of each dof in island order. Shape (nv,)."""
    map_idof2dof: NDArray[np.int32]
    """Dofs in island order. Shape (nv,)."""
    ifrc_smooth: NDArray[np.float64]
    """Smooth forces in island order (N or N m). Shape (nidof,)."""
    iacc_smooth: NDArray[np.float64]
    """Smooth accelerations in island order (m/s² or rad/s²). Shape (nidof,)."""
    iM_rownnz: NDArray[np.int32]
    """Inertia in island order: entries of each row. Shape (nidof,)."""
    iM_rowadr: NDArray[np.int32]
    """Inertia in island order: first entry of each row. Shape (nidof,)."""
    iM_colind: NDArray[np.int32]
    """Inertia in island order: columns. Shape (nC,)."""
    iM: NDArray[np.float64]
    """Inertia in island order (kg, kg m or kg m²). Shape (nC,)."""
    iLD: NDArray[np.float64]
    """Factor of the inertia in island order; its diagonal (kg or kg m²) is that of D in LᵀDL. Shape (nC,)."""
    iLDiagInv: NDArray[np.float64]
    """Inverse diagonal of that factor (1/kg or 1/(kg m²)). Shape (nidof,)."""
    iacc: NDArray[np.float64]
    """Accelerations in island order (m/s² or rad/s²). Shape (nidof,)."""
    efc_island: NDArray[np.int32]
    """Island of each row. Shape (nefc,)."""
    island_ne: NDArray[np.int32]
    """Equality rows of each island. Shape (nisland,)."""
    island_nf: NDArray[np.int32]
    """Friction rows of each island. Shape (nisland,)."""
    island_nefc: NDArray[np.int32]
    """Rows of each island. Shape (nisland,)."""
    island_iefcadr: NDArray[np.int32]
    """First row of each island, in island order. Shape (nisland,)."""
    map_efc2iefc: NDArray[np.int32]
    """Index of each row in island order. Shape (nefc,)."""
    map_iefc2efc: NDArray[np.int32]
    """Rows in island order. Shape (nefc,)."""
    iefc_type: NDArray[np.int32]
    """Type of each row, in island order. Shape (nefc,)."""
    iefc_id: NDArray[np.int32]
    """Object of each row, in island order. Shape (nefc,)."""
    iefc_J_rownnz: NDArray[np.int32]
    """Entries of each Jacobian row, in island order. Shape (nefc,)."""
    iefc_J_rowadr: NDArray[np.int32]
    """First entry of each Jacobian row, in island order. Shape (nefc,)."""
    iefc_J_rowsuper: NDArray[np.int32]
    """Following rows with the same columns, in island order. Shape (nefc,)."""
    iefc_J_colind: NDArray[np.int32]
    """Columns of the Jacobian, in island order. Shape (nJ,)."""
    iefc_J: NDArray[np.float64]
    """Constraint Jacobian, in island order (m or rad, per m or rad of the joint). Shape (nJ,)."""
    iefc_frictionloss: NDArray[np.float64]
    """Dry friction, in island order (N or N m). Shape (nefc,)."""
    iefc_D: NDArray[np.float64]
    """Constraint mass, in island order (kg or kg m²). Shape (nefc,)."""
    iefc_R: NDArray[np.float64]
    """Inverse constraint mass, in island order (1/kg or 1/(kg m²)). Shape (nefc,)."""
    iefc_aref: NDArray[np.float64]
    """Reference acceleration, in island order (m/s² or rad/s²). Shape (nefc,)."""
    iefc_state: NDArray[np.int32]
    """State of each row, in island order. Shape (nefc,)."""
    iefc_force: NDArray[np.float64]
    """Constraint forces, in island order (N or N m). Shape (nefc,)."""
    ifrc_constraint: NDArray[np.float64]
    """Constraint forces in joint space, in island order (N or N m). Shape (nidof,)."""
    def actuator(self, name: str | int = ...) -> Any:
        """Fields of one actuator, given by name or index."""
        ...
    def body(self, name: str | int = ...) -> Any:
        """Fields of one body, given by name or index."""
        ...
    def camera(self, name: str | int = ...) -> Any:
        """Fields of one camera, given by name or index."""
        ...
    def geom(self, name: str | int = ...) -> Any:
        """Fields of one geom, given by name or index."""
        ...
    def joint(self, name: str | int = ...) -> Any:
        """Fields of one joint, given by name or index."""
        ...
    def light(self, name: str | int = ...) -> Any:
        """Fields of one light, given by name or index."""
        ...
    def sensor(self, name: str | int = ...) -> Any:
        """Fields of one sensor, given by name or index."""
        ...
    def site(self, name: str | int = ...) -> Any:
        """Fields of one site, given by name or index."""
        ...
    def tendon(self, name: str | int = ...) -> Any:
        """Fields of one tendon, given by name or index."""
        ...
    def jnt(self, name: str | int = ...) -> Any:
        """Fields of one joint, given by name or index."""
        ...
    def cam(self, name: str | int = ...) -> Any:
        """Fields of one camera, given by name or index."""
        ...
    def ten(self, name: str | int = ...) -> Any:
        """Fields of one tendon, given by name or index."""
        ...

class MjsElement:
    """An element of a description; the base of `MjsBody`, `MjsGeom`, `MjsJoint` and the others.
    
    `spec.body(name)`, `spec.geoms` and their like find elements, `add_…` functions make them, `spec.delete(element)` removes one.
    """
    classname: Any
    """The default class of the element."""
    @property
    def compiler(self) -> Any:
        """Compiler settings that apply to the element."""
        ...
    @property
    def id(self) -> Any:
        """Id of the element in the model that was compiled last; -1 before."""
        ...
    @property
    def signature(self) -> Any:
        """A number that tells which models belong to the description."""
        ...
class MjsBody(MjsElement):
    """A rigid body with its frame, mass, joints, geoms and child bodies.
    
    `spec.worldbody.add_body(...)` and `body.add_body(...)` make one; `add_joint`, `add_geom` and `add_site` fill it. `pos` and `quat` are relative to the parent. Without `mass` and `inertia` these follow from the geoms. Fields that are arrays or lists write through to the description when their parts change.
    """
    def add_body(self, default: Any = None, **fields: Any) -> Any:
        """Adds a body.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsBody`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_camera(self, default: Any = None, **fields: Any) -> Any:
        """Adds a camera.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsCamera`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_frame(self, default: Any = None, **fields: Any) -> Any:
        """Adds a frame.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsFrame`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_freejoint(self, **fields: Any) -> Any:
        """Adds a free joint: six dofs relative to the world.
        
        Args:
            fields: values of `name`, `group` and `align`.
        
        Returns:
            The `MjsJoint`.
        """
        ...
    def add_geom(self, default: Any = None, **fields: Any) -> Any:
        """Adds a geom.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsGeom`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_joint(self, default: Any = None, **fields: Any) -> Any:
        """Adds a joint.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsJoint`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_light(self, default: Any = None, **fields: Any) -> Any:
        """Adds a light.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsLight`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_site(self, default: Any = None, **fields: Any) -> Any:
        """Adds a site.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsSite`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    alt: Any
    """The orientation in another form than a quaternion, an `MjsOrientation`."""
    def attach_frame(self, frame: Any, prefix: Any = None, suffix: Any = None) -> Any:
        """Attaches a frame of a description to this body, with all in it and all that refers to it.
        
        Args:
            frame: the `MjsFrame`.
            prefix: put before the names of its elements.
            suffix: put after the names of its elements.
        
        Returns:
            The attached `MjsFrame`.
        """
        ...
    @property
    def bodies(self) -> Any:
        """The bodies directly in this body, a list of `MjsBody`."""
        ...
    @property
    def cameras(self) -> Any:
        """The cameras directly in this body, a list of `MjsCamera`."""
        ...
    childclass: Any
    """Name of the default class of what is inside."""
    explicitinertial: Any
    """Whether mass and inertia are as given, and not derived from geoms."""
    def find_all(self, kind: Any) -> Any:
        """All elements of one kind in this body and the bodies below it, without the body itself.
        
        Args:
            kind: "body", "frame", "joint", "geom", "site", "camera" or "light", or an `mjtObj`.
        
        Returns:
            A list, in the order of the description.
        """
        ...
    def find_child(self, name: str) -> Any:
        """The body with a name, this one or one below it at any depth; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    def first_body(self) -> Any:
        """The first body directly in this body; None when there is none."""
        ...
    def first_camera(self) -> Any:
        """The first camera directly in this body; None when there is none."""
        ...
    def first_frame(self) -> Any:
        """The first frame directly in this body; None when there is none."""
        ...
    def first_geom(self) -> Any:
        """The first geom directly in this body; None when there is none."""
        ...
    def first_joint(self) -> Any:
        """The first joint directly in this body; None when there is none."""
        ...
    def first_light(self) -> Any:
        """The first light directly in this body; None when there is none."""
        ...
    def first_site(self) -> Any:
        """The first site directly in this body; None when there is none."""
        ...
    frame: Any
    """The frame that this is in; None when it is in none."""
    @property
    def frames(self) -> Any:
        """The frames directly in this body, a list of `MjsFrame`."""
        ...
    fullinertia: Any
    """Inertia matrix: xx, yy, zz, xy, xz, yz (kg m²). Shape (6,)."""
    @property
    def geoms(self) -> Any:
        """The geoms directly in this body, a list of `MjsGeom`."""
        ...
    gravcomp: Any
    """Gravity compensation as a fraction of the weight."""
    ialt: Any
    """The orientation in another form than a quaternion, an `MjsOrientation`."""
    inertia: Any
    """Principal moments of inertia (kg m²). Shape (3,)."""
    info: Any
    """A text about the element, for error messages."""
    ipos: Any
    """Centre of mass in the frame of the body (m). Shape (3,)."""
    iquat: Any
    """Orientation of the inertial frame. Shape (4,)."""
    @property
    def joints(self) -> Any:
        """The joints directly in this body, a list of `MjsJoint`."""
        ...
    @property
    def lights(self) -> Any:
        """The lights directly in this body, a list of `MjsLight`."""
        ...
    mass: Any
    """Mass of the body or geom (kg)."""
    mocap: Any
    """Whether the body is moved by `mocap_pos` and `mocap_quat`."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    def next_body(self, element: Any) -> Any:
        """The body of this body after another one; None after the last.
        
        Args:
            element: the body before.
        """
        ...
    def next_camera(self, element: Any) -> Any:
        """The camera of this body after another one; None after the last.
        
        Args:
            element: the camera before.
        """
        ...
    def next_frame(self, element: Any) -> Any:
        """The frame of this body after another one; None after the last.
        
        Args:
            element: the frame before.
        """
        ...
    def next_geom(self, element: Any) -> Any:
        """The geom of this body after another one; None after the last.
        
        Args:
            element: the geom before.
        """
        ...
    def next_joint(self, element: Any) -> Any:
        """The joint of this body after another one; None after the last.
        
        Args:
            element: the joint before.
        """
        ...
    def next_light(self, element: Any) -> Any:
        """The light of this body after another one; None after the last.
        
        Args:
            element: the light before.
        """
        ...
    def next_site(self, element: Any) -> Any:
        """The site of this body after another one; None after the last.
        
        Args:
            element: the site before.
        """
        ...
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    plugin: Any
    """The plugin that the element uses."""
    pos: Any
    """Position in the frame around it (m). Shape (3,)."""
    quat: Any
    """Orientation in the frame around it, a quaternion (w, x, y, z). Shape (4,)."""
    def set_frame(self, frame: Any) -> Any:
        """Moves the element into a frame of the same body; its pose is relative to it from then on.
        
        Args:
            frame: the `MjsFrame`, or None for the body itself.
        """
        ...
    @property
    def sites(self) -> Any:
        """The sites directly in this body, a list of `MjsSite`."""
        ...
    sleep: Any
    """Whether the tree of the body may sleep, an `mjtSleepPolicy`."""
    def to_frame(self) -> Any:
        """Replaces the body by a frame of its parent with the same pose; what was in it becomes part of the parent.
        
        Returns:
            The `MjsFrame`.
        """
        ...
    userdata: Any
    """Numbers for the user (any unit)."""
class MjsFrame(MjsElement):
    """A coordinate frame within a body; what is in it is placed relative to it. It does not exist in the model.
    
    `body.add_frame(...)` makes one; `attach_body` attaches to it. Fields that are arrays or lists write through to the description when their parts change.
    """
    def add_body(self, default: Any = None, **fields: Any) -> Any:
        """Adds a body.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsBody`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_camera(self, default: Any = None, **fields: Any) -> Any:
        """Adds a camera.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsCamera`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_frame(self, default: Any = None, **fields: Any) -> Any:
        """Adds a frame.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsFrame`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_freejoint(self, **fields: Any) -> Any:
        """Adds a free joint: six dofs relative to the world.
        
        Args:
            fields: values of `name`, `group` and `align`.
        
        Returns:
            The `MjsJoint`.
        """
        ...
    def add_geom(self, default: Any = None, **fields: Any) -> Any:
        """Adds a geom.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsGeom`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_joint(self, default: Any = None, **fields: Any) -> Any:
        """Adds a joint.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsJoint`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_light(self, default: Any = None, **fields: Any) -> Any:
        """Adds a light.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsLight`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_site(self, default: Any = None, **fields: Any) -> Any:
        """Adds a site.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
            fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.
        
        Returns:
            The `MjsSite`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    alt: Any
    """The orientation in another form than a quaternion, an `MjsOrientation`."""
    def attach_body(self, body: int, prefix: Any = None, suffix: Any = None) -> Any:
        """Attaches a body of a description here, with all in it and all that refers to it.
        
        Args:
            body: the `MjsBody`.
            prefix: put before the names of its elements.
            suffix: put after the names of its elements.
        
        Returns:
            The attached `MjsBody`.
        """
        ...
    childclass: Any
    """Name of the default class of what is inside."""
    frame: Any
    """The frame that this is in; None when it is in none."""
    info: Any
    """A text about the element, for error messages."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    pos: Any
    """Position in the frame around it (m). Shape (3,)."""
    quat: Any
    """Orientation in the frame around it, a quaternion (w, x, y, z). Shape (4,)."""
    def set_frame(self, frame: Any) -> Any:
        """Moves the element into a frame of the same body; its pose is relative to it from then on.
        
        Args:
            frame: the `MjsFrame`, or None for the body itself.
        """
        ...
class MjsJoint(MjsElement):
    """A joint: the freedom of a body relative to its parent.
    
    `body.add_joint(...)` and `add_freejoint()` make one. `type` is an `mjtJoint`; `axis`, `range`, `damping` and `armature` are used most. Fields that are arrays or lists write through to the description when their parts change.
    """
    actfrclimited: Any
    """Whether actuator forces are limited: 0 (no), 1 (yes) or 2 (when its range is given)."""
    actfrcrange: Any
    """Range of the total actuator force (N or N m). Shape (2,)."""
    actgravcomp: Any
    """Whether gravity compensation counts as actuator force."""
    align: Any
    """Whether a free joint is aligned with the inertial frame: 0, 1 or 2 (as the compiler says)."""
    armature: Any
    """Inertia or mass that is added to each dof (kg m² or kg)."""
    axis: Any
    """Axis in the frame of the body. Shape (3,)."""
    damping: Any
    """Damping (N s/m or N m s/rad); two coefficients of higher order, per m/s or rad/s each. Shape (3,)."""
    frame: Any
    """The frame that this is in; None when it is in none."""
    frictionloss: Any
    """Dry friction (N or N m)."""
    group: Any
    """Group, 0 to 5, for visibility."""
    info: Any
    """A text about the element, for error messages."""
    limited: Any
    """Whether it has limits: 0 (no), 1 (yes) or 2 (when its range is given)."""
    margin: Any
    """Distance (m or rad) at which contacts are detected or the limit becomes active."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    pos: Any
    """Position in the frame around it (m). Shape (3,)."""
    range: Any
    """Limits (m; deg or rad, as the compiler says). Shape (2,)."""
    ref: Any
    """Position of the joint in the reference configuration (m; deg or rad, as the compiler says)."""
    def set_frame(self, frame: Any) -> Any:
        """Moves the element into a frame of the same body; its pose is relative to it from then on.
        
        Args:
            frame: the `MjsFrame`, or None for the body itself.
        """
        ...
    solimp_friction: Any
    """Impedance of dry friction: at zero and at the width, width (m or rad), midpoint, power. Shape (5,)."""
    solimp_limit: Any
    """Impedance of limits: at zero and at the width, width (m or rad), midpoint, power. Shape (5,)."""
    solref_friction: Any
    """Reference dynamics of dry friction: time constant (s) and damping ratio, or negative stiffness (1/s²) and damping (1/s). Shape (2,)."""
    solref_limit: Any
    """Reference dynamics of limits: time constant (s) and damping ratio, or negative stiffness (1/s²) and damping (1/s). Shape (2,)."""
    springdamper: Any
    """Time constant (s) and damping ratio from which stiffness and damping follow. Shape (2,)."""
    springref: Any
    """Position at which the spring is at rest (m; deg or rad, as the compiler says)."""
    stiffness: Any
    """Stiffness of the spring (N/m or N m/rad); two coefficients of higher order, per m or rad each. Shape (3,)."""
    type: Any
    """Kind of the joint, an `mjtJoint`."""
    userdata: Any
    """Numbers for the user (any unit)."""
class MjsGeom(MjsElement):
    """A geom: a shape that collides, is seen and gives mass to its body.
    
    `body.add_geom(...)` makes one. `type` is an `mjtGeom`; `size`, `pos`, `quat`, `friction`, `rgba` and `density` are used most. Fields that are arrays or lists write through to the description when their parts change.
    """
    alt: Any
    """The orientation in another form than a quaternion, an `MjsOrientation`."""
    conaffinity: Any
    """Bits that are compared with the `contype` of the other geom."""
    condim: Any
    """Dimensions of contacts: 1 (no friction), 3 (sliding), 4 (torsional) or 6 (rolling)."""
    contype: Any
    """Bits that are compared with the `conaffinity` of the other geom."""
    density: Any
    """Density (kg/m³, or kg/m² of a shell), for masses that are not given."""
    fitscale: Any
    """Scale of the shape that is fitted to a mesh."""
    fluid_coefs: Any
    """Coefficients of the ellipsoid fluid model. Shape (5,)."""
    fluid_ellipsoid: Any
    """Whether fluid forces follow the ellipsoid model."""
    frame: Any
    """The frame that this is in; None when it is in none."""
    friction: Any
    """Friction coefficients: sliding, torsional (m) and rolling (m). Shape (3,)."""
    fromto: Any
    """Two end points (m) in the frame of the body instead of position, orientation and length. Shape (6,)."""
    gap: Any
    """Distance (m) within the margin at which contacts exist but exert no force."""
    group: Any
    """Group, 0 to 5, for visibility."""
    hfieldname: Any
    """Name of the height field of the geom."""
    info: Any
    """A text about the element, for error messages."""
    margin: Any
    """Distance (m or rad) at which contacts are detected or the limit becomes active."""
    mass: Any
    """Mass of the body or geom (kg)."""
    material: Any
    """Name of the material."""
    meshname: Any
    """Name of the mesh of the geom."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    plugin: Any
    """The plugin that the element uses."""
    pos: Any
    """Position in the frame around it (m). Shape (3,)."""
    priority: Any
    """Priority of the geom in contacts: the parameters of the higher one are used."""
    quat: Any
    """Orientation in the frame around it, a quaternion (w, x, y, z). Shape (4,)."""
    rgba: Any
    """Colour and opacity, 0 to 1. Shape (4,)."""
    def set_frame(self, frame: Any) -> Any:
        """Moves the element into a frame of the same body; its pose is relative to it from then on.
        
        Args:
            frame: the `MjsFrame`, or None for the body itself.
        """
        ...
    size: Any
    """Size parameters (m), by type. Shape (3,)."""
    solimp: Any
    """Impedance of the constraint: at zero and at the width, width (m or rad), midpoint, power. Shape (5,)."""
    solmix: Any
    """Weight of the geom's solver parameters in contacts."""
    solref: Any
    """Reference dynamics of the constraint: time constant (s) and damping ratio, or negative stiffness (1/s²) and damping (1/s). Shape (2,)."""
    type: Any
    """Shape, an `mjtGeom`."""
    typeinertia: Any
    """Whether mass is that of the volume or of the surface."""
    userdata: Any
    """Numbers for the user (any unit)."""
class MjsSite(MjsElement):
    """A site: a point and frame of a body, for sensors, tendons, actuators and attachments.
    
    `body.add_site(...)` makes one. Fields that are arrays or lists write through to the description when their parts change.
    """
    alt: Any
    """The orientation in another form than a quaternion, an `MjsOrientation`."""
    def attach_body(self, body: int, prefix: Any = None, suffix: Any = None) -> Any:
        """Attaches a body of a description here, with all in it and all that refers to it.
        
        Args:
            body: the `MjsBody`.
            prefix: put before the names of its elements.
            suffix: put after the names of its elements.
        
        Returns:
            The attached `MjsBody`.
        """
        ...
    frame: Any
    """The frame that this is in; None when it is in none."""
    fromto: Any
    """Two end points (m) in the frame of the body instead of position, orientation and length. Shape (6,)."""
    group: Any
    """Group, 0 to 5, for visibility."""
    info: Any
    """A text about the element, for error messages."""
    material: Any
    """Name of the material."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    pos: Any
    """Position in the frame around it (m). Shape (3,)."""
    quat: Any
    """Orientation in the frame around it, a quaternion (w, x, y, z). Shape (4,)."""
    rgba: Any
    """Colour and opacity, 0 to 1. Shape (4,)."""
    def set_frame(self, frame: Any) -> Any:
        """Moves the element into a frame of the same body; its pose is relative to it from then on.
        
        Args:
            frame: the `MjsFrame`, or None for the body itself.
        """
        ...
    size: Any
    """Size parameters (m), by type. Shape (3,)."""
    type: Any
    """Shape, an `mjtGeom`."""
    userdata: Any
    """Numbers for the user (any unit)."""
class MjsCamera(MjsElement):
    """A camera that is fixed to a body or follows one.
    
    `body.add_camera(...)` makes one. It looks along -z; `fovy` or the focal length set its field of view. Fields that are arrays or lists write through to the description when their parts change.
    """
    alt: Any
    """The orientation in another form than a quaternion, an `MjsOrientation`."""
    focal_length: Any
    """Focal length (m). Shape (2,)."""
    focal_pixel: Any
    """Focal length (pixels). Shape (2,)."""
    fovy: Any
    """Vertical field of view (deg), or the extent (m) of an orthographic camera."""
    frame: Any
    """The frame that this is in; None when it is in none."""
    info: Any
    """A text about the element, for error messages."""
    intrinsic: Any
    """Intrinsic parameters of the camera (m): focal length and principal point. Shape (4,)."""
    ipd: Any
    """Distance of the eyes (m), for stereo."""
    mode: Any
    """How it follows bodies, an `mjtCamLight`."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    output: Any
    """What the camera measures, bits of `mjtCamOutBit`."""
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    pos: Any
    """Position in the frame around it (m). Shape (3,)."""
    principal_length: Any
    """Principal point (m). Shape (2,)."""
    principal_pixel: Any
    """Principal point (pixels). Shape (2,)."""
    proj: Any
    """Projection of the camera, an `mjtProjection`."""
    quat: Any
    """Orientation in the frame around it, a quaternion (w, x, y, z). Shape (4,)."""
    resolution: Any
    """Width and height in pixels. Shape (2,)."""
    sensor_size: Any
    """Size of the image sensor (m). Shape (2,)."""
    def set_frame(self, frame: Any) -> Any:
        """Moves the element into a frame of the same body; its pose is relative to it from then on.
        
        Args:
            frame: the `MjsFrame`, or None for the body itself.
        """
        ...
    targetbody: Any
    """Name of the body that it looks at."""
    userdata: Any
    """Numbers for the user (any unit)."""
class MjsLight(MjsElement):
    """A light that is fixed to a body or follows one.
    
    `body.add_light(...)` makes one. `type`, `pos`, `dir` and `diffuse` are used most. Fields that are arrays or lists write through to the description when their parts change.
    """
    active: Any
    """Whether it is on."""
    ambient: Any
    """Ambient colour. Shape (3,)."""
    attenuation: Any
    """Constant, linear (1/m) and quadratic (1/m²) attenuation with distance. Shape (3,)."""
    bulbradius: Any
    """Radius of the light source (m), for soft shadows."""
    castshadow: Any
    """Whether it casts shadows."""
    cutoff: Any
    """Half angle of a spotlight (deg)."""
    diffuse: Any
    """Diffuse colour. Shape (3,)."""
    dir: Any
    """Direction of the light. Shape (3,)."""
    exponent: Any
    """Exponent of the fall-off of a spotlight."""
    frame: Any
    """The frame that this is in; None when it is in none."""
    info: Any
    """A text about the element, for error messages."""
    intensity: Any
    """Luminous intensity (cd)."""
    mode: Any
    """How it follows bodies, an `mjtCamLight`."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    pos: Any
    """Position in the frame around it (m). Shape (3,)."""
    range: Any
    """Distance that the light reaches (m)."""
    def set_frame(self, frame: Any) -> Any:
        """Moves the element into a frame of the same body; its pose is relative to it from then on.
        
        Args:
            frame: the `MjsFrame`, or None for the body itself.
        """
        ...
    specular: Any
    """Specular colour. Shape (3,)."""
    targetbody: Any
    """Name of the body that it looks at."""
    texture: Any
    """Name of the texture."""
    type: Any
    """Kind of the light, an `mjtLightType`."""
class MjsFlex(MjsElement):
    """A deformable object: lines, triangles or tetrahedra between bodies.
    
    `spec.add_flex(...)` makes one from `vertbody`, `vert` and `elem`; `<flexcomp>` in MJCF makes whole grids. Fields that are arrays or lists write through to the description when their parts change.
    """
    activelayers: Any
    """Layers of elements that collide, in three-dimensional flexes."""
    cellcount: Any
    """Number of cells along each axis of a grid."""
    conaffinity: Any
    """Bits that are compared with the `contype` of the other geom."""
    condim: Any
    """Dimensions of contacts: 1 (no friction), 3 (sliding), 4 (torsional) or 6 (rolling)."""
    contype: Any
    """Bits that are compared with the `conaffinity` of the other geom."""
    damping: Any
    """Rayleigh damping (s)."""
    dim: Any
    """Dimension of the elements: 1 (lines), 2 (triangles) or 3 (tetrahedra)."""
    edgedamping: Any
    """Damping of edges (N s/m)."""
    edgestiffness: Any
    """Stiffness of edges (N/m)."""
    elastic2d: Any
    """Passive forces of a surface: 0 (none), 1 (bending), 2 (stretching) or 3 (both)."""
    elem: Any
    """Vertex indices of the elements."""
    elemtexcoord: Any
    """Texture coordinate indices of the elements."""
    flatskin: Any
    """Whether faces are shaded flat."""
    friction: Any
    """Friction coefficients: sliding, torsional (m) and rolling (m). Shape (3,)."""
    gap: Any
    """Distance (m) within the margin at which contacts exist but exert no force."""
    group: Any
    """Group, 0 to 5, for visibility."""
    info: Any
    """A text about the element, for error messages."""
    internal: Any
    """Whether vertices collide with elements of the same flex."""
    margin: Any
    """Distance (m or rad) at which contacts are detected or the limit becomes active."""
    material: Any
    """Name of the material."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    node: Any
    """Positions of the nodes (m). Shape (3 nnode,)."""
    nodebody: Any
    """Names of the bodies of the nodes."""
    order: Any
    """Order of interpolation: 0 (none), 1 (trilinear) or 2 (quadratic)."""
    passive: Any
    """Whether contacts act as passive forces."""
    poisson: Any
    """Poisson's ratio, 0 to 0.5."""
    priority: Any
    """Priority of the geom in contacts: the parameters of the higher one are used."""
    radius: Any
    """Radius around all elements (m)."""
    rgba: Any
    """Colour and opacity, 0 to 1. Shape (4,)."""
    selfcollide: Any
    """How the flex collides with itself, an `mjtFlexSelf`."""
    size: Any
    """Half sizes of the box around the vertices (m). Shape (3,)."""
    solimp: Any
    """Impedance of the constraint: at zero and at the width, width (m or rad), midpoint, power. Shape (5,)."""
    solmix: Any
    """Weight of the geom's solver parameters in contacts."""
    solref: Any
    """Reference dynamics of the constraint: time constant (s) and damping ratio, or negative stiffness (1/s²) and damping (1/s). Shape (2,)."""
    texcoord: Any
    """Texture coordinates. Shape (2 n,)."""
    thickness: Any
    """Thickness of a surface (m); -1 when not set."""
    vert: Any
    """Vertex positions (m). Shape (3 nvert,)."""
    vertbody: Any
    """Names of the bodies of the vertices."""
    young: Any
    """Young's modulus (Pa)."""
class MjsMesh(MjsElement):
    """A mesh asset, from a file, from vertices or generated.
    
    `spec.add_mesh(...)` makes one: with `file`, with `uservert` and `userface`, or with `make_sphere` and its like. Fields that are arrays or lists write through to the description when their parts change.
    """
    builtin: Any
    """Kind of the generated content."""
    content_type: Any
    """Content type of the file; empty to go by its extension."""
    file: Any
    """Name of the file."""
    inertia: Any
    """How the inertia is computed, an `mjtMeshInertia`."""
    info: Any
    """A text about the element, for error messages."""
    def make_cone(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a cone.
        
        Args:
            nedge: number of edges of the base.
            radius: radius relative to the size of the mesh.
        """
        ...
    def make_hemisphere(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a hemisphere.
        
        Args:
            resolution: number of divisions, one or two numbers.
        """
        ...
    def make_plate(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a plate.
        
        Args:
            resolution: number of divisions, one or two numbers.
        """
        ...
    def make_sphere(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a sphere.
        
        Args:
            subdivision: number of times the faces of an icosahedron are divided.
        """
        ...
    def make_supersphere(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a supersphere.
        
        Args:
            resolution: number of divisions, one or two numbers.
            e: exponent in the vertical section.
            n: exponent in the horizontal section.
        """
        ...
    def make_supertorus(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a supertorus.
        
        Args:
            resolution: number of divisions, one or two numbers.
            radius: radius relative to the size of the mesh.
            s: exponent of the tube's section.
            t: exponent of the ring.
        """
        ...
    def make_wedge(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a wedge.
        
        Args:
            resolution: number of divisions, one or two numbers.
            fov: opening angles, two numbers in degrees.
            gamma: how much the spacing of vertices grows towards the edge, 0 to 1.
        """
        ...
    material: Any
    """Name of the material."""
    maxhullvert: Any
    """Largest number of vertices of the convex hull; -1 for no limit."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    needsdf: Any
    """Whether a signed distance field is computed."""
    params: Any
    """Parameters of the generated mesh (m, or numbers of parts)."""
    plugin: Any
    """The plugin that the element uses."""
    refpos: Any
    """Origin of the mesh in its file (m). Shape (3,)."""
    refquat: Any
    """Orientation of the mesh in its file. Shape (4,)."""
    scale: Any
    """Scale along each axis. Shape (3,)."""
    smoothnormal: Any
    """Whether normals are averaged over faces."""
    userface: Any
    """Vertex indices of the triangles."""
    userfacenormal: Any
    """Normal indices of the triangles."""
    userfacetexcoord: Any
    """Texture coordinate indices of the triangles."""
    usernormal: Any
    """Normals. Shape (3 n,)."""
    usertexcoord: Any
    """Texture coordinates. Shape (2 n,)."""
    uservert: Any
    """Vertex positions (m). Shape (3 n,)."""
class MjsHField(MjsElement):
    """A height field asset: terrain as a grid of elevations.
    
    `spec.add_hfield(...)` makes one; `size` is (x, y, elevation, base) in metres, `userdata` has `nrow * ncol` elevations. Fields that are arrays or lists write through to the description when their parts change.
    """
    content_type: Any
    """Content type of the file; empty to go by its extension."""
    file: Any
    """Name of the file."""
    info: Any
    """A text about the element, for error messages."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    ncol: Any
    """Number of columns."""
    nrow: Any
    """Number of rows."""
    size: Any
    """Half extents, highest elevation and thickness of the base (m). Shape (4,)."""
    userdata: Any
    """Elevations, row by row; they are scaled to 0 … 1."""
class MjsSkin(MjsElement):
    """A surface that deforms with bodies, for drawing only.
    
    `spec.add_skin(...)` makes one. Fields that are arrays or lists write through to the description when their parts change.
    """
    bindpos: Any
    """Positions of the bones in the bind pose (m). Shape (3 nbone,)."""
    bindquat: Any
    """Orientations of the bones in the bind pose. Shape (4 nbone,)."""
    bodyname: Any
    """Names of the bodies that are its bones."""
    face: Any
    """Vertex indices of the triangles."""
    file: Any
    """Name of the file."""
    group: Any
    """Group, 0 to 5, for visibility."""
    inflate: Any
    """Distance (m) by which the skin is moved outwards."""
    info: Any
    """A text about the element, for error messages."""
    material: Any
    """Name of the material."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    rgba: Any
    """Colour and opacity, 0 to 1. Shape (4,)."""
    texcoord: Any
    """Texture coordinates. Shape (2 n,)."""
    vert: Any
    """Vertex positions (m). Shape (3 nvert,)."""
    vertid: Any
    """Vertices of each bone."""
    vertweight: Any
    """Weights of these vertices."""
class MjsTexture(MjsElement):
    """A texture asset, from a file or generated.
    
    `spec.add_texture(...)` makes one; `builtin` is an `mjtBuiltin`. Fields that are arrays or lists write through to the description when their parts change.
    """
    builtin: Any
    """Kind of the generated content."""
    colorspace: Any
    """Colour space of the image, an `mjtColorSpace`."""
    content_type: Any
    """Content type of the file; empty to go by its extension."""
    cubefiles: Any
    """Files of the six faces of a cube map."""
    data: Any
    """The pixels as bytes, row by row."""
    file: Any
    """Name of the file."""
    gridlayout: Any
    """Where the faces of a cube map are in one image."""
    gridsize: Any
    """Rows and columns of that image. Shape (2,)."""
    height: Any
    """Height of the image in pixels."""
    hflip: Any
    """Whether the image is flipped horizontally."""
    info: Any
    """A text about the element, for error messages."""
    mark: Any
    """Marks on the generated image, an `mjtMark`."""
    markrgb: Any
    """Colour of the marks. Shape (3,)."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    nchannel: Any
    """Number of channels of the image."""
    random: Any
    """Probability of a random dot on the generated image."""
    rgb1: Any
    """First colour of the generated image. Shape (3,)."""
    rgb2: Any
    """Second colour of the generated image. Shape (3,)."""
    type: Any
    """Kind of the texture, an `mjtTexture`."""
    vflip: Any
    """Whether the image is flipped vertically."""
    width: Any
    """Width of the image in pixels."""
class MjsMaterial(MjsElement):
    """A material: texture, reflection and colour of surfaces.
    
    `spec.add_material(...)` makes one; geoms name it in `material`. Fields that are arrays or lists write through to the description when their parts change.
    """
    emission: Any
    """Emission, 0 to 1."""
    info: Any
    """A text about the element, for error messages."""
    metallic: Any
    """Metallic coefficient, 0 to 1."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    reflectance: Any
    """Reflectance, 0 to 1."""
    rgba: Any
    """Colour and opacity, 0 to 1. Shape (4,)."""
    roughness: Any
    """Roughness, 0 to 1."""
    shininess: Any
    """Shininess, 0 to 1."""
    specular: Any
    """Specularity, 0 to 1."""
    texrepeat: Any
    """Repetitions of the texture along its axes. Shape (2,)."""
    textures: Any
    """Names of the textures by `mjtTextureRole`."""
    texuniform: Any
    """Whether repetitions are per metre."""
class MjsPair(MjsElement):
    """A pair of geoms with contact parameters of its own.
    
    `spec.add_pair(geomname1=..., geomname2=...)` makes one. Fields that are arrays or lists write through to the description when their parts change.
    """
    condim: Any
    """Dimensions of contacts: 1 (no friction), 3 (sliding), 4 (torsional) or 6 (rolling)."""
    friction: Any
    """Friction coefficients: two sliding, torsional (m) and two rolling (m). Shape (5,)."""
    gap: Any
    """Distance (m) within the margin at which contacts exist but exert no force."""
    geomname1: Any
    """Name of the first geom."""
    geomname2: Any
    """Name of the second geom."""
    info: Any
    """A text about the element, for error messages."""
    margin: Any
    """Distance (m or rad) at which contacts are detected or the limit becomes active."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    solimp: Any
    """Impedance of the constraint: at zero and at the width, width (m or rad), midpoint, power. Shape (5,)."""
    solref: Any
    """Reference dynamics of the constraint: time constant (s) and damping ratio, or negative stiffness (1/s²) and damping (1/s). Shape (2,)."""
    solreffriction: Any
    """Reference dynamics of the friction of the contact: time constant (s) and damping ratio, or negative stiffness (1/s²) and damping (1/s). Shape (2,)."""
class MjsExclude(MjsElement):
    """Two bodies that do not collide with each other.
    
    `spec.add_exclude(bodyname1=..., bodyname2=...)` makes one. Fields that are arrays or lists write through to the description when their parts change.
    """
    bodyname1: Any
    """Name of the first body."""
    bodyname2: Any
    """Name of the second body."""
    info: Any
    """A text about the element, for error messages."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
class MjsEquality(MjsElement):
    """An equality constraint between bodies, joints, tendons or flexes.
    
    `spec.add_equality(...)` makes one. `type` is an `mjtEq`, `name1` and `name2` are the objects. Fields that are arrays or lists write through to the description when their parts change.
    """
    active: Any
    """Whether it is on."""
    data: Any
    """Parameters by type: anchors (m) and relative pose, or coefficients of a polynomial (m or rad). Shape (11,)."""
    info: Any
    """A text about the element, for error messages."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    name1: Any
    """Name of the first object."""
    name2: Any
    """Name of the second object."""
    objtype: Any
    """Kind of the objects, an `mjtObj`."""
    solimp: Any
    """Impedance of the constraint: at zero and at the width, width (m or rad), midpoint, power. Shape (5,)."""
    solref: Any
    """Reference dynamics of the constraint: time constant (s) and damping ratio, or negative stiffness (1/s²) and damping (1/s). Shape (2,)."""
    type: Any
    """Kind of the constraint, an `mjtEq`."""
class MjsTendon(MjsElement):
    """A tendon: a path over sites and geoms, or a combination of joints.
    
    `spec.add_tendon(...)` makes one; `wrap_site`, `wrap_geom`, `wrap_pulley` and `wrap_joint` extend its path. Fields that are arrays or lists write through to the description when their parts change.
    """
    actfrclimited: Any
    """Whether actuator forces are limited: 0 (no), 1 (yes) or 2 (when its range is given)."""
    actfrcrange: Any
    """Range of the total actuator force (N or N m). Shape (2,)."""
    armature: Any
    """Inertia or mass that is added to each dof (kg m² or kg)."""
    damping: Any
    """Damping (N s/m or N m s/rad); two coefficients of higher order, per m/s or rad/s each. Shape (3,)."""
    def default(self) -> Any:
        """The default class of the tendon, an `MjsDefault`."""
        ...
    frictionloss: Any
    """Dry friction (N or N m)."""
    group: Any
    """Group, 0 to 5, for visibility."""
    info: Any
    """A text about the element, for error messages."""
    limited: Any
    """Whether it has limits: 0 (no), 1 (yes) or 2 (when its range is given)."""
    margin: Any
    """Distance (m or rad) at which contacts are detected or the limit becomes active."""
    material: Any
    """Name of the material."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    @property
    def path(self) -> Any:
        """The path of the tendon."""
        ...
    range: Any
    """Limits of the length (m). Shape (2,)."""
    rgba: Any
    """Colour and opacity, 0 to 1. Shape (4,)."""
    solimp_friction: Any
    """Impedance of dry friction: at zero and at the width, width (m or rad), midpoint, power. Shape (5,)."""
    solimp_limit: Any
    """Impedance of limits: at zero and at the width, width (m or rad), midpoint, power. Shape (5,)."""
    solref_friction: Any
    """Reference dynamics of dry friction: time constant (s) and damping ratio, or negative stiffness (1/s²) and damping (1/s). Shape (2,)."""
    solref_limit: Any
    """Reference dynamics of limits: time constant (s) and damping ratio, or negative stiffness (1/s²) and damping (1/s). Shape (2,)."""
    springlength: Any
    """Interval of lengths without spring force (m); -1 for the length at `qpos0`. Shape (2,)."""
    stiffness: Any
    """Stiffness of the spring (N/m or N m/rad); two coefficients of higher order, per m or rad each. Shape (3,)."""
    userdata: Any
    """Numbers for the user (any unit)."""
    width: Any
    """Width for drawing (m)."""
    def wrap_geom(self, name: str, sidesite: Any = '') -> Any:
        """Extends the path around a sphere or a cylinder, between two sites.
        
        Args:
            name: name of the geom.
            sidesite: name of the site that says on which side the tendon passes; empty for the shorter one.
        
        Returns:
            The step, an `MjsWrap`.
        """
        ...
    def wrap_joint(self, name: str, coef: Any) -> Any:
        """Adds a joint to a fixed tendon, whose length is the sum of `coef` times position.
        
        Args:
            name: name of a hinge or slide joint.
            coef: its coefficient.
        
        Returns:
            The step, an `MjsWrap`.
        """
        ...
    def wrap_pulley(self, divisor: Any) -> Any:
        """Extends the path by a pulley: what follows is a branch.
        
        Args:
            divisor: the length of the branch is divided by this.
        
        Returns:
            The step, an `MjsWrap`.
        """
        ...
    def wrap_site(self, name: str) -> Any:
        """Extends the path through a site.
        
        Args:
            name: name of the site.
        
        Returns:
            The step, an `MjsWrap`.
        """
        ...
class MjsActuator(MjsElement):
    """An actuator: from control to force.
    
    `spec.add_actuator(trntype=..., target=...)` makes one; `set_to_motor`, `set_to_position` and its like choose its kind. Fields that are arrays or lists write through to the description when their parts change.
    """
    actdim: Any
    """Number of activations; -1 for automatic."""
    actearly: Any
    """Whether the force uses the next activation."""
    actlimited: Any
    """Whether activations are limited: 0 (no), 1 (yes) or 2 (when its range is given)."""
    actrange: Any
    """Range of activations (unit of the activation). Shape (2,)."""
    armature: Any
    """Inertia or mass that is added to each dof (kg m² or kg)."""
    biasprm: Any
    """Parameters of the bias; affine: force (N or N m), per length (N/m or N m/rad), per velocity (N s/m or N m s/rad). Shape (10,)."""
    biastype: Any
    """Kind of the bias, an `mjtBias`."""
    cranklength: Any
    """Length of the connecting rod of a slider-crank (m)."""
    ctrllimited: Any
    """Whether controls are limited: 0 (no), 1 (yes) or 2 (when its range is given)."""
    ctrlrange: Any
    """Range of controls (unit of the control). Shape (2,)."""
    damping: Any
    """Damping (N s/m or N m s/rad); two coefficients of higher order, per m/s or rad/s each. Shape (3,)."""
    delay: Any
    """Delay (s); needs a history."""
    dynprm: Any
    """Parameters of the activation dynamics; the first of a filter or muscle is its time constant (s). Shape (10,)."""
    dyntype: Any
    """Kind of the activation dynamics, an `mjtDyn`."""
    forcelimited: Any
    """Whether the force is limited: 0 (no), 1 (yes) or 2 (when its range is given)."""
    forcerange: Any
    """Range of the force (N or N m). Shape (2,)."""
    gainprm: Any
    """Parameters of the gain (unit of the force per that of the control or activation). Shape (10,)."""
    gaintype: Any
    """Kind of the gain, an `mjtGain`."""
    gear: Any
    """Scale of length, moment arm and force; for joints and sites by axis. Shape (6,)."""
    group: Any
    """Group, 0 to 5, for visibility."""
    info: Any
    """A text about the element, for error messages."""
    inheritrange: Any
    """Scale of the range that the actuator takes from its target; 0 for none."""
    interp: Any
    """Interpolation of the history: 0 (hold), 1 (linear) or 2 (cubic)."""
    lengthrange: Any
    """Shortest and longest length of the transmission (m or rad). Shape (2,)."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    nsample: Any
    """Number of samples in the history."""
    plugin: Any
    """The plugin that the element uses."""
    refsite: Any
    """Name of the site that a site transmission is relative to."""
    def set_to_adhesion(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the actuator an adhesive: it presses the contacts of a body together with gain times control.
        
        Args:
            gain: force at full control (N).
        """
        ...
    def set_to_cylinder(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the actuator a pneumatic or hydraulic cylinder: force = area times pressure + bias; the pressure is a filtered control.
        
        Args:
            timeconst: time constant of the pressure (s).
            bias: constant force (N).
            area: area of the piston (m²).
            diameter: diameter of the piston (m) instead of the area; negative for none.
        """
        ...
    def set_to_damper(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the actuator a damper: force = -kv velocity control.
        
        Args:
            kv: damping at full control.
        """
        ...
    def set_to_dcmotor(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the actuator a DC motor, with optional electrical, thermal, friction and controller states.
        
        Args:
            motorconst: torque and back-EMF constants.
            resistance: resistance of the winding (ohm).
            nominal: nominal voltage, stall torque and speed, from which constants follow.
            saturation: limits of torque, current and voltage.
            inductance: inductance (H) and time constant (s).
            cogging: amplitude, periods and phase of the cogging torque.
            controller: gains and limits of a PID controller.
            thermal: parameters of the winding's temperature.
            lugre: parameters of LuGre friction.
            input: what the control is: voltage, position or velocity.
        """
        ...
    def set_to_intvelocity(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the actuator an integrated-velocity servo: a position servo on the integral of the control.
        
        Args:
            kp: position gain.
            kv: velocity gain; negative to keep it.
            dampratio: damping ratio from which the velocity gain follows; negative to keep it.
            timeconst: time constant of a filter of the control (s); negative to keep it.
            inheritrange: scale of the control range that is taken from the joint; 0 for none.
        """
        ...
    def set_to_motor(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the actuator a motor: force = control."""
        ...
    def set_to_muscle(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the actuator a muscle; negative parameters keep the values that are there.
        
        Args:
            timeconst: time constants of activation and deactivation (s), or one for both.
            tausmooth: width of the smooth switch between them.
            range: operating range of lengths, relative to the optimal length.
            force: peak force (N); negative for automatic.
            scale: scale of the automatic peak force.
            lmin: shortest length with force, relative.
            lmax: longest length with force, relative.
            vmax: largest velocity of shortening, in lengths per second.
            fpmax: passive force at `lmax`, relative to the peak force.
            fvmax: active force at the largest velocity of lengthening, relative.
        """
        ...
    def set_to_position(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the actuator a position servo: force = kp (control - position) - kv velocity.
        
        Args:
            kp: position gain.
            kv: velocity gain; negative to keep it.
            dampratio: damping ratio from which the velocity gain follows; negative to keep it.
            timeconst: time constant of a filter of the control (s); negative to keep it.
            inheritrange: scale of the control range that is taken from the joint; 0 for none.
        """
        ...
    def set_to_velocity(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the actuator a velocity servo: force = kv (control - velocity).
        
        Args:
            kv: velocity gain.
        """
        ...
    slidersite: Any
    """Name of the site of the slider, for a slider-crank."""
    target: Any
    """Name of what the actuator acts on."""
    trntype: Any
    """What the actuator acts on, an `mjtTrn`."""
    userdata: Any
    """Numbers for the user (any unit)."""
class MjsSensor(MjsElement):
    """A sensor, whose values are part of `data.sensordata`.
    
    `spec.add_sensor(...)` makes one. `type` is an `mjtSensor`, `objtype` and `objname` are what it measures. Fields that are arrays or lists write through to the description when their parts change.
    """
    cutoff: Any
    """Largest absolute value of the measurement (unit of the sensor); 0 for no limit."""
    datatype: Any
    """Kind of the values of a user sensor, an `mjtDataType`."""
    delay: Any
    """Delay (s); needs a history."""
    dim: Any
    """Number of values."""
    def get_data_size(self) -> Any:
        """Number of values of the sensor in `data.sensordata`."""
        ...
    info: Any
    """A text about the element, for error messages."""
    interp: Any
    """Interpolation of the history: 0 (hold), 1 (linear) or 2 (cubic)."""
    interval: Any
    """Interval between measurements (s), and phase (s). Shape (2,)."""
    intprm: Any
    """Integer parameters of the sensor."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    needstage: Any
    """Stage that a user sensor needs, an `mjtStage`."""
    noise: Any
    """Standard deviation of the noise (unit of the sensor); information only."""
    nsample: Any
    """Number of samples in the history."""
    objname: Any
    """Name of the object that is measured."""
    objtype: Any
    """Kind of the object that is measured, an `mjtObj`."""
    plugin: Any
    """The plugin that the element uses."""
    refname: Any
    """Name of the object that the measurement is relative to."""
    reftype: Any
    """Kind of the object that the measurement is relative to, an `mjtObj`."""
    type: Any
    """What is measured, an `mjtSensor`."""
    userdata: Any
    """Numbers for the user (any unit)."""
class MjsNumeric(MjsElement):
    """Numbers for the user under a name.
    
    `spec.add_numeric(name=..., data=...)` makes one. Fields that are arrays or lists write through to the description when their parts change.
    """
    data: Any
    """Its numbers (any unit), any count."""
    info: Any
    """A text about the element, for error messages."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    size: Any
    """How many there are; the rest are zeros."""
class MjsText(MjsElement):
    """A text for the user under a name.
    
    `spec.add_text(name=..., data=...)` makes one. Fields that are arrays or lists write through to the description when their parts change.
    """
    data: Any
    """The text itself."""
    info: Any
    """A text about the element, for error messages."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
class MjsTuple(MjsElement):
    """A list of objects under a name.
    
    `spec.add_tuple(...)` makes one from `objtype`, `objname` and `objprm`. Fields that are arrays or lists write through to the description when their parts change.
    """
    info: Any
    """A text about the element, for error messages."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    objname: Any
    """Names of the objects."""
    objprm: Any
    """Parameters of the objects (any unit)."""
    objtype: Any
    """Kind of the objects, an `mjtObj`."""
class MjsKey(MjsElement):
    """A keyframe: a state that a world can be reset to.
    
    `spec.add_key(name=..., qpos=...)` makes one; `mj_resetDataKeyframe` applies it. Fields that are arrays or lists write through to the description when their parts change.
    """
    act: Any
    """Activations (unit of the control; after an integrator its unit times s). Shape (na,)."""
    ctrl: Any
    """Controls (unit of each actuator's control: N or N m for a motor, m or rad for a position servo). Shape (nu,)."""
    info: Any
    """A text about the element, for error messages."""
    mpos: Any
    """Positions of mocap bodies (m). Shape (3 nmocap,)."""
    mquat: Any
    """Orientations of mocap bodies. Shape (4 nmocap,)."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    qpos: Any
    """Positions (m or rad; quaternions of ball and free joints). Shape (nq,)."""
    qvel: Any
    """Velocities (m/s or rad/s). Shape (nv,)."""
    time: Any
    """Simulation time (s)."""
class MjsPlugin(MjsElement):
    """An instance of a plugin, with its attributes.
    
    `spec.add_plugin(...)` makes one; elements refer to it in `plugin`. Fields that are arrays or lists write through to the description when their parts change.
    """
    active: Any
    """Whether it is on."""
    config: Any
    """Attributes of the plugin as a dictionary of texts."""
    info: Any
    """A text about the element, for error messages."""
    name: Any
    """Name of the element, unique in its kind; may be empty."""
    plugin_name: Any
    """Name of the plugin."""
class MjsDefault:
    """A default class: a prototype of each kind of element, from which new elements of the class are copied.
    
    `spec.default` is the main class, `spec.add_default(name)` makes another, `spec.find_default(name)` finds one.
    
    Example::
    
        spec.default.geom.friction[0] = 0.8
    """
    @property
    def actuator(self) -> Any:
        """The values that an actuator of this class starts from."""
        ...
    @property
    def camera(self) -> Any:
        """The values that a camera of this class starts from."""
        ...
    @property
    def children(self) -> Any:
        """The classes directly below this one."""
        ...
    @property
    def equality(self) -> Any:
        """The values that an equality constraint of this class starts from."""
        ...
    @property
    def flex(self) -> Any:
        """The values that a flex of this class starts from."""
        ...
    @property
    def geom(self) -> Any:
        """The values that a geom of this class starts from."""
        ...
    @property
    def joint(self) -> Any:
        """The values that a joint of this class starts from."""
        ...
    @property
    def light(self) -> Any:
        """The values that a light of this class starts from."""
        ...
    @property
    def material(self) -> Any:
        """The values that a material of this class starts from."""
        ...
    @property
    def mesh(self) -> Any:
        """The values that a mesh of this class starts from."""
        ...
    @property
    def name(self) -> Any:
        """Name of the class."""
        ...
    @property
    def pair(self) -> Any:
        """The values that a contact pair of this class starts from."""
        ...
    @property
    def parent(self) -> Any:
        """The class around this one; None for the main class."""
        ...
    @property
    def site(self) -> Any:
        """The values that a site of this class starts from."""
        ...
    @property
    def tendon(self) -> Any:
        """The values that a tendon of this class starts from."""
        ...
class MjsOrientation:
    """The orientation of an element in another form than a quaternion, `element.alt`; of a body's inertial frame, `body.ialt`.
    
    Assign one of `axisangle`, `xyaxes`, `zaxis` and `euler`; it replaces the quaternion when the description is compiled. Angles are in
    degrees or radians, as `spec.compiler.degree` says.
    """
    axisangle: Any
    """Axis and angle (deg or rad, as the compiler says). Shape (4,)."""
    euler: Any
    """Euler angles (deg or rad, as the compiler says) about the axes of `spec.compiler.eulerseq`. Shape (3,)."""
    type: Any
    """The form in use, an `mjtOrientation`."""
    xyaxes: Any
    """The x axis and a vector in the x-y plane. Shape (6,)."""
    zaxis: Any
    """The z axis; the rotation to it is the shortest. Shape (3,)."""
class MjsWrap:
    """One step on the path of a tendon; `tendon.path` is the list of them."""
    coef: Any
    """Coefficient of a joint."""
    divisor: Any
    """Divisor of a pulley."""
    @property
    def sidesite(self) -> Any:
        """The site that marks the side of a geom; None when there is none."""
        ...
    @property
    def target(self) -> Any:
        """The site, geom or joint of the step; None for a pulley."""
        ...
    @property
    def type(self) -> Any:
        """Kind of the step, an `mjtWrap`."""
        ...
class MjsCompiler:
    """Settings of the compiler, `spec.compiler`: units of angles, folders of assets, how inertia is found."""
    def __getattr__(self, name: str) -> Any: ...
    @property
    def LRopt(self) -> Any:
        """Settings of the search for actuator length ranges, with the fields of `MjLROpt`."""
        ...
    alignfree: Any
    """Whether free joints are aligned with the inertial frames of their bodies."""
    autolimits: Any
    """Whether a given range implies a limit."""
    balanceinertia: Any
    """Whether moments of inertia that are impossible are replaced by their mean."""
    boundinertia: Any
    """Smallest moment of inertia of moving bodies (kg m²)."""
    boundmass: Any
    """Smallest mass of moving bodies (kg)."""
    degree: Any
    """Whether angles in the description are in degrees instead of radians."""
    discardvisual: Any
    """Whether geoms that are only seen are left out."""
    eulerseq: Any
    """Axes of Euler angles, three letters; upper case for fixed axes."""
    fitaabb: Any
    """Whether shapes are fitted to the bounding box of a mesh instead of its inertia."""
    fusestatic: Any
    """Whether bodies without joints become part of their parents."""
    inertiafromgeom: Any
    """When inertia follows from geoms: 0 (no), 1 (yes) or 2 (when it is not given)."""
    inertiagrouprange: Any
    """First and last group of geoms that count for inertia. Shape (2,)."""
    meshdir: Any
    """Folder of mesh and height field files."""
    saveinertial: Any
    """Whether inertial properties are written out as MJCF."""
    settotalmass: Any
    """Total mass that all masses are scaled to (kg); negative for none."""
    texturedir: Any
    """Folder of texture files."""
    usethread: Any
    """Whether meshes are compiled on several threads."""
class MjSpec:
    """An editable model description: a tree of elements that is compiled to an `MjModel`.
    
    `MjSpec()` is an empty one; `from_file` and `from_string` read MJCF and URDF. `worldbody` is the root: its `add_body`, `add_geom` and
    their like build the tree. `spec.body("hand")`, `spec.geoms` and so on find elements, `attach` puts another description at a frame or
    site, `compile` makes a model, and `recompile` carries a simulation over into it.
    
    Args:
        xml: MJCF or URDF text.
        path: path of a file.
        assets: dictionary from file names to bytes.
        core: for use by the package.
        content_type: content type of the file, for registered decoders.
        reference: version of MuJoCo whose meaning the description has, "3.8" (the default) or "4.0".
    
    Raises:
        ValueError: the text has faults; the message lists them with file, line, column and a suggestion.
    
    Example::
    
        spec = kinetree.MjSpec()
        body = spec.worldbody.add_body(name="ball", pos=[0, 0, 1])
        body.add_freejoint()
        body.add_geom(type=kinetree.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])
        model = spec.compile()
    """
    def __init__(self) -> None: ...
    assets: dict[str, str | bytes]
    copy_during_attach: bool
    def activate_plugin(self, name: str) -> Any:
        """Declares that the model uses a plugin.
        
        Args:
            name: name of the plugin.
        """
        ...
    def actuator(self, name: str) -> Any:
        """The actuator with a name, an `MjsActuator`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def actuators(self) -> Any:
        """All actuators of the description, a list of `MjsActuator`."""
        ...
    def add_actuator(self, default: Any = None, **fields: Any) -> Any:
        """Adds an actuator.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsActuator`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_default(self, name: str, parent: Any = None) -> Any:
        """Adds a default class.
        
        Args:
            name: its name.
            parent: the class around it, an `MjsDefault` or a name; None for the main class.
        
        Returns:
            The `MjsDefault`.
        """
        ...
    def add_equality(self, default: Any = None, **fields: Any) -> Any:
        """Adds an equality constraint.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsEquality`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_exclude(self, default: Any = None, **fields: Any) -> Any:
        """Adds an excluded pair.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsExclude`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_flex(self, default: Any = None, **fields: Any) -> Any:
        """Adds a flex.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsFlex`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_hfield(self, default: Any = None, **fields: Any) -> Any:
        """Adds a height field.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsHField`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_key(self, default: Any = None, **fields: Any) -> Any:
        """Adds a keyframe.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsKey`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_material(self, default: Any = None, **fields: Any) -> Any:
        """Adds a material.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsMaterial`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_mesh(self, default: Any = None, **fields: Any) -> Any:
        """Adds a mesh.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsMesh`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_numeric(self, default: Any = None, **fields: Any) -> Any:
        """Adds a custom numeric field.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsNumeric`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_pair(self, default: Any = None, **fields: Any) -> Any:
        """Adds a contact pair.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsPair`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_plugin(self, default: Any = None, **fields: Any) -> Any:
        """Adds a plugin instance.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsPlugin`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_sensor(self, default: Any = None, **fields: Any) -> Any:
        """Adds a sensor.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsSensor`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_skin(self, default: Any = None, **fields: Any) -> Any:
        """Adds a skin.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsSkin`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_tendon(self, default: Any = None, **fields: Any) -> Any:
        """Adds a tendon.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsTendon`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_text(self, default: Any = None, **fields: Any) -> Any:
        """Adds a custom text.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsText`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_texture(self, default: Any = None, **fields: Any) -> Any:
        """Adds a texture.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsTexture`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def add_tuple(self, default: Any = None, **fields: Any) -> Any:
        """Adds a custom tuple.
        
        Args:
            default: default class to start from, an `MjsDefault` or a name; None for the main class.
            fields: values of its fields by name.
        
        Returns:
            The `MjsTuple`.
        
        Raises:
            TypeError: there is no such field; the message lists the available ones.
        """
        ...
    def attach(self, child: Any, prefix: Any = None, suffix: Any = None, site: int | None = None, frame: Any = None) -> Any:
        """Attaches a whole description at a frame or a site of this one.
        
        Args:
            child: the `MjSpec` to attach.
            prefix: put before the names of its elements.
            suffix: put after the names of its elements.
            site: the site, an `MjsSite` or a name.
            frame: the frame, an `MjsFrame` or a name; exactly one of both is given.
        
        Returns:
            The `MjsFrame` that its world became.
        
        Raises:
            ValueError: there is no such frame or site, or names collide.
        """
        ...
    @property
    def bodies(self) -> Any:
        """All bodies of the description, a list of `MjsBody`."""
        ...
    def body(self, name: str) -> Any:
        """The body with a name, an `MjsBody`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    def camera(self, name: str) -> Any:
        """The camera with a name, an `MjsCamera`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def cameras(self) -> Any:
        """All cameras of the description, a list of `MjsCamera`."""
        ...
    comment: Any
    """Comment at the head of the file."""
    def compile(self) -> Any:
        """Compiles the description as it is now; it can be edited and compiled again.
        
        Returns:
            The `MjModel`.
        
        Raises:
            ValueError: the description has faults, or is attached to another one.
        """
        ...
    @property
    def compiler(self) -> Any:
        """Settings of the compiler, an `MjsCompiler`."""
        ...
    def copy(self) -> Any:
        """A copy of the description, which shares nothing with it."""
        ...
    @property
    def default(self) -> Any:
        """The main default class, an `MjsDefault`."""
        ...
    def delete(self, element: Any) -> Any:
        """Removes an element. With a body goes all that is in it, and all that refers to it.
        
        Args:
            element: an element or an `MjsDefault` of this description.
        """
        ...
    def detach_body(self, element: Any) -> Any:
        """Removes an element. With a body goes all that is in it, and all that refers to it.
        
        Args:
            element: an element or an `MjsDefault` of this description.
        """
        ...
    @property
    def equalities(self) -> Any:
        """All equalities of the description, a list of `MjsEquality`."""
        ...
    def equality(self, name: str) -> Any:
        """The equality constraint with a name, an `MjsEquality`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    def exclude(self, name: str) -> Any:
        """The excluded pair with a name, an `MjsExclude`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def excludes(self) -> Any:
        """All excludes of the description, a list of `MjsExclude`."""
        ...
    def find_default(self, name: str) -> Any:
        """The default class of a name, an `MjsDefault`; None when there is none.
        
        Args:
            name: its name; "main" is the outermost class.
        """
        ...
    def flex(self, name: str) -> Any:
        """The flex with a name, an `MjsFlex`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def flexes(self) -> Any:
        """All flexes of the description, a list of `MjsFlex`."""
        ...
    def frame(self, name: str) -> Any:
        """The frame with a name, an `MjsFrame`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def frames(self) -> Any:
        """All frames of the description, a list of `MjsFrame`."""
        ...
    @staticmethod
    def from_file(filename: str, include: Any = None, assets: Any = None, content_type: Any = None, reference: Any = None) -> Any:
        """Reads an MJCF or URDF file, or one that a registered decoder reads.
        
        Args:
            filename: path of the file.
            include: dictionary from file names to the text of included files.
            assets: dictionary from file names to bytes, for meshes, textures and included files.
            content_type: content type of the file; None to go by its extension.
            reference: version of MuJoCo whose meaning the description has, "3.8" (the default) or "4.0".
        
        Raises:
            ValueError: the description has faults; the message lists them with file, line, column and a suggestion.
        """
        ...
    @staticmethod
    def from_string(xml: Any, include: Any = None, assets: Any = None, reference: Any = None) -> Any:
        """Reads MJCF or URDF text.
        
        Args:
            xml: the text.
            include: dictionary from file names to the text of included files.
            assets: dictionary from file names to bytes, for meshes, textures and included files.
            reference: version of MuJoCo whose meaning the description has, "3.8" (the default) or "4.0".
        
        Raises:
            ValueError: the description has faults; the message lists them with file, line, column and a suggestion.
        """
        ...
    @staticmethod
    def from_zip(file: Any) -> Any:
        """Reads a zip archive with one model and its assets.
        
        Args:
            file: path of the archive, or an open file.
        
        Raises:
            ValueError: it is no zip archive, or has no XML file.
        """
        ...
    def geom(self, name: str) -> Any:
        """The geom with a name, an `MjsGeom`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def geoms(self) -> Any:
        """All geoms of the description, a list of `MjsGeom`."""
        ...
    @property
    def hasImplicitPluginElem(self) -> Any:
        """Whether an element uses a plugin without a named instance."""
        ...
    def hfield(self, name: str) -> Any:
        """The height field with a name, an `MjsHField`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def hfields(self) -> Any:
        """All hfields of the description, a list of `MjsHField`."""
        ...
    def joint(self, name: str) -> Any:
        """The joint with a name, an `MjsJoint`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def joints(self) -> Any:
        """All joints of the description, a list of `MjsJoint`."""
        ...
    def key(self, name: str) -> Any:
        """The keyframe with a name, an `MjsKey`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def keys(self) -> Any:
        """All keyframes, after a compilation also those of attached parts; a list of `MjsKey`."""
        ...
    def light(self, name: str) -> Any:
        """The light with a name, an `MjsLight`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def lights(self) -> Any:
        """All lights of the description, a list of `MjsLight`."""
        ...
    def material(self, name: str) -> Any:
        """The material with a name, an `MjsMaterial`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def materials(self) -> Any:
        """All materials of the description, a list of `MjsMaterial`."""
        ...
    memory: Any
    """Bytes of memory for contacts and constraints; read and written, but not needed here."""
    def mesh(self, name: str) -> Any:
        """The mesh with a name, an `MjsMesh`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    meshdir: Any
    """Folder of mesh and height field files."""
    @property
    def meshes(self) -> Any:
        """All meshes of the description, a list of `MjsMesh`."""
        ...
    def migrate(self, reference: Any, allow_differences: Any = False) -> Any:
        """The same physics as a description of another reference level.
        
        Args:
            reference: version of MuJoCo whose meaning the result has, "3.8" or "4.0".
            allow_differences: whether what moves otherwise at that level is told instead of refused.
        
        Returns:
            A `Migration`: the new description, and notes of kind "changed", "warning" and "difference".
        
        Raises:
            ValueError: the description has faults, or something moves otherwise at that level and no description can make up for it.
        """
        ...
    modelfiledir: Any
    """Folder of the model file."""
    modelname: Any
    """Name of the model."""
    nconmax: Any
    """Former limit of contacts; read and written, but not needed."""
    njmax: Any
    """Former limit of constraints; read and written, but not needed."""
    nkey: Any
    """Number of keyframes; more than are described are added."""
    nstack: Any
    """Former size of the stack; read and written, but not needed."""
    def numeric(self, name: str) -> Any:
        """The custom numeric field with a name, an `MjsNumeric`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def numerics(self) -> Any:
        """All numerics of the description, a list of `MjsNumeric`."""
        ...
    nuser_actuator: Any
    """Number of user values of each actuator; -1 for automatic."""
    nuser_body: Any
    """Number of user values of each body; -1 for automatic."""
    nuser_cam: Any
    """Number of user values of each camera; -1 for automatic."""
    nuser_geom: Any
    """Number of user values of each geom; -1 for automatic."""
    nuser_jnt: Any
    """Number of user values of each joint; -1 for automatic."""
    nuser_sensor: Any
    """Number of user values of each sensor; -1 for automatic."""
    nuser_site: Any
    """Number of user values of each site; -1 for automatic."""
    nuser_tendon: Any
    """Number of user values of each tendon; -1 for automatic."""
    nuserdata: Any
    """Number of values in `data.userdata`."""
    @property
    def option(self) -> Any:
        """Physics options, with the fields of `MjOption`."""
        ...
    def pair(self, name: str) -> Any:
        """The contact pair with a name, an `MjsPair`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def pairs(self) -> Any:
        """All pairs of the description, a list of `MjsPair`."""
        ...
    @property
    def parent(self) -> Any:
        """The description that this one was attached to; None when it was not."""
        ...
    def plugin(self, name: str) -> Any:
        """The plugin instance with a name, an `MjsPlugin`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def plugins(self) -> Any:
        """All plugins of the description, a list of `MjsPlugin`."""
        ...
    def recompile(self, model: Any, data: Any) -> Any:
        """Compiles the description and carries the state of a simulation over: what exists before and after keeps its state.
        
        Args:
            model: the `MjModel` that was compiled before.
            data: its `MjData`.
        
        Returns:
            The new `MjModel` and the new `MjData`.
        """
        ...
    @staticmethod
    def resolve_orientation(degree: Any, sequence: Any = None, orientation: Any = None) -> Any:
        """The quaternion of an orientation in another form.
        
        Args:
            degree: whether its angles are in degrees.
            sequence: axes of Euler angles, such as "xyz".
            orientation: the `MjsOrientation`.
        
        Returns:
            Array (4,): w, x, y, z.
        """
        ...
    def sensor(self, name: str) -> Any:
        """The sensor with a name, an `MjsSensor`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def sensors(self) -> Any:
        """All sensors of the description, a list of `MjsSensor`."""
        ...
    def site(self, name: str) -> Any:
        """The site with a name, an `MjsSite`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def sites(self) -> Any:
        """All sites of the description, a list of `MjsSite`."""
        ...
    def skin(self, name: str) -> Any:
        """The skin with a name, an `MjsSkin`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def skins(self) -> Any:
        """All skins of the description, a list of `MjsSkin`."""
        ...
    @property
    def stat(self) -> Any:
        """Statistics that override the computed ones, with the fields of `MjStatistic`."""
        ...
    strippath: Any
    """Whether folders are removed from file names."""
    def tendon(self, name: str) -> Any:
        """The tendon with a name, an `MjsTendon`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def tendons(self) -> Any:
        """All tendons of the description, a list of `MjsTendon`."""
        ...
    def text(self, name: str) -> Any:
        """The custom text with a name, an `MjsText`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def texts(self) -> Any:
        """All texts of the description, a list of `MjsText`."""
        ...
    def texture(self, name: str) -> Any:
        """The texture with a name, an `MjsTexture`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    texturedir: Any
    """Folder of texture files."""
    @property
    def textures(self) -> Any:
        """All textures of the description, a list of `MjsTexture`."""
        ...
    def to_file(self, filename: str) -> Any:
        """Writes the description as an MJCF file; asset folders are given relative to it.
        
        Args:
            filename: path of the file.
        """
        ...
    def to_xml(self) -> Any:
        """The description as MJCF text, which compiles to the same model."""
        ...
    def to_zip(self, file: Any) -> Any:
        """Writes a zip archive with the model and its assets.
        
        Args:
            file: path of the archive, or an open file.
        """
        ...
    def tuple(self, name: str) -> Any:
        """The custom tuple with a name, an `MjsTuple`; None when there is none.
        
        Args:
            name: its name.
        """
        ...
    @property
    def tuples(self) -> Any:
        """All tuples of the description, a list of `MjsTuple`."""
        ...
    @property
    def visual(self) -> Any:
        """Visualization settings, with the groups of `MjVisual`."""
        ...
    @property
    def worldbody(self) -> Any:
        """The world body, an `MjsBody`, which all others are in."""
        ...

class GLContext:
    """Stands in for MuJoCo's OpenGL context, so that programs which make one run; drawing needs none here.
    
    Args:
        max_width: ignored.
        max_height: ignored.
    """
    def __init__(self, max_width: Any = ..., max_height: Any = ...) -> None: ...
    def free(self) -> Any:
        """Does nothing: there is no context to release."""
        ...
    def make_current(self) -> Any:
        """Does nothing: drawing needs no current context."""
        ...
class MjrContext:
    """Buffers that the functions `mjr_…` draw to, and the meshes and textures of a model on the graphics adapter.
    
    `kinetree.Renderer` is simpler for most purposes. A context has an offscreen buffer of `offWidth` x `offHeight` pixels (from
    `model.vis.global_`), up to ten auxiliary ones, and a window's when the program has made a window current with GLFW.
    
    Args:
        model: the `MjModel` to draw; None for a context that draws text and rectangles only.
        fontscale: size of letters, an `mjtFontScale`.
    
    Example::
    
        scene, context = kinetree.MjvScene(model, 1000), kinetree.MjrContext(model)
        kinetree.mjv_updateScene(model, data, kinetree.MjvOption(), None, kinetree.MjvCamera(), kinetree.mjtCatBit.mjCAT_ALL, scene)
        kinetree.mjr_render(kinetree.MjrRect(0, 0, 320, 240), scene, context)
    """
    def __init__(self, model: Any = None, fontscale: Any = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def free(self) -> Any:
        """Releases the memory; the context cannot draw any more."""
        ...
class Renderer:
    """Renders worlds of one model to NumPy arrays, without a display. Pictures are colour, depth or segmentation.
    
    Args:
        model: the `MjModel` to draw.
        height: rows of a picture, at most `model.vis.global_.offheight`.
        width: columns of a picture, at most `model.vis.global_.offwidth`.
        max_geom: largest number of geoms in the scene.
        font_scale: size of labels, an `mjtFontScale`.
    
    Raises:
        ValueError: the picture is larger than the model's offscreen buffer.
        FatalError: there is no graphics adapter, not even a software one.
    
    Example::
    
        with kinetree.Renderer(model, 240, 320) as renderer:
            renderer.update_scene(data, camera="side")
            pixels = renderer.render()     # (240, 320, 3) uint8
    """
    def __init__(self, model: Any, height: Any = ..., width: Any = ..., max_geom: Any = ..., font_scale: Any = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def close(self) -> Any:
        """Releases the memory; nothing can be drawn afterwards."""
        ...
    def disable_depth_rendering(self) -> Any:
        """From now on, `render` returns colours again."""
        ...
    def disable_segmentation_rendering(self) -> Any:
        """From now on, `render` returns colours again."""
        ...
    def enable_depth_rendering(self) -> Any:
        """From now on, `render` returns distances from the camera plane in metres."""
        ...
    def enable_segmentation_rendering(self) -> Any:
        """From now on, `render` returns id and type (`mjtObj`) of the object in each pixel."""
        ...
    @property
    def height(self) -> Any:
        """Rows of a picture."""
        ...
    @property
    def model(self) -> Any:
        """The `MjModel` that is drawn."""
        ...
    def render(self, *, out: Any = None) -> Any:
        """Draws the scene.
        
        Args:
            out: array to write to, of the shape of the result; None for a new one.
        
        Returns:
            Rows from the top: uint8 colours (height, width, 3), float32 distances (height, width) in metres, or int32 ids and types
            (height, width, 2) with -1 for the background.
        """
        ...
    @property
    def scene(self) -> Any:
        """The `MjvScene` that `update_scene` fills; a program may append geoms before `render`."""
        ...
    def update_scene(self, data: Any, camera: Any = ..., scene_option: Any = None, *, soft: Any = None) -> Any:
        """Takes the state of a world and the camera that looks at it.
        
        Args:
            data: the `MjData`, after `mj_forward` or a step.
            camera: id or name of a camera of the model, -1 for a free one, or an `MjvCamera`.
            scene_option: what is visible, an `MjvOption`; None for the defaults.
            soft: a `kinetree.soft.SoftWorld` whose bodies are drawn, too.
        
        Raises:
            ValueError: the model has no such camera.
        """
        ...
    @property
    def width(self) -> Any:
        """Columns of a picture."""
        ...
class BatchRenderer:
    """Draws many worlds of one model from several cameras into one array.
    
    ::
    
        with kinetree.BatchRenderer(model, 64, 64, cameras=("front", "wrist")) as renderer:
            pixels = renderer.render(batch)     # (worlds, cameras, height, width, 3)
    
    Args:
        model: the model.
        height: rows of a picture.
        width: columns of a picture.
        cameras: ids or names of cameras, -1 for a free one, or `MjvCamera`s.
        shadows: whether bodies cast shadows.
    """
    def __init__(self, model: Any, height: Any = ..., width: Any = ..., *, cameras: Any = ..., shadows: Any = True) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def close(self) -> Any:
        """Releases the memory; nothing can be drawn afterwards."""
        ...
    def render(self, worlds: Any, *, scene_option: Any = None, out: Any = None) -> Any:
        """Draws colours.
        
        Args:
            worlds: a `BatchSim`, or a list of `MjData`.
            scene_option: what is visible, an `MjvOption`; None for the defaults.
            out: array to write to, of the shape of the result; None for a new one.
        
        Returns:
            uint8 array (worlds, cameras, height, width, 3).
        """
        ...
    def render_depth(self, worlds: Any, *, scene_option: Any = None, out: Any = None) -> Any:
        """Draws distances from the camera plane, in metres.
        
        Args:
            worlds: a `BatchSim`, or a list of `MjData`.
            scene_option: what is visible, an `MjvOption`; None for the defaults.
            out: array to write to, of the shape of the result; None for a new one.
        
        Returns:
            float32 array (worlds, cameras, height, width).
        """
        ...
    def render_segmentation(self, worlds: Any, *, scene_option: Any = None, out: Any = None) -> Any:
        """Draws id and type (`mjtObj`) of the object in each pixel, -1 for the background.
        
        Args:
            worlds: a `BatchSim`, or a list of `MjData`.
            scene_option: what is visible, an `MjvOption`; None for the defaults.
            out: array to write to, of the shape of the result; None for a new one.
        
        Returns:
            int32 array (worlds, cameras, height, width, 2).
        """
        ...

def MjStruct(*args: Any, **kwargs: Any) -> Any:
    """"""
    ...
def from_zip(file: Any) -> Any:
    """Reads a zip archive with one model and its assets.
    
    Args:
        file: path of the archive, or an open file.
    
    Returns:
        The `MjSpec`.
    """
    ...
def get_mjcb_act_bias() -> Any:
    """The callback that gives the bias force of user actuators, as `f(m, d, id)`; None when there is none."""
    ...
def get_mjcb_act_dyn() -> Any:
    """The callback that gives the time derivative of the activation of user actuators, as `f(m, d, id)`; None when there is none."""
    ...
def get_mjcb_act_gain() -> Any:
    """The callback that gives the gain of user actuators, as `f(m, d, id)`; None when there is none."""
    ...
def get_mjcb_contactfilter() -> Any:
    """The callback that decides which pairs of geoms may collide, as `f(m, d, geom1, geom2)`: a result other than 0 rejects the pair; None when there is none."""
    ...
def get_mjcb_control() -> Any:
    """The callback that sets controls in each evaluation of the dynamics, as `f(m, d)`: it writes `d.ctrl`; None when there is none."""
    ...
def get_mjcb_passive() -> Any:
    """The callback that adds passive forces, as `f(m, d)`: it adds to `d.qfrc_passive`; None when there is none."""
    ...
def get_mjcb_sensor() -> Any:
    """The callback that computes sensors of the type user, as `f(m, d, stage)`: it writes `d.sensordata` for the `mjtStage`; None when there is none."""
    ...
def get_mjcb_time() -> Any:
    """The callback that is the clock of the timers, as `f()`, which returns a time in seconds; None when there is none."""
    ...
def get_mju_user_free() -> Any:
    """None: memory is not allocated by C functions, so that there is no `free` function to replace."""
    ...
def get_mju_user_malloc() -> Any:
    """None: memory is not allocated by C functions, so that there is no `malloc` function to replace."""
    ...
def get_mju_user_warning() -> Any:
    """The function that gets the text of warnings; None when there is none."""
    ...
def mj_Euler(m: MjModel, d: MjData) -> Any:
    """Integrates one step with the semi-implicit Euler method; joint damping is implicit.
    
    Reads the results of `mj_forward`.
    Writes `qpos`, `qvel`, `act`, `time`, `qacc_warmstart`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_RungeKutta(m: MjModel, d: MjData, N: Any) -> Any:
    """Integrates one step with the Runge-Kutta method, starting from the results of `mj_forward`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        N: order of the method; only 4 is supported.
    
    Raises:
        FatalError: `N` is not 4.
    """
    ...
def mj_addContact(m: MjModel, d: MjData, con: Any) -> Any:
    """Appends a contact to those of a world; returns 0.
    
    The next `mj_collision`, and every step, detects contacts again. Call `mj_makeConstraint` afterwards to use it.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        con: the `MjContact`, which is copied.
    """
    ...
def mj_addM(m: MjModel, d: MjData, dst: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any:
    """Adds the inertia matrix `d.M` to a sparse matrix in compressed rows.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        dst: values of the sparse matrix, which are added to.
        rownnz: int32 array (nv,), number of entries of each row.
        rowadr: int32 array (nv,), index of the first entry of each row.
        colind: int32 array, column of each entry.
    """
    ...
def mj_angmomMat(m: MjModel, d: MjData, mat: Any, body: int) -> Any:
    """The matrix that takes `qvel` to the angular momentum of a subtree about its centre of mass.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        mat: array of shape (3, nv) that gets it (kg m, or kg m² of hinges).
        body: id of the root of the subtree.
    """
    ...
def mj_applyFT(m: MjModel, d: MjData, force: Any, torque: Any, point: Any, body: int, qfrc_target: Any) -> Any:
    """Adds the generalized force of a force and a torque at a point of a body to a vector, such as
    `d.qfrc_applied`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        force: force in the world's axes, shape (3,) (N).
        torque: torque in the world's axes, shape (3,) (N m).
        point: where the force acts, in the world, shape (3,) (m).
        body: id of the body.
        qfrc_target: array (nv,) that is added to.
    """
    ...
def mj_camlight(m: MjModel, d: MjData) -> Any:
    """Poses of cameras and lights.
    
    Reads the results of `mj_kinematics` and `mj_comPos`.
    Writes `cam_xpos`, `cam_xmat`, `light_xpos`, `light_xdir`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_checkAcc(m: MjModel, d: MjData) -> Any:
    """Looks for accelerations that are not finite or too large; counts a warning, resets and runs `mj_forward` when it finds one.
    
    Reads `qacc`.
    Writes `warning`, and everything after a reset.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_checkPos(m: MjModel, d: MjData) -> Any:
    """Looks for positions that are not finite or too large; counts a warning and resets the world when it finds one.
    
    Reads `qpos`.
    Writes `warning`, and everything after a reset.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_checkVel(m: MjModel, d: MjData) -> Any:
    """Looks for velocities that are not finite or too large; counts a warning and resets the world when it finds one.
    
    Reads `qvel`.
    Writes `warning`, and everything after a reset.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_clearCache(cache: Any) -> Any:
    """Removes all assets from the cache.
    
    Args:
        cache: the cache, from `mj_getCache`.
    """
    ...
def mj_collision(m: MjModel, d: MjData) -> Any:
    """Detects collisions: broad phase, filters, narrow phase.
    
    Reads `geom_xpos`, `geom_xmat`, `flexvert_xpos`.
    Writes `contact`, `ncon`; the constraints of before are dropped.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_comPos(m: MjModel, d: MjData) -> Any:
    """Centres of mass of subtrees, and inertias and dof axes about them.
    
    Reads the results of `mj_kinematics`.
    Writes `subtree_com`, `cinert`, `cdof`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_comVel(m: MjModel, d: MjData) -> Any:
    """Spatial velocities of bodies, and time derivatives of the dof axes.
    
    Reads `qvel`, `cdof`.
    Writes `cvel`, `cdof_dot`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_compareFwdInv(m: MjModel, d: MjData) -> Any:
    """Runs inverse dynamics on the result of forward dynamics and measures the difference of both.
    
    Reads the results of `mj_forward`.
    Writes `solver_fwdinv`: norms of the differences of constraint forces and of applied forces.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_constraintUpdate(m: MjModel, d: MjData, jar: Any, cost: Any, flg_coneHessian: Any) -> Any:
    """Computes constraint forces and states for given residuals; a building block of solvers.
    
    Writes `efc_state`, `efc_force` and `qfrc_constraint`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        jar: `J qacc - aref`, shape (nefc,).
        cost: array of shape (1,) that gets the cost of the constraints, or None.
        flg_coneHessian: whether to compute the Hessians of elliptic cones for the contacts.
    """
    ...
def mj_contactForce(m: MjModel, d: MjData, id: int, result: Any) -> Any:
    """Force and torque of a contact in its own frame: normal force first, then friction, then torques.
    
    The axes are the rows of `d.contact[id].frame`; the normal points from the first geom to the second.
    Reads `efc_force`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        id: index of the contact, below `d.ncon`.
        result: array (6,) that gets force (N) and torque (N m).
    
    Example::
    
        force = np.zeros(6)
        for i in range(data.ncon):
            kinetree.mj_contactForce(model, data, i, force)
    """
    ...
def mj_copyData(dest: Any, m: MjModel, src: ArrayLike) -> Any:
    """Copies a whole world: state, inputs and results.
    
    Args:
        dest: the `MjData` to write.
        m: the model of both.
        src: the `MjData` to read.
    """
    ...
def mj_copyState(m: MjModel, src: ArrayLike, dst: Any, sig: Any) -> Any:
    """Copies components of the state from one world to another of the same model.
    
    Args:
        m: the model, an `MjModel`.
        src: the `MjData` to read.
        dst: the `MjData` to write.
        sig: which components, a combination of `mjtState` bits such as `mjSTATE_INTEGRATION`.
    """
    ...
def mj_crb(m: MjModel, d: MjData) -> Any:
    """Composite rigid body algorithm: the joint-space inertia matrix, without tendon armature.
    
    Reads `cinert`, `cdof`.
    Writes `crb`, `M`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_defaultLROpt(opt: Any) -> Any:
    """Gives the settings of the search for length ranges their default values.
    
    Args:
        opt: the `MjLROpt` that is set.
    """
    ...
def mj_defaultOption(opt: Any) -> Any:
    """Gives physics options their default values.
    
    Args:
        opt: the `MjOption` that is set.
    """
    ...
def mj_defaultSolRefImp(solref: Any, solimp: Any) -> Any:
    """Writes the default solver parameters.
    
    Args:
        solref: array of two values, or None.
        solimp: array of five values, or None.
    """
    ...
def mj_defaultVisual(vis: Any) -> Any:
    """Gives visualization settings their default values.
    
    Args:
        vis: the `MjVisual` that is set.
    """
    ...
def mj_differentiatePos(m: MjModel, qvel: Any, dt: Any, qpos1: Any, qpos2: Any) -> Any:
    """The velocity that takes one position to another in a given time; quaternions are differenced on the
    sphere.
    
    Args:
        m: the model, an `MjModel`.
        qvel: array (nv,) that gets the velocity (m/s or rad/s).
        dt: the time (s).
        qpos1: position at the start, shape (nq,) (m or rad, and quaternions).
        qpos2: position at the end, shape (nq,).
    """
    ...
def mj_encode(s: Any, m: MjModel, filename: str, content_type: Any = '') -> Any:
    """Writes a description, or the model it compiles to, as a file of a further format; returns the number of
    bytes.
    
    Args:
        s: the `MjSpec`.
        m: its compiled `MjModel`, or None.
        filename: path of the file; its extension chooses the encoder when there is no content type.
        content_type: content type of the format, or "".
    
    Raises:
        ValueError: no encoder is registered for the format, or it fails.
    """
    ...
def mj_energyPos(m: MjModel, d: MjData) -> Any:
    """Potential energy of gravity and springs, in joules.
    
    Reads `xipos`, `qpos`, `ten_length`.
    Writes `energy[0]`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_energyVel(m: MjModel, d: MjData) -> Any:
    """Kinetic energy, in joules.
    
    Reads `qvel`, `M`.
    Writes `energy[1]`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_extractState(m: MjModel, src: ArrayLike, srcsig: Any, dst: Any, dstsig: Any) -> Any:
    """Copies some components out of a state vector into a smaller one.
    
    Args:
        m: the model, an `MjModel`.
        src: the state vector.
        srcsig: its components, `mjtState` bits.
        dst: array of `mj_stateSize(m, dstsig)` values that gets the result.
        dstsig: the components wanted, a subset of `srcsig`.
    """
    ...
def mj_factorM(m: MjModel, d: MjData) -> Any:
    """Factors the inertia matrix: `M = Lᵀ D L`, sparse.
    
    Reads `M`.
    Writes `qLD`, `qLDiagInv`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_flex(m: MjModel, d: MjData) -> Any:
    """Vertices, bounding boxes and edges of flexes.
    
    Reads the results of `mj_kinematics`.
    Writes `flexvert_xpos`, `flexelem_aabb`, `flexedge_length`, `flexedge_J` and the like.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_forward(m: MjModel, d: MjData) -> Any:
    """Forward dynamics: computes all results, `qacc` and the sensors among them, and leaves state and time as
    they are.
    
    Call it after you have changed `qpos`, `qvel`, inputs or the model, before you read results such as
    `xpos`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
    """
    ...
def mj_forwardSkip(m: MjModel, d: MjData, skipstage: Any, skipsensor: Any) -> Any:
    """Forward dynamics without the stages whose inputs have not changed.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        skipstage: last stage to skip, an `mjtStage`: `mjSTAGE_NONE`, `mjSTAGE_POS` or `mjSTAGE_VEL`.
        skipsensor: not 0 to skip the sensors, too.
    """
    ...
def mj_fullM(m: MjModel, dst: Any, M: Any) -> Any:
    """Writes an inertia matrix in the packed order of `d.qM` as a full symmetric matrix.
    
    Args:
        m: the model, an `MjModel`.
        dst: array (nv, nv) that gets the matrix.
        M: packed matrix, shape (nM,), usually `d.qM`.
    
    Example::
    
        full = np.zeros((model.nv, model.nv))
        kinetree.mj_fullM(model, full, data.qM)
    """
    ...
def mj_fwdAcceleration(m: MjModel, d: MjData) -> Any:
    """Sums all forces that are not constraint forces, and the acceleration that they alone would cause.
    
    Reads `qfrc_passive`, `qfrc_bias`, `qfrc_applied`, `xfrc_applied`, `qfrc_actuator`, `qLD`.
    Writes `qfrc_smooth`, `qacc_smooth`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_fwdActuation(m: MjModel, d: MjData) -> Any:
    """Actuator dynamics and forces.
    
    Reads `ctrl`, `act`, `actuator_length`, `actuator_velocity`, `actuator_moment`.
    Writes `act_dot`, `actuator_force`, `qfrc_actuator`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_fwdConstraint(m: MjModel, d: MjData) -> Any:
    """Solves for the constraint forces and the acceleration.
    
    Reads `qacc_smooth`, `qacc_warmstart`, `efc_aref` and the results of `mj_makeConstraint`.
    Writes `qacc`, `efc_force`, `efc_state`, `qfrc_constraint`, `solver_niter`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_fwdKinematics(m: MjModel, d: MjData) -> Any:
    """The kinematic part of the position stage: `mj_kinematics`, `mj_comPos`, `mj_camlight`, `mj_flex` and `mj_tendon`.
    
    Reads `qpos`, `mocap_pos`, `mocap_quat`.
    Writes what these write.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_fwdPosition(m: MjModel, d: MjData) -> Any:
    """The position stage: all that follows from positions, from kinematics to contacts and constraints.
    
    Reads `qpos`, `mocap_pos`, `mocap_quat`, `eq_active`.
    Writes poses, `M` and its factor, `contact`, `efc_…` fields, `actuator_length`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_fwdVelocity(m: MjModel, d: MjData) -> Any:
    """The velocity stage: all that follows from velocities.
    
    Reads `qvel` and the results of `mj_fwdPosition`.
    Writes `cvel`, `qfrc_passive`, `qfrc_bias`, `efc_vel`, `efc_aref`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_fwdVelocitySmooth(m: MjModel, d: MjData) -> Any:
    """The velocity stage without constraints: velocities of tendons, actuators and bodies, passive and bias forces.
    
    Reads `qvel` and the results of the position stage.
    Writes `ten_velocity`, `actuator_velocity`, `cvel`, `cdof_dot`, `qfrc_passive` and its parts, `qfrc_bias`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_geomDistance(m: MjModel, d: MjData, geom1: Any, geom2: Any, distmax: Any, fromto: Any) -> Any:
    """Smallest signed distance between two geoms (m); negative when they penetrate.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        geom1: id of the first geom.
        geom2: id of the second geom.
        distmax: largest distance of interest (m); it is returned when the geoms are farther apart.
        fromto: array (6,) that gets the nearest points of both geoms in the world (m), or None.
    """
    ...
def mj_getCache() -> Any:
    """The cache in which the compiler keeps decoded meshes and textures, for `mj_getCacheSize`,
    `mj_setCacheCapacity` and `mj_clearCache`.
    """
    ...
def mj_getCacheCapacity(cache: Any) -> Any:
    """Largest size of the cache, in bytes.
    
    Args:
        cache: the cache, from `mj_getCache`.
    """
    ...
def mj_getCacheSize(cache: Any) -> Any:
    """Size of the assets in the cache, in bytes.
    
    Args:
        cache: the cache, from `mj_getCache`.
    """
    ...
def mj_getState(m: MjModel, d: MjData, state: Any, sig: Any) -> Any:
    """Copies components of a world's state into a vector.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        state: array of `mj_stateSize(m, sig)` values that gets them.
        sig: which components, a combination of `mjtState` bits such as `mjSTATE_INTEGRATION`.
    
    Example::
    
        sig = kinetree.mjtState.mjSTATE_INTEGRATION
        state = np.empty(kinetree.mj_stateSize(model, sig))
        kinetree.mj_getState(model, data, state, sig)
    """
    ...
def mj_getTotalmass(m: MjModel) -> Any:
    """Total mass of all bodies (kg).
    
    Args:
        m: the model, an `MjModel`.
    """
    ...
def mj_id2name(m: MjModel, type: int, id: int) -> Any:
    """Name of an element, None when it has none or does not exist.
    
    Args:
        m: the model, an `MjModel`.
        type: kind of the element, an `mjtObj`.
        id: its id.
    """
    ...
def mj_implicit(m: MjModel, d: MjData) -> Any:
    """Integrates one step with the implicit or the fast implicit method, as `m.opt.integrator` says.
    
    Reads the results of `mj_forward`.
    Writes `qpos`, `qvel`, `act`, `time`, `qacc_warmstart`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_initCtrlHistory(m: MjModel, d: MjData, id: int, times: Any, values: Any) -> Any:
    """Fills the control history of an actuator.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        id: id of the actuator.
        times: times (s), one per sample, increasing; None keeps those that are there.
        values: controls, as many as samples.
    
    Raises:
        ValueError: the actuator keeps no history.
    """
    ...
def mj_initSensorHistory(m: MjModel, d: MjData, id: int, times: Any, values: Any, phase: Any) -> Any:
    """Fills the history of a sensor.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        id: id of the sensor.
        times: times (s), one per sample, increasing; None keeps those that are there.
        values: sensor values, shape (samples, `m.sensor_dim[id]`).
        phase: time (s) from which the sensor's interval is counted.
    
    Raises:
        ValueError: the sensor keeps no history.
    """
    ...
def mj_integratePos(m: MjModel, qpos: Any, qvel: Any, dt: Any) -> Any:
    """Moves a position along a velocity for a given time; quaternions are rotated and stay unit quaternions.
    
    Args:
        m: the model, an `MjModel`.
        qpos: position, shape (nq,), changed in place (m or rad, and quaternions).
        qvel: velocity, shape (nv,) (m/s or rad/s).
        dt: the time (s).
    """
    ...
def mj_invConstraint(m: MjModel, d: MjData) -> Any:
    """Constraint forces for a given acceleration, in closed form.
    
    Reads `qacc` and the results of the position and velocity stages.
    Writes `efc_force`, `qfrc_constraint`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_invPosition(m: MjModel, d: MjData) -> Any:
    """The position stage of inverse dynamics.
    
    Reads `qpos`, `mocap_pos`, `mocap_quat`, `eq_active`.
    Writes what `mj_fwdPosition` writes, without islands.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_invVelocity(m: MjModel, d: MjData) -> Any:
    """The velocity stage of inverse dynamics.
    
    Reads `qvel` and the results of `mj_invPosition`.
    Writes what `mj_fwdVelocity` writes.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_inverse(m: MjModel, d: MjData) -> Any:
    """Inverse dynamics: the generalized force that causes the acceleration `d.qacc`.
    
    Reads `qpos`, `qvel` and `qacc`; writes `qfrc_inverse`, shape (nv,), and the results of the position and
    velocity stages. With the flag `invdiscrete` the acceleration is that of a step instead of the continuous
    one.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
    """
    ...
def mj_inverseSkip(m: MjModel, d: MjData, skipstage: Any, skipsensor: Any) -> Any:
    """Inverse dynamics without the stages whose inputs have not changed.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        skipstage: last stage to skip, an `mjtStage`.
        skipsensor: not 0 to skip the sensors, too.
    """
    ...
def mj_isDual(m: MjModel) -> int:
    """1 if the solver works in constraint space (PGS, or noslip iterations), else 0.
    
    Args:
        m: the model, an `MjModel`.
    """
    ...
def mj_isPyramidal(m: MjModel) -> int:
    """1 if friction cones are pyramidal (`m.opt.cone`), else 0.
    
    Args:
        m: the model, an `MjModel`.
    """
    ...
def mj_isSparse(m: MjModel) -> int:
    """1 if the constraint Jacobian is stored sparse (`m.opt.jacobian`, and its size when that is automatic),
    else 0.
    
    Args:
        m: the model, an `MjModel`.
    """
    ...
def mj_island(m: MjModel, d: MjData) -> int:
    """Finds constraint islands: groups of trees that constraints couple.
    
    Reads `efc_J`, `efc_type`, `efc_id`.
    Writes `nisland`, `efc_island`, `dof_island` and the other fields of islands.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_jac(m: MjModel, d: MjData, jacp: Any, jacr: Any, point: Any, body: int) -> Any:
    """Jacobian of a point that is fixed to a body: `jacp @ d.qvel` is its velocity, `jacr @ d.qvel` the angular
    velocity.
    
    Call `mj_forward`, or `mj_kinematics` and `mj_comPos`, before: `subtree_com` and `cdof` are read.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        jacp: array of shape (3, nv) for the translational part (m per m or rad), or None.
        jacr: array of shape (3, nv) for the rotational part (rad per m or rad), or None.
        point: the point in the world, shape (3,) (m).
        body: id of the body.
    
    Example::
    
        jacp = np.zeros((3, model.nv))
        kinetree.mj_jac(model, data, jacp, None, data.xpos[body], body)
    """
    ...
def mj_jacBody(m: MjModel, d: MjData, jacp: Any, jacr: Any, body: int) -> Any:
    """Jacobian of a body's frame: `jacp @ d.qvel` is its velocity, `jacr @ d.qvel` its angular velocity.
    
    Call `mj_forward`, or `mj_kinematics` and `mj_comPos`, before.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        jacp: array of shape (3, nv) for the translational part (m per m or rad), or None.
        jacr: array of shape (3, nv) for the rotational part (rad per m or rad), or None.
        body: id of the body.
    """
    ...
def mj_jacBodyCom(m: MjModel, d: MjData, jacp: Any, jacr: Any, body: int) -> Any:
    """Jacobian of a body's centre of mass: `jacp @ d.qvel` is its velocity, `jacr @ d.qvel` its angular velocity.
    
    Call `mj_forward`, or `mj_kinematics` and `mj_comPos`, before.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        jacp: array of shape (3, nv) for the translational part (m per m or rad), or None.
        jacr: array of shape (3, nv) for the rotational part (rad per m or rad), or None.
        body: id of the body.
    """
    ...
def mj_jacDot(m: MjModel, d: MjData, jacp: Any, jacr: Any, point: Any, body: int) -> Any:
    """Time derivative of the Jacobian of a point that is fixed to a body.
    
    With it, the acceleration of the point is `jacp @ qacc + jacp_dot @ qvel`. Call `mj_forward` before, or
    the position stage and `mj_comVel`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        jacp: array (3, nv) for the derivative of the translational part (1/s, or m/s per rad), or None.
        jacr: array (3, nv) for the derivative of the rotational part (1/s), or None.
        point: the point in the world, shape (3,) (m).
        body: id of the body.
    """
    ...
def mj_jacGeom(m: MjModel, d: MjData, jacp: Any, jacr: Any, geom: int) -> Any:
    """Jacobian of a geom: `jacp @ d.qvel` is its velocity, `jacr @ d.qvel` its angular velocity.
    
    Call `mj_forward`, or `mj_kinematics` and `mj_comPos`, before.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        jacp: array of shape (3, nv) for the translational part (m per m or rad), or None.
        jacr: array of shape (3, nv) for the rotational part (rad per m or rad), or None.
        geom: id of the geom.
    """
    ...
def mj_jacPointAxis(m: MjModel, d: MjData, jacPoint: Any, jacAxis: Any, point: Any, axis: Any, body: int) -> Any:
    """Jacobians of a point and of an axis that move with a body, in world coordinates.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        jacPoint: array (3, nv) for the point (m per m or rad), or None.
        jacAxis: array (3, nv) for the axis (1/rad), or None.
        point: the point in the world, shape (3,) (m).
        axis: the axis in the world, shape (3,).
        body: id of the body.
    """
    ...
def mj_jacSite(m: MjModel, d: MjData, jacp: Any, jacr: Any, site: int) -> Any:
    """Jacobian of a site: `jacp @ d.qvel` is its velocity, `jacr @ d.qvel` its angular velocity.
    
    Call `mj_forward`, or `mj_kinematics` and `mj_comPos`, before.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        jacp: array of shape (3, nv) for the translational part (m per m or rad), or None.
        jacr: array of shape (3, nv) for the rotational part (rad per m or rad), or None.
        site: id of the site.
    """
    ...
def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: Any, body: int) -> Any:
    """Jacobian of the centre of mass of a body and all below it.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        jacp: array of shape (3, nv) that gets it (m per m or rad).
        body: id of the root of the subtree; 0 for the whole model.
    """
    ...
def mj_kinematics(m: MjModel, d: MjData) -> Any:
    """Forward kinematics: poses of bodies, inertial frames, geoms and sites, and anchors and axes of joints.
    
    Reads `qpos`, `mocap_pos`, `mocap_quat`.
    Writes `xpos`, `xquat`, `xmat`, `xipos`, `ximat`, `xanchor`, `xaxis`, `geom_xpos`, `geom_xmat`, `site_xpos`, `site_xmat`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_loadAllPluginLibraries(directory: Any) -> Any:
    """Loads nothing and warns: plugins that are compiled for MuJoCo need its library. Use `register_plugin`.
    
    Args:
        directory: path of a folder.
    """
    ...
def mj_loadModel(filename: str, assets: Any = None) -> Any:
    """Loads a model in MuJoCo's binary format; the same as `MjModel.from_binary_path`.
    
    Args:
        filename: path of the file.
        assets: dictionary from file names to bytes; these are found before the disk is searched.
    """
    ...
def mj_loadPluginLibrary(path: Any) -> Any:
    """Not supported: plugins that are compiled for MuJoCo need its library. Use `register_plugin`.
    
    Args:
        path: path of a library.
    
    Raises:
        FatalError: always.
    """
    ...
def mj_local2Global(d: MjData, xpos: Any, xmat: Any, pos: Any, quat: Any, body: int, sameframe: Any) -> Any:
    """Pose in the world of a frame that is given relative to a body. Reads `xpos`, `xquat`, `xipos`, `ximat`.
    
    Args:
        d: its data, an `MjData`.
        xpos: array (3,) that gets the position in the world (m).
        xmat: array of 9 values that gets the rotation matrix.
        pos: position in the body's frame, shape (3,) (m).
        quat: orientation in the body's frame, shape (4,).
        body: id of the body.
        sameframe: an `mjtSameFrame`: whether the frame coincides with the body's or its inertial frame.
    """
    ...
def mj_makeConstraint(m: MjModel, d: MjData) -> Any:
    """Makes the rows of all active constraints: equalities, dry friction, limits, contacts.
    
    Reads `contact`, `eq_active` and the results of the position stage.
    Writes `nefc` and its parts, `efc_J`, `efc_pos`, `efc_margin`, `efc_D`, `efc_R`, `efc_KBIP` and the other `efc_…` fields of positions.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_makeM(m: MjModel, d: MjData) -> Any:
    """The joint-space inertia matrix, with the armature of joints and tendons.
    
    Reads `cinert`, `cdof`, `ten_J`.
    Writes `crb`, `M`, `qM`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_maxContact(m: MjModel, g1: Any, g2: Any, has_margin: Any) -> Any:
    """Largest number of contacts that two geoms can have.
    
    Args:
        m: the model, an `MjModel`.
        g1: id of the first geom.
        g2: id of the second geom.
        has_margin: whether the pair has a margin, which limits the contacts of flat faces.
    """
    ...
def mj_mulJacTVec(m: MjModel, d: MjData, res: Any, vec: Any) -> Any:
    """Multiplies a vector by the transposed constraint Jacobian: `res = Jᵀ vec`. Reads `d.efc_J`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        res: array (nv,) that gets the product.
        vec: the vector in constraint space, shape (nefc,).
    """
    ...
def mj_mulJacVec(m: MjModel, d: MjData, res: Any, vec: Any) -> Any:
    """Multiplies a vector by the constraint Jacobian: `res = J vec`. Reads `d.efc_J`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        res: array (nefc,) that gets the product.
        vec: the vector in joint space, shape (nv,).
    """
    ...
def mj_mulM(m: MjModel, d: MjData, res: Any, vec: Any) -> Any:
    """Multiplies a vector by the joint-space inertia matrix: `res = M vec`. Reads `d.M`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        res: array (nv,) that gets the product.
        vec: the vector, shape (nv,).
    """
    ...
def mj_mulM2(m: MjModel, d: MjData, res: Any, vec: Any) -> Any:
    """Multiplies a vector by a square root of the inertia matrix: `res = sqrt(D) L vec`, where `M = Lᵀ D L`.
    Reads `d.qLD`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        res: array (nv,) that gets the product.
        vec: the vector, shape (nv,).
    """
    ...
def mj_multiRay(m: MjModel, d: MjData, pnt: Any, vec: Any, geomgroup: Any, flg_static: Any, bodyexclude: Any, geomid: Any, dist: Any, normal: Any, nray: Any, cutoff: Any) -> Any:
    """Casts many rays from one point, as `mj_ray` does one.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        pnt: start of the ray in the world, shape (3,) (m).
        vec: directions, `3 * nray` values.
        geomgroup: six flags, one per geom group that is to be hit; None for all groups.
        flg_static: whether geoms of bodies that are fixed to the world count.
        bodyexclude: id of a body whose geoms are ignored, -1 for none.
        geomid: int32 array (nray,) that gets the geoms, -1 where a ray hits none.
        dist: array (nray,) that gets the distances in multiples of the directions' lengths, -1 where a ray
            hits none.
        normal: array of `3 * nray` values that gets the surface normals, or None.
        nray: number of rays.
        cutoff: largest distance, in the same multiples; hits farther away do not count.
    """
    ...
def mj_name2id(m: MjModel, type: int, name: str) -> int:
    """Id of a named element, -1 when there is none.
    
    Args:
        m: the model, an `MjModel`.
        type: kind of the element, an `mjtObj`.
        name: its name.
    
    Example::
    
        hand = kinetree.mj_name2id(model, kinetree.mjtObj.mjOBJ_BODY, "hand")
    """
    ...
def mj_normalizeQuat(m: MjModel, qpos: Any) -> Any:
    """Normalizes the quaternions of free and ball joints in a position vector.
    
    Args:
        m: the model, an `MjModel`.
        qpos: position, shape (nq,), changed in place (m or rad, and quaternions).
    """
    ...
def mj_objectAcceleration(m: MjModel, d: MjData, objtype: Any, objid: Any, res: Any, flg_local: Any) -> Any:
    """Spatial acceleration of a body, geom, site or camera: angular (rad/s²), then linear (m/s²), of which
    gravity is subtracted: an object at rest has `-opt.gravity`.
    
    Reads `d.cacc`: call `mj_rnePostConstraint` before.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        objtype: kind of the object, an `mjtObj`.
        objid: its id.
        res: array (6,) that gets the acceleration (rad/s², then m/s²).
        flg_local: whether in the object's own axes; otherwise in the world's.
    """
    ...
def mj_objectVelocity(m: MjModel, d: MjData, objtype: Any, objid: Any, res: Any, flg_local: Any) -> Any:
    """Spatial velocity of a body, geom, site or camera: angular velocity (rad/s), then linear velocity (m/s).
    
    Reads `d.cvel`. The linear part is that of the object's origin.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        objtype: kind of the object, an `mjtObj`; `mjOBJ_BODY` is the inertial frame, `mjOBJ_XBODY` the
            body's frame.
        objid: its id.
        res: array (6,) that gets the velocity (rad/s, then m/s).
        flg_local: whether in the object's own axes; otherwise in the world's.
    
    Example::
    
        velocity = np.zeros(6)
        kinetree.mj_objectVelocity(model, data, kinetree.mjtObj.mjOBJ_SITE, 0, velocity, 0)
    """
    ...
def mj_passive(m: MjModel, d: MjData) -> Any:
    """Passive forces: springs, dampers, gravity compensation, fluid forces, and those of plugins and callbacks.
    
    Reads `qpos`, `qvel`, and the results of the position and velocity stages.
    Writes `qfrc_spring`, `qfrc_damper`, `qfrc_gravcomp`, `qfrc_fluid`, `qfrc_passive`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_printData(m: MjModel, d: MjData, filename: str) -> Any:
    """Writes all arrays of a world to a text file.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        filename: path of the file.
    """
    ...
def mj_printFormattedData(m: MjModel, d: MjData, filename: str, float_format: Any = None) -> Any:
    """Writes a world to a text file as `mj_printData` does, with numbers in a given format.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        filename: path of the file.
        float_format: format of numbers as in C, such as `"%.6g"`.
    
    Raises:
        ValueError: the format is not understood.
    """
    ...
def mj_printFormattedModel(m: MjModel, filename: str, float_format: Any = None) -> Any:
    """Writes a model to a text file as `mj_printModel` does, with numbers in a given format.
    
    Args:
        m: the model, an `MjModel`.
        filename: path of the file.
        float_format: format of numbers as in C, such as `"%.6g"`.
    
    Raises:
        ValueError: the format is not understood.
    """
    ...
def mj_printFormattedScene(s: Any, filename: str, float_format: Any) -> Any:
    """Writes a scene to a text file as `mj_printScene` does, with numbers in a given format.
    
    Args:
        s: an `MjvScene`.
        filename: path of the file.
        float_format: format of numbers as in C, such as `"%.6g"`.
    """
    ...
def mj_printModel(m: MjModel, filename: str) -> Any:
    """Writes sizes, options and all elements of a model to a text file.
    
    Args:
        m: the model, an `MjModel`.
        filename: path of the file.
    """
    ...
def mj_printScene(s: Any, filename: str) -> Any:
    """Writes the geoms, lights and cameras of a scene to a text file.
    
    Args:
        s: an `MjvScene`.
        filename: path of the file.
    """
    ...
def mj_printSchema(flg_html: Any, flg_pad: Any) -> Any:
    """The elements and attributes of MJCF that are understood, as text.
    
    Args:
        flg_html: as HTML instead of plain text.
        flg_pad: indent by level.
    """
    ...
def mj_projectConstraint(m: MjModel, d: MjData) -> Any:
    """Inverse inertia in constraint space, for solvers that need it.
    
    Reads `efc_J`, `efc_R`, `qLD`.
    Writes `efc_AR`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_ray(m: MjModel, d: MjData, pnt: Any, vec: Any, geomgroup: Any, flg_static: Any, bodyexclude: Any, geomid: Any, normal: Any = None) -> Any:
    """Casts a ray against the visible geoms of a model and returns the distance to the nearest one, -1 when it
    hits none.
    
    Call `mj_forward` or `mj_kinematics` before: the geom poses `geom_xpos` and `geom_xmat` are read. Geoms
    whose alpha is 0 are not hit. The point hit is `pnt + distance * vec`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        pnt: start of the ray in the world, shape (3,) (m).
        vec: direction of the ray, shape (3,); distances are in multiples of its length.
        geomgroup: six flags (uint8), one per geom group that is to be hit; None for all groups.
        flg_static: whether geoms of bodies that are fixed to the world count.
        bodyexclude: id of a body whose geoms are ignored, -1 for none.
        geomid: int32 array of shape (1,) that gets the id of the geom, -1 for none; or None.
        normal: array of shape (3,) that gets the surface normal where the ray hits, zeros when it
            misses; or None.
    
    Example::
    
        geomid = np.zeros(1, np.int32)
        distance = kinetree.mj_ray(model, data, [0, 0, 2], [0, 0, -1], None, 1, -1, geomid)
    """
    ...
def mj_rayFlex(m: MjModel, d: MjData, flex_layer: Any, flg_vert: Any, flg_edge: Any, flg_face: Any, flg_skin: Any, flexid: Any, pnt: Any, vec: Any, vertid: Any = None, normal: Any = None) -> Any:
    """Distance along a ray to one flex, -1 when it misses.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        flex_layer: layer of elements that is drawn in three-dimensional flexes; only that one is hit.
        flg_vert: whether vertices are hit.
        flg_edge: whether edges are hit.
        flg_face: whether faces are hit.
        flg_skin: whether the smooth surface is hit.
        flexid: id of the flex.
        pnt: start of the ray in the world, shape (3,) (m).
        vec: direction of the ray, shape (3,); distances are in multiples of its length.
        vertid: int32 array of shape (1,) that gets the vertex nearest to the hit, or None.
        normal: array of shape (3,) that gets the surface normal where the ray hits, zeros when it
            misses; or None.
    """
    ...
def mj_rayHfield(m: MjModel, d: MjData, geomid: Any, pnt: Any, vec: Any, normal: Any = None) -> Any:
    """Distance along a ray to a geom that is a height field; -1 when it misses. Reads the pose of the geom.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        geomid: id of the geom.
        pnt: start of the ray in the world, shape (3,) (m).
        vec: direction of the ray, shape (3,); distances are in multiples of its length.
        normal: array of shape (3,) that gets the surface normal, or None.
    
    Raises:
        FatalError: the geom is not a height field.
    """
    ...
def mj_rayMesh(m: MjModel, d: MjData, geomid: Any, pnt: Any, vec: Any, normal: Any = None) -> Any:
    """Distance along a ray to a geom that is a mesh; -1 when it misses. Reads the pose of the geom.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        geomid: id of the geom.
        pnt: start of the ray in the world, shape (3,) (m).
        vec: direction of the ray, shape (3,); distances are in multiples of its length.
        normal: array of shape (3,) that gets the surface normal, or None.
    
    Raises:
        FatalError: the geom is not a mesh.
    """
    ...
def mj_readCtrl(m: MjModel, d: MjData, id: int, time: Any, interp: Any) -> Any:
    """The control of an actuator at an earlier time, from its history.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        id: id of the actuator; it keeps a history when it has a delay.
        time: the time (s).
        interp: order of interpolation, 0 (hold), 1 (linear) or 2 (cubic); negative for that of the
            model.
    """
    ...
def mj_readSensor(m: MjModel, d: MjData, id: int, time: Any, result: Any, interp: Any) -> Any:
    """The values of a sensor at an earlier time, from its history.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        id: id of the sensor.
        time: the time (s).
        result: array of `m.sensor_dim[id]` values; it is written and returned.
        interp: order of interpolation, 0 (hold), 1 (linear) or 2 (cubic); negative for that of the
            model.
    """
    ...
def mj_referenceConstraint(m: MjModel, d: MjData) -> Any:
    """Velocities and reference accelerations of the constraint rows.
    
    Reads `qvel`, `efc_J`, `efc_KBIP`, `efc_pos`.
    Writes `efc_vel`, `efc_aref`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_resetCallbacks() -> Any:
    """Removes all callbacks that `set_mjcb_…` functions have set."""
    ...
def mj_resetData(m: MjModel, d: MjData) -> Any:
    """Resets a world: state and inputs to the model's initial values (`qpos0`, no velocity, time 0), results to
    zero.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
    """
    ...
def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: Any) -> Any:
    """Resets a world as `mj_resetData` does.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        debug_value: ignored: no array is left uninitialized, so that there is nothing to mark.
    """
    ...
def mj_resetDataKeyframe(m: MjModel, d: MjData, key: Any) -> Any:
    """Resets a world to a keyframe of the model.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        key: index of the keyframe; an index that does not exist resets as `mj_resetData` does.
    """
    ...
def mj_rne(m: MjModel, d: MjData, flg_acc: Any, result: Any) -> Any:
    """Recursive Newton-Euler algorithm: Coriolis, centrifugal and gravity forces, and inertial forces if asked
    for.
    
    Call the position stage and `mj_comVel` before: `cinert`, `cdof`, `cvel` and `cdof_dot` are read.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        flg_acc: whether to add `M qacc`, without tendon or joint armature.
        result: array (nv,) that gets the force (N or N m).
    """
    ...
def mj_rnePostConstraint(m: MjModel, d: MjData) -> Any:
    """Recursive Newton-Euler after the solver: accelerations of bodies, external forces and forces between bodies. Sensors that need it run it by themselves.
    
    Reads `qacc`, `cvel`, `cdof`, `cinert`, `efc_force`, `xfrc_applied`.
    Writes `cacc`, `cfrc_ext`, `cfrc_int`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_saveLastXML(filename: str, m: MjModel) -> Any:
    """Writes the description that a model was compiled from as an MJCF file; values that were changed in the model are written as they are now.
    
    Args:
        filename: path of the file.
        m: the `MjModel`.
    """
    ...
def mj_saveModel(m: MjModel, filename: str | None = None, buffer: Any = None) -> Any:
    """Writes a model in MuJoCo's binary format (MJB), which loads faster than MJCF; `MjModel.from_binary_path`
    reads it.
    
    Args:
        m: the model, an `MjModel`.
        filename: path of a file to write, or None.
        buffer: uint8 array of at least `mj_sizeModel(m)` bytes to write to, or None.
    
    Raises:
        FatalError: the file cannot be written, or the buffer is too small.
    """
    ...
def mj_saveXML(s: Any, filename: str) -> Any:
    """Writes a description as an MJCF file.
    
    Args:
        s: the `MjSpec`.
        filename: path of the file.
    """
    ...
def mj_saveXMLString(s: Any) -> Any:
    """A description as MJCF text.
    
    Args:
        s: the `MjSpec`.
    """
    ...
def mj_sensorAcc(m: MjModel, d: MjData) -> Any:
    """Sensors that depend on accelerations and forces.
    
    Reads the results of all stages.
    Writes their part of `sensordata`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_sensorPos(m: MjModel, d: MjData) -> Any:
    """Sensors that depend on positions only.
    
    Reads the results of the position stage.
    Writes their part of `sensordata`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_sensorVel(m: MjModel, d: MjData) -> Any:
    """Sensors that depend on velocities.
    
    Reads the results of the velocity stage.
    Writes their part of `sensordata`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_setCacheCapacity(cache: Any, size: Any) -> Any:
    """Changes the largest size of the cache and returns it.
    
    Args:
        cache: the cache, from `mj_getCache`.
        size: the size in bytes; 0 turns caching off.
    """
    ...
def mj_setConst(m: MjModel, d: MjData) -> Any:
    """Recomputes the constants of a model that derive from other fields, such as `body_subtreemass`,
    `dof_invweight0` and `stat`.
    
    Call it after you have changed masses, inertias, poses or `qpos0`. Fields of the data are overwritten.
    
    Args:
        m: the model, which is changed.
        d: its data, used as working memory.
    """
    ...
def mj_setKeyframe(m: MjModel, d: MjData, k: Any) -> Any:
    """Stores the current state of a world as a keyframe of the model: `time`, `qpos`, `qvel`, `act`, `ctrl` and
    mocap poses.
    
    Args:
        m: the model, whose `key_…` fields are written.
        d: its data, an `MjData`.
        k: index of the keyframe.
    
    Raises:
        FatalError: `k` is not smaller than `m.nkey`.
    """
    ...
def mj_setLengthRange(m: MjModel, d: MjData, index: Any, opt: Any) -> Any:
    """Finds the shortest and longest length of an actuator by simulation and stores them in
    `m.actuator_lengthrange`.
    
    Args:
        m: the model, which is changed.
        d: its data, an `MjData`.
        index: id of the actuator.
        opt: how to search, an `MjLROpt`.
    
    Raises:
        FatalError: the length does not converge.
    """
    ...
def mj_setState(m: MjModel, d: MjData, state: Any, sig: Any) -> Any:
    """Sets components of a world's state from a vector that `mj_getState` has filled.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        state: `mj_stateSize(m, sig)` values.
        sig: which components, a combination of `mjtState` bits such as `mjSTATE_INTEGRATION`.
    """
    ...
def mj_setTotalmass(m: MjModel, newmass: Any) -> Any:
    """Scales all masses and inertias so that the masses add up to a total.
    
    Args:
        m: the model, whose `body_mass` and `body_inertia` are scaled.
        newmass: the total (kg).
    """
    ...
def mj_sizeModel(m: MjModel) -> int:
    """Size of a model in MuJoCo's binary format, in bytes.
    
    Args:
        m: the model, an `MjModel`.
    """
    ...
def mj_solveM(m: MjModel, d: MjData, x: Any, y: Any) -> Any:
    """Solves `M x = y` with the factor of the inertia matrix that `mj_factorM` has computed (`d.qLD`).
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        x: array of the shape of `y` that gets the solutions.
        y: right-hand sides, one per row, shape (nv,) or (n, nv).
    """
    ...
def mj_solveM2(m: MjModel, d: MjData, x: Any, y: Any, sqrtInvD: Any) -> Any:
    """Half of a solution of `M x = y`: `x = sqrt(1/D) L⁻ᵀ y`, so that `x · x = yᵀ M⁻¹ y`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        x: array of the shape of `y` that gets the results.
        y: right-hand sides, one per row, shape (nv,) or (n, nv).
        sqrtInvD: square roots of `d.qLDiagInv`, shape (nv,).
    """
    ...
def mj_stateSize(m: MjModel, sig: Any) -> int:
    """Number of values of a state vector.
    
    Args:
        m: the model, an `MjModel`.
        sig: which components, a combination of `mjtState` bits such as `mjSTATE_INTEGRATION`.
    """
    ...
def mj_step(m: MjModel, d: MjData, nstep: int = 1) -> Any:
    """Advances the simulation by `nstep` time steps of `m.opt.timestep` seconds.
    
    Runs the whole pipeline, then integrates: reads the state (`qpos`, `qvel`, `act`, `time`) and the inputs
    (`ctrl`, `qfrc_applied`, `xfrc_applied`, `mocap_pos`, `mocap_quat`, `eq_active`, `userdata`), and writes
    the next state and all results. Positions and sensors belong to the state before the integration; call
    `mj_forward` to bring them up to date.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        nstep: number of steps; other threads may run meanwhile.
    
    Raises:
        FatalError: the model asks for something unsupported, or the state was not finite before.
    
    Example::
    
        while data.time < 1.0:
            data.ctrl[:] = 0.1
            kinetree.mj_step(model, data)
    """
    ...
def mj_step1(m: MjModel, d: MjData) -> Any:
    """First half of a step: all that does not depend on the controls.
    
    Computes positions, velocities, contacts and constraints, and the sensors that depend on those. Set
    `d.ctrl` or the applied forces afterwards, then call `mj_step2`. With the Runge-Kutta integrator the
    second half uses Euler.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
    """
    ...
def mj_step2(m: MjModel, d: MjData) -> Any:
    """Second half of a step: actuation, constraint forces, the remaining sensors, and the integration.
    
    Call `mj_step1` before, and set the controls in between. Runge-Kutta is replaced by Euler, as it needs
    whole steps.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
    """
    ...
def mj_subtreeVel(m: MjModel, d: MjData) -> Any:
    """Linear velocity of the centre of mass and angular momentum about it, of each subtree.
    
    Reads `cvel`, `subtree_com`, `xipos`.
    Writes `subtree_linvel`, `subtree_angmom`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_tendon(m: MjModel, d: MjData) -> Any:
    """Lengths, paths and Jacobians of tendons.
    
    Reads the results of `mj_kinematics` and `mj_comPos`.
    Writes `ten_length`, `ten_J`, `ten_wrapadr`, `ten_wrapnum`, `wrap_obj`, `wrap_xpos`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_transmission(m: MjModel, d: MjData) -> Any:
    """Lengths and moment arms of actuators.
    
    Reads the results of `mj_kinematics`, `mj_comPos` and `mj_tendon`; for adhesion also contacts and constraints.
    Writes `actuator_length`, `actuator_moment`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`, whose fields are read and written.
    """
    ...
def mj_version() -> int:
    """Version of MuJoCo that this package is compatible with, as one integer; `mj_versionString` as text."""
    ...
def mj_versionString() -> Any:
    """Version of MuJoCo that this package is compatible with, as text; that of the package is
    `kinetree.__version__`.
    """
    ...
def mjd_inverse(m: MjModel, d: MjData, flg_actuation: Any, DfDq: Any = None, DfDv: Any = None, DfDa: Any = None, DsDq: Any = None, DsDv: Any = None, DsDa: Any = None, DmDq: Any = None) -> Any:
    """Analytic derivatives of inverse dynamics, in the layout of `mjd_inverseFD`: row i belongs to input i.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        flg_actuation: whether actuator forces are subtracted from the force.
        DfDq: array (nv, nv) for the derivative of the force by position, or None.
        DfDv: the same by velocity.
        DfDa: the same by acceleration.
        DsDq: array (nv, nsensordata) for the derivative of the sensors by position, or None.
        DsDv: the same by velocity.
        DsDa: the same by acceleration.
        DmDq: array (nv, nM) for the derivative of the inertia matrix, in the order of `qM`, by position,
            or None.
    
    Raises:
        FatalError: something in the model has no analytic derivative; the message names it.
    """
    ...
def mjd_inverseFD(m: MjModel, d: MjData, eps: Any, flg_actuation: Any, DfDq: Any = None, DfDv: Any = None, DfDa: Any = None, DsDq: Any = None, DsDv: Any = None, DsDa: Any = None, DmDq: Any = None) -> Any:
    """Derivatives of inverse dynamics by finite differences. Row i belongs to the perturbation of input i.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        eps: perturbation, such as 1e-6.
        flg_actuation: whether actuator forces are subtracted from the force.
        DfDq: array (nv, nv) for the derivative of the force by position, or None.
        DfDv: the same by velocity.
        DfDa: the same by acceleration.
        DsDq: array (nv, nsensordata) for the derivative of the sensors by position, or None.
        DsDv: the same by velocity.
        DsDa: the same by acceleration.
        DmDq: array (nv, nM) for the derivative of the inertia matrix, in the order of `qM`, by position,
            or None.
    """
    ...
def mjd_quatIntegrate(vel: Any, scale: Any, Dquat: Any, Dvel: Any, Dscale: Any) -> Any:
    """Derivatives of `mju_quatIntegrate` by its inputs.
    
    Args:
        vel: angular velocity, shape (3,) (rad/s).
        scale: time (s).
        Dquat: array of 9 values for the derivative by the quaternion.
        Dvel: array of 9 values for the derivative by `scale * vel`.
        Dscale: array (3,) for the derivative by `scale`.
    """
    ...
def mjd_subQuat(qa: Any, qb: Any, Da: Any, Db: Any) -> Any:
    """Derivatives of `mju_subQuat` by its two quaternions, in their tangent spaces.
    
    Args:
        qa: first quaternion, shape (4,).
        qb: second quaternion, shape (4,).
        Da: array of 9 values for the derivative by `qa`, or None.
        Db: array of 9 values for the derivative by `qb`, or None.
    """
    ...
def mjd_transition(m: MjModel, d: MjData, A: Any = None, B: Any = None, C: Any = None, D: Any = None) -> Any:
    """Analytic derivatives of one step, through contacts and the solver: of the next state and the sensors by
    the state and the controls.
    
    The layout is that of `mjd_transitionFD`; no step size is needed.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        A: array (2nv + na, 2nv + na) for the derivative of the next state by the state, or None.
        B: array (2nv + na, nu) for the derivative of the next state by the controls, or None.
        C: array (nsensordata, 2nv + na) for the derivative of the sensors by the state, or None.
        D: array (nsensordata, nu) for the derivative of the sensors by the controls, or None.
    
    Raises:
        FatalError: something in the model has no analytic derivative; the message names it.
    
    Example::
    
        n = 2 * model.nv + model.na
        A, B = np.zeros((n, n)), np.zeros((n, model.nu))
        kinetree.mjd_transition(model, data, A, B)
    """
    ...
def mjd_transitionFD(m: MjModel, d: MjData, eps: Any, flg_centered: Any, A: Any = None, B: Any = None, C: Any = None, D: Any = None) -> Any:
    """Derivatives of one step by finite differences: of the next state and the sensors by the state and the
    controls.
    
    A state change is (dq, dv, da): nv values in the tangent space of positions, nv velocities, na
    activations. State, time and controls of `d` are restored; results such as `qacc` are those of the last
    perturbed step, until `mj_forward` recomputes them.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        eps: perturbation, such as 1e-6.
        flg_centered: whether differences are central, which takes twice as long and is more accurate.
        A: array (2nv + na, 2nv + na) for the derivative of the next state by the state, or None.
        B: array (2nv + na, nu) for the derivative of the next state by the controls, or None.
        C: array (nsensordata, 2nv + na) for the derivative of the sensors by the state, or None.
        D: array (nsensordata, nu) for the derivative of the sensors by the controls, or None.
    """
    ...
def mjr_addAux(index: Any, width: Any, height: Any, samples: Any, con: Any) -> Any:
    """Makes or removes an auxiliary buffer.
    
    Args:
        index: which one, 0 to 9.
        width: its width in pixels; 0 removes it.
        height: its height in pixels; 0 removes it.
        samples: ignored: all pictures are drawn with the same antialiasing.
        con: the `MjrContext`.
    """
    ...
def mjr_blitAux(index: Any, src: ArrayLike, left: Any, bottom: Any, con: Any) -> Any:
    """Copies colours from an auxiliary buffer to the current main buffer.
    
    Args:
        index: which one, 0 to 9.
        src: the part to copy, an `MjrRect`.
        left: left edge of the target in pixels.
        bottom: lower edge of the target in pixels.
        con: the `MjrContext`.
    """
    ...
def mjr_blitBuffer(src: ArrayLike, dst: Any, flg_color: Any, flg_depth: Any, con: Any) -> Any:
    """Copies a part of the current buffer to the other one, window or offscreen; pixels are repeated or left out to fit.
    
    Args:
        src: the part to copy, an `MjrRect`.
        dst: the part to write, an `MjrRect`.
        flg_color: whether colours are copied.
        flg_depth: whether depth is copied.
        con: the `MjrContext`.
    
    Raises:
        FatalError: there is no window.
    """
    ...
def mjr_changeFont(fontscale: Any, con: Any) -> Any:
    """Changes the size of letters.
    
    Args:
        fontscale: an `mjtFontScale`.
        con: the `MjrContext`.
    """
    ...
def mjr_drawPixels(rgb: Any, depth: Any, viewport: Any, con: Any) -> Any:
    """Copies pixels into the current buffer; the first row is the lowest.
    
    Args:
        rgb: uint8 colours, shape (height, width, 3), or None.
        depth: float32 depth, shape (height, width), or None.
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        con: the `MjrContext`.
    """
    ...
def mjr_figure(viewport: Any, fig: Any, con: Any) -> Any:
    """Draws a plot: lines or bars, grid, tick labels, title and legend.
    
    Args:
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        fig: the `MjvFigure`.
        con: the `MjrContext`.
    """
    ...
def mjr_findRect(x: Any, y: Any, nrect: Any, rect: Any) -> Any:
    """Index of the rectangle that contains a point, -1 for none. The first one counts only when no other does.
    
    Args:
        x: pixels from the left.
        y: pixels from the bottom.
        nrect: number of rectangles.
        rect: list of `MjrRect`.
    """
    ...
def mjr_finish() -> Any:
    """Does nothing: what is read has been drawn by then."""
    ...
def mjr_getError() -> Any:
    """Always 0: errors of drawing are raised as exceptions."""
    ...
def mjr_label(viewport: Any, font: Any, txt: Any, r: Any, g: Any, b: Any, a: Any, rt: Any, gt: Any, bt: Any, con: Any) -> Any:
    """Writes text in the middle of a filled rectangle.
    
    Args:
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        font: an `mjtFont`.
        txt: the text.
        r: red of the rectangle, 0 to 1.
        g: green, 0 to 1.
        b: blue, 0 to 1.
        a: opacity, 0 to 1.
        rt: red of the text.
        gt: green of the text.
        bt: blue of the text.
        con: the `MjrContext`.
    """
    ...
def mjr_maxViewport(con: Any) -> Any:
    """The whole current buffer as an `MjrRect`.
    
    Args:
        con: the `MjrContext`.
    """
    ...
def mjr_overlay(font: Any, gridpos: Any, viewport: Any, overlay: Any, overlay2: Any, con: Any) -> Any:
    """Writes one or two columns of text on a dark rectangle.
    
    Args:
        font: an `mjtFont`.
        gridpos: where in the viewport, an `mjtGridPos`.
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        overlay: lines of the left column.
        overlay2: lines of the right column, or an empty text.
        con: the `MjrContext`.
    """
    ...
def mjr_readPixels(rgb: Any, depth: Any, viewport: Any, con: Any) -> Any:
    """Copies pixels of the current buffer; the first row is the lowest.
    
    Args:
        rgb: uint8 array (height, width, 3) that gets the colours, or None.
        depth: float32 array (height, width) that gets the depth, 0 to 1 as `con.readDepthMap` says, or None.
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        con: the `MjrContext`.
    
    Raises:
        FatalError: the viewport reaches beyond the buffer.
    """
    ...
def mjr_rectangle(viewport: Any, r: Any, g: Any, b: Any, a: Any) -> Any:
    """Fills a rectangle of the context that was used last.
    
    Args:
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        r: red, 0 to 1.
        g: green, 0 to 1.
        b: blue, 0 to 1.
        a: opacity, 0 to 1.
    """
    ...
def mjr_render(viewport: Any, scn: Any, con: Any) -> Any:
    """Draws a scene.
    
    Args:
        viewport: part of the buffer, an `MjrRect` in pixels from the lower left corner.
        scn: the `MjvScene`, filled by `mjv_updateScene`.
        con: the `MjrContext`.
    
    Raises:
        FatalError: the context was made without a model.
    """
    ...
def mjr_resizeOffscreen(width: Any, height: Any, con: Any) -> Any:
    """Changes the size of the offscreen buffer, which clears it.
    
    Args:
        width: width in pixels.
        height: height in pixels.
        con: the `MjrContext`.
    """
    ...
def mjr_restoreBuffer(con: Any) -> Any:
    """Draws to the buffer again that `mjr_setBuffer` has chosen, after an auxiliary one.
    
    Args:
        con: the `MjrContext`.
    """
    ...
def mjr_setAux(index: Any, con: Any) -> Any:
    """Draws to an auxiliary buffer, until `mjr_setBuffer` or `mjr_restoreBuffer`.
    
    Args:
        index: which one, 0 to 9.
        con: the `MjrContext`.
    """
    ...
def mjr_setBuffer(framebuffer: Any, con: Any) -> Any:
    """Chooses the buffer to draw to.
    
    Args:
        framebuffer: an `mjtFramebuffer`: the offscreen buffer, or the window that the program has made current with GLFW.
        con: the `MjrContext`.
    
    Raises:
        FatalError: there is no window.
    """
    ...
def mjr_text(font: Any, txt: Any, con: Any, x: Any, y: Any, r: Any, g: Any, b: Any) -> Any:
    """Writes text.
    
    Args:
        font: an `mjtFont`.
        txt: the text.
        con: the `MjrContext`.
        x: left end, relative to the width of the buffer, 0 to 1.
        y: lower end, relative to the height of the buffer, 0 to 1.
        r: red, 0 to 1.
        g: green, 0 to 1.
        b: blue, 0 to 1.
    """
    ...
def mjr_uploadHField(m: MjModel, con: Any, hfieldid: Any) -> Any:
    """Copies a height field of a model to the graphics adapter again, after a program has changed it.
    
    Args:
        m: the model, an `MjModel`.
        con: the `MjrContext`.
        hfieldid: id of the height field.
    """
    ...
def mjr_uploadMesh(m: MjModel, con: Any, meshid: Any) -> Any:
    """Copies a mesh of a model to the graphics adapter again, after a program has changed it.
    
    Args:
        m: the model, an `MjModel`.
        con: the `MjrContext`.
        meshid: id of the mesh.
    """
    ...
def mjr_uploadTexture(m: MjModel, con: Any, texid: Any) -> Any:
    """Copies a texture of a model to the graphics adapter again, after a program has changed it.
    
    Args:
        m: the model, an `MjModel`.
        con: the `MjrContext`.
        texid: id of the texture.
    """
    ...
def mju_Halton(index: Any, base: Any) -> Any:
    """Element of the Halton sequence, quasi-random numbers between 0 and 1.
    
    Args:
        index: which element.
        base: base of the sequence, a prime, at least 2.
    """
    ...
def mju_L1(vec: Any) -> Any:
    """Sum of the absolute values of the array `vec`."""
    ...
def mju_add(res: Any, vec1: Any, vec2: Any) -> Any:
    """Computes `res = vec1 + vec2`: writes `res` from `vec1` and `vec2`, arrays of equal length."""
    ...
def mju_add3(res: Any, vec1: Any, vec2: Any) -> Any:
    """Computes `res = vec1 + vec2` in three dimensions: writes `res` from `vec1` and `vec2`, three values each."""
    ...
def mju_addScl(res: Any, vec1: Any, vec2: Any, scl: Any) -> Any:
    """Adds a scaled vector: `res = vec1 + vec2 * scl`. `res`, `vec1` and `vec2` are arrays of equal length;
    `res` is written, `scl` is a number.
    """
    ...
def mju_addScl3(res: Any, vec1: Any, vec2: Any, scl: Any) -> Any:
    """Adds a scaled vector, in three dimensions: `res = vec1 + vec2 * scl`. Writes `res`; `vec1` and `vec2`
    have shape (3,), `scl` is a number.
    """
    ...
def mju_addTo(res: Any, vec: Any) -> Any:
    """Computes `res = res + vec`: changes `res`; `vec` has the same length."""
    ...
def mju_addTo3(res: Any, vec: Any) -> Any:
    """Computes `res = res + vec` in three dimensions: changes `res`; `vec` has three values."""
    ...
def mju_addToScl(res: Any, vec: Any, scl: Any) -> Any:
    """Computes `res = res + vec*scl`: changes `res`; `vec` has the same length, `scl` is a number."""
    ...
def mju_addToScl3(res: Any, vec: Any, scl: Any) -> Any:
    """Computes `res = res + vec*scl` in three dimensions: changes `res`; `vec` has three values, `scl` is a number."""
    ...
def mju_axisAngle2Quat(res: Any, axis: Any, angle: Any) -> Any:
    """Quaternion of a rotation about an axis. Writes `res` (4 values) from the unit vector `axis` and `angle`
    in radians.
    """
    ...
def mju_band2Dense(res: Any, mat: Any, ntotal: Any, nband: Any, ndense: Any, flg_sym: Any) -> Any:
    """Writes a band matrix as a full one.
    
    Args:
        res: array (ntotal, ntotal) that gets the matrix.
        mat: band matrix, its values in one row.
        ntotal: order of the whole matrix.
        nband: width of the band, the diagonal included.
        ndense: number of dense rows at the end.
        flg_sym: whether the upper triangle is written, too.
    """
    ...
def mju_bandDiag(i: Any, ntotal: Any, nband: Any, ndense: Any) -> Any:
    """Index of a diagonal entry in a band matrix: a symmetric one with a band, and dense rows at its end.
    
    Args:
        i: which diagonal entry.
        ntotal: order of the whole matrix.
        nband: width of the band, the diagonal included.
        ndense: number of dense rows at the end.
    """
    ...
def mju_bandMulMatVec(res: Any, mat: Any, vec: Any, ntotal: Any, nband: Any, ndense: Any, nvec: Any, flg_sym: Any) -> Any:
    """Multiplies vectors by a band matrix.
    
    Args:
        res: array of `ntotal * nvec` values that gets the products.
        mat: band matrix.
        vec: `nvec` vectors of `ntotal` values, one after the other.
        ntotal: order of the whole matrix.
        nband: width of the band, the diagonal included.
        ndense: number of dense rows at the end.
        nvec: number of vectors.
        flg_sym: whether the matrix is symmetric; otherwise only its lower triangle counts.
    """
    ...
def mju_boxQP(res: Any, R: Any, index: Any, H: Any, g: Any, lower: Any, upper: Any) -> Any:
    """Minimizes `½ xᵀ H x + gᵀ x` between bounds, by projected Newton steps.
    
    Returns the number of variables that are not at a bound, or -1 when `H` is not positive definite on them.
    
    Args:
        res: starting point, shape (n,); gets the solution.
        R: working memory of `n * (n + 7)` values; the factor of the free part of `H` is returned in it.
        index: int32 array (n,) that gets the free variables, or None.
        H: symmetric matrix, shape (n, n).
        g: linear term, shape (n,).
        lower: lower bounds, shape (n,), or None.
        upper: upper bounds, shape (n,), or None.
    """
    ...
def mju_cholFactor(mat: Any, mindiag: Any) -> Any:
    """Cholesky factorization `mat = L Lᵀ` in place; returns the rank.
    
    Args:
        mat: symmetric matrix, shape (n, n); its lower triangle becomes `L`.
        mindiag: pivots below this are replaced by it and lower the rank.
    """
    ...
def mju_cholFactorBand(mat: Any, ntotal: Any, nband: Any, ndense: Any, diagadd: Any, diagmul: Any) -> Any:
    """Cholesky factorization of a band matrix in place; returns the smallest pivot, 0 on failure.
    
    Args:
        mat: band matrix; becomes the factor.
        ntotal: order of the whole matrix.
        nband: width of the band, the diagonal included.
        ndense: number of dense rows at the end.
        diagadd: added to each diagonal entry before.
        diagmul: each diagonal entry times this is added to it before.
    """
    ...
def mju_cholSolve(res: Any, mat: Any, vec: Any) -> Any:
    """Solves `L Lᵀ res = vec` with a Cholesky factor. `mat` (n, n) comes from `mju_cholFactor`, `vec` has shape
    (n,); `res` (n,) is written.
    """
    ...
def mju_cholSolveBand(res: Any, mat: Any, vec: Any, ntotal: Any, nband: Any, ndense: Any) -> Any:
    """Solves a linear system with the factor of a band matrix.
    
    Args:
        res: array (ntotal,) that gets the solution.
        mat: factor from `mju_cholFactorBand`.
        vec: right-hand side, shape (ntotal,).
        ntotal: order of the whole matrix.
        nband: width of the band, the diagonal included.
        ndense: number of dense rows at the end.
    """
    ...
def mju_cholUpdate(mat: Any, x: Any, flg_plus: Any) -> Any:
    """Rank-one update of a Cholesky factor, in place; returns the rank.
    
    Args:
        mat: factor `L`, shape (n, n); becomes that of `L Lᵀ ± x xᵀ`.
        x: the vector, shape (n,); it is overwritten.
        flg_plus: whether `x xᵀ` is added; otherwise it is subtracted.
    """
    ...
def mju_clip(x: Any, min: Any, max: Any) -> Any:
    """The number `x` limited to the interval from `min` to `max`."""
    ...
def mju_copy(res: Any, vec: Any) -> Any:
    """Copies the array `vec` to `res`, which has the same length."""
    ...
def mju_copy3(res: Any, data: Any) -> Any:
    """Copies the three values of `data` to `res`."""
    ...
def mju_copy4(res: Any, data: Any) -> Any:
    """Copies the four values of `data` to `res`."""
    ...
def mju_cross(res: Any, a: Any, b: Any) -> Any:
    """Cross product of two vectors of three values: `res = a × b`. Writes `res`."""
    ...
def mju_d2n(res: Any, vec: Any) -> Any:
    """Copies the float64 array `vec` to `res` in the engine's precision, which is float64 too."""
    ...
def mju_decodePyramid(force: Any, pyramid: Any, mu: Any) -> Any:
    """Contact force of a combination of the edges of a friction pyramid.
    
    Args:
        force: array of `dim` values that gets normal and friction forces.
        pyramid: edge forces, `2 * dim - 2` values.
        mu: friction coefficients, `dim - 1` values.
    """
    ...
def mju_dense2Band(res: Any, mat: Any, ntotal: Any, nband: Any, ndense: Any) -> Any:
    """Writes a full symmetric matrix as a band matrix.
    
    Args:
        res: array that gets the band matrix.
        mat: full matrix, shape (ntotal, ntotal).
        ntotal: order of the whole matrix.
        nband: width of the band, the diagonal included.
        ndense: number of dense rows at the end.
    """
    ...
def mju_dense2sparse(res: Any, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any:
    """Writes a matrix in compressed rows; returns 1 when there is not enough room for its entries, else 0.
    
    Args:
        res: array that gets the entries.
        mat: the matrix, shape (r, c).
        rownnz: int32 array (r,) that gets the number of entries of each row.
        rowadr: int32 array (r,) that gets the index of the first entry of each row.
        colind: int32 array as long as `res` that gets the column of each entry.
    """
    ...
def mju_derivQuat(res: Any, quat: Any, vel: Any) -> Any:
    """Time derivative of an orientation. Writes `res` (4 values) from the quaternion `quat` and the local
    angular velocity `vel` (3 values, rad/s).
    """
    ...
def mju_dist3(pos1: Any, pos2: Any) -> Any:
    """Euclidean distance between the points `pos1` and `pos2`, three values each."""
    ...
def mju_dot(vec1: Any, vec2: Any) -> Any:
    """Scalar product of `vec1` and `vec2`, arrays of equal length."""
    ...
def mju_dot3(vec1: Any, vec2: Any) -> Any:
    """Scalar product of `vec1` and `vec2`, three values each."""
    ...
def mju_eig3(eigval: Any, eigvec: Any, quat: Any, mat: Any) -> Any:
    """Eigenvalues and eigenvectors of a symmetric 3 × 3 matrix; returns the number of iterations.
    
    Args:
        eigval: array (3,) that gets the eigenvalues, the largest first.
        eigvec: array of 9 values that gets the eigenvectors as columns.
        quat: array (4,) that gets them as a quaternion.
        mat: the matrix, 9 values.
    """
    ...
def mju_encodePyramid(pyramid: Any, force: Any, mu: Any) -> Any:
    """Writes a contact force as a combination of the edges of a friction pyramid.
    
    Args:
        pyramid: array of `2 * dim - 2` values that gets the edge forces.
        force: normal and friction forces, `dim` values.
        mu: friction coefficients, `dim - 1` values.
    """
    ...
def mju_euler2Quat(quat: Any, euler: Any, seq: Any) -> Any:
    """Quaternion of Euler angles.
    
    Args:
        quat: array (4,) that gets it.
        euler: three angles in radians.
        seq: three letters, the axes in order: `xyz` in lower case for axes that rotate along, `XYZ` for
            fixed ones.
    """
    ...
def mju_eye(mat: Any) -> Any:
    """Sets the square matrix `mat`, shape (n, n), to the identity."""
    ...
def mju_f2n(res: Any, vec: Any) -> Any:
    """Copies the float32 array `vec` to the float64 array `res`, which has the same length."""
    ...
def mju_fill(res: Any, val: Any) -> Any:
    """Sets all values of the array `res` to the number `val`."""
    ...
def mju_getXMLDependencies(filename: str) -> Any:
    """All files that a model needs: itself, what it includes or attaches, meshes, textures and height fields.
    
    Args:
        filename: path of an MJCF or URDF file.
    """
    ...
def mju_insertionSort(list: Any) -> Any:
    """Sorts the float64 array `list` in increasing order, in place."""
    ...
def mju_insertionSortInt(list: Any) -> Any:
    """Sorts the int32 array `list` in increasing order, in place."""
    ...
def mju_isBad(x: Any) -> Any:
    """1 if `x` is not finite or larger than `mjMAXVAL`, so that no simulation can go on with it; else 0."""
    ...
def mju_isZero(vec: Any) -> Any:
    """1 if all values of the array `vec` are 0, else 0."""
    ...
def mju_mat2Quat(quat: Any, mat: Any) -> Any:
    """Quaternion of a rotation matrix. Writes `quat` (w, x, y, z) from `mat`, 9 values, row-major."""
    ...
def mju_mat2Rot(quat: Any, mat: Any) -> Any:
    """Rotation nearest to a 3 × 3 matrix, found by iteration; returns the number of iterations.
    
    Args:
        quat: starting point, a unit quaternion; gets the rotation.
        mat: the matrix, 9 values, row-major.
    """
    ...
def mju_max(a: Any, b: Any) -> Any:
    """The larger of two numbers `a` and `b`."""
    ...
def mju_min(a: Any, b: Any) -> Any:
    """The smaller of two numbers `a` and `b`."""
    ...
def mju_mulMatMat(res: Any, mat1: Any, mat2: Any) -> Any:
    """Product of two matrices: `res = mat1 mat2`. `mat1` has shape (r, k), `mat2` (k, c); `res` (r, c) is
    written.
    """
    ...
def mju_mulMatMatT(res: Any, mat1: Any, mat2: Any) -> Any:
    """Product with a transposed matrix: `res = mat1 mat2ᵀ`. `mat1` has shape (r, k), `mat2` (c, k); `res` (r,
    c) is written.
    """
    ...
def mju_mulMatTMat(res: Any, mat1: Any, mat2: Any) -> Any:
    """Product of a transposed matrix: `res = mat1ᵀ mat2`. `mat1` has shape (k, r), `mat2` (k, c); `res` (r, c)
    is written.
    """
    ...
def mju_mulMatTVec(res: Any, mat: Any, vec: Any) -> Any:
    """Product of a transposed matrix and a vector: `res = matᵀ vec`. `mat` has shape (r, c), `vec` (r,); `res`
    (c,) is written.
    """
    ...
def mju_mulMatTVec3(res: Any, mat: Any, vec: Any) -> Any:
    """Product of a transposed 3 × 3 matrix and a vector: `res = matᵀ vec`. `res` (3 values) is written; `mat`
    has 9 values, `vec` 3.
    """
    ...
def mju_mulMatVec(res: Any, mat: Any, vec: Any) -> Any:
    """Product of a matrix and a vector: `res = mat vec`. `mat` has shape (r, c), `vec` (c,); `res` (r,) is
    written.
    """
    ...
def mju_mulMatVec3(res: Any, mat: Any, vec: Any) -> Any:
    """Product of a 3 × 3 matrix and a vector: `res = mat vec`. `res` (3 values) is written; `mat` has 9 values,
    `vec` 3.
    """
    ...
def mju_mulPose(posres: Any, quatres: Any, pos1: Any, quat1: Any, pos2: Any, quat2: Any) -> Any:
    """Product of two poses: the second, given in the frame of the first, in the frame around both.
    
    Args:
        posres: array (3,) that gets the position.
        quatres: array (4,) that gets the orientation.
        pos1: position of the first pose, shape (3,).
        quat1: its orientation, shape (4,).
        pos2: position of the second pose, shape (3,).
        quat2: its orientation, shape (4,).
    """
    ...
def mju_mulQuat(res: Any, quat1: Any, quat2: Any) -> Any:
    """Product of two quaternions: the rotation `quat2`, followed by `quat1`. Writes `res`, 4 values."""
    ...
def mju_mulQuatAxis(res: Any, quat: Any, axis: Any) -> Any:
    """Product of a quaternion and a vector as a pure quaternion. Writes `res` (4 values) from `quat` (4) and
    `axis` (3).
    """
    ...
def mju_mulVecMatVec(vec1: Any, mat: Any, vec2: Any) -> Any:
    """The bilinear form `vec1ᵀ mat vec2`, for `vec1` of shape (r,), `mat` (r, c) and `vec2` (c,)."""
    ...
def mju_muscleBias(len: Any, lengthrange: Any, acc0: Any, prm: Any) -> Any:
    """Bias of a muscle: its passive force, negative.
    
    Args:
        len: length of the actuator (m or rad).
        lengthrange: shortest and longest length, shape (2,).
        acc0: acceleration that a unit force causes at `qpos0`, `m.actuator_acc0`.
        prm: range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax; shape (9,).
    """
    ...
def mju_muscleDynamics(ctrl: Any, act: Any, prm: Any) -> Any:
    """Time derivative of the activation of a muscle.
    
    Args:
        ctrl: control, limited to 0 … 1.
        act: activation.
        prm: time constants of activation and deactivation (s), and the width of the smooth
            switch; shape (3,).
    """
    ...
def mju_muscleGain(len: Any, vel: Any, lengthrange: Any, acc0: Any, prm: Any) -> Any:
    """Gain of a muscle: its active force, negative, at full activation.
    
    Args:
        len: length of the actuator (m or rad).
        vel: its velocity.
        lengthrange: shortest and longest length, shape (2,).
        acc0: acceleration that a unit force causes at `qpos0`, `m.actuator_acc0`.
        prm: range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax; shape (9,).
    """
    ...
def mju_n2d(res: Any, vec: Any) -> Any:
    """Copies the array `vec`, in the engine's precision, to the float64 array `res`."""
    ...
def mju_n2f(res: Any, vec: Any) -> Any:
    """Rounds the float64 array `vec` to the float32 array `res`, which has the same length."""
    ...
def mju_negPose(posres: Any, quatres: Any, pos: Any, quat: Any) -> Any:
    """Inverse of a pose.
    
    Args:
        posres: array (3,) that gets the position.
        quatres: array (4,) that gets the orientation.
        pos: position, shape (3,).
        quat: quaternion (w, x, y, z), shape (4,).
    """
    ...
def mju_negQuat(res: Any, quat: Any) -> Any:
    """Conjugate of a quaternion, the opposite rotation. Writes `res`; both `res` and `quat` have 4 values."""
    ...
def mju_norm(res: Any) -> Any:
    """Euclidean length of the array `res`, which is only read."""
    ...
def mju_norm3(vec: Any) -> Any:
    """Euclidean length of `vec`, three values."""
    ...
def mju_normalize(res: Any) -> Any:
    """Scales the array `res` to unit length in place and returns the length it had."""
    ...
def mju_normalize3(vec: Any) -> Any:
    """Scales `vec`, three values, to unit length in place and returns the length it had; a vector of length
    zero becomes the x axis.
    """
    ...
def mju_normalize4(vec: Any) -> Any:
    """Scales the quaternion `vec` to unit length in place and returns the length it had; one of length zero
    becomes the identity.
    """
    ...
def mju_printMat(mat: Any) -> Any:
    """Prints the matrix `mat`, shape (r, c), with `print`."""
    ...
def mju_printMatSparse(mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any:
    """Prints a matrix in compressed rows: one line per row with column and value of each entry.
    
    Args:
        mat: the entries.
        rownnz: number of entries of each row.
        rowadr: index of the first entry of each row.
        colind: column of each entry.
    """
    ...
def mju_quat2Mat(res: Any, quat: Any) -> Any:
    """Rotation matrix of a quaternion. Writes `res` (9 values, row-major) from the unit quaternion `quat`."""
    ...
def mju_quat2Vel(res: Any, quat: Any, dt: Any) -> Any:
    """Angular velocity that causes a rotation in a given time. Writes `res` (3 values, rad/s) from the
    quaternion `quat` and the time `dt` in seconds.
    """
    ...
def mju_quatIntegrate(quat: Any, vel: Any, scale: Any) -> Any:
    """Rotates a quaternion by an angular velocity for some time, in place.
    
    Args:
        quat: unit quaternion, shape (4,), changed.
        vel: angular velocity in the local frame, shape (3,), in rad/s.
        scale: time (s).
    """
    ...
def mju_quatZ2Vec(quat: Any, vec: Any) -> Any:
    """Quaternion of the shortest rotation that takes the z axis to a vector. Writes `quat` (4 values) from
    `vec`, 3 values.
    """
    ...
def mju_rayGeom(pos: Any, mat: Any, size: Any, pnt: Any, vec: Any, geomtype: Any, normal: Any = None) -> Any:
    """Distance along a ray to one primitive shape, without a model; -1 when it misses.
    
    Args:
        pos: centre of the shape, shape (3,).
        mat: its orientation, a rotation matrix of 9 values.
        size: its size parameters, shape (3,), as in `m.geom_size`.
        pnt: start of the ray in the world, shape (3,) (m).
        vec: direction of the ray, shape (3,); distances are in multiples of its length.
        geomtype: which shape, an `mjtGeom` that is no mesh or height field.
        normal: array of shape (3,) that gets the surface normal where the ray hits, zeros when it
            misses; or None.
    """
    ...
def mju_raySkin(nface: Any, nvert: Any, face: Any, vert: Any, pnt: Any, vec: Any, vertid: Any = None) -> Any:
    """Distance along a ray to the triangles of a skin, -1 when it misses.
    
    Args:
        nface: number of triangles.
        nvert: number of vertices.
        face: int32 vertex indices of the triangles, `3 * nface` values.
        vert: float32 vertex positions, `3 * nvert` values.
        pnt: start of the ray in the world, shape (3,) (m).
        vec: direction of the ray, shape (3,); distances are in multiples of its length.
        vertid: int32 array of shape (1,) that gets the vertex nearest to the hit, or None.
    """
    ...
def mju_rotVecQuat(res: Any, vec: Any, quat: Any) -> Any:
    """Rotates a vector by a quaternion. Writes `res` (3 values); `vec` has 3 values, `quat` is a unit
    quaternion (w, x, y, z).
    """
    ...
def mju_round(x: Any) -> Any:
    """The integer nearest to the number `x`."""
    ...
def mju_scl(res: Any, vec: Any, scl: Any) -> Any:
    """Computes `res = vec*scl`: changes `res`; `vec` has the same length, `scl` is a number."""
    ...
def mju_scl3(res: Any, vec: Any, scl: Any) -> Any:
    """Computes `res = vec*scl` in three dimensions: changes `res`; `vec` has three values, `scl` is a number."""
    ...
def mju_sigmoid(x: Any) -> Any:
    """Polynomial that rises from 0 at `x = 0` to 1 at `x = 1` with two derivatives that vanish at both ends;
    constant beyond.
    """
    ...
def mju_sign(x: Any) -> Any:
    """Sign of the number `x`: -1, 0 or 1."""
    ...
def mju_sparse2dense(res: Any, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any:
    """Writes a matrix in compressed rows as a full one.
    
    Args:
        res: array (r, c) that gets the matrix.
        mat: the entries.
        rownnz: number of entries of each row, shape (r,).
        rowadr: index of the first entry of each row, shape (r,).
        colind: column of each entry.
    """
    ...
def mju_springDamper(pos0: Any, vel0: Any, Kp: Any, Kv: Any, dt: Any) -> Any:
    """Position of a free spring-damper of unit mass after some time, in closed form.
    
    Args:
        pos0: position at the start (m).
        vel0: velocity at the start (m/s).
        Kp: stiffness per mass (1/s²).
        Kv: damping per mass (1/s).
        dt: the time (s).
    """
    ...
def mju_sqrMatTD(res: Any, mat: Any, diag: Any) -> Any:
    """Weighted square of a matrix: `res = matᵀ diag(d) mat`.
    
    Args:
        res: array (c, c) that gets the product.
        mat: matrix, shape (r, c).
        diag: weights of the rows, shape (r,); None for ones.
    """
    ...
def mju_standardNormal(num2: Any = None) -> Any:
    """A number from the standard normal distribution.
    
    Args:
        num2: accepted and ignored, as in the reference's package: a second number has no way out.
    """
    ...
def mju_str2Type(str: Any) -> Any:
    """Object type, an `mjtObj` as a number, of a name.
    
    Args:
        str: the name, such as "body"; 0 is returned when there is no such type.
    """
    ...
def mju_sub(res: Any, vec1: Any, vec2: Any) -> Any:
    """Computes `res = vec1 - vec2`: writes `res` from `vec1` and `vec2`, arrays of equal length."""
    ...
def mju_sub3(res: Any, vec1: Any, vec2: Any) -> Any:
    """Computes `res = vec1 - vec2` in three dimensions: writes `res` from `vec1` and `vec2`, three values each."""
    ...
def mju_subFrom(res: Any, vec: Any) -> Any:
    """Computes `res = res - vec`: changes `res`; `vec` has the same length."""
    ...
def mju_subFrom3(res: Any, vec: Any) -> Any:
    """Computes `res = res - vec` in three dimensions: changes `res`; `vec` has three values."""
    ...
def mju_subQuat(res: Any, qa: Any, qb: Any) -> Any:
    """Difference of two orientations as a rotation vector in the frame of `qb`: `qb` rotated by it gives `qa`.
    Writes `res` (3 values, radians); `qa` and `qb` are unit quaternions.
    """
    ...
def mju_sum(vec: Any) -> Any:
    """Sum of the values of the array `vec`."""
    ...
def mju_symmetrize(res: Any, mat: Any) -> Any:
    """Symmetric part of a square matrix: `res = (mat + matᵀ) / 2`. `mat` and `res` have shape (n, n)."""
    ...
def mju_transformSpatial(res: Any, vec: Any, flg_force: Any, newpos: Any, oldpos: Any, rotnew2old: Any) -> Any:
    """Expresses a spatial vector (rotational, then translational part) at another point and in other axes.
    
    Args:
        res: array (6,) that gets the result.
        vec: the vector, shape (6,).
        flg_force: whether it is a force; otherwise a motion.
        newpos: the new point, shape (3,).
        oldpos: the old point, shape (3,).
        rotnew2old: rotation matrix (9 values) from the new axes to the old ones; None keeps the axes.
    """
    ...
def mju_transpose(res: Any, mat: Any) -> Any:
    """Transposes a matrix: `res = matᵀ`. `mat` has shape (r, c); `res` (c, r) is written."""
    ...
def mju_trnVecPose(res: Any, pos: Any, quat: Any, vec: Any) -> Any:
    """Transforms a point by a pose: rotates `vec` by `quat`, then adds `pos`. Writes `res`, 3 values."""
    ...
def mju_type2Str(type: int) -> Any:
    """Name of an object type, such as "body".
    
    Args:
        type: an `mjtObj`; None is returned when it has no name.
    """
    ...
def mju_unit4(res: Any) -> Any:
    """Sets the quaternion `res`, 4 values, to the identity (1, 0, 0, 0)."""
    ...
def mju_warningText(warning: Any, info: Any) -> Any:
    """Text of a warning.
    
    Args:
        warning: which one, an `mjtWarning`.
        info: its detail, such as a dof or a size.
    """
    ...
def mju_writeLog(type: int, msg: Any) -> Any:
    """Appends a message to the log file `MUJOCO_LOG.TXT` in the working directory.
    
    Args:
        type: kind of the message, such as "WARNING".
        msg: the message.
    """
    ...
def mju_writeNumBytes(nbytes: Any) -> Any:
    """A number of bytes in a short form, such as 3M.
    
    Args:
        nbytes: number of bytes.
    """
    ...
def mju_zero(res: Any) -> Any:
    """Sets all values of the array `res` to 0."""
    ...
def mju_zero3(res: Any) -> Any:
    """Sets the three values of `res` to 0."""
    ...
def mju_zero4(res: Any) -> Any:
    """Sets the four values of `res` to 0."""
    ...
def mjv_addGeoms(m: MjModel, d: MjData, opt: Any, pert: Any, catmask: Any, scn: Any) -> Any:
    """Appends the geoms of some categories to a scene, which keeps those it has.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        opt: what is visible, an `MjvOption`.
        pert: an `MjvPerturb` to show, or None.
        catmask: which categories of geoms, `mjtCatBit` bits.
        scn: the `MjvScene` that is appended to.
    """
    ...
def mjv_alignToCamera(res: Any, vec: Any, forward: Any) -> Any:
    """Rotates a vector about the vertical axis so that its y axis points along a direction.
    
    Args:
        res: array (3,) that gets the result.
        vec: the vector, shape (3,).
        forward: the direction, shape (3,).
    """
    ...
def mjv_applyPerturbForce(m: MjModel, d: MjData, pert: Any) -> Any:
    """Pulls the selected body towards the reference pose of a perturbation with a spring.
    
    Args:
        m: the model.
        d: its data; `xfrc_applied` of the body is written.
        pert: the `MjvPerturb`.
    """
    ...
def mjv_applyPerturbPose(m: MjModel, d: MjData, pert: Any, flg_paused: Any) -> Any:
    """Moves the selected body to the reference pose of a perturbation; only bodies with mocap or, when paused,
    free joints.
    
    Args:
        m: the model.
        d: its data; `mocap_pos` and `mocap_quat`, or `qpos`, are written.
        pert: the `MjvPerturb`.
        flg_paused: whether the simulation is paused, so that positions may be set.
    """
    ...
def mjv_averageCamera(cam1: Any, cam2: Any) -> Any:
    """The camera halfway between `cam1` and `cam2`, two `MjvGLCamera`s such as those of a stereo pair."""
    ...
def mjv_cameraFrame(headpos: Any, forward: Any, up: Any, right: Any, d: MjData, cam: Any) -> Any:
    """Position and directions of an abstract camera.
    
    Args:
        headpos: array (3,) that gets the position.
        forward: array (3,) that gets the viewing direction.
        up: array (3,) that gets the upward direction.
        right: array (3,) that gets the direction to the right.
        d: the data of the world that it looks at.
        cam: an `MjvCamera`.
    """
    ...
def mjv_cameraFrustum(zver: Any, zhor: Any, zclip: Any, m: MjModel, cam: Any) -> Any:
    """Extents of what an abstract camera sees at the near plane, and its clipping planes, in metres.
    
    Args:
        zver: float32 array (2,) that gets the vertical extents.
        zhor: float32 array (2,) that gets the horizontal extents.
        zclip: float32 array (2,) that gets the distances of the near and the far plane.
        m: the model, an `MjModel`.
        cam: an `MjvCamera`.
    """
    ...
def mjv_cameraInModel(headpos: Any, forward: Any, up: Any, scn: Any) -> Any:
    """Pose of a scene's camera in the coordinates of the model.
    
    Args:
        headpos: array (3,) that gets the position.
        forward: array (3,) that gets the viewing direction.
        up: array (3,) that gets the upward direction.
        scn: an `MjvScene`.
    """
    ...
def mjv_cameraInRoom(headpos: Any, forward: Any, up: Any, scn: Any) -> Any:
    """Pose of a scene's camera in the coordinates of the room, to which the scene's `translate`, `rotate` and
    `scale` lead.
    
    Args:
        headpos: array (3,) that gets the position.
        forward: array (3,) that gets the viewing direction.
        up: array (3,) that gets the upward direction.
        scn: an `MjvScene`.
    """
    ...
def mjv_connector(geom: MjvGeom, type: int, width: Any, from_: Any, to: Any) -> Any:
    """Sets type, size and pose of a geom so that it connects two points.
    
    Args:
        geom: the `MjvGeom` that is set.
        type: a long shape, such as `mjtGeom.mjGEOM_CAPSULE`, `mjGEOM_ARROW` or `mjGEOM_LINE`.
        width: its radius in metres; of a line, its width in pixels.
        from_: first point, shape (3,).
        to: second point, shape (3,).
    """
    ...
def mjv_defaultCamera(cam: Any) -> Any:
    """Gives `cam`, a `MjvCamera`, its default values; a new one has them already."""
    ...
def mjv_defaultFigure(fig: Any) -> Any:
    """Gives `fig`, a `MjvFigure`, its default values; a new one has them already."""
    ...
def mjv_defaultFreeCamera(m: MjModel, cam: Any) -> Any:
    """Gives a camera a free view of the whole model.
    
    Args:
        m: the model, an `MjModel`.
        cam: the `MjvCamera` that is set.
    """
    ...
def mjv_defaultOption(opt: Any) -> Any:
    """Gives `opt`, a `MjvOption`, its default values; a new one has them already."""
    ...
def mjv_defaultPerturb(pert: Any) -> Any:
    """Gives `pert`, a `MjvPerturb`, its default values; a new one has them already."""
    ...
def mjv_frustumHeight(scn: Any) -> Any:
    """Height in metres of what the camera of the scene `scn` sees at unit distance."""
    ...
def mjv_initGeom(geom: MjvGeom, type: int, size: Any = None, pos: Any = None, mat: Any = None, rgba: Any = None) -> Any:
    """Sets a geom of a scene that a program adds on its own.
    
    Args:
        geom: the `MjvGeom`, such as `scn.geoms[scn.ngeom]`.
        type: its shape, an `mjtGeom`.
        size: its size, shape (3,), or None for the default.
        pos: its position, shape (3,), or None for the origin.
        mat: its rotation matrix, 9 values, or None for the identity.
        rgba: its colour, four values from 0 to 1, or None for the default.
    
    Example::
    
        kinetree.mjv_initGeom(scene.geoms[scene.ngeom], kinetree.mjtGeom.mjGEOM_SPHERE, [0.1, 0, 0])
        scene.ngeom += 1
    """
    ...
def mjv_initPerturb(m: MjModel, d: MjData, scn: Any, pert: Any) -> Any:
    """Starts a perturbation: sets its reference pose to that of the body it selects.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        scn: an `MjvScene`.
        pert: the `MjvPerturb`, which is changed.
    """
    ...
def mjv_makeLights(m: MjModel, d: MjData, scn: Any) -> Any:
    """Sets the lights of the scene `scn` from the model `m` and its data `d`."""
    ...
def mjv_model2room(roompos: Any, roomquat: Any, modelpos: Any, modelquat: Any, scn: Any) -> Any:
    """Converts a pose from the model to the room.
    
    Args:
        roompos: array (3,) that gets the position.
        roomquat: array (4,) that gets the orientation.
        modelpos: position in the model, shape (3,).
        modelquat: orientation in the model, shape (4,).
        scn: an `MjvScene`.
    """
    ...
def mjv_moveCamera(m: MjModel, action: Any, reldx: Any, reldy: Any, scn: Any, cam: Any) -> Any:
    """Moves an abstract camera as a drag of the mouse asks for.
    
    Args:
        m: the model, an `MjModel`.
        action: what a drag of the mouse does, an `mjtMouse`.
        reldx: movement to the right, relative to the height of the picture.
        reldy: movement downwards, relative to the height of the picture.
        scn: an `MjvScene`.
        cam: the `MjvCamera`, which is changed.
    """
    ...
def mjv_moveModel(m: MjModel, action: Any, reldx: Any, reldy: Any, roomup: Any, scn: Any) -> Any:
    """Moves, rotates or scales the model in the room as a drag of the mouse asks for.
    
    Args:
        m: the model, an `MjModel`.
        action: what a drag of the mouse does, an `mjtMouse`.
        reldx: movement to the right, relative to the height of the picture.
        reldy: movement downwards, relative to the height of the picture.
        roomup: upward direction of the room, shape (3,).
        scn: the `MjvScene`, whose transformation is changed.
    """
    ...
def mjv_movePerturb(m: MjModel, d: MjData, action: Any, reldx: Any, reldy: Any, scn: Any, pert: Any) -> Any:
    """Moves the reference pose of a perturbation as a drag of the mouse asks for.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        action: what a drag of the mouse does, an `mjtMouse`.
        reldx: movement to the right, relative to the height of the picture.
        reldy: movement downwards, relative to the height of the picture.
        scn: an `MjvScene`.
        pert: the `MjvPerturb`, which is changed.
    """
    ...
def mjv_room2model(modelpos: Any, modelquat: Any, roompos: Any, roomquat: Any, scn: Any) -> Any:
    """Converts a pose from the room to the model.
    
    Args:
        modelpos: array (3,) that gets the position.
        modelquat: array (4,) that gets the orientation.
        roompos: position in the room, shape (3,).
        roomquat: orientation in the room, shape (4,).
        scn: an `MjvScene`.
    """
    ...
def mjv_select(m: MjModel, d: MjData, vopt: Any, aspectratio: Any, relx: Any, rely: Any, scn: Any, selpnt: Any, geomid: Any, flexid: Any, skinid: Any) -> Any:
    """The body at a point of a picture, -1 when there is none.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        vopt: what is visible, an `MjvOption`.
        aspectratio: width of the picture divided by its height.
        relx: point from the left, 0 to 1.
        rely: point from the bottom, 0 to 1.
        scn: the `MjvScene` with the camera of the picture.
        selpnt: array (3,) that gets the point in the world.
        geomid: int32 array (1,) that gets the geom, -1 for none.
        flexid: int32 array (1,) that gets the flex, -1 for none.
        skinid: int32 array (1,) that gets the skin, -1 for none.
    """
    ...
def mjv_updateCamera(m: MjModel, d: MjData, cam: Any, scn: Any) -> Any:
    """Sets the cameras of a scene from an abstract camera.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        cam: an `MjvCamera`.
        scn: the `MjvScene` that is changed.
    """
    ...
def mjv_updateScene(m: MjModel, d: MjData, opt: Any, pert: Any, cam: Any, catmask: Any, scn: Any) -> Any:
    """Fills a scene with the geoms, lights and cameras of a world, ready for `mjr_render`.
    
    Args:
        m: the model, an `MjModel`.
        d: its data, an `MjData`.
        opt: what is visible, an `MjvOption`.
        pert: an `MjvPerturb` to show, or None.
        cam: the `MjvCamera` to look through.
        catmask: which categories of geoms, `mjtCatBit` bits such as `mjCAT_ALL`.
        scn: the `MjvScene` that is filled.
    """
    ...
def mjv_updateSkin(m: MjModel, d: MjData, scn: Any) -> Any:
    """Moves the vertices of the skins in the scene `scn` with the bodies of the model `m` and data `d`."""
    ...
def plugins() -> Any:
    """All plugins by slot: the name, the capabilities, and for each attribute its name, kind, default and
    description.
    """
    ...
def register_decoder(decoder: Any) -> Any:
    """Lets an object read files of further formats: meshes, models that others attach, and models themselves.
    
    It says which files by `content_type`, a text, and `extensions`, a list of texts with their dots; one of
    the two may be missing. Its method `decode(name, data)` turns the bytes of a file into an `MjSpec`, of
    which a mesh asset takes the first mesh. A method `can_decode(name, data)`, where there is one, says
    whether it reads a file of its format.
    
    Args:
        decoder: the object.
    """
    ...
def register_encoder(encoder: Any) -> Any:
    """Lets an object write files of a further format with `mj_encode`.
    
    It says which files by `content_type` and `extensions`, like a decoder. Its method
    `encode(name, spec, model)` returns the bytes of the file; the model is None where the caller gives none.
    
    Args:
        encoder: the object.
    """
    ...
def register_plugin(plugin: Any) -> Any:
    """Adds a plugin that is written in Python to those that models can name; returns its slot.
    
    Args:
        plugin: a class with a `name` and methods such as `init`, `compute` and `reset`; the guide on
            plugins shows one.
    """
    ...
def register_resource_provider(prefix: Any, open: Any) -> Any:
    """Serves files from memory, a database or anything else: all names that begin with `prefix:` are given to a
    function.
    
    Args:
        prefix: the letters before the colon.
        open: function from the name of a file to its bytes; it raises an exception for files that do not
            exist.
    """
    ...
def set_mjcb_act_bias(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that gives the bias force of user actuators, as `f(m, d, id)`.
    
    There is one for the whole process; all simulations call it but batches, which refuse to run with callbacks. An exception that it raises ends the call.
    
    Args:
        callback: the function, or None to remove it.
    """
    ...
def set_mjcb_act_dyn(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that gives the time derivative of the activation of user actuators, as `f(m, d, id)`.
    
    There is one for the whole process; all simulations call it but batches, which refuse to run with callbacks. An exception that it raises ends the call.
    
    Args:
        callback: the function, or None to remove it.
    """
    ...
def set_mjcb_act_gain(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that gives the gain of user actuators, as `f(m, d, id)`.
    
    There is one for the whole process; all simulations call it but batches, which refuse to run with callbacks. An exception that it raises ends the call.
    
    Args:
        callback: the function, or None to remove it.
    """
    ...
def set_mjcb_contactfilter(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that decides which pairs of geoms may collide, as `f(m, d, geom1, geom2)`: a result other than 0 rejects the pair.
    
    There is one for the whole process; all simulations call it but batches, which refuse to run with callbacks. An exception that it raises ends the call.
    
    Args:
        callback: the function, or None to remove it.
    """
    ...
def set_mjcb_control(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that sets controls in each evaluation of the dynamics, as `f(m, d)`: it writes `d.ctrl`.
    
    There is one for the whole process; all simulations call it but batches, which refuse to run with callbacks. An exception that it raises ends the call.
    
    Args:
        callback: the function, or None to remove it.
    """
    ...
def set_mjcb_passive(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that adds passive forces, as `f(m, d)`: it adds to `d.qfrc_passive`.
    
    There is one for the whole process; all simulations call it but batches, which refuse to run with callbacks. An exception that it raises ends the call.
    
    Args:
        callback: the function, or None to remove it.
    """
    ...
def set_mjcb_sensor(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that computes sensors of the type user, as `f(m, d, stage)`: it writes `d.sensordata` for the `mjtStage`.
    
    There is one for the whole process; all simulations call it but batches, which refuse to run with callbacks. An exception that it raises ends the call.
    
    Args:
        callback: the function, or None to remove it.
    """
    ...
def set_mjcb_time(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that is the clock of the timers, as `f()`, which returns a time in seconds.
    
    There is one for the whole process; all simulations call it but batches, which refuse to run with callbacks. An exception that it raises ends the call.
    
    Args:
        callback: the function, or None to remove it.
    """
    ...
def set_mju_user_free(function: Any) -> Any:
    """Not supported: memory is not allocated by C functions.
    
    Args:
        function: must be None.
    
    Raises:
        NotImplementedError: `function` is not None.
    """
    ...
def set_mju_user_malloc(function: Any) -> Any:
    """Not supported: memory is not allocated by C functions.
    
    Args:
        function: must be None.
    
    Raises:
        NotImplementedError: `function` is not None.
    """
    ...
def set_mju_user_warning(callback: Callable[..., Any] | None) -> Any:
    """Sets a function that gets the text of warnings; without one they are written to standard error.
    
    Args:
        callback: function of one text, called after the call that raised the warning; None removes it. One made by `ctypes`
            takes its text as bytes, as C does.
    """
    ...
def to_zip(spec: Any, file: Any) -> Any:
    """Writes a zip archive with a model and its assets.
    
    Args:
        spec: the `MjSpec`.
        file: path of the archive, or an open file.
    """
    ...
