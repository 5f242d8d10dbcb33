"""What every family of boundaries declares, and that one file is enough for a new one."""

import math
import pickle

import pytest

from goodarm import Instance, simulate
from goodarm.errors import InputError
from goodarm.outcomes import Bernoulli, Gaussian
from goodarm.run import CONTINUE, KIND, NONE, REACHED, new_run
from goodarm.simulation.job import make_job
from goodarm.stopping import BOUNDARIES, parse_boundary
from goodarm.stopping.boundaries import ALL_FAMILIES
from goodarm.stopping.contract import NEVER
from goodarm.stopping.verdicts import level, make_verdict

NAMES = [form.replace("[s=S]", "[s=2]") for form in BOUNDARIES]


def test_every_family_has_a_number_and_a_form_of_its_own() -> None:
    kinds = [family.kind for family in ALL_FAMILIES]
    forms = [form for family in ALL_FAMILIES for form in family.forms]
    assert len(set(kinds)) == len(kinds)
    assert len(set(forms)) == len(forms) == len(BOUNDARIES)
    assert NEVER.kind not in kinds


@pytest.mark.parametrize("name", NAMES)
def test_a_boundary_travels_to_other_processes(name: str) -> None:
    boundary = parse_boundary(name, 5, 0.05)
    back = pickle.loads(pickle.dumps(boundary))
    assert back == boundary
    assert (type(back), back.numbers) == (type(boundary), boundary.numbers)


@pytest.mark.parametrize("name", NAMES)
def test_a_run_is_judged_by_the_boundary_that_it_carries(name: str) -> None:
    boundary, model = parse_boundary(name, 1, 0.05), Gaussian(1.0)
    for value, answer in ((9.0, 0), (-9.0, NONE)):
        job = make_job("Unif", Instance(0.0, [value]), "fixed-confidence", 50, 0, 0.05, name)
        result = simulate(job.instance, "Unif", delta=0.05, boundary=name, runs=3)["Unif"]
        assert set(result.answers) == {answer}
    run = new_run(0.0, [1.0], 0, boundary=boundary.numbers)
    assert run.levels[KIND] == boundary.kind
    assert run.levels[REACHED] == 0.0
    assert 1.0 < level(run, 1) < 10.0
    assert make_verdict(model.functions) is make_verdict(Gaussian(2.0).functions)
    assert make_verdict(model.functions) is not make_verdict(Bernoulli().functions)


def test_without_a_boundary_a_run_goes_on() -> None:
    run = new_run(0.0, [1.0], 0)
    assert make_verdict(Gaussian.functions)(run, 100, 0) == CONTINUE
    assert NEVER.levels == (math.inf, math.inf)
    assert NEVER.least_evidence(10) is None


@pytest.mark.parametrize("name", ["kano", "mixture"])
def test_no_level_is_made_up_where_t_does_not_give_it(name: str) -> None:
    with pytest.raises(InputError, match=f"boundary '{name}'"):
        parse_boundary(name, 5, 0.05).level(10)
