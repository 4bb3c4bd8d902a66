"""`python -m conformance.hostile --cases 100000 --seed 1`: programs that hand nonsense to everything public, under all circumstances.

A case makes objects, hands them wrong shapes, indices, sizes, NaN, huge numbers and the objects of other models, writes such things to the
arrays of models, data and bodies, and calls methods in any order; or it damages bytes that are then loaded. Some run on several threads, in
the children of a fork, under signals, with collections of garbage at every allocation or with little memory (`circumstances`). Every call
must end in a value or a Python exception other than that of a panic, within a time limit; what belongs to another model must be refused;
afterwards views must still be the memory of their fields, and a sound object in the same process must work as ever. What a case does
depends on nothing but its number and the seed: `--case N` runs one alone.

Cases run in worker processes (`--jobs`), so that a crash or a hang is a finding and not the end. How far it is stands on the standard error;
the result is written to the file that `--json` names, every few seconds and at the end. `--sample` runs for a minute. To look for invalid
memory accesses, run some under valgrind, with the package as it is installed. Python's own allocator hides them, so it is switched off. (A
valgrind that does not know an instruction of wide lanes says so and stops; build the package with RUSTFLAGS="-C target-cpu=x86-64" for that
one.)

    PYTHONMALLOC=malloc valgrind --error-exitcode=9 --undef-value-errors=no --suppressions=conformance/valgrind.supp \\
        python -m conformance.hostile --inside --gentle --cases 300
"""

import argparse
import sys

from conformance.hostile import workers


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--limit", type=float, default=60, help="seconds that a case may take")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="seconds after which no case begins")
    parser.add_argument("--json", help="file for the result: cases of each kind, and findings with seed and case")
    parser.add_argument("--sample", action="store_true", help="as many cases as there are in a minute")
    parser.add_argument("--case", type=int, help="run this case alone, and show it")
    parser.add_argument("--inside", action="store_true", help="run the cases in this process")
    parser.add_argument("--gentle", action="store_true", help="without forks, signals and memory limits")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    if arguments.sample:
        arguments.cases, arguments.seconds = 10**6, min(arguments.seconds, 60)
    if arguments.case is not None:
        arguments.first, arguments.cases, arguments.verbose, arguments.inside = arguments.case, 1, True, True
    return workers.inside(arguments) if arguments.inside else workers.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
