"""Bad input is a clear error and leaves the log as it was; odd names are handled."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from goodarm.errors import InputError
from goodarm.outcomes import parse_outcome
from goodarm.study import Bernoulli, Bounded, Gaussian, Studies, Study
from goodarm.study.storage import Store

_spec = importlib.util.spec_from_file_location("bad_input", Path(__file__).parent / "bad_input.py")
assert _spec is not None
assert _spec.loader is not None
bad_input = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(bad_input)

MANY = settings(max_examples=250, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    """A study with one outcome and open trials."""
    store = Store(tmp_path_factory.mktemp("bad") / "s.db")
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=store, seed=1)
    trials = study.ask(4)
    study.tell(trials[0], 1)
    yield study
    store.close()


@MANY
@given(request=bad_input.bad_requests())
def test_a_bad_request_is_refused_and_changes_nothing(busy: Study, request: Any) -> None:
    what, send = request
    before = busy.head
    with pytest.raises(InputError) as caught:
        send(busy)
    assert len(str(caught.value)) > 10, what
    assert busy.head == before, what


@MANY
@given(request=bad_input.bad_studies())
def test_a_bad_study_is_refused_and_leaves_nothing(busy: Study, request: Any) -> None:
    what, arguments = request
    store = busy._ledger.store
    with pytest.raises(InputError) as caught:
        Study.create(storage=store, **arguments)
    assert len(str(caught.value)) > 10, what
    assert Studies(store).names() == ["s"]


def test_after_all_that_the_study_is_sound(busy: Study) -> None:
    assert busy.verify().ok
    assert busy.tell(3, 1).status == "told"


@pytest.mark.parametrize("kind", [Bernoulli(), Bounded(-2, 5)])
@pytest.mark.parametrize("threshold", [-2.5, -2, 5, 5.5, float("nan")])
def test_a_threshold_outside_the_range(sqlite: str, kind: Any, threshold: float) -> None:
    with pytest.raises(InputError, match="threshold"):
        Study.create("s", ["A"], threshold, kind, storage=sqlite)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Bounded(1, 1), "lo = 1 is not below hi = 1"),
        (lambda: Bounded("0", 1), "lo: '0' is not a number"),
        (lambda: Gaussian(0), "sigma: 0 is not positive"),
        (lambda: Gaussian(float("inf")), "sigma: inf is too large"),
        (lambda: parse_outcome("bounded"), "need a bound; give lo, hi, or both"),
        (lambda: parse_outcome("bounded:0:1:2"), "write bernoulli"),
        (lambda: parse_outcome("bounded:a:b"), "'a' in"),
        (lambda: parse_outcome("lognormal"), "unknown outcome"),
    ],
)
def test_outcome_types_that_cannot_be(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_a_value_in_the_wrong_unit_is_noticed(sqlite: str) -> None:
    study = Study.create("s", ["A"], 0.0, Gaussian(1), storage=sqlite)
    with pytest.raises(InputError, match="standard deviations from the threshold"):
        study.tell("A", 1e20)


COFFEE = "50 % ☕ 👩‍🔬 e\u0301"
ODD = [
    "Robert'); DROP TABLE goodarm_events;--",
    'say "hi"',
    "it's",
    COFFEE,
    "../../etc/passwd",
    "C:\\temp",
    "=HYPERLINK(1)",
    "<script>alert(1)</script>",
    "[bold]x[/bold]",
    "%s %d {}",
    "null",
    "a" * 200,
    "١٢٣",
    "-1",
    "12",
    "--help",
]


def test_odd_names_are_kept_as_they_are(store: Store) -> None:
    for name in ODD:
        study = Study.create(name, ODD, 0.5, Bernoulli(), storage=store, seed=1, by=name)
        for trial in study.ask(len(ODD)):
            study.tell(trial, 1, note=name, key=name + "!" if len(name) < 199 else None)
            break
        again = Study.load(name, store)
        assert again.settings.arms == tuple(ODD)
        assert again.trial(1).note == name
        assert again.trial(1).by == name
        assert again.verify().ok
    assert sorted(Studies(store).names()) == sorted(ODD)
    assert [row.name for row in Studies(store).list(search="%")] == [
        "%s %d {}",
        "50 % ☕ 👩‍🔬 e\u0301",
    ]
