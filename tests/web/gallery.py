"""Every page in every state: studies to look at, and where they are.

`furnish` fills a database; `ROOMS` says which addresses show what. The sweep for barriers
(test_sweep.py) and tools/page_pictures.py walk through the same rooms.
"""

import random
from typing import NamedTuple

from goodarm.study import Studies

MEDIA = ("DMEM + 10 % serum", "RPMI", "serum-free", "F12", "conditioned")
TRUTH = (0.42, 0.55, 0.85, 0.35, 0.58)
LONG = ("a name that somebody has copied from a label and that goes on and on and on " * 2).strip()


def compound(n: int) -> str:
    """The name of one of many; some are as long as labels are."""
    batch = ", batch 2026-03, dissolved in DMSO, second shelf of the freezer on the ground floor"
    return f"Compound {n:03d}{batch if n % 7 == 3 else ''}"


class Room(NamedTuple):
    """A page in one state: its name, its address, and what is there once it is complete."""

    name: str
    path: str
    wait: str = "main"


STUDY = "/studies/Cell~20culture"
CHART = ".chart svg[role=img]"
ROOMS = (
    Room("list", "/"),
    Room("list-of-a-tag", "/?tag=spring"),
    Room("list-put-away", "/?archived=yes"),
    Room("list-nothing-found", "/?q=nowhere"),
    Room("study", STUDY, "#glance-forecast strong"),
    Room("evidence", f"{STUDY}/evidence", CHART),
    Room("trials", f"{STUDY}/trials"),
    Room("log", f"{STUDY}/log"),
    Room("settings", f"{STUDY}/settings"),
    Room("option", f"{STUDY}/options/3", CHART),
    Room("trial-told", f"{STUDY}/trials/1"),
    Room("trial-open", "/studies/Yield/trials/7"),
    Room("audit", f"{STUDY}/verify"),
    Room("audit-of-a-wrong-head", f"{STUDY}/verify?head={'0' * 64}"),
    Room("not-begun", "/studies/Not~20begun"),
    Room("answered", "/studies/Which~20prompt"),
    Room("none-is-good", "/studies/None~20is~20good"),
    Room("stopped", "/studies/Stopped"),
    Room("measured", "/studies/Yield"),
    Room("measured-evidence", "/studies/Yield/evidence", CHART),
    Room("measured-option", "/studies/Yield/options/1", CHART),
    Room("many-options", "/studies/Many"),
    Room("many-evidence", "/studies/Many/evidence", CHART),
    Room("last-options", "/studies/Many?start=150"),
    Room("doses", "/studies/Doses"),
    Room("doses-evidence", "/studies/Doses/evidence", CHART),
    Room("doses-option", "/studies/Doses/options/1", CHART),
    Room("doses-settings", "/studies/Doses/settings"),
    Room("against-a-control", "/studies/Suppliers"),
    Room("durations", "/studies/Repairs"),
    Room("durations-trials", "/studies/Repairs/trials"),
    Room("grid", "/studies/Batch"),
    Room("spent", "/studies/Spent"),
    Room("archived", "/studies/Last~20year"),
    Room("forecast", f"{STUDY}/forecast"),
    Room("hostile", "/studies/~3cb~3ebold"),
    Room("compare", "/compare?study=Cell~20culture&study=Second~20culture", CHART),
    Room("compare-unlike", "/compare?study=Yield&study=Which~20prompt&study=Many", CHART),
    Room("compare-nothing", "/compare"),
    Room("words", "/words"),
    Room("new", "/new"),
    Room("plan", "/plan"),
    Room("outcomes", "/outcomes?kind=yes-no", "#price tbody tr"),
    Room("api", "/api"),
    Room("sessions", "/sessions"),
    Room("not-found", "/studies/nowhere"),
)


def furnish(studies: Studies) -> None:
    """Studies in every state, always the same."""
    chance = random.Random(7)
    culture = studies.create(
        "Cell culture", list(MEDIA), 0.6, "bernoulli", delta=0.05, budget=400, by="Ada", seed=1
    )
    for _ in range(45):
        trial = culture.ask()
        culture.tell(trial, float(chance.random() < TRUTH[MEDIA.index(trial.arm)]))
    culture.correct(4, 1.0 - (culture.trial(4).value or 0.0), "read the wrong well")
    culture.tag(["spring", "lab 3"])
    second = studies.create(
        "Second culture", [*MEDIA[:3], "F12 + serum"], 0.6, "bernoulli", delta=0.1, by="Ada", seed=2
    )
    for _ in range(20):
        trial = second.ask()
        second.tell(trial, float(chance.random() < 0.5))
    studies.create("Not begun", ["A", "B"], 0.5, "bernoulli", delta=0.05, seed=1)
    measured = studies.create("Yield", ["A", LONG, "C"], 2.0, "gaussian", delta=0.05, seed=1)
    for trial in measured.ask(6):
        measured.tell(trial, round(chance.gauss(2.2, 0.4), 3))
    for trial in measured.ask(3)[1:]:
        measured.tell(trial, round(chance.gauss(1.9, 0.4), 3))
    measured.amend(1.9, "a new supplier")
    many = studies.create(
        "Many", [compound(n) for n in range(1, 201)], 0.5, "bernoulli", delta=0.1, seed=1
    )
    many.tell_many(
        [(compound(n), float(chance.random() < n / 260)) for n in range(1, 190) for _ in range(8)]
    )
    hostile = studies.create(
        "<b>bold",
        ["<img src=x onerror=alert(1)>", "الخيار الأول", "x" * 200],
        0.5,
        "bernoulli",
        delta=0.1,
    )
    hostile.tell_many([("x" * 200, 1.0), ("الخيار الأول", 0.0)])
    furnish_ends(studies, chance)
    furnish_other_questions(studies, chance)


