import pickle

from goodarm import simulate
from goodarm.paper.items.extra_algorithms import UNEXPLORING, find
from goodarm.testing import check_algorithm


def test_track_and_stop_without_exploration_explores_less() -> None:
    variant = find(UNEXPLORING)
    found = simulate("IsA1", [variant, "TaS"], budget=2000, runs=50)
    least = {name: result.pulls.min() / result.runs for name, result in found.items()}
    assert least[UNEXPLORING] < 0.5 * least["TaS"]


def test_it_travels_to_other_processes() -> None:
    again = pickle.loads(pickle.dumps(find(UNEXPLORING)))
    assert (again.name, again.choose) == (UNEXPLORING, find(UNEXPLORING).choose)
    assert find("APGAI").name == "APGAI"


def test_it_keeps_the_contract() -> None:
    check_algorithm(find(UNEXPLORING))
