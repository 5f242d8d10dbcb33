"""The CUDA backend where there is no GPU: its logic in numba's simulator, and its errors."""

import os
import re
import subprocess
import sys

import pytest

from goodarm import InputError, extras, simulate
from goodarm.outcomes import Bernoulli
from goodarm.simulation import device
from goodarm.testing import CudaToolsMissingError, lower_to_ptx

SIMULATED = """
import warnings
warnings.simplefilter("error")
from goodarm import Instance
from goodarm.algorithms import find_algorithm
from goodarm.outcomes import Bernoulli
from goodarm.outcomes.bernoulli import gap
from goodarm.outcomes.tilts import engine
from goodarm.run import SIDE
from goodarm.simulation.gpu import _layout, play_chunk_on_gpu
from goodarm.simulation.job import make_job
from goodarm.simulation.loops.replay import trace
from goodarm.simulation.loops.kernel import is_error

class Remembering(Bernoulli):  # counts successes in a memory of its own
    memory = 1
    functions = engine(gap, lambda run, arm: run.kept[arm] * run.levels[SIDE])._replace(
        remember=lambda run, arm, value, size: run.kept.__setitem__(arm, run.kept[arm] + value)
    )

def compare(job):
    chunk = play_chunk_on_gpu(job, 0, 7)
    what = (job.algorithm.name, job.mode, job.boundary.name, job.instance.name)
    good, some = job.instance.good.astype(int), bool(job.instance.good.any())
    errors = [0] * len(job.times)
    pulls = [0] * job.instance.K
    for number in range(7):
        steps = list(trace(job, number))
        for step in steps:
            pulls[step.arm] += 1
            if job.mode == "anytime":
                errors[step.t - 1] += is_error(step.answer, good, some)
        if job.mode != "anytime":
            assert chunk.stopping_times[number] == len(steps), what
            assert chunk.answers[number] == max(steps[-1].answer, -1), what
    assert chunk.pulls.tolist() == pulls, what
    if job.mode == "anytime":
        assert chunk.error_counts.tolist() == errors, what
    return chunk

mixed = Instance(0.5, [0.8, 0.5, 0.2], kind=["gaussian", "bernoulli", "gaussian"], name="mixed")
coins = Instance(0.5, [0.9, 0.2, 0.4], kind="bernoulli", name="coins")
below = Instance(0.5, [0.1, 0.8, 0.6], kind="bernoulli", goal="below", name="below")
local = Instance(0.0, [0.4 - 0.03 * a for a in range(25)], name="local")
anywhere = Instance(0.0, [0.4 - 0.03 * a for a in range(130)], name="anywhere")
for name in {names!r}:
    algorithm = find_algorithm(name)
    for instance in (mixed, coins, below, local, anywhere)[: 5 if name == "APGAI" else 4]:
        for mode in algorithm.settings:
            limit = max(60, instance.K + 20, algorithm.smallest_budget(instance.K))
            timed = mode == "fixed-confidence"
            delta = 0.3 if timed else None
            for rule in ("glr", "mixture") if timed else (None,):
                compare(make_job(algorithm, instance, mode, limit, 5, delta, rule))
for instance in (coins, below):
    plain, keeping = (
        compare(make_job("APGAI", instance, "fixed-confidence", 90, 5, 0.3, outcome=model()))
        for model in (Bernoulli, Remembering)
    )
    assert (plain.stopping_times == keeping.stopping_times).all()
    assert plain.stopped.any() and not (plain.stopping_times == plain.stopping_times[0]).all()
shapes = [
    _layout(make_job("APGAI", i, "anytime", 200), 7, 0)[0] for i in (coins, local, anywhere)
]
assert [shape.sizes.arms for shape in shapes] == [3, 25, 0]
assert [shape.shared for shape in shapes] == [True, False, False]
assert not shapes[0].gaps and shapes[2].gaps
print("equal")
"""
PREPARED = """
from goodarm import Instance
from goodarm.simulation import device, gpu
from goodarm.simulation.job import make_job

pair = Instance(0.0, [0.5, -0.5])
jobs = [(make_job(name, pair, "fixed-budget", 20), 3) for name in ("APGAI", "Unif", "APGAI")]
started = []
pool = gpu.ProcessPoolExecutor
gpu.ProcessPoolExecutor = lambda *words: started.append(words[0]) or pool(*words)
if __name__ == "__main__":
    print(device.prepare_many("cuda", jobs[:1], 2), started)  # one kernel: nothing side by side
    print(device.prepare_many("cuda", jobs, 2), started)
    print(device.prepare_many("cuda", jobs, 2), started)  # the notes say that they are there
    print(len(list((gpu.cache_directory() / "kernels").iterdir())))
    print(device.prepare_many("cpu", jobs, 2))
"""
NAMES = ["APGAI", "APGAI-FE", "Unif", "DSH-G", "PKGAI(UCB)", "TaS", "HDoC"]


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


