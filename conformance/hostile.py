"""`python -m conformance.hostile --cases 100000 --seed 1`: programs that write nonsense, then call public functions.

Each case loads a model, takes views of its arrays, writes wrong indices, counts, NaN and huge numbers to arrays and scalars of model and
data, and calls functions. Every call must end in a value or a Python exception other than that of a panic, within a time limit; afterwards
the views must still be the memory of the fields, and a reset of the data must make it usable with a sound model. Some cases are about
deformable bodies (`conformance.hostile_soft`). A case depends on nothing
but its number and the seed: `--case N` runs one alone.

Cases run in worker processes, so that a crash or a hang is a finding and not the end. To look for invalid memory accesses, run some
under valgrind, with the package as it is installed. Python's own allocator hides them, so it is switched off. (A valgrind that does not
know an instruction of wide lanes says so and stops; build the package with RUSTFLAGS="-C target-cpu=x86-64" for that one.)

    PYTHONMALLOC=malloc valgrind --error-exitcode=9 --undef-value-errors=no --suppressions=conformance/valgrind.supp \\
        python -m conformance.hostile --inside --cases 300
"""

import argparse
import collections
import inspect
import os
import random
import subprocess
import sys
import threading
import time

import kinetree
import numpy as np

from conformance import hostile_soft

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models")
MODELS = (
    "actuators", "equality", "fluid", "hfield", "joint_types", "keyframes", "mesh", "mocap", "muscle_arm", "sensors", "sleep", "tactile",
    "tendons", "convex_contacts", "options", "showcase/arm", "showcase/boxes", "showcase/humanoid", "showcase/cloth", "showcase/rope", "skin",
    "compile/flex_cells", "plugins/fields", "plugins/mesh_field", "plugins/cable", "plugins/pid", "plugins/touch_grid",
)
INTEGERS = (-(2**31), -1000, -2, -1, 0, 1, 2, 3, 5, 17, 1000, 10**6, 2**31 - 1)
NUMBERS = (np.nan, np.inf, -np.inf, 1e308, -1e308, 1e30, -1e30, 1e-308, 0.0, -1.0, 1.0, 1e6)
COUNTS = (0, 1, 2, 7, 1000, 10**9, 2**62)
_loaded = {}


def load(name):
    """A fresh copy of a model."""
    if name not in _loaded:
        _loaded[name] = kinetree.MjModel.from_xml_path(os.path.join(FOLDER, name + ".xml"))
    return kinetree.MjModel(_loaded[name]._clone())


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


def run_case(number, seed):
    """Runs one case; what it did, and what is wrong, if anything is."""
    rng = random.Random(f"{seed}:{number}")
    if number % 8 == 7:
        return hostile_soft.run_case(rng)
    name = rng.choice(MODELS)
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


def inside(arguments):
    """Runs cases in this process, and prints the number of each before it begins."""
    outcomes, wrong = collections.Counter(), 0
    for number in range(arguments.first, arguments.first + arguments.cases, arguments.stride):
        print(f"case {number}", flush=True)
        log, problem = [], None
        try:
            log, problem = run_case(number, arguments.seed)
        except Exception as error:  # not one of the calls that may raise
            problem = f"{type(error).__name__} where none should be: {error}"
        outcomes.update(entry[1] for entry in log if isinstance(entry, tuple))
        if arguments.verbose:
            print(log, flush=True)
        if problem:
            wrong += 1
            print(f"wrong {number} {problem}: {log}", flush=True)
    print(f"outcomes {dict(outcomes)}", flush=True)
    return wrong


class Findings(list):
    """What was found, told at once, and how many cases were begun."""

    begun = 0

    def append(self, finding):
        print("finding:", finding, flush=True)
        super().append(finding)

    def begin(self):
        self.begun += 1
        if self.begun % 1000 == 0:
            print(f"{self.begun} cases begun", file=sys.stderr, flush=True)


def worker(arguments, first, findings, outcomes):
    """Runs every n-th case in processes, each begun anew after the case that ended the one before."""
    end = arguments.first + arguments.cases
    while first < end:
        command = [sys.executable, "-m", "conformance.hostile", "--inside", "--seed", str(arguments.seed), "--first", str(first),
                   "--cases", str(end - first), "--stride", str(arguments.workers)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        state = {"case": first, "since": time.monotonic()}
        hung = threading.Event()

        def watch(process=process, state=state, hung=hung):
            while process.poll() is None:
                if time.monotonic() - state["since"] > arguments.limit:
                    hung.set()
                    process.kill()
                time.sleep(0.2)

        threading.Thread(target=watch, daemon=True).start()
        for line in process.stdout or ():
            word, _, rest = line.rstrip().partition(" ")
            if word == "case":
                state.update(case=int(rest), since=time.monotonic())
                findings.begin()
            elif word == "wrong":
                findings.append(rest)
            elif word == "outcomes":
                outcomes.update(eval(rest))  # our own dictionary of counts
        if process.wait() in (0, 1):
            return
        if hung.is_set():
            findings.append(f"{state['case']} took more than {arguments.limit} s")
        else:
            findings.append(f"{state['case']} ended the process with {process.returncode}")
        first = state["case"] + arguments.workers


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--limit", type=float, default=20, help="seconds that a case may take")
    parser.add_argument("--case", type=int, help="run this case alone, and show it")
    parser.add_argument("--inside", action="store_true", help="run the cases in this process")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    if arguments.case is not None:
        arguments.first, arguments.cases, arguments.verbose, arguments.inside = arguments.case, 1, True, True
    if arguments.inside:
        return 1 if inside(arguments) else 0
    findings, outcomes = Findings(), collections.Counter()
    threads = [
        threading.Thread(target=worker, args=(arguments, arguments.first + i, findings, outcomes)) for i in range(arguments.workers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{arguments.cases} cases, {len(findings)} findings, calls: {dict(outcomes)}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
