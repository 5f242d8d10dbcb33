"""What is not installed is missed in one line, before anything else happens."""

import sys

import pytest

from goodarm import InputError, extras
from goodarm.extras import DASK, EXTRAS, LAB, MissingExtraError, has, need, needs, remedy


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The modules that seem to be there."""
    there: set[str] = set()
    monkeypatch.setattr(extras, "_found", set())
    monkeypatch.setattr(extras, "find_spec", lambda name: name if name in there else None)
    return there


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_module_of_an_extra_is_needed(extra: str, installed: set[str]) -> None:
    for module in EXTRAS[extra]:
        assert not has(extra)
        with pytest.raises(MissingExtraError) as missed:
            need(extra, "this")
        assert str(missed.value) == f"this needs goodarm[{extra}]: {remedy(extra)}"
        installed.add(module)
    need(extra, "this")  # it has been installed meanwhile
    assert has(extra)


def test_a_cluster_is_of_no_use_without_the_laboratory() -> None:
    assert set(EXTRAS[LAB]) < set(EXTRAS[DASK])


def test_a_function_asks_before_it_begins(installed: set[str]) -> None:
    begun = []

    @needs(LAB, "counting")
    def count(up_to: int, *, by: int = 1) -> list[int]:
        """Numbers."""
        begun.append(up_to)
        return list(range(0, up_to, by))

    assert (count.__name__, count.__doc__) == ("count", "Numbers.")
    with pytest.raises(InputError, match=r"^counting needs goodarm\[lab\]"):
        count(3)
    assert begun == []
    installed.update(EXTRAS[LAB])
    assert count(5, by=2) == [0, 2, 4]


def test_one_that_is_kept_out_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusal:
        @staticmethod
        def find_spec(name: str, path: object = None, target: object = None) -> None:
            if name == "an_extra_module":
                raise ModuleNotFoundError(name)

    monkeypatch.setitem(EXTRAS, "try", ("an_extra_module",))  # type: ignore[arg-type]
    assert not has("try")
    monkeypatch.setattr(sys, "meta_path", [Refusal(), *sys.meta_path])
    assert not has("try")
    monkeypatch.setitem(EXTRAS, "try", ("json",))  # type: ignore[arg-type]
    assert has("try")
    extras._found.discard("try")
