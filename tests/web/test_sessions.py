"""Signing in and out: a cookie is no token, sessions end, and wrong tokens wait."""

import json
import os
import stat
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.cli.token import token as command
from goodarm.errors import InputError
from goodarm.web.visitors import guesses, sessions
from goodarm.web.visitors.access import Access, Credential, Visitor
from goodarm.web.visitors.guesses import TooManyGuessesError
from goodarm.web.visitors.sessions import Sessions
from goodarm.web.visitors.tokens import TokenFile, digest, sessions_beside

TOKEN = "a-token-for-the-tests-0123456789"
COOKIE = "goodarm_8765"
ORIGIN = {"Origin": "http://127.0.0.1:8765"}


def test_the_cookie_is_not_the_token(stranger, tokens: TokenFile) -> None:
    stranger.get(f"/enter?token={TOKEN}")
    cookie = stranger.cookies[COOKIE]
    assert TOKEN not in cookie
    folder = sessions_beside(tokens.path)
    (file,) = folder.iterdir()
    assert cookie not in file.read_text() + file.name
    assert TOKEN not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    stranger.cookies.clear()
    stranger.cookies.set(COOKIE, TOKEN)
    assert stranger.get("/").status_code == 401
    header = {"Authorization": f"Bearer {cookie}"}
    assert stranger.get("/", headers=header).status_code == 401


def test_leaving_ends_the_session_for_whoever_has_the_cookie(browser, app) -> None:
    cookie = browser.cookies[COOKIE]
    assert browser.get("/").status_code == 200
    browser.post("/leave")
    browser.cookies.set(COOKIE, cookie)
    assert browser.get("/").status_code == 401


def test_a_session_ends_with_its_token(stranger, tokens: TokenFile) -> None:
    stranger.get(f"/enter?token={tokens.create('ana', 'read')}")
    assert stranger.get("/").status_code == 200
    tokens.revoke("ana")
    assert stranger.get("/").status_code == 401


def test_sessions_expire(tmp_path: Path, monkeypatch) -> None:
    kept = Sessions(tmp_path)
    old, unused, fresh = (kept.begin("hash", device) for device in ("old", "unused", "fresh"))
    (file,) = [path for path in tmp_path.iterdir() if '"old"' in path.read_text()]
    said = json.loads(file.read_text())
    file.write_text(json.dumps(said | {"opened": time.time() - sessions.LONGEST_SESSION - 1}))
    (file,) = [path for path in tmp_path.iterdir() if '"unused"' in path.read_text()]
    before = time.time() - sessions.LONGEST_UNUSED
    os.utime(file, (before - 1, before - 1))
    assert kept.find(old) is None
    assert kept.find(unused) is None
    assert [session.device for session in kept.all()] == ["fresh"]
    (file,) = tmp_path.iterdir()
    os.utime(file, (before + 60, before + 60))
    assert kept.find(fresh) is not None, "and this was a use"
    assert file.stat().st_mtime > before + 3600
    file.write_text("{")
    assert kept.find(fresh) is None


