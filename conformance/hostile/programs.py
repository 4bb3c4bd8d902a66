"""Programs that write nonsense to arrays and scalars of models and data, then call public functions."""


import functools
import inspect
import pathlib

import kinetree
import numpy as np

FOLDER = pathlib.Path(__file__).parents[2] / "models"
MODELS = (
    "actuators", "equality", "fluid", "hfield", "joint_types", "keyframes", "mesh", "mocap", "muscle_arm", "sensors", "sleep", "tactile",
    "tendons", "convex_contacts", "options", "showcase/arm", "showcase/boxes", "showcase/humanoid", "showcase/cloth", "showcase/rope", "skin",
    "compile/flex_cells", "plugins/fields", "plugins/mesh_field", "plugins/cable", "plugins/pid", "plugins/touch_grid",
)
INTEGERS = (-(2**31), -1000, -2, -1, 0, 1, 2, 3, 5, 17, 1000, 10**6, 2**31 - 1)
NUMBERS = (np.nan, np.inf, -np.inf, 1e308, -1e308, 1e30, -1e30, 1e-308, 0.0, -1.0, 1.0, 1e6)
COUNTS = (0, 1, 2, 7, 1000, 10**9, 2**62)
# their distance fields of meshes take a hundred times as long as the others
SLOW = ("plugins/fields", "plugins/mesh_field")
WEIGHTS = [0.2 if name in SLOW else 1.0 for name in MODELS]


@functools.cache
def _loaded(name):
    return kinetree.MjModel.from_xml_path(str(FOLDER / f"{name}.xml"))


@functools.cache
def _parsed(text):
    return kinetree.MjModel.from_xml_string(text)


def load(name):
    """A fresh copy of a model."""
    return kinetree.MjModel(_loaded(name)._clone())


def parse(text):
    """A fresh copy of the model of a text."""
    return kinetree.MjModel(_parsed(text)._clone())


def spoil(rng, array):
    """Writes something to some elements of an array."""
    if not array.size:
        return
    flat = array.reshape(-1)
    values = NUMBERS if array.dtype.kind == "f" else INTEGERS
    places = range(flat.size) if rng.random() < 0.2 else [rng.randrange(flat.size) for _ in range(rng.choice((1, 1, 2, 5)))]
    for i in places:
        value = rng.choice(values)
        with np.errstate(all="ignore"):
            if array.dtype.kind == "f":
                flat[i] = np.asarray(value).astype(array.dtype)
            else:
                flat[i] = value % 2 ** (8 * array.dtype.itemsize) if array.dtype.kind == "u" else value


def attack(rng, m, d):
    """Writes to one field of the model, its options, the data, a copy of an array that changes its size, or a count."""
    kind = rng.choice(("model", "model", "data", "data", "option", "dynamic", "count", "contact"))
    if kind == "model":
        name = rng.choice([n for n, _, _, _ in _FIELDS["MjModel"] if n not in ("names", "paths")])
        spoil(rng, getattr(m, name))
    elif kind == "data":
        spoil(rng, d._fields[rng.choice(list(d._fields))])
    elif kind == "option":
        options = rng.choice((m.opt, m.stat))
        name = rng.choice(list(options._fields))
        # a program that asks for so many iterations or starts waits for them
        if not name.endswith(("iterations", "initpoints")):
            spoil(rng, options._fields[name])
    elif kind == "dynamic":
        spoil(rng, getattr(d, rng.choice(kinetree._core.DYNAMIC_ARRAYS)))
    elif kind == "count":
        setattr(d, rng.choice([n for n, _ in _FIELDS["scalars"]]), rng.choice(COUNTS))
    else:
        spoil(rng, rng.choice(list(d._contacts().values())))
    return kind


_FIELDS = kinetree._core.field_table()


def small(rng):
    """An id, mostly of something that exists."""
    return rng.choice((0, 0, 1, 1, 2, 3, 5, -1, 1000, 2**31 - 1))


def matrix(rows, columns):
    """Makes room for a matrix."""
    return lambda rng, m, d: np.zeros((getattr(m, rows) if isinstance(rows, str) else rows, getattr(m, columns)))


def vector(count):
    """Makes numbers, as many as a size of the model says."""
    return lambda rng, m, d: np.array([rng.choice((0.0, 0.1, -1.0, *NUMBERS)) for _ in range(getattr(m, count) if isinstance(count, str) else count)])


