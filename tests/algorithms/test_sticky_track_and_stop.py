"""Sticky Track-and-Stop: its definition, its orders and its published table."""

import math

import numpy as np
import pytest

from goodarm import InputError, Instance, find_algorithm, instances, simulate
from goodarm.simulation import trace
from goodarm.simulation.job import make_job

# The paper's table: mean and standard deviation of the stopping time over 1,000 runs at δ = 0.01.
TABLE = {
    ("asc", "Thr1"): (183, 68),
    ("asc", "Thr2"): (435, 163),
    ("asc", "Thr3"): (11787, 4539),
    ("asc", "Med1"): (20488, 7972),
    ("asc", "Med2"): (114, 41),
    ("asc", "IsA1"): (120, 41),
    ("asc", "IsA2"): (33, 10),
    ("asc", "RealL-gaussian"): (341, 122),
    ("desc", "Thr1"): (20574, 5835),
    ("desc", "Thr2"): (19960, 5885),
    ("desc", "Thr3"): (71057, 11684),
    ("desc", "Med1"): (60275, 16112),
    ("desc", "Med2"): (3087, 1293),
    ("desc", "IsA1"): (16469, 4680),
    ("desc", "IsA2"): (4539, 1434),
}
UNEQUAL = Instance(0.2, [0.1, 0.5, 0.3, -0.5], sigma=[1.0, 2.0, 0.5, 1.0], name="unequal")
BERNOULLI = Instance(0.5, [0.4, 0.6, 0.4, 0.6], kind="bernoulli", name="coins")


@pytest.mark.parametrize(("order", "name"), TABLE)
def test_the_published_table(order: str, name: str) -> None:
    printed, std = TABLE[order, name]
    runs = 1000 if printed < 5000 else 500
    spec = f"S-TaS[order={order}]"
    (ours,) = simulate(
        name, spec, delta=0.01, boundary="glr-tables", cap=100_000, runs=runs, seed=2026
    ).values()
    # The printed mean has an error of its own, and is rounded.
    error = math.hypot(ours.se, std / math.sqrt(1000), 0.5 / math.sqrt(3))
    assert abs(ours.mean - printed) <= 4 * error


def test_the_cell_that_did_not_stop() -> None:
    (ours,) = simulate(
        "RealL-gaussian",
        "S-TaS[order=desc]",
        delta=0.01,
        boundary="glr-tables",
        cap=100_000,
        runs=20,
        seed=2026,
    ).values()
    assert not ours.stopped.any()


def sticky(order, gaps, counts, t):
    """The allocation of the first answer of the order that is still possible."""
    possible = gaps + np.sqrt(2 * math.log(t) / counts) >= 0
    for a in order:
        if possible[a]:
            return np.eye(len(gaps))[a]
    return gaps**-2 / (gaps**-2).sum()


@pytest.mark.parametrize("instance", [instances["NoA1"], instances["Med2"], UNEQUAL, BERNOULLI])
@pytest.mark.parametrize("order", ["asc", "desc", "shuffled"])
def test_follows_the_definition(instance, order) -> None:
    K = instance.K
    arms = {"asc": list(range(K)), "desc": list(range(K))[::-1]}.get(order)
    arms = arms or [1, *range(K - 1, 1, -1), 0]
    spec = f"S-TaS[order={','.join(map(str, arms)) if order == 'shuffled' else order}]"
    job = make_job(spec, instance, "anytime", 400, 3, outcome="sub-gaussian")
    steps = list(trace(job, 1))
    pulled = np.array([s.arm for s in steps])
    values = np.array([s.value for s in steps])
    wanted = np.zeros(K)
    for t in range(K, len(steps)):
        counts = np.bincount(pulled[:t], minlength=K)
        means = np.array([values[:t][pulled[:t] == a].mean() for a in range(K)])
        wanted += sticky(arms, (means - instance.threshold) / instance.sigmas, counts, t)
        assert (wanted - counts)[pulled[t]] >= (wanted - counts).max() - 1e-9


@pytest.mark.parametrize("order", ["asc", "desc", "2,0,3,1"])
@pytest.mark.parametrize("instance", [UNEQUAL, BERNOULLI], ids=lambda i: i.name)
def test_compiled_equals_plain(instance, order) -> None:
    spec = find_algorithm(f"S-TaS[order={order}]")
    (result,) = simulate(instance, spec, delta=0.1, cap=1500, runs=5, seed=4).values()
    job = make_job(spec, instance, "fixed-confidence", 1500, 4, 0.1)
    for number in range(5):
        steps = list(trace(job, number))
        assert len(steps) == result.stopping_times[number]
        assert steps[-1].answer == result.answers[number]


def test_the_index_order_written_out_is_asc() -> None:
    both = simulate("IsA2", ["S-TaS", "S-TaS[order=0,1,2,3,4,5,6]"], delta=0.1, runs=20)
    first, second = both.values()
    assert (first.stopping_times == second.stopping_times).all()
    assert list(both) == ["S-TaS", "S-TaS[order=0,1,2,3,4,5,6]"]


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("up", "give asc, desc or every arm number"),
        ("0,0,1", "give asc, desc or every arm number"),
        ("1,2,3", "give asc, desc or every arm number"),
        ("0,1", "names 2 arms, but the instance has 4; give each of 0 to 3 once"),
    ],
)
def test_wrong_orders(order, message) -> None:
    with pytest.raises(InputError, match=message):
        simulate("NoA2", f"S-TaS[order={order}]", delta=0.1)


@pytest.mark.parametrize("means", [[0.6], [-0.6], [-0.6, 0.6]])
def test_one_and_two_arms(means) -> None:
    for result in simulate(
        Instance(0.0, means), ["S-TaS", "S-TaS[order=desc]"], delta=0.05, runs=50
    ).values():
        assert result.stopped.all()
        assert result.error_rate <= 0.1
