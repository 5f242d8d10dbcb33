"""Recorded outcomes suggest a model: which one, why, and what only a person can know."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from goodarm import InputError, suggest_outcome
from goodarm.outcomes import Bernoulli
from goodarm.outcomes.contract import Reading
from goodarm.outcomes.facts import facts_of
from goodarm.outcomes.suggesting import Suggestions, suggest
from goodarm.outcomes.watches.contract import Watch

N = 150


def three(draw, *parameters: float) -> dict[str, list[float]]:
    return {f"arm {p:g}": np.asarray(draw(p), dtype=float).tolist() for p in parameters}


def recorded(kind: str, seed: int = 3) -> dict[str, list[float]]:
    chance = np.random.default_rng(seed)
    laws = {
        "yes or no": (lambda p: chance.random(N) < p, (0.3, 0.5)),
        "counts": (lambda p: chance.poisson(p, N), (3, 5)),
        "clusters": (lambda p: chance.negative_binomial(p, 0.5, N), (3, 5)),
        "durations": (lambda p: chance.exponential(p, N), (3, 5)),
        "wild durations": (lambda p: chance.gamma(0.3, p, N), (3, 5)),
        "shares": (lambda p: chance.beta(p, 3, N), (2, 4)),
        "percentages": (lambda p: 100 * chance.beta(p, 1, N), (1, 1.2)),
        "ratings": (lambda p: np.clip(np.round(chance.normal(p, 0.8, N)), 1, 5), (3, 4)),
        "steps": (lambda p: chance.choice([-1.5, 0.0, 2.5], N), (1, 2)),
        "measurements": (lambda p: chance.normal(p, 2, N), (-3, 5)),
        "weights": (lambda p: chance.normal(p, 8, N), (70, 80)),
        "losses": (lambda p: 5 - chance.exponential(p, N), (3, 5)),
    }
    draw, parameters = laws[kind]
    return three(draw, *parameters)


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        ("yes or no", "bernoulli", "every outcome is 0 or 1"),
        ("counts", "poisson", "times their mean; chance explains up to"),
        ("clusters", "bounded:0", "no mean can be shown to be low"),
        ("durations", "exponential", "no larger than the mean"),
        ("wild durations", "bounded:0", "whatever the shape"),
        ("shares", "bounded:0:1", "all 300 lie between 0 and 1"),
        ("percentages", "bounded:0:100", "all 300 lie between 0 and 100"),
        ("ratings", "bounded:1:5", "all 300 lie between 1 and 5"),
        ("steps", "bounded:-1.5:2.5", "all 300 lie between"),
        ("measurements", "gaussian", "between −1 and 1 it does no harm"),
        ("weights", "gaussian", "between −1 and 1 it does no harm"),
    ],
)
def test_what_is_suggested_and_why(kind: str, text: str, why: str) -> None:
    found = suggest(recorded(kind))
    assert found.outcome.text() == text
    assert why in found.best.why
    assert (found.best.confirm is not None) == text.startswith("bounded")
    assert found.arms == tuple(recorded(kind))


def test_where_nothing_fits_it_says_so() -> None:
    found = suggest(recorded("losses"))
    assert not any(candidate.fits for candidate in found.candidates)
    with pytest.raises(InputError, match="averages of ten or more"):
        _ = found.outcome
    assert found.to_dict()["suggested"] is None


@pytest.mark.parametrize(
    ("kind", "name", "why"),
    [
        ("clusters", "poisson", "more than the 1.13 that chance explains"),
        ("wild durations", "exponential", "times the mean, more than the"),
        ("durations", "gaussian", "a skewness of"),
        ("yes or no", "gaussian", "2 different values among 300"),
        ("counts", "bernoulli", "they go from 0 to"),
        ("measurements", "exponential", "not every outcome is above 0"),
        ("measurements", "poisson", "not every outcome is a whole number"),
        ("measurements", "bounded", "they show no bounds"),
    ],
)
def test_what_does_not_fit_has_its_reason(kind: str, name: str, why: str) -> None:
    by_name = {c.outcome.name: c for c in suggest(recorded(kind)).candidates}
    assert not by_name[name].fits
    assert why in by_name[name].why


@pytest.mark.parametrize(
    ("kind", "text", "least"),
    [("counts", "poisson", 34), ("durations", "exponential", 34), ("measurements", "gaussian", 40)],
)
def test_outcomes_of_a_kind_are_mostly_taken_for_it(kind: str, text: str, least: int) -> None:
    """A ratio may exceed what chance explains in one sample of twenty."""
    found = [suggest(recorded(kind, seed)).best.outcome.text() for seed in range(40)]
    assert found.count(text) >= least


@pytest.mark.parametrize("kind", ["clusters", "wild durations"])
def test_outcomes_that_would_break_a_model_are_never_taken_for_it(kind: str) -> None:
    for seed in range(40):
        assert suggest(recorded(kind, seed)).best.outcome.name == "bounded"


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.text(min_size=1, max_size=3),
        st.lists(
            st.floats(-1e6, 1e6, allow_nan=False) | st.integers(0, 9).map(float),
            min_size=1,
            max_size=8,
        ),
        min_size=1,
        max_size=3,
    )
)
def test_whatever_the_data_a_model_that_fits_takes_every_value(data: dict) -> None:
    found = suggest(data)
    json.dumps(found.to_dict(), allow_nan=False)
    fitting = [candidate.fits for candidate in found.candidates]
    assert fitting == sorted(fitting, reverse=True)
    for candidate in found.candidates:
        if candidate.fits:
            for values in data.values():
                for value in values:
                    candidate.outcome.check(value, 0.5)


def test_facts_against_scipy() -> None:
    values = np.random.default_rng(1).gamma(2.0, 3.0, 40)
    other = np.random.default_rng(2).gamma(2.0, 6.0, 60)
    facts = facts_of([values.tolist(), other.tolist()])
    skews = 40 * stats.skew(values) + 60 * stats.skew(other)
    assert facts.skewness == pytest.approx(skews / 100)
    within = [39 * v.var(ddof=1) / v.mean() for v in (values,)] + [
        59 * other.var(ddof=1) / other.mean()
    ]
    assert facts.dispersion == pytest.approx(sum(within) / 98)
    assert facts.scatter == pytest.approx(
        math.sqrt((39 * values.var(ddof=1) + 59 * other.var(ddof=1)) / 98)
    )
    assert (facts.count, facts.freedom, facts.distinct, facts.whole) == (100, 98, 100, False)


def test_a_threshold_that_a_model_cannot_have_speaks_against_it() -> None:
    found = suggest(recorded("shares"), threshold=1.5)
    assert found.best.outcome.name != "bounded"
    bounded = next(c for c in found.candidates if c.outcome.name == "bounded")
    assert "1.5 is not between 0 and 1" in bounded.why


class Suspicious(Watch):
    """Doubts an arm whose second outcome is smaller than its first."""

    name = "order"
    memory = 2

    def see(self, state: list[float], arm: int, value: float, size: float) -> None:
        state[1] += state[0] > value
        state[0] = value

    def doubt(self, states, K: int, names=None) -> str | None:
        falls = sum(state[1] for state in states.values())
        return f"{falls:g} falls in {K} arms." if falls else None


def test_watches_look_at_the_outcomes_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bernoulli, "watches", lambda self, threshold: (Suspicious(),))
    calm = suggest({"a": [0, 0, 1], "b": [0, 1]})
    assert (calm.best.outcome.name, calm.best.doubts) == ("bernoulli", ())
    doubted = suggest({"a": [1, 0, 1], "b": [1, 0]})
    bernoulli = next(c for c in doubted.candidates if c.outcome.name == "bernoulli")
    assert bernoulli.doubts == ("2 falls in 2 arms.",)
    assert doubted.best.outcome.name == "bounded"  # what nobody doubts comes first


def read(folder: Path, text: str) -> Suggestions:
    path = folder / "past.csv"
    path.write_text(text)
    return suggest_outcome(path)


def test_tables_of_every_kind(tmp_path: Path) -> None:
    sized = read(tmp_path, "arm,successes,trials\nred,37,1000\nblue,20,900\n")
    assert (sized.outcome.text(), sized.arms) == ("bernoulli", ("red", "blue"))
    assert "out of a number of trials" in sized.best.why
    alone = read(tmp_path, "0.5\n-2.5\n1.25\n")
    assert (alone.outcome.text(), alone.arms) == ("gaussian", ())
    plain = read(tmp_path, "Arm,note,Value\na,x,1\nb,y,0\na,,1\n")
    assert (plain.outcome.text(), plain.arms) == ("bernoulli", ("a", "b"))
    exposed = read(tmp_path, "arm,count,exposure\na,3,2.5\na,4,0.5\n")
    assert exposed.outcome.text() == "poisson"


def uniform(low: int, high: int, count: int) -> list[float]:
    return np.random.default_rng(7).integers(low, high + 1, count).astype(float).tolist()


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([1.0, 2.0, 3.0, 4.0, 5.0, 5.0, 1.0, 1.0] * 10, "bounded:1:5"),  # scatters as counts do
        (uniform(1, 5, 80), "bounded:1:5"),
        (uniform(1, 5, 15), "bounded:1:5"),
        (uniform(1, 10, 80), "bounded:1:10"),
        (uniform(0, 5, 80), "bounded:0:5"),
        ([3.0] * 30, "bounded:0"),
        ([1.0, 2.0, 3.0] * 10, "bounded:1:3"),
    ],
)
def test_marks_on_a_scale_are_not_taken_for_counts(values: list[float], text: str) -> None:
    best = suggest({"a": values}).best
    assert best.outcome.text() == text
    assert "impossible, not just unseen" in best.confirm


def test_low_counts_may_be_marks_and_must_be_confirmed() -> None:
    best = suggest({"a": np.random.default_rng(3).poisson(1.0, 100).tolist()}).best
    assert best.outcome.text() == "poisson"
    assert best.confirm == "an outcome is a count of events, not a mark on a scale"


@pytest.mark.parametrize("values", [[3.0], [1.0, 2.0, 3.0], [0.0, 1.0], [0.5, -2.5] * 4])
def test_a_few_outcomes_suggest_nothing_without_a_question(values: list[float]) -> None:
    assert suggest({"a": values}).best.confirm
    assert suggest({"a": values * 10}).best.outcome is not None


def test_yes_and_no_in_uneven_batches_are_told_as_shares(tmp_path: Path) -> None:
    rows = "a,10,100\na,60,100\nb,15,100\nb,55,100\n" * 10
    found = read(tmp_path, "arm,successes,trials\n" + rows)
    assert found.outcome.text() == "bounded:0:1"
    assert "its share of yes" in found.best.confirm
    (bernoulli,) = (c for c in found.candidates if c.outcome.name == "bernoulli")
    assert "differ from batch to batch" in bernoulli.doubts[0]
    counts = read(tmp_path, "arm,count,exposure\n" + rows)
    assert [c.outcome.text() for c in counts.candidates] == ["bounded:0", "poisson"]
    assert counts.candidates[1].doubts


def test_values_typed_with_their_sizes(tmp_path: Path) -> None:
    assert read(tmp_path, "arm,value\na,5+\na,3\n").outcome.text() == "exponential"
    assert read(tmp_path, "arm,value\na,37/1000\nb,1\n").outcome.text() == "bernoulli"
    assert read(tmp_path, "12.5/4\n3\n").outcome.text() == "exponential"
    assert read(tmp_path, "arm,duration,events\na,12,4\na,3,1\n").outcome.text() == "exponential"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [1e-110, 1e-170, 1e100])
def test_facts_of_tiny_and_huge_outcomes(scale: float) -> None:
    values = scale * np.random.default_rng(5).uniform(-1, 1, 30)
    found = suggest({"a": values.tolist(), "b": [scale]}).to_dict()
    json.dumps(found["facts"], allow_nan=False)


def test_durations_that_still_run() -> None:
    found = suggest({"a": [Reading(3.0), Reading(5.0, 0.0)]})
    assert found.outcome.text() == "exponential"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("arm,value\na,much\n", "line 2: value: 'much' is not a number"),
        ("arm,value\n,1\n", "line 2: the arm is missing"),
        ("arm,value\na,1e300\n", "line 2: value: 1e\\+300 is too large"),
        ("arm,successes,trials\na,1,2\na,3,2\n", "line 3: value: .* is not a number of successes"),
        ("arm,values\na,1\n", "header"),
        ("", "no outcomes"),
    ],
)
def test_tables_that_cannot_be_read(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(tmp_path, text)


def test_an_arm_without_outcomes() -> None:
    with pytest.raises(InputError, match="no outcome"):
        suggest_outcome({"a": [1.0], "b": []})
