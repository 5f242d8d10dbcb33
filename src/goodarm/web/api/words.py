"""What every field of the API means, with an example, where the shapes do not say it themselves.

Most fields repeat records of the study, whose own words are meant for Python. A field has the same
meaning and example wherever it occurs, unless it is listed with its shape.
"""

from typing import Any, NamedTuple


class Word(NamedTuple):
    """The meaning of a field, used where the shape has none, and an example."""

    meaning: str
    example: Any


HASH = "9f2c4e0d7b1a58c36e94f0d2a7b5c81e3d6f4a29b0c7e5d8f1a3b6c9e2d4f708"
MOMENT = "2026-01-31T12:00:00.000000Z"
WORDS: dict[str, Word] = {
    "W": Word("The evidence.", 1.7),
    "bar": Word("What its mean must clear; null against a control.", 0.5),
    "control": Word("The arm that the others are compared with.", "today's"),
    "cost": Word("What a trial costs.", 2.5),
    "criteria": Word("What an arm must do to be good.", ["efficacy:bernoulli>=0.3"]),
    "decisions": Word("The arms that the stopping rule has named.", ["red"]),
    "details": Word("What is known of arms besides names.", {"red": {"cost": 2.5}}),
    "is_plain": Word("Whether it is about one good arm and one bar.", True),
    "label": Word("A longer name.", "The red one"),
    "lift": Word("How much better than the control, as a share.", 0.1),
    "margin": Word("How much better than the control.", 0.02),
    "measurements": Word("What is known of each measurement, if there are several.", []),
    "question": Word("What is asked.", "all"),
    "reserve": Word("The share of delta kept for arms added later.", 0.1),
    "risk": Word("How probable a wrong answer may be.", 0.05),
    "spent": Word("What all trials have cost; null where arms have no cost.", 120.0),
    "standing": Word("What is certain of the arm.", "undecided"),
    "values": Word("Its measurements, if there are several.", {"efficacy": 1}),
    "StudyShape.answers": Word("The arms to bet on now, best first.", ["red"]),
    "Trial.sizes": Word("What its measurements are out of.", {"clicks": 1000}),
    "add": Word("Tags to add.", ["spring"]),
    "added": Word("How many outcomes were added.", 12),
    "aim": Word("What its mean must clear, as known so far.", 0.5),
    "algorithm": Word("The algorithm that chooses what is tried.", "Prospector"),
    "algorithms": Word("The algorithms to compare.", ["Prospector", "APGAI-FE"]),
    "already": Word("How many were there before, from the same source.", 3),
    "answer": Word("The arm to bet on now; null if none looks good.", "red"),
    "answers": Word("What the futures end with.", {"red": 0.9, "": 0.1}),
    "archived": Word("Whether lists leave it out.", False),
    "arm": Word("The arm's name.", "red"),
    "arms": Word("The arms.", ["red", "blue"]),
    "Listed.arms": Word("How many arms there are.", 2),
    "StudyShape.arms": Word("What is known of each arm, in the order of their declaration.", []),
    "asked_at": Word("When it was suggested, UTC.", MOMENT),
    "assumes": Word("What the forecast takes for granted.", "outcomes independent"),
    "at": Word("When it was observed.", "2026-01-31T12:00:00Z"),
    "batch": Word("Also in batches of this size.", 10),
    "boundary": Word("The stopping rule.", "mixture"),
    "StudyShape.boundary": Word("What the evidence must reach, with glr.", 4.2),
    "brief": Word("Answer with a number only.", True),
    "budget": Word("The most trials.", 500),
    "by": Word("Who did it.", "ana"),
    "candidates": Word("Every outcome model with its verdict, the best first.", []),
    "cautions": Word(
        "What a reader of the confidence has to know.",
        [{"level": "note", "text": "the threshold was changed"}],
    ),
    "code": Word("The kind of problem.", "conflict"),
    "columns": Word("Of a table: those of value and size.", ["successes", "trials"]),
    "confidence": Word("1 minus the smallest delta at which the study would end now.", 0.97),
    "confirm": Word("What has to be confirmed.", "the outcomes are independent"),
    "Problem.confirm": Word("Fields to send again with.", {"sure": True}),
    "count": Word("How many outcomes it has.", 12),
    "created_at": Word("When the study was created, UTC.", MOMENT),
    "csv": Word("Lines under a header.", "arm,value\nred,1\nblue,0"),
    "data": Word("Recorded outcomes.", "arm,value\nred,1\nblue,0"),
    "decide": Word("When an outcome counts.", "as-asked"),
    "decided": Word("Whether the stopping rule has spoken.", False),
    "decision": Word("The arm that it has named; null for none, or before it has spoken.", "red"),
    "delay": Word("Outcomes are known so much later.", 2),
    "delta": Word("The risk of a wrong answer that is accepted; null for none.", 0.05),
    "doubts": Word("What speaks against it.", []),
    "error": Word("What went wrong and what to do.", "trial: there is no trial 7"),
    "events": Word("The number of the last event.", 42),
    "EventList.events": Word("The events, oldest first.", []),
    "expires_at": Word("When it stops counting as pending, UTC; null for never.", MOMENT),
    "facts": Word("What can be seen in the outcomes.", {"outcomes": 20}),
    "finished": Word("The share of futures that end within the horizon.", 0.95),
    "fits": Word("Whether the outcomes can be its own.", True),
    "form": Word("How it is written.", "bounded:LO[:HI]"),
    "goal": Word("Whether good is above or below the threshold.", "above"),
    "hash": Word("The hash of the text, which fixes all events up to it.", HASH),
    "head": Word("The hash of the last event, which fixes the whole log.", HASH),
    "high": Word("Upper end.", 0.81),
    "Forecast.high": Word(
        "Nine of ten futures end after at most so many trials; null: more than the horizon.", 120
    ),
    "hint": Word("What a value of it looks like.", "0.2"),
    "horizon": Word("How many trials were looked ahead.", 8000),
    "id": Word("The name as it stands in addresses.", "Cell~20culture"),
    "PlanShape.id": Word("The number of the plan, as it stands in addresses.", "Zk3v9QbW1xYt"),
    "interval_delta": Word("The risk of each limit.", 0.05),
    "key": Word("Makes a repetition harmless.", "robot-1/17"),
    "kind": Word("What happened: created, asked, told and so on.", "told"),
    "lease": Word("Seconds until it expires.", 3600),
    "level": Word("How serious it is.", "note"),
    "limit": Word("The most trials that are allowed; null for no limit.", 500),
    "low": Word("Lower end.", 0.42),
    "Forecast.low": Word("Nine of ten futures need more trials than this.", 20),
    "mean": Word("The average of its outcomes; null if it has none.", 0.63),
    "meaning": Word("The state in a sentence.", "so far, red looks best"),
    "means": Word("Guesses.", [0.3, "0.4..0.8"]),
    "median": Word("Half of the futures end after at most so many trials.", 50),
    "n": Word("How many.", 1),
    "name": Word("The name.", "Cell culture"),
    "names": Word("The arms' names.", ["red", "blue"]),
    "next_arm": Word("What would be suggested now; null when the study has ended.", "red"),
    "note": Word("A remark.", "second plate"),
    "number": Word("The number that names the trial.", 1),
    "observed_at": Word("When it was observed.", MOMENT),
    "open": Word("How many suggestions have no outcome yet.", 2),
    "optional": Word("Whether it may be left out.", False),
    "outcome": Word("What an outcome is.", "bernoulli"),
    "outcomes": Word("The outcomes.", [{"trial": 1, "value": 1}, {"arm": "red", "value": 0}]),
    "parameters": Word("Its parameters.", []),
    "pending": Word("The suggestions whose outcomes are awaited, oldest first.", []),
    "ArmReport.pending": Word("How many suggestions have no outcome yet.", 1),
    "per_arm": Word("Whether it may differ by arm.", True),
    "per_day": Word("Trials a day.", 20),
    "plan": Word("The plan; null until it is finished.", None),
    "reason": Word("Why; the log keeps it.", "a typing mistake"),
    "remove": Word("Tags to remove.", ["old"]),
    "runs": Word("How many runs are simulated.", 1000),
    "scatter": Word("A standard deviation.", 0.2),
    "seed": Word("What chance is derived from.", 1),
    "seq": Word("The event's number: 1, 2, 3 and so on.", 7),
    "share": Word("How much is done, from 0 to 1.", 0.4),
    "simultaneous": Word("Whether limits hold together.", False),
    "size": Word("What the value is out of.", 1000),
    "sizes": Word("How a size is typed.", "37/1000"),
    "source": Word("Where the lines come from.", "plate-7.csv"),
    "state": Word("open, decided, spent or stopped.", "open"),
    "PlanShape.state": Word("waiting, running, finished or failed.", "running"),
    "status": Word("What became of it.", "told"),
    "stopped": Word("Why it was stopped; null if nobody has.", "enough"),
    "stopping_rule": Word("What decides.", "mixture"),
    "studies": Word("The studies, the latest changed first.", []),
    "suggested": Word("The outcome model that fits best.", "bernoulli"),
    "summary": Word("What it is for, in a sentence.", "Yes or no."),
    "sure": Word("Record it however unlikely it is.", False),
    "tags": Word("Words by which studies are found together.", ["spring"]),
    "text": Word("The text.", '{"at":"2026-01-31T12:00:00.000000Z","body":{}}'),
    "Caution.text": Word("What to know, in a sentence.", "the threshold was changed"),
    "threshold": Word("The threshold that a mean must clear.", 0.5),
    "title": Word("What it is called.", "Yes or no"),
    "told": Word("How many outcomes there are.", 40),
    "told_at": Word("When the outcome was recorded, UTC; null if there is none.", MOMENT),
    "total": Word("How many there are, whatever the limit.", 2),
    "EventList.total": Word("The number of the last event: how many there are.", 42),
    "trial": Word("The number of the trial.", 1),
    "trials": Word("How many outcomes there are.", 40),
    "unfinished": Word("The share of futures that take longer than the horizon.", 0.05),
    "unknown": Word("How many arms there are.", 5),
    "updated_at": Word("When the last event was added, UTC.", MOMENT),
    "value": Word("What came out; null if nothing is known yet.", 1),
    "waiting": Word("Outcomes that do not count yet.", 0),
    "waiting_for": Word("The trials that they wait for.", [3]),
    "watched": Word("What is watched while outcomes come in.", ["drift"]),
    "why": Word("The reason, in a sentence.", "every outcome is 0 or 1"),
}
PARAMETERS: dict[str, Word] = {
    "study_id": Word("The study's id.", "Cell~20culture"),
    "number": Word("The number of a trial, or of a plan.", "1"),
    "kind": Word("csv, json or parquet.", "csv"),
    "search": Word("A part of the name.", "culture"),
    "tag": Word("A tag.", "spring"),
    "archived": Word("Those that were put away.", False),
    "limit": Word("At most so many.", 100),
    "offset": Word("Skip so many.", 0),
    "after": Word("The number of an event.", 0),
    "simultaneous": Word("Limits that hold together.", False),
    "head": Word("A hash noted earlier.", HASH),
    "accept": Word("What to answer with.", "application/json"),
    "if-none-match": Word("An ETag.", 'W/"5d41402abc4b2a76b9719d911017c592"'),
    "last-event-id": Word("The last event that came through.", 41),
}


def explain(openapi: dict[str, Any]) -> dict[str, Any]:
    """A description in which every field and every parameter has a meaning and an example."""
    for shape, schema in openapi["components"]["schemas"].items():
        for name, field in schema.get("properties", {}).items():
            word = WORDS.get(f"{shape}.{name}") or WORDS.get(name)
            if word is not None:
                field.setdefault("description", word.meaning)
                field.setdefault("examples", [word.example])
    for operations in openapi["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                word = PARAMETERS.get(parameter["name"])
                if word is not None:
                    parameter.setdefault("description", word.meaning)
                    parameter.setdefault("example", word.example)
    return openapi
