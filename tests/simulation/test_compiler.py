"""numba's cache on disk must never run an algorithm that has since been edited."""

import json
import os
import pickle
import subprocess
import sys
from dataclasses import replace

import numba
import numpy as np

from goodarm import find_algorithm, instances, simulate
from goodarm.algorithms import Algorithm
from goodarm.simulation.job import make_job
from goodarm.simulation.loops.compiler import Parts, compiled, made_once, parts_of, reached, roots
from goodarm.simulation.loops.compiler import source_stamp as stamp_of
from goodarm.simulation.loops.kernel import is_error, make_kernel

PART = "STEP = {step}\n\n\ndef shift(t, K):\n    return (t * STEP) % K\n"
RULE = """
from dataclasses import replace
from goodarm.algorithms.unif import UNIF
from {part} import shift

def choose(run, t):
    return shift(t, len(run.counts))

RULE = replace(UNIF, name="Edited", choose=choose, sweep=False)
"""
# A loop that only chooses is compiled in a tenth of the time that the simulator's takes.
LOOP = """
def make_loop(parts, stamp, decorate):
    choose = parts.step.choose

    def play(run, chosen):
        len(stamp)
        for t in range(len(chosen)):
            chosen[t] = choose(run, t)

    return decorate(play)
"""
CHOICES = """
import sys
sys.path.insert(0, {folder!r})
import numpy as np
from goodarm import instances
from goodarm.algorithms import find_algorithm
from goodarm.simulation.job import make_job
from goodarm.simulation.loops.compiler import compiled, parts_of
from goodarm.simulation.loops.truth import array_run
from loop import make_loop
job = make_job(find_algorithm({rule!r}), instances["Thr2"], "fixed-budget", 30)
loop, chosen = compiled(parts_of(job), make_loop), np.zeros(8, dtype=np.int64)
loop(array_run(job)[1], chosen)
print(chosen.tolist(), sum(loop.stats.cache_hits.values()))
"""
SIMULATION = """
from goodarm import instances
from goodarm.simulation.chunk import play_chunk
from goodarm.simulation.job import make_job
from goodarm.simulation.loops.compiler import compiled, parts_of
from goodarm.simulation.loops.kernel import is_error, make_kernel
job = make_job("Unif", instances["Thr2"], "fixed-budget", 30)
pulls = play_chunk(job, 0, 1).pulls.tolist()
print(pulls, sum(compiled(parts_of(job), make_kernel, (is_error,)).stats.cache_hits.values()))
"""


def parts(rule: str | Algorithm, instance: str = "Thr2") -> Parts:
    return parts_of(make_job(rule, instances[instance], "fixed-budget", 30))


def source_stamp(rule: str | Algorithm, helpers=()) -> str:
    return stamp_of(parts(rule), make_kernel, helpers)


