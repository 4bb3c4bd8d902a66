"""Constants with the reference's names and values."""

mjVERSION_HEADER = 3008000

mjPI = 3.141592653589793
mjMAXVAL = 1e10
mjMINVAL = 1e-15
mjMINMU = 1e-5
mjMINIMP = 0.0001
mjMAXIMP = 0.9999

mjMAXCONPAIR = 50
mjMAXFLEXNODES = 27
mjMAXTREEDEPTH = 50
mjMINAWAKE = 10
mjNBIAS = mjNDYN = mjNGAIN = 10
mjNEQDATA = 11
mjNFLUID = 12
mjNGROUP = 6
mjNIMP = 5
mjNISLAND = 20
mjNPOLY = 2
mjNREF = 2
mjNSENS = 3
mjNSOLVER = 200

mjMAXLIGHT = 100
mjMAXLINE = 100
mjMAXLINEPNT = 1001
mjMAXOVERLAY = 500
mjMAXPLANEGRID = 200

mjDISABLESTRING = tuple(
    "Constraint Equality Frictionloss Limit Contact Spring Damper Gravity Clampctrl Warmstart Filterparent Actuation "
    "Refsafe Sensor Midphase Eulerdamp AutoReset NativeCCD Island MultiCCD".split()
)
mjENABLESTRING = tuple("Override Energy Fwdinv InvDiscrete Sleep".split())
mjTIMERSTRING = tuple(
    "step forward inverse position velocity actuation constraint advance pos_kinematics pos_inertia pos_collision "
    "pos_make pos_project col_broadphase col_narrowphase".split()
)
mjFRAMESTRING = tuple("None Body Geom Site Camera Light Contact World".split())
mjLABELSTRING = tuple(
    "None Body Joint Geom Site Camera Light Tendon Actuator Constraint Flex Skin Selection SelPoint Contact "
    "ContactForce Island".split()
)


def _flags(text):
    """Triples of name, default and keyboard shortcut from `name|default|key` lines."""
    return tuple(tuple(line.strip().split("|")) for line in text.strip().splitlines())


mjRNDSTRING = _flags("""
    Shadow|1|S
    Wireframe|0|W
    Reflection|1|R
    Additive|0|L
    Skybox|1|K
    Fog|0|G
    Haze|1|/
    Depth|0|
    Segment|0|,
    Id Color|0|
    Cull Face|1|
""")
mjVISSTRING = _flags("""
    Convex Hull|0|H
    Texture|1|X
    Joint|0|J
    Camera|0|Q
    Actuator|0|U
    Activation|0|,
    Light|0|Z
    Tendon|1|V
    Range Finder|1|Y
    Equality|0|E
    Inertia|0|I
    Scale Inertia|0|'
    Perturb Force|0|B
    Perturb Object|1|O
    Contact Point|0|C
    Island|0|N
    Contact Force|0|F
    Contact Split|0|P
    Transparent|0|T
    Auto Connect|0|A
    Center of Mass|0|M
    Select Point|0|
    Static Body|1|D
    Skin|1|;
    Flex Vert|0|
    Flex Edge|1|
    Flex Face|0|
    Flex Skin|1|
    Body Tree|0|`
    Mesh Tree|0|\\
    SDF iters|0|
""")

__all__ = [name for name in dir() if name.startswith("mj")]
