"""What keeps the package light and layered."""

import subprocess
import sys

import goodarm

HEAVY = ("numba", "numpy", "scipy", "polars", "pandas", "matplotlib", "sqlalchemy", "rich")


def loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not loaded_by("import goodarm") & set(HEAVY)


def test_a_live_experiment_needs_no_compiler() -> None:
    loaded = loaded_by("import goodarm; goodarm.Experiment(3, 0.5).ask()")
    assert not loaded & {"numba", "polars", "matplotlib", "sqlalchemy", "rich", "typer"}


def test_the_simulator_needs_no_faces() -> None:
    """On a machine that has numpy, scipy and numba only, the simulator must work."""
    loaded = loaded_by("import goodarm; goodarm.simulate")
    assert not loaded & {"polars", "matplotlib", "sqlalchemy", "rich", "typer", "pandas"}


def test_public_names() -> None:
    for name in goodarm.__all__:
        assert getattr(goodarm, name) is not None
    assert set(goodarm.__all__) <= set(dir(goodarm))


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(goodarm, "nonsense")


def test_layers() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
