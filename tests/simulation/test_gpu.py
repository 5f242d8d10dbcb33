"""The CUDA backend where there is no GPU: its logic in numba's simulator, and its errors."""

import os
import subprocess
import sys

import pytest

from goodarm import InputError, simulate
from goodarm.simulation import device

SIMULATED = """
import warnings
warnings.simplefilter("error")
from goodarm import Instance
from goodarm.algorithms import algorithms, find_algorithm
from goodarm.simulation.gpu import play_chunk_on_gpu
from goodarm.simulation.job import make_job
from goodarm.simulation.trace import trace
from goodarm.simulation.kernel import is_error

small = Instance(0.5, [0.8, 0.5, 0.2], kind=["gaussian", "bernoulli", "gaussian"])
large = Instance(0.0, [0.4 - 0.03 * a for a in range(25)])
for name in {names!r}:
    algorithm = find_algorithm(name)
    for instance in (small, large):
        for mode in algorithm.settings:
            budget = max(60, algorithm.smallest_budget(instance.K))
            delta = 0.3 if mode == "fixed-confidence" else None
            job = make_job(algorithm, instance, mode, budget, seed=5, delta=delta)
            chunk = play_chunk_on_gpu(job, 0, 7)
            good, some = instance.good.astype(int), bool(instance.good.any())
            errors = [0] * len(job.times)
            pulls = [0] * instance.K
            for number in range(7):
                steps = list(trace(job, number))
                for step in steps:
                    pulls[step.arm] += 1
                    if mode == "anytime":
                        errors[step.t - 1] += is_error(step.answer, good, some)
                if mode != "anytime":
                    assert chunk.stopping_times[number] == len(steps), (name, mode)
                    assert chunk.answers[number] == max(steps[-1].answer, -1), (name, mode)
            assert chunk.pulls.tolist() == pulls, (name, mode)
            if mode == "anytime":
                assert chunk.error_counts.tolist() == errors, (name, mode)
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