def run(code: str, **environment: str) -> tuple[list[int], int]:
    """What a program prints: a list, and how often compiled code was found on the disk."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    numbers, hits = done.stdout.strip().rsplit(" ", 1)
    return json.loads(numbers), int(hits)


def test_an_edited_function_in_another_file_is_compiled_anew(tmp_path) -> None:
    part, rule = tmp_path / "part_of_rule.py", tmp_path / "rule.py"
    rule.write_text(RULE.format(part="part_of_rule"))
    part.write_text(PART.format(step=1))
    (tmp_path / "loop.py").write_text(LOOP)
    code = CHOICES.format(folder=str(tmp_path), rule=f"{rule}:RULE")

    def choices() -> tuple[list[int], int]:
        return run(code, NUMBA_CACHE_DIR=str(tmp_path / "cache"))

    before = choices()
    assert before == ([0, 1, 2, 3, 4, 5, 0, 1], 0)
    assert choices() == (before[0], 1)  # the second process compiles nothing
    # An older version has left an index that mentions a class whose module is gone.
    indices = list(tmp_path.rglob("*.nbi"))
    assert indices
    for index in indices:
        index.write_bytes(pickle.dumps(numba.__version__) + b"cgoodarm.gone\nTruth\n.")
    part.write_text(PART.format(step=2))
    assert choices() == ([0, 2, 4, 0, 2, 4, 0, 2], 0)


def test_a_program_finds_what_its_tests_have_compiled() -> None:
    """pytest rewrites the modules that it imports; to numba they would hold other functions."""
    pulls = simulate("Thr2", "Unif", budget=30, runs=1)["Unif"].pulls.tolist()
    assert run(SIMULATION) == (pulls, 1)


def test_the_stamp_sees_code_constants_and_closures() -> None:
    def make(step):
        def shift(t):
            return t + step

        def choose(run, t):
            return shift(t) % len(run.counts)

        return replace(find_algorithm("Unif"), choose=choose)

    one, same, other = make(1), make(1), make(2)
    assert source_stamp(one) == source_stamp(same)
    assert source_stamp(one) != source_stamp(other)
    tables = [make(np.array(steps)) for steps in ([1] * 2000, [1] * 1000 + [2] + [1] * 999, [1.0])]
    assert len({source_stamp(table) for table in tables}) == 3
    assert source_stamp("APGAI") != source_stamp("Unif")


def test_the_stamp_sees_the_outcome_model_the_kinds_of_arm_and_the_loop() -> None:
    gaussian, bernoulli = parts("Unif"), parts("Unif", "RealL")
    as_gaussian = gaussian._replace(draw=bernoulli.draw, reward=bernoulli.reward)
    stamps = {stamp_of(each, make_kernel) for each in (gaussian, bernoulli, as_gaussian)}
    assert len(stamps) == 3
    assert stamp_of(gaussian, reached) not in stamps  # another function makes the loop


def test_the_stamp_sees_the_other_functions_of_another_loop() -> None:
    def make(step):
        def inner(t):
            return t + step

        def helper(t):
            return 2 * inner(t)

        return helper

    one, same, other = make(1), make(1), make(2)
    stamps = [source_stamp("Unif", more) for more in ((), (one,), (same,), (other,))]
    assert stamps[0] == source_stamp("Unif")
    assert stamps[1] == stamps[2]
    assert len(set(stamps)) == 3  # what they call counts, too
    assert source_stamp("APGAI", (one,)) != stamps[1]


def test_the_stamp_sees_what_makes_the_loop_in_its_own_file() -> None:
    def made_by(step: int):
        space = {"__name__": "a_loop"}
        code = f"def part(t):\n    return t + {step}\ndef make(parts, stamp):\n    return part(1)\n"
        exec(code, space)
        return space["make"]

    stamps = [stamp_of(parts("Unif"), made_by(step)) for step in (1, 1, 2)]
    assert stamps[0] == stamps[1] != stamps[2]


def test_a_kernel_is_made_once_for_a_rule_a_purpose_and_what_it_calls() -> None:
    def helper(t):
        return t + 12345

    def other(t):
        return t + 54321

    made: list[str] = []

    def build(stamp: str, cached: bool) -> object:
        made.append(stamp)
        return object()

    rule = parts("Unif")
    first = made_once(rule, make_kernel, build, (helper,), "a test")
    assert made_once(parts("Unif"), make_kernel, build, (helper,), "a test") is first
    assert made == [source_stamp("Unif", (helper,))]
    assert made_once(rule, make_kernel, build, (other,), "a test") is not first
    assert made_once(rule, make_kernel, build, (helper,), "another test") is not first
    assert made_once(parts("Unif", "RealL"), make_kernel, build, (helper,), "a test") is not first
    assert len(made) == 4


def test_everything_that_a_rule_calls_is_found() -> None:
    names = {function.__name__ for function in reached(roots(parts("APGAI-FE")))}
    wanted = {"choose_forced", "leader", "philox", "wbar", "normal_quantile", "record", "reset"}
    assert wanted | {"log_mixture", "standardised_sum", "chord"} <= names


def test_functions_without_a_module_are_compiled_but_not_cached() -> None:
    """What exec made cannot be found again by the name of its module, by any later process."""
    space = {"__name__": "nowhere"}
    exec("def choose(run, t):\n    return (t + 1) % len(run.counts)", space)
    rule = replace(find_algorithm("Unif"), name="Made", choose=space["choose"])
    for _ in range(2):
        assert simulate("Thr2", rule, budget=12, runs=2)["Made"].pulls.tolist() == [4] * 6
    loop = compiled(parts(rule), make_kernel, (is_error,))
    assert not sum(loop.stats.cache_hits.values())
