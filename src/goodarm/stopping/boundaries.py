"""Finding a boundary by name."""

import math

from goodarm.errors import InputError, unknown_name
from goodarm.plugins import declared
from goodarm.stopping.contract import Boundary

ALL_FAMILIES: tuple[type[Boundary], ...] = tuple(
    sorted(
        declared("goodarm.stopping.families", "BOUNDARY_FAMILIES"),
        key=lambda family: (not family.by_certificates, family.kind),
    )
)
"""Every family, in the order in which a run is asked for its own: the usual ones first."""
assert len({family.kind for family in ALL_FAMILIES}) == len(ALL_FAMILIES), "kinds must differ"

BOUNDARIES = {form: text for family in ALL_FAMILIES for form, text in family.forms.items()}
"""How each boundary is written, and what it is."""


def parse_boundary(
    name: str, K: int, delta: float | None = None, log_inverse_delta: float | None = None
) -> Boundary:
    """The boundary of that name for K arms at δ; δ may be given as ln(1/δ), however large.

    >>> round(parse_boundary("glr", 10, 0.01).level(1000) ** 2, 6)
    27.175731
    """
    if log_inverse_delta is None:
        log_inverse_delta = _log_inverse(delta)
    for family in ALL_FAMILIES:
        boundary = family.parse(name.strip().lower(), K, log_inverse_delta)
        if boundary is not None:
            return boundary
    raise unknown_name("boundary", name, BOUNDARIES)


def _log_inverse(delta: object) -> float:
    if not isinstance(delta, int | float) or not 0.0 < delta < 1.0:
        raise InputError(f"delta: {delta!r} is not strictly between 0 and 1")
    return -math.log(delta)
