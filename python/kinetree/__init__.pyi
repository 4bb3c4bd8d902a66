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

class FatalError(Exception): ...
class UnexpectedError(Exception): ...


class mjtAlignFree(enum.IntEnum):
    mjALIGNFREE_FALSE = 0
    mjALIGNFREE_TRUE = 1
    mjALIGNFREE_AUTO = 2

class mjtBias(enum.IntEnum):
    mjBIAS_NONE = 0
    mjBIAS_AFFINE = 1
    mjBIAS_MUSCLE = 2
    mjBIAS_DCMOTOR = 3
    mjBIAS_USER = 4

class mjtBuiltin(enum.IntEnum):
    mjBUILTIN_NONE = 0
    mjBUILTIN_GRADIENT = 1
    mjBUILTIN_CHECKER = 2
    mjBUILTIN_FLAT = 3

class mjtButton(enum.IntEnum):
    mjBUTTON_NONE = 0
    mjBUTTON_LEFT = 1
    mjBUTTON_RIGHT = 2
    mjBUTTON_MIDDLE = 3

class mjtCamLight(enum.IntEnum):
    mjCAMLIGHT_FIXED = 0
    mjCAMLIGHT_TRACK = 1
    mjCAMLIGHT_TRACKCOM = 2
    mjCAMLIGHT_TARGETBODY = 3
    mjCAMLIGHT_TARGETBODYCOM = 4

class mjtCamOutBit(enum.IntEnum):
    mjCAMOUT_RGB = 1
    mjCAMOUT_DEPTH = 2
    mjCAMOUT_DIST = 4
    mjCAMOUT_NORMAL = 8
    mjCAMOUT_SEG = 16
    mjNCAMOUT = 5

class mjtCamera(enum.IntEnum):
    mjCAMERA_FREE = 0
    mjCAMERA_TRACKING = 1
    mjCAMERA_FIXED = 2
    mjCAMERA_USER = 3

class mjtCatBit(enum.IntEnum):
    mjCAT_STATIC = 1
    mjCAT_DYNAMIC = 2
    mjCAT_DECOR = 4
    mjCAT_ALL = 7

class mjtColorSpace(enum.IntEnum):
    mjCOLORSPACE_AUTO = 0
    mjCOLORSPACE_LINEAR = 1
    mjCOLORSPACE_SRGB = 2

class mjtConDataField(enum.IntEnum):
    mjCONDATA_FOUND = 0
    mjCONDATA_FORCE = 1
    mjCONDATA_TORQUE = 2
    mjCONDATA_DIST = 3
    mjCONDATA_POS = 4
    mjCONDATA_NORMAL = 5
    mjCONDATA_TANGENT = 6
    mjNCONDATA = 7

class mjtCone(enum.IntEnum):
    mjCONE_PYRAMIDAL = 0
    mjCONE_ELLIPTIC = 1

class mjtConstraint(enum.IntEnum):
    mjCNSTR_EQUALITY = 0
    mjCNSTR_FRICTION_DOF = 1
    mjCNSTR_FRICTION_TENDON = 2
    mjCNSTR_LIMIT_JOINT = 3
    mjCNSTR_LIMIT_TENDON = 4
    mjCNSTR_CONTACT_FRICTIONLESS = 5
    mjCNSTR_CONTACT_PYRAMIDAL = 6
    mjCNSTR_CONTACT_ELLIPTIC = 7

class mjtConstraintState(enum.IntEnum):
    mjCNSTRSTATE_SATISFIED = 0
    mjCNSTRSTATE_QUADRATIC = 1
    mjCNSTRSTATE_LINEARNEG = 2
    mjCNSTRSTATE_LINEARPOS = 3
    mjCNSTRSTATE_CONE = 4

class mjtDataType(enum.IntEnum):
    mjDATATYPE_REAL = 0
    mjDATATYPE_POSITIVE = 1
    mjDATATYPE_AXIS = 2
    mjDATATYPE_QUATERNION = 3

class mjtDepthMap(enum.IntEnum):
    mjDEPTH_ZERONEAR = 0
    mjDEPTH_ZEROFAR = 1

class mjtDisableBit(enum.IntEnum):
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
    mjDYN_NONE = 0
    mjDYN_INTEGRATOR = 1
    mjDYN_FILTER = 2
    mjDYN_FILTEREXACT = 3
    mjDYN_MUSCLE = 4
    mjDYN_DCMOTOR = 5
    mjDYN_USER = 6

class mjtEnableBit(enum.IntEnum):
    mjENBL_OVERRIDE = 1
    mjENBL_ENERGY = 2
    mjENBL_FWDINV = 4
    mjENBL_INVDISCRETE = 8
    mjENBL_SLEEP = 16
    mjNENABLE = 5

class mjtEq(enum.IntEnum):
    mjEQ_CONNECT = 0
    mjEQ_WELD = 1
    mjEQ_JOINT = 2
    mjEQ_TENDON = 3
    mjEQ_FLEX = 4
    mjEQ_FLEXVERT = 5
    mjEQ_FLEXSTRAIN = 6
    mjEQ_DISTANCE = 7

class mjtEvent(enum.IntEnum):
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
    mjFLEXSELF_NONE = 0
    mjFLEXSELF_NARROW = 1
    mjFLEXSELF_BVH = 2
    mjFLEXSELF_SAP = 3
    mjFLEXSELF_AUTO = 4

class mjtFont(enum.IntEnum):
    mjFONT_NORMAL = 0
    mjFONT_SHADOW = 1
    mjFONT_BIG = 2

class mjtFontScale(enum.IntEnum):
    mjFONTSCALE_50 = 50
    mjFONTSCALE_100 = 100
    mjFONTSCALE_150 = 150
    mjFONTSCALE_200 = 200
    mjFONTSCALE_250 = 250
    mjFONTSCALE_300 = 300

class mjtFrame(enum.IntEnum):
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
    mjFB_WINDOW = 0
    mjFB_OFFSCREEN = 1

class mjtGain(enum.IntEnum):
    mjGAIN_FIXED = 0
    mjGAIN_AFFINE = 1
    mjGAIN_MUSCLE = 2
    mjGAIN_DCMOTOR = 3
    mjGAIN_USER = 4

class mjtGeom(enum.IntEnum):
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
    mjINERTIA_VOLUME = 0
    mjINERTIA_SHELL = 1

class mjtGridPos(enum.IntEnum):
    mjGRID_TOPLEFT = 0
    mjGRID_TOPRIGHT = 1
    mjGRID_BOTTOMLEFT = 2
    mjGRID_BOTTOMRIGHT = 3
    mjGRID_TOP = 4
    mjGRID_BOTTOM = 5
    mjGRID_LEFT = 6
    mjGRID_RIGHT = 7

class mjtInertiaFromGeom(enum.IntEnum):
    mjINERTIAFROMGEOM_FALSE = 0
    mjINERTIAFROMGEOM_TRUE = 1
    mjINERTIAFROMGEOM_AUTO = 2

class mjtIntegrator(enum.IntEnum):
    mjINT_EULER = 0
    mjINT_RK4 = 1
    mjINT_IMPLICIT = 2
    mjINT_IMPLICITFAST = 3
    ktINT_IMPLICITSPRINGDAMPER = 100
    ktINT_IMPLICITEULER = 101

class mjtItem(enum.IntEnum):
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
    mjJAC_DENSE = 0
    mjJAC_SPARSE = 1
    mjJAC_AUTO = 2

class mjtJoint(enum.IntEnum):
    mjJNT_FREE = 0
    mjJNT_BALL = 1
    mjJNT_SLIDE = 2
    mjJNT_HINGE = 3

class mjtLRMode(enum.IntEnum):
    mjLRMODE_NONE = 0
    mjLRMODE_MUSCLE = 1
    mjLRMODE_MUSCLEUSER = 2
    mjLRMODE_ALL = 3

class mjtLabel(enum.IntEnum):
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
    mjLIGHT_SPOT = 0
    mjLIGHT_DIRECTIONAL = 1
    mjLIGHT_POINT = 2
    mjLIGHT_IMAGE = 3

class mjtLimited(enum.IntEnum):
    mjLIMITED_FALSE = 0
    mjLIMITED_TRUE = 1
    mjLIMITED_AUTO = 2

class mjtMark(enum.IntEnum):
    mjMARK_NONE = 0
    mjMARK_EDGE = 1
    mjMARK_CROSS = 2
    mjMARK_RANDOM = 3

class mjtMeshBuiltin(enum.IntEnum):
    mjMESH_BUILTIN_NONE = 0
    mjMESH_BUILTIN_SPHERE = 1
    mjMESH_BUILTIN_HEMISPHERE = 2
    mjMESH_BUILTIN_CONE = 3
    mjMESH_BUILTIN_SUPERSPHERE = 4
    mjMESH_BUILTIN_SUPERTORUS = 5
    mjMESH_BUILTIN_WEDGE = 6
    mjMESH_BUILTIN_PLATE = 7

class mjtMeshInertia(enum.IntEnum):
    mjMESH_INERTIA_CONVEX = 0
    mjMESH_INERTIA_EXACT = 1
    mjMESH_INERTIA_LEGACY = 2
    mjMESH_INERTIA_SHELL = 3

class mjtMouse(enum.IntEnum):
    mjMOUSE_NONE = 0
    mjMOUSE_ROTATE_V = 1
    mjMOUSE_ROTATE_H = 2
    mjMOUSE_MOVE_V = 3
    mjMOUSE_MOVE_H = 4
    mjMOUSE_ZOOM = 5
    mjMOUSE_MOVE_V_REL = 6
    mjMOUSE_MOVE_H_REL = 7

class mjtObj(enum.IntEnum):
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
    mjORIENTATION_QUAT = 0
    mjORIENTATION_AXISANGLE = 1
    mjORIENTATION_XYAXES = 2
    mjORIENTATION_ZAXIS = 3
    mjORIENTATION_EULER = 4

class mjtPertBit(enum.IntEnum):
    mjPERT_TRANSLATE = 1
    mjPERT_ROTATE = 2

class mjtPluginCapabilityBit(enum.IntEnum):
    mjPLUGIN_ACTUATOR = 1
    mjPLUGIN_SENSOR = 2
    mjPLUGIN_PASSIVE = 4
    mjPLUGIN_SDF = 8

class mjtProjection(enum.IntEnum):
    mjPROJ_PERSPECTIVE = 0
    mjPROJ_ORTHOGRAPHIC = 1

class mjtRayDataField(enum.IntEnum):
    mjRAYDATA_DIST = 0
    mjRAYDATA_DIR = 1
    mjRAYDATA_ORIGIN = 2
    mjRAYDATA_POINT = 3
    mjRAYDATA_NORMAL = 4
    mjRAYDATA_DEPTH = 5
    mjNRAYDATA = 6

class mjtRndFlag(enum.IntEnum):
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
    mjSDFTYPE_SINGLE = 0
    mjSDFTYPE_INTERSECTION = 1
    mjSDFTYPE_MIDSURFACE = 2
    mjSDFTYPE_COLLISION = 3

class mjtSameFrame(enum.IntEnum):
    mjSAMEFRAME_NONE = 0
    mjSAMEFRAME_BODY = 1
    mjSAMEFRAME_INERTIA = 2
    mjSAMEFRAME_BODYROT = 3
    mjSAMEFRAME_INERTIAROT = 4

class mjtSection(enum.IntEnum):
    mjSECT_CLOSED = 0
    mjSECT_OPEN = 1
    mjSECT_FIXED = 2

class mjtSensor(enum.IntEnum):
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
    mjSLEEP_AUTO = 0
    mjSLEEP_AUTO_NEVER = 1
    mjSLEEP_AUTO_ALLOWED = 2
    mjSLEEP_NEVER = 3
    mjSLEEP_ALLOWED = 4
    mjSLEEP_INIT = 5

class mjtSleepState(enum.IntEnum):
    mjS_STATIC = -1
    mjS_ASLEEP = 0
    mjS_AWAKE = 1

class mjtSolver(enum.IntEnum):
    mjSOL_PGS = 0
    mjSOL_CG = 1
    mjSOL_NEWTON = 2
    ktSOL_CGPGS = 100

class mjtStage(enum.IntEnum):
    mjSTAGE_NONE = 0
    mjSTAGE_POS = 1
    mjSTAGE_VEL = 2
    mjSTAGE_ACC = 3

class mjtState(enum.IntEnum):
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
    mjSTEREO_NONE = 0
    mjSTEREO_QUADBUFFERED = 1
    mjSTEREO_SIDEBYSIDE = 2

class mjtTaskStatus(enum.IntEnum):
    mjTASK_NEW = 0
    mjTASK_QUEUED = 1
    mjTASK_COMPLETED = 2

class mjtTexture(enum.IntEnum):
    mjTEXTURE_2D = 0
    mjTEXTURE_CUBE = 1
    mjTEXTURE_SKYBOX = 2

class mjtTextureRole(enum.IntEnum):
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
    mjTRN_JOINT = 0
    mjTRN_JOINTINPARENT = 1
    mjTRN_SLIDERCRANK = 2
    mjTRN_TENDON = 3
    mjTRN_SITE = 4
    mjTRN_BODY = 5
    mjTRN_UNDEFINED = 1000

class mjtVisFlag(enum.IntEnum):
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
    mjWARN_INERTIA = 0
    mjWARN_CONTACTFULL = 1
    mjWARN_CNSTRFULL = 2
    mjWARN_BADQPOS = 3
    mjWARN_BADQVEL = 4
    mjWARN_BADQACC = 5
    mjWARN_BADCTRL = 6
    mjNWARNING = 7

class mjtWrap(enum.IntEnum):
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
    """Physics options."""
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
    """Tolerance of convex collision."""
    sleep_tolerance: float
    """Velocity below which a tree is quiet."""
    gravity: float
    """Gravity (m/s²)."""
    wind: float
    """Velocity of the medium (m/s)."""
    magnetic: float
    """Magnetic flux."""
    density: float
    """Density of the medium (kg/m³)."""
    viscosity: float
    """Viscosity of the medium (Pa s)."""
    o_margin: float
    """Margin of all contacts, when overridden (m)."""
    o_solref: float
    """Reference parameters of all contacts, when overridden."""
    o_solimp: float
    """Impedance parameters of all contacts, when overridden."""
    o_friction: float
    """Friction of all contacts, when overridden."""
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
    """Model statistics."""
    def __init__(self) -> None: ...
    meaninertia: float
    """Mean diagonal of the inertia matrix."""
    meanmass: float
    """Mean body mass (kg)."""
    meansize: float
    """Mean body size (m)."""
    extent: float
    """Spatial extent (m)."""
    center: float
    """Centre of the model (m)."""

class MjVisualGlobal:
    """Global visualization settings."""
    def __init__(self) -> None: ...
    cameraid: int
    """First camera shown; -1: free."""
    orthographic: int
    """Whether the free camera is orthographic."""
    fovy: float
    """Field of view of the free camera."""
    ipd: float
    """Eye distance of the free camera (m)."""
    azimuth: float
    """First azimuth of the free camera (deg)."""
    elevation: float
    """First elevation of the free camera (deg)."""
    linewidth: float
    """Width of lines."""
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
    """Rendering quality."""
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
    """The light that follows the camera."""
    def __init__(self) -> None: ...
    ambient: float
    """Ambient colour."""
    diffuse: float
    """Diffuse colour."""
    specular: float
    """Specular colour."""
    active: int
    """Whether it is on."""

class MjVisualMap:
    """Mappings from physical to visual quantities."""
    def __init__(self) -> None: ...
    stiffness: float
    """From mouse distance to force."""
    stiffnessrot: float
    """From mouse rotation to torque."""
    force: float
    """From force to length."""
    torque: float
    """From torque to length."""
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
    """Sizes of decorative elements."""
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
    """Colours of decorative elements."""
    def __init__(self) -> None: ...
    fog: float
    """Colour of fog."""
    haze: float
    """Colour of haze."""
    force: float
    """Colour of forces."""
    inertia: float
    """Colour of inertia boxes."""
    joint: float
    """Colour of joints."""
    actuator: float
    """Colour of idle actuators."""
    actuatornegative: float
    """Colour of actuators at their lower limit."""
    actuatorpositive: float
    """Colour of actuators at their upper limit."""
    com: float
    """Colour of centres of mass."""
    camera: float
    """Colour of cameras."""
    light: float
    """Colour of lights."""
    selectpoint: float
    """Colour of the selected point."""
    connect: float
    """Colour of connectors."""
    contactpoint: float
    """Colour of contact points."""
    contactforce: float
    """Colour of contact forces."""
    contactfriction: float
    """Colour of friction forces."""
    contacttorque: float
    """Colour of contact torques."""
    contactgap: float
    """Colour of contacts in the gap."""
    rangefinder: float
    """Colour of rangefinder rays."""
    constraint: float
    """Colour of constraint lines."""
    slidercrank: float
    """Colour of slider-cranks."""
    crankbroken: float
    """Colour of broken slider-cranks."""
    frustum: float
    """Colour of camera frustums."""
    bv: float
    """Colour of bounding volumes."""
    bvactive: float
    """Colour of active bounding volumes."""