# what fits a parameter, by its name
ARGUMENTS = {
    "m": lambda rng, m, d: m, "d": lambda rng, m, d: d, "src": lambda rng, m, d: d, "dest": lambda rng, m, d: d, "dst": vector("nM"),
    **{name: lambda rng, m, d: small(rng) for name in (
        "N", "body", "id", "geom", "geom1", "geom2", "site", "geomid", "objtype", "objid", "type", "key", "k", "index", "sameframe", "interp",
        "flg_local", "flg_acc", "flg_coneHessian", "flg_static", "bodyexclude", "flg_centered", "flg_actuation", "debug_value")},
    **{name: matrix(3, "nv") for name in ("jacp", "jacr", "jacPoint", "jacAxis", "mat")},
    **{name: vector(3) for name in ("point", "axis", "force", "torque", "pnt", "pos", "xpos", "normal")},
    **{name: vector("nv") for name in ("qfrc_target", "qvel", "result", "x", "y", "sqrtInvD", "res", "vec")},
    **{name: vector("nq") for name in ("qpos", "qpos1", "qpos2")},
    **{name: lambda rng, m, d: rng.choice((0.0, 0.01, 1e-6, *NUMBERS)) for name in ("dt", "time", "distmax", "eps", "phase", "cutoff")},
    "jar": lambda rng, m, d: np.zeros(d.nefc % 10000), "cost": vector(1), "M": vector("nM"), "fromto": vector(6),
    "quat": vector(4), "xmat": vector(9),
    "rownnz": lambda rng, m, d: np.array(m.M_rownnz), "rowadr": lambda rng, m, d: np.array(m.M_rowadr),
    "colind": lambda rng, m, d: np.zeros(m.nM, np.int32), "state": lambda rng, m, d: np.zeros(kinetree.mj_stateSize(m, 8191)),
    "sig": lambda rng, m, d: rng.choice((8191, 8191, 1, 2, 2**20)), "nstep": lambda rng, m, d: rng.choice((1, 2, 5)),
    "skipstage": lambda rng, m, d: rng.choice((0, 1, 2, 3, 7)), "skipsensor": lambda rng, m, d: rng.choice((0, 1)),
    "name": lambda rng, m, d: rng.choice(("", "nobody", "torso")), "geomgroup": lambda rng, m, d: None, "times": lambda rng, m, d: None,
    "values": lambda rng, m, d: None, "opt": lambda rng, m, d: short_search(), "DfDq": matrix("nv", "nv"),
}
# functions that write files, or are about the process and not about a model
LEFT_OUT = ("Cache", "Plugin", "Callbacks", "version", "default", "print", "save", "load")


def short_search():
    """Options of a search for length ranges that ends soon."""
    options = kinetree.MjLROpt()
    options.inttotal, options.interval = 0.2, 0.1
    return options


def plain_functions():
    """Public functions with the names of their parameters."""
    for name in dir(kinetree):
        if name.startswith(("mj_", "mjd_transition", "mjd_inverse")) and not any(word in name for word in LEFT_OUT):
            yield name, list(inspect.signature(getattr(kinetree, name)).parameters)


FUNCTIONS = dict(plain_functions())
OFTEN = ("mj_step", "mj_forward", "mj_inverse", "mj_step1", "mj_step2", "mj_rnePostConstraint", "mj_setConst", "mj_resetData")


def call(rng, m, d):
    """Calls a function; its name and what came of it."""
    name = rng.choice(OFTEN) if rng.random() < 0.4 else rng.choice(list(FUNCTIONS))
    arguments = [ARGUMENTS.get(parameter, lambda rng, m, d: None)(rng, m, d) for parameter in FUNCTIONS[name]]
    if rng.random() < 0.1:
        arguments[-1] = rng.choice((None, -1, "text", np.nan, np.zeros(0), 2**80))
    try:
        getattr(kinetree, name)(*arguments)
    except Exception as problem:  # whatever it is: it is an exception
        return name, type(problem).__name__
    return name, "value"


def fields_are_viewed(m, d, views):
    """Whether views taken before still are the memory of the fields."""
    arrays = kinetree._core.CoreData._arrays(d)
    for (owner, name), view in views.items():
        array = arrays[name] if owner == "d" else m._array(name)
        if array.ctypes.data != view.ctypes.data or array.shape != view.shape:
            return False
        if view.size:
            mark = view.reshape(-1)[0]
            view.reshape(-1)[0] = 1
            same = array.reshape(-1)[0] == 1
            view.reshape(-1)[0] = mark
            if not same:
                return False
    return True


def run_case(rng):
    """Runs one case; what it did, and what is wrong, if anything is."""
    name = rng.choices(MODELS, WEIGHTS)[0]
    m = load(name)
    sound = load(name)
    d = kinetree.MjData(m)
    for _ in range(rng.choice((0, 1, 3))):
        kinetree.mj_step(m, d)
    views = {("d", n): d._fields[n] for n in rng.sample(list(d._fields), 5)}
    views |= {("m", n): m._fields[n] for n in rng.sample(list(m._fields), 5)}
    log = [name]
    for _ in range(rng.choice((1, 1, 2, 4))):
        log.append(attack(rng, m, d))
        log.extend(call(rng, m, d) for _ in range(rng.choice((1, 2, 3))))
    if any(entry[1] == "UnexpectedError" for entry in log if isinstance(entry, tuple)):
        return log, "a panic"
    if not fields_are_viewed(m, d, views):
        return log, "a view is not the memory of its field"
    kinetree.mj_resetData(sound, d)
    kinetree.mj_step(sound, d)
    fresh = kinetree.MjData(sound)
    kinetree.mj_step(sound, fresh)
    if not np.array_equal(fresh.qpos, d.qpos) or not np.array_equal(fresh.sensordata, d.sensordata):
        return log, "a data that was reset steps differently"
    return log, None
