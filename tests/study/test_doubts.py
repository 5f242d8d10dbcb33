"""A declared σ that is too small is the commonest mistake: asked about, and warned of, early."""

import math
import random
import statistics
from pathlib import Path

import pytest

from goodarm import Experiment, Gaussian, Study
from goodarm.study import UnlikelyOutcomeError


def doubt(model: Gaussian, values: list[list[float]]) -> str | None:
    """What the watch over σ says after these outcomes of each arm."""
    watch, _ = model.watches(0.0)
    states: dict[int, list[float]] = {}
    for arm, told in enumerate(values):
        for value in told:
            watch.see(states.setdefault(arm, [0.0] * watch.memory), arm, value, 1.0)
    return watch.doubt(states, len(values))


def doubted(
    sigma: float, truth: float, arms: int, rounds: int, chance: random.Random
) -> list[bool]:
    """After each round of one outcome an arm: is the declared σ doubted?"""
    model, K = Gaussian(sigma), arms
    values: list[list[float]] = [[] for _ in range(K)]
    answers = []
    for _ in range(rounds):
        for arm in range(K):
            values[arm].append(chance.gauss(arm, truth))
        answers.append(doubt(model, values) is not None)
    return answers


def test_a_right_sigma_is_hardly_ever_doubted_however_often_one_looks() -> None:
    chance = random.Random(1)
    ever = sum(any(doubted(1.0, 1.0, 3, 60, chance)) for _ in range(400))
    assert ever <= 10  # 4 are expected at most; a level of 5 % would give 20
    assert not any(any(doubted(1.0, 0.7, 3, 60, chance)) for _ in range(50))


def test_a_sigma_five_times_too_small_is_doubted_from_the_second_outcome_on() -> None:
    chance = random.Random(2)
    runs = [doubted(0.2, 1.0, 5, 3, chance) for _ in range(100)]
    assert not any(run[0] for run in runs)  # one outcome of each arm says nothing of scatter
    assert sum(run[1] for run in runs) >= 85
    assert sum(run[2] for run in runs) >= 97


def test_doubt_is_the_likelihood_ratio_of_the_recursive_residuals() -> None:
    """Against brute force: the product of predictive densities, scale by scale."""
    chance = random.Random(3)
    for _ in range(20):
        truth = chance.choice([1.0, 1.5, 2.0])
        xs = [chance.gauss(5.0, truth) for _ in range(30)]
        scales = (1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 1000.0)
        ratios = [1.0] * len(scales)
        for n in range(1, len(xs)):
            mean = sum(xs[:n]) / n
            z = (xs[n] - mean) / math.sqrt(1 + 1 / n)
            ratios = [
                r * math.exp(z * z / 2 - z * z / (2 * c * c)) / c
                for r, c in zip(ratios, scales, strict=True)
            ]
        found = doubt(Gaussian(1.0), [xs])
        assert (found is not None) == (sum(ratios) / len(ratios) >= 200)  # half of 1 %


def test_per_arm_sigmas_are_doubted_in_their_own_units() -> None:
    quiet = [0.0, 1.0, 2.0]
    text = doubt(Gaussian((1.0, 10.0)), [quiet, [0.0, 100.0, 200.0]])
    assert text is not None
    assert "scatter by 100 around its mean, more than the declared 10" in text
    assert doubt(Gaussian((1.0, 10.0)), [quiet, [0.0, 10.0, 20.0]]) is None


def test_a_right_sigma_is_not_doubted_because_of_what_the_rule_chose() -> None:
    """Which arms are tried again depends on their means: a product over arms would be misled."""
    doubts = 0
    for seed in range(30):
        chance = random.Random(seed)
        experiment = Experiment(100, 0.0, outcome=Gaussian(1.0), seed=seed)
        values: list[list[float]] = [[] for _ in range(100)]
        for _ in range(300):
            arm = experiment.ask()
            assert arm is not None
            values[arm].append(chance.gauss(0.0, 1.0))
            experiment.tell(arm, values[arm][-1])
        doubts += doubt(Gaussian(1.0), values) is not None
    assert doubts <= 2  # six were expected of the product


def test_an_absurd_outcome_is_asked_about(tmp_path: Path) -> None:
    study = Study.create("s", ["A", "B"], 0.5, Gaussian(0.2), 0.05, storage=tmp_path / "s.db")
    with pytest.raises(UnlikelyOutcomeError, match=r"51\.5 standard deviations"):
        study.tell("A", 10.8)
    assert study.seq == 1
    trial = study.ask()
    for _ in range(2):
        with pytest.raises(UnlikelyOutcomeError, match=r"sure=True, --sure"):
            study.tell(trial, 10.8)
    study.tell(trial, 0.6)
    study.tell("A", 0.7)
    with pytest.raises(UnlikelyOutcomeError, match="the arm's other outcomes"):
        study.tell("A", 2.5)
    with pytest.raises(UnlikelyOutcomeError):
        study.correct(trial, 5.0, "typing")
    (tmp_path / "f.csv").write_text("arm,value\nB,0.4\nB,99\n")
    with pytest.raises(UnlikelyOutcomeError, match=r"line 3: .*nothing was imported"):
        study.import_csv(tmp_path / "f.csv")
    with pytest.raises(UnlikelyOutcomeError):
        study.run(lambda trial: 1e6, trials=1)
    study.tell("A", 2.5, sure=True)
    study.import_csv(tmp_path / "f.csv", sure=True)
    assert study.evidence[0].count == 3
    assert "scatter" in study.status().cautions[0].text


def test_a_first_batch_is_compared_with_itself_where_the_scatter_is_not_known(
    tmp_path: Path,
) -> None:
    study = Study.create("s", ["A", "B"], 0.5, Gaussian(), 0.05, storage=tmp_path / "s.db")
    chance = random.Random(3)
    usual = [chance.gauss(0.6, 0.2) for _ in range(40)]
    scatter, mean = statistics.stdev(usual), statistics.fmean(usual)
    far = (99.0 - mean) / (scatter * math.sqrt(1 + 1 / 40))
    said = rf"outcome 1: value: 99 is {far:.3g} standard deviations \({scatter:.3g}\)"
    with pytest.raises(UnlikelyOutcomeError, match=said):
        study.tell_many([("A", value) for value in (99.0, *usual)])
    study.tell_many([("A", value) for value in usual[:20]])
    with pytest.raises(UnlikelyOutcomeError, match="outcome 1: value: 99 is"):
        study.tell_many([("A", value) for value in (99.0, *usual[20:])])
    assert len(study.tell_many([("A", value) for value in usual[20:]])) == 20


def test_a_plausible_outcome_is_not(tmp_path: Path) -> None:
    chance = random.Random(5)
    study = Study.create("s", ["A"], 0.5, Gaussian(0.2), storage=tmp_path / "s.db")
    for _ in range(100):
        study.tell("A", chance.gauss(3.0, 0.2))
    assert study.status().cautions[-1].level == "note"