class MjVisual:
    """Visualization settings in groups."""
    global_: MjVisualGlobal
    quality: MjVisualQuality
    headlight: MjVisualHeadlight
    map: MjVisualMap
    scale: MjVisualScale
    rgba: MjVisualRgba

class MjContact:
    """One contact."""
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
    """How often a warning was raised."""
    def __init__(self, fields: Any = None) -> None: ...
    lastinfo: int
    number: int

class MjTimerStat:
    """Time spent in one part of the pipeline."""
    def __init__(self, fields: Any = None) -> None: ...
    duration: float
    number: int

class MjSolverStat:
    """Diagnostics of one solver iteration."""
    def __init__(self, fields: Any = None) -> None: ...
    improvement: float
    gradient: float
    lineslope: float
    nactive: int
    nchange: int
    neval: int
    nupdate: int

class MjvCamera:
    """An abstract camera."""
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
    """A plot."""
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
    """A camera as a renderer needs it."""
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
    """A geom of a scene."""
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
    """A light of a scene."""
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
    """What is visualized."""
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
    """A selection and a perturbation by the user."""
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
    """Options of the computation of actuator length ranges."""
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
    """A rectangle of pixels."""
    def __init__(self, left: Any = 0, bottom: Any = 0, width: Any = 0, height: Any = 0) -> None: ...
    left: int
    bottom: int
    width: int
    height: int

class MjvScene:
    """Geoms, lights and cameras of one picture; `maxgeom` places for geoms are made at once."""
    def __init__(self, model: Any = None, maxgeom: Any = 0) -> None: ...
    maxgeom: int
    ngeom: int
    nflex: int
    flexvertopt: int
    flexedgeopt: int
    flexfaceopt: int
    flexskinopt: int
    nskin: int
    nlight: int
    enabletransform: int
    translate: NDArray[np.float32]
    rotate: NDArray[np.float32]
    scale: float
    stereo: int
    flags: NDArray[np.uint8]
    framewidth: int
    framergb: NDArray[np.float32]
    status: int
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
    lights: Sequence[MjvLight]
    camera: Sequence[MjvGLCamera]

class MjModel:
    """A compiled model."""
    @classmethod
    def from_xml_path(cls, filename: str | os.PathLike[str], assets: dict[str, bytes] | None = None) -> MjModel:
        """Compiles an MJCF or URDF file. `assets` maps file names to bytes that are found before the disk is searched."""
        ...
    @classmethod
    def from_xml_string(cls, xml: str | bytes, assets: dict[str, bytes] | None = None) -> MjModel:
        """Compiles MJCF or URDF text."""
        ...
    @classmethod
    def from_binary_path(cls, filename: str | os.PathLike[str], assets: dict[str, bytes] | None = None) -> MjModel:
        """Reads a model that `mj_saveModel` wrote."""
        ...
    opt: MjOption
    """Physics options."""
    stat: MjStatistic
    """Model statistics."""
    vis: MjVisual
    """Visualization settings."""
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
    """Positions in the initial configuration. Shape (nq,)."""
    qpos_spring: NDArray[np.float64]
    """Positions at which joint springs are at rest. Shape (nq,)."""
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
    """Mean inverse inertia in `qpos0`: translation, rotation. Shape (nbody, 2)."""
    body_gravcomp: NDArray[np.float64]
    """Fraction of the weight that is compensated. Shape (nbody,)."""
    body_margin: NDArray[np.float64]
    """Largest geom margin, gaps included (m). Shape (nbody,)."""
    body_user: NDArray[np.float64]
    """User values. Shape (nbody,)."""
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
    """Local bounding box: centre, half sizes. Shape (nbvhstatic, 6)."""
    oct_depth: NDArray[np.int32]
    """Depth in the octree. Shape (noct,)."""
    oct_child: NDArray[np.int32]
    """Eight children; -1: none. Shape (noct, 8)."""
    oct_aabb: NDArray[np.float64]
    """Bounding box: centre, half sizes. Shape (noct, 6)."""
    oct_coeff: NDArray[np.float64]
    """Interpolation coefficients of a leaf. Shape (noct, 8)."""
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
    """Reference parameters of the limit. Shape (njnt, 2)."""
    jnt_solimp: NDArray[np.float64]
    """Impedance parameters of the limit. Shape (njnt, 5)."""
    jnt_pos: NDArray[np.float64]
    """Anchor in the body frame (m). Shape (njnt, 3)."""
    jnt_axis: NDArray[np.float64]
    """Axis in the body frame. Shape (njnt, 3)."""
    jnt_stiffness: NDArray[np.float64]
    """Spring stiffness. Shape (njnt,)."""
    jnt_stiffnesspoly: NDArray[np.float64]
    """Higher-order spring coefficients. Shape (njnt, 2)."""
    jnt_range: NDArray[np.float64]
    """Limits (rad or m). Shape (njnt, 2)."""
    jnt_actfrcrange: NDArray[np.float64]
    """Limits of the total actuator force. Shape (njnt, 2)."""
    jnt_margin: NDArray[np.float64]
    """Distance to the limit at which the constraint appears. Shape (njnt,)."""
    jnt_user: NDArray[np.float64]
    """User values. Shape (njnt,)."""
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
    """Reference parameters of the friction constraint. Shape (nv, 2)."""
    dof_solimp: NDArray[np.float64]
    """Impedance parameters of the friction constraint. Shape (nv, 5)."""
    dof_frictionloss: NDArray[np.float64]
    """Dry friction. Shape (nv,)."""
    dof_armature: NDArray[np.float64]
    """Rotor inertia added to the diagonal. Shape (nv,)."""
    dof_damping: NDArray[np.float64]
    """Damping coefficient. Shape (nv,)."""
    dof_dampingpoly: NDArray[np.float64]
    """Higher-order damping coefficients. Shape (nv, 2)."""
    dof_invweight0: NDArray[np.float64]
    """Diagonal of the inverse inertia in `qpos0`. Shape (nv,)."""
    dof_M0: NDArray[np.float64]
    """Diagonal of the inertia in `qpos0`. Shape (nv,)."""
    dof_length: NDArray[np.float64]
    """Length scale that turns the dof's velocity into a linear one. Shape (nv,)."""
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
    """Reference parameters of contacts. Shape (ngeom, 2)."""
    geom_solimp: NDArray[np.float64]
    """Impedance parameters of contacts. Shape (ngeom, 5)."""
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
    """Sliding, torsional and rolling friction. Shape (ngeom, 3)."""
    geom_margin: NDArray[np.float64]
    """Distance at which contacts are detected (m). Shape (ngeom,)."""
    geom_gap: NDArray[np.float64]
    """Distance below the margin in which contacts make no force (m). Shape (ngeom,)."""
    geom_fluid: NDArray[np.float64]
    """Parameters of the ellipsoid fluid model. Shape (ngeom, 12)."""
    geom_user: NDArray[np.float64]
    """User values. Shape (ngeom,)."""
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
    """User values. Shape (nsite,)."""
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
    """Focal lengths and principal point. Shape (ncam, 4)."""
    cam_user: NDArray[np.float64]
    """User values. Shape (ncam,)."""
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
    """Constant, linear and quadratic attenuation. Shape (nlight, 3)."""
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
    """Reference parameters of contacts. Shape (nflex, 2)."""
    flex_solimp: NDArray[np.float64]
    """Impedance parameters of contacts. Shape (nflex, 5)."""
    flex_friction: NDArray[np.float64]
    """Sliding, torsional and rolling friction. Shape (nflex, 3)."""
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
    """Vertex positions in their body frames. Shape (nflexvert, 3)."""
    flex_vert0: NDArray[np.float64]
    """Vertex positions in `qpos0`, scaled to the unit cube. Shape (nflexvert, 3)."""
    flex_vertmetric: NDArray[np.float64]
    """Inverse reference metric at each vertex. Shape (nflexvert, 4)."""
    flex_node: NDArray[np.float64]
    """Node positions in their body frames. Shape (nflexnode, 3)."""
    flex_node0: NDArray[np.float64]
    """Node positions in `qpos0`. Shape (nflexnode, 3)."""
    flexedge_length0: NDArray[np.float64]
    """Edge lengths in `qpos0`. Shape (nflexedge,)."""
    flexedge_invweight0: NDArray[np.float64]
    """Inverse inertia of each edge in `qpos0`. Shape (nflexedge,)."""
    flex_radius: NDArray[np.float64]
    """Radius around the elements (m). Shape (nflex,)."""
    flex_size: NDArray[np.float64]
    """Half sizes of the bounding box in `qpos0`. Shape (nflex, 3)."""
    flex_stiffness: NDArray[np.float64]
    """Stiffness parameters of the elements. Shape (nflexstiffness,)."""
    flex_bending: NDArray[np.float64]
    """Bending coefficients of the edges. Shape (nflexedge, 17)."""
    flex_damping: NDArray[np.float64]
    """Damping of the elements. Shape (nflex,)."""
    flex_edgestiffness: NDArray[np.float64]
    """Edge stiffness. Shape (nflex,)."""
    flex_edgedamping: NDArray[np.float64]
    """Edge damping. Shape (nflex,)."""
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
    """Repetitions of the texture. Shape (nmat, 2)."""
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
    """Reference parameters of the normal direction. Shape (npair, 2)."""
    pair_solreffriction: NDArray[np.float64]
    """Reference parameters of the friction directions. Shape (npair, 2)."""
    pair_solimp: NDArray[np.float64]
    """Impedance parameters. Shape (npair, 5)."""
    pair_margin: NDArray[np.float64]
    """Distance at which contacts are detected (m). Shape (npair,)."""
    pair_gap: NDArray[np.float64]
    """Distance below the margin in which contacts make no force (m). Shape (npair,)."""
    pair_friction: NDArray[np.float64]
    """Friction: two tangential, one torsional, two rolling. Shape (npair, 5)."""
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
    """Reference parameters. Shape (neq, 2)."""
    eq_solimp: NDArray[np.float64]
    """Impedance parameters. Shape (neq, 5)."""
    eq_data: NDArray[np.float64]
    """Numeric parameters, by type. Shape (neq, 11)."""
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
    """Reference parameters of the limit. Shape (ntendon, 2)."""
    tendon_solimp_lim: NDArray[np.float64]
    """Impedance parameters of the limit. Shape (ntendon, 5)."""
    tendon_solref_fri: NDArray[np.float64]
    """Reference parameters of the friction constraint. Shape (ntendon, 2)."""
    tendon_solimp_fri: NDArray[np.float64]
    """Impedance parameters of the friction constraint. Shape (ntendon, 5)."""
    tendon_range: NDArray[np.float64]
    """Limits of the length. Shape (ntendon, 2)."""
    tendon_actfrcrange: NDArray[np.float64]
    """Limits of the total actuator force. Shape (ntendon, 2)."""
    tendon_margin: NDArray[np.float64]
    """Distance to the limit at which the constraint appears. Shape (ntendon,)."""
    tendon_stiffness: NDArray[np.float64]
    """Spring stiffness. Shape (ntendon,)."""
    tendon_stiffnesspoly: NDArray[np.float64]
    """Higher-order spring coefficients. Shape (ntendon, 2)."""
    tendon_damping: NDArray[np.float64]
    """Damping coefficient. Shape (ntendon,)."""
    tendon_dampingpoly: NDArray[np.float64]
    """Higher-order damping coefficients. Shape (ntendon, 2)."""
    tendon_armature: NDArray[np.float64]
    """Inertia that resists changes of length. Shape (ntendon,)."""
    tendon_frictionloss: NDArray[np.float64]
    """Dry friction. Shape (ntendon,)."""
    tendon_lengthspring: NDArray[np.float64]
    """Range of lengths in which the spring is at rest. Shape (ntendon, 2)."""
    tendon_length0: NDArray[np.float64]
    """Length in `qpos0`. Shape (ntendon,)."""
    tendon_invweight0: NDArray[np.float64]
    """Inverse inertia along the tendon in `qpos0`. Shape (ntendon,)."""
    tendon_user: NDArray[np.float64]
    """User values. Shape (ntendon,)."""
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
    """Damping that the actuator adds. Shape (nu,)."""
    actuator_dampingpoly: NDArray[np.float64]
    """Higher-order coefficients of that damping. Shape (nu, 2)."""
    actuator_armature: NDArray[np.float64]
    """Inertia that the actuator adds. Shape (nu,)."""
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
    """Parameters of the activation dynamics. Shape (nu, 10)."""
    actuator_gainprm: NDArray[np.float64]
    """Parameters of the gain. Shape (nu, 10)."""
    actuator_biasprm: NDArray[np.float64]
    """Parameters of the bias. Shape (nu, 10)."""
    actuator_actearly: NDArray[np.uint8]
    """Whether the force uses the activation of the next step. Shape (nu,)."""
    actuator_ctrlrange: NDArray[np.float64]
    """Limits of the control. Shape (nu, 2)."""
    actuator_forcerange: NDArray[np.float64]
    """Limits of the force. Shape (nu, 2)."""
    actuator_actrange: NDArray[np.float64]
    """Limits of the activation. Shape (nu, 2)."""
    actuator_gear: NDArray[np.float64]
    """Scale of length and force, per transmission axis. Shape (nu, 6)."""
    actuator_cranklength: NDArray[np.float64]
    """Length of the connecting rod of a slider-crank (m). Shape (nu,)."""
    actuator_acc0: NDArray[np.float64]
    """Acceleration for unit force in `qpos0`. Shape (nu,)."""
    actuator_length0: NDArray[np.float64]
    """Length in `qpos0`. Shape (nu,)."""
    actuator_lengthrange: NDArray[np.float64]
    """Range of lengths that can be reached. Shape (nu, 2)."""
    actuator_user: NDArray[np.float64]
    """User values. Shape (nu,)."""
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
    """Limit on the values; 0: none. Shape (nsensor,)."""
    sensor_noise: NDArray[np.float64]
    """Standard deviation of noise, for the user's use. Shape (nsensor,)."""
    sensor_history: NDArray[np.int32]
    """Samples kept and interpolation order. Shape (nsensor, 2)."""
    sensor_historyadr: NDArray[np.int32]
    """First value in `history`; -1: none. Shape (nsensor,)."""
    sensor_delay: NDArray[np.float64]
    """Delay (s). Shape (nsensor,)."""
    sensor_interval: NDArray[np.float64]
    """Period and phase of sampling (s). Shape (nsensor, 2)."""
    sensor_user: NDArray[np.float64]
    """User values. Shape (nsensor,)."""
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
    """Values. Shape (nnumericdata,)."""
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
    """Parameter of each object. Shape (ntupledata,)."""
    key_time: NDArray[np.float64]
    """Time (s). Shape (nkey,)."""
    key_qpos: NDArray[np.float64]
    """Positions. Shape (nkey,)."""
    key_qvel: NDArray[np.float64]
    """Velocities. Shape (nkey,)."""
    key_act: NDArray[np.float64]
    """Activations. Shape (nkey,)."""
    key_mpos: NDArray[np.float64]
    """Mocap positions (m). Shape (nkey,)."""
    key_mquat: NDArray[np.float64]
    """Mocap orientations. Shape (nkey,)."""
    key_ctrl: NDArray[np.float64]
    """Controls. Shape (nkey,)."""
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
    """One world: state, inputs and results."""
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
        """Contacts."""
        ...
    @property
    def warning(self) -> Any:
        """Warning counters."""
        ...
    @property
    def timer(self) -> Any:
        """Timers."""
        ...
    @property
    def solver(self) -> Any:
        """Solver statistics."""
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
    """Positions. Shape (nq,)."""
    qvel: NDArray[np.float64]
    """Velocities. Shape (nv,)."""
    act: NDArray[np.float64]
    """Activations. Shape (na,)."""
    history: NDArray[np.float64]
    """Control and sensor samples of the past. Shape (nhistory,)."""
    qacc_warmstart: NDArray[np.float64]
    """Acceleration from which the solver starts. Shape (nv,)."""
    plugin_state: NDArray[np.float64]
    """Plugin state. Shape (npluginstate,)."""
    ctrl: NDArray[np.float64]
    """Controls. Shape (nu,)."""
    qfrc_applied: NDArray[np.float64]
    """Applied generalized forces. Shape (nv,)."""
    xfrc_applied: NDArray[np.float64]
    """Applied force and torque at each body's centre of mass. Shape (nbody, 6)."""
    eq_active: NDArray[np.uint8]
    """Whether each equality is active. Shape (neq,)."""
    mocap_pos: NDArray[np.float64]
    """Positions of mocap bodies (m). Shape (nmocap, 3)."""
    mocap_quat: NDArray[np.float64]
    """Orientations of mocap bodies. Shape (nmocap, 4)."""
    qacc: NDArray[np.float64]
    """Accelerations. Shape (nv,)."""
    act_dot: NDArray[np.float64]
    """Time derivatives of the activations. Shape (na,)."""
    userdata: NDArray[np.float64]
    """Values of the user. Shape (nuserdata,)."""
    sensordata: NDArray[np.float64]
    """Sensor values. Shape (nsensordata,)."""
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
    """Motion axis of each dof about the tree's centre of mass: rotation, translation. Shape (nv, 6)."""
    cinert: NDArray[np.float64]
    """Inertia of each body about the tree's centre of mass. Shape (nbody, 10)."""
    flexvert_xpos: NDArray[np.float64]
    """Flex vertex positions (m). Shape (nflexvert, 3)."""
    flexelem_aabb: NDArray[np.float64]
    """Bounding boxes of flex elements. Shape (nflexelem, 6)."""
    flexedge_J: NDArray[np.float64]
    """Jacobian of flex edge lengths. Shape (nJfe,)."""
    flexedge_length: NDArray[np.float64]
    """Flex edge lengths (m). Shape (nflexedge,)."""
    flexvert_J: NDArray[np.float64]
    """Jacobian of flex vertex strains. Shape (nJfv, 2)."""
    flexvert_length: NDArray[np.float64]
    """Flex vertex strains. Shape (nflexvert, 2)."""
    bvh_aabb_dyn: NDArray[np.float64]
    """Bounding boxes that are recomputed each step. Shape (nbvhdynamic, 6)."""
    ten_wrapadr: NDArray[np.int32]
    """First path point of each tendon. Shape (ntendon,)."""
    ten_wrapnum: NDArray[np.int32]
    """Number of path points of each tendon. Shape (ntendon,)."""
    ten_J: NDArray[np.float64]
    """Jacobian of tendon lengths. Shape (nJten,)."""
    ten_length: NDArray[np.float64]
    """Tendon lengths. Shape (ntendon,)."""
    wrap_obj: NDArray[np.int32]
    """Geom of each path point; -1: site, -2: pulley. Shape (nwrap, 2)."""
    wrap_xpos: NDArray[np.float64]
    """Path points (m). Shape (nwrap, 6)."""
    actuator_length: NDArray[np.float64]
    """Actuator lengths. Shape (nu,)."""
    moment_rownnz: NDArray[np.int32]
    """Entries of each row of the moment matrix. Shape (nu,)."""
    moment_rowadr: NDArray[np.int32]
    """First entry of each row of the moment matrix. Shape (nu,)."""
    moment_colind: NDArray[np.int32]
    """Columns of the moment matrix. Shape (nJmom,)."""
    actuator_moment: NDArray[np.float64]
    """Moment matrix: derivative of actuator lengths. Shape (nJmom,)."""
    crb: NDArray[np.float64]
    """Composite inertia of each subtree. Shape (nbody, 10)."""
    qM: NDArray[np.float64]
    """Inertia matrix, each dof with all its ancestors. Shape (nM,)."""
    M: NDArray[np.float64]
    """Reduced inertia matrix: lower triangle in compressed rows. Shape (nC,)."""
    qLD: NDArray[np.float64]
    """Factor of the reduced inertia matrix. Shape (nC,)."""
    qLDiagInv: NDArray[np.float64]
    """Inverse diagonal of that factor. Shape (nv,)."""
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
    """Flex edge velocities. Shape (nflexedge,)."""
    ten_velocity: NDArray[np.float64]
    """Tendon velocities. Shape (ntendon,)."""
    actuator_velocity: NDArray[np.float64]
    """Actuator velocities. Shape (nu,)."""
    cvel: NDArray[np.float64]
    """Velocity of each body about the tree's centre of mass: rotation, translation. Shape (nbody, 6)."""
    cdof_dot: NDArray[np.float64]
    """Time derivative of `cdof`. Shape (nv, 6)."""
    qfrc_bias: NDArray[np.float64]
    """Coriolis, centrifugal and gravitational forces. Shape (nv,)."""
    qfrc_spring: NDArray[np.float64]
    """Spring forces. Shape (nv,)."""
    qfrc_damper: NDArray[np.float64]
    """Damper forces. Shape (nv,)."""
    qfrc_gravcomp: NDArray[np.float64]
    """Gravity compensation. Shape (nv,)."""
    qfrc_fluid: NDArray[np.float64]
    """Fluid forces. Shape (nv,)."""
    qfrc_passive: NDArray[np.float64]
    """Sum of passive forces. Shape (nv,)."""
    subtree_linvel: NDArray[np.float64]
    """Velocity of each subtree's centre of mass. Shape (nbody, 3)."""
    subtree_angmom: NDArray[np.float64]
    """Angular momentum of each subtree about its centre of mass. Shape (nbody, 3)."""
    qH: NDArray[np.float64]
    """Factor of the inertia matrix modified by an integrator. Shape (nC,)."""
    qHDiagInv: NDArray[np.float64]
    """Inverse diagonal of that factor. Shape (nv,)."""
    qDeriv: NDArray[np.float64]
    """Derivative of smooth forces with respect to velocity. Shape (nD,)."""
    qLU: NDArray[np.float64]
    """LU factor of the inertia matrix minus the scaled derivative. Shape (nD,)."""
    actuator_force: NDArray[np.float64]
    """Actuator forces. Shape (nu,)."""
    qfrc_actuator: NDArray[np.float64]
    """Actuator forces in joint space. Shape (nv,)."""
    qfrc_smooth: NDArray[np.float64]
    """Sum of all forces but the constraints'. Shape (nv,)."""
    qacc_smooth: NDArray[np.float64]
    """Acceleration without constraints. Shape (nv,)."""
    qfrc_constraint: NDArray[np.float64]
    """Constraint forces. Shape (nv,)."""
    qfrc_inverse: NDArray[np.float64]
    """External force that inverse dynamics finds. Shape (nv,)."""
    cacc: NDArray[np.float64]
    """Acceleration of each body about the tree's centre of mass. Shape (nbody, 6)."""
    cfrc_int: NDArray[np.float64]
    """Force between each body and its parent. Shape (nbody, 6)."""
    cfrc_ext: NDArray[np.float64]
    """External force on each body. Shape (nbody, 6)."""
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
    """Constraint Jacobian. Shape (nJ,)."""
    efc_pos: NDArray[np.float64]
    """Constraint violation. Shape (nefc,)."""
    efc_margin: NDArray[np.float64]
    """Margin at which the row appears. Shape (nefc,)."""
    efc_frictionloss: NDArray[np.float64]
    """Dry friction. Shape (nefc,)."""
    efc_diagApprox: NDArray[np.float64]
    """Estimate of the diagonal of the inverse inertia in constraint space. Shape (nefc,)."""
    efc_KBIP: NDArray[np.float64]
    """Stiffness, damping, impedance and its derivative. Shape (nefc, 4)."""
    efc_D: NDArray[np.float64]
    """Constraint mass. Shape (nefc,)."""
    efc_R: NDArray[np.float64]
    """Inverse constraint mass. Shape (nefc,)."""
    tendon_efcadr: NDArray[np.int32]
    """First row of each tendon; -1: none. Shape (ntendon,)."""
    efc_vel: NDArray[np.float64]
    """Velocity in constraint space. Shape (nefc,)."""
    efc_aref: NDArray[np.float64]
    """Reference acceleration. Shape (nefc,)."""
    efc_b: NDArray[np.float64]
    """Linear cost term. Shape (nefc,)."""
    efc_state: NDArray[np.int32]
    """State of each row. Shape (nefc,)."""
    efc_force: NDArray[np.float64]
    """Constraint forces in constraint space. Shape (nefc,)."""
    efc_AR_rownnz: NDArray[np.int32]
    """Entries of each row of the regularized inverse inertia. Shape (nefc,)."""
    efc_AR_rowadr: NDArray[np.int32]
    """First entry of each row of the regularized inverse inertia. Shape (nefc,)."""
    efc_AR_colind: NDArray[np.int32]
    """Columns of the regularized inverse inertia. Shape (nA,)."""
    efc_AR: NDArray[np.float64]
    """Regularized inverse inertia in constraint space. Shape (nA,)."""
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
    """Smooth forces in island order. Shape (nidof,)."""
    iacc_smooth: NDArray[np.float64]
    """Smooth accelerations in island order. Shape (nidof,)."""
    iM_rownnz: NDArray[np.int32]
    """Inertia in island order: entries of each row. Shape (nidof,)."""
    iM_rowadr: NDArray[np.int32]
    """Inertia in island order: first entry of each row. Shape (nidof,)."""
    iM_colind: NDArray[np.int32]
    """Inertia in island order: columns. Shape (nC,)."""
    iM: NDArray[np.float64]
    """Inertia in island order. Shape (nC,)."""
    iLD: NDArray[np.float64]
    """Factor of the inertia in island order. Shape (nC,)."""
    iLDiagInv: NDArray[np.float64]
    """Inverse diagonal of that factor. Shape (nidof,)."""
    iacc: NDArray[np.float64]
    """Accelerations in island order. Shape (nidof,)."""
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
    """Constraint Jacobian, in island order. Shape (nJ,)."""
    iefc_frictionloss: NDArray[np.float64]
    """Dry friction, in island order. Shape (nefc,)."""
    iefc_D: NDArray[np.float64]
    """Constraint mass, in island order. Shape (nefc,)."""
    iefc_R: NDArray[np.float64]
    """Inverse constraint mass, in island order. Shape (nefc,)."""
    iefc_aref: NDArray[np.float64]
    """Reference acceleration, in island order. Shape (nefc,)."""
    iefc_state: NDArray[np.int32]
    """State of each row, in island order. Shape (nefc,)."""
    iefc_force: NDArray[np.float64]
    """Constraint forces, in island order. Shape (nefc,)."""
    ifrc_constraint: NDArray[np.float64]
    """Constraint forces in joint space, in island order. Shape (nidof,)."""
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
    """An element of a description."""
    classname: Any
    """The default class of the element."""
    @property
    def compiler(self) -> Any:
        """Compiler settings that apply to the element."""
        ...
    @property
    def id(self) -> Any:
        """Number of the element in the compiled model."""
        ...
    @property
    def signature(self) -> Any:
        """A number that tells which models belong to the description."""
        ...
