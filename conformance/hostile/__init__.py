"""Programs that hand nonsense to everything public; see `conformance.hostile.__main__`."""

import random

from conformance.hostile import circumstances, damage, programs, soft, surfaces

# what a case is about, with its share of a thousand: circumstances wait and fork, and cost some ten times as much as the others
KINDS = {programs: 300, surfaces: 280, damage: 220, soft: 175, circumstances: 25}
TITLES = {programs: "models and data", surfaces: "surfaces", damage: "damaged bytes", soft: "soft", circumstances: "circumstances"}


def begin(number, seed, left_out=()):
    """The random numbers of a case, and its kind. A case of a kind that is left out is about models and data instead: not every process may
    be forked and interrupted, or has the time."""
    rng = random.Random(f"{seed}:{number}")
    kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
    return rng, programs if kind in left_out else kind


def title(number, seed, left_out=()):
    """What a case is about, in words."""
    return TITLES[begin(number, seed, left_out)[1]]


def run_case(number, seed, left_out=(circumstances, surfaces)):
    """Runs one case; what it did, and what is wrong, if anything is."""
    rng, kind = begin(number, seed, left_out)
    return kind.run_case(rng)
