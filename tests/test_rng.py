"""Philox against its published vectors, and the streams made from it."""

import numba
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba.extending import register_jitable
from scipy import stats

from goodarm import rng
from goodarm.rng import MASK32, decision_uniform, philox, split, uniform

WORD = st.integers(0, MASK32)

# Random123's known answers for philox4x32-10: counter, key, result.
KNOWN_ANSWERS = (
    (
        (0, 0, 0, 0),
        (0, 0),
        (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8),
    ),
    (
        (MASK32, MASK32, MASK32, MASK32),
        (MASK32, MASK32),
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
)


def test_published_vectors() -> None:
    for counter, key, result in KNOWN_ANSWERS:
        assert philox(*counter, *key) == result


def test_published_vectors_compiled() -> None:
    register_jitable(rng.philox)
    compiled = numba.njit(lambda a, b, c, d, e, f: philox(a, b, c, d, e, f))
    for counter, key, result in KNOWN_ANSWERS:
        assert compiled(*counter, *key) == result


@given(WORD, WORD)
def test_uniform_stays_strictly_inside(high: int, low: int) -> None:
    assert 0.0 < uniform(high, low) < 1.0


def test_uniform_at_its_ends() -> None:
    assert uniform(0, 0) == 2.0**-53
    assert uniform(MASK32, MASK32) == 1.0 - 2.0**-53


@given(st.integers(0, 2**64 - 1))
def test_split_keeps_the_number(number: int) -> None:
    low, high = split(number)
    assert low + (high << 32) == number


def test_decisions_differ_in_every_coordinate() -> None:
    here = (1, 2, 3, 4, 5, 6)
    values = {decision_uniform(*here)}
    for position in range(6):
        moved = list(here)
        moved[position] += 1
        values.add(decision_uniform(*moved))
    assert len(values) == 7


def test_decisions_are_uniform() -> None:
    draws = [decision_uniform(7, 0, run, 0, step, 0) for run in range(40) for step in range(50)]
    assert stats.kstest(draws, "uniform").pvalue > 1e-3
    neighbours = np.corrcoef(draws[:-1], draws[1:])[0, 1]
    assert abs(neighbours) < 0.1
