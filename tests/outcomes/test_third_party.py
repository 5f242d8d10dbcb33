"""A model from elsewhere, in one file, is a choice everywhere: that of examples/new_outcome.py."""

import math
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import pytest
from mpmath import mp, mpf
from typer.testing import CliRunner

from goodarm import (
    Experiment,
    InputError,
    Instance,
    Study,
    certificate,
    plan,
    plugins,
    simulate,
)
from goodarm.outcomes import registry
from goodarm.testing import check_outcome

FILE = Path(__file__).parents[2] / "examples" / "new_outcome.py"
spec = spec_from_file_location("new_outcome", FILE)
assert spec is not None
assert spec.loader is not None
new_outcome = module_from_spec(spec)
sys.modules["new_outcome"] = new_outcome
spec.loader.exec_module(new_outcome)
Attempts = new_outcome.Attempts


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if another package had registered it."""
    point = EntryPoint("attempts", "new_outcome:Attempts", "goodarm.outcomes")
    monkeypatch.setattr(EntryPoint, "load", lambda self: Attempts)
    ours = {"goodarm.outcomes": [point]}
    monkeypatch.setattr(plugins, "entry_points", lambda group: ours.get(group, []))
    registry._by_name.cache_clear()
    yield
    registry._by_name.cache_clear()


def test_it_keeps_the_contract() -> None:
    check_outcome(Attempts(), 2.0, paths=1000)


def test_it_can_be_simulated_and_is_correct() -> None:
    few = Instance(2.0, [1.2, 1.4, 2.9], kind="attempts")
    result = simulate(few, "Scout", delta=0.05, runs=300, seed=1)["Scout"]
    assert result.error_rate <= 0.05
    assert result.mean < 300
    none = simulate(Instance(2.0, [1.2] * 3, kind="attempts"), "APGAI", delta=0.05, runs=100)
    assert (none["APGAI"].answers == -1).mean() >= 0.95
    below = Instance(2.0, [2.8, 1.1], kind="attempts", goal="below")
    assert (simulate(below, "Scout", delta=0.05, runs=100)["Scout"].answers == 1).mean() >= 0.95


def test_it_can_be_studied(tmp_path: Path) -> None:
    chance, rates = Random(3), {"A": 1.0, "B": 3.5}
    place = tmp_path / "s.db"
    study = Study.create("s", ["A", "B"], 2.0, "attempts", 0.05, storage=place, seed=1)
    with pytest.raises(InputError, match="no number of failures"):
        study.tell("A", 1.5)
    with pytest.raises(InputError, match="above 0"):
        Study.create("t", ["A"], -1.0, Attempts(), storage=place)
    assert study.forecast(runs=5, horizon=50).runs == 5
    study.run(lambda t: Attempts().draw_outcome(0, rates[t.arm], math.nan, chance), 400, False)
    status = study.status()
    assert status.decision == "B"
    named = status.arms[1]
    assert named.low is not None
    assert named.low >= 2.0
    assert Study.load("s", place).status() == status
    assert study.verify().ok
    values = [t.value for t in study.trials if t.arm == "B"]
    assert certificate("attempts", 2.0, values).above == pytest.approx(  # type: ignore[arg-type]
        status.arms[1].share * math.log(2 / 0.05)
    )


def test_it_can_be_planned_and_named_on_the_command_line() -> None:
    found = plan([1.0, 3.5], threshold=2.0, outcome="attempts", delta=0.05, runs=20)
    assert found.algorithms[0].answers["arm 2"] > 0.9
    assert "a number of failures" in found.protocol
    assert Experiment(2, 2.0, outcome="attempts").ask() == 0
    from goodarm.cli.app import app

    shown = CliRunner().invoke(
        app, ["certify", "--outcome", "attempts", "--threshold", "2", "-"], input="3\n4\n2\n5\n"
    )
    assert shown.exit_code == 0, shown.output


@pytest.mark.parametrize(("n", "total"), [(1, 0), (7, 40), (300, 900)])
def test_its_certificate_is_the_mixture_of_geometric_likelihood_ratios(n: int, total: int) -> None:
    """By another route: with the steps' rates themselves, in high precision."""
    theta = mpf(2)
    q = theta / (1 + theta)
    scale = 1 / mp.sqrt(q)
    steps = [2 * scale / mpf("1.5") ** j for j in range(20)]
    raw = [1 / (d / (scale / 4) + (scale / 4) / d) for d in steps]
    ratios = []
    for d in steps:
        odds = q / (1 - q) * mp.exp(d)
        other = odds / (1 + odds)
        ratios.append((other / q) ** total * ((1 - other) / (1 - q)) ** n)
    expected = mp.log(sum(w * r for w, r in zip(raw, ratios, strict=True)) / sum(raw))
    values = [total // n + (i < total % n) for i in range(n)]
    assert certificate("attempts", 2.0, values).above == pytest.approx(float(expected), abs=1e-9)
