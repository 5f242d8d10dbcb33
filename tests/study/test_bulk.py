"""Many outcomes at once: as one by one, all or none, once, and in little memory."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goodarm import Bernoulli, Gaussian, InputError, Study
from goodarm.study import ConflictError, UnlikelyOutcomeError
from goodarm.study.log import writing
from goodarm.study.log.checkpoint import write_checkpoint
from goodarm.study.log.events import Event, canonical
from goodarm.study.storage import Store

MANY = 1_700  # several blocks, and more than a page of the log's events


def new(storage: Any) -> Study:
    return Study.create("s", ["A", "B", "C"], 0.5, Bernoulli(), 0.01, storage=storage, seed=1)


@pytest.fixture
def made(store: Store) -> Study:
    return new(store)


def state(study: Study) -> str:
    """Everything that the log amounts to, but for its hash."""

    def text(fold: Any) -> str:
        fold.head = ""
        return write_checkpoint(fold)

    return Study.load(study.name, study._ledger.store)._ledger.look(text)


def drawn(many: int, seed: int = 1) -> list[tuple[str, int]]:
    chance = random.Random(seed)
    return [(chance.choice("ABC"), int(chance.random() < 0.4)) for _ in range(many)]


def test_a_batch_is_what_its_outcomes_are_one_by_one(
    made: Study, clock: Any, tmp_path: Path
) -> None:
    """Trials and outcomes that nobody asked for, mixed; only the moment of judging differs."""
    single = new(Store(tmp_path / "s.db", clock=clock))
    chance = random.Random(3)
    outcomes: list[tuple[int | str, int]] = list(drawn(MANY))
    for study in (made, single):
        study.ask(30)
    outcomes[100:100] = [(trial, chance.randint(0, 1)) for trial in chance.sample(range(1, 31), 25)]
    reported: list[tuple[int, int]] = []
    told = made.tell_many(outcomes, progress=lambda *done: reported.append(done))
    alone = [single.tell(what, value) for what, value in outcomes]
    assert [(t.number, t.arm, t.value, t.status) for t in told] == [
        (t.number, t.arm, t.value, t.status) for t in alone
    ]
    assert made.trial(told[110].number) == told[110]
    assert state(made) == state(single)
    assert (reported[0][0], reported[-1]) == (0, (len(outcomes), len(outcomes)))
    assert made.verify().ok
    kinds = [stored.kind for stored in made.events()]
    assert len(kinds) == 1 + 30 + len(outcomes)
    assert sum('"more":true' in stored.text for stored in made.events()) == len(outcomes) - 1


def test_a_fault_in_the_middle_leaves_nothing_and_is_named(made: Study, tmp_path: Path) -> None:
    made.ask(2)
    before = made.events()
    good: list[Any] = drawn(MANY)
    faults: list[tuple[Any, str]] = [
        (("A", 2), "outcome 1201: value: 2 is neither 0 nor 1"),
        (("D", 1), "outcome 1201: unknown arm 'D'"),
        ((9, 1), "outcome 1201: trial: there is no trial 9; the last one is 2"),
        (("A", 3, 2), "outcome 1201: value: 3 of 2 is not a number of successes"),
        (("A",), r"outcome 1201: \('A',\) is not an outcome"),
        ((1.5, 1), "outcome 1201: trial: 1.5 is not a whole number"),
    ]
    for item, words in faults:
        with pytest.raises(InputError, match=f"{words}.*; nothing was recorded"):
            made.tell_many([*good[:1200], item, *good[1200:]])
    (tmp_path / "t.csv").write_text("arm,value\n" + "A,1\n" * 1200 + "A,x\n" + "B,1\n" * 9)
    with pytest.raises(InputError, match="line 1202: value: 'x' is not a number"):
        made.tell_csv(tmp_path / "t.csv")
    with pytest.raises(ConflictError, match="outcome 3: trial 1 has another outcome in outcome 1"):
        made.tell_many([(1, 1), (2, 1), (1, 0)])
    assert made.events() == before
    assert made.tell_many([]) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_interruption_leaves_nothing(made: Study, error: type[BaseException]) -> None:
    def give_up(done: int, total: int) -> None:
        if done:
            raise error

    before = made.status()
    with pytest.raises(error):
        made.tell_many(drawn(6_000), progress=give_up)
    assert made.status() == before
    assert Study.load("s", made._ledger.store).status() == before
    made.tell_many(drawn(600))  # and the connection is as good as new
    assert made.status().trials == 600
    assert made.verify().ok


def test_trials_are_told_once_however_often(made: Study) -> None:
    trials = made.ask(1_200)
    outcomes = [(trial.number, trial.number % 2) for trial in trials]
    made.cancel(trials[0])
    told = made.tell_many(outcomes)
    assert told[0].asked_at == trials[0].asked_at  # late, but not too late
    seq = made.seq
    assert made.tell_many(outcomes) == told
    assert made.tell_many([*outcomes[:5], *outcomes[:5]]) == [*told[:5], *told[:5]]
    assert made.seq == seq
    made.retract(3, "spilt")
    with pytest.raises(ConflictError, match=r"outcome 3: the outcome of trial 3 was retracted"):
        made.tell_many(outcomes)
    twice = made.tell_many([(made.ask().number, 1)] * 2)
    assert twice[0] == twice[1]
    assert made.verify().ok


def test_a_key_makes_a_repetition_harmless(made: Study) -> None:
    outcomes = drawn(1_100)
    told = made.tell_many(outcomes, key="monday")
    seq = made.seq
    assert made.tell_many(outcomes, key="monday") == told
    changed = [*outcomes[:7], (outcomes[7][0], 1 - outcomes[7][1]), *outcomes[8:]]
    for other in (changed, outcomes[:-1], [*outcomes, ("A", 1)]):
        with pytest.raises(ConflictError, match="the key 'monday' was used before, for other"):
            made.tell_many(other, key="monday")
    assert made.seq == seq
    made.tell("A", 1, key="monday")  # one outcome's key is another's
    made.tell_many(outcomes, key="tuesday")
    assert made.status().trials == 2_201


def test_a_batch_whose_confirmation_was_lost_counts_once(
    sqlite: str, lose_every_other_confirmation: Callable[[], list[int]]
) -> None:
    study = new(sqlite)
    lose_every_other_confirmation()
    trials = study.ask(40)
    told = study.tell_many([*drawn(600), (trials[0], 1)])
    assert [trial.number for trial in told] == [*range(41, 641), 1]
    cancelled = study.cancel_all("enough")
    assert [trial.number for trial in cancelled] == list(range(2, 41))
    assert {(trial.status, trial.reason) for trial in cancelled} == {("cancelled", "enough")}
    assert study.cancel_all() == []
    assert study.status().trials == 601
    assert study.verify().ok


def test_another_process_jumps_to_the_checkpoint(made: Study, monkeypatch: Any) -> None:
    """A server that holds the study need not go through what a batch has added elsewhere."""
    elsewhere = Study.load("s", made._ledger.store)
    assert elsewhere.status().trials == 0
    made.tell_many(drawn(2_500))
    applied: list[int] = []
    fold = type(elsewhere._ledger._fold)
    apply = fold.apply
    monkeypatch.setattr(fold, "apply", lambda *args: applied.append(1) or apply(*args))
    assert elsewhere.status() == made.status()
    assert len(applied) < 10


def test_asking_for_many_is_asking_one_by_one(tmp_path: Path) -> None:
    studies = [
        Study.create(name, list("ABCD"), 0.0, Gaussian(1), storage=tmp_path / "s.db", seed=5)
        for name in ("at once", "singly")
    ]
    chance = random.Random(1)
    for study in studies:
        study.tell_many([(arm, value / 3) for value, arm in enumerate("ABCDABCD")])
    for _ in range(4):
        arms = [trial.arm for trial in studies[0].ask(50)]
        assert arms == [studies[1].ask().arm for _ in range(50)]
        some = chance.sample([trial.number for trial in studies[0].pending], 30)
        for study in studies:
            study.tell_many([(number, number % 7 - 3.0) for number in some])
            study.cancel(study.pending[0])
    assert all(study.verify().suggestions == 200 for study in studies)


def test_an_outcome_is_doubted_beside_the_others_of_its_file(tmp_path: Path) -> None:
    study = Study.create("s", ["A", "B"], 0.0, Gaussian(1), storage=tmp_path / "s.db")
    study.tell_many([("A", 15.0), ("A", 16.0)])  # far from the threshold, and not from each other
    path = tmp_path / "t.csv"
    path.write_text("arm,value\nB,14\n" + "B,0.5\n" * 9)
    for enter in (study.tell_csv, study.import_csv):
        with pytest.raises(UnlikelyOutcomeError, match=r"line 2: value: 14 is 12\.8 standard"):
            enter(path)
    with pytest.raises(UnlikelyOutcomeError, match=r"outcome 3: value: 3 is .* the arm's other"):
        study.tell_many([("B", 0.5), ("A", 15.0), ("A", 3.0), ("A", 16.0)])
    assert study.seq == 3
    assert study.tell_csv(path, sure=True) == (10, 0, 10)


def test_events_are_written_as_json_writes_them() -> None:
    """`Event.text` is put together by hand; what has been tampered with, too, must come out."""
    chance = random.Random(1)
    odd = [None, "", 'é"\\\n\u2028😀', "\ud800", 0, 5, 1.5, True, False, ["x"], {"a": 1}]
    for _ in range(2_000):
        texts = [chance.choice(odd) for _ in range(6)]
        seq = chance.choice([1, 2**40, True, 1.0, "1", None])
        body = chance.choice([{}, {"b": 1, "a": "é", "c": 1e-7}])
        event = Event(texts[0], seq, *texts[1:], body=body)  # type: ignore[arg-type]
        assert event.text() == canonical(event._asdict())


def test_blocks_are_small(made: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """A million events are never held at once."""
    most = 0
    enter = writing.Writing._enter

    def watched(self: Any, event: Any) -> None:
        nonlocal most
        enter(self, event)
        most = max(most, len(self._block))

    monkeypatch.setattr(writing.Writing, "_enter", watched)
    made.tell_many(iter(drawn(MANY)))
    assert 0 < most < writing.BLOCK <= 1_000
