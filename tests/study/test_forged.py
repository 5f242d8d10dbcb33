"""Studies with every question are audited as closely as the plainest: each forgery is named."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from goodarm.study import Study
from goodarm.study.log.checkpoint import with_digest, write_checkpoint
from goodarm.study.log.events import Stored
from goodarm.study.log.verify import Audit, verify_file

BOTH = ["works:bernoulli>=0.3", "harms:bernoulli<=0.2"]
AGAINST = {"outcome": "bernoulli", "control": "b", "margin": 0.05, "question": "all"}
SAMPLE = 12  # places that are forged, of hundreds


@pytest.fixture(params=["criteria", "control"])
def lived(request: pytest.FixtureRequest, sqlite: str) -> Study:
    """A study that asks more than one thing, with arms that came and went."""
    asked: dict[str, Any] = {"criteria": BOTH} if request.param == "criteria" else AGAINST
    study = Study.create("s", ["a", "b", "c"], storage=sqlite, seed=5, reserve=0.1, **asked)
    chance = random.Random(7)

    def play() -> None:
        for trial in study.ask(6):
            value = float(chance.random() < 0.5)
            study.tell(
                trial, {"works": value, "harms": 1 - value} if "criteria" in asked else value
            )

    play()
    study.add_arm("d", "came by mail", label="the fourth", cost=2.0)
    study.retire_arm("c", "sold out")
    play()
    study.tag(["blue"])
    study.ask(2)
    return study


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in nested data something stands."""
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from places(value, (*path, key))
    else:
        yield path


def forged(data: Any, path: tuple[Any, ...]) -> Any:
    """The data with something else there."""
    copied = copy.deepcopy(data)
    inner = copied
    for key in path[:-1]:
        inner = inner[key]
    value = inner[path[-1]]
    match value:
        case bool():
            inner[path[-1]] = not value
        case int() | float():
            inner[path[-1]] = value + 1
        case str():
            inner[path[-1]] = value + "x"
        case _:
            inner[path[-1]] = 1
    return copied


def test_a_forged_checkpoint_is_found_even_with_the_right_digest(lived: Study) -> None:
    events = lived.events()
    fold = lived._ledger.look(lambda fold: fold)
    data = json.loads(write_checkpoint(fold))
    del data["digest"], data["format"]  # of another format, it would be ignored
    every = sorted(places(data), key=repr)
    chosen = random.Random(1).sample(every, SAMPLE)

    def problems(text: str) -> list[str]:
        saved = {fold.seq: [("checkpoint", (fold.head, text))]}
        return [one.text for one in Audit(events).run(saved, None).problems]

    assert problems(write_checkpoint(fold)) == []
    for path in chosen:
        text = with_digest(forged(data, path) | {"format": 6})
        assert problems(text) == ["the checkpoint in the database does not follow from the log"], (
            path
        )


def test_a_file_with_a_forged_status_is_found(lived: Study, tmp_path: Path) -> None:
    whole = json.loads(lived.export(tmp_path / "log.json").read_text("utf-8"))
    assert verify_file(tmp_path / "log.json").ok
    every = sorted(places(whole["status"]), key=repr)
    for path in random.Random(1).sample(every, SAMPLE):
        target = tmp_path / "forged.json"
        target.write_text(json.dumps(whole | {"status": forged(whole["status"], path)}))
        assert not verify_file(target).ok, path


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("budget", "many"),
        ("budget", -1),
        ("boundary", "glrr"),
        ("control", "z"),
        ("decide", "as-you-like"),
        ("delta", 2.0),
        ("format", 2),
        ("lease", "a day"),
        ("margin", None),
        ("reserve", 3.0),
        ("question", "most"),
        ("seed", -1),
    ],
)
def test_a_study_that_nobody_could_have_created_is_not_sound(
    name: str, value: object, sqlite: str, rechained: Callable[..., list[Stored]]
) -> None:
    study = Study.create("s", ["a", "b"], storage=sqlite, seed=5, **AGAINST)
    study.tell("a", 1)
    log = rechained(study.events(), lambda seq, e: seq == 1 and e["body"].update({name: value}))
    (problem,) = Audit(log).run({}, None).problems
    assert problem.seq == 1
    assert "it cannot have happened" in problem.text


@pytest.mark.parametrize("change", [("goal", "up"), ("threshold", 3.0), ("name", "")])
def test_criteria_that_nobody_could_have_declared_are_not_sound(
    change: tuple[str, object], sqlite: str, rechained: Callable[..., list[Stored]]
) -> None:
    study = Study.create("s", ["a", "b"], storage=sqlite, seed=5, criteria=BOTH)
    name, value = change
    log = rechained(study.events(), lambda seq, e: e["body"]["criteria"][0].update({name: value}))
    (problem,) = Audit(log).run({}, None).problems
    assert problem.seq == 1
    assert "it cannot have happened" in problem.text
