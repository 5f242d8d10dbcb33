"""Requests that no study may accept, drawn by hypothesis; the benchmark uses them, too."""

import math
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from goodarm.study import Bernoulli, Study

NOT_NUMBERS: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.text(max_size=8),
    st.binary(max_size=4),
    st.just([1.0]),
    st.just({}),
    st.just(1j),
    st.just(np.array([1.0, 2.0])),
    st.just("0.5"),
    st.just(date(2026, 1, 1)),
    st.just(object),
)
NOT_FINITE = st.sampled_from(
    [math.nan, math.inf, -math.inf, np.nan, np.float32("inf"), 10**400, -(10**400), 1e300]
)
OUTSIDE = st.one_of(
    st.floats(min_value=1.0, exclude_min=True, max_value=1e300),
    st.floats(max_value=0.0, exclude_max=True, min_value=-1e300),
    st.integers(min_value=2),
    st.integers(max_value=-1),
    st.just(Fraction(3, 2)),
)
BAD_VALUES = st.one_of(NOT_NUMBERS, NOT_FINITE, OUTSIDE)  # True and False are outcomes
TRUTHS: st.SearchStrategy[Any] = st.one_of(st.booleans(), st.just(np.True_))
CONTROLS = st.sampled_from(["\x00", "\n", "\r", "\x1b[2J", "\u202e", "\ud800", "\x7f", "\u2028"])
BAD_NAMES: st.SearchStrategy[Any] = st.one_of(
    st.just(""),
    st.just("   "),
    st.just("\u200b"),
    st.just(" padded "),
    st.just("x" * 201),
    st.builds(lambda a, c, b: a + c + b, st.text(max_size=5), CONTROLS, st.text(max_size=5)),
    st.integers(),
    st.none(),
    st.binary(max_size=3),
    st.booleans(),
    st.just(["A"]),
)
UNKNOWN_ARMS = st.one_of(
    BAD_NAMES.filter(lambda name: isinstance(name, str)),
    st.sampled_from(["a", "A ", "C", "'; DROP TABLE goodarm_events; --", "../A", "Ａ", "A\u200b"]),
)
UNKNOWN_TRIALS: st.SearchStrategy[Any] = st.one_of(
    st.integers(max_value=0),
    st.integers(min_value=5),
    st.booleans(),
    st.none(),
    st.floats(),
    st.just([1]),
    st.just(np.int64(77)),
    st.binary(max_size=2),
)
BAD_ARMS: st.SearchStrategy[Any] = st.one_of(
    st.just([]),
    st.just("ABC"),
    st.just(None),
    st.just(3),
    st.just({"A": 1}),
    st.lists(BAD_NAMES, min_size=1, max_size=3),
    st.just(["A", "A"]),
    st.just(["A", "A\u200b"]),
    st.just(["é", "e\u0301"]),
    st.just(["A"] * 100_001),
)
BAD_REASONS = st.one_of(
    st.just(""), st.none(), st.integers(), st.just("a\x00b"), st.just("x" * 10_001)
)
BAD_TIMES: st.SearchStrategy[Any] = st.one_of(
    st.text(max_size=6).filter(lambda t: not t.isdigit()),
    st.integers(),
    st.just(b"2026"),
    st.just("2026-13-01"),
    st.floats(),
    st.just("0001-01-01T00:00:00+14:00"),
)
BAD_COUNTS: st.SearchStrategy[Any] = st.one_of(
    st.integers(max_value=0),
    st.integers(min_value=10**10),
    st.floats(),
    st.booleans(),
    st.text(max_size=3),
    st.just([2]),
)
BAD_DELTAS: st.SearchStrategy[Any] = st.one_of(
    TRUTHS,
    NOT_NUMBERS.filter(lambda v: v is not None),
    NOT_FINITE,
    st.just(0),
    st.just(1),
    st.just(-0.1),
    st.floats(min_value=1.0),
    st.floats(max_value=0.0),
)
BAD_LEASES = st.sampled_from([0, -1, math.nan, math.inf, "1h", True, 1e9, [60], 1j])

Request = Callable[[Study], object]


