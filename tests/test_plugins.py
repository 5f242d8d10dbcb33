"""Finding what modules of a folder, or other packages, declare."""

from importlib.metadata import EntryPoint

import pytest

from goodarm import InputError, plugins


def test_what_a_folder_declares(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "a_package"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "first.py").write_text("THINGS = (1, 2)\n")
    (folder / "nothing.py").write_text("OTHERS = (3,)\n")
    (folder / "second.py").write_text("THINGS = (4,)\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert list(plugins.declared("a_package", "THINGS")) == [1, 2, 4]


def test_what_other_packages_declare(monkeypatch) -> None:
    points = [EntryPoint("one", "json:loads", "some.group")]
    monkeypatch.setattr(plugins, "entry_points", lambda group: points)
    [(label, loaded)] = plugins.installed("some.group")
    assert label == "entry point 'one' in some.group"
    assert loaded.__name__ == "loads"


@pytest.mark.parametrize("value", ["no_such_module:RULE", "json:no_such_name"])
def test_one_that_cannot_be_loaded_is_named(monkeypatch, value: str) -> None:
    points = [EntryPoint("one", value, "some.group")]
    monkeypatch.setattr(plugins, "entry_points", lambda group: points)
    with pytest.raises(InputError, match=f"'one' in some.group cannot be loaded.*{value}"):
        list(plugins.installed("some.group"))
