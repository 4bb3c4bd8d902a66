"""What the fields of description elements mean, for their documentation: by name, or by kind and name where a name has several meanings."""

# values of fields with an automatic choice: 0 (off), 1 (on), 2 (by whether a range is given)
_LIMITED = "0 (no), 1 (yes) or 2 (when its range is given)."
# parameters of the reference acceleration of constraints
_REFERENCE = "time constant (s) and damping ratio, or negative stiffness (1/s²) and damping (1/s). Shape (2,)."

FIELDS = {
    "act": "Activations (unit of the control; after an integrator its unit times s). Shape (na,).",
    "actdim": "Number of activations; -1 for automatic.",
    "actearly": "Whether the force uses the next activation.",
    "actfrclimited": f"Whether actuator forces are limited: {_LIMITED}",
    "actfrcrange": "Range of the total actuator force (N or N m). Shape (2,).",
    "actgravcomp": "Whether gravity compensation counts as actuator force.",
    "active": "Whether it is on.",
    "activelayers": "Layers of elements that collide, in three-dimensional flexes.",
    "actlimited": f"Whether activations are limited: {_LIMITED}",
    "actrange": "Range of activations (unit of the activation). Shape (2,).",
    "align": "Whether a free joint is aligned with the inertial frame: 0, 1 or 2 (as the compiler says).",
    "ambient": "Ambient colour. Shape (3,).",
    "armature": "Inertia or mass that is added to each dof (kg m² or kg).",
    "attenuation": "Constant, linear (1/m) and quadratic (1/m²) attenuation with distance. Shape (3,).",
    "axis": "Axis in the frame of the body. Shape (3,).",
    "biasprm": "Parameters of the bias; affine: force (N or N m), per length (N/m or N m/rad), per velocity (N s/m or N m s/rad). Shape (10,).",
    "biastype": "Kind of the bias, an `mjtBias`.",
    "bindpos": "Positions of the bones in the bind pose (m). Shape (3 nbone,).",
    "bindquat": "Orientations of the bones in the bind pose. Shape (4 nbone,).",
    "bodyname": "Names of the bodies that are its bones.",
    "bodyname1": "Name of the first body.",
    "bodyname2": "Name of the second body.",
    "builtin": "Kind of the generated content.",
    "bulbradius": "Radius of the light source (m), for soft shadows.",
    "castshadow": "Whether it casts shadows.",
    "cellcount": "Number of cells along each axis of a grid.",
    "childclass": "Name of the default class of what is inside.",
    "colorspace": "Colour space of the image, an `mjtColorSpace`.",
    "conaffinity": "Bits that are compared with the `contype` of the other geom.",
    "condim": "Dimensions of contacts: 1 (no friction), 3 (sliding), 4 (torsional) or 6 (rolling).",
    "config": "Attributes of the plugin as a dictionary of texts.",
    "content_type": "Content type of the file; empty to go by its extension.",
    "contype": "Bits that are compared with the `conaffinity` of the other geom.",
    "cranklength": "Length of the connecting rod of a slider-crank (m).",
    "ctrl": "Controls (unit of each actuator's control: N or N m for a motor, m or rad for a position servo). Shape (nu,).",
    "ctrllimited": f"Whether controls are limited: {_LIMITED}",
    "ctrlrange": "Range of controls (unit of the control). Shape (2,).",
    "cubefiles": "Files of the six faces of a cube map.",
    "cutoff": "Largest absolute value of the measurement (unit of the sensor); 0 for no limit.",
    "damping": "Damping (N s/m or N m s/rad); two coefficients of higher order, per m/s or rad/s each. Shape (3,).",
    "data": "Data of the element.",
    "datatype": "Kind of the values of a user sensor, an `mjtDataType`.",
    "delay": "Delay (s); needs a history.",
    "density": "Density (kg/m³, or kg/m² of a shell), for masses that are not given.",
    "diffuse": "Diffuse colour. Shape (3,).",
    "dim": "Number of values.",
    "dir": "Direction of the light. Shape (3,).",
    "dynprm": "Parameters of the activation dynamics; the first of a filter or muscle is its time constant (s). Shape (10,).",
    "dyntype": "Kind of the activation dynamics, an `mjtDyn`.",
    "edgedamping": "Damping of edges (N s/m).",
    "edgestiffness": "Stiffness of edges (N/m).",
    "elastic2d": "Passive forces of a surface: 0 (none), 1 (bending), 2 (stretching) or 3 (both).",
    "elem": "Vertex indices of the elements.",
    "elemtexcoord": "Texture coordinate indices of the elements.",
    "emission": "Emission, 0 to 1.",
    "explicitinertial": "Whether mass and inertia are as given, and not derived from geoms.",
    "exponent": "Exponent of the fall-off of a spotlight.",
    "face": "Vertex indices of the triangles.",
    "file": "Name of the file.",
    "fitscale": "Scale of the shape that is fitted to a mesh.",
    "flatskin": "Whether faces are shaded flat.",
    "fluid_coefs": "Coefficients of the ellipsoid fluid model. Shape (5,).",
    "fluid_ellipsoid": "Whether fluid forces follow the ellipsoid model.",
    "focal_length": "Focal length (m). Shape (2,).",
    "focal_pixel": "Focal length (pixels). Shape (2,).",
    "forcelimited": f"Whether the force is limited: {_LIMITED}",
    "forcerange": "Range of the force (N or N m). Shape (2,).",
    "fovy": "Vertical field of view (deg), or the extent (m) of an orthographic camera.",
    "friction": "Friction coefficients: sliding, torsional (m) and rolling (m). Shape (3,).",
    "frictionloss": "Dry friction (N or N m).",
    "fromto": "Two end points (m) in the frame of the body instead of position, orientation and length. Shape (6,).",
    "fullinertia": "Inertia matrix: xx, yy, zz, xy, xz, yz (kg m²). Shape (6,).",
    "gainprm": "Parameters of the gain (unit of the force per that of the control or activation). Shape (10,).",
    "gaintype": "Kind of the gain, an `mjtGain`.",
    "gap": "Distance (m) within the margin at which contacts exist but exert no force.",
    "gear": "Scale of length, moment arm and force; for joints and sites by axis. Shape (6,).",
    "geomname1": "Name of the first geom.",
    "geomname2": "Name of the second geom.",
    "gravcomp": "Gravity compensation as a fraction of the weight.",
    "gridlayout": "Where the faces of a cube map are in one image.",
    "gridsize": "Rows and columns of that image. Shape (2,).",
    "group": "Group, 0 to 5, for visibility.",
    "height": "Height of the image in pixels.",
    "hfieldname": "Name of the height field of the geom.",
    "hflip": "Whether the image is flipped horizontally.",
    "inertia": "Principal moments of inertia (kg m²). Shape (3,).",
    "inflate": "Distance (m) by which the skin is moved outwards.",
    "info": "A text about the element, for error messages.",
    "inheritrange": "Scale of the range that the actuator takes from its target; 0 for none.",
    "intensity": "Luminous intensity (cd).",
    "internal": "Whether vertices collide with elements of the same flex.",
    "interp": "Interpolation of the history: 0 (hold), 1 (linear) or 2 (cubic).",
    "interval": "Interval between measurements (s), and phase (s). Shape (2,).",
    "intprm": "Integer parameters of the sensor.",
    "intrinsic": "Intrinsic parameters of the camera (m): focal length and principal point. Shape (4,).",
    "ipd": "Distance of the eyes (m), for stereo.",
    "ipos": "Centre of mass in the frame of the body (m). Shape (3,).",
    "iquat": "Orientation of the inertial frame. Shape (4,).",
    "lengthrange": "Shortest and longest length of the transmission (m or rad). Shape (2,).",
    "limited": f"Whether it has limits: {_LIMITED}",
    "margin": "Distance (m or rad) at which contacts are detected or the limit becomes active.",
    "mark": "Marks on the generated image, an `mjtMark`.",
    "markrgb": "Colour of the marks. Shape (3,).",
    "mass": "Mass of the body or geom (kg).",
    "material": "Name of the material.",
    "maxhullvert": "Largest number of vertices of the convex hull; -1 for no limit.",
    "meshname": "Name of the mesh of the geom.",
    "metallic": "Metallic coefficient, 0 to 1.",
    "mocap": "Whether the body is moved by `mocap_pos` and `mocap_quat`.",
    "mode": "How it follows bodies, an `mjtCamLight`.",
    "mpos": "Positions of mocap bodies (m). Shape (3 nmocap,).",
    "mquat": "Orientations of mocap bodies. Shape (4 nmocap,).",
    "name": "Name of the element, unique in its kind; may be empty.",
    "name1": "Name of the first object.",
    "name2": "Name of the second object.",
    "nchannel": "Number of channels of the image.",
    "ncol": "Number of columns.",
    "needsdf": "Whether a signed distance field is computed.",
    "needstage": "Stage that a user sensor needs, an `mjtStage`.",
    "node": "Positions of the nodes (m). Shape (3 nnode,).",
    "nodebody": "Names of the bodies of the nodes.",
    "noise": "Standard deviation of the noise (unit of the sensor); information only.",
    "nrow": "Number of rows.",
    "nsample": "Number of samples in the history.",
    "objname": "Names of the objects.",
    "objprm": "Parameters of the objects (any unit).",
    "objtype": "Kind of the objects, an `mjtObj`.",
    "order": "Order of interpolation: 0 (none), 1 (trilinear) or 2 (quadratic).",
    "output": "What the camera measures, bits of `mjtCamOutBit`.",
    "params": "Parameters of the generated mesh (m, or numbers of parts).",
    "passive": "Whether contacts act as passive forces.",
    "plugin_name": "Name of the plugin.",
    "poisson": "Poisson's ratio, 0 to 0.5.",
    "pos": "Position in the frame around it (m). Shape (3,).",
    "principal_length": "Principal point (m). Shape (2,).",
    "principal_pixel": "Principal point (pixels). Shape (2,).",
    "priority": "Priority of the geom in contacts: the parameters of the higher one are used.",
    "proj": "Projection of the camera, an `mjtProjection`.",
    "qpos": "Positions (m or rad; quaternions of ball and free joints). Shape (nq,).",
    "quat": "Orientation in the frame around it, a quaternion (w, x, y, z). Shape (4,).",
    "qvel": "Velocities (m/s or rad/s). Shape (nv,).",
    "radius": "Radius around all elements (m).",
    "random": "Probability of a random dot on the generated image.",
    "range": "Limits (m; deg or rad, as the compiler says). Shape (2,).",
    "ref": "Position of the joint in the reference configuration (m; deg or rad, as the compiler says).",
    "reflectance": "Reflectance, 0 to 1.",
    "refname": "Name of the object that the measurement is relative to.",
    "refpos": "Origin of the mesh in its file (m). Shape (3,).",
    "refquat": "Orientation of the mesh in its file. Shape (4,).",
    "refsite": "Name of the site that a site transmission is relative to.",
    "reftype": "Kind of the object that the measurement is relative to, an `mjtObj`.",
    "resolution": "Width and height in pixels. Shape (2,).",
    "rgb1": "First colour of the generated image. Shape (3,).",
    "rgb2": "Second colour of the generated image. Shape (3,).",
    "rgba": "Colour and opacity, 0 to 1. Shape (4,).",
    "roughness": "Roughness, 0 to 1.",
    "scale": "Scale along each axis. Shape (3,).",
    "selfcollide": "How the flex collides with itself, an `mjtFlexSelf`.",
    "sensor_size": "Size of the image sensor (m). Shape (2,).",
    "shininess": "Shininess, 0 to 1.",
    "size": "Size parameters (m), by type. Shape (3,).",
    "sleep": "Whether the tree of the body may sleep, an `mjtSleepPolicy`.",
    "slidersite": "Name of the site of the slider, for a slider-crank.",
    "smoothnormal": "Whether normals are averaged over faces.",
    "solimp": "Impedance of the constraint: at zero and at the width, width (m or rad), midpoint, power. Shape (5,).",
    "solimp_friction": "Impedance of dry friction: at zero and at the width, width (m or rad), midpoint, power. Shape (5,).",
    "solimp_limit": "Impedance of limits: at zero and at the width, width (m or rad), midpoint, power. Shape (5,).",
    "solmix": "Weight of the geom's solver parameters in contacts.",
    "solref": f"Reference dynamics of the constraint: {_REFERENCE}",
    "solref_friction": f"Reference dynamics of dry friction: {_REFERENCE}",
    "solref_limit": f"Reference dynamics of limits: {_REFERENCE}",
    "solreffriction": f"Reference dynamics of the friction of the contact: {_REFERENCE}",
    "specular": "Specularity, 0 to 1.",
    "springdamper": "Time constant (s) and damping ratio from which stiffness and damping follow. Shape (2,).",
    "springlength": "Interval of lengths without spring force (m); -1 for the length at `qpos0`. Shape (2,).",
    "springref": "Position at which the spring is at rest (m; deg or rad, as the compiler says).",
    "stiffness": "Stiffness of the spring (N/m or N m/rad); two coefficients of higher order, per m or rad each. Shape (3,).",
    "target": "Name of what the actuator acts on.",
    "targetbody": "Name of the body that it looks at.",
    "texcoord": "Texture coordinates. Shape (2 n,).",
    "texrepeat": "Repetitions of the texture along its axes. Shape (2,).",
    "texture": "Name of the texture.",
    "textures": "Names of the textures by `mjtTextureRole`.",
    "texuniform": "Whether repetitions are per metre.",
    "thickness": "Thickness of a surface (m); -1 when not set.",
    "time": "Simulation time (s).",
    "trntype": "What the actuator acts on, an `mjtTrn`.",
    "type": "Kind of the element.",
    "typeinertia": "Whether mass is that of the volume or of the surface.",
    "userdata": "Numbers for the user (any unit).",
    "userface": "Vertex indices of the triangles.",
    "userfacenormal": "Normal indices of the triangles.",
    "userfacetexcoord": "Texture coordinate indices of the triangles.",
    "usernormal": "Normals. Shape (3 n,).",
    "usertexcoord": "Texture coordinates. Shape (2 n,).",
    "uservert": "Vertex positions (m). Shape (3 n,).",
    "vert": "Vertex positions (m). Shape (3 nvert,).",
    "vertbody": "Names of the bodies of the vertices.",
    "vertid": "Vertices of each bone.",
    "vertweight": "Weights of these vertices.",
    "vflip": "Whether the image is flipped vertically.",
    "width": "Width of the image in pixels.",
    "young": "Young's modulus (Pa).",
}
OF_KIND = {
    ("camera", "target"): FIELDS["targetbody"],
    ("equality", "data"): "Parameters by type: anchors (m) and relative pose, or coefficients of a polynomial (m or rad). Shape (11,).",
    ("pair", "friction"): "Friction coefficients: two sliding, torsional (m) and two rolling (m). Shape (5,).",
    ("equality", "type"): "Kind of the constraint, an `mjtEq`.",
    ("flex", "dim"): "Dimension of the elements: 1 (lines), 2 (triangles) or 3 (tetrahedra).",
    ("flex", "damping"): "Rayleigh damping (s).",
    ("flex", "size"): "Half sizes of the box around the vertices (m). Shape (3,).",
    ("geom", "type"): "Shape, an `mjtGeom`.",
    ("hfield", "size"): "Half extents, highest elevation and thickness of the base (m). Shape (4,).",
    ("hfield", "userdata"): "Elevations, row by row; they are scaled to 0 … 1.",
    ("joint", "type"): "Kind of the joint, an `mjtJoint`.",
    ("light", "cutoff"): "Half angle of a spotlight (deg).",
    ("light", "range"): "Distance that the light reaches (m).",
    ("light", "specular"): "Specular colour. Shape (3,).",
    ("light", "type"): "Kind of the light, an `mjtLightType`.",
    ("mesh", "inertia"): "How the inertia is computed, an `mjtMeshInertia`.",
    ("numeric", "data"): "Its numbers (any unit), any count.",
    ("numeric", "size"): "How many there are; the rest are zeros.",
    ("sensor", "type"): "What is measured, an `mjtSensor`.",
    ("sensor", "objname"): "Name of the object that is measured.",
    ("sensor", "objtype"): "Kind of the object that is measured, an `mjtObj`.",
    ("site", "type"): "Shape, an `mjtGeom`.",
    ("tendon", "range"): "Limits of the length (m). Shape (2,).",
    ("tendon", "width"): "Width for drawing (m).",
    ("text", "data"): "The text itself.",
    ("texture", "data"): "The pixels as bytes, row by row.",
    ("texture", "type"): "Kind of the texture, an `mjtTexture`.",
}
# each kind of element with its article, what it is, how to get one, and what matters most
ELEMENTS = {
    "body": ("a body", "A rigid body with its frame, mass, joints, geoms and child bodies.",
             "`spec.worldbody.add_body(...)` and `body.add_body(...)` make one; `add_joint`, `add_geom` and `add_site` fill it. `pos` and "
             "`quat` are relative to the parent. Without `mass` and `inertia` these follow from the geoms."),
    "frame": ("a frame", "A coordinate frame within a body; what is in it is placed relative to it. It does not exist in the model.",
              "`body.add_frame(...)` makes one; `attach_body` attaches to it."),
    "joint": ("a joint", "A joint: the freedom of a body relative to its parent.",
              "`body.add_joint(...)` and `add_freejoint()` make one. `type` is an `mjtJoint`; `axis`, `range`, `damping` and `armature` are "
              "used most."),
    "geom": ("a geom", "A geom: a shape that collides, is seen and gives mass to its body.",
             "`body.add_geom(...)` makes one. `type` is an `mjtGeom`; `size`, `pos`, `quat`, `friction`, `rgba` and `density` are used most."),
    "site": ("a site", "A site: a point and frame of a body, for sensors, tendons, actuators and attachments.",
             "`body.add_site(...)` makes one."),
    "camera": ("a camera", "A camera that is fixed to a body or follows one.", "`body.add_camera(...)` makes one. It looks along -z; `fovy` "
               "or the focal length set its field of view."),
    "light": ("a light", "A light that is fixed to a body or follows one.", "`body.add_light(...)` makes one. `type`, `pos`, `dir` and "
              "`diffuse` are used most."),
    "flex": ("a flex", "A deformable object: lines, triangles or tetrahedra between bodies.", "`spec.add_flex(...)` makes one from "
             "`vertbody`, `vert` and `elem`; `<flexcomp>` in MJCF makes whole grids."),
    "mesh": ("a mesh", "A mesh asset, from a file, from vertices or generated.", "`spec.add_mesh(...)` makes one: with `file`, with "
             "`uservert` and `userface`, or with `make_sphere` and its like."),
    "hfield": ("a height field", "A height field asset: terrain as a grid of elevations.", "`spec.add_hfield(...)` makes one; `size` is "
               "(x, y, elevation, base) in metres, `userdata` has `nrow * ncol` elevations."),
    "skin": ("a skin", "A surface that deforms with bodies, for drawing only.", "`spec.add_skin(...)` makes one."),
    "texture": ("a texture", "A texture asset, from a file or generated.", "`spec.add_texture(...)` makes one; `builtin` is an "
                "`mjtBuiltin`."),
    "material": ("a material", "A material: texture, reflection and colour of surfaces.", "`spec.add_material(...)` makes one; geoms name "
                 "it in `material`."),
    "pair": ("a contact pair", "A pair of geoms with contact parameters of its own.", "`spec.add_pair(geomname1=..., geomname2=...)` makes "
             "one."),
    "exclude": ("an excluded pair", "Two bodies that do not collide with each other.", "`spec.add_exclude(bodyname1=..., bodyname2=...)` "
                "makes one."),
    "equality": ("an equality constraint", "An equality constraint between bodies, joints, tendons or flexes.",
                 "`spec.add_equality(...)` makes one. `type` is an `mjtEq`, `name1` and `name2` are the objects."),
    "tendon": ("a tendon", "A tendon: a path over sites and geoms, or a combination of joints.", "`spec.add_tendon(...)` makes one; "
               "`wrap_site`, `wrap_geom`, `wrap_pulley` and `wrap_joint` extend its path."),
    "actuator": ("an actuator", "An actuator: from control to force.", "`spec.add_actuator(trntype=..., target=...)` makes one; "
                 "`set_to_motor`, `set_to_position` and its like choose its kind."),
    "sensor": ("a sensor", "A sensor, whose values are part of `data.sensordata`.", "`spec.add_sensor(...)` makes one. `type` is an "
               "`mjtSensor`, `objtype` and `objname` are what it measures."),
    "numeric": ("a custom numeric field", "Numbers for the user under a name.", "`spec.add_numeric(name=..., data=...)` makes one."),
    "text": ("a custom text", "A text for the user under a name.", "`spec.add_text(name=..., data=...)` makes one."),
    "tuple": ("a custom tuple", "A list of objects under a name.", "`spec.add_tuple(...)` makes one from `objtype`, `objname` and "
              "`objprm`."),
    "key": ("a keyframe", "A keyframe: a state that a world can be reset to.", "`spec.add_key(name=..., qpos=...)` makes one; "
            "`mj_resetDataKeyframe` applies it."),
    "plugin": ("a plugin instance", "An instance of a plugin, with its attributes.", "`spec.add_plugin(...)` makes one; elements refer to "
               "it in `plugin`."),
}
ORIENTATIONS = {
    "axisangle": "Axis and angle (deg or rad, as the compiler says). Shape (4,).",
    "xyaxes": "The x axis and a vector in the x-y plane. Shape (6,).",
    "zaxis": "The z axis; the rotation to it is the shortest. Shape (3,).",
    "euler": "Euler angles (deg or rad, as the compiler says) about the axes of `spec.compiler.eulerseq`. Shape (3,).",
}
SETTINGS = {
    "modelname": "Name of the model.",
    "comment": "Comment at the head of the file.",
    "meshdir": "Folder of mesh and height field files.",
    "texturedir": "Folder of texture files.",
    "strippath": "Whether folders are removed from file names.",
    "modelfiledir": "Folder of the model file.",
    "memory": "Bytes of memory for contacts and constraints; read and written, but not needed here.",
    "nuserdata": "Number of values in `data.userdata`.",
    "nuser_body": "Number of user values of each body; -1 for automatic.",
    "nuser_jnt": "Number of user values of each joint; -1 for automatic.",
    "nuser_geom": "Number of user values of each geom; -1 for automatic.",
    "nuser_site": "Number of user values of each site; -1 for automatic.",
    "nuser_cam": "Number of user values of each camera; -1 for automatic.",
    "nuser_tendon": "Number of user values of each tendon; -1 for automatic.",
    "nuser_actuator": "Number of user values of each actuator; -1 for automatic.",
    "nuser_sensor": "Number of user values of each sensor; -1 for automatic.",
    "nkey": "Number of keyframes; more than are described are added.",
    "njmax": "Former limit of constraints; read and written, but not needed.",
    "nconmax": "Former limit of contacts; read and written, but not needed.",
    "nstack": "Former size of the stack; read and written, but not needed.",
}
COMPILER = {
    "alignfree": "Whether free joints are aligned with the inertial frames of their bodies.",
    "autolimits": "Whether a given range implies a limit.",
    "balanceinertia": "Whether moments of inertia that are impossible are replaced by their mean.",
    "boundinertia": "Smallest moment of inertia of moving bodies (kg m²).",
    "boundmass": "Smallest mass of moving bodies (kg).",
    "degree": "Whether angles in the description are in degrees instead of radians.",
    "discardvisual": "Whether geoms that are only seen are left out.",
    "eulerseq": "Axes of Euler angles, three letters; upper case for fixed axes.",
    "fitaabb": "Whether shapes are fitted to the bounding box of a mesh instead of its inertia.",
    "fusestatic": "Whether bodies without joints become part of their parents.",
    "inertiafromgeom": "When inertia follows from geoms: 0 (no), 1 (yes) or 2 (when it is not given).",
    "inertiagrouprange": "First and last group of geoms that count for inertia. Shape (2,).",
    "meshdir": "Folder of mesh and height field files.",
    "saveinertial": "Whether inertial properties are written out as MJCF.",
    "settotalmass": "Total mass that all masses are scaled to (kg); negative for none.",
    "texturedir": "Folder of texture files.",
    "usethread": "Whether meshes are compiled on several threads.",
}


