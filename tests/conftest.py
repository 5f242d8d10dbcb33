"""Settings for all tests: hypothesis without deadlines, because compilation comes in between."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import goodarm

settings.register_profile(
    "goodarm", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("goodarm")


@pytest.fixture(scope="session")
def published() -> dict:
    """The numbers printed in the paper's tables."""
    path = Path(goodarm.__file__).parent / "paper" / "published.json"
    return json.loads(path.read_text())
