"""What a study says: numbers that follow from the formulas, words that follow from the numbers."""

import math
from pathlib import Path

import pytest

from goodarm import certificate
from goodarm.study import Bernoulli, Bounded, Gaussian, Study
from goodarm.study.report import forecast as forecasts
from goodarm.study.report.futures import End
from goodarm.study.report.futures_one_bar import OneBarFutures
from goodarm.study.report.status_text import forecast_text, picture
from goodarm.wording import confidence, printable


def told(sqlite: str, values: dict[str, list[float]], name: str = "s", **settings: object) -> Study:
    options = {"outcome": Gaussian(2.0), "threshold": 1.0, "seed": 1} | settings
    study = Study.create(name, list(values), storage=sqlite, **options)  # type: ignore[arg-type]
    for arm, outcomes in values.items():
        for value in outcomes:
            study.tell(arm, value, sure=True)
    return study


def wbar(x: float) -> float:
    w = x
    for _ in range(200):
        w = x + math.log(w)
    return w


def test_evidence_follows_the_papers_formulas(sqlite: str) -> None:
    values = {"A": [3.0, 2.5, 4.0], "B": [0.0], "C": []}
    study = told(sqlite, values, delta=0.05, boundary="glr", decide="as-told")
    a, b, c = study.evidence
    t, K = 4, 3
    level = math.sqrt(wbar(2 * math.log(K / 0.05) + 4 * math.log(4 + math.log(t)) + 0.5))
    mean = 9.5 / 3
    assert (a.count, a.mean) == (3, pytest.approx(mean))
    assert pytest.approx(math.sqrt(3) * (mean - 1.0) / 2.0) == a.W
    half = 2.0 * level / math.sqrt(3)
    assert (a.low, a.high) == (pytest.approx(mean - half), pytest.approx(mean + half))
    assert a.share == pytest.approx(a.W / level)
    assert pytest.approx(-0.5) == b.W
    assert (c.count, c.mean, c.W, c.low, c.share) == (0, None, 0.0, None, 0.0)
    status = study.status()
    assert status.boundary == pytest.approx(level)
    assert status.next_arm == "C"


def test_evidence_and_limits_follow_the_certificates(sqlite: str) -> None:
    values = {"A": [3.0, 2.5, 4.0], "B": [0.0, -1.0], "C": [], "D": [1.0], "E": [2.0]}
    study = told(sqlite, values, delta=0.05)
    a, b, c, *_ = study.evidence
    proofs = {arm: certificate(Gaussian(2.0), 1.0, outcomes) for arm, outcomes in values.items()}
    K, x = 5, 0.75 * 5 / 4
    name, none = math.log(K / (x * 0.05)), math.log(4 / 0.05)
    assert pytest.approx(math.sqrt(3) * (9.5 / 3 - 1.0) / 2.0) == a.W
    assert a.share == pytest.approx(proofs["A"].above / name)
    assert b.share == pytest.approx(-proofs["B"].below / none)
    assert (c.count, c.mean, c.W, c.low, c.share) == (0, None, 0.0, None, 0.0)
    lower = certificate(Gaussian(2.0), 1.0, values["A"], alpha=x * 0.05 / K).lower
    upper = certificate(Gaussian(2.0), 1.0, values["A"], alpha=0.05 / 4).upper
    assert (a.low, a.high) == (pytest.approx(lower), pytest.approx(upper))
    both = certificate(Gaussian(2.0), 1.0, values["A"], alpha=0.05 / 10)
    wide = study.status(simultaneous=True).arms[0]
    assert (wide.low, wide.high) == (pytest.approx(both.lower), pytest.approx(both.upper))
    status = study.status()
    assert (status.stopping_rule, status.decide, status.boundary) == ("mixture", "as-asked", None)
    assert status.next_arm == "C"


