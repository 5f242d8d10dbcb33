"""Tools that change a study. Each answer is durable when it arrives."""

from typing import Annotated

from pydantic import Field

from goodarm.mcp_server.answers import (
    MOST_TRIALS_SHOWN,
    Answer,
    answer,
    per_arm,
    standing,
    trial_data,
)
from goodarm.mcp_server.contract import OfStudy, ToolEntry
from goodarm.mcp_server.workplace import Visit
from goodarm.remote import acting, bodies
from goodarm.remote.bodies import Whole
from goodarm.study import Study, StudyClosedError, Trial
from goodarm.wording import counted


class AskTool(bodies.Ask, OfStudy):
    """Of which study, and how many."""

    n: Annotated[Whole, Field(ge=1, le=MOST_TRIALS_SHOWN, description="How many trials.")] = 1


class TellTool(bodies.Tell, OfStudy):
    """An outcome of a study."""


class TellManyTool(bodies.TellMany, OfStudy):
    """Outcomes of a study."""


class CancelTool(bodies.Cancel, OfStudy):
    """A suggestion of a study."""


class CancelAllTool(bodies.CancelAll, OfStudy):
    """The suggestions of a study."""


class RetractTool(bodies.Retract, OfStudy):
    """An outcome of a study to take back."""


class CorrectTool(bodies.Correct, OfStudy):
    """An outcome of a study to replace."""


class ExtendTool(bodies.Extend, OfStudy):
    """How a study is to go on."""


class AddArmTool(bodies.AddArm, OfStudy):
    """One more arm of a study."""


class RetireArmTool(bodies.RetireArm, OfStudy):
    """An arm of a study to be taken out."""


class StopTool(bodies.Stop, OfStudy):
    """The end of a study."""


def create_study(visit: Visit, body: bodies.NewStudy) -> Answer:
    """A study, or the one that was created like this before."""
    settings = acting.new_settings(body)
    study = visit.studies.create(**settings, by=visit.workplace.by, load_if_exists=True)
    arms = counted(len(study.settings.arms), "arm")
    return answer(
        f"The study {study.name!r} with {arms} is ready; ask what to try first.",
        settings=study.settings.to_data() if len(study.settings.arms) <= MOST_TRIALS_SHOWN else {},
        **standing(study),
    )


def ask(visit: Visit, body: AskTool) -> Answer:
    """What to try next."""
    study = visit.open(body.study)
    try:
        asked = acting.ask(study, body)
    except StudyClosedError as error:
        return answer(f"Nothing to try: {error}.", trials=[], **standing(study))
    what = (
        f"Trial {asked[0].number}: try {asked[0].arm}, then tell its outcome."
        if len(asked) == 1
        else f"{len(asked)} trials: {per_arm(asked)}. Try each, then tell its outcome."
    )
    return answer(what, trials=[trial_data(trial) for trial in asked])


def tell(visit: Visit, body: TellTool) -> Answer:
    """Record an outcome."""
    study = visit.open(body.study)
    return _about(study, acting.tell(study, body))


def tell_many(visit: Visit, body: TellManyTool) -> Answer:
    """Record outcomes that came in together."""
    study = visit.open(body.study)
    told = acting.tell_many(study, body)
    now = standing(study)
    said = f"{counted(len(told), 'outcome')} told: {per_arm(told)}. {now['meaning']}"
    numbers = [trial.number for trial in told[:MOST_TRIALS_SHOWN]]
    return answer(said, recorded=len(told), trial_numbers=numbers, **now)


def cancel(visit: Visit, body: CancelTool) -> Answer:
    """Withdraw a suggestion."""
    study = visit.open(body.study)
    return _about(study, study.cancel(body.trial, body.reason, body.key))


def cancel_all(visit: Visit, body: CancelAllTool) -> Answer:
    """Withdraw every suggestion that is pending."""
    study = visit.open(body.study)
    gone = study.cancel_all(body.reason, body.key)
    numbers = [trial.number for trial in gone[:MOST_TRIALS_SHOWN]]
    said = f"{counted(len(gone), 'trial')} cancelled."
    return answer(said, cancelled=len(gone), trial_numbers=numbers, **standing(study))


def retract(visit: Visit, body: RetractTool) -> Answer:
    """Take an outcome back."""
    study = visit.open(body.study)
    return _about(study, study.retract(body.trial, body.reason, body.key))


def correct(visit: Visit, body: CorrectTool) -> Answer:
    """Replace a wrong outcome."""
    study = visit.open(body.study)
    return _about(study, acting.correct(study, body))


def extend(visit: Visit, body: ExtendTool) -> Answer:
    """Go on after the end."""
    study = visit.open(body.study)
    study.extend(body.trials, body.delta, body.reason, body.key)
    return answer(f"The study {study.name!r} goes on.", **standing(study))


def add_arm(visit: Visit, body: AddArmTool) -> Answer:
    """One more arm."""
    study = visit.open(body.study)
    acting.add_arm(study, body)
    now = standing(study)
    return answer(f"{body.arm} is part of the study {study.name!r}. {now['meaning']}", **now)


def retire_arm(visit: Visit, body: RetireArmTool) -> Answer:
    """One less."""
    study = visit.open(body.study)
    acting.retire_arm(study, body)
    now = standing(study)
    return answer(f"{body.arm} is retired from {study.name!r}. {now['meaning']}", **now)


