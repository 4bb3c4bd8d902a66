//! Enumerations of visualization with the reference's values. Structs store them as `i32`, or as indices of
//! flags.

kinetree_model::mj_enums! {
    enum CatBit = "mjtCatBit" {
        Static = 1, "mjCAT_STATIC";
        Dynamic = 2, "mjCAT_DYNAMIC";
        Decor = 4, "mjCAT_DECOR";
    } extra { "mjCAT_ALL" = 7; }

    enum Mouse = "mjtMouse" {
        None = 0, "mjMOUSE_NONE";
        RotateV = 1, "mjMOUSE_ROTATE_V";
        RotateH = 2, "mjMOUSE_ROTATE_H";
        MoveV = 3, "mjMOUSE_MOVE_V";
        MoveH = 4, "mjMOUSE_MOVE_H";
        Zoom = 5, "mjMOUSE_ZOOM";
        MoveVRel = 6, "mjMOUSE_MOVE_V_REL";
        MoveHRel = 7, "mjMOUSE_MOVE_H_REL";
    } extra {  }

    enum PertBit = "mjtPertBit" {
        Translate = 1, "mjPERT_TRANSLATE";
        Rotate = 2, "mjPERT_ROTATE";
    } extra {  }

    enum CameraType = "mjtCamera" {
        Free = 0, "mjCAMERA_FREE";
        Tracking = 1, "mjCAMERA_TRACKING";
        Fixed = 2, "mjCAMERA_FIXED";
        User = 3, "mjCAMERA_USER";
    } extra {  }

    enum LabelMode = "mjtLabel" {
        None = 0, "mjLABEL_NONE";
        Body = 1, "mjLABEL_BODY";
        Joint = 2, "mjLABEL_JOINT";
        Geom = 3, "mjLABEL_GEOM";
        Site = 4, "mjLABEL_SITE";
        Camera = 5, "mjLABEL_CAMERA";
        Light = 6, "mjLABEL_LIGHT";
        Tendon = 7, "mjLABEL_TENDON";
        Actuator = 8, "mjLABEL_ACTUATOR";
        Constraint = 9, "mjLABEL_CONSTRAINT";
        Flex = 10, "mjLABEL_FLEX";
        Skin = 11, "mjLABEL_SKIN";
        Selection = 12, "mjLABEL_SELECTION";
        Selpnt = 13, "mjLABEL_SELPNT";
        Contactpoint = 14, "mjLABEL_CONTACTPOINT";
        Contactforce = 15, "mjLABEL_CONTACTFORCE";
        Island = 16, "mjLABEL_ISLAND";
    } extra { "mjNLABEL" = 17; }

    enum FrameMode = "mjtFrame" {
        None = 0, "mjFRAME_NONE";
        Body = 1, "mjFRAME_BODY";
        Geom = 2, "mjFRAME_GEOM";
        Site = 3, "mjFRAME_SITE";
        Camera = 4, "mjFRAME_CAMERA";
        Light = 5, "mjFRAME_LIGHT";
        Contact = 6, "mjFRAME_CONTACT";
        World = 7, "mjFRAME_WORLD";
    } extra { "mjNFRAME" = 8; }

    enum VisFlag = "mjtVisFlag" {
        Convexhull = 0, "mjVIS_CONVEXHULL";
        Texture = 1, "mjVIS_TEXTURE";
        Joint = 2, "mjVIS_JOINT";
        Camera = 3, "mjVIS_CAMERA";
        Actuator = 4, "mjVIS_ACTUATOR";
        Activation = 5, "mjVIS_ACTIVATION";
        Light = 6, "mjVIS_LIGHT";
        Tendon = 7, "mjVIS_TENDON";
        Rangefinder = 8, "mjVIS_RANGEFINDER";
        Constraint = 9, "mjVIS_CONSTRAINT";
        Inertia = 10, "mjVIS_INERTIA";
        Sclinertia = 11, "mjVIS_SCLINERTIA";
        Pertforce = 12, "mjVIS_PERTFORCE";
        Pertobj = 13, "mjVIS_PERTOBJ";
        Contactpoint = 14, "mjVIS_CONTACTPOINT";
        Island = 15, "mjVIS_ISLAND";
        Contactforce = 16, "mjVIS_CONTACTFORCE";
        Contactsplit = 17, "mjVIS_CONTACTSPLIT";
        Transparent = 18, "mjVIS_TRANSPARENT";
        Autoconnect = 19, "mjVIS_AUTOCONNECT";
        Com = 20, "mjVIS_COM";
        Select = 21, "mjVIS_SELECT";
        Static = 22, "mjVIS_STATIC";
        Skin = 23, "mjVIS_SKIN";
        Flexvert = 24, "mjVIS_FLEXVERT";
        Flexedge = 25, "mjVIS_FLEXEDGE";
        Flexface = 26, "mjVIS_FLEXFACE";
        Flexskin = 27, "mjVIS_FLEXSKIN";
        Bodybvh = 28, "mjVIS_BODYBVH";
        Meshbvh = 29, "mjVIS_MESHBVH";
        Sdfiter = 30, "mjVIS_SDFITER";
    } extra { "mjNVISFLAG" = 31; }

    enum RndFlag = "mjtRndFlag" {
        Shadow = 0, "mjRND_SHADOW";
        Wireframe = 1, "mjRND_WIREFRAME";
        Reflection = 2, "mjRND_REFLECTION";
        Additive = 3, "mjRND_ADDITIVE";
        Skybox = 4, "mjRND_SKYBOX";
        Fog = 5, "mjRND_FOG";
        Haze = 6, "mjRND_HAZE";
        Depth = 7, "mjRND_DEPTH";
        Segment = 8, "mjRND_SEGMENT";
        Idcolor = 9, "mjRND_IDCOLOR";
        CullFace = 10, "mjRND_CULL_FACE";
    } extra { "mjNRNDFLAG" = 11; }

    enum Stereo = "mjtStereo" {
        None = 0, "mjSTEREO_NONE";
        Quadbuffered = 1, "mjSTEREO_QUADBUFFERED";
        Sidebyside = 2, "mjSTEREO_SIDEBYSIDE";
    } extra {  }
}
