"""Plain data that is the same, but for what another machine rounds differently."""

from typing import Any

ROUNDING = 1e-9  # relative to 1 and the number
WHOLE = 2**53  # larger numbers are rounded by programs that know no whole ones


def alike(one: Any, other: Any) -> bool:
    """Whether plain data is the same, numbers but for what another machine may round differently.

    Logarithms and the like differ in their last digit from one mathematical library to another.
    """
    if _is_number(one) and _is_number(other):
        if one == other:
            return True
        if isinstance(other, int) and abs(other) < WHOLE:
            return False
        try:
            return bool(abs(one - other) <= ROUNDING * (1.0 + abs(other)))
        except OverflowError:  # a whole number that no float can be compared with
            return False
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
