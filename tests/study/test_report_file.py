"""A study as a file to send to others."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from goodarm.cli.app import app
from goodarm.errors import InputError
from goodarm.outcomes import Bernoulli
from goodarm.study import Study
from goodarm.study.report import course as courses
from goodarm.study.report.course import Begun, Change, Course, course
from goodarm.study.report.drawn import evidence_picture
from goodarm.study.report.page import MOST_NAMED, ReportedStudy, study_page
from goodarm.study.report.status import Status
from goodarm.wording import limits_text, printable

Reader = Callable[[str], Element]


@pytest.fixture
def lived(sqlite: str) -> Study:
    """A study in which much has happened."""
    study = Study.create("media", ["A", "B"], 0.5, Bernoulli(), 0.1, storage=sqlite, by="Ann")
    study.ask(4)
    study.tell_many([(1, 0), (2, 1), (3, 1)])
    study.correct(1, 1, reason="read the wrong well")
    study.retract(2, reason="contaminated")
    study.correct(2, 0, reason="not contaminated after all")
    study.amend(0.4, reason="the board wants less")
    study.extend(trials=30, delta=0.05, reason="and more certainty")
    study.tell("B", 37, size=50)
    study.stop("that will do")
    return study


def words(root: Element) -> str:
    return " ".join(" ".join(root.itertext()).split())


def test_it_says_what_was_asked_what_came_out_and_how_to_check_it(
    lived: Study, harmless: Reader
) -> None:
    root = harmless(lived.report_text())
    text, status = words(root), lived.status()
    for said in (
        "Which of 2 options has an average above 0.4, or has none of them? An outcome is 0 or 1.",
        "We want to be 95 % sure.",
        status.meaning,
        *(caution.text for caution in status.cautions),
        f"event {status.events}",
        f"goodarm study verify media --head {status.head}",
        f"seed {status.seed}",
    ):
        assert said in text, said
    assert lived.verify(status.head).ok
    tables = list(root.iter("table"))
    for arm, row in zip(lived.evidence, tables[0].findall("tbody/tr"), strict=True):
        shown = words(row)
        assert arm.arm in shown
        assert limits_text(arm.low, arm.high) in shown
    assert [table.get("class") for table in tables] == ["forest", "log"]
    changes = [words(row) for row in tables[1].findall("tbody/tr")]
    assert [c.split(" ", 3)[3].removesuffix(" Ann") for c in changes] == [
        f"corrected trial 1 ({lived.trial(1).arm}): 0, now 1 read the wrong well",
        f"corrected trial 2 ({lived.trial(2).arm}): 1, now 0 contaminated",
        "settings changed bar now 0.4 the board wants less",
        "extended 30 more trials, until 95 % sure and more certainty",
        "stopped that will do",
    ]


def test_the_first_facts_are_the_answer_and_how_far_it_is(lived: Study, harmless: Reader) -> None:
    known, settings, curves = lived._look(False)

    def facts_of(status: Status) -> dict[str, str]:
        begun = Begun(courses.datetime.fromisoformat(status.created_at), 1)
        past = Course((begun,), (), False)
        page = study_page(ReportedStudy(status, settings, curves, past))
        (found,) = [e for e in harmless(page).iter("dl") if e.get("class") == "facts"]
        return {words(pair[0]): words(pair[1]).replace(" ,", ",") for pair in found}

    status = replace(known, confidence=0.876, answers=("B",), delta=0.05)
    assert facts_of(status)["Confidence"] == "87.6 % of 95 % wanted"
    assert facts_of(status)["Recommendation"] == "B"
    nobody = replace(status, confidence=0.0, answers=(), delta=None)
    assert facts_of(nobody)["Confidence"] == "–"
    assert facts_of(nobody)["Recommendation"] == "none looks good"
    many = replace(status, answers=tuple(f"arm {n}" for n in range(1, MOST_NAMED + 1_005)))
    shown = facts_of(many)["Recommendation"]
    assert shown.startswith("arm 1, arm 2, arm 3, ")
    assert shown.endswith(f", arm {MOST_NAMED} and 1,004 more")
    few = replace(status, answers=many.answers[:MOST_NAMED])
    assert facts_of(few)["Recommendation"].endswith(f", arm {MOST_NAMED}")


def test_the_line_of_the_answer_is_the_thick_one(lived: Study, harmless: Reader) -> None:
    curves = lived._look(False)[2]

    def widths(answer: str | None) -> list[str | None]:
        drawn = harmless(str(evidence_picture(replace(curves, answer=answer))))
        lines = [e for e in drawn.iter() if e.get("fill") == "none" and e.get("stroke-width")]
        return [line.get("stroke-width") for line in lines]

    assert (widths(None), widths("A"), widths("B")) == (
        ["1.8", "1.8"],
        ["3", "1.8"],
        ["1.8", "3"],
    )


def test_limits_that_hold_together_are_wider(lived: Study) -> None:
    assert lived.report_text(simultaneous=True) != lived.report_text()
    assert "all limits hold together" in lived.report_text(simultaneous=True)


def test_it_is_the_same_as_long_as_nothing_happens(lived: Study) -> None:
    before = lived.report_text()
    assert lived.report_text() == before
    lived.tell("A", 1)
    assert lived.report_text() != before


@pytest.mark.parametrize("name", ["report.txt", "studies.db", "report"])
def test_only_a_page_is_replaced(lived: Study, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("precious")
    with pytest.raises(InputError, match=r"path: .*does not end in \.html"):
        lived.report(tmp_path / name)
    assert (tmp_path / name).read_text() == "precious"


def test_it_is_written_whole_or_not_at_all(
    lived: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.html"
    path.write_text("the one before")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "disk full")))
    with pytest.raises(InputError, match="disk full"):
        lived.report(path)
    assert path.read_text() == "the one before"
    assert [p.name for p in tmp_path.glob("*.part")] == []
    monkeypatch.undo()
    assert lived.report(path) == path
    assert path.read_text("utf-8") == lived.report_text()


TEXT = st.text(max_size=20) | st.sampled_from(["</title>", "<script>", "]]>", "'\"><svg onload=x>"])


@pytest.fixture(scope="module")
def young(tmp_path_factory: pytest.TempPathFactory) -> ReportedStudy:
    path = tmp_path_factory.mktemp("young") / "s.db"
    study = Study.create("s", ["a", "b"], 0.5, Bernoulli(), 0.1, storage=path)
    study.tell_many([("a", 1), ("b", 0)])
    return ReportedStudy(*study._look(False), Course((), (), False))


@settings(max_examples=40)
@given(TEXT, TEXT, TEXT, TEXT)
def test_hostile_names_stay_text(
    young: ReportedStudy, harmless: Reader, name: str, arm: str, reason: str, by: str
) -> None:
    arms = (replace(young.status.arms[0], arm=arm), young.status.arms[1])
    status = replace(young.status, name=name, arms=arms, answer=arm, meaning=reason, stopped=by)
    change = Change(1, status.updated_at, "corrected", arm, reason, by)
    begun = Begun(courses.datetime.fromisoformat(status.created_at), 1)
    curves = replace(young.curves, names=(arm, "b"), answer=arm)
    page = study_page(
        ReportedStudy(status, young.settings, curves, Course((begun,), (change,), True))
    )
    root = harmless(page)
    title = root.find("head/title")
    assert title is not None
    assert title.text == f"{printable(name)} · goodarm"
    shown = {element.text or "" for element in root.iter("bdi")}
    assert {printable(text) for text in (name, arm, reason, by or "")} - {""} <= shown


def test_of_a_long_log_some_events_tell_when_trials_were_begun(
    lived: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, until = lived._ledger.row.id, lived.seq
    criteria = lived.settings.every_criterion

    def read() -> Course:
        return lived._ledger.read(lambda transaction: course(transaction, study, until, criteria))

    whole = read()
    asked = [trial.asked_at or trial.told_at for trial in lived.trials]
    for at, trials in whole.begun:
        moment = at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        assert trials <= sum(when is not None and when <= moment for when in asked)
    assert whole.begun[-1].trials == len(lived.trials)
    monkeypatch.setattr(courses, "MOST_LOOKS", 5)
    monkeypatch.setattr(courses, "MOST_CHANGES", 2)
    some = read()
    assert len(some.begun) == 5
    assert (some.begun[0], some.begun[-1].at) == (whole.begun[0], whole.begun[-1].at)
    assert (some.changes, some.more) == (whole.changes[:2], True)
    assert not whole.more


def test_a_study_of_many_arms_is_cut(sqlite: str, harmless: Reader) -> None:
    names = [f"option {i}" for i in range(500)]
    study = Study.create("many", names, 0.5, Bernoulli(), 0.1, storage=sqlite)
    few = len(study.report_text())
    study.tell_many([(name, i % 2) for i, name in enumerate(names)])
    page = study.report_text()
    assert len(page) < 2 * few
    assert "400 options in between are not shown" in words(harmless(page))


def test_the_command_writes_it_and_says_where(lived: Study, sqlite: str, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    words = ["study", "report", "media", "--storage", sqlite, "--out"]
    done = CliRunner().invoke(app, [*words, str(out), "--simultaneous"], catch_exceptions=False)
    assert done.stdout.splitlines() == [f"wrote {out}", f"head {lived.head}"]
    assert out.read_text("utf-8") == lived.report_text(simultaneous=True)
    with pytest.raises(InputError, match=r"out: 'r\.pdf' does not end"):
        CliRunner().invoke(app, [*words, "r.pdf"], catch_exceptions=False)