def test_confidence_comes_from_the_certificates(sqlite: str) -> None:
    study = told(sqlite, {"A": [3.0] * 40, "B": [0.5] * 3})
    delta = 2 * math.exp(-certificate(Gaussian(2.0), 1.0, [3.0] * 40).above)
    assert study.confidence == pytest.approx(1 - delta)
    assert study.can_stop(delta * 1.001)
    assert not study.can_stop(delta * 0.999)
    none = told(sqlite, {"A": [-1.0] * 9, "B": [0.0] * 20}, name="none")
    least = min(
        certificate(Gaussian(2.0), 1.0, values).below for values in ([-1.0] * 9, [0.0] * 20)
    )
    assert none.confidence == pytest.approx(1 - 2 * math.exp(-least))


def test_confidence_is_the_smallest_delta_that_would_stop(sqlite: str) -> None:
    study = told(sqlite, {"A": [3.0] * 40, "B": [0.5] * 3}, boundary="glr")
    x, t = study.evidence[0].W ** 2, 43
    delta = 2 * math.exp(-(x - math.log(x) - 4 * math.log(4 + math.log(t)) - 0.5) / 2)
    assert study.confidence == pytest.approx(1 - delta)
    assert study.can_stop(delta * 1.001)
    assert not study.can_stop(delta * 0.999)
    assert "A looks above 1" in study.status().meaning
    assert confidence(study.confidence) in study.status().meaning


def test_intervals_stay_in_the_range_of_bounded_outcomes(sqlite: str) -> None:
    study = told(
        sqlite, {"A": [0.9], "B": [0.2]}, outcome=Bounded(0, 1), threshold=0.5, goal="below"
    )
    for arm in study.evidence:
        assert 0.0 < arm.low < 0.1 < arm.mean < 0.95 < arm.high < 1.0
    assert study.evidence[1].W > 0 > study.evidence[0].W
    assert study.recommendation == "B"


def test_none_is_good(sqlite: str) -> None:
    study = told(sqlite, {"A": [-9.0] * 9, "B": [-8.0] * 9}, delta=0.05)
    status = study.status()
    assert (status.decided, status.decision, status.answer) == (True, None, None)
    assert status.meaning.startswith("No arm is above 1.")
    assert study.finished


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"A": [], "B": []}, "nothing can be said"),
        ({"A": [0.0], "B": []}, "not all have been tried"),
        ({"A": [0.0], "B": [0.0]}, "No arm looks above 1; the evidence is too weak"),
    ],
)
def test_what_it_means_in_words(sqlite: str, values: dict, words: str) -> None:
    assert words in told(sqlite, values).status().meaning


def test_outcomes_that_scatter_too_much_are_noticed(sqlite: str) -> None:
    study = told(sqlite, {"A": [10.0 * (-1) ** n for n in range(12)]}, outcome=Gaussian(1.0))
    warned = [c.text for c in study.status().cautions if c.level == "warning"]
    assert "scatter by 10.4" in warned[0]
    quiet = Study.create("t", ["A"], 1.0, Gaussian(12.0), storage=sqlite)
    for n in range(12):
        quiet.tell("A", 10.0 * (-1) ** n)
    assert all("scatter" not in caution.text for caution in quiet.status().cautions)


def test_a_retraction_without_replacement_is_a_warning(sqlite: str) -> None:
    study = told(sqlite, {"A": [1.0, 5.0]})
    study.retract(1, "did not fit")
    (caution, _) = study.status().cautions
    assert caution.level == "warning"
    assert "1 outcome was retracted without a replacement" in caution.text


def test_the_picture_shows_what_matters(sqlite: str) -> None:
    study = told(sqlite, {"A[bold]": [], "B": [], "C": []}, delta=0.05)
    study.ask(2)
    study.cancel(1)  # or everything told of it would wait for this trial
    study.ask(arm="C")
    for _ in range(30):
        study.tell("A[bold]", 3.0)
    text = picture(study.status())
    for part in (
        "A[bold] is above 1",
        "│████████████████████",
        "head        " + study.head,
        "2 pending",
    ):
        assert part in text
    assert "next" not in text  # the study has its answer
    study.extend(trials=5)
    assert "next        " in picture(study.status())


