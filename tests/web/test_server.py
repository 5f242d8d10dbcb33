"""Real servers: live changes, sudden ends, orderly ends, and how they may be started."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

import httpx
import typer
from typer.testing import CliRunner

from goodarm.cli import serve as command
from goodarm.web.visitors.addresses import Addresses

NEW = {"name": "s", "arms": ["a", "b"], "threshold": 0.5, "outcome": "bernoulli", "delta": 0.1}
AT = "/api/studies/s"
TOKEN = "a-token-for-the-tests-0123456789"


def test_others_hear_of_changes(server, wait_until) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    heard: list[int] = []
    with httpx.Client(base_url=server.url, headers=headers) as client:
        client.post("/api/studies", json=NEW)

        def listen() -> None:
            with client.stream("GET", "/studies/s/live", timeout=30.0) as stream:
                for line in stream.iter_lines():
                    if line.startswith("data:"):
                        heard.append(json.loads(line[5:])["events"])
                    if len(heard) == 2:
                        return

        listener = threading.Thread(target=listen)
        listener.start()
        wait_until(lambda: len(heard) == 1)
        client.post(f"{AT}/tell", json={"arm": "a", "value": 1})
        listener.join(20.0)
        assert heard == [1, 2]


def test_killed_in_the_middle_nothing_acknowledged_is_lost(new_server) -> None:
    own = new_server
    acknowledged: set[str] = set()
    headers = {"Authorization": f"Bearer {TOKEN}"}
    for attempt in range(3):
        own.start()
        httpx.post(f"{own.url}/api/studies", json=NEW, headers=headers)
        enough = threading.Event()

        def write(worker: int, attempt: int = attempt, enough=enough, url=own.url) -> None:
            with httpx.Client(base_url=url, headers=headers) as client:
                for number in range(10_000):
                    key = f"{attempt}/{worker}/{number}"
                    try:
                        told = {"arm": "a", "value": number % 2, "key": key}
                        if client.post(f"{AT}/tell", json=told).status_code == 200:
                            acknowledged.add(f"key/{key}")
                    except httpx.TransportError:
                        return
                    if len(acknowledged) > 40 * (attempt + 1):
                        enough.set()

        with ThreadPoolExecutor(4) as pool:
            for worker in range(4):
                pool.submit(write, worker)
            assert enough.wait(30.0)
            own.kill()
    own.start()
    try:
        study = httpx.get(f"{own.url}{AT}", headers=headers).json()
        log = httpx.get(f"{own.url}{AT}/events?limit=10000", headers=headers).json()
        assert acknowledged <= {json.loads(event["text"])["key"] for event in log}
        assert study["trials"] >= len(acknowledged)
        assert httpx.get(f"{own.url}{AT}/verify", headers=headers).json()["ok"]
    finally:
        own.kill()


def test_serving_to_others_needs_a_token_on_purpose(tmp_path) -> None:
    program = "import typer; from goodarm.cli.serve import serve; typer.run(serve)"
    files = ["--storage", str(tmp_path / "s.db"), "--token-file", str(tmp_path / "none.json")]
    command = [sys.executable, "-c", program, "--host", "0.0.0.0", "--port", "0", *files]
    environment = {k: v for k, v in os.environ.items() if k != "GOODARM_TOKEN"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert done.returncode != 0
    assert "token set on purpose" in done.stderr
    assert not (tmp_path / "s.db").exists()


def test_importing_goodarm_loads_no_web_framework() -> None:
    code = (
        "import sys, goodarm, goodarm.cli.serve, goodarm.cli.token, goodarm.web.visitors.tokens\n"
        "assert not {'fastapi', 'starlette', 'uvicorn', 'jinja2'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_an_orderly_end_does_not_wait_for_open_pages(new_server) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    new_server.start()
    process = new_server.process
    httpx.post(f"{new_server.url}/api/studies", json=NEW, headers=headers)
    address = f"{new_server.url}/studies/s/live"
    with httpx.stream("GET", address, headers=headers, timeout=60.0) as stream:
        assert next(stream.iter_lines()).startswith("data:")
        process.send_signal(signal.SIGINT)
        assert process.wait(30.0) == 0


def test_serving_to_others_warns_about_encryption(tmp_path, monkeypatch) -> None:
    # The server itself is not started: nothing in these tests listens beyond this machine.
    monkeypatch.setattr(command, "_listen", lambda *_: socket.create_server(("127.0.0.1", 0)))
    monkeypatch.setattr(command, "_run", lambda _, __, listener, *___: listener.close())
    monkeypatch.setenv("GOODARM_TOKEN", TOKEN)
    app = typer.Typer()
    app.command()(command.serve)
    arguments = ["--storage", str(tmp_path / "s.db"), "--token-file", str(tmp_path / "none.json")]
    public = CliRunner().invoke(app, ["--host", "0.0.0.0", *arguments])
    assert public.exit_code == 0
    assert "TLS" in public.output
    private = CliRunner().invoke(app, arguments)
    assert "TLS" not in private.output
    assert "/enter" in private.output
    assert TOKEN not in private.output, "who has chosen it knows it"
    monkeypatch.delenv("GOODARM_TOKEN")
    assert "/enter?token=" in CliRunner().invoke(app, arguments).output


def test_the_links_that_are_printed_are_answered(tmp_path, studies) -> None:
    for host in ("127.0.0.1", "0.0.0.0", "::", "::1"):
        allowed = Addresses(host, 8765)
        names = command._names(host)
        assert names
        for name in names:
            assert allowed.allows(f"{name}:8765"), (host, name)
