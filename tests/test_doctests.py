"""The examples in docstrings are run, and their numbers checked."""

import doctest
import importlib
import pkgutil

import pytest

import goodarm

MODULES = [
    module.name
    for module in pkgutil.walk_packages(goodarm.__path__, "goodarm.")
    if not module.name.startswith(("goodarm.simulation.gpu", "goodarm.study.storage.migrations"))
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0