def test_the_picture_of_many_arms_shows_both_ends(sqlite: str) -> None:
    study = Study.create("s", [f"a{n}" for n in range(100)], 0.0, Gaussian(1), storage=sqlite)
    for n in range(100):
        study.tell(f"a{n}", n - 50.0, sure=True)
    text = picture(study.status())
    assert "a99" in text
    assert "a0 " in text
    assert "and 70 arms in between" in text
    first, last = study.evidence[0], study.evidence[-1]
    shares = study.evidence_trail["points"][-1][1:]
    assert shares == [pytest.approx(last.share, rel=1e-4), pytest.approx(first.share, rel=1e-4)]


def test_nothing_hidden_reaches_the_terminal() -> None:
    assert printable("a\x1b[2J\u202eb\u200dc\ud800") == "a\\x1b[2J\\u202eb\\u200dc\\ud800"
    assert printable("é ☕ 漢") == "é ☕ 漢"


def test_the_trail_thins_out_as_it_grows(tmp_path: Path) -> None:
    study = Study.create("s", ["A", "B"], 0.0, Gaussian(1), storage=tmp_path / "s.db", seed=1)
    lines = "".join(f"{'AB'[n % 2]},{n % 5 - 1}\n" for n in range(1000))
    (tmp_path / "p.csv").write_text("arm,value\n" + lines)
    study.import_csv(tmp_path / "p.csv")
    trail = study.evidence_trail
    assert trail["every"] == 16
    assert [point[0] for point in trail["points"]] == list(range(16, 1001, 16))
    assert trail["points"][-1][1] == pytest.approx(study.evidence[0].share, rel=0.05)


@pytest.mark.parametrize(
    ("kind", "threshold", "good", "bad"),
    [(Bernoulli(), 0.5, 1.0, 0.0), (Bounded(0, 10), 5.0, 9.0, 2.0), (Gaussian(1), 0.0, 1.0, -1.0)],
)
@pytest.mark.parametrize("goal", ["above", "below"])
def test_the_forecast_sees_where_things_go(
    sqlite: str, kind: object, threshold: float, good: float, bad: float, goal: str
) -> None:
    study = Study.create("s", ["A", "B"], threshold, kind, 0.01, storage=sqlite, goal=goal, seed=1)  # type: ignore[arg-type]
    early = study.forecast(runs=40, horizon=300)
    for _ in range(6):
        study.tell("A", good)
        study.tell("B", bad)
    study.ask(2)
    later = study.forecast(runs=40, horizon=300)
    winner = "A" if goal == "above" else "B"
    assert max(later.answers, key=lambda arm: later.answers[arm]) == winner
    assert later.median is not None
    assert 0 < (later.low or 0) <= later.median <= (later.high or 10**9)
    assert later.finished >= early.finished
    assert later == study.forecast(runs=40, horizon=300)
    assert study.verify().ok  # looking ahead has changed nothing
    assert study.forecast(delta=0.5, runs=10, horizon=300).median <= later.median
    assert "more trials until 99 % confidence" in forecast_text(later)


def test_the_forecast_of_a_study_that_has_its_answer_is_zero(sqlite: str) -> None:
    study = told(sqlite, {"A": [9.0] * 9}, delta=0.05)
    assert (study.forecast().median, study.forecast().answers) == (0, {"A": 1.0})
    assert study.forecast(delta=1e-300, runs=5, horizon=3).median is None


@pytest.mark.parametrize("delta", [0.05, 0.2])
@pytest.mark.parametrize(("value", "answer"), [(9.0, "A"), (-9.0, "")])
def test_what_is_certain_enough_needs_no_more_trials(
    sqlite: str, delta: float, value: float, answer: str
) -> None:
    study = told(sqlite, {"A": [value] * 9}, delta=0.05)
    forecast = study.forecast(delta, runs=5)
    assert (forecast.low, forecast.high, forecast.answers) == (0, 0, {answer: 1.0})


