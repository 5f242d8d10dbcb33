"""A study as a page that is a file: question, answer, pictures, changes, how to check it."""

import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from goodarm.showing import page
from goodarm.showing.chart import Chart, Curve
from goodarm.showing.forest import MOST_IN_A_FILE
from goodarm.showing.markup import Html, bdi, joined, tag
from goodarm.showing.scale import Scale, scale_over
from goodarm.showing.tables import Heading, facts, page_table
from goodarm.study.log.fold import STATES_IN_SHORT
from goodarm.study.report.asked import question_text, wanted
from goodarm.study.report.course import MOST_CHANGES, Begun, Course, changes_table
from goodarm.study.report.drawn import EvidenceCurves, evidence_picture, options_table
from goodarm.study.report.status import ArmReport, Status
from goodarm.study.report.status_text import (
    COUNTS,
    STOPS_BY,
    what_confidence_means,
)
from goodarm.study.settings import Settings
from goodarm.wording import NOTHING, confidence, counted, figure, sure_at, to_the_minute

MOST_NAMED = 10  # options in the answer


class ReportedStudy(NamedTuple):
    """Everything that a report tells, of one moment."""

    status: Status
    settings: Settings
    curves: EvidenceCurves
    course: Course


def study_page(study: ReportedStudy) -> str:
    """The text of the file."""
    status = study.status
    state = STATES_IN_SHORT[status.state]
    return page.page_text(
        f"{status.name} · goodarm",
        page.head(bdi(status.name), state, status.state),
        page.question(question_text(status, study.settings)),
        _answer(status),
        page.section("The options", *_arms(status)),
        page.section("How the evidence grew", *_evidence(study.curves)),
        page.section("Trials over time", *_trials(study.course.begun, status)),
        page.section("Changes and corrections", *_changes(study.course)),
        page.section("What was declared", _settings(status, study.settings)),
        page.section("How to check it", *_checking(status)),
        page.section("What the confidence means", tag("p", what_confidence_means(status.decide))),
    )


def _answer(status: Status) -> Html:
    answer: str | Html = NOTHING
    if status.answers:
        answer = joined(bdi(status.answers[0]), *map(_and_another, status.answers[1:MOST_NAMED]))
        more = len(status.answers) - MOST_NAMED
        answer = joined(answer, f" and {more:,} more" if more > 0 else None)
    elif status.trials:
        answer = "none looks good"
    sure = _unbroken(confidence(status.confidence)) if status.confidence > 0.0 else NOTHING
    wanted = None if status.delta is None else _minor(f" of {sure_at(status.delta)} wanted")
    limit = None if status.limit is None else _minor(f" of {figure(status.limit)}")
    pending = _minor(f" + {figure(status.pending)} pending") if status.pending else None
    at = f"event {status.events:,}, {to_the_minute(status.updated_at)} UTC"
    return tag(
        "section",
        page.message(status.meaning),
        facts(
            [
                ("Recommendation", answer),
                ("Confidence", joined(sure, wanted)),
                ("Trials", joined(figure(status.trials), limit, pending)),
                *([] if status.spent is None else [("Spent", figure(status.spent))]),
                ("As of", at),
            ],
            "facts",
        ),
        page.cautions([(caution.level, caution.text) for caution in status.cautions]),
        class_="answer card",
    )


def _and_another(name: str) -> Html:
    return joined(", ", bdi(name))


def _unbroken(text: str) -> Html:
    return tag("span", text, style="white-space: nowrap")


def _minor(text: str) -> Html:
    return tag("span", text, class_="minor")


def _arms(status: Status) -> Iterator[Html]:
    meaning = (
        "Evidence is how far an option has come towards being called good or being ruled out, at "
        f"{sure_at(status.interval_delta)} confidence."
    )
    marks = ["+ is pending"] if status.pending else []
    marks += ["~ is told, but waits for an open trial"] if status.waiting else []
    said = f"{meaning} {'; '.join(marks)}." if marks else meaning
    for measure, criterion in enumerate(status.criteria):
        if len(status.criteria) > 1:
            yield tag("h3", criterion)
        yield options_table(status, MOST_IN_A_FILE, measure)
    yield page.note(said)
    known = [arm for arm in status.arms if arm.label or arm.note or arm.cost is not None]
    if known:
        columns = (
            Heading("Option"),
            Heading("In full", look="free"),
            Heading("Cost of a trial", right=True),
            Heading("Note", look="free"),
        )
        rows = [_described(arm) for arm in known[:MOST_IN_A_FILE]]
        yield page_table(columns, rows, "What was said of the options", "log")