class MjsBody(MjsElement):
    """A body."""
    def add_body(self, default: Any = None, **fields: Any) -> Any:
        """Adds a body with the values of a default class, and sets the fields given by name."""
        ...
    def add_camera(self, default: Any = None, **fields: Any) -> Any:
        """Adds a camera with the values of a default class, and sets the fields given by name."""
        ...
    def add_frame(self, default: Any = None, **fields: Any) -> Any:
        """Adds a frame with the values of a default class, and sets the fields given by name."""
        ...
    def add_freejoint(self, **fields: Any) -> Any:
        """Adds a free joint."""
        ...
    def add_geom(self, default: Any = None, **fields: Any) -> Any:
        """Adds a geom with the values of a default class, and sets the fields given by name."""
        ...
    def add_joint(self, default: Any = None, **fields: Any) -> Any:
        """Adds a joint with the values of a default class, and sets the fields given by name."""
        ...
    def add_light(self, default: Any = None, **fields: Any) -> Any:
        """Adds a light with the values of a default class, and sets the fields given by name."""
        ...
    def add_site(self, default: Any = None, **fields: Any) -> Any:
        """Adds a site with the values of a default class, and sets the fields given by name."""
        ...
    alt: Any
    """The orientation in another form."""
    def attach_frame(self, frame: Any, prefix: Any = None, suffix: Any = None) -> Any:
        """Attaches a frame of another description, with all inside it and what refers to it."""
        ...
    @property
    def bodies(self) -> Any:
        """The bodies that belong to this body."""
        ...
    @property
    def cameras(self) -> Any:
        """The cameras that belong to this body."""
        ...
    childclass: Any
    """The field `childclass`."""
    explicitinertial: Any
    """The field `explicitinertial`."""
    def find_all(self, kind: Any) -> Any:
        """All elements of a kind, by name or by `mjtObj`, in this body and below it, without the body itself."""
        ...
    def find_child(self, name: str) -> Any:
        """The body of this name: this one or one below it, at any depth; None when there is none."""
        ...
    def first_body(self) -> Any:
        """The first body of this body; None when there is none."""
        ...
    def first_camera(self) -> Any:
        """The first camera of this body; None when there is none."""
        ...
    def first_frame(self) -> Any:
        """The first frame of this body; None when there is none."""
        ...
    def first_geom(self) -> Any:
        """The first geom of this body; None when there is none."""
        ...
    def first_joint(self) -> Any:
        """The first joint of this body; None when there is none."""
        ...
    def first_light(self) -> Any:
        """The first light of this body; None when there is none."""
        ...
    def first_site(self) -> Any:
        """The first site of this body; None when there is none."""
        ...
    frame: Any
    """The frame that this is in; None when it is in none."""
    @property
    def frames(self) -> Any:
        """The frames that belong to this body."""
        ...
    fullinertia: Any
    """The field `fullinertia`."""
    @property
    def geoms(self) -> Any:
        """The geoms that belong to this body."""
        ...
    gravcomp: Any
    """The field `gravcomp`."""
    ialt: Any
    """The orientation in another form."""
    inertia: Any
    """The field `inertia`."""
    info: Any
    """The field `info`."""
    ipos: Any
    """The field `ipos`."""
    iquat: Any
    """The field `iquat`."""
    @property
    def joints(self) -> Any:
        """The joints that belong to this body."""
        ...
    @property
    def lights(self) -> Any:
        """The lights that belong to this body."""
        ...
    mass: Any
    """The field `mass`."""
    mocap: Any
    """The field `mocap`."""
    name: Any
    """The field `name`."""
    def next_body(self, element: Any) -> Any:
        """The body after another one; None after the last."""
        ...
    def next_camera(self, element: Any) -> Any:
        """The camera after another one; None after the last."""
        ...
    def next_frame(self, element: Any) -> Any:
        """The frame after another one; None after the last."""
        ...
    def next_geom(self, element: Any) -> Any:
        """The geom after another one; None after the last."""
        ...
    def next_joint(self, element: Any) -> Any:
        """The joint after another one; None after the last."""
        ...
    def next_light(self, element: Any) -> Any:
        """The light after another one; None after the last."""
        ...
    def next_site(self, element: Any) -> Any:
        """The site after another one; None after the last."""
        ...
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    plugin: Any
    """The plugin that the element uses."""
    pos: Any
    """The field `pos`."""
    quat: Any
    """The field `quat`."""
    def set_frame(self, frame: Any) -> Any:
        """Moves this into a frame of the same body."""
        ...
    @property
    def sites(self) -> Any:
        """The sites that belong to this body."""
        ...
    sleep: Any
    """The field `sleep`."""
    def to_frame(self) -> Any:
        """Replaces this body by a frame of its parent with the same pose."""
        ...
    userdata: Any
    """The field `userdata`."""
class MjsFrame(MjsElement):
    """A frame."""
    def add_body(self, default: Any = None, **fields: Any) -> Any:
        """Adds a body with the values of a default class, and sets the fields given by name."""
        ...
    def add_camera(self, default: Any = None, **fields: Any) -> Any:
        """Adds a camera with the values of a default class, and sets the fields given by name."""
        ...
    def add_frame(self, default: Any = None, **fields: Any) -> Any:
        """Adds a frame with the values of a default class, and sets the fields given by name."""
        ...
    def add_freejoint(self, **fields: Any) -> Any:
        """Adds a free joint."""
        ...
    def add_geom(self, default: Any = None, **fields: Any) -> Any:
        """Adds a geom with the values of a default class, and sets the fields given by name."""
        ...
    def add_joint(self, default: Any = None, **fields: Any) -> Any:
        """Adds a joint with the values of a default class, and sets the fields given by name."""
        ...
    def add_light(self, default: Any = None, **fields: Any) -> Any:
        """Adds a light with the values of a default class, and sets the fields given by name."""
        ...
    def add_site(self, default: Any = None, **fields: Any) -> Any:
        """Adds a site with the values of a default class, and sets the fields given by name."""
        ...
    alt: Any
    """The orientation in another form."""
    def attach_body(self, body: int, prefix: Any = None, suffix: Any = None) -> Any:
        """Attaches a body of another description, with all below it and what refers to it."""
        ...
    childclass: Any
    """The field `childclass`."""
    frame: Any
    """The frame that this is in; None when it is in none."""
    info: Any
    """The field `info`."""
    name: Any
    """The field `name`."""
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    pos: Any
    """The field `pos`."""
    quat: Any
    """The field `quat`."""
    def set_frame(self, frame: Any) -> Any:
        """Moves this into a frame of the same body."""
        ...
class MjsJoint(MjsElement):
    """A joint."""
    actfrclimited: Any
    """The field `actfrclimited`."""
    actfrcrange: Any
    """The field `actfrcrange`."""
    actgravcomp: Any
    """The field `actgravcomp`."""
    align: Any
    """The field `align`."""
    armature: Any
    """The field `armature`."""
    axis: Any
    """The field `axis`."""
    damping: Any
    """The field `damping`."""
    frame: Any
    """The frame that this is in; None when it is in none."""
    frictionloss: Any
    """The field `frictionloss`."""
    group: Any
    """The field `group`."""
    info: Any
    """The field `info`."""
    limited: Any
    """The field `limited`."""
    margin: Any
    """The field `margin`."""
    name: Any
    """The field `name`."""
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    pos: Any
    """The field `pos`."""
    range: Any
    """The field `range`."""
    ref: Any
    """The field `ref`."""
    def set_frame(self, frame: Any) -> Any:
        """Moves this into a frame of the same body."""
        ...
    solimp_friction: Any
    """The field `solimp_friction`."""
    solimp_limit: Any
    """The field `solimp_limit`."""
    solref_friction: Any
    """The field `solref_friction`."""
    solref_limit: Any
    """The field `solref_limit`."""
    springdamper: Any
    """The field `springdamper`."""
    springref: Any
    """The field `springref`."""
    stiffness: Any
    """The field `stiffness`."""
    type: Any
    """The field `type`."""
    userdata: Any
    """The field `userdata`."""