def far_away(sqlite: str) -> Study:
    """A study whose arms are so near the threshold that it takes very long."""
    study = Study.create("s", ["A", "B"], 0.0, Gaussian(1), 0.01, storage=sqlite, seed=1)
    study.tell_many([(arm, value) for arm in "AB" for value in (-0.5, 0.5) * 20])
    return study


def test_a_forecast_looks_farther_where_it_must(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = far_away(sqlite)
    monkeypatch.setattr(forecasts, "NEAR_HORIZON", 50)
    near = study.forecast(runs=20, horizon=50)
    assert (near.horizon, near.runs, near.median) == (50, 20, None)
    far = study.forecast(runs=20)
    assert far.horizon >= 4 * 50
    assert far.finished > near.finished
    assert far.unfinished == pytest.approx(1.0 - far.finished)
    # The same futures, only longer.
    assert far == study.forecast(runs=far.runs, horizon=far.horizon)


def test_a_forecast_that_would_take_too_long_says_how_far_it_looked(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = far_away(sqlite)
    monkeypatch.setattr(forecasts, "NEAR_HORIZON", 50)
    monkeypatch.setattr(forecasts, "STEPS", 10)
    forecast = study.forecast(runs=50)
    assert (forecast.horizon, forecast.high, forecast.runs) == (50, None, 50)
    assert forecast.unfinished > 0.5
    text = forecast_text(forecast)
    share = f"{100 * forecast.unfinished:.0f} %"
    assert f"more than 50 more trials until 99 % confidence ({share} of the futures)" in text
    assert f"looked ahead: 50 trials in 50 futures, {share} of which were not done by then" in text


def test_the_farther_a_forecast_looks_the_fewer_futures_it_may_play(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(self: OneBarFutures, number: int, horizon: int) -> End:
        self.cost += 40
        ends = horizon >= 32_000
        return End(9_000 + number if ends else horizon + 1, (0,))

    monkeypatch.setattr(OneBarFutures, "play", play)
    monkeypatch.setattr(forecasts, "STEPS", 100)
    forecast = far_away(sqlite).forecast()
    # 4,000 steps for the first horizon, as many for the second, and what is left for the third.
    assert (forecast.runs, forecast.horizon) == (51, 32_000)
    assert (forecast.low, forecast.median, forecast.high) == (9_006, 9_026, 9_046)
    assert forecast_text(forecast).startswith("about 9,026 more trials")
    monkeypatch.setattr(forecasts, "STEPS", 85)
    too_few = Study.load("s", sqlite).forecast()
    assert (too_few.runs, too_few.horizon, too_few.low) == (100, 8_000, None)


def test_how_far_a_forecast_looks_grows_with_the_study(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []

    def play(self: OneBarFutures, number: int, horizon: int) -> End:
        played.append(horizon)
        return End(horizon + 1)

    monkeypatch.setattr(OneBarFutures, "play", play)
    study = Study.create("s", ["A", "B"], 0.5, "bernoulli", 0.01, storage=sqlite, seed=1)
    assert study.forecast(runs=20).horizon == max(played) == forecasts.FAR_HORIZON
    study.tell("A", 15_000, size=30_000)
    study.tell("B", 15_000, size=30_000)
    assert study.forecast(runs=20).horizon == 60_000 * forecasts.FAR_SHARE


def test_percentages_are_never_rounded_up() -> None:
    texts = [confidence(s) for s in (0.0, 0.05, 0.94999, 0.9999, 0.999999, 1e-6, 1.0, 0.29)]
    expected = ["0 %", "5 %", "94.9 %", "99.99 %", "99.9999 %", "0.0001 %", "> 99.9999 %", "29 %"]
    assert texts == expected


def test_a_study_does_not_understate_a_high_confidence(sqlite: str) -> None:
    study = told(sqlite, {"A": [9.0] * 3})
    assert 0.9999 < study.confidence < 1.0
    assert "99.99" in study.status().meaning
    assert "confidence  99.99" in picture(study.status())
