"""Every page in every state: studies to look at, and where they are.

`furnish` fills a database; `PAGES` says which addresses show what. The sweep for barriers
(test_sweep.py) and the pictures of docs/web.md (pictures.py) walk through the same rooms.
"""

import random
from typing import NamedTuple

from goodarm.study import Studies

MEDIA = ("DMEM + 10 % serum", "RPMI", "serum-free", "F12", "conditioned")
TRUTH = (0.42, 0.55, 0.81, 0.35, 0.58)
LONG = ("a name that somebody has copied from a label and that goes on and on and on " * 2).strip()


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
    chance = random.Random(4)
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
    measured = studies.create("Yield", ["A", LONG, "C"], 2.0, "gaussian", delta=0.05, seed=1)
    for trial in measured.ask(6):
        measured.tell(trial, round(chance.gauss(2.2, 0.4), 3))
    for trial in measured.ask(3)[1:]:
        measured.tell(trial, round(chance.gauss(1.9, 0.4), 3))
    measured.amend(1.9, "a new supplier")
    many = studies.create(
        "Many", [f"Compound {n:03d}" for n in range(1, 201)], 0.5, "bernoulli", delta=0.1, seed=1
    )
    many.tell_many(
        [
            (f"Compound {n:03d}", float(chance.random() < n / 260))
            for n in range(1, 190)
            for _ in range(8)
        ]
    )
    hostile = studies.create(
        "<b>bold",
        ["<img src=x onerror=alert(1)>", "الخيار الأول", "x" * 200],
        0.5,
        "bernoulli",
        delta=0.1,
    )
    hostile.tell_many([("x" * 200, 1.0), ("الخيار الأول", 0.0)])
    away = studies.create("Last year", ["A"], 0.5, "bernoulli", delta=0.1)
    away.archive("done")