def test_a_token_has_a_limited_number_of_sessions(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(sessions, "MOST_OF_A_TOKEN", 2)
    kept = Sessions(tmp_path)
    other = kept.begin("another", "d")
    names = [kept.begin("hash", str(number)) for number in range(4)]
    assert len(kept.all()) == 3
    assert kept.find(other) is not None
    assert kept.find(names[-1]) is not None


def test_visitors_see_and_end_their_own_sessions(app, browser, stranger, tokens) -> None:
    stranger.get(f"/enter?token={tokens.create('ana', 'read')}", headers={"User-Agent": "Ana's"})
    page = browser.get("/sessions").text
    assert "this one" in page
    assert "Ana" not in page
    theirs = stranger.get("/sessions").text
    assert "Ana&#39;s" in theirs
    (session,) = [s for s in app.state.site.access.sessions.all() if s.device == "Ana's"]
    assert browser.post("/sessions/end", data={"number": session.number}).status_code == 404
    ended = stranger.post("/sessions/end", data={"number": session.number}, headers=ORIGIN)
    assert ended.status_code == 303, "one who may only look may leave, too"
    assert stranger.get("/sessions").status_code == 401
    assert "no session" in browser.get("/sessions", headers=as_program()).text


def as_program() -> dict[str, str]:
    return {"Authorization": f"Bearer {TOKEN}"}


def test_commands_list_and_end_sessions(stranger, tokens: TokenFile) -> None:
    stranger.get(f"/enter?token={tokens.create('ana', 'read')}")
    options = ["--file", str(tokens.path)]
    run = CliRunner().invoke
    (listed,) = json.loads(run(command, ["sessions", "--json", *options]).output)
    assert listed["name"] == "ana"
    assert f"{listed['number']}\tana" in run(command, ["sessions", *options]).output
    assert run(command, ["end-session", listed["number"], *options]).exit_code == 0
    assert stranger.get("/").status_code == 401
    with pytest.raises(InputError, match="no session"):
        Sessions(sessions_beside(tokens.path)).end_numbered(listed["number"])


def test_wrong_tokens_are_logged_and_then_wait(stranger, tokens, caplog) -> None:
    ana, ben = tokens.create("ana", "read"), tokens.create("ben", "read")
    assert stranger.get("/", headers={"Authorization": f"Bearer {ana}"}).status_code == 200
    for number in range(guesses.MOST_OF_ONE):
        wrong = {"Authorization": f"Bearer wrong-{number}"}
        assert stranger.get("/api/studies", headers=wrong).status_code == 401
    assert caplog.text.count("a wrong token from testclient") == guesses.MOST_OF_ONE
    assert "wrong-1" not in caplog.text
    for unseen in ("wrong-again", ben):
        refused = stranger.get("/api/studies", headers={"Authorization": f"Bearer {unseen}"})
        assert refused.status_code == 429
        assert 0 < int(refused.headers["Retry-After"]) <= 61
        assert stranger.get(f"/enter?token={unseen}").status_code == 429
    assert stranger.get("/", headers={"Authorization": f"Bearer {ana}"}).status_code == 200


def test_guesses_are_counted_by_address_and_in_all(monkeypatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(guesses, "monotonic", lambda: now)
    access = Access(TOKEN, "me", None)

    def show(token: str, address: str) -> Visitor | None:
        return access.of_request(Credential(token, None), address)

    for number in range(guesses.MOST_OF_ONE):
        assert show(f"{number}", f"2001:db8::{number:x}") is None
    with pytest.raises(TooManyGuessesError):
        show(TOKEN, "2001:db8::ffff")
    assert show(TOKEN, "2001:db8:0:1::1") == Visitor("me", "write")
    assert show(TOKEN, "2001:db8::ffff") == Visitor("me", "write"), "it is known by now"
    now += guesses.MINUTE + 1
    assert show("1", "2001:db8::1") is None
    for number in range(guesses.MOST_OF_ALL - 1):
        assert show("wrong", f"10.0.{number // 256}.{number % 256}") is None
    with pytest.raises(TooManyGuessesError):
        show("wrong", "192.0.2.1")
    assert access.of_request(Credential(None, digest("no such session")), "192.0.2.1") is None


def test_a_new_database_is_its_owners(tmp_path: Path) -> None:
    from goodarm.study import Study
    from goodarm.study.storage import open_store
    from goodarm.study.storage.backup import back_up

    path = tmp_path / "s.db"
    before = os.umask(0)
    try:
        Study.create("s", ["a"], 0.5, "bernoulli", storage=path)
        back_up(open_store(path), tmp_path / "copy.db")
    finally:
        os.umask(before)
    files = list(tmp_path.iterdir())
    assert {"s.db", "copy.db"} <= {file.name for file in files}
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
