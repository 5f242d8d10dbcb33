"""Several processes that serve one address: what they share, and what killing one does."""

import asyncio
import os
import signal
import ssl
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

import httpx

from goodarm.errors import InputError
from goodarm.planning import PlanRequest
from goodarm.study import Forecast, Studies, Trial
from goodarm.study.storage import Store
from goodarm.web.background import planner
from goodarm.web.background.forecasts import Forecasts
from goodarm.web.background.planner import Planner
from goodarm.web.news import bell
from goodarm.web.news.bell import Bell
from goodarm.web.server.crew import check_workers
from goodarm.web.server.shared import Shared
from goodarm.web.visitors.guesses import MOST_OF_ONE
from goodarm.web.visitors.screen_claims import Screen, ScreenClaims

TOKEN = "a-token-for-the-tests-0123456789"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
NEW = {"name": "s", "arms": ["a", "b"], "threshold": 0.5, "outcome": "bernoulli", "delta": None}
AT = "/api/v1/studies/s"
WRITERS = 3
TRUST = ssl.create_default_context()  # made once: it takes a while

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="processes are looked up in /proc"
)


@pytest.fixture
def several(postgresql: Any, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A server of two processes."""
    made = request.getfixturevalue("server_class")(tmp_path / "unused.db")
    made.words = ["--storage", postgresql.new_database(), "--workers", "2"]
    made.start()
    yield made
    made.kill()


def workers_of(server: Any) -> list[int]:
    process = server.process.pid
    children = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(number) for number in children.split()]


def ask_anew(server: Any, path: str, **headers: str) -> httpx.Response:
    """On a connection of its own, which any of the processes may take."""
    return httpx.get(f"{server.url}{path}", headers=headers, timeout=60.0, verify=TRUST)


class Writers:
    """They tell, one outcome at a time and several, and repeat what was not acknowledged."""

    def __init__(self, url: str) -> None:
        self.url, self.stop = url, threading.Event()
        self.acknowledged: set[str] = set()

    def write(self, number: int) -> None:
        with httpx.Client(base_url=self.url, headers=HEADERS, timeout=60.0) as client:
            for n in range(10_000):
                key = f"{number}/{n}"
                body: dict[str, Any] = {"arm": "a", "value": n % 2, "key": key}
                if n % 3 == 2:
                    outcomes = [{"arm": "b", "value": 1}] * 5
                    body = {"outcomes": outcomes, "key": key}
                self.send(client, "tell-many" if n % 3 == 2 else "tell", body)
                self.acknowledged.add(key)
                if self.stop.is_set():
                    return

    def send(self, client: httpx.Client, what: str, body: dict[str, Any]) -> None:
        while True:
            try:
                answer = client.post(f"{AT}/{what}", json=body)
            except httpx.TransportError:
                continue
            if answer.status_code == 200:
                return
            assert answer.status_code == 503, answer.text

    def expected(self) -> int:
        """How many outcomes they have told."""
        return sum(5 if int(key.partition("/")[2]) % 3 == 2 else 1 for key in self.acknowledged)


def test_workers_may_be_killed_and_the_database_restarted(
    several: Any, postgresql: Any, wait_until: Callable[..., None]
) -> None:
    made = httpx.post(f"{several.url}/api/v1/studies", json=NEW, headers=HEADERS, timeout=60.0)
    assert made.status_code == 201
    writers = Writers(several.url)
    with ThreadPoolExecutor(WRITERS) as pool:
        done = [pool.submit(writers.write, number) for number in range(WRITERS)]
        try:
            for _ in range(2):
                grown = len(writers.acknowledged) + 10
                wait_until(lambda grown=grown: len(writers.acknowledged) >= grown, 60.0)
                os.kill(workers_of(several)[0], signal.SIGKILL)
            postgresql.stop()
            postgresql.start()
            grown = len(writers.acknowledged) + 10
            wait_until(lambda: len(writers.acknowledged) >= grown, 60.0)
        finally:
            writers.stop.set()
        for future in done:
            future.result()
    assert ask_anew(several, AT, **HEADERS).json()["trials"] == writers.expected()
    assert ask_anew(several, f"{AT}/verify", **HEADERS).json()["ok"]
    wait_until(lambda: len(workers_of(several)) == 2)
    several.process.send_signal(signal.SIGINT)
    assert several.process.wait(30.0) == 0


def test_processes_of_one_server_know_the_same(
    several: Any, wait_until: Callable[..., None]
) -> None:
    signed_in = ask_anew(several, f"/enter?token={TOKEN}")
    cookie = {"Cookie": signed_in.headers["set-cookie"].partition(";")[0]}
    assert {ask_anew(several, "/", **cookie).status_code for _ in range(8)} == {200}
    counted = ask_anew(several, "/metrics", **HEADERS).text
    assert 'goodarm_request_seconds_count{method="GET",route="/",status="200"} 8.0' in counted
    for _ in range(MOST_OF_ONE):
        assert ask_anew(several, "/", Authorization="Bearer wrong").status_code == 401
    for _ in range(4):
        assert ask_anew(several, "/", Authorization="Bearer wrong").status_code == 429
    workers = workers_of(several)
    several.process.kill()
    several.process.wait()
    wait_until(lambda: not any(Path(f"/proc/{number}").exists() for number in workers))


def test_others_hear_at_once(postgresql: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bell, "LISTEN_EVERY", 1_000.0)  # nobody looks: it has to be said
    url = postgresql.new_database()
    here, there = Studies(Store(url), create=True), Studies(Store(url), create=True)
    study = here.create("s", ["a"], 0.5, "bernoulli")
    hearing, telling = Bell(here), Bell(there)
    hearing.open()
    telling.open()

    async def listen() -> int:
        assert await hearing.wait(study, 0, 30.0) == 1
        waiting = asyncio.create_task(hearing.wait(study, 1, 30.0))
        another = there.open("s")
        while not waiting.done():  # the first words may come before anyone listens
            await asyncio.to_thread(another.tell, "a", 1)
            await asyncio.wait([waiting], timeout=0.2)
        return await waiting

    try:
        assert asyncio.run(listen()) > 1
    finally:
        hearing.close()
        telling.close()


def count(place: Path, times: int) -> None:
    shared = Shared[list[int]](list, place, "counted")
    for _ in range(times):
        with shared.held() as numbers:
            numbers.append(len(numbers))


def test_what_processes_share_has_no_gaps(tmp_path: Path) -> None:
    children = []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            try:
                count(tmp_path, 50)
            finally:
                os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    with Shared[list[int]](list, tmp_path, "counted").held() as numbers:
        assert numbers == list(range(150))


def test_a_trial_is_on_one_screen_of_all_processes(tmp_path: Path) -> None:
    here, there = ScreenClaims(tmp_path), ScreenClaims(tmp_path)
    mine, theirs = Screen("m", "me"), Screen("t", None)
    trials = [Trial(1, "a"), Trial(2, "b")]
    assert here.claim("s", [1], mine, "v") == [1]
    assert there.claim("s", [1], theirs, "w") == []
    shares = there.share_out("s", trials, theirs, "w")
    assert shares.mine == (trials[1],)
    assert shares.others == ((trials[0], mine),)
    here.let_go("s", [1], mine)
    assert there.claim("s", [1], theirs, "w") == [1]


def test_a_plan_is_found_by_all_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wait_until: Callable[..., None]
) -> None:
    pytest.importorskip("numba", reason="plans are simulated")
    here, there, left = Planner(tmp_path), Planner(tmp_path), threading.Event()
    monkeypatch.setattr(planner, "bounded_answer", lambda *_: left.wait(30.0))
    question = PlanRequest(
        means=[0.3, 0.7], threshold=0.5, outcome="bernoulli", delta=0.1
    ).checked()
    number = here.submit(question).number
    wait_until(lambda: there.find(number).state == planner.RUNNING)
    left.set()
    wait_until(lambda: there.find(number).is_over)
    assert there.find(number).state == planner.FINISHED
    with here._tickets.held() as tickets:
        tickets["x"] = planner.PlanTicket("x", question, maker=2**22 + 1)  # no such process
    assert there.find("x").state == planner.FAILED
    here.close()
    there.close()


def test_a_forecast_is_computed_by_one_process(studies: Studies, tmp_path: Path) -> None:
    study = studies.create("s", ["a", "b"], 0.5, "bernoulli", delta=0.1)
    found, asked = Forecast(0.1, 3, 1, 9, 100, 10, 1.0, {"": 1.0}), []

    class Counting:
        def forecast(self, name: str, *_: object) -> Forecast:
            asked.append(name)
            return found

        def close(self) -> None:
            pass

    several = [Forecasts("nowhere", tmp_path) for _ in range(2)]
    for forecasts in several:
        forecasts._forecaster = Counting()  # type: ignore[assignment]
        assert asyncio.run(forecasts.of(study, study.head)) == found
        forecasts.close()
    assert asked == ["s"]


def test_how_many_workers_there_may_be() -> None:
    assert check_workers(1, has_one_writer=True) == 1
    assert check_workers(4, has_one_writer=False) == 4
    with pytest.raises(InputError, match="PostgreSQL"):
        check_workers(2, has_one_writer=True)
    for wrong in (0, 1_000):
        with pytest.raises(InputError, match="workers"):
            check_workers(wrong, has_one_writer=False)