def test_the_kernels_logic_in_numbas_simulator() -> None:
    pytest.importorskip("numba_cuda", reason="numba-cuda is not installed")
    done = run(SIMULATED.replace("{names!r}", repr(NAMES)), NUMBA_ENABLE_CUDASIM="1")
    assert done.stdout == "equal\n", done.stderr[-3000:]


@pytest.mark.parametrize("arms", [3, 25])
def test_kernels_for_a_number_of_arms_lower_to_ptx(arms: int) -> None:
    """In shared and in local memory; test_contract.py does it for those that take any number."""
    try:
        ptx = lower_to_ptx("APGAI", Bernoulli(), arms)
    except CudaToolsMissingError as missing:
        pytest.skip(f"no PTX can be made here: {missing}")
    assert (".shared" in ptx) == (arms <= 20)
    # Counts, flags and the like are few enough to need no memory: only these are in arrays.
    room = re.search(r"__local_depot\d+\[(\d+)\]", ptx)
    assert room is not None
    assert int(room.group(1)) <= (4 + 16 if arms <= 20 else 4 + 4 + 6 * 8) * arms + 8


def test_kernels_of_many_jobs_are_made_once_and_side_by_side(tmp_path, monkeypatch) -> None:
    pytest.importorskip("numba_cuda", reason="numba-cuda is not installed")
    monkeypatch.setenv("GOODARM_CACHE", str(tmp_path))
    done = run(PREPARED, NUMBA_ENABLE_CUDASIM="1")
    lines = done.stdout.splitlines()
    assert len(lines) == 5, done.stderr[-3000:]
    assert lines[0].endswith(" []")
    assert lines[1] == lines[2]  # two kernels for three jobs, and none the second time
    assert lines[1].endswith(" [2]") or lines[1].endswith(" [1]")  # processes, with one core
    assert lines[3:] == ["2", "2"]


def test_without_a_gpu_the_error_says_what_to_do() -> None:
    cuda = pytest.importorskip("numba.cuda")
    if cuda.is_available():
        pytest.skip("there is a GPU here")
    with pytest.raises(InputError, match=r"nvidia-smi.*leave device out"):
        simulate("Thr1", "APGAI", budget=20, runs=2, device="cuda")


def test_without_the_extra_the_error_names_it(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "numba_cuda", None)
    monkeypatch.setattr(extras, "_found", set())
    with pytest.raises(InputError, match=r"goodarm\[cuda\]"):
        device.player("cuda")


def test_an_unknown_device() -> None:
    with pytest.raises(InputError, match="did you mean 'cuda'"):
        simulate("Thr1", "APGAI", budget=20, device="cude")


def test_the_cpu_never_imports_cuda() -> None:
    code = (
        "import sys, goodarm; goodarm.simulate('Thr1', 'APGAI', budget=20, runs=2);"
        "print('numba_cuda' in sys.modules or 'numba.cuda' in sys.modules)"
    )
    assert run(code).stdout == "False\n"
