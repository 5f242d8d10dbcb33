"""goodarm paper, as a user meets it."""

import json
import signal
import subprocess
import sys
import time

import pytest
import typer
from typer.testing import CliRunner

from goodarm import InputError
from goodarm.cli.paper import paper
from goodarm.paper import ITEMS

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(paper)


def run(*arguments: str, **environment: str):
    return CliRunner().invoke(app, list(arguments), env=environment)


def test_the_list_has_every_item_and_what_it_costs() -> None:
    shown = run("--list").stdout
    assert all(item.label in shown for item in ITEMS)
    assert "10,000" in shown
    assert " M" in shown
    few = run("tab:results_NoA*", "--list").stdout
    assert "tab:results_NoA1_appendix" in few
    assert "IsA1" not in few


def test_an_item_is_reproduced(tmp_path) -> None:
    out, store = tmp_path / "report", str(tmp_path / "store")
    arguments = ("tab:results_NoA1_appendix", "tab:instances_arms", "--out", str(out))
    done = run(*arguments, "--threads", "2", GOODARM_CACHE=store)
    assert done.exception is None
    assert "published numbers" in done.stdout
    assert "index.html" in done.stdout
    first = (out / "tables" / "tab_results_NoA1_appendix.csv").read_text()
    run(*arguments, "--seed", "1", "--fresh", GOODARM_CACHE=store)
    assert (out / "tables" / "tab_results_NoA1_appendix.csv").read_text() != first
    run(*arguments, "--fresh", GOODARM_CACHE=store)
    assert (out / "tables" / "tab_results_NoA1_appendix.csv").read_text() == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--quick", "--full"), "one of the two"),
        (("tab:results_NoA3_appendix",), "did you mean"),
        (("--threads", "0"), "threads: 0"),
        (("--seed", "-1"), "seed: -1"),
        (("--dask", "local:2", "--threads", "2"), "leave it out with --dask"),
        (("--dask", "local:x"), "local:N"),
    ],
)
def test_wrong_inputs(arguments, message: str, tmp_path) -> None:
    failed = run("tab:instances_arms", *arguments, "--out", str(tmp_path / "r"))
    assert isinstance(failed.exception, InputError)
    assert message in str(failed.exception)
    assert not (tmp_path / "r").exists()


def test_out_must_be_a_folder(tmp_path) -> None:
    (tmp_path / "file").write_text("")
    failed = run("tab:instances_arms", "--out", str(tmp_path / "file"))
    assert "name a folder" in str(failed.exception)


INTERRUPTIBLE = """
import signal, sys, typer
from goodarm.cli import _leave
from goodarm.cli.paper import paper
signal.signal(signal.SIGINT, _leave)
typer.run(paper)
"""


def test_an_interrupted_reproduction_goes_on_where_it_stopped(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GOODARM_CACHE", str(tmp_path / "store"))
    out = tmp_path / "report"
    arguments = ["fig:supp_varying_delta", "--out", str(out), "--threads", "1"]
    command = [sys.executable, "-c", INTERRUPTIBLE, *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as started:
        end = time.monotonic() + 60
        while len(list((tmp_path / "store").rglob("*.npz"))) < 10:
            assert started.poll() is None
            assert time.monotonic() < end
            time.sleep(0.01)
        started.send_signal(signal.SIGINT)
        assert started.wait(10) == 130
    assert not (out / "index.html").exists()
    assert run(*arguments).exception is None
    settings = json.loads((out / "report.json").read_text())["settings"]
    assert 0.0 < settings["share_of_runs_from_earlier"] < 1.0
