"""Webhooks: a signed message for each answer, sent again until it has arrived."""

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.errors import InputError
from goodarm.study import Studies, Study
from goodarm.web.news import webhooks
from goodarm.web.news.webhooks import Webhooks, check_url

SECRET = "a secret for the tests"


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((dict(self.headers), body))
        statuses = self.server.statuses
        self.send_response(statuses.pop(0) if statuses else 204)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[ThreadingHTTPServer]:
    made = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    made.received, made.statuses = [], []
    thread = threading.Thread(target=made.serve_forever, args=(0.02,))
    thread.start()
    yield made
    made.shutdown()
    thread.join(30.0)
    made.server_close()


def answered(studies: Studies, name: str) -> Study:
    study = studies.create(name, ["a"], 0.5, "bernoulli", delta=0.1)
    study.tell("a", 500, size=500)
    assert study.status().decided
    return study


def test_every_answer_is_told_once_and_signed(studies, receiver, wait_until, monkeypatch) -> None:
    monkeypatch.setattr(webhooks, "PAUSES", (0.01, 0.01, 0.01))
    monkeypatch.setattr(webhooks, "LOOK_EVERY", 0.1)
    answered(studies, "before")
    receiver.statuses[:] = [500, 302]
    hooks = Webhooks(studies, f"http://127.0.0.1:{receiver.server_port}/hook", SECRET)
    try:
        study = answered(studies, "Cell culture")
        elsewhere = Studies(str(studies.store.url))  # as another process would
        wait_until(lambda: len(receiver.received) == 3)
        answered(elsewhere, "by another")
        wait_until(lambda: len(receiver.received) == 4)
    finally:
        hooks.close()
    said = [json.loads(body) for _, body in receiver.received]
    assert [each["study"] for each in said] == ["Cell culture"] * 3 + ["by another"]
    assert said[0]["id"] == "Cell~20culture"
    assert (said[0]["decision"], said[0]["head"]) == ("a", study.head)
    numbers = {headers["Goodarm-Delivery"] for headers, _ in receiver.received[:3]}
    assert len(numbers) == 1
    headers, body = receiver.received[2]
    moment, _, signature = headers["Goodarm-Signature"].partition(",v1=")
    expected = hmac.new(SECRET.encode(), moment[2:].encode() + b"." + body, hashlib.sha256)
    assert signature == expected.hexdigest()


def test_what_cannot_be_told_is_given_up(
    studies, receiver, wait_until, monkeypatch, caplog
) -> None:
    monkeypatch.setattr(webhooks, "PAUSES", (0.01,))
    receiver.statuses[:] = [500] * 10
    hooks = Webhooks(studies, f"http://127.0.0.1:{receiver.server_port}", SECRET)
    try:
        answered(studies, "s")
        wait_until(lambda: "was given up" in caplog.text)
    finally:
        hooks.close()
    assert len(receiver.received) == 2


def test_of_several_processes_one_tells(
    studies, receiver, wait_until, monkeypatch, tmp_path
) -> None:
    monkeypatch.setattr(webhooks, "LOOK_EVERY", 0.1)
    answered(studies, "before")
    url = f"http://127.0.0.1:{receiver.server_port}/"
    several = [Webhooks(studies, url, SECRET, tmp_path) for _ in range(2)]
    try:
        answered(studies, "s")
        wait_until(lambda: len(receiver.received) == 1)
        several.pop().close()
        answered(studies, "t")
        wait_until(lambda: len(receiver.received) == 2)
        several.append(Webhooks(studies, url, SECRET, tmp_path))  # begun again: it knows
        answered(studies, "u")
        wait_until(lambda: len(receiver.received) >= 3)
    finally:
        for hooks in several:
            hooks.close()
    assert [json.loads(body)["study"] for _, body in receiver.received] == ["s", "t", "u"]


@pytest.mark.parametrize(
    "url", ["ftp://x/y", "https://", "http://elsewhere.example/", "https://a:b@c/", "x"]
)
def test_addresses_that_may_not_be_told(url: str, studies) -> None:
    with pytest.raises(InputError, match="webhook"):
        check_url(url)
    with pytest.raises(InputError, match="SECRET"):
        Webhooks(studies, "https://hooks.example/", "short")
