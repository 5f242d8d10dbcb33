"""Lives of a study, drawn by hypothesis and lived in several databases side by side.

Whatever is done is done in each of them, through a handle that may have been opened long before,
and must have the same result or the same error. At the end the logs say the same and are sound. The
benchmark lives longer ones, in which processes are killed in the middle of a request.
"""

import io
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from goodarm.errors import InputError
from goodarm.study import Study
from goodarm.study.actions import OutcomeEntry, request_key
from goodarm.study.asking import exchange
from goodarm.study.log.events import read_event
from goodarm.study.log.verify import Audit
from goodarm.study.log.writing import Writing
from goodarm.study.storage import Store

ARMS = ["A", "B", "C"]
OUTCOMES: dict[str, tuple[float, list[tuple[Any, float | None]]]] = {
    # The bar, and outcomes with their sizes.
    "bernoulli": (0.5, [(0.0, None), (1.0, None), (1.0, None), (3, 7), (9, 9)]),
    "bounded:-1:3": (0.25, [(-1.0, None), (0.5, None), (2.75, None), (3.0, None)]),
    "gaussian:0.7": (0.1, [(-0.4, None), (0.1, None), (1.3, None), (0.9, None), (900.0, None)]),
    "gaussian": (0.0, [(-1.5, None), (0.25, None), (0.75, None), (2.0, None)]),
    "poisson": (2.0, [(0, None), (3, None), (4, 1.5), (7, 2.5)]),
}
SHARES: list[tuple[Any, None]] = [(0.0, None), (1.0, None), (1.0, None)]
BOTH = ["works:bernoulli>=0.3", "harms:bernoulli<=0.4"]
QUESTIONS: dict[str, tuple[dict[str, Any], list[tuple[Any, None]]]] = {
    # What is declared besides the arms, and outcomes.
    "all": ({"outcome": "bernoulli", "threshold": 0.5, "question": "all"}, SHARES),
    "top": ({"outcome": "gaussian:1", "threshold": 0.5, "question": "top:2"}, SHARES),
    "in-order": (
        {"outcome": "bernoulli", "threshold": [0.3, 0.4, 0.5], "question": "in-order"},
        SHARES,
    ),
    "criteria": (
        {"criteria": BOTH, "question": "all", "reserve": 0.1},
        [
            ({"works": 1, "harms": 0}, None),
            ({"harms": 1}, None),
            ({"works": 0}, None),
            ({"works": 1}, None),
        ],
    ),
    "control": (
        {"outcome": "bernoulli", "control": "B", "margin": 0.05, "decide": "as-told"},
        SHARES,
    ),
}
OF_KNOWN_SCATTER = ("bernoulli", "bounded:-1:3", "gaussian:0.7")
OPTIONS: dict[str, list[Any]] = {
    "delta": [None, 0.2, 0.05],
    "algorithm": ["Prospector", "APGAI-FE", "APGAI", "Unif"],
    "goal": ["above", "below"],
    "budget": [None, None, 12],
    "lease": [None, 60],
    "boundary": ["mixture", "mixture", "glr"],
    "decide": ["as-asked", "as-asked", "as-told"],
}
CLOSED, AGAIN, KILLED = 0.15, 0.25, 0.2  # how often a handle is opened anew, and so on
GOES_ON, IMPORTED = 0.4, 0.6
ACTIVE = st.integers(0, 60)  # a trial, perhaps
Act = Callable[[Study], Any]


