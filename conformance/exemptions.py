"""Differences from the reference that are meant, each with its reason. `docs/conformance.md` explains them.

Two that no field can be exempted for: the reference drops polygons with more than a hundred corners from OBJ files, so that meshes,
inertias and all that follows from them differ. No model of the corpus has such a mesh. Another: implicit integrators take the damping of the
first flex for all interpolated ones in the reference, so that steps of `testdata/flex.xml` differ.
"""

# sizes that describe the reference's memory, not the model
SIZES = {"nbuffer", "narena"}

# what a joint equality adds to a model
_EQUALITY = {
    "neq", "nemax", "nnames", "nnames_map", "eq_type", "eq_obj1id", "eq_obj2id", "eq_objtype", "eq_active0", "eq_solref",
    "eq_solimp", "eq_data", "name_eqadr", "names", "names_map",
}


def has_mimic_joint(path):
    """Whether a URDF file ties one joint to another: the reference ignores it, Kinetree makes a joint equality of it."""
    if not path.endswith(".urdf"):
        return False
    with open(path, "rb") as file:
        return b"<mimic" in file.read()


def fields_of(path):
    """Sizes and fields of a model that are not compared."""
    return SIZES | _EQUALITY if has_mimic_joint(path) else SIZES
