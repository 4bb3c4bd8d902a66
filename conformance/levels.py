"""Reference levels: which version of MuJoCo is the oracle of each, and what its package calls by another name or does not have."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Level:
    """A reference level and its oracle."""

    name: str
    version: str
    # fields of data under the names of the oracle
    renamed: dict = field(default_factory=dict)
    # fields of data that the oracle does not have
    missing: frozenset = frozenset()
    # fields of the compiled model that are not compared: arrays that nothing moves by, as `docs/coming-from-mujoco/mujoco-4.md` lists them
    uncompared: frozenset = frozenset()

    def of(self, name):
        """Name of a field of data in the oracle; None if it has no such field."""
        return None if name in self.missing else self.renamed.get(name, name)

    def load(self, kinetree, path):
        """A model of this level."""
        return kinetree.MjModel.from_xml_path(path, reference=self.name)


V3_8 = Level("3.8", "3.8.0")
V4_0 = Level(
    "4.0", "4.0.1",
    renamed={"efc_diagApprox": "efc_diagA"},
    missing=frozenset({"qM"}),
    uncompared=frozenset({
        # another order of polygons, unit normals
        "mesh_polynormal", "mesh_polyvertadr", "mesh_polyvertnum", "mesh_polyvert", "mesh_polymapadr", "mesh_polymapnum", "mesh_polymap",
        "nmeshpoly", "nmeshpolyvert", "nmeshpolymap", "mesh_polynum", "mesh_polyadr", "mesh_normal",
        # another order of equally good nodes
        "bvh_nodeid", "bvh_aabb",
        # file names as they were resolved
        "npaths", "paths", "mesh_pathadr", "tex_pathadr", "hfield_pathadr", "skin_pathadr",
        # numbers of enumerations and plugins, which have other members
        "actuator_dyntype", "actuator_gaintype", "actuator_biastype", "plugin",
        # a twelfth number
        "eq_data",
    }),
)
LEVELS = {level.name: level for level in (V3_8, V4_0)}


def check_oracle(level, mujoco):
    """An error when the installed MuJoCo is not the oracle of the level."""
    if mujoco.__version__ != level.version:
        package = "mujoco" if level is V3_8 else "mujoco-core"
        raise SystemExit(f"MuJoCo {mujoco.__version__} is installed, but level {level.name} is compared with {level.version}: "
                         f"pip install {package}=={level.version}, in an environment of its own")
