"""Finished chunks on disk: found again, never mistaken, never trusted when damaged."""

from concurrent.futures import Executor, Future
from pathlib import Path

import numpy as np
import pytest

from goodarm import Instance, instances, merge, simulate
from goodarm.algorithms import find_algorithm
from goodarm.simulation import store as store_module
from goodarm.simulation.chunk import play_chunk
from goodarm.simulation.job import Job, make_job
from goodarm.simulation.results import from_chunk
from goodarm.simulation.runner import Task, run_tasks
from goodarm.simulation.store import ChunkStore, cache_directory, specification

MODES = [{"delta": 0.1, "cap": 3000}, {"budget": 60}, {"horizon": 60, "times": [10, 60]}]
RULE = """
from dataclasses import replace
from goodarm.algorithms.unif import UNIF

def choose(run, t):
    return (t + {step}) % len(run.counts)

RULE = replace(UNIF, name="Mine", choose=choose)
"""


def arrays(result) -> list[bytes]:
    return [column.tobytes() for column in result._columns().values()] + [result.pulls.tobytes()]


def job(**changes) -> Job:
    settings = {"mode": "fixed-budget", "limit": 60, "seed": 1} | changes
    return make_job(find_algorithm("APGAI"), instances["Thr2"], **settings)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def no_playing(monkeypatch):
    """After this, a chunk that has to be played is an error."""

    def forbid() -> None:
        def play(*arguments):
            raise AssertionError("a chunk was played")

        monkeypatch.setattr("goodarm.simulation.device.play_chunk", play)

    return forbid


@pytest.mark.parametrize("mode", MODES)
def test_a_second_simulation_plays_nothing_whatever_the_threads(tmp_path, mode, no_playing) -> None:
    plain = simulate("Thr2", ["APGAI", "Unif"], **mode, runs=50, seed=3)
    first = simulate("Thr2", ["APGAI", "Unif"], **mode, runs=50, seed=3, store=ChunkStore(tmp_path))
    no_playing()
    again = ChunkStore(tmp_path)
    for threads in (1, 3):
        second = simulate(
            "Thr2", ["APGAI", "Unif"], **mode, runs=50, seed=3, threads=threads, store=again
        )
        for name in plain:
            assert arrays(plain[name]) == arrays(first[name]) == arrays(second[name])
    assert again.loaded == 200


def test_fresh_ignores_and_replaces(tmp_path, no_playing) -> None:
    simulate("Thr2", "APGAI", budget=60, runs=20, store=ChunkStore(tmp_path))
    (path,) = files(tmp_path)
    before = path.stat().st_ino
    fresh = ChunkStore(tmp_path, fresh=True)
    simulate("Thr2", "APGAI", budget=60, runs=20, store=fresh)
    assert fresh.loaded == 0
    assert path.stat().st_ino != before
    no_playing()
    with pytest.raises(AssertionError, match="played"):
        simulate("Thr2", "APGAI", budget=60, runs=20, store=fresh)


def test_every_setting_makes_another_specification(tmp_path) -> None:
    base = job()
    wider = instances["Thr2"]
    instance = Instance(wider.threshold, wider.means.tolist(), sigma=1.01)
    coins = Instance(wider.threshold, wider.means.tolist(), kind="bernoulli")
    jobs = [
        base,
        job(seed=2),
        job(limit=61),
        job(mode="anytime"),
        job(mode="anytime", times=[30, 60]),
        job(mode="fixed-confidence", delta=0.1),
        job(mode="fixed-confidence", delta=0.01),
        job(mode="fixed-confidence", delta=0.1, boundary="glr"),
        job(mode="fixed-confidence", delta=0.1, boundary="glr-tables"),
        job(outcome="gaussian:2"),
        job(outcome="bernoulli"),
        job(outcome="bounded:0:1"),
        job(outcome="bounded:0:2"),
        make_job("APGAI", wider.altered(goal="below"), "fixed-budget", 60, 1),
        make_job("APGAI", coins, "fixed-budget", 60, 1),
        make_job("APGAI", coins, "fixed-budget", 60, 1, outcome="sub-gaussian"),
        make_job("APGAI-FE", instances["Thr2"], "fixed-budget", 60, 1),
        make_job("APGAI", instances["Thr1"], "fixed-budget", 60, 1),
        make_job("APGAI", instance, "fixed-budget", 60, 1),
        make_job("PKGAI(UCB)", instances["Thr2"], "fixed-budget", 60, 1),
        make_job("PKGAI(UCB)[delta=0.1]", instances["Thr2"], "fixed-budget", 60, 1),
    ]
    assert len({specification(each) for each in jobs}) == len(jobs)
    assert specification(job()) == specification(base)
    store = ChunkStore(tmp_path)
    assert store.path(base, 0, 5) != store.path(base, 5, 10)


