"""Enumerations of visualization, input and model building: the engine has no use for them, but Python code does.

Each is a prefix and the names that follow it; a name counts on from the one before unless it gives its value.
"""

TABLE = {
    "mjtAlignFree": ("mjALIGNFREE_", "FALSE TRUE AUTO"),
    "mjtBuiltin": ("mjBUILTIN_", "NONE GRADIENT CHECKER FLAT"),
    "mjtButton": ("mjBUTTON_", "NONE LEFT RIGHT MIDDLE"),
    "mjtCamera": ("mjCAMERA_", "FREE TRACKING FIXED USER"),
    "mjtCatBit": ("mjCAT_", "STATIC=1 DYNAMIC DECOR=4 ALL=7"),
    "mjtDepthMap": ("mjDEPTH_", "ZERONEAR ZEROFAR"),
    "mjtEvent": ("mjEVENT_", "NONE MOVE PRESS RELEASE SCROLL KEY RESIZE REDRAW FILESDROP"),
    "mjtFont": ("mjFONT_", "NORMAL SHADOW BIG"),
    "mjtFontScale": ("mjFONTSCALE_", "50=50 100=100 150=150 200=200 250=250 300=300"),
    "mjtFrame": ("mjFRAME_", "NONE BODY GEOM SITE CAMERA LIGHT CONTACT WORLD :mjNFRAME"),
    "mjtFramebuffer": ("mjFB_", "WINDOW OFFSCREEN"),
    "mjtGeomInertia": ("mjINERTIA_", "VOLUME SHELL"),
    "mjtGridPos": ("mjGRID_", "TOPLEFT TOPRIGHT BOTTOMLEFT BOTTOMRIGHT TOP BOTTOM LEFT RIGHT"),
    "mjtInertiaFromGeom": ("mjINERTIAFROMGEOM_", "FALSE TRUE AUTO"),
    "mjtItem": (
        "mjITEM_",
        "END=-2 SECTION SEPARATOR STATIC BUTTON CHECKINT CHECKBYTE RADIO RADIOLINE SELECT SLIDERINT SLIDERNUM "
        "EDITINT EDITNUM EDITFLOAT EDITTXT :mjNITEM",
    ),
    "mjtLabel": (
        "mjLABEL_",
        "NONE BODY JOINT GEOM SITE CAMERA LIGHT TENDON ACTUATOR CONSTRAINT FLEX SKIN SELECTION SELPNT "
        "CONTACTPOINT CONTACTFORCE ISLAND :mjNLABEL",
    ),
    "mjtLimited": ("mjLIMITED_", "FALSE TRUE AUTO"),
    "mjtMark": ("mjMARK_", "NONE EDGE CROSS RANDOM"),
    "mjtMeshBuiltin": ("mjMESH_BUILTIN_", "NONE SPHERE HEMISPHERE CONE SUPERSPHERE SUPERTORUS WEDGE PLATE"),
    "mjtMeshInertia": ("mjMESH_INERTIA_", "CONVEX EXACT LEGACY SHELL"),
    "mjtMouse": ("mjMOUSE_", "NONE ROTATE_V ROTATE_H MOVE_V MOVE_H ZOOM MOVE_V_REL MOVE_H_REL"),
    "mjtOrientation": ("mjORIENTATION_", "QUAT AXISANGLE XYAXES ZAXIS EULER"),
    "mjtPertBit": ("mjPERT_", "TRANSLATE=1 ROTATE"),
    "mjtPluginCapabilityBit": ("mjPLUGIN_", "ACTUATOR=1 SENSOR PASSIVE=4 SDF=8"),
    "mjtRndFlag": (
        "mjRND_",
        "SHADOW WIREFRAME REFLECTION ADDITIVE SKYBOX FOG HAZE DEPTH SEGMENT IDCOLOR CULL_FACE :mjNRNDFLAG",
    ),
    "mjtSection": ("mjSECT_", "CLOSED OPEN FIXED"),
    "mjtStereo": ("mjSTEREO_", "NONE QUADBUFFERED SIDEBYSIDE"),
    "mjtTaskStatus": ("mjTASK_", "NEW QUEUED COMPLETED"),
    "mjtVisFlag": (
        "mjVIS_",
        "CONVEXHULL TEXTURE JOINT CAMERA ACTUATOR ACTIVATION LIGHT TENDON RANGEFINDER CONSTRAINT INERTIA "
        "SCLINERTIA PERTFORCE PERTOBJ CONTACTPOINT ISLAND CONTACTFORCE CONTACTSPLIT TRANSPARENT AUTOCONNECT COM "
        "SELECT STATIC SKIN FLEXVERT FLEXEDGE FLEXFACE FLEXSKIN BODYBVH MESHBVH SDFITER :mjNVISFLAG",
    ),
}


def members(prefix, names):
    """Names and values of one enumeration; a name that begins with a colon is complete."""
    result, value = [], 0
    for entry in names.split():
        name, _, given = entry.partition("=")
        value = int(given) if given else value
        result.append((name[1:] if name.startswith(":") else prefix + name, value))
        value += 1
    return result