class Lives(RuleBasedStateMachine):
    """One study in several databases. A subclass says where they are."""

    urls: Sequence[str]
    clock: Any
    child: Any = None  # makes a process of a piece of work; None: nobody is killed
    number = made = killed = 0  # of lives, requests and processes so far
    kinds: ClassVar[Counter[str]] = Counter()  # of events

    def __init__(self) -> None:
        super().__init__()
        Lives.number += 1
        self.names, self.requests = [f"life {Lives.number}"], 0
        self.studies: list[Study] = []
        self.seals: list[str] = []

    @initialize(
        kind=st.sampled_from([*sorted(OUTCOMES), *sorted(QUESTIONS)]),
        options=st.fixed_dictionaries({k: st.sampled_from(v) for k, v in OPTIONS.items()}),
        seed=st.integers(0, 99),
    )
    def create(self, kind: str, options: dict[str, Any], seed: int) -> None:
        """The study begins, with the same settings everywhere."""
        self.chance = random.Random(seed)
        if kind in QUESTIONS:
            asked, self.outcomes = QUESTIONS[kind]
            options = options | {"boundary": "mixture", "goal": "above"} | asked
            if kind == "criteria":
                del options["goal"]
        else:
            bar, self.outcomes = OUTCOMES[kind]
            options = options | {"threshold": bar, "outcome": kind}
            if kind not in OF_KNOWN_SCATTER:
                options = options | {"boundary": "mixture"}
        self.kind = kind
        for url in self.urls:
            store = Store(url, clock=self.clock)
            made = Study.create(self.names[-1], ARMS, storage=store, seed=seed, **options)
            self.studies.append(made)

    @rule(
        n=st.integers(1, 5),
        arm=st.sampled_from([None, None, *ARMS]),
        lease=st.sampled_from([None, 30]),
    )
    def ask(self, n: int, arm: str | None, lease: float | None) -> None:
        """Suggestions."""
        key = self.key()
        self.everywhere(lambda study: study.ask(n, arm=arm, lease=lease, key=key))

    @rule(trial=ACTIVE, pick=st.integers(0, 9), sure=st.booleans())
    def tell(self, trial: int, pick: int, sure: bool) -> None:
        """The outcome of a trial, often of one that is awaited."""
        value, size = self.outcome(pick)
        number = self.awaited(trial)
        self.everywhere(lambda study: study.tell(number, value, sure=sure, size=size))

    @rule(trial=ACTIVE, pick=st.integers(0, 9))
    def answer(self, trial: int, pick: int) -> None:
        """The same; many outcomes make a life."""
        self.tell(trial, pick, True)

    @rule(arm=st.sampled_from([*ARMS, "D"]), pick=st.integers(0, 9))
    def tell_arm(self, arm: str, pick: int) -> None:
        """An outcome that nobody asked for."""
        (value, size), key = self.outcome(pick), self.key()
        self.everywhere(
            lambda study: study.tell(arm, value, note="by hand", key=key, sure=True, size=size)
        )

    @rule(picks=st.lists(st.tuples(ACTIVE, st.integers(0, 9)), max_size=12))
    def tell_many(self, picks: list[tuple[int, int]]) -> None:
        """Outcomes that came in together, of trials and of arms."""
        told = [
            (ARMS[a % 3] if a % 2 else self.awaited(a), *self.outcome(pick)) for a, pick in picks
        ]
        key = self.key()
        self.everywhere(lambda study: study.tell_many(told, sure=True, key=key))

    @rule(arm=st.sampled_from(ARMS), pick=st.integers(0, 9))
    def agree(self, arm: str, pick: int) -> None:
        """Many of one kind, which may well settle it; and perhaps it goes on all the same."""
        told, key = [(arm, *self.outcome(pick))] * 14, self.key()
        self.everywhere(lambda study: study.tell_many(told, sure=True, key=key))
        if self.chance.random() < GOES_ON:
            self.extend(None, None)

    @rule(picks=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), max_size=9))
    def import_csv(self, picks: list[tuple[int, int]]) -> None:
        """Outcomes from before."""
        rows = [(ARMS[a], self.outcome(pick)[0]) for a, pick in picks]
        if self.kind == "criteria":
            cells = [f"{v.get('works', '')},{v.get('harms', '')}" for _, v in rows]
            text = "arm,works,harms\n"
        else:
            cells, text = [repr(value) for _, value in rows], "arm,value\n"
        text += "".join(f"{arm},{cell}\n" for (arm, _), cell in zip(rows, cells, strict=True))
        source = self.key()
        if self.chance.random() < IMPORTED:
            self.everywhere(lambda study: study.import_csv(io.StringIO(text), source, sure=True))
        else:
            self.everywhere(lambda study: study.tell_csv(io.StringIO(text), True, source))

    @rule(trial=ACTIVE)
    def cancel(self, trial: int) -> None:
        """A suggestion is withdrawn."""
        number = self.awaited(trial)
        self.everywhere(lambda study: study.cancel(number, "lost"))

    @rule()
    def cancel_all(self) -> None:
        """All of them are."""
        self.everywhere(lambda study: study.cancel_all("strike"))

    @rule(trial=ACTIVE)
    def retract(self, trial: int) -> None:
        """An outcome is taken back."""
        self.everywhere(lambda study: study.retract(trial, "spilt"))

    @rule(trial=ACTIVE, pick=st.integers(0, 9))
    def correct(self, trial: int, pick: int) -> None:
        """An outcome is replaced."""
        value, size = self.outcome(pick)
        self.everywhere(lambda study: study.correct(trial, value, "typing", sure=True, size=size))

    @rule(trials=st.sampled_from([None, 1, 8]), delta=st.sampled_from([None, 0.3, 0.1, 0.01]))
    def extend(self, trials: int | None, delta: float | None) -> None:
        """It goes on."""
        key = self.key()
        self.everywhere(lambda study: study.extend(trials, delta, "on", key))

    @rule(bar=st.sampled_from([None, 0.2, 0.4]), boundary=st.sampled_from([None, "mixture", "glr"]))
    def amend(self, bar: float | None, boundary: str | None) -> None:
        """The bar or the stopping rule changes."""
        key = self.key()
        self.everywhere(lambda study: study.amend(bar, "protocol", key, boundary))

    @rule(arm=st.sampled_from([*ARMS, "D", "E"]), away=st.booleans())
    def come_and_go(self, arm: str, away: bool) -> None:
        """An arm is retired, or another one is added."""
        key, bar = self.key(), 0.6 if self.kind == "in-order" else None
        if away:
            self.everywhere(lambda study: study.retire_arm(arm, "sold out", key))
        else:
            self.everywhere(lambda study: study.add_arm(arm, "is new", threshold=bar, key=key))

    @rule(trial=ACTIVE, lease=st.integers(1, 90))
    def renew(self, trial: int, lease: int) -> None:
        """A trial takes longer; said again, it takes longer still."""
        number = self.awaited(trial)
        self.everywhere(lambda study: study.renew(number, lease), once=True)

    @rule(
        ended=st.lists(st.tuples(ACTIVE, st.integers(0, 9)), max_size=4),
        wanted=st.integers(0, 4),
    )
    def exchange(self, ended: list[tuple[int, int]], wanted: int) -> None:
        """A worker hands in what it has made, and takes more, in one request."""
        entries = {}
        for trial, pick in ended:
            value, size = self.outcome(pick)
            entries[self.awaited(trial)] = OutcomeEntry(value, size, sure=True)
        key = request_key(self.key())

        def work(writing: Writing) -> tuple[Any, ...]:
            told, refused, asked = exchange(writing, entries, wanted, 45.0, key)
            return told, {number: str(error) for number, error in refused.items()}, asked

        self.everywhere(lambda study: study._ledger.commit(work))

    @rule()
    def seal(self) -> None:
        """A short text is kept elsewhere; it vouches for the log as it is now."""
        self.seals = [study.seal().text() for study in self.studies]

    @rule()
    def stop(self) -> None:
        """It ends, by a person."""
        key = self.key()
        self.everywhere(lambda study: study.stop("tea", key))

    @rule(old=st.booleans())
    def rename(self, old: bool) -> None:
        """It has another name, or one that it had before."""
        name = self.chance.choice(self.names) if old else f"{self.names[0]}.{len(self.names)}"
        key = self.key()
        self.everywhere(lambda study: study.rename(name, "clearer", key))
        self.names.append(name)

    @rule(away=st.booleans(), add=st.sampled_from(["", "x", "y"]))
    def file(self, away: bool, add: str) -> None:
        """It is put away or brought back, and has other tags."""
        key, remove = self.key(), [tag for tag in ("x", "y") if tag != add]
        self.everywhere(lambda study: (study.archive if away else study.unarchive)("tidy", key))
        self.everywhere(lambda study: study.tag([add] if add else [], remove, f"{key}, tags"))

    @rule(seconds=st.integers(-100, 200))
    def move_clock(self, seconds: int) -> None:
        """The servers' clock jumps, also back."""
        self.clock.move(seconds=seconds)

    @precondition(lambda self: self.studies)
    @invariant()
    def same_everywhere(self) -> None:
        """Nobody can tell from what a study says in which database it is."""
        seen = [study.status().to_dict() | {"head": ""} for study in self.studies]
        for other in seen[1:]:
            assert {k: (v, other[k]) for k, v in seen[0].items() if v != other[k]} == {}

    def teardown(self) -> None:
        """The logs say the same and are sound, and a fresh look shows what the old one does."""
        logs = []
        for study, seal in zip(self.studies, self.seals or [None] * 9, strict=False):
            found = study.verify(seal=seal)
            assert found.problems == (), found.problems
            events = study.events()
            Lives.kinds.update(stored.kind for stored in events)
            logs.append([meaning(stored.text) for stored in events])
            straight = Audit(events)
            straight.run({}, None)
            assert straight.fold is not None
            assert straight.fold.head == study.head
            fresh = Study.load(study.name, Store(study._ledger.store.url.render_as_string(False)))
            fresh._ledger.store.clock = self.clock
            assert fresh.status() == study.status()
            for store in (fresh._ledger.store, study._ledger.store):
                store.close()
        assert all(log == logs[0] for log in logs)

    def key(self) -> str:
        """A key of a request's own."""
        self.requests += 1
        return f"{self.names[0]}, request {self.requests}"

    def outcome(self, pick: int) -> tuple[Any, float | None]:
        """One of those that can be."""
        return self.outcomes[pick % len(self.outcomes)]

    def awaited(self, trial: int) -> int:
        """A trial that is awaited, if there is one and the number is even."""
        pending = [one.number for one in self.studies[0].pending]
        return pending[trial % len(pending)] if pending and trial % 2 == 0 else trial

    def everywhere(self, act: Act, once: bool = False) -> None:
        """Do something in every database; the results, or errors, are the same."""
        results = []
        again = self.chance.random() < AGAIN and not once
        Lives.made += 1
        for position, study in enumerate(self.studies):
            if self.chance.random() < CLOSED:
                study._ledger.store.close()
                store = Store(study._ledger.store.url.render_as_string(False), clock=self.clock)
                study = self.studies[position] = Study.load(study.name, store)
            if self.child is not None and not once and self.chance.random() < KILLED:
                # Whether it was done or not: asked again, it has been done once.
                worker = self.child(lambda say, study=study: attempt(act, study))
                worker.kill_after(self.chance.uniform(0.0, 0.02))
                Lives.killed += 1
            results.append(attempt(act, study))
            if again:  # a repeated request changes nothing
                before = study.seq
                attempt(act, study)
                assert study.seq == before
        assert all(result == results[0] for result in results), results


def attempt(act: Act, study: Study) -> Any:
    """What comes of it: a result, or an error's kind and text."""
    try:
        return act(study)
    except InputError as error:
        return type(error).__name__, str(error)


def meaning(text: str) -> tuple[object, ...]:
    """What an event says, whichever study it is of."""
    event = read_event(text)
    key = None if event.key is None else event.key.partition("auto/")[0]
    body = dict(event.body)
    body.pop("fingerprint", None)
    return (event.seq, event.kind, event.at, event.by, key, body)