def test_arm_names_do_not_matter() -> None:
    original = instances["Thr2"]
    named = original.altered(names=tuple("abcdef"), name="mine")
    one, other = (make_job("APGAI", i, "fixed-budget", 60) for i in (original, named))
    assert specification(one) == specification(other)


def test_a_changed_algorithm_never_reuses_old_results(tmp_path, monkeypatch) -> None:
    pulls = []
    for step in (0, 1):
        path = tmp_path / f"rule{step}.py"
        path.write_text(RULE.format(step=step))
        rule = f"{path}:RULE"
        store = ChunkStore(tmp_path / "chunks")
        result = simulate("Thr2", rule, budget=8, runs=4, store=store)["Mine"]
        assert store.loaded == 0
        pulls.append(result.pulls.tolist())
    assert pulls[0] != pulls[1]
    old = specification(job())
    monkeypatch.setattr(store_module, "source_stamp", lambda *parts: "another")
    assert specification(job()) != old


@pytest.mark.parametrize("damage", ["truncated", "empty", "garbage", "flipped", "foreign"])
def test_a_damaged_file_is_played_again(tmp_path, damage: str) -> None:
    wanted = simulate("Thr2", "APGAI", delta=0.1, runs=40, store=ChunkStore(tmp_path))["APGAI"]
    path = files(tmp_path)[0]
    content = path.read_bytes()
    if damage == "foreign":  # a sound file in the wrong place
        simulate("Thr1", "APGAI", delta=0.1, runs=40, store=ChunkStore(tmp_path / "other"))
        path.write_bytes(files(tmp_path / "other")[0].read_bytes())
    elif damage == "flipped":
        middle = content.index(b"stopping_times") + 200
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    else:
        broken = {"truncated": content[: len(content) // 2], "empty": b"", "garbage": b"x" * 999}
        path.write_bytes(broken[damage])
    store = ChunkStore(tmp_path)
    again = simulate("Thr2", "APGAI", delta=0.1, runs=40, store=store)["APGAI"]
    assert arrays(again) == arrays(wanted)
    assert store.loaded == 35
    assert ChunkStore(tmp_path).load(again.job, 0, 5) is not None  # it was written anew


def test_a_file_of_the_wrong_shape_counts_as_missing(tmp_path) -> None:
    store, task = ChunkStore(tmp_path), job()
    store.save(task, play_chunk(task, 0, 4))
    store.path(task, 0, 4).rename(store.path(task, 0, 5))
    assert store.load(task, 0, 5) is None


def test_an_interrupted_simulation_resumes(tmp_path) -> None:
    store, task = ChunkStore(tmp_path), job()
    for first in (0, 10, 30):
        store.save(task, play_chunk(task, first, first + 10))
    ((_, result),) = run_tasks([Task(task, 40, 10)], 2, None, store, lambda runs, pulls: None)
    assert store.loaded == 30
    assert arrays(result) == arrays(simulate("Thr2", "APGAI", budget=60, runs=40, seed=1)["APGAI"])


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path, caplog) -> None:
    place = tmp_path / "file"
    place.write_text("not a folder")
    store = ChunkStore(place)
    result = simulate("Thr2", "APGAI", budget=60, runs=10, store=store)["APGAI"]
    assert result.runs == 10
    assert "nothing is kept" in caplog.text


class Backwards(Executor):
    """Carries out what it is given, the last first."""

    def __init__(self) -> None:
        self.given: list[tuple[Future, object, tuple]] = []

    def submit(self, function, /, *arguments, **named):
        future: Future = Future()
        self.given.append((future, function, arguments))
        if len(self.given) == 10:
            for future, function, arguments in reversed(self.given):
                future.set_result(function(*arguments))
        return self.given[-1][0]


@pytest.mark.parametrize("mode", MODES)
def test_the_order_of_chunks_does_not_matter(mode) -> None:
    wanted = simulate("Thr2", "APGAI", **mode, runs=50)["APGAI"]
    backwards = simulate("Thr2", "APGAI", **mode, runs=50, chunk=5, executor=Backwards())["APGAI"]
    assert arrays(backwards) == arrays(wanted)
    chunks = [play_chunk(wanted.job, first, first + 10) for first in range(0, 50, 10)]
    np.random.default_rng(0).shuffle(chunks)
    assert arrays(merge([from_chunk(wanted.job, c) for c in chunks])) == arrays(wanted)


def test_where_chunks_are_kept(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("GOODARM_CACHE", str(tmp_path / "mine"))
    assert ChunkStore().folder == tmp_path / "mine" / "chunks"
    monkeypatch.delenv("GOODARM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory() == tmp_path / "goodarm"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_directory() == Path.home() / ".cache" / "goodarm"
