"""How a study and its trials are put to an agent: a sentence first, and no more than fits."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from goodarm.study import Study, Trial
from goodarm.wording import counted

MOST_ARMS_SHOWN = 60  # with the strongest evidence for and against
MOST_TRIALS_SHOWN = 100
MOST_ARMS_NAMED = 10

Answer = dict[str, Any]


def answer(sentence: str, **data: Any) -> Answer:
    """What a tool gives: the gist in plain English, and the facts."""
    return {"summary": sentence, **data}


def standing(study: Study) -> Answer:
    """Where a study stands, in a few facts."""
    now = study.status()
    return {
        "study": now.name,
        "state": now.state,
        "meaning": now.meaning,
        "decided": now.decided,
        "decision": now.decision,
        "answer": now.answer,
        "confidence": now.confidence,
        "told": now.trials,
        "pending": now.pending,
        "next_arm": now.next_arm,
    }


def whole_status(study: Study, simultaneous: bool = False) -> Answer:
    """Everything that is known of a study, within bounds."""
    now = study.status(simultaneous)
    pending = study.pending
    data = now.to_dict()
    arms = sorted(data["arms"], key=lambda arm: -float(arm["W"]))
    half = MOST_ARMS_SHOWN // 2
    shown = arms if len(arms) <= MOST_ARMS_SHOWN else [*arms[:half], *arms[-half:]]
    what_next = "" if now.next_arm is None else f" Next to try: {now.next_arm}."
    return answer(
        now.meaning + what_next,
        **data
        | {
            "arms": shown,
            "arms_left_out": len(arms) - len(shown),
            "pending": [trial_data(trial) for trial in pending[:MOST_TRIALS_SHOWN]],
            "pending_in_all": len(pending),
        },
    )


def trial_data(trial: Trial) -> Answer:
    """A trial, without what is not known of it."""
    return {name: value for name, value in trial.to_dict().items() if value is not None}


def per_arm(trials: Sequence[Trial]) -> str:
    """How many trials of which arm, for a sentence."""
    many = Counter(trial.arm for trial in trials)
    named = [f"{count} of {arm}" for arm, count in many.most_common(MOST_ARMS_NAMED)]
    rest = len(many) - len(named)
    return ", ".join(named) + (f" and {counted(rest, 'other arm')}" if rest else "")