def stop(visit: Visit, body: StopTool) -> Answer:
    """End the study."""
    study = visit.open(body.study)
    study.stop(body.reason, body.key)
    now = standing(study)
    return answer(f"The study {study.name!r} is stopped. {now['meaning']}", **now)


def _about(study: Study, trial: Trial) -> Answer:
    """What became of a trial, and where that leaves the study."""
    now = standing(study)
    text = trial.told_text(study.settings.every_criterion)
    value = f" = {text}" if text else ""
    said = f"Trial {trial.number} ({trial.arm}){value}: {trial.status}. {now['meaning']}"
    return answer(said, trial=trial_data(trial), **now)


TOOLS = (
    ToolEntry(
        "create_study",
        "Create a study",
        "Creates a study that looks for an arm whose mean outcome clears a threshold, or finds "
        "that none does. `arms` are the names of the options to compare, one or more; `threshold` "
        "is the bar for the mean, in the outcome's own units (0.9 for a success rate of 90 %); "
        "`outcome` is the kind of outcome, usually bernoulli (0 or 1). Give `delta` (0.05: wrong "
        "at most 5 times in 100) so that the study ends by itself, and `budget` to limit the "
        "number of trials. Fix the threshold before you see outcomes: no tool changes it later. "
        "`question` asks for more than one good arm; with several measurements give `criteria`, "
        "with a control `control` and `margin` or `lift`, in place of a threshold. "
        "Creating the same study again changes nothing; the same name with other settings is "
        "refused. Plan first if trials are expensive.",
        bodies.NewStudy,
        create_study,
        writes=True,
    ),
    ToolEntry(
        "ask",
        "Ask what to try next",
        "Suggests the next trial or trials: each has a number and the arm to try. Try every one "
        "and tell its outcome with that number. Ask for several (`n`, at most 100) to run them at "
        "once. An empty list means that there is nothing to try: the summary says why. Every call "
        "makes new suggestions unless it repeats a `key`, which gives the same ones again: use a "
        "fresh key for each request and repeat it if an answer was lost.",
        AskTool,
        ask,
        writes=True,
        repeatable=False,
    ),
    ToolEntry(
        "tell",
        "Tell an outcome",
        "Records the outcome of one trial: its number as `trial`, what came out as `value` (1 "
        "success, 0 failure for yes or no; an object by measurement where a trial has several). "
        "Tell every outcome, failures too: leaving some out because of their value breaks the "
        "guarantee. An outcome of an arm that you tried unasked "
        "has `arm` in place of `trial`, and should have a `key`. The same outcome told again "
        "changes nothing; another value for the same trial is refused: use correct. The answer "
        "says whether the study is decided.",
        TellTool,
        tell,
        writes=True,
        repeatable=False,
    ),
    ToolEntry(
        "tell_many",
        "Tell several outcomes",
        "Records outcomes that came in together, all or none; they count at one moment. Each has "
        "`trial` (its number) or `arm`, and `value`. Prefer it to many calls of tell. Give a `key` "
        "if any of them names an arm.",
        TellManyTool,
        tell_many,
        writes=True,
        repeatable=False,
    ),
    ToolEntry(
        "cancel",
        "Cancel a trial",
        "Withdraws one suggestion whose outcome will never come, for a reason that has nothing to "
        "do with what the outcome would have been. A trial that failed or timed out because of "
        "the arm is an outcome: tell it as a failure instead.",
        CancelTool,
        cancel,
        writes=True,
    ),
    ToolEntry(
        "cancel_all",
        "Cancel all pending trials",
        "Withdraws every pending suggestion of a study; the same caution as for cancel.",
        CancelAllTool,
        cancel_all,
        writes=True,
    ),
    ToolEntry(
        "correct",
        "Correct an outcome",
        "Replaces a wrongly recorded outcome of a trial by the right one, with the reason. The "
        "log keeps both. Only for mistakes in recording, never to improve a result.",
        CorrectTool,
        correct,
        writes=True,
    ),
    ToolEntry(
        "retract",
        "Take an outcome back",
        "Takes an outcome back that should never have been recorded, such as one of another "
        "study. The log keeps it, and readers are told.",
        RetractTool,
        retract,
        writes=True,
    ),
    ToolEntry(
        "extend",
        "Let a study go on",
        "Lets a study go on after its answer or beyond its budget: `trials` more suggestions, a "
        "smaller `delta` for more certainty, or both.",
        ExtendTool,
        extend,
        writes=True,
        repeatable=False,
    ),
    ToolEntry(
        "add_arm",
        "Add an arm",
        "Adds one more arm to a study that is under way, with a reason. The guarantee holds: the "
        "share of delta for arms that come later was laid aside when the study was created "
        "(`reserve`), or comes on top. `threshold` only where every arm has a bar of its own.",
        AddArmTool,
        add_arm,
        writes=True,
        repeatable=False,
    ),
    ToolEntry(
        "retire_arm",
        "Retire an arm",
        "Takes an arm out of a study, with a reason: it is not tried any more and cannot be named "
        "as good. Its outcomes stay in the log. There is no way back.",
        RetireArmTool,
        retire_arm,
        writes=True,
        repeatable=False,
    ),
    ToolEntry(
        "stop",
        "Stop a study",
        "Ends a study for good reason, such as money spent; nothing is suggested any more. "
        "Outcomes of pending trials may still be told. extend opens it again.",
        StopTool,
        stop,
        writes=True,
    ),
)
