"""Finding outcome models: text, data and back, and what wrong input is told."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm.errors import InputError
from goodarm.outcomes import (
    Bernoulli,
    Bounded,
    Gaussian,
    Outcome,
    find_outcome,
    outcome_from_data,
    outcomes,
    parse_outcome,
)

POSITIVE = st.floats(1e-100, 1e100)
NUMBERS = st.floats(-1e100, 1e100)
MODELS = st.one_of(
    st.just(Bernoulli()),
    POSITIVE.map(Gaussian),
    st.lists(POSITIVE, min_size=1, max_size=5).map(Gaussian),
    st.tuples(NUMBERS, NUMBERS)
    .filter(lambda ends: max(ends) - min(ends) > 1e-100)
    .map(lambda ends: Bounded(min(ends), max(ends))),
    NUMBERS.map(lambda end: Bounded(lo=end)),
    NUMBERS.map(lambda end: Bounded(hi=end)),
)


@given(MODELS)
def test_text_and_data_bring_back_the_very_same_model(model: Outcome) -> None:
    assert parse_outcome(model.text()) == model
    assert parse_outcome(f"  {model.text().upper()} ") == model
    assert outcome_from_data(model.to_data()) == model
    assert find_outcome(model.text()) == find_outcome(model) == model
    assert hash(parse_outcome(model.text())) == hash(model)


@pytest.mark.parametrize(
    ("text", "model", "shown"),
    [
        ("bernoulli", Bernoulli(), "bernoulli"),
        ("bounded:0:1e2", Bounded(0, 100), "bounded:0:100"),
        ("bounded:-3", Bounded(lo=-3), "bounded:-3"),
        ("bounded::1", Bounded(hi=1), "bounded::1"),
        ("gaussian:0.1234567891", Gaussian(0.1234567891), "gaussian:0.1234567891"),
        ("gaussian:0.2,0.3", Gaussian((0.2, 0.3)), "gaussian:0.2,0.3"),
        ("gaussian:0.2,0.2", Gaussian(0.2), "gaussian:0.2"),
    ],
)
def test_text(text: str, model: Outcome, shown: str) -> None:
    assert parse_outcome(text) == model
    assert model.text() == shown


def test_data() -> None:
    assert Bernoulli().to_data() == {"kind": "bernoulli"}
    assert Bounded(0, 2).to_data() == {"kind": "bounded", "lo": 0.0, "hi": 2.0, "by": "betting"}
    assert Gaussian((1, 2)).to_data() == {"kind": "gaussian", "sigma": [1.0, 2.0]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bernouli", "unknown outcome 'bernouli': did you mean 'bernoulli'"),
        ("gausian:1", "unknown outcome 'gausian': did you mean 'gaussian\\[:SIGMA\\]'"),
        ("zzz", r"unknown outcome 'zzz': known: bernoulli, bounded\[:LO\]\[:HI\], "),
        ("", "unknown outcome ''"),
        ("bernoulli:0.5", r"write bernoulli, bounded\[:LO\]\[:HI\], .* or .*, not 'bernoulli:0.5'"),
        ("bounded:0:1:2", "write bernoulli, .*, not 'bounded:0:1:2'"),
        ("bounded", "bounded outcomes need a bound; give lo, hi, or both"),
        ("gaussian:1:2", "write bernoulli, .*, not 'gaussian:1:2'"),
        ("gaussian:x", "'x' in 'gaussian:x' is not a number"),
        ("gaussian:1,,2", "'' in 'gaussian:1,,2' is not a number"),
        ("bounded:0,1:2", "'0,1' in 'bounded:0,1:2' is not a number"),
        ("gaussian:nan", "sigma: nan is not a number"),
        ("gaussian:inf", "sigma: inf is too large"),
        ("gaussian:-1", "sigma: -1.0 is not positive; give"),
        ("gaussian:0.5,-1", "sigma: -1.0 is not positive; give"),
        ("bounded:nan:1", "lo: nan is not a number"),
        ("bounded:0:inf", "hi: inf is too large"),
        ("bounded:3:2", "lo = 3 is not below hi = 2"),
    ],
)
def test_text_that_names_no_model(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_outcome(text)


def test_what_is_neither_text_nor_model() -> None:
    with pytest.raises(InputError, match="outcome: 3 is no outcome model; give one, or write bern"):
        find_outcome(3)


def test_a_log_with_an_unknown_model() -> None:
    with pytest.raises(InputError, match="unknown outcome 'weird'"):
        outcome_from_data({"kind": "weird"})


def test_every_model_declares_itself() -> None:
    assert {"bernoulli", "bounded", "gaussian"} <= set(outcomes)
    for name, model in outcomes.items():
        assert model.name == name
        assert model.form().startswith(name)
        assert model.title
        assert model.summary.endswith(".")
        assert (model.__doc__ or "").strip()
        assert math.isfinite(model.default_sigma)