def furnish_ends(studies: Studies, chance: random.Random) -> None:
    """Answered, stopped, used up, put away; and one with a batch on the way."""
    prompts = studies.create(
        "Which prompt", ["short", "long", "polite"], 0.7, "bernoulli", delta=0.05
    )
    prompts.tell_many([("long", 1.0)] * 30 + [("short", 0.0)] * 5 + [("polite", 1.0)] * 4)
    prompts.tag(["spring"])
    none = studies.create("None is good", ["left", "right"], 0.5, "bernoulli", delta=0.1)
    none.tell_many([("left", 0.0)] * 20 + [("right", 0.0)] * 20)
    stopped = studies.create("Stopped", ["only"], 0.5, "bernoulli")
    stopped.tell_many([("only", 1.0), ("only", 0.0)])
    stopped.stop("the supplier is gone")
    away = studies.create("Last year", ["A", "B"], 0.5, "bernoulli", delta=0.1)
    away.tell_many([("A", 1.0)] * 25)
    away.archive("done")
    spent = studies.create("Spent", ["A", "B"], 0.5, "bernoulli", delta=0.05, budget=8, seed=1)
    for trial in spent.ask(8):
        spent.tell(trial, float(chance.random() < 0.5))
    batch = studies.create("Batch", list(MEDIA), 2.0, "gaussian:0.4", delta=0.05, seed=1)
    for trial in batch.ask(5):
        batch.tell(trial, round(chance.gauss(1.9, 0.4), 2))
    batch.ask(4)


def furnish_other_questions(studies: Studies, chance: random.Random) -> None:
    """Several criteria, options that come and go; counts against a control; durations."""
    details = {
        "40 mg": {"label": "Four tablets a day", "cost": 4, "note": "needs a nurse"},
        "5 mg": {"label": "Half a tablet a day"},
    }
    doses = studies.create(
        "Doses",
        ["5 mg", "10 mg", "20 mg", "40 mg"],
        None,
        None,
        criteria=["efficacy:bernoulli>=0.3", "harm:bernoulli<=0.1"],
        question="all",
        delta=0.1,
        seed=1,
        details=details,
    )
    rates = {
        "5 mg": (0.05, 0.01),
        "10 mg": (0.3, 0.03),
        "20 mg": (0.6, 0.03),
        "40 mg": (0.7, 0.3),
        "15 mg": (0.5, 0.02),
    }
    for step in range(120):
        if step == 60:
            doses.add_arm("15 mg", "asked for by the ward", label="A tablet and a half", cost=2)
        if doses.finished:
            break
        trial = doses.ask()
        helps, harms = rates[trial.arm]
        told = {
            "efficacy": float(chance.random() < helps),
            "harm": float(chance.random() < harms),
        }
        doses.tell(trial, told)
    doses.retire_arm("40 mg", "no nurse until May")
    doses.tell(doses.ask(), {"efficacy": 1.0})
    suppliers = studies.create(
        "Suppliers",
        ["Ours", "Cheap & Co", "Fast Ltd"],
        None,
        "bernoulli",
        control="Ours",
        margin=-0.05,
        delta=0.05,
        seed=1,
    )
    for name, good, of in (("Ours", 950, 1000), ("Cheap & Co", 560, 600), ("Fast Ltd", 211, 250)):
        suppliers.tell(name, good, size=of)
    suppliers.ask()
    repairs = studies.create(
        "Repairs", ["In house", "Contractor"], 6.0, "exponential", delta=0.1, goal="below", seed=1
    )
    for n in range(14):
        name, mean = (("In house", 4.0), ("Contractor", 9.0))[n % 2]
        repairs.tell(name, round(chance.expovariate(1 / mean), 1), note="hours")
    repairs.tell("Contractor", 30, size=0)  # still not done after 30 hours