def _described(arm: ArmReport) -> list[str | Html]:
    return [bdi(arm.arm), bdi(arm.label or ""), figure(arm.cost), bdi(arm.note or "")]


def _evidence(curves: EvidenceCurves) -> Iterator[Html]:
    if not curves.times:
        yield page.note("There is no outcome yet.")
        return
    yield evidence_picture(curves)
    others = len(curves.names) - len(curves.leaders)
    if others:
        yield page.note(f"{counted(others, 'option')} in grey: neither ahead nor last.")


def _trials(begun: Sequence[Begun], status: Status) -> Iterator[Html]:
    first, last = begun[0], begun[-1]
    if last.trials == 0:
        yield page.note("There is no trial yet.")
        return
    elapsed = [(point.at - first.at).total_seconds() for point in begun]
    if elapsed[-1] > 0.0:
        moments = ((0.0, status.created_at), (elapsed[-1], status.updated_at))
        ticks = tuple((x, to_the_minute(at)) for x, at in moments)
        points = [(x, float(point.trials)) for x, point in zip(elapsed, begun, strict=True)]
        yield Chart(
            label="The number of trials begun against time",
            x=Scale(0.0, elapsed[-1], ticks),
            y=scale_over([0, last.trials]),
            x_name="",
            y_name="trials begun",
            curves=[Curve("", points)],
        ).draw(160)
    yield page.note(
        f"{counted(last.trials, 'trial')} begun between {to_the_minute(status.created_at)} and "
        f"{to_the_minute(status.updated_at)} UTC, by the clock of the database."
    )


def _changes(course: Course) -> Iterator[Html]:
    if not course.changes:
        yield page.note("None: nothing was changed, corrected or taken back since it began.")
        return
    yield changes_table(course.changes, "Changes and corrections, oldest first")
    if course.more:
        yield page.note(f"The first {MOST_CHANGES}; the log has all of them.")


def _settings(status: Status, settings: Settings) -> Html:
    stops_by = f"{STOPS_BY[status.stopping_rule]} ({status.stopping_rule})"
    limit = "none" if status.limit is None else counted(status.limit, "trial")
    models = {
        one.name: f"{one.outcome.describe()} ({one.outcome.text()})"
        for one in settings.every_criterion
    }
    named = [f"{name}: {model}" for name, model in models.items()]
    outcome = "; ".join(named if settings.criteria else models.values())
    return facts(
        [
            ("Options", counted(len(settings.arms), "option")),
            *_bar(status, settings),
            ("Confidence wanted", "none" if status.delta is None else sure_at(status.delta)),
            ("Outcomes", f"{outcome}; they count {COUNTS[status.decide]}"),
            ("Stops by", stops_by),
            ("Limit", limit),
            ("Algorithm", f"{status.algorithm}, seed {status.seed}"),
            ("Created", f"{to_the_minute(status.created_at)} UTC"),
        ]
    )


def _bar(status: Status, settings: Settings) -> Iterator[tuple[str, str | Html]]:
    if settings.is_plain:
        yield "The bar", f"an average {status.goal} {figure(status.threshold)}"
        return
    yield "Looking for", wanted(status.question)
    yield "Good is", " and ".join(status.criteria)
    if settings.control is not None:
        yield "The control", bdi(settings.control)
    if settings.reserve:
        yield "Kept for later options", f"{100.0 * settings.reserve:g} % of δ"


def _checking(status: Status) -> Iterator[Html]:
    verify = f"goodarm study verify {shlex.quote(status.name)} --head {status.head}"
    yield tag(
        "p",
        f"This file is a summary: it proves nothing by itself. The study's log has "
        f"{counted(status.events, 'event')}, each with the hash of the one before. The hash of the "
        "last one, the head, fixes all of them:",
    )
    yield tag("p", page.code(status.head))
    yield tag(
        "p",
        "With the database at hand, ",
        page.code(verify),
        " checks the log, derives every suggestion anew, and says whether the log still contains "
        "this head. Without it, ask for the whole log (",
        page.code("goodarm study export"),
        " writes it to a .json file), and give the name of that file in place of the study's.",
    )
