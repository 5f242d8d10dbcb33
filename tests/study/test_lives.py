"""A study's life is the same in every database; `lives` says what can happen in it."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from goodarm.study.log import checkpoint

_spec = importlib.util.spec_from_file_location("lives", Path(__file__).parent / "lives.py")
assert _spec is not None
assert _spec.loader is not None
lives = sys.modules["lives"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(lives)

FEW = settings(
    max_examples=5,
    stateful_step_count=20,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def test_lives_in_two_databases_are_the_same(
    tmp_path: Path, postgresql: Any, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "EVERY", 7)
    places = [f"sqlite:///{tmp_path}/s.db", postgresql.new_database()]

    class Both(lives.Lives):  # type: ignore[name-defined, misc]
        pass

    Both.urls, Both.clock = places, clock
    run_state_machine_as_test(Both, settings=FEW)
