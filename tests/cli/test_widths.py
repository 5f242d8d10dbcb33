"""Every command's tables fit the terminal: at 80 columns, at 60, and no figure is ever cut."""

import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from goodarm.cli.app import app
from goodarm.simulation import RunResult

ROOT = Path(__file__).parents[2]
TIMED = "simulate Thr1 -a APGAI-FE -a UCB-G[bonus=moss,weight=2] --delta 0.1 --runs 30"
ANYTIME = "simulate Thr1 -a APGAI -a APGAI-FE -a Unif -a MS --horizon 3000 --runs 40"
PLAN = "plan -a APGAI-FE -a APGAI --means 0.3,0.4,0.8 --threshold 0.5 --outcome bernoulli"
SECONDS = re.compile(r"\d+ s;")  # how long something took
COMMANDS = {
    "confidence": TIMED,
    "oracle": "simulate Thr1 -a APGAI-FE --delta 0.1 --runs 30 --oracle",
    "budget": "simulate RealL -a APGAI -a Unif --budget 50 --runs 30",
    "anytime": ANYTIME,
    "trace": "simulate Thr1 -a APGAI --delta 0.2 --trace 3",
    "theory": "theory Thr1",
    "theory, both readings": "theory Med2 --reading both -d 0.1,0.01,1e-400 -t 700,1e6,1e9",
    "theory, nothing good": "theory NoA2",
    "theory, simulated": "theory NoA2 --time 200 --runs 50",
    "league": f"league --load {ROOT / 'docs' / 'data' / 'league.json'}",
    "league, trials": f"league --trials --load {ROOT / 'docs' / 'data' / 'trials.json'}",
    "algorithms": "list algorithms",
    "instances": "list instances",
    "outcomes": "list outcomes",
    "plan": f"{PLAN} --runs 50 --delta 0.05 --batch 10 --per-day 5 --delay 2",
    "plan, budget": f"{PLAN} --runs 50 --budget 50",
    "studies": "study list",
    "paper": "paper tab:instances_arms tab:results_NoA1_appendix --list",
    "paper, verdicts": "paper tab:instances_arms",
    "bench": "bench",
    "certify": "certify values.csv --outcome bernoulli --threshold 0.85",
    "gate": "gate --bar 0.85 -- true",
}


RATIOS = [
    SimpleNamespace(
        what="APGAI step, fixed confidence, TwoG(10000, 3000), K = 10,000",
        ratio=12.34,
        limit=13.0,
        at_most=True,
        unit="numpy normals",
    ),
    SimpleNamespace(
        what="two threads against one, Thr3", ratio=1.91, limit=1.8, at_most=False, unit="times"
    ),
]


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with studies and a file of outcomes; what is slow or varies is replaced."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOODARM_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GOODARM_STORAGE", raising=False)
    monkeypatch.setattr(RunResult, "pulls_per_second", 123_456_789.0)
    for league in ("league_errors", "league_trials"):
        monkeypatch.setattr(f"goodarm.cli.{league}.draw", lambda played, out: None)
    monkeypatch.setattr("goodarm.simulation.bench.measure", lambda repeat: RATIOS)
    Path("values.csv").write_text("value\n" + "1\n" * 42)
    for name in ("coatings", "a study with a name that is long, as names may be, and that wraps"):
        arms = ["--arm", "A", "--arm", "an arm with a long name", "--threshold", "0.5"]
        assert run(["study", "create", name, *arms, "--outcome", "bernoulli"], 80)
        assert run(["study", "tell", name, "--arm", "A", "1"], 80)


def run(words: list[str], width: int) -> str:
    done = CliRunner().invoke(app, words, env={"COLUMNS": str(width)}, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def figures(text: str) -> Counter[str]:
    """Everything with a digit in it, as it is written."""
    return Counter(word for word in text.split() if re.search(r"\d", word))


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_tables_fit_and_no_figure_is_cut(words: str, workplace: None) -> None:
    wide = figures(SECONDS.sub("", run(words.split(), 500)))
    assert wide
    for width in (80, 60):
        text = run(words.split(), width)
        assert "…" not in text
        assert max(len(line.rstrip()) for line in text.splitlines()) <= width, text
        lost = wide - figures(text)  # headings come again where rows are stacked, nothing goes
        assert not lost, (width, lost, text)


def test_the_status_of_a_study_fits_too(workplace: None) -> None:
    wide = figures(run(["study", "status", "coatings"], 80))
    for width in (80, 60):
        text = run(["study", "status", "coatings"], width)
        lines = [line for line in text.splitlines() if not line.startswith("  head ")]
        assert max(len(line) for line in lines) <= width, text
        assert figures(text) == wide
