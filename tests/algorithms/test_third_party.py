"""An algorithm of another installed package is found by name and simulates like ours."""

import subprocess
import sys

RULE = """
from goodarm.algorithms import Algorithm


def choose(run, t):
    return t % 2


RULE = Algorithm(
    name="FirstTwo", summary="pulls the first two arms", reference="none", guarantee="none",
    choose=choose,
)
"""
SCRIPT = """
import sys
sys.path.insert(0, {folder!r})
from goodarm import simulate
from goodarm.algorithms import algorithms
from goodarm.testing import check_algorithm
assert "FirstTwo" in algorithms
assert "SecondTwo" not in algorithms
result = simulate("Thr2", "firsttwo", budget=30, runs=3)["FirstTwo"]
print(result.pulls.tolist())
"""


def test_entry_points(tmp_path) -> None:
    (tmp_path / "their_rules.py").write_text(RULE)
    information = tmp_path / "their_rules-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: their-rules\nVersion: 1.0\n"
    )
    (information / "entry_points.txt").write_text(
        "[goodarm.algorithms]\nfirst-two = their_rules:RULE\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(folder=str(tmp_path))], capture_output=True, text=True
    )
    # One pull of each of six arms, then 24 pulls of the first two, in three runs.
    assert done.stdout == "[39, 39, 3, 3, 3, 3]\n", done.stderr
