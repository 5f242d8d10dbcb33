"""Forecasts behind the page: each is computed once, not too many, and never in anyone's way."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

import httpx

from goodarm.remote.failures import BusyError
from goodarm.study import Forecast, Studies
from goodarm.web.background import forecasts
from goodarm.web.background.forecaster import Forecaster, TooLongError
from goodarm.web.background.forecasts import Forecasts

TOKEN = "a-token-for-the-tests-0123456789"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
FOUND = Forecast(0.1, 3, 1, 9, 100, 10, 1.0, {"": 1.0})


class Slow:
    """A forecaster that computes nothing until it is let."""

    def __init__(self) -> None:
        self.let, self.asked = Event(), []
        self.answer: Any = FOUND

    def forecast(self, name: str, storage: str, seconds: float) -> Forecast:
        self.asked.append(name)
        assert self.let.wait(30.0)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def close(self) -> None:
        self.let.set()


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def waiting(slow: Slow):
    made = Forecasts("nowhere")
    made._forecaster = slow
    yield made
    made.close()


def a_study(studies: Studies, name: str):
    return studies.create(name, ["a", "b"], 0.5, "bernoulli", delta=0.1)


def test_many_who_ask_for_the_same_get_what_was_computed_once(studies, waiting, slow) -> None:
    study = a_study(studies, "s")

    async def ask() -> list[Forecast]:
        asking = [asyncio.create_task(waiting.of(study, "head")) for _ in range(100)]
        while not slow.asked:
            await asyncio.sleep(0.01)
        slow.let.set()
        return await asyncio.gather(*asking)

    assert asyncio.run(ask()) == [FOUND] * 100
    assert asyncio.run(waiting.of(study, "head")) == FOUND
    assert slow.asked == ["s"]
    asyncio.run(waiting.of(study, "another head"))
    assert slow.asked == ["s", "s"]


def test_beyond_a_few_they_are_told_when_to_come_again(studies, waiting, slow) -> None:
    several = [a_study(studies, f"study {n}") for n in range(forecasts.MOST_WAITING + 2)]

    async def ask() -> list[BaseException | Forecast]:
        asking = [asyncio.create_task(waiting.of(several[0], "head 0"))]
        while not slow.asked:
            await asyncio.sleep(0.01)
        asking += [
            asyncio.create_task(waiting.of(study, f"head {study.name}")) for study in several[1:]
        ]
        done, _ = await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
        slow.let.set()
        refused = done.pop().exception()
        assert isinstance(refused, BusyError)
        assert refused.retry_after > 0
        return await asyncio.gather(*asking, return_exceptions=True)

    answers = asyncio.run(ask())
    assert sum(isinstance(answer, BusyError) for answer in answers) == 1


def test_one_that_takes_too_long_is_not_begun_again(studies, waiting, slow) -> None:
    study = a_study(studies, "s")
    slow.answer = TooLongError("forecast: too long")
    slow.let.set()
    for _ in range(2):
        with pytest.raises(BusyError, match="too long"):
            asyncio.run(waiting.of(study, "head"))
    assert slow.asked == ["s"]
    slow.answer = RuntimeError("the disk is full")
    for _ in range(2):
        with pytest.raises(RuntimeError):
            asyncio.run(waiting.of(study, "other"))
    assert slow.asked == ["s"] * 3, "what may pass is tried again"


def test_the_process_is_ended_when_it_takes_too_long(tmp_path) -> None:
    studies = Studies(tmp_path / "s.db", create=True)
    studies.create("large", [f"a{n}" for n in range(1_000)], 0.5, "bernoulli", delta=0.01)
    own = Forecaster()
    url = str(studies.store.url)
    with pytest.raises(TooLongError, match="goodarm study forecast"):
        own.forecast("large", url, 0.05)
    studies.create("s", ["a"], 0.5, "bernoulli", delta=0.1)
    assert own.forecast("s", url, 60.0).runs > 0, "and another takes its place"
    own.close()


def test_a_page_is_there_while_others_wait_for_forecasts(server) -> None:
    # More than there are threads to answer requests.
    new = {"name": "large", "arms": [f"a{n}" for n in range(300)], "threshold": 0.5}
    with httpx.Client(base_url=server.url, headers=HEADERS, timeout=60.0) as client:
        made = client.post("/api/studies", json={**new, "outcome": "bernoulli", "delta": 0.01})
        assert made.status_code == 201

        def ask(_: int) -> int:
            return client.get("/api/studies/large/forecast").status_code

        with ThreadPoolExecutor(60) as pool:
            asked = [pool.submit(ask, number) for number in range(60)]
            assert client.get("/").status_code == 200
            assert {answer.result() for answer in asked} <= {200, 429}


def test_a_refusal_says_when_to_ask_again(api, app, monkeypatch) -> None:
    api.post("/api/demo")
    name = api.get("/api/studies").json()[0]["id"]

    async def busy(study: object, head: str) -> None:
        raise BusyError("busy", 7)

    monkeypatch.setattr(app.state.site._forecasts, "of", busy)
    answer = api.get(f"/api/studies/{name}/forecast")
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "7"


def test_a_page_says_what_share_of_the_futures_was_not_done(api, browser, app, monkeypatch) -> None:
    api.post("/api/demo")
    name = api.get("/api/studies").json()[0]["id"]
    far = Forecast(0.1, 4_000, 90, None, 8_000, 40, 0.7, {"a": 0.7}, unfinished=0.3)

    async def found(study: object, head: str) -> Forecast:
        return far

    monkeypatch.setattr(app.state.site._forecasts, "of", found)
    assert api.get(f"/api/studies/{name}/forecast").json()["unfinished"] == 0.3
    whole, brief = (
        " ".join(browser.get(f"/studies/{name}/forecast{query}").text.split())
        for query in ("", "?brief=yes")
    )
    said = "30.0 % of 40 futures were not done by then"
    assert "In 80 % of 40 simulated futures: 90 to more than 8,000. " + said in whole
    assert "no answer within 8,000 trials" in whole
    assert "90 to more than 8,000" in brief
    assert said in brief
    far = FOUND
    whole = browser.get(f"/studies/{name}/forecast").text
    assert "In 80 of 100 simulated futures: 1 to 9." in whole
    assert "not done" not in whole
    assert "no answer" not in whole
