"""Which rules a live study takes, and how it knows them again."""

import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from goodarm.algorithms import Option, algorithms, find_algorithm
from goodarm.errors import InputError
from goodarm.run import Run
from goodarm.study import Bernoulli, Gaussian, Study, StudyClosedError
from goodarm.study import algorithms as rules
from goodarm.study.algorithms import fingerprint_of, live_algorithm
from goodarm.study.settings import Settings

# If one of these changes, the rule chooses differently: keep the old functions in rules.PAST.
FINGERPRINTS = {
    "APGAI": "6dc6afc8226971a9",
    "APGAI-FE": "115da2afaa63a616",
    "Unif": "a78bfea12b21ec95",
}


@pytest.mark.parametrize("name", FINGERPRINTS)
def test_a_rule_is_known_by_what_it_chooses(name: str) -> None:
    assert fingerprint_of(live_algorithm(name), 4) == FINGERPRINTS[name]


def test_fingerprints_tell_rules_apart() -> None:
    found = {
        fingerprint_of(live_algorithm(name), K) for name in FINGERPRINTS for K in (2, 4, 1_001)
    }
    assert len(found) == 9


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("SR-G", "needs budget"),
        ("SH-G", "needs budget"),
        ("DSR-G", "a plan in phases"),
        ("nope", "unknown algorithm"),
        ("folder/mine.py:RULE", "a study outlives files"),
    ],
)
def test_rules_that_do_not_fit_a_live_study(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        live_algorithm(name)


def test_a_rule_with_its_own_stopping_or_boundary_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rule, boundary = find_algorithm("APGAI"), Option("glr", str, "where to stop")
    for changed, message in (
        (replace(rule, own_stopping=True), "a stopping rule of its own"),
        (
            replace(rule, options={"boundary": boundary}, chosen={"boundary": "kano"}),
            "leave the option boundary out",
        ),
        (replace(rule, needs=("true means",)), "needs true means"),
    ):
        monkeypatch.setattr(rules, "find_algorithm", lambda spec, found=changed: found)
        with pytest.raises(InputError, match=message):
            live_algorithm("APGAI")


def live_names() -> list[str]:
    names = []
    for name in algorithms:
        with suppress(InputError):
            names.append(live_algorithm(name).name)
    return names


@pytest.mark.parametrize("name", live_names())
@pytest.mark.parametrize("K", [1, 4])
def test_every_live_algorithm_takes_batches_overrides_and_second_thoughts(
    tmp_path: Path, name: str, K: int
) -> None:
    arms = [f"arm {a}" for a in range(K)]
    path = tmp_path / "s.db"
    study = Study.create("s", arms, 0.0, Gaussian(1), 1e-9, name, path, seed=5)
    chance = random.Random(1)
    for step in range(15):
        for trial in reversed(study.ask(3)):
            if chance.random() < 0.8:
                study.tell(trial, chance.gauss(-0.1, 1))
        study.tell(arms[-1], chance.gauss(0, 1))
        if step == 9:
            study.retract(study.trials[0].number if study.trials[0].value else 4, "why")
    fresh = Study.load("s", path)
    assert fresh.ask().arm == Study.load("s", path).pending[-1].arm
    assert study.forecast(delta=0.1, runs=3, horizon=50).runs == 3
    found = study.verify()
    assert (found.problems, found.skipped) == ((), None)


def choose_the_last(run: Run, t: int) -> int:
    return len(run.counts) - 1


def test_a_study_whose_rule_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.db"
    study = Study.create("s", ["A", "B", "C"], 0.5, Bernoulli(), 0.05, "APGAI", path, seed=1)
    for n in range(12):
        study.tell(study.ask(), n % 2)
    old = find_algorithm("APGAI")
    new = replace(old, choose=choose_the_last)
    monkeypatch.setattr(rules, "find_algorithm", lambda spec: new)

    changed = Study.load("s", path)
    assert changed.status().confidence == study.status().confidence
    with pytest.raises(StudyClosedError, match="not installed any more"):
        changed.ask()
    changed.tell("A", 1)
    assert "not installed any more" in changed.status().cautions[0].text
    found = changed.verify()
    assert (found.ok, found.suggestions) == (True, 0)
    assert "has changed since" in str(found.skipped)

    monkeypatch.setattr(rules, "PAST", (old,))
    kept = Study.load("s", path)
    assert kept.verify().suggestions == 12
    assert kept.ask()


def test_a_log_that_does_not_name_its_stopping_rule_has_the_papers(tmp_path: Path) -> None:
    settings = Settings.declare(
        arms=["A", "B"], threshold=0.5, outcome=Bernoulli(), delta=0.05, algorithm="Unif", seed=1
    )
    data = settings.to_data()
    assert (data["boundary"], data["decide"]) == ("mixture", "as-asked")
    del data["boundary"], data["decide"]
    old = Settings.from_data(data)
    assert (old.boundary, old.decide) == ("glr", "as-told")
    experiment = old.experiment(live_algorithm("Unif"))
    assert not experiment.uses_certificates
    assert experiment.boundary.name == "glr"


def test_the_stopping_rule_can_be_changed_with_a_warning(tmp_path: Path) -> None:
    study = Study.create(
        "s", ["A", "B"], 0.5, Bernoulli(), 0.05, storage=tmp_path / "s.db", boundary="glr"
    )
    study.amend(boundary="mixture", reason="saw the new one")
    assert study.status().cautions == ()  # nothing was known yet
    study.amend(boundary="glr", reason="and back")
    for _ in range(6):
        study.tell("A", 1)
    assert study.status().stopping_rule == "glr"
    low = study.confidence
    study.amend(boundary="mixture", reason="sooner")
    assert study.status().stopping_rule == "mixture"
    assert study.confidence > low
    warned = [c.text for c in study.status().cautions if c.level == "warning"]
    assert warned == [
        "The stopping rule was changed from glr to mixture after 6 outcomes. If the outcomes "
        "suggested it, the stated confidence does not hold."
    ]
    assert study.verify().ok
    assert Study.load("s", tmp_path / "s.db").status() == study.status()
    for wrong, message in (("kano", "stops by 'mixture' or"), ("soon", "unknown boundary")):
        with pytest.raises(InputError, match=message):
            study.amend(boundary=wrong, reason="no")
    with pytest.raises(InputError, match="give a threshold or a boundary"):
        study.amend(reason="nothing")


def test_a_script_goes_on_with_a_study_that_has_the_old_rule(tmp_path: Path) -> None:
    url = tmp_path / "s.db"
    Study.create("s", ["A"], 0.5, Bernoulli(), storage=url, boundary="glr", decide="as-told")
    again = Study.create("s", ["A"], 0.5, Bernoulli(), storage=url, load_if_exists=True)
    assert again.status().stopping_rule == "glr"
    with pytest.raises(InputError, match="already, with boundary = 'glr', not 'mixture'"):
        Study.create(
            "s", ["A"], 0.5, Bernoulli(), storage=url, boundary="mixture", load_if_exists=True
        )


def test_fingerprints_of_new_studies_know_the_outcome_model_too() -> None:
    def fingerprint(outcome: object, boundary: str, threshold: float = 0.5) -> str:
        declared = Settings.declare(
            arms=list("ABCD"),
            threshold=threshold,
            outcome=outcome,
            delta=0.05,
            algorithm="Scout",
            seed=1,
            boundary=boundary,
        )
        return declared.fingerprint

    assert fingerprint(Bernoulli(), "glr") == fingerprint(Gaussian(1), "glr")
    new = [(Bernoulli(), 0.5), (Bernoulli(), 0.04), (Gaussian(1), 0.5)]
    found = {fingerprint(outcome, "mixture", threshold) for outcome, threshold in new}
    assert len(found | {fingerprint(Bernoulli(), "glr")}) == 4