def of_field(kind, name):
    """The documentation of a field of a kind of element."""
    return OF_KIND.get((kind, name)) or FIELDS.get(name) or f"The field `{name}`."


def with_article(kind):
    """A kind of element with its article."""
    return ELEMENTS[kind][0]


def noun(kind):
    """A kind of element without its article."""
    return ELEMENTS[kind][0].split(" ", 1)[1]


def of_element(kind):
    """The documentation of a class of elements."""
    _, what, how = ELEMENTS[kind]
    return f"{what}\n\n{how} Fields that are arrays or lists write through to the description when their parts change."


def of_finder(kind, title):
    """The documentation of a method that finds an element by its name."""
    return f"""The {noun(kind)} with a name, an `Mjs{title}`; None when there is none.

    Args:
        name: its name.
    """


def of_adder(kind, title):
    """The documentation of a method of a description that adds an element."""
    return f"""Adds {with_article(kind)}.

    Args:
        default: default class to start from, an `MjsDefault` or a name; None for the main class.
        fields: values of its fields by name.

    Returns:
        The `Mjs{title}`.

    Raises:
        TypeError: there is no such field; the message lists the available ones.
    """


def of_child_adder(kind, title):
    """The documentation of a method of a body or frame that adds an element."""
    return f"""Adds {with_article(kind)}.

    Args:
        default: default class to start from, an `MjsDefault` or a name; None for that of the parent. An `MjsFrame` puts it into that frame.
        fields: values of its fields by name; an orientation may also be `axisangle`, `xyaxes`, `zaxis` or `euler`.

    Returns:
        The `Mjs{title}`.

    Raises:
        TypeError: there is no such field; the message lists the available ones.
    """