def some(drawn: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """The same without None, which means "not given"."""
    return drawn.filter(lambda value: value is not None)


def bad_requests() -> st.SearchStrategy[tuple[str, Request]]:
    """What is wrong, and a request to a study of arms A and B with trials 1 (told) to 4 (open)."""

    def request(what: str, drawn: Any, make: Callable[[Study, Any], object]) -> Any:
        return drawn.map(lambda value: (f"{what} {value!r:.60}", lambda s: make(s, value)))

    return st.one_of(
        request("value", BAD_VALUES, lambda s, v: s.tell(3, v)),
        request("value of an arm", BAD_VALUES, lambda s, v: s.tell("A", v)),
        request("second value", st.just(0.0), lambda s, v: s.tell(1, v)),
        request("arm", UNKNOWN_ARMS, lambda s, v: s.tell(v, 1.0)),
        request("arm to ask for", UNKNOWN_ARMS, lambda s, v: s.ask(arm=v)),
        request("trial", UNKNOWN_TRIALS, lambda s, v: s.tell(v, 1.0)),
        request("trial to cancel", UNKNOWN_TRIALS, lambda s, v: s.cancel(v)),
        request("trial to retract", UNKNOWN_TRIALS, lambda s, v: s.retract(v, "x")),
        request("trial to correct", UNKNOWN_TRIALS, lambda s, v: s.correct(v, 1.0, "x")),
        request("corrected value", BAD_VALUES, lambda s, v: s.correct(1, v, "x")),
        request("reason", BAD_REASONS, lambda s, v: s.retract(1, v)),
        request("reason to stop", BAD_REASONS, lambda s, v: s.stop(v)),
        request("time", BAD_TIMES, lambda s, v: s.tell(3, 1.0, at=v)),
        request("note", some(BAD_REASONS), lambda s, v: s.tell(3, 1.0, note=v)),
        request("key", some(BAD_NAMES), lambda s, v: s.tell(3, 1.0, key=v)),
        request("number", BAD_COUNTS, lambda s, v: s.ask(v)),
        request("lease", BAD_LEASES, lambda s, v: s.ask(lease=v)),
        request("extension", BAD_COUNTS, lambda s, v: s.extend(trials=v)),
        request("delta", BAD_DELTAS, lambda s, v: s.extend(delta=v)),
        request("threshold", BAD_VALUES | TRUTHS, lambda s, v: s.amend(v, "x")),
        request("trial to renew", UNKNOWN_TRIALS, lambda s, v: s.renew(v, 60)),
        request("trial that is told", st.just(60), lambda s, v: s.renew(1, v)),
        request("renewed lease", BAD_LEASES | st.none(), lambda s, v: s.renew(3, v)),
    )


def bad_studies() -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """What is wrong, and arguments that no study can be created with."""
    good = {"name": "new", "arms": ["A", "B"], "threshold": 0.5, "outcome": Bernoulli()}

    def wrong(what: str, drawn: Any) -> Any:
        return drawn.map(lambda value: (f"{what} {value!r:.60}", good | {what: value}))

    return st.one_of(
        wrong("name", BAD_NAMES),
        wrong("arms", BAD_ARMS),
        wrong("threshold", st.one_of(BAD_VALUES, TRUTHS, st.just(0), st.just(1))),
        wrong("command", st.one_of(st.integers(), st.just(""), st.just("a\x00b"))),
        wrong(
            "outcome",
            st.one_of(NOT_NUMBERS, TRUTHS, st.just("bounded:1:0"), st.just("gaussian:-1")),
        ),
        wrong("delta", BAD_DELTAS),
        wrong("seed", st.sampled_from([-1, 2**64, 1.0, True, "1", [2]])),
        wrong("budget", BAD_COUNTS),
        wrong("goal", st.sampled_from(["up", "", None, 1, "Above"])),
        wrong("algorithm", st.sampled_from(["", "nope", None, "SR-G", "DSR-G", "x.py:RULE", 3])),
        wrong("lease", BAD_LEASES),
        wrong("by", some(BAD_NAMES)),
    )
