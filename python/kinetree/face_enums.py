"""Enumerations of drawing, input and model building: the engine has no use for them, but Python code does.

Each is a prefix and the names that follow it; a name counts on from the one before unless it gives its value.
"""

TABLE = {
    "mjtAlignFree": ("mjALIGNFREE_", "FALSE TRUE AUTO"),
    "mjtBuiltin": ("mjBUILTIN_", "NONE GRADIENT CHECKER FLAT"),
    "mjtButton": ("mjBUTTON_", "NONE LEFT RIGHT MIDDLE"),
    "mjtDepthMap": ("mjDEPTH_", "ZERONEAR ZEROFAR"),
    "mjtEvent": ("mjEVENT_", "NONE MOVE PRESS RELEASE SCROLL KEY RESIZE REDRAW FILESDROP"),
    "mjtFont": ("mjFONT_", "NORMAL SHADOW BIG"),
    "mjtFontScale": ("mjFONTSCALE_", "50=50 100=100 150=150 200=200 250=250 300=300"),
    "mjtFramebuffer": ("mjFB_", "WINDOW OFFSCREEN"),
    "mjtGeomInertia": ("mjINERTIA_", "VOLUME SHELL"),
    "mjtGridPos": ("mjGRID_", "TOPLEFT TOPRIGHT BOTTOMLEFT BOTTOMRIGHT TOP BOTTOM LEFT RIGHT"),
    "mjtInertiaFromGeom": ("mjINERTIAFROMGEOM_", "FALSE TRUE AUTO"),
    "mjtItem": (
        "mjITEM_",
        "END=-2 SECTION SEPARATOR STATIC BUTTON CHECKINT CHECKBYTE RADIO RADIOLINE SELECT SLIDERINT SLIDERNUM "
        "EDITINT EDITNUM EDITFLOAT EDITTXT :mjNITEM",
    ),
    "mjtLimited": ("mjLIMITED_", "FALSE TRUE AUTO"),
    "mjtMark": ("mjMARK_", "NONE EDGE CROSS RANDOM"),
    "mjtMeshBuiltin": ("mjMESH_BUILTIN_", "NONE SPHERE HEMISPHERE CONE SUPERSPHERE SUPERTORUS WEDGE PLATE"),
    "mjtMeshInertia": ("mjMESH_INERTIA_", "CONVEX EXACT LEGACY SHELL"),
    "mjtOrientation": ("mjORIENTATION_", "QUAT AXISANGLE XYAXES ZAXIS EULER"),
    "mjtPluginCapabilityBit": ("mjPLUGIN_", "ACTUATOR=1 SENSOR PASSIVE=4 SDF=8"),
    "mjtSection": ("mjSECT_", "CLOSED OPEN FIXED"),
    "mjtTaskStatus": ("mjTASK_", "NEW QUEUED COMPLETED"),
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
