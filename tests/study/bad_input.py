"""Requests that no study may accept, drawn by hypothesis; the benchmark uses them, too."""

import io
import math
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from goodarm.study import Bernoulli, Study


def some(drawn: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """The same without None, which means "not given"."""
    return drawn.filter(lambda value: value is not None)


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

BAD_TAGS: st.SearchStrategy[Any] = st.one_of(
    st.just("x"),
    st.just(3),
    st.just(["a,b"]),
    st.just(["x" * 51]),
    st.just([""]),
    st.just([None]),
    st.just([str(number) for number in range(21)]),
)
BAD_BOUNDARIES = st.sampled_from(["", "nope", "kano", 3, True, [], b"glr"])
BAD_COSTS: st.SearchStrategy[Any] = st.one_of(
    some(NOT_NUMBERS), NOT_FINITE, TRUTHS, st.sampled_from([0, -1, -0.5])
)
BAD_SIZES = st.sampled_from([0, -1, 0.5, math.nan, math.inf, True, "many", [1], 10**10])
BAD_CELLS = st.sampled_from(
    ["", "x", "0.5", "2", "1e400", "nan", "-1", "1/0", "3/2", "1;0", "\x00"]
)
NOT_MANY: st.SearchStrategy[Any] = st.sampled_from(
    [None, 3, "A", [3], ["A"], [()], [("A",)], [("A", 1, 1, 1)], {"A": 1}, [None]]
)
BAD_POLICIES = st.sampled_from(["", "nope", None, "retry", "retry:0", "retry:x", 3, "retry:-1"])

Request = Callable[[Study], object]


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
        *bad_changes(request),
        *bad_bulk(request),
    )


def bad_changes(request: Callable[..., Any]) -> list[Any]:
    """Of names, tags and options."""
    return [
        request("new name", BAD_NAMES, lambda s, v: s.rename(v)),
        request("reason to rename", some(BAD_REASONS), lambda s, v: s.rename("t", v)),
        request("reason to archive", some(BAD_REASONS), lambda s, v: s.archive(v)),
        request("tags", BAD_TAGS, lambda s, v: s.tag(v)),
        request("stopping rule", BAD_BOUNDARIES, lambda s, v: s.amend(None, "x", boundary=v)),
        request("new arm", BAD_NAMES | st.just("A"), lambda s, v: s.add_arm(v, "x")),
        request("reason for an arm", BAD_REASONS, lambda s, v: s.add_arm("C", v)),
        request("cost", BAD_COSTS, lambda s, v: s.add_arm("C", "x", cost=v)),
        request("bar of an arm", NOT_FINITE, lambda s, v: s.add_arm("C", "x", threshold=v)),
        request("arm to retire", BAD_NAMES | UNKNOWN_ARMS, lambda s, v: s.retire_arm(v, "x")),
    ]


def bad_bulk(request: Callable[..., Any]) -> list[Any]:
    """One wrong among many right: none of them is told."""

    def among(one: Any) -> list[Any]:
        return [("A", 1), (3, 1), ("B", 0), one, ("B", 1)]

    def table(cell: str, arm: str = "B") -> Any:
        return io.StringIO(f"arm,value\nA,1\nB,0\n{arm},{cell}\n")

    return [
        request("value of many", BAD_VALUES, lambda s, v: s.tell_many(among(("A", v)))),
        request("arm of many", UNKNOWN_ARMS, lambda s, v: s.tell_many(among((v, 1)))),
        request("trial of many", UNKNOWN_TRIALS, lambda s, v: s.tell_many(among((v, 1)))),
        request("second of many", st.just(0.0), lambda s, v: s.tell_many(among((1, v)))),
        request("size of many", BAD_SIZES, lambda s, v: s.tell_many(among(("A", 1, v)))),
        request("key of many", some(BAD_NAMES), lambda s, v: s.tell_many(among(("A", 1)), key=v)),
        request("many", NOT_MANY, lambda s, v: s.tell_many(v)),
        request("cell", BAD_CELLS, lambda s, v: s.tell_csv(table(v))),
        request("cell of the past", BAD_CELLS, lambda s, v: s.import_csv(table(v), "past")),
        request("arm of a table", BAD_CELLS, lambda s, v: s.tell_csv(table("1", v))),
        request("source", BAD_NAMES, lambda s, v: s.import_csv(table("1"), v)),
        request("reason for all", some(BAD_REASONS), lambda s, v: s.cancel_all(v)),
        request("jobs", BAD_COUNTS, lambda s, v: s.run(lambda _: 1, n_jobs=v)),
        request("trials to make", BAD_COUNTS, lambda s, v: s.run(lambda _: 1, v)),
        request("error policy", BAD_POLICIES, lambda s, v: s.run(lambda _: 1, on_error=v)),
    ]


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
        wrong("key", some(BAD_NAMES)),
        wrong("boundary", BAD_BOUNDARIES),
        wrong("decide", st.sampled_from(["", "nope", 3, True])),
        wrong("question", st.sampled_from(["", "most", "top", "top:0", "top:x", 3, None])),
        wrong("criteria", st.sampled_from(["x", [3], ["works"], ["a:bernoulli>=2"], 3])),
        wrong("control", st.sampled_from(["A", "C", 3])),  # without a margin
        wrong("margin", st.sampled_from([0.1, "x", True])),  # without a control
        wrong("lift", st.sampled_from([0.1, "x", True])),
        wrong("reserve", st.sampled_from([-0.1, 1.0, 2, "x", True, math.nan])),
        wrong("details", st.sampled_from([3, {"C": {"cost": 1}}, {"A": {"cost": 0}}, {"A": 1}])),
    )
