"""The state is the log's, however it is arrived at: step by step, from a checkpoint, anew."""

import json
import random
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest

from goodarm.errors import InputError
from goodarm.study import Bernoulli, Bounded, Gaussian, Study
from goodarm.study.log import checkpoint
from goodarm.study.log.checkpoint import read_checkpoint, write_checkpoint
from goodarm.study.log.events import read_event
from goodarm.study.log.fold import Fold

SETTINGS = [
    {"outcome": Bernoulli(), "threshold": 0.5, "delta": 0.2},
    {"outcome": Bounded(-1, 3), "threshold": 0.25, "goal": "below", "lease": 30},
    {"outcome": Gaussian(0.7), "threshold": 0.1, "algorithm": "APGAI"},
    {"outcome": Gaussian(0.7), "threshold": 0.1, "algorithm": "Unif", "budget": 60},
]


def draw(chance: random.Random, study: Study) -> float:
    outcome = study.settings.outcome
    if isinstance(outcome, Bernoulli):
        return float(chance.random() < 0.5)
    return chance.uniform(-1, 3) if isinstance(outcome, Bounded) else chance.gauss(0, 1)


def act(chance: random.Random, study: Study, clock: object) -> None:
    """Something that a user may do; refusals are part of it."""
    count = len(study.trials)
    some = chance.randint(1, max(count, 1))
    actions = [
        lambda: study.ask(chance.randint(1, 4)),
        lambda: study.tell(chance.choice(study.pending), draw(chance, study)),
        lambda: study.tell(chance.choice(study.pending), draw(chance, study)),
        lambda: study.tell(some, draw(chance, study)),
        lambda: study.tell(chance.choice(study.settings.arms), draw(chance, study)),
        lambda: study.cancel(some),
        lambda: study.retract(some, "why not"),
        lambda: study.correct(some, draw(chance, study), "typing"),
        lambda: study.extend(trials=chance.randint(1, 9)),
        lambda: study.extend(delta=chance.choice([0.3, 0.1, 0.01])),
        lambda: study.amend(chance.choice([0.2, 0.3]), "no reason"),
        lambda: study.stop("tea") if chance.random() < 0.2 else None,
        lambda: clock.move(seconds=chance.uniform(-20, 40)),  # type: ignore[attr-defined]
    ]
    with suppress(InputError, IndexError):
        chance.choices(actions, weights=[4, 5, 5, 2, 3, 1, 1, 1, 1, 1, 0.5, 1, 2])[0]()


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: str(s["outcome"]))
@pytest.mark.parametrize("seed", [1, 2])
def test_random_lives_of_a_study(
    tmp_path: Path, settings: dict, seed: int, clock: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    from goodarm.study.storage import Store

    monkeypatch.setattr(checkpoint, "EVERY", 7)
    chance = random.Random(seed)
    store = Store(tmp_path / "s.db", clock=clock)  # type: ignore[arg-type]
    study = Study.create("s", ["A", "B", "C"], storage=store, seed=seed, **settings)
    for _ in range(150):
        act(chance, study, clock)
        if chance.random() < 0.1:
            assert Study.load("s", store).status() == study.status()
    found = study.verify()
    assert found.problems == ()
    check_against_a_plain_count(study)


def check_against_a_plain_count(study: Study) -> None:
    """Everything that the trials say by themselves, without the fold."""
    trials, arms = study.trials, study.evidence
    for arm in arms:
        told = [t.value for t in trials if t.arm == arm.arm and t.status == "told"]
        values = [value for value in told if value is not None]
        assert arm.count == len(values)
        if values:
            assert arm.mean == pytest.approx(sum(values) / len(values), abs=1e-12)
        assert arm.pending == sum(t.arm == arm.arm and t.status == "open" for t in trials)
    assert [t.number for t in study.pending] == [t.number for t in trials if t.status == "open"]


@pytest.mark.parametrize("algorithm", ["APGAI", "APGAI-FE", "Unif", "HDoC"])
def test_a_checkpoint_at_any_place_changes_nothing(tmp_path: Path, algorithm: str) -> None:
    study = Study.create(
        "s", list("ABCDE"), 0.0, Gaussian(1), 0.001, algorithm, tmp_path / "s.db", seed=2
    )
    chance = random.Random(4)
    for _ in range(40):
        trials = study.ask(2)
        for trial in reversed(trials):
            study.tell(trial, chance.gauss(-0.2, 1))
    stored = study.events()
    created = read_event(stored[0].text)
    straight = Fold(created, stored[0].hash)
    hopping = Fold(created, stored[0].hash)
    for event in stored[1:]:
        for fold in (straight, hopping):
            fold.apply(read_event(event.text), event.hash, lambda seq: ())
        text = write_checkpoint(straight)
        assert write_checkpoint(hopping) == text
        assert straight.next_arm() == hopping.next_arm()
        restored = read_checkpoint(text, created, stored[0].hash)
        assert restored is not None
        assert write_checkpoint(restored) == text
        hopping = restored


def long_study(folder: Path) -> Study:
    study = Study.create("s", ["A", "B"], 0.0, Gaussian(1), 0.05, storage=folder / "s.db", seed=2)
    for number in range(110):
        study.tell("AB"[number % 2], 0.1)
    assert study.seq < checkpoint.EVERY
    study.tell_many([("A", 0.1)] * checkpoint.EVERY)
    study.tell("B", 0.2)
    return study


def damage_checkpoint(path: Path, change: str) -> None:
    with sqlite3.connect(path) as connection:
        done = connection.execute(f"UPDATE goodarm_checkpoints SET {change}")
        assert done.rowcount == 1
    connection.close()


DAMAGE = {
    "a number": "text = replace(text, '\"next_trial\":', '\"next_trial\":9')",
    "the bar": "text = replace(text, '\"threshold\":0.0', '\"threshold\":9.0')",
    "the digest": 'text = replace(text, \'"digest":"\', \'"digest":"0\')',
    "its end": "text = substr(text, 1, 99)",
    "all of it": "text = '[]'",
    "nearly all of it": f"text = '{{\"format\":{checkpoint.CHECKPOINT_FORMAT}}}'",
    "its event": "seq = seq - 1",
    "its hash": "hash = (SELECT hash FROM goodarm_events WHERE seq = 2)",
    "event and hash": "seq = 2, hash = (SELECT hash FROM goodarm_events WHERE seq = 2)",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_an_altered_checkpoint_is_thrown_away_with_a_warning(
    what: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    study = long_study(tmp_path)
    damage_checkpoint(tmp_path / "s.db", DAMAGE[what])
    again = Study.load("s", tmp_path / "s.db")
    assert again.status() == study.status()
    assert "checkpoint of the study 's' was altered" in caplog.text
    assert not again.verify().ok
    again.tell("A", 0.1)  # which leaves a good one
    caplog.clear()
    assert Study.load("s", tmp_path / "s.db").status() == again.status()
    assert "checkpoint" not in caplog.text
    assert again.verify().ok


def test_a_forged_checkpoint_does_not_get_through_by_its_digest_alone(tmp_path: Path) -> None:
    """It may have one that fits: an audit still compares it with the log."""
    study = long_study(tmp_path)
    text = study._ledger.read(lambda t: t.checkpoint(study._ledger.row.id))[2]  # type: ignore[index]
    data = json.loads(text)
    assert data.pop("digest") in text
    data["next_trial"] += 1
    forged = checkpoint.with_digest(data)
    assert checkpoint.is_intact(forged)
    with sqlite3.connect(tmp_path / "s.db") as connection:
        connection.execute("UPDATE goodarm_checkpoints SET text = ?", (forged,))
    connection.close()
    assert "does not follow from the log" in study.verify().problems[0].text


def test_the_checkpoint_of_another_version_is_ignored_and_replaced(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    study = long_study(tmp_path)
    damage_checkpoint(
        tmp_path / "s.db",
        f"text = replace(text, '\"format\":{checkpoint.CHECKPOINT_FORMAT}', '\"format\":99')",
    )
    again = Study.load("s", tmp_path / "s.db")
    assert again.status() == study.status()
    assert again.verify().ok
    again.tell("A", 0.1)
    saved = again._ledger.read(lambda t: t.checkpoint(again._ledger.row.id))
    assert saved is not None
    assert saved[0] == again.seq
    assert "checkpoint" not in caplog.text


def test_floats_survive_exactly(tmp_path: Path) -> None:
    values = [
        0.1,
        1 / 3,
        5e-324,
        1.7976931348623157e99,
        -0.0,
        2**53 + 1.0,
        1e-7,
        123456789.123456789,
    ]
    study = Study.create("s", ["A"], 0.0, Gaussian(1e90), storage=tmp_path / "s.db")
    for value in values:
        study.tell("A", value, sure=True)
    assert [t.value for t in Study.load("s", tmp_path / "s.db").trials] == values
    assert study.history["value"].drop_nulls().to_list() == values


def test_ten_thousand_arms(tmp_path: Path) -> None:
    arms = [f"compound {n}" for n in range(10_000)]
    study = Study.create("s", arms, 0.5, Bernoulli(), 0.05, storage=tmp_path / "s.db", seed=1)
    trials = study.ask(2_000)
    assert [t.arm for t in trials] == arms[:2_000]
    for trial in trials[:20]:
        study.tell(trial, 1)
    assert study.ask().arm == arms[2_000]
    assert len(Study.load("s", tmp_path / "s.db").evidence) == 10_000
    assert study.verify().ok