class MjsGeom(MjsElement):
    """A geom."""
    alt: Any
    """The orientation in another form."""
    conaffinity: Any
    """The field `conaffinity`."""
    condim: Any
    """The field `condim`."""
    contype: Any
    """The field `contype`."""
    density: Any
    """The field `density`."""
    fitscale: Any
    """The field `fitscale`."""
    fluid_coefs: Any
    """The field `fluid_coefs`."""
    fluid_ellipsoid: Any
    """The field `fluid_ellipsoid`."""
    frame: Any
    """The frame that this is in; None when it is in none."""
    friction: Any
    """The field `friction`."""
    fromto: Any
    """The field `fromto`."""
    gap: Any
    """The field `gap`."""
    group: Any
    """The field `group`."""
    hfieldname: Any
    """The field `hfieldname`."""
    info: Any
    """The field `info`."""
    margin: Any
    """The field `margin`."""
    mass: Any
    """The field `mass`."""
    material: Any
    """The field `material`."""
    meshname: Any
    """The field `meshname`."""
    name: Any
    """The field `name`."""
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    plugin: Any
    """The plugin that the element uses."""
    pos: Any
    """The field `pos`."""
    priority: Any
    """The field `priority`."""
    quat: Any
    """The field `quat`."""
    rgba: Any
    """The field `rgba`."""
    def set_frame(self, frame: Any) -> Any:
        """Moves this into a frame of the same body."""
        ...
    size: Any
    """The field `size`."""
    solimp: Any
    """The field `solimp`."""
    solmix: Any
    """The field `solmix`."""
    solref: Any
    """The field `solref`."""
    type: Any
    """The field `type`."""
    typeinertia: Any
    """The field `typeinertia`."""
    userdata: Any
    """The field `userdata`."""
class MjsSite(MjsElement):
    """A site."""
    alt: Any
    """The orientation in another form."""
    def attach_body(self, body: int, prefix: Any = None, suffix: Any = None) -> Any:
        """Attaches a body of another description, with all below it and what refers to it."""
        ...
    frame: Any
    """The frame that this is in; None when it is in none."""
    fromto: Any
    """The field `fromto`."""
    group: Any
    """The field `group`."""
    info: Any
    """The field `info`."""
    material: Any
    """The field `material`."""
    name: Any
    """The field `name`."""
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    pos: Any
    """The field `pos`."""
    quat: Any
    """The field `quat`."""
    rgba: Any
    """The field `rgba`."""
    def set_frame(self, frame: Any) -> Any:
        """Moves this into a frame of the same body."""
        ...
    size: Any
    """The field `size`."""
    type: Any
    """The field `type`."""
    userdata: Any
    """The field `userdata`."""
class MjsCamera(MjsElement):
    """A camera."""
    alt: Any
    """The orientation in another form."""
    focal_length: Any
    """The field `focal_length`."""
    focal_pixel: Any
    """The field `focal_pixel`."""
    fovy: Any
    """The field `fovy`."""
    frame: Any
    """The frame that this is in; None when it is in none."""
    info: Any
    """The field `info`."""
    intrinsic: Any
    """The field `intrinsic`."""
    ipd: Any
    """The field `ipd`."""
    mode: Any
    """The field `mode`."""
    name: Any
    """The field `name`."""
    output: Any
    """The field `output`."""
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    pos: Any
    """The field `pos`."""
    principal_length: Any
    """The field `principal_length`."""
    principal_pixel: Any
    """The field `principal_pixel`."""
    proj: Any
    """The field `proj`."""
    quat: Any
    """The field `quat`."""
    resolution: Any
    """The field `resolution`."""
    sensor_size: Any
    """The field `sensor_size`."""
    def set_frame(self, frame: Any) -> Any:
        """Moves this into a frame of the same body."""
        ...
    targetbody: Any
    """The field `targetbody`."""
    userdata: Any
    """The field `userdata`."""
class MjsLight(MjsElement):
    """A light."""
    active: Any
    """The field `active`."""
    ambient: Any
    """The field `ambient`."""
    attenuation: Any
    """The field `attenuation`."""
    bulbradius: Any
    """The field `bulbradius`."""
    castshadow: Any
    """The field `castshadow`."""
    cutoff: Any
    """The field `cutoff`."""
    diffuse: Any
    """The field `diffuse`."""
    dir: Any
    """The field `dir`."""
    exponent: Any
    """The field `exponent`."""
    frame: Any
    """The frame that this is in; None when it is in none."""
    info: Any
    """The field `info`."""
    intensity: Any
    """The field `intensity`."""
    mode: Any
    """The field `mode`."""
    name: Any
    """The field `name`."""
    @property
    def parent(self) -> Any:
        """The body that this belongs to; None for the world."""
        ...
    pos: Any
    """The field `pos`."""
    range: Any
    """The field `range`."""
    def set_frame(self, frame: Any) -> Any:
        """Moves this into a frame of the same body."""
        ...
    specular: Any
    """The field `specular`."""
    targetbody: Any
    """The field `targetbody`."""
    texture: Any
    """The field `texture`."""
    type: Any
    """The field `type`."""
class MjsFlex(MjsElement):
    """A flex."""
    activelayers: Any
    """The field `activelayers`."""
    cellcount: Any
    """The field `cellcount`."""
    conaffinity: Any
    """The field `conaffinity`."""
    condim: Any
    """The field `condim`."""
    contype: Any
    """The field `contype`."""
    damping: Any
    """The field `damping`."""
    dim: Any
    """The field `dim`."""
    edgedamping: Any
    """The field `edgedamping`."""
    edgestiffness: Any
    """The field `edgestiffness`."""
    elastic2d: Any
    """The field `elastic2d`."""
    elem: Any
    """The field `elem`."""
    elemtexcoord: Any
    """The field `elemtexcoord`."""
    flatskin: Any
    """The field `flatskin`."""
    friction: Any
    """The field `friction`."""
    gap: Any
    """The field `gap`."""
    group: Any
    """The field `group`."""
    info: Any
    """The field `info`."""
    internal: Any
    """The field `internal`."""
    margin: Any
    """The field `margin`."""
    material: Any
    """The field `material`."""
    name: Any
    """The field `name`."""
    node: Any
    """The field `node`."""
    nodebody: Any
    """The field `nodebody`."""
    order: Any
    """The field `order`."""
    passive: Any
    """The field `passive`."""
    poisson: Any
    """The field `poisson`."""
    priority: Any
    """The field `priority`."""
    radius: Any
    """The field `radius`."""
    rgba: Any
    """The field `rgba`."""
    selfcollide: Any
    """The field `selfcollide`."""
    size: Any
    """The field `size`."""
    solimp: Any
    """The field `solimp`."""
    solmix: Any
    """The field `solmix`."""
    solref: Any
    """The field `solref`."""
    texcoord: Any
    """The field `texcoord`."""
    thickness: Any
    """The field `thickness`."""
    vert: Any
    """The field `vert`."""
    vertbody: Any
    """The field `vertbody`."""
    young: Any
    """The field `young`."""
