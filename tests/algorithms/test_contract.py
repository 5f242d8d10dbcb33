"""Every registered algorithm keeps the contract: plain = compiled, and it lowers to PTX."""

import pickle
from dataclasses import replace

import pytest

from goodarm.algorithms import Algorithm, algorithms, find_algorithm
from goodarm.errors import InputError
from goodarm.run import KIND, Run, leader
from goodarm.stopping.contract import GLR_KIND, MIXTURE_KIND
from goodarm.testing import ContractError, CudaToolsMissingError, check_algorithm, lower_to_ptx

OPTIONS = {"two thresholds": "[theta_low=-1.5]"}  # what an algorithm needs beside its name


def spec(name: str) -> str:
    needs = algorithms[name].needs
    return name + "".join(options for need, options in OPTIONS.items() if need in needs)


@pytest.mark.parametrize("name", list(algorithms))
def test_plain_equals_compiled(name: str) -> None:
    check_algorithm(spec(name))


@pytest.mark.parametrize("name", list(algorithms))
def test_lowers_to_ptx(name: str) -> None:
    try:
        ptx = lower_to_ptx(spec(name))
    except CudaToolsMissingError as missing:
        pytest.skip(f"no PTX can be made here: {missing}")
    assert ".entry" in ptx


@pytest.mark.parametrize("name", list(algorithms))
def test_travels_by_name(name: str) -> None:
    algorithm = find_algorithm(spec(name))
    assert pickle.loads(pickle.dumps(algorithm)) == algorithm


def choose_differently(run: Run, t: int) -> int:
    """Breaks the contract: what it chooses depends on how often it was asked."""
    run.ints[0] += 1
    return (leader(run, t) + run.ints[0]) % len(run.counts)


def test_the_kit_finds_a_rule_that_changes_the_run() -> None:
    bad = replace(algorithms["APGAI"], choose=choose_differently, memory=lambda K: (0, 1))
    with pytest.raises(ContractError):
        check_algorithm(bad)


@pytest.mark.parametrize(("kind", "name"), [(GLR_KIND, "glr"), (MIXTURE_KIND, "mixture")])
def test_the_kit_looks_at_both_boundaries(kind: int, name: str) -> None:
    def choose(run: Run, t: int) -> int:
        if run.levels[KIND] == kind:
            run.ints[0] = t
        return leader(run, t)

    bad = replace(algorithms["APGAI"], choose=choose, memory=lambda K: (0, 1))
    with pytest.raises(ContractError, match=f"boundary {name}: choosing at t = .* changed the run"):
        check_algorithm(bad)


def test_the_kit_finds_an_empty_declaration() -> None:
    with pytest.raises(ContractError, match="reference is empty"):
        check_algorithm(replace(algorithms["APGAI"], reference=" "))
    with pytest.raises(ContractError, match="settings"):
        check_algorithm(replace(algorithms["APGAI"], settings=("sometimes",)))


def test_names_ignore_case_and_misspelled_ones_get_a_suggestion() -> None:
    assert find_algorithm("  apgai-fe ").name == "APGAI-FE"
    with pytest.raises(InputError, match="did you mean 'APGAI'"):
        find_algorithm("APGIA")
    with pytest.raises(InputError, match="unknown algorithm ''"):
        find_algorithm("")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("APGAI[x=1]", "has no options"),
        ("APGAI[x]", "key=value"),
        ("APGAI[", "write a name and options|unknown algorithm"),
        ("nowhere.py:RULE", "does not exist"),
    ],
)
def test_wrong_specs(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_algorithm(text)


def test_a_file_can_hold_an_algorithm(tmp_path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from dataclasses import replace\n"
        "from goodarm.algorithms.unif import UNIF\n"
        "def choose(run, t):\n    return 0\n"
        "MINE = replace(UNIF, name='Mine', choose=choose)\n"
        "OTHER = 3\n"
    )
    mine = find_algorithm(f"{path}:MINE")
    assert isinstance(mine, Algorithm)
    assert mine.name == "Mine"
    assert pickle.loads(pickle.dumps(mine)) == mine
    with pytest.raises(InputError, match="no Algorithm named 'OTHER'"):
        find_algorithm(f"{path}:OTHER")
