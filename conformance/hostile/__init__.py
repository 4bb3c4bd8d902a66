"""Programs that hand nonsense to everything public; see `conformance.hostile.__main__`."""

import random

from conformance.hostile import circumstances, damage, programs, soft, surfaces

# what a case is about, by its number
KINDS = (programs, programs, damage, programs, circumstances, surfaces, surfaces, soft)


def run_case(number, seed, left_out=(circumstances, surfaces)):
    """Runs one case; what it did, and what is wrong, if anything is. A case of a kind that is left out is about models and data instead: not
    every process may be forked and interrupted, or has the time."""
    kind = KINDS[number % len(KINDS)]
    return (programs if kind in left_out else kind).run_case(random.Random(f"{seed}:{number}"))