class MjsMesh(MjsElement):
    """A mesh."""
    builtin: Any
    """The field `builtin`."""
    content_type: Any
    """The field `content_type`."""
    file: Any
    """The field `file`."""
    inertia: Any
    """The field `inertia`."""
    info: Any
    """The field `info`."""
    def make_cone(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a cone: nedge, radius."""
        ...
    def make_hemisphere(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a hemisphere: resolution."""
        ...
    def make_plate(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a plate: resolution."""
        ...
    def make_sphere(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a sphere: subdivision."""
        ...
    def make_supersphere(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a supersphere: resolution, e, n."""
        ...
    def make_supertorus(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a supertorus: resolution, radius, s, t."""
        ...
    def make_wedge(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the mesh a wedge: resolution, fov, gamma."""
        ...
    material: Any
    """The field `material`."""
    maxhullvert: Any
    """The field `maxhullvert`."""
    name: Any
    """The field `name`."""
    needsdf: Any
    """The field `needsdf`."""
    params: Any
    """The field `params`."""
    plugin: Any
    """The plugin that the element uses."""
    refpos: Any
    """The field `refpos`."""
    refquat: Any
    """The field `refquat`."""
    scale: Any
    """The field `scale`."""
    smoothnormal: Any
    """The field `smoothnormal`."""
    userface: Any
    """The field `userface`."""
    userfacenormal: Any
    """The field `userfacenormal`."""
    userfacetexcoord: Any
    """The field `userfacetexcoord`."""
    usernormal: Any
    """The field `usernormal`."""
    usertexcoord: Any
    """The field `usertexcoord`."""
    uservert: Any
    """The field `uservert`."""
class MjsHField(MjsElement):
    """A hfield."""
    content_type: Any
    """The field `content_type`."""
    file: Any
    """The field `file`."""
    info: Any
    """The field `info`."""
    name: Any
    """The field `name`."""
    ncol: Any
    """The field `ncol`."""
    nrow: Any
    """The field `nrow`."""
    size: Any
    """The field `size`."""
    userdata: Any
    """The field `userdata`."""
class MjsSkin(MjsElement):
    """A skin."""
    bindpos: Any
    """The field `bindpos`."""
    bindquat: Any
    """The field `bindquat`."""
    bodyname: Any
    """The field `bodyname`."""
    face: Any
    """The field `face`."""
    file: Any
    """The field `file`."""
    group: Any
    """The field `group`."""
    inflate: Any
    """The field `inflate`."""
    info: Any
    """The field `info`."""
    material: Any
    """The field `material`."""
    name: Any
    """The field `name`."""
    rgba: Any
    """The field `rgba`."""
    texcoord: Any
    """The field `texcoord`."""
    vert: Any
    """The field `vert`."""
    vertid: Any
    """The field `vertid`."""
    vertweight: Any
    """The field `vertweight`."""
class MjsTexture(MjsElement):
    """A texture."""
    builtin: Any
    """The field `builtin`."""
    colorspace: Any
    """The field `colorspace`."""
    content_type: Any
    """The field `content_type`."""
    cubefiles: Any
    """The field `cubefiles`."""
    data: Any
    """The field `data`."""
    file: Any
    """The field `file`."""
    gridlayout: Any
    """The field `gridlayout`."""
    gridsize: Any
    """The field `gridsize`."""
    height: Any
    """The field `height`."""
    hflip: Any
    """The field `hflip`."""
    info: Any
    """The field `info`."""
    mark: Any
    """The field `mark`."""
    markrgb: Any
    """The field `markrgb`."""
    name: Any
    """The field `name`."""
    nchannel: Any
    """The field `nchannel`."""
    random: Any
    """The field `random`."""
    rgb1: Any
    """The field `rgb1`."""
    rgb2: Any
    """The field `rgb2`."""
    type: Any
    """The field `type`."""
    vflip: Any
    """The field `vflip`."""
    width: Any
    """The field `width`."""
class MjsMaterial(MjsElement):
    """A material."""
    emission: Any
    """The field `emission`."""
    info: Any
    """The field `info`."""
    metallic: Any
    """The field `metallic`."""
    name: Any
    """The field `name`."""
    reflectance: Any
    """The field `reflectance`."""
    rgba: Any
    """The field `rgba`."""
    roughness: Any
    """The field `roughness`."""
    shininess: Any
    """The field `shininess`."""
    specular: Any
    """The field `specular`."""
    texrepeat: Any
    """The field `texrepeat`."""
    textures: Any
    """The field `textures`."""
    texuniform: Any
    """The field `texuniform`."""
class MjsPair(MjsElement):
    """A pair."""
    condim: Any
    """The field `condim`."""
    friction: Any
    """The field `friction`."""
    gap: Any
    """The field `gap`."""
    geomname1: Any
    """The field `geomname1`."""
    geomname2: Any
    """The field `geomname2`."""
    info: Any
    """The field `info`."""
    margin: Any
    """The field `margin`."""
    name: Any
    """The field `name`."""
    solimp: Any
    """The field `solimp`."""
    solref: Any
    """The field `solref`."""
    solreffriction: Any
    """The field `solreffriction`."""
class MjsExclude(MjsElement):
    """A exclude."""
    bodyname1: Any
    """The field `bodyname1`."""
    bodyname2: Any
    """The field `bodyname2`."""
    info: Any
    """The field `info`."""
    name: Any
    """The field `name`."""
class MjsEquality(MjsElement):
    """A equality."""
    active: Any
    """The field `active`."""
    data: Any
    """The field `data`."""
    info: Any
    """The field `info`."""
    name: Any
    """The field `name`."""
    name1: Any
    """The field `name1`."""
    name2: Any
    """The field `name2`."""
    objtype: Any
    """The field `objtype`."""
    solimp: Any
    """The field `solimp`."""
    solref: Any
    """The field `solref`."""
    type: Any
    """The field `type`."""
class MjsTendon(MjsElement):
    """A tendon."""
    actfrclimited: Any
    """The field `actfrclimited`."""
    actfrcrange: Any
    """The field `actfrcrange`."""
    armature: Any
    """The field `armature`."""
    damping: Any
    """The field `damping`."""
    def default(self) -> Any:
        """"""
        ...
    frictionloss: Any
    """The field `frictionloss`."""
    group: Any
    """The field `group`."""
    info: Any
    """The field `info`."""
    limited: Any
    """The field `limited`."""
    margin: Any
    """The field `margin`."""
    material: Any
    """The field `material`."""
    name: Any
    """The field `name`."""
    @property
    def path(self) -> Any:
        """The path of the tendon."""
        ...
    range: Any
    """The field `range`."""
    rgba: Any
    """The field `rgba`."""
    solimp_friction: Any
    """The field `solimp_friction`."""
    solimp_limit: Any
    """The field `solimp_limit`."""
    solref_friction: Any
    """The field `solref_friction`."""
    solref_limit: Any
    """The field `solref_limit`."""
    springlength: Any
    """The field `springlength`."""
    stiffness: Any
    """The field `stiffness`."""
    userdata: Any
    """The field `userdata`."""
    width: Any
    """The field `width`."""
    def wrap_geom(self, name: str, sidesite: Any = '') -> Any:
        """"""
        ...
    def wrap_joint(self, name: str, coef: Any) -> Any:
        """"""
        ...
    def wrap_pulley(self, divisor: Any) -> Any:
        """"""
        ...
    def wrap_site(self, name: str) -> Any:
        """"""
        ...
class MjsActuator(MjsElement):
    """A actuator."""
    actdim: Any
    """The field `actdim`."""
    actearly: Any
    """The field `actearly`."""
    actlimited: Any
    """The field `actlimited`."""
    actrange: Any
    """The field `actrange`."""
    armature: Any
    """The field `armature`."""
    biasprm: Any
    """The field `biasprm`."""
    biastype: Any
    """The field `biastype`."""
    cranklength: Any
    """The field `cranklength`."""
    ctrllimited: Any
    """The field `ctrllimited`."""
    ctrlrange: Any
    """The field `ctrlrange`."""
    damping: Any
    """The field `damping`."""
    delay: Any
    """The field `delay`."""
    dynprm: Any
    """The field `dynprm`."""
    dyntype: Any
    """The field `dyntype`."""
    forcelimited: Any
    """The field `forcelimited`."""
    forcerange: Any
    """The field `forcerange`."""
    gainprm: Any
    """The field `gainprm`."""
    gaintype: Any
    """The field `gaintype`."""
    gear: Any
    """The field `gear`."""
    group: Any
    """The field `group`."""
    info: Any
    """The field `info`."""
    inheritrange: Any
    """The field `inheritrange`."""
    interp: Any
    """The field `interp`."""
    lengthrange: Any
    """The field `lengthrange`."""
    name: Any
    """The field `name`."""
    nsample: Any
    """The field `nsample`."""
    plugin: Any
    """The plugin that the element uses."""
    refsite: Any
    """The field `refsite`."""
    def set_to_adhesion(self, *args: Any, **kwargs: Any) -> Any:
        """Adhesion: force on the contacts of a body = gain · control."""
        ...
    def set_to_cylinder(self, *args: Any, **kwargs: Any) -> Any:
        """Cylinder: force = area · pressure + bias, the pressure being a filtered control."""
        ...
    def set_to_damper(self, *args: Any, **kwargs: Any) -> Any:
        """Controlled damping: force = -kv v u."""
        ...
    def set_to_dcmotor(self, *args: Any, **kwargs: Any) -> Any:
        """DC motor with optional electrical, thermal, friction and controller states."""
        ...
    def set_to_intvelocity(self, *args: Any, **kwargs: Any) -> Any:
        """Position servo on the integral of the control."""
        ...
    def set_to_motor(self, *args: Any, **kwargs: Any) -> Any:
        """Direct drive: force = control."""
        ...
    def set_to_muscle(self, *args: Any, **kwargs: Any) -> Any:
        """Muscle with activation dynamics and force-length-velocity curves; negative numbers keep their values."""
        ...
    def set_to_position(self, *args: Any, **kwargs: Any) -> Any:
        """Position servo: force = kp (u - l) - kv v."""
        ...
    def set_to_velocity(self, *args: Any, **kwargs: Any) -> Any:
        """Velocity servo: force = kv (u - v)."""
        ...
    slidersite: Any
    """The field `slidersite`."""
    target: Any
    """The field `target`."""
    trntype: Any
    """The field `trntype`."""
    userdata: Any
    """The field `userdata`."""
class MjsSensor(MjsElement):
    """A sensor."""
    cutoff: Any
    """The field `cutoff`."""
    datatype: Any
    """The field `datatype`."""
    delay: Any
    """The field `delay`."""
    dim: Any
    """The field `dim`."""
    def get_data_size(self) -> Any:
        """"""
        ...
    info: Any
    """The field `info`."""
    interp: Any
    """The field `interp`."""
    interval: Any
    """The field `interval`."""
    intprm: Any
    """The field `intprm`."""
    name: Any
    """The field `name`."""
    needstage: Any
    """The field `needstage`."""
    noise: Any
    """The field `noise`."""
    nsample: Any
    """The field `nsample`."""
    objname: Any
    """The field `objname`."""
    objtype: Any
    """The field `objtype`."""
    plugin: Any
    """The plugin that the element uses."""
    refname: Any
    """The field `refname`."""
    reftype: Any
    """The field `reftype`."""
    type: Any
    """The field `type`."""
    userdata: Any
    """The field `userdata`."""
class MjsNumeric(MjsElement):
    """A numeric."""
    data: Any
    """The field `data`."""
    info: Any
    """The field `info`."""
    name: Any
    """The field `name`."""
    size: Any
    """The field `size`."""
class MjsText(MjsElement):
    """A text."""
    data: Any
    """The field `data`."""
    info: Any
    """The field `info`."""
    name: Any
    """The field `name`."""
class MjsTuple(MjsElement):
    """A tuple."""
    info: Any
    """The field `info`."""
    name: Any
    """The field `name`."""
    objname: Any
    """The field `objname`."""
    objprm: Any
    """The field `objprm`."""
    objtype: Any
    """The field `objtype`."""
class MjsKey(MjsElement):
    """A key."""
    act: Any
    """The field `act`."""
    ctrl: Any
    """The field `ctrl`."""
    info: Any
    """The field `info`."""
    mpos: Any
    """The field `mpos`."""
    mquat: Any
    """The field `mquat`."""
    name: Any
    """The field `name`."""
    qpos: Any
    """The field `qpos`."""
    qvel: Any
    """The field `qvel`."""
    time: Any
    """The field `time`."""
class MjsPlugin(MjsElement):
    """A plugin."""
    active: Any
    """The field `active`."""
    config: Any
    """The field `config`."""
    info: Any
    """The field `info`."""
    name: Any
    """The field `name`."""
    plugin_name: Any
    """The field `plugin_name`."""
class MjsDefault:
    """A default class: prototypes that new elements are copied from."""
    @property
    def actuator(self) -> Any:
        """Prototype of a actuator."""
        ...
    @property
    def camera(self) -> Any:
        """Prototype of a camera."""
        ...
    @property
    def children(self) -> Any:
        """The classes directly below this one."""
        ...
    @property
    def equality(self) -> Any:
        """Prototype of a equality."""
        ...
    @property
    def flex(self) -> Any:
        """Prototype of a flex."""
        ...
    @property
    def geom(self) -> Any:
        """Prototype of a geom."""
        ...
    @property
    def joint(self) -> Any:
        """Prototype of a joint."""
        ...
    @property
    def light(self) -> Any:
        """Prototype of a light."""
        ...
    @property
    def material(self) -> Any:
        """Prototype of a material."""
        ...
    @property
    def mesh(self) -> Any:
        """Prototype of a mesh."""
        ...
    @property
    def name(self) -> Any:
        """Name of the class."""
        ...
    @property
    def pair(self) -> Any:
        """Prototype of a pair."""
        ...
    @property
    def parent(self) -> Any:
        """The class around this one; None for the main class."""
        ...
    @property
    def site(self) -> Any:
        """Prototype of a site."""
        ...
    @property
    def tendon(self) -> Any:
        """Prototype of a tendon."""
        ...
class MjsOrientation:
    """An orientation that is not a quaternion."""
    axisangle: Any
    """The orientation as `axisangle`."""
    euler: Any
    """The orientation as `euler`."""
    type: Any
    """Which form it has."""
    xyaxes: Any
    """The orientation as `xyaxes`."""
    zaxis: Any
    """The orientation as `zaxis`."""
class MjsWrap:
    """One step on the path of a tendon."""
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
        """The site, geom or joint that is passed; None for a pulley."""
        ...
    @property
    def type(self) -> Any:
        """What is passed."""
        ...
class MjsCompiler:
    """Compiler settings."""
    def __getattr__(self, name: str) -> Any: ...
    @property
    def LRopt(self) -> Any:
        """How the length range of actuators is searched."""
        ...
    alignfree: Any
    """The field `alignfree`."""
    autolimits: Any
    """The field `autolimits`."""
    balanceinertia: Any
    """The field `balanceinertia`."""
    boundinertia: Any
    """The field `boundinertia`."""
    boundmass: Any
    """The field `boundmass`."""
    degree: Any
    """The field `degree`."""
    discardvisual: Any
    """The field `discardvisual`."""
    eulerseq: Any
    """The field `eulerseq`."""
    fitaabb: Any
    """The field `fitaabb`."""
    fusestatic: Any
    """The field `fusestatic`."""
    inertiafromgeom: Any
    """The field `inertiafromgeom`."""
    inertiagrouprange: Any
    """The field `inertiagrouprange`."""
    meshdir: Any
    """The field `meshdir`."""
    saveinertial: Any
    """The field `saveinertial`."""
    settotalmass: Any
    """The field `settotalmass`."""
    texturedir: Any
    """The field `texturedir`."""
    usethread: Any
    """The field `usethread`."""
class MjSpec:
    """An editable model description."""
    def __init__(self) -> None: ...
    assets: dict[str, str | bytes]
    copy_during_attach: bool
    def activate_plugin(self, name: str) -> Any:
        """Declares that a plugin is used."""
        ...
    def actuator(self, name: str) -> Any:
        """The actuator with this name; None when there is none."""
        ...
    @property
    def actuators(self) -> Any:
        """All actuators."""
        ...
    def add_actuator(self, default: Any = None, **fields: Any) -> Any:
        """Adds a actuator, and sets the fields given by name."""
        ...
    def add_default(self, name: str, parent: Any = None) -> Any:
        """Adds a default class below another one, the main one when none is given."""
        ...
    def add_equality(self, default: Any = None, **fields: Any) -> Any:
        """Adds a equality, and sets the fields given by name."""
        ...
    def add_exclude(self, default: Any = None, **fields: Any) -> Any:
        """Adds a exclude, and sets the fields given by name."""
        ...
    def add_flex(self, default: Any = None, **fields: Any) -> Any:
        """Adds a flex, and sets the fields given by name."""
        ...
    def add_hfield(self, default: Any = None, **fields: Any) -> Any:
        """Adds a hfield, and sets the fields given by name."""
        ...
    def add_key(self, default: Any = None, **fields: Any) -> Any:
        """Adds a key, and sets the fields given by name."""
        ...
    def add_material(self, default: Any = None, **fields: Any) -> Any:
        """Adds a material, and sets the fields given by name."""
        ...
    def add_mesh(self, default: Any = None, **fields: Any) -> Any:
        """Adds a mesh, and sets the fields given by name."""
        ...
    def add_numeric(self, default: Any = None, **fields: Any) -> Any:
        """Adds a numeric, and sets the fields given by name."""
        ...
    def add_pair(self, default: Any = None, **fields: Any) -> Any:
        """Adds a pair, and sets the fields given by name."""
        ...
    def add_plugin(self, default: Any = None, **fields: Any) -> Any:
        """Adds a plugin, and sets the fields given by name."""
        ...
    def add_sensor(self, default: Any = None, **fields: Any) -> Any:
        """Adds a sensor, and sets the fields given by name."""
        ...
    def add_skin(self, default: Any = None, **fields: Any) -> Any:
        """Adds a skin, and sets the fields given by name."""
        ...
    def add_tendon(self, default: Any = None, **fields: Any) -> Any:
        """Adds a tendon, and sets the fields given by name."""
        ...
    def add_text(self, default: Any = None, **fields: Any) -> Any:
        """Adds a text, and sets the fields given by name."""
        ...
    def add_texture(self, default: Any = None, **fields: Any) -> Any:
        """Adds a texture, and sets the fields given by name."""
        ...
    def add_tuple(self, default: Any = None, **fields: Any) -> Any:
        """Adds a tuple, and sets the fields given by name."""
        ...
    def attach(self, child: Any, prefix: Any = None, suffix: Any = None, site: int | None = None, frame: Any = None) -> Any:
        """Attaches a whole description at a frame or a site, and returns the frame."""
        ...
    @property
    def bodies(self) -> Any:
        """All bodies."""
        ...
    def body(self, name: str) -> Any:
        """The body with this name; None when there is none."""
        ...
    def camera(self, name: str) -> Any:
        """The camera with this name; None when there is none."""
        ...
    @property
    def cameras(self) -> Any:
        """All cameras."""
        ...
    comment: Any
    """The setting `comment`."""
    def compile(self) -> Any:
        """Compiles the description as it is now."""
        ...
    @property
    def compiler(self) -> Any:
        """Compiler settings."""
        ...
    def copy(self) -> Any:
        """A copy, which shares nothing with this one."""
        ...
    @property
    def default(self) -> Any:
        """The main default class."""
        ...
    def delete(self, element: Any) -> Any:
        """Deletes an element; a body goes with all that hangs on it and all that refers to it."""
        ...
    def detach_body(self, element: Any) -> Any:
        """Deletes an element; a body goes with all that hangs on it and all that refers to it."""
        ...
    @property
    def equalities(self) -> Any:
        """All equalities."""
        ...
    def equality(self, name: str) -> Any:
        """The equality with this name; None when there is none."""
        ...
    def exclude(self, name: str) -> Any:
        """The exclude with this name; None when there is none."""
        ...
    @property
    def excludes(self) -> Any:
        """All excludes."""
        ...
    def find_default(self, name: str) -> Any:
        """The default class of this name; None when there is none."""
        ...
    def flex(self, name: str) -> Any:
        """The flex with this name; None when there is none."""
        ...
    @property
    def flexes(self) -> Any:
        """All flexes."""
        ...
    def frame(self, name: str) -> Any:
        """The frame with this name; None when there is none."""
        ...
    @property
    def frames(self) -> Any:
        """All frames."""
        ...
    @staticmethod
    def from_file(filename: str, include: Any = None, assets: Any = None, content_type: Any = None) -> Any:
        """Reads an MJCF or URDF file, or one of a format that a decoder reads, by its content type or the extension of its name."""
        ...
    @staticmethod
    def from_string(xml: Any, include: Any = None, assets: Any = None) -> Any:
        """Reads MJCF or URDF text."""
        ...
    @staticmethod
    def from_zip(file: Any) -> Any:
        """Reads a zip file with one model and its assets."""
        ...
    def geom(self, name: str) -> Any:
        """The geom with this name; None when there is none."""
        ...
    @property
    def geoms(self) -> Any:
        """All geoms."""
        ...
    @property
    def hasImplicitPluginElem(self) -> Any:
        """Whether an element uses a plugin without a named instance."""
        ...
    def hfield(self, name: str) -> Any:
        """The hfield with this name; None when there is none."""
        ...
    @property
    def hfields(self) -> Any:
        """All hfields."""
        ...
    def joint(self, name: str) -> Any:
        """The joint with this name; None when there is none."""
        ...
    @property
    def joints(self) -> Any:
        """All joints."""
        ...
    def key(self, name: str) -> Any:
        """The key with this name; None when there is none."""
        ...
    @property
    def keys(self) -> Any:
        """All keys, after a compilation also those of attached parts."""
        ...
    def light(self, name: str) -> Any:
        """The light with this name; None when there is none."""
        ...
    @property
    def lights(self) -> Any:
        """All lights."""
        ...
    def material(self, name: str) -> Any:
        """The material with this name; None when there is none."""
        ...
    @property
    def materials(self) -> Any:
        """All materials."""
        ...
    memory: Any
    """The setting `memory`."""
    def mesh(self, name: str) -> Any:
        """The mesh with this name; None when there is none."""
        ...
    meshdir: Any
    """The setting `meshdir`."""
    @property
    def meshes(self) -> Any:
        """All meshes."""
        ...
    modelfiledir: Any
    """The setting `modelfiledir`."""
    modelname: Any
    """The setting `modelname`."""
    nconmax: Any
    """The setting `nconmax`."""
    njmax: Any
    """The setting `njmax`."""
    nkey: Any
    """The setting `nkey`."""
    nstack: Any
    """The setting `nstack`."""
    def numeric(self, name: str) -> Any:
        """The numeric with this name; None when there is none."""
        ...
    @property
    def numerics(self) -> Any:
        """All numerics."""
        ...
    nuser_actuator: Any
    """The setting `nuser_actuator`."""
    nuser_body: Any
    """The setting `nuser_body`."""
    nuser_cam: Any
    """The setting `nuser_cam`."""
    nuser_geom: Any
    """The setting `nuser_geom`."""
    nuser_jnt: Any
    """The setting `nuser_jnt`."""
    nuser_sensor: Any
    """The setting `nuser_sensor`."""
    nuser_site: Any
    """The setting `nuser_site`."""
    nuser_tendon: Any
    """The setting `nuser_tendon`."""
    nuserdata: Any
    """The setting `nuserdata`."""
    @property
    def option(self) -> Any:
        """Physics options."""
        ...
    def pair(self, name: str) -> Any:
        """The pair with this name; None when there is none."""
        ...
    @property
    def pairs(self) -> Any:
        """All pairs."""
        ...
    @property
    def parent(self) -> Any:
        """The description that this one was attached to; None when it was not."""
        ...
    def plugin(self, name: str) -> Any:
        """The plugin with this name; None when there is none."""
        ...
    @property
    def plugins(self) -> Any:
        """All plugins."""
        ...
    def recompile(self, model: Any, data: Any) -> Any:
        """A new model, and a data with the state of everything that existed in the old one."""
        ...
    @staticmethod
    def resolve_orientation(degree: Any, sequence: Any = None, orientation: Any = None) -> Any:
        """The quaternion of an orientation in another form."""
        ...
    def sensor(self, name: str) -> Any:
        """The sensor with this name; None when there is none."""
        ...
    @property
    def sensors(self) -> Any:
        """All sensors."""
        ...
    def site(self, name: str) -> Any:
        """The site with this name; None when there is none."""
        ...
    @property
    def sites(self) -> Any:
        """All sites."""
        ...
    def skin(self, name: str) -> Any:
        """The skin with this name; None when there is none."""
        ...
    @property
    def skins(self) -> Any:
        """All skins."""
        ...
    @property
    def stat(self) -> Any:
        """Statistics that override the computed ones."""
        ...
    strippath: Any
    """The setting `strippath`."""
    def tendon(self, name: str) -> Any:
        """The tendon with this name; None when there is none."""
        ...
    @property
    def tendons(self) -> Any:
        """All tendons."""
        ...
    def text(self, name: str) -> Any:
        """The text with this name; None when there is none."""
        ...
    @property
    def texts(self) -> Any:
        """All texts."""
        ...
    def texture(self, name: str) -> Any:
        """The texture with this name; None when there is none."""
        ...
    texturedir: Any
    """The setting `texturedir`."""
    @property
    def textures(self) -> Any:
        """All textures."""
        ...
    def to_file(self, filename: str) -> Any:
        """Writes the description as an MJCF file; asset folders are named so that they are found from there."""
        ...
    def to_xml(self) -> Any:
        """The description as MJCF text."""
        ...
    def to_zip(self, file: Any) -> Any:
        """Writes a zip file with the model and its assets."""
        ...
    def tuple(self, name: str) -> Any:
        """The tuple with this name; None when there is none."""
        ...
    @property
    def tuples(self) -> Any:
        """All tuples."""
        ...
    @property
    def visual(self) -> Any:
        """Visualization settings."""
        ...
    @property
    def worldbody(self) -> Any:
        """The world."""
        ...

class GLContext:
    """Stands in for a context of OpenGL, which is not needed here."""
    def __init__(self, max_width: Any = ..., max_height: Any = ...) -> None: ...
    def free(self) -> Any:
        """Does nothing."""
        ...
    def make_current(self) -> Any:
        """Does nothing."""
        ...
class MjrContext:
    """Pictures of a model, and what is needed to draw them."""
    def __init__(self, model: Any = None, fontscale: Any = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def free(self) -> Any:
        """Gives back the memory; the context cannot draw any more."""
        ...
class Renderer:
    """Draws one model: `update_scene` takes a state, `render` returns its picture."""
    def __init__(self, model: Any, height: Any = ..., width: Any = ..., max_geom: Any = ..., font_scale: Any = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def close(self) -> Any:
        """Gives back the memory."""
        ...
    def disable_depth_rendering(self) -> Any:
        """Back to colours."""
        ...
    def disable_segmentation_rendering(self) -> Any:
        """Back to colours."""
        ...
    def enable_depth_rendering(self) -> Any:
        """From now on, `render` returns distances in metres."""
        ...
    def enable_segmentation_rendering(self) -> Any:
        """From now on, `render` returns the id and type of the object in each pixel."""
        ...
    @property
    def height(self) -> Any:
        """Rows."""
        ...
    @property
    def model(self) -> Any:
        """The model."""
        ...
    def render(self, *, out: Any = None) -> Any:
        """The picture, rows from the top: (height, width, 3) bytes of colour, or (height, width) distances, or (height, width, 2)
        ids and types of objects with -1 for the background.
        """
        ...
    @property
    def scene(self) -> Any:
        """The scene, to which a program may add geoms of its own."""
        ...
    def update_scene(self, data: Any, camera: Any = ..., scene_option: Any = None, *, soft: Any = None) -> Any:
        """Takes the state of a world, seen from a camera: its id or name, -1 for a free one, or an `MjvCamera`. `soft` is the
        `kinetree.soft.SoftWorld` whose bodies are drawn, too.
        """
        ...
    @property
    def width(self) -> Any:
        """Columns."""
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
        """Gives back the memory."""
        ...
    def render(self, worlds: Any, *, scene_option: Any = None, out: Any = None) -> Any:
        """Colours of a `BatchSim` or of a list of `MjData`: bytes of the shape (worlds, cameras, height, width, 3)."""
        ...
    def render_depth(self, worlds: Any, *, scene_option: Any = None, out: Any = None) -> Any:
        """Distances in metres, as `Renderer` gives them: floats of the shape (worlds, cameras, height, width)."""
        ...
    def render_segmentation(self, worlds: Any, *, scene_option: Any = None, out: Any = None) -> Any:
        """Id and type of the object in each pixel, -1 for the background: integers of the shape (worlds, cameras, height, width, 2)."""
        ...

def MjStruct(*args: Any, **kwargs: Any) -> Any:
    """"""
    ...
def from_zip(file: Any) -> Any:
    """Reads a zip file with one model and its assets."""
    ...
def get_mjcb_act_bias() -> Any:
    """The callback that gives the bias of user actuators: `f(m, d, id)`, or None."""
    ...
def get_mjcb_act_dyn() -> Any:
    """The callback that gives the activation derivative of user actuators: `f(m, d, id)`, or None."""
    ...
def get_mjcb_act_gain() -> Any:
    """The callback that gives the gain of user actuators: `f(m, d, id)`, or None."""
    ...
def get_mjcb_contactfilter() -> Any:
    """The callback that rejects geom pairs: `f(m, d, geom1, geom2)`, or None."""
    ...
def get_mjcb_control() -> Any:
    """The callback that sets controls: `f(m, d)`, or None."""
    ...
def get_mjcb_passive() -> Any:
    """The callback that adds passive forces: `f(m, d)`, or None."""
    ...
def get_mjcb_sensor() -> Any:
    """The callback that computes user sensors: `f(m, d, stage)`, or None."""
    ...
def get_mjcb_time() -> Any:
    """The callback that is the clock of timers: `f()`, or None."""
    ...
def get_mju_user_free() -> Any:
    """None: memory is not allocated by functions of C."""
    ...
def get_mju_user_malloc() -> Any:
    """None: memory is not allocated by functions of C."""
    ...
def get_mju_user_warning() -> Any:
    """The function that gets the text of warnings, or None."""
    ...
def mj_Euler(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_Euler` of the pipeline."""
    ...
def mj_RungeKutta(m: MjModel, d: MjData, N: Any) -> Any:
    """Runge–Kutta integrator of order `N`, which must be 4."""
    ...
def mj_addContact(m: MjModel, d: MjData, con: Any) -> Any:
    """Adds a contact to the list of a data; returns 0."""
    ...
def mj_addM(m: MjModel, d: MjData, dst: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any:
    """Adds the inertia matrix to a sparse matrix."""
    ...
def mj_angmomMat(m: MjModel, d: MjData, mat: Any, body: int) -> Any:
    """Matrix that maps velocity to the angular momentum of a subtree about its centre of mass, 3 × nv."""
    ...
def mj_applyFT(m: MjModel, d: MjData, force: Any, torque: Any, point: Any, body: int, qfrc_target: Any) -> Any:
    """Adds to `qfrc_target` what a force and a torque at a point of a body do to the joints."""
    ...
def mj_camlight(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_camlight` of the pipeline."""
    ...
def mj_checkAcc(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_checkAcc` of the pipeline."""
    ...
def mj_checkPos(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_checkPos` of the pipeline."""
    ...
def mj_checkVel(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_checkVel` of the pipeline."""
    ...
def mj_clearCache(cache: Any) -> Any:
    """Empties the cache."""
    ...
def mj_collision(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_collision` of the pipeline."""
    ...
def mj_comPos(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_comPos` of the pipeline."""
    ...
def mj_comVel(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_comVel` of the pipeline."""
    ...
def mj_compareFwdInv(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_compareFwdInv` of the pipeline."""
    ...
def mj_constraintUpdate(m: MjModel, d: MjData, jar: Any, cost: Any, flg_coneHessian: Any) -> Any:
    """Sets constraint states and forces for the residual `jar`; the cost goes to `cost`."""
    ...
def mj_contactForce(m: MjModel, d: MjData, id: int, result: Any) -> Any:
    """Force and torque of contact `id`, in the contact frame."""
    ...
def mj_copyData(dest: Any, m: MjModel, src: ArrayLike) -> Any:
    """Copies all of `src` to `dest`."""
    ...
def mj_copyState(m: MjModel, src: ArrayLike, dst: Any, sig: Any) -> Any:
    """Copies the components in `sig` from one data to another."""
    ...
def mj_crb(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_crb` of the pipeline."""
    ...
def mj_defaultLROpt(opt: Any) -> Any:
    """Sets default values."""
    ...
def mj_defaultOption(opt: Any) -> Any:
    """Sets default values."""
    ...
def mj_defaultSolRefImp(solref: Any, solimp: Any) -> Any:
    """Sets default solver parameters; either array may be None."""
    ...
def mj_defaultVisual(vis: Any) -> Any:
    """Sets default values."""
    ...
def mj_differentiatePos(m: MjModel, qvel: Any, dt: Any, qpos1: Any, qpos2: Any) -> Any:
    """Velocity that takes `qpos1` to `qpos2` in time `dt`."""
    ...
def mj_encode(s: Any, m: MjModel, filename: str, content_type: Any = '') -> Any:
    """Writes a description, and the model that it compiles to where the format needs it, to a file by the
    encoder for the content type or the extension of its name; returns the number of bytes.
    """
    ...
def mj_energyPos(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_energyPos` of the pipeline."""
    ...
def mj_energyVel(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_energyVel` of the pipeline."""
    ...
def mj_extractState(m: MjModel, src: ArrayLike, srcsig: Any, dst: Any, dstsig: Any) -> Any:
    """Copies the components in `dstsig` out of a state vector with the components in `srcsig`."""
    ...
def mj_factorM(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_factorM` of the pipeline."""
    ...
def mj_flex(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_flex` of the pipeline."""
    ...
def mj_forward(m: MjModel, d: MjData) -> Any:
    """Forward dynamics: everything but the integration."""
    ...
def mj_forwardSkip(m: MjModel, d: MjData, skipstage: Any, skipsensor: Any) -> Any:
    """Forward dynamics without the stages up to `skipstage`, an `mjtStage`, and without sensors if `skipsensor`."""
    ...
def mj_fullM(m: MjModel, dst: Any, M: Any) -> Any:
    """Writes a matrix in the order of `qM` as a full matrix, nv × nv."""
    ...
def mj_fwdAcceleration(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_fwdAcceleration` of the pipeline."""
    ...
def mj_fwdActuation(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_fwdActuation` of the pipeline."""
    ...
def mj_fwdConstraint(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_fwdConstraint` of the pipeline."""
    ...
def mj_fwdKinematics(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_fwdKinematics` of the pipeline."""
    ...
def mj_fwdPosition(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_fwdPosition` of the pipeline."""
    ...
def mj_fwdVelocity(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_fwdVelocity` of the pipeline."""
    ...
def mj_fwdVelocitySmooth(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_fwdVelocitySmooth` of the pipeline."""
    ...
def mj_geomDistance(m: MjModel, d: MjData, geom1: Any, geom2: Any, distmax: Any, fromto: Any) -> Any:
    """Distance between two geoms, at most `distmax`; the segment between the nearest points goes to `fromto`."""
    ...
def mj_getCache() -> Any:
    """The asset cache that the compiler uses."""
    ...
def mj_getCacheCapacity(cache: Any) -> Any:
    """Bound on the size of the cache, in bytes."""
    ...
def mj_getCacheSize(cache: Any) -> Any:
    """Size of the assets in the cache, in bytes."""
    ...
def mj_getState(m: MjModel, d: MjData, state: Any, sig: Any) -> Any:
    """Copies the components in `sig` into `state`."""
    ...
def mj_getTotalmass(m: MjModel) -> Any:
    """Sum of all masses."""
    ...
def mj_id2name(m: MjModel, type: int, id: int) -> Any:
    """Name of an element of a type, an `mjtObj`; None when it has none."""
    ...
def mj_implicit(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_implicit` of the pipeline."""
    ...
def mj_initCtrlHistory(m: MjModel, d: MjData, id: int, times: Any, values: Any) -> Any:
    """Fills the control history of an actuator; `times` None keeps the present ones."""
    ...
def mj_initSensorHistory(m: MjModel, d: MjData, id: int, times: Any, values: Any, phase: Any) -> Any:
    """Fills the history of a sensor; `times` None keeps the present ones."""
    ...
def mj_integratePos(m: MjModel, qpos: Any, qvel: Any, dt: Any) -> Any:
    """Moves `qpos` with velocity `qvel` for time `dt`."""
    ...
def mj_invConstraint(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_invConstraint` of the pipeline."""
    ...
def mj_invPosition(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_invPosition` of the pipeline."""
    ...
def mj_invVelocity(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_invVelocity` of the pipeline."""
    ...
def mj_inverse(m: MjModel, d: MjData) -> Any:
    """Inverse dynamics: the force that causes `qacc`, in `qfrc_inverse`."""
    ...
def mj_inverseSkip(m: MjModel, d: MjData, skipstage: Any, skipsensor: Any) -> Any:
    """Inverse dynamics without the stages up to `skipstage`, an `mjtStage`, and without sensors if `skipsensor`."""
    ...
def mj_isDual(m: MjModel) -> int:
    """Whether the solver is a dual one."""
    ...
def mj_isPyramidal(m: MjModel) -> int:
    """Whether friction cones are pyramids."""
    ...
def mj_isSparse(m: MjModel) -> int:
    """Whether the constraint Jacobian is sparse."""
    ...
def mj_island(m: MjModel, d: MjData) -> int:
    """Runs the stage `mj_island` of the pipeline."""
    ...
def mj_jac(m: MjModel, d: MjData, jacp: Any, jacr: Any, point: Any, body: int) -> Any:
    """Jacobians of a point of a body: translation in `jacp`, rotation in `jacr`, each 3 × nv or None."""
    ...
def mj_jacBody(m: MjModel, d: MjData, jacp: Any, jacr: Any, body: int) -> Any:
    """Jacobians of a body's frame: translation in `jacp`, rotation in `jacr`, each 3 × nv or None."""
    ...
def mj_jacBodyCom(m: MjModel, d: MjData, jacp: Any, jacr: Any, body: int) -> Any:
    """Jacobians of a body's centre of mass: translation in `jacp`, rotation in `jacr`, each 3 × nv or None."""
    ...
def mj_jacDot(m: MjModel, d: MjData, jacp: Any, jacr: Any, point: Any, body: int) -> Any:
    """Time derivatives of the Jacobians of a point of a body."""
    ...
def mj_jacGeom(m: MjModel, d: MjData, jacp: Any, jacr: Any, geom: int) -> Any:
    """Jacobians of a geom: translation in `jacp`, rotation in `jacr`, each 3 × nv or None."""
    ...
def mj_jacPointAxis(m: MjModel, d: MjData, jacPoint: Any, jacAxis: Any, point: Any, axis: Any, body: int) -> Any:
    """Jacobians of a point and of an axis that move with a body."""
    ...
def mj_jacSite(m: MjModel, d: MjData, jacp: Any, jacr: Any, site: int) -> Any:
    """Jacobians of a site: translation in `jacp`, rotation in `jacr`, each 3 × nv or None."""
    ...
def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: Any, body: int) -> Any:
    """Jacobian of the centre of mass of a subtree, 3 × nv."""
    ...
def mj_kinematics(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_kinematics` of the pipeline."""
    ...
def mj_loadAllPluginLibraries(directory: Any) -> Any:
    """Loads nothing, and warns of it: native plugins need the reference's own library."""
    ...
def mj_loadModel(filename: str, assets: Any = None) -> Any:
    """Reads a model that `mj_saveModel` wrote."""
    ...
def mj_loadPluginLibrary(path: Any) -> Any:
    """Not available: native plugins need the reference's own library."""
    ...
def mj_local2Global(d: MjData, xpos: Any, xmat: Any, pos: Any, quat: Any, body: int, sameframe: Any) -> Any:
    """Position and orientation in the world of a frame given in a body, its inertial frame or a relative of it."""
    ...
def mj_makeConstraint(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_makeConstraint` of the pipeline."""
    ...
def mj_makeM(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_makeM` of the pipeline."""
    ...
def mj_maxContact(m: MjModel, g1: Any, g2: Any, has_margin: Any) -> Any:
    """Most contacts that two geoms can have: the room that the narrow phase has for a pair."""
    ...
def mj_mulJacTVec(m: MjModel, d: MjData, res: Any, vec: Any) -> Any:
    """`res = Jᵀ vec` with the constraint Jacobian."""
    ...
def mj_mulJacVec(m: MjModel, d: MjData, res: Any, vec: Any) -> Any:
    """`res = J vec` with the constraint Jacobian."""
    ...
def mj_mulM(m: MjModel, d: MjData, res: Any, vec: Any) -> Any:
    """`res = M vec`."""
    ...
def mj_mulM2(m: MjModel, d: MjData, res: Any, vec: Any) -> Any:
    """`res = M^(1/2) vec`."""
    ...
def mj_multiRay(m: MjModel, d: MjData, pnt: Any, vec: Any, geomgroup: Any, flg_static: Any, bodyexclude: Any, geomid: Any, dist: Any, normal: Any, nray: Any, cutoff: Any) -> Any:
    """Like `mj_ray` for many rays from one point; hits beyond `cutoff` do not count."""
    ...
def mj_name2id(m: MjModel, type: int, name: str) -> int:
    """Id of the element of a type, an `mjtObj`, with a name; -1 when there is none."""
    ...
def mj_normalizeQuat(m: MjModel, qpos: Any) -> Any:
    """Normalizes all quaternions in `qpos`."""
    ...
def mj_objectAcceleration(m: MjModel, d: MjData, objtype: Any, objid: Any, res: Any, flg_local: Any) -> Any:
    """Acceleration of an object (rotation, then translation), in its own frame with `flg_local`."""
    ...
def mj_objectVelocity(m: MjModel, d: MjData, objtype: Any, objid: Any, res: Any, flg_local: Any) -> Any:
    """Velocity of an object (rotation, then translation), in its own frame with `flg_local`."""
    ...
def mj_passive(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_passive` of the pipeline."""
    ...
def mj_printData(m: MjModel, d: MjData, filename: str) -> Any:
    """Writes all arrays of a data to a text file."""
    ...
def mj_printFormattedData(m: MjModel, d: MjData, filename: str, float_format: Any = None) -> Any:
    """As `mj_printData`, with numbers as C's `printf` writes them: `"%.6g"`, for example."""
    ...
def mj_printFormattedModel(m: MjModel, filename: str, float_format: Any = None) -> Any:
    """As `mj_printModel`, with numbers as C's `printf` writes them: `"%.6g"`, for example."""
    ...
def mj_printFormattedScene(s: Any, filename: str, float_format: Any) -> Any:
    """As `mj_printScene`, with numbers as C's `printf` writes them: `"%.6g"`, for example."""
    ...
def mj_printModel(m: MjModel, filename: str) -> Any:
    """Writes sizes, options and elements of a model to a text file."""
    ...
def mj_printScene(s: Any, filename: str) -> Any:
    """Writes the geoms, lights and cameras of a scene to a text file."""
    ...
def mj_printSchema(flg_html: Any, flg_pad: Any) -> Any:
    """The elements and attributes of MJCF as text, or as HTML with `flg_html`; `flg_pad` indents by level."""
    ...
def mj_projectConstraint(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_projectConstraint` of the pipeline."""
    ...
def mj_ray(m: MjModel, d: MjData, pnt: Any, vec: Any, geomgroup: Any, flg_static: Any, bodyexclude: Any, geomid: Any, normal: Any = None) -> Any:
    """Distance along a ray to the first geom, -1 when there is none; the geom goes to `geomid`, the surface
    normal to `normal`.
    """
    ...
def mj_rayFlex(m: MjModel, d: MjData, flex_layer: Any, flg_vert: Any, flg_edge: Any, flg_face: Any, flg_skin: Any, flexid: Any, pnt: Any, vec: Any, vertid: Any = None, normal: Any = None) -> Any:
    """Distance along a ray to a flex, -1 when it misses; its nearest vertex goes to `vertid`, the surface normal
    to `normal`.
    """
    ...
def mj_rayHfield(m: MjModel, d: MjData, geomid: Any, pnt: Any, vec: Any, normal: Any = None) -> Any:
    """Distance along a ray to a geom that is a height field; -1 when it misses."""
    ...
def mj_rayMesh(m: MjModel, d: MjData, geomid: Any, pnt: Any, vec: Any, normal: Any = None) -> Any:
    """Distance along a ray to a geom that is a mesh; -1 when it misses."""
    ...
def mj_readCtrl(m: MjModel, d: MjData, id: int, time: Any, interp: Any) -> Any:
    """The control of an actuator at a time, from its history."""
    ...
def mj_readSensor(m: MjModel, d: MjData, id: int, time: Any, result: Any, interp: Any) -> Any:
    """The values of a sensor at a time, from its history, in `result`."""
    ...
def mj_referenceConstraint(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_referenceConstraint` of the pipeline."""
    ...
def mj_resetCallbacks() -> Any:
    """Removes all callbacks."""
    ...
def mj_resetData(m: MjModel, d: MjData) -> Any:
    """Resets everything: state and inputs to the model's initial values, results to zero."""
    ...
def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: Any) -> Any:
    """Resets and fills arrays of results with a recognizable value."""
    ...
def mj_resetDataKeyframe(m: MjModel, d: MjData, key: Any) -> Any:
    """Resets to keyframe `key`; to the initial state when there is no such keyframe."""
    ...
def mj_rne(m: MjModel, d: MjData, flg_acc: Any, result: Any) -> Any:
    """Recursive Newton–Euler: bias forces, and with `flg_acc` also `M qacc`, in `result`."""
    ...
def mj_rnePostConstraint(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_rnePostConstraint` of the pipeline."""
    ...
def mj_saveLastXML(filename: str, m: MjModel) -> Any:
    """Writes the description that a model was compiled from as an MJCF file, with the numbers that were changed in the model since."""
    ...
def mj_saveModel(m: MjModel, filename: str | None = None, buffer: Any = None) -> Any:
    """Writes the model as a binary file, or into a buffer of `mj_sizeModel` bytes."""
    ...
def mj_saveXML(s: Any, filename: str) -> Any:
    """Writes a description as an MJCF file."""
    ...
def mj_saveXMLString(s: Any) -> Any:
    """A description as MJCF text."""
    ...
def mj_sensorAcc(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_sensorAcc` of the pipeline."""
    ...
def mj_sensorPos(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_sensorPos` of the pipeline."""
    ...
def mj_sensorVel(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_sensorVel` of the pipeline."""
    ...
def mj_setCacheCapacity(cache: Any, size: Any) -> Any:
    """Changes the bound on the size of the cache (0: no caching) and returns it."""
    ...
def mj_setConst(m: MjModel, d: MjData) -> Any:
    """Recomputes everything in the model that depends on other fields, at the reference configuration."""
    ...
def mj_setKeyframe(m: MjModel, d: MjData, k: Any) -> Any:
    """Stores the current state as keyframe `k` of the model."""
    ...
def mj_setLengthRange(m: MjModel, d: MjData, index: Any, opt: Any) -> Any:
    """Finds the length range of an actuator by simulation and stores it in the model; `opt` is an `MjLROpt`."""
    ...
def mj_setState(m: MjModel, d: MjData, state: Any, sig: Any) -> Any:
    """Sets the components in `sig` from `state`."""
    ...
def mj_setTotalmass(m: MjModel, newmass: Any) -> Any:
    """Scales masses and inertias to a total mass."""
    ...
def mj_sizeModel(m: MjModel) -> int:
    """Number of bytes of the model's binary file."""
    ...
def mj_solveM(m: MjModel, d: MjData, x: Any, y: Any) -> Any:
    """Solves `M x = y` for each row of `y`."""
    ...
def mj_solveM2(m: MjModel, d: MjData, x: Any, y: Any, sqrtInvD: Any) -> Any:
    """Half of the solution of `M x = y` for each row of `y`, scaled by `sqrtInvD`."""
    ...
def mj_stateSize(m: MjModel, sig: Any) -> int:
    """Number of values of a state vector with the components in `sig`, an `mjtState` combination."""
    ...
def mj_step(m: MjModel, d: MjData, nstep: int = 1) -> Any:
    """Advances the simulation by one step, or by `nstep` steps."""
    ...
def mj_step1(m: MjModel, d: MjData) -> Any:
    """First half of a step: everything before the controls are needed."""
    ...
def mj_step2(m: MjModel, d: MjData) -> Any:
    """Second half of a step: everything that depends on the controls."""
    ...
def mj_subtreeVel(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_subtreeVel` of the pipeline."""
    ...
def mj_tendon(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_tendon` of the pipeline."""
    ...
def mj_transmission(m: MjModel, d: MjData) -> Any:
    """Runs the stage `mj_transmission` of the pipeline."""
    ...
def mj_version() -> int:
    """Version of the reference that this engine is compatible with, as an integer."""
    ...
def mj_versionString() -> Any:
    """Version of the reference that this engine is compatible with."""
    ...
def mjd_inverse(m: MjModel, d: MjData, flg_actuation: Any, DfDq: Any = None, DfDv: Any = None, DfDa: Any = None, DsDq: Any = None, DsDv: Any = None, DsDa: Any = None, DmDq: Any = None) -> Any:
    """Analytic derivatives of inverse dynamics: of the force (`Df…`), the sensors (`Ds…`) and the inertia matrix
    (`DmDq`) with respect to position, velocity and acceleration, laid out as by `mjd_inverseFD`. Each matrix
    may be None.
    """
    ...
def mjd_inverseFD(m: MjModel, d: MjData, eps: Any, flg_actuation: Any, DfDq: Any = None, DfDv: Any = None, DfDa: Any = None, DsDq: Any = None, DsDv: Any = None, DsDa: Any = None, DmDq: Any = None) -> Any:
    """Derivatives of inverse dynamics by finite differences: of the force (`Df…`), the sensors (`Ds…`) and the
    inertia matrix (`DmDq`) with respect to position, velocity and acceleration. Rows belong to inputs; each
    matrix may be None.
    """
    ...
def mjd_quatIntegrate(vel: Any, scale: Any, Dquat: Any, Dvel: Any, Dscale: Any) -> Any:
    """Derivatives of `mju_quatIntegrate` with respect to quaternion, scaled velocity and time."""
    ...
def mjd_subQuat(qa: Any, qb: Any, Da: Any, Db: Any) -> Any:
    """Derivatives of `mju_subQuat` with respect to both quaternions, 3 × 3 each or None."""
    ...
def mjd_transition(m: MjModel, d: MjData, A: Any = None, B: Any = None, C: Any = None, D: Any = None) -> Any:
    """Analytic derivatives of one step, through contacts: of the next state with respect to state (`A`) and
    controls (`B`), and of the sensors (`C`, `D`), laid out as by `mjd_transitionFD`. Each may be None. What
    has no analytic derivative raises an exception that names it.
    """
    ...
def mjd_transitionFD(m: MjModel, d: MjData, eps: Any, flg_centered: Any, A: Any = None, B: Any = None, C: Any = None, D: Any = None) -> Any:
    """Derivatives of one step by finite differences: of the next state with respect to state (`A`) and controls
    (`B`), and of the sensors with respect to state (`C`) and controls (`D`). Each may be None.
    """
    ...
def mjr_addAux(index: Any, width: Any, height: Any, samples: Any, con: Any) -> Any:
    """Makes an auxiliary buffer of a size; without one it is removed."""
    ...
def mjr_blitAux(index: Any, src: ArrayLike, left: Any, bottom: Any, con: Any) -> Any:
    """Copies colours of an auxiliary buffer to a place of the offscreen buffer."""
    ...
def mjr_blitBuffer(src: ArrayLike, dst: Any, flg_color: Any, flg_depth: Any, con: Any) -> Any:
    """Copies a part of the current buffer to a part of the other one, the window's or the offscreen one; pixels are repeated or left out
    where their sizes differ.
    """
    ...
def mjr_changeFont(fontscale: Any, con: Any) -> Any:
    """Changes the size of letters."""
    ...
def mjr_drawPixels(rgb: Any, depth: Any, viewport: Any, con: Any) -> Any:
    """Copies pixels into the current buffer, rows from the bottom."""
    ...
def mjr_figure(viewport: Any, fig: Any, con: Any) -> Any:
    """Draws a plot into a part of the buffer: its lines or bars, grid, values, title and legend."""
    ...
def mjr_findRect(x: Any, y: Any, nrect: Any, rect: Any) -> Any:
    """Which of some rectangles holds a point; the first counts least, -1 for none."""
    ...
def mjr_finish() -> Any:
    """Does nothing: what is read has been drawn."""
    ...
def mjr_getError() -> Any:
    """No errors are kept: functions raise them."""
    ...
def mjr_label(viewport: Any, font: Any, txt: Any, r: Any, g: Any, b: Any, a: Any, rt: Any, gt: Any, bt: Any, con: Any) -> Any:
    """Writes text in the middle of a filled rectangle."""
    ...
def mjr_maxViewport(con: Any) -> Any:
    """The whole buffer."""
    ...
def mjr_overlay(font: Any, gridpos: Any, viewport: Any, overlay: Any, overlay2: Any, con: Any) -> Any:
    """Writes one or two columns of text at a place of the viewport, on a dark ground."""
    ...
def mjr_readPixels(rgb: Any, depth: Any, viewport: Any, con: Any) -> Any:
    """Copies a part of the current buffer, rows from the bottom: colours, and depth as `con.readDepthMap` says."""
    ...
def mjr_rectangle(viewport: Any, r: Any, g: Any, b: Any, a: Any) -> Any:
    """Fills a rectangle of the buffer that was last drawn to."""
    ...
def mjr_render(viewport: Any, scn: Any, con: Any) -> Any:
    """Draws a scene into a part of the current buffer."""
    ...
def mjr_resizeOffscreen(width: Any, height: Any, con: Any) -> Any:
    """Changes the size of the offscreen buffer; its pictures are lost."""
    ...
def mjr_restoreBuffer(con: Any) -> Any:
    """Makes the buffer of a context the current one."""
    ...
def mjr_setAux(index: Any, con: Any) -> Any:
    """Draws to an auxiliary buffer, until `mjr_setBuffer` or `mjr_restoreBuffer`."""
    ...
def mjr_setBuffer(framebuffer: Any, con: Any) -> Any:
    """Chooses the buffer to draw to: the offscreen one, or the window that a program has made current with GLFW."""
    ...
def mjr_text(font: Any, txt: Any, con: Any, x: Any, y: Any, r: Any, g: Any, b: Any) -> Any:
    """Writes text at a place relative to the buffer, from 0 to 1."""
    ...
def mjr_uploadHField(m: MjModel, con: Any, hfieldid: Any) -> Any:
    """Takes a height field of the model again."""
    ...
def mjr_uploadMesh(m: MjModel, con: Any, meshid: Any) -> Any:
    """Takes a mesh of the model again."""
    ...
def mjr_uploadTexture(m: MjModel, con: Any, texid: Any) -> Any:
    """Takes a texture of the model again."""
    ...
def mju_Halton(index: Any, base: Any) -> Any:
    """Element of the Halton sequence of a prime base."""
    ...
def mju_L1(vec: Any) -> Any:
    """Sum of absolute values."""
    ...
def mju_add(res: Any, vec1: Any, vec2: Any) -> Any:
    """`res = vec1 + vec2`."""
    ...
def mju_add3(res: Any, vec1: Any, vec2: Any) -> Any:
    """`res = vec1 + vec2`, for three numbers."""
    ...
def mju_addScl(res: Any, vec1: Any, vec2: Any, scl: Any) -> Any:
    """`res = vec1 + vec2*scl`."""
    ...
def mju_addScl3(res: Any, vec1: Any, vec2: Any, scl: Any) -> Any:
    """`res = vec1 + vec2*scl`, for three numbers."""
    ...
def mju_addTo(res: Any, vec: Any) -> Any:
    """`res = res + vec`."""
    ...
def mju_addTo3(res: Any, vec: Any) -> Any:
    """`res = res + vec`, for three numbers."""
    ...
def mju_addToScl(res: Any, vec: Any, scl: Any) -> Any:
    """`res = res + vec*scl`."""
    ...
def mju_addToScl3(res: Any, vec: Any, scl: Any) -> Any:
    """`res = res + vec*scl`, for three numbers."""
    ...
def mju_axisAngle2Quat(res: Any, axis: Any, angle: Any) -> Any:
    """Quaternion of a rotation by an angle about an axis."""
    ...
def mju_band2Dense(res: Any, mat: Any, ntotal: Any, nband: Any, ndense: Any, flg_sym: Any) -> Any:
    """Band matrix as a full one; with `flg_sym` the upper triangle too."""
    ...
def mju_bandDiag(i: Any, ntotal: Any, nband: Any, ndense: Any) -> Any:
    """Index of a diagonal entry."""
    ...
def mju_bandMulMatVec(res: Any, mat: Any, vec: Any, ntotal: Any, nband: Any, ndense: Any, nvec: Any, flg_sym: Any) -> Any:
    """Product of a band matrix and the columns of `vec`, which are stored one after the other."""
    ...
def mju_boxQP(res: Any, R: Any, index: Any, H: Any, g: Any, lower: Any, upper: Any) -> Any:
    """Minimizes `½ xᵀHx + gᵀx` between bounds, from `res` on; returns the number of free variables, or -1."""
    ...
def mju_cholFactor(mat: Any, mindiag: Any) -> Any:
    """Cholesky factor `L` of `mat = L Lᵀ` in its lower triangle, pivots not below `mindiag`; returns the rank."""
    ...
def mju_cholFactorBand(mat: Any, ntotal: Any, nband: Any, ndense: Any, diagadd: Any, diagmul: Any) -> Any:
    """Cholesky factorization; adds `diagadd + diagmul·diagonal` to the diagonal. Returns the smallest pivot, 0
    on failure.
    """
    ...
def mju_cholSolve(res: Any, mat: Any, vec: Any) -> Any:
    """Solves with a Cholesky factor."""
    ...
def mju_cholSolveBand(res: Any, mat: Any, vec: Any, ntotal: Any, nband: Any, ndense: Any) -> Any:
    """Solves with a band Cholesky factor."""
    ...
def mju_cholUpdate(mat: Any, x: Any, flg_plus: Any) -> Any:
    """Factor of `mat ± x xᵀ` from that of `mat`; returns the rank. `x` is used up."""
    ...
def mju_clip(x: Any, min: Any, max: Any) -> Any:
    """`x` limited to an interval."""
    ...
def mju_copy(res: Any, vec: Any) -> Any:
    """`res = vec`."""
    ...
def mju_copy3(res: Any, data: Any) -> Any:
    """`res = data`, for three numbers."""
    ...
def mju_copy4(res: Any, data: Any) -> Any:
    """`res = data`, for four numbers."""
    ...
def mju_cross(res: Any, a: Any, b: Any) -> Any:
    """Vector product `res = a × b`."""
    ...
def mju_d2n(res: Any, vec: Any) -> Any:
    """`res = vec`, in the engine's precision."""
    ...
def mju_decodePyramid(force: Any, pyramid: Any, mu: Any) -> Any:
    """Combination of pyramid edges as a contact force."""
    ...
def mju_dense2Band(res: Any, mat: Any, ntotal: Any, nband: Any, ndense: Any) -> Any:
    """Full matrix as a band one."""
    ...
def mju_dense2sparse(res: Any, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any:
    """Keeps the non-zero entries of a matrix; returns 1 when they do not fit, 0 otherwise."""
    ...
def mju_derivQuat(res: Any, quat: Any, vel: Any) -> Any:
    """Time derivative of a quaternion that turns with a local angular velocity."""
    ...
def mju_dist3(pos1: Any, pos2: Any) -> Any:
    """Distance between two points."""
    ...
def mju_dot(vec1: Any, vec2: Any) -> Any:
    """Scalar product."""
    ...
def mju_dot3(vec1: Any, vec2: Any) -> Any:
    """Scalar product of three numbers each."""
    ...
def mju_eig3(eigval: Any, eigvec: Any, quat: Any, mat: Any) -> Any:
    """Eigenvalues and eigenvectors of a symmetric 3 × 3 matrix; returns the number of iterations."""
    ...
def mju_encodePyramid(pyramid: Any, force: Any, mu: Any) -> Any:
    """Contact force as a combination of pyramid edges."""
    ...
def mju_euler2Quat(quat: Any, euler: Any, seq: Any) -> Any:
    """Quaternion of Euler angles; lower-case axes move along, upper-case axes are fixed."""
    ...
def mju_eye(mat: Any) -> Any:
    """The identity matrix."""
    ...
def mju_f2n(res: Any, vec: Any) -> Any:
    """`res = vec`, from single precision."""
    ...
def mju_fill(res: Any, val: Any) -> Any:
    """`res = val`."""
    ...
def mju_getXMLDependencies(filename: str) -> Any:
    """The file, the files it includes, the models it names and the assets of all of them."""
    ...
def mju_insertionSort(list: Any) -> Any:
    """Sorts in increasing order."""
    ...
def mju_insertionSortInt(list: Any) -> Any:
    """Sorts integers in increasing order."""
    ...
def mju_isBad(x: Any) -> Any:
    """Whether a number is not finite or too large for a simulation."""
    ...
def mju_isZero(vec: Any) -> Any:
    """Whether all numbers are zero."""
    ...
def mju_mat2Quat(quat: Any, mat: Any) -> Any:
    """Quaternion of a rotation matrix."""
    ...
def mju_mat2Rot(quat: Any, mat: Any) -> Any:
    """Refines `quat` to the rotation nearest to a 3 × 3 matrix; returns the number of iterations."""
    ...
def mju_max(a: Any, b: Any) -> Any:
    """The larger number."""
    ...
def mju_min(a: Any, b: Any) -> Any:
    """The smaller number."""
    ...
def mju_mulMatMat(res: Any, mat1: Any, mat2: Any) -> Any:
    """`res = mat1 mat2`."""
    ...
def mju_mulMatMatT(res: Any, mat1: Any, mat2: Any) -> Any:
    """`res = mat1 mat2ᵀ`."""
    ...
def mju_mulMatTMat(res: Any, mat1: Any, mat2: Any) -> Any:
    """`res = mat1ᵀ mat2`."""
    ...
def mju_mulMatTVec(res: Any, mat: Any, vec: Any) -> Any:
    """`res = matᵀ vec`."""
    ...
def mju_mulMatTVec3(res: Any, mat: Any, vec: Any) -> Any:
    """`res = matᵀ vec`, 3 × 3."""
    ...
def mju_mulMatVec(res: Any, mat: Any, vec: Any) -> Any:
    """`res = mat vec`."""
    ...
def mju_mulMatVec3(res: Any, mat: Any, vec: Any) -> Any:
    """`res = mat vec`, 3 × 3."""
    ...
def mju_mulPose(posres: Any, quatres: Any, pos1: Any, quat1: Any, pos2: Any, quat2: Any) -> Any:
    """Product of poses."""
    ...
def mju_mulQuat(res: Any, quat1: Any, quat2: Any) -> Any:
    """Product of quaternions."""
    ...
def mju_mulQuatAxis(res: Any, quat: Any, axis: Any) -> Any:
    """Product of a quaternion and an axis."""
    ...
def mju_mulVecMatVec(vec1: Any, mat: Any, vec2: Any) -> Any:
    """`vec1ᵀ mat vec2`."""
    ...
def mju_muscleBias(len: Any, lengthrange: Any, acc0: Any, prm: Any) -> Any:
    """Passive force of a muscle."""
    ...
def mju_muscleDynamics(ctrl: Any, act: Any, prm: Any) -> Any:
    """Time derivative of a muscle's activation."""
    ...
def mju_muscleGain(len: Any, vel: Any, lengthrange: Any, acc0: Any, prm: Any) -> Any:
    """Active force of a muscle per unit of activation."""
    ...
def mju_n2d(res: Any, vec: Any) -> Any:
    """`res = vec`, in double precision."""
    ...
def mju_n2f(res: Any, vec: Any) -> Any:
    """`res = vec`, in single precision."""
    ...
def mju_negPose(posres: Any, quatres: Any, pos: Any, quat: Any) -> Any:
    """Inverse of a pose."""
    ...
def mju_negQuat(res: Any, quat: Any) -> Any:
    """Conjugate quaternion, the opposite rotation."""
    ...
def mju_norm(res: Any) -> Any:
    """Euclidean length."""
    ...
def mju_norm3(vec: Any) -> Any:
    """Euclidean length of three numbers."""
    ...
def mju_normalize(res: Any) -> Any:
    """Scales to unit length and returns the length before."""
    ...
def mju_normalize3(vec: Any) -> Any:
    """Scales three numbers to unit length and returns the length they had; a vector of length zero becomes the x
    axis.
    """
    ...
def mju_normalize4(vec: Any) -> Any:
    """Scales a quaternion to unit length and returns the length it had; one of length zero becomes the identity."""
    ...
def mju_printMat(mat: Any) -> Any:
    """Prints a matrix."""
    ...
def mju_printMatSparse(mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any:
    """Prints a sparse matrix: a line per row, with column and value of each entry."""
    ...
def mju_quat2Mat(res: Any, quat: Any) -> Any:
    """Rotation matrix of a quaternion."""
    ...
def mju_quat2Vel(res: Any, quat: Any, dt: Any) -> Any:
    """Angular velocity that turns the identity into a quaternion in time `dt`."""
    ...
def mju_quatIntegrate(quat: Any, vel: Any, scale: Any) -> Any:
    """Turns a quaternion with a local angular velocity for time `scale`."""
    ...
def mju_quatZ2Vec(quat: Any, vec: Any) -> Any:
    """Quaternion that turns the z axis to a vector."""
    ...
def mju_rayGeom(pos: Any, mat: Any, size: Any, pnt: Any, vec: Any, geomtype: Any, normal: Any = None) -> Any:
    """Distance along a ray to a primitive shape; -1 when it misses."""
    ...
def mju_raySkin(nface: Any, nvert: Any, face: Any, vert: Any, pnt: Any, vec: Any, vertid: Any = None) -> Any:
    """Distance along a ray to the triangles of a skin, -1 when it misses; their nearest vertex goes to `vertid`."""
    ...
def mju_rotVecQuat(res: Any, vec: Any, quat: Any) -> Any:
    """Rotates a vector by a quaternion."""
    ...
def mju_round(x: Any) -> Any:
    """The nearest integer."""
    ...
def mju_scl(res: Any, vec: Any, scl: Any) -> Any:
    """`res = vec*scl`."""
    ...
def mju_scl3(res: Any, vec: Any, scl: Any) -> Any:
    """`res = vec*scl`, for three numbers."""
    ...
def mju_sigmoid(x: Any) -> Any:
    """Smooth step from 0 to 1 with flat ends."""
    ...
def mju_sign(x: Any) -> Any:
    """-1, 0 or 1."""
    ...
def mju_sparse2dense(res: Any, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> Any:
    """Sparse matrix as a full one."""
    ...
def mju_springDamper(pos0: Any, vel0: Any, Kp: Any, Kv: Any, dt: Any) -> Any:
    """Position of a spring-damper after time `dt`."""
    ...
def mju_sqrMatTD(res: Any, mat: Any, diag: Any) -> Any:
    """`res = matᵀ diag mat`; without `diag`, `matᵀ mat`."""
    ...
def mju_standardNormal(num2: Any = None) -> Any:
    """A normally distributed number."""
    ...
def mju_str2Type(str: Any) -> Any:
    """Object type of a name; 0 when there is none."""
    ...
def mju_sub(res: Any, vec1: Any, vec2: Any) -> Any:
    """`res = vec1 - vec2`."""
    ...
def mju_sub3(res: Any, vec1: Any, vec2: Any) -> Any:
    """`res = vec1 - vec2`, for three numbers."""
    ...
def mju_subFrom(res: Any, vec: Any) -> Any:
    """`res = res - vec`."""
    ...
def mju_subFrom3(res: Any, vec: Any) -> Any:
    """`res = res - vec`, for three numbers."""
    ...
def mju_subQuat(res: Any, qa: Any, qb: Any) -> Any:
    """Rotation from `qb` to `qa` as a vector."""
    ...
def mju_sum(vec: Any) -> Any:
    """Sum."""
    ...
def mju_symmetrize(res: Any, mat: Any) -> Any:
    """`res = (mat + matᵀ)/2`."""
    ...
def mju_transformSpatial(res: Any, vec: Any, flg_force: Any, newpos: Any, oldpos: Any, rotnew2old: Any) -> Any:
    """Moves a spatial vector (rotation, translation) to another point and, with `rotnew2old`, into other axes."""
    ...
def mju_transpose(res: Any, mat: Any) -> Any:
    """`res = matᵀ`."""
    ...
def mju_trnVecPose(res: Any, pos: Any, quat: Any, vec: Any) -> Any:
    """Transforms a point by a pose."""
    ...
def mju_type2Str(type: int) -> Any:
    """Name of an object type; None when there is none."""
    ...
def mju_unit4(res: Any) -> Any:
    """The identity quaternion."""
    ...
def mju_warningText(warning: Any, info: Any) -> Any:
    """What a warning says, with its detail."""
    ...
def mju_writeLog(type: int, msg: Any) -> Any:
    """Appends a message to the log file `MUJOCO_LOG.TXT`."""
    ...
def mju_writeNumBytes(nbytes: Any) -> Any:
    """A number of bytes in a short form, such as 3M."""
    ...
def mju_zero(res: Any) -> Any:
    """`res = 0`."""
    ...
def mju_zero3(res: Any) -> Any:
    """`res = 0`, for three numbers."""
    ...
def mju_zero4(res: Any) -> Any:
    """`res = 0`, for four numbers."""
    ...
def mjv_addGeoms(m: MjModel, d: MjData, opt: Any, pert: Any, catmask: Any, scn: Any) -> Any:
    """Appends the geoms of some categories to a scene."""
    ...
def mjv_alignToCamera(res: Any, vec: Any, forward: Any) -> Any:
    """Turns a vector about the vertical axis so that its y axis is along `forward`."""
    ...
def mjv_applyPerturbForce(m: MjModel, d: MjData, pert: Any) -> Any:
    """Pulls the selected body to where the perturbation says: sets its `xfrc_applied`."""
    ...
def mjv_applyPerturbPose(m: MjModel, d: MjData, pert: Any, flg_paused: Any) -> Any:
    """Puts the selected body where the perturbation says."""
    ...
def mjv_averageCamera(cam1: Any, cam2: Any) -> Any:
    """The camera between two others."""
    ...
def mjv_cameraFrame(headpos: Any, forward: Any, up: Any, right: Any, d: MjData, cam: Any) -> Any:
    """Position and directions of an abstract camera."""
    ...
def mjv_cameraFrustum(zver: Any, zhor: Any, zclip: Any, m: MjModel, cam: Any) -> Any:
    """Vertical, horizontal and depth extents of what an abstract camera sees."""
    ...
def mjv_cameraInModel(headpos: Any, forward: Any, up: Any, scn: Any) -> Any:
    """Pose of the scene's camera in the model."""
    ...
def mjv_cameraInRoom(headpos: Any, forward: Any, up: Any, scn: Any) -> Any:
    """Pose of the scene's camera in the room."""
    ...
def mjv_connector(geom: int, type: int, width: Any, from_: Any, to: Any) -> Any:
    """Makes a geom connect two points."""
    ...
def mjv_defaultCamera(value: Any) -> Any:
    """Gives a `MjvCamera` its default values."""
    ...
def mjv_defaultFigure(value: Any) -> Any:
    """Gives a `MjvFigure` its default values."""
    ...
def mjv_defaultFreeCamera(m: MjModel, cam: Any) -> Any:
    """Places a free camera so that it sees the whole model."""
    ...
def mjv_defaultOption(value: Any) -> Any:
    """Gives a `MjvOption` its default values."""
    ...
def mjv_defaultPerturb(value: Any) -> Any:
    """Gives a `MjvPerturb` its default values."""
    ...
def mjv_frustumHeight(scn: Any) -> Any:
    """Height of what the scene's camera sees at unit distance."""
    ...
def mjv_initGeom(geom: int, type: int, size: Any = None, pos: Any = None, mat: Any = None, rgba: Any = None) -> Any:
    """Sets type, size, pose and colour of a geom, and default values for the rest."""
    ...
def mjv_initPerturb(m: MjModel, d: MjData, scn: Any, pert: Any) -> Any:
    """Begins a perturbation of the selected body."""
    ...
def mjv_makeLights(m: MjModel, d: MjData, scn: Any) -> Any:
    """Sets the lights of a scene."""
    ...
def mjv_model2room(roompos: Any, roomquat: Any, modelpos: Any, modelquat: Any, scn: Any) -> Any:
    """A pose in the model, in the room."""
    ...
def mjv_moveCamera(m: MjModel, action: Any, reldx: Any, reldy: Any, scn: Any, cam: Any) -> Any:
    """Moves a camera with the mouse."""
    ...
def mjv_moveModel(m: MjModel, action: Any, reldx: Any, reldy: Any, roomup: Any, scn: Any) -> Any:
    """Moves, turns or scales the whole model in the room."""
    ...
def mjv_movePerturb(m: MjModel, d: MjData, action: Any, reldx: Any, reldy: Any, scn: Any, pert: Any) -> Any:
    """Moves or turns the reference pose of what is selected."""
    ...
def mjv_room2model(modelpos: Any, modelquat: Any, roompos: Any, roomquat: Any, scn: Any) -> Any:
    """A pose in the room, in the frame of the model."""
    ...
def mjv_select(m: MjModel, d: MjData, vopt: Any, aspectratio: Any, relx: Any, rely: Any, scn: Any, selpnt: Any, geomid: Any, flexid: Any, skinid: Any) -> Any:
    """The body under a point of the picture, -1 when there is none; the point and the geom, flex or skin go to
    the arrays.
    """
    ...
def mjv_updateCamera(m: MjModel, d: MjData, cam: Any, scn: Any) -> Any:
    """Sets the cameras of a scene from an abstract camera."""
    ...
def mjv_updateScene(m: MjModel, d: MjData, opt: Any, pert: Any, cam: Any, catmask: Any, scn: Any) -> Any:
    """Fills a scene with geoms, cameras and lights."""
    ...
def mjv_updateSkin(m: MjModel, d: MjData, scn: Any) -> Any:
    """Moves the vertices of skins."""
    ...
def plugins() -> Any:
    """All plugins by slot: name, capabilities, and name, kind, default and a line about each attribute."""
    ...
def register_decoder(decoder: Any) -> Any:
    """Lets an object read files of further formats: meshes, models that others attach, and models themselves.
    
    It says which files by `content_type`, a text, and `extensions`, a list of texts with their dots; one of
    the two may be missing. Its method `decode(name, data)` turns the bytes of a file into an `MjSpec`, of
    which a mesh asset takes the first mesh. A method `can_decode(name, data)`, where there is one, says
    whether it reads a file of its format.
    """
    ...
def register_encoder(encoder: Any) -> Any:
    """Lets an object write files of a further format with `mj_encode`.
    
    It says which files by `content_type` and `extensions`, like a decoder. Its method
    `encode(name, spec, model)` returns the bytes of the file; the model is None where the caller gives none.
    """
    ...
def register_plugin(plugin: Any) -> Any:
    """Adds a class to the plugins that models are loaded with from now on; returns its slot."""
    ...
def register_resource_provider(prefix: Any, open: Any) -> Any:
    """Lets a function from names to bytes answer for all files whose names begin with a prefix, a colon and a
    slash.
    """
    ...
def set_mjcb_act_bias(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that gives the bias of user actuators: `f(m, d, id)`; None removes it."""
    ...
def set_mjcb_act_dyn(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that gives the activation derivative of user actuators: `f(m, d, id)`; None removes it."""
    ...
def set_mjcb_act_gain(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that gives the gain of user actuators: `f(m, d, id)`; None removes it."""
    ...
def set_mjcb_contactfilter(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that rejects geom pairs: `f(m, d, geom1, geom2)`; None removes it."""
    ...
def set_mjcb_control(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that sets controls: `f(m, d)`; None removes it."""
    ...
def set_mjcb_passive(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that adds passive forces: `f(m, d)`; None removes it."""
    ...
def set_mjcb_sensor(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that computes user sensors: `f(m, d, stage)`; None removes it."""
    ...
def set_mjcb_time(callback: Callable[..., Any] | None) -> Any:
    """Sets the callback that is the clock of timers: `f()`; None removes it."""
    ...
def set_mju_user_free(function: Any) -> Any:
    """Refused: memory is not allocated by functions of C."""
    ...
def set_mju_user_malloc(function: Any) -> Any:
    """Refused: memory is not allocated by functions of C."""
    ...
def set_mju_user_warning(callback: Callable[..., Any] | None) -> Any:
    """Sets a function that gets the text of each warning after the call that raised it; None removes it."""
    ...
def to_zip(spec: Any, file: Any) -> Any:
    """Writes a zip file with a model and its assets."""
    ...
