"""Who gets in, and who does not: every route, every header."""

import asyncio
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from starlette.routing import Mount, Route

from goodarm.web.visitors.addresses import Addresses
from goodarm.web.visitors.gate import HARMLESS_PATHS, HEADERS, LARGEST_BODY, LARGEST_OF_PROGRAMS
from goodarm.web.visitors.tokens import TokenFile

ORIGIN, TOKEN = "http://127.0.0.1:8765", "a-token-for-the-tests-0123456789"

OPEN = {"/enter", "/healthz"}
PARAMETERS = {"slug": "s", "study_id": "s", "number": "1", "kind": "csv", "what": "retracted"}


def operations(app) -> list[tuple[str, str]]:
    """Every method and path that the router knows, parameters filled in."""
    found = []
    for route in routes(app):
        path = route.path
        for name, value in PARAMETERS.items():
            path = path.replace("{" + name + "}", value)
        assert "{" not in path, f"give {route.path} a parameter in this test"
        found += [(method, path) for method in route.methods or ()]
    return found


def routes(app) -> list[Any]:
    """The routes; newer versions of FastAPI keep those of a router together."""
    found: list[Any] = []
    for route in app.routes:
        if isinstance(route, Mount):
            assert route.path == "/static"
        elif isinstance(route, Route):
            found.append(route)
        else:
            found += route.effective_route_contexts()
    paths = {route.path for route in found}
    assert paths >= {*app.openapi()["paths"], "/", "/studies/{slug}", "/plan"}
    return found


def test_every_route_refuses_strangers(app, stranger) -> None:
    listed = operations(app)
    assert len(listed) > 40
    for method, path in listed:
        if path in OPEN:
            continue
        assert stranger.request(method, path).status_code == 401, (method, path)
        with_origin = stranger.request(method, path, headers={"Origin": ORIGIN})
        assert with_origin.status_code == 401, (method, path)


def test_unknown_paths_and_methods_are_refused_before_they_are_looked_up(stranger) -> None:
    for path in ("/nothing", "/api/nothing", "/static", "/docs", "/openapi.json", "//", "/enter/"):
        assert stranger.get(path).status_code == 401, path
    for method in ("DELETE", "PUT", "PATCH", "OPTIONS", "TRACE"):
        assert stranger.request(method, "/api/studies").status_code == 401


def test_every_change_refuses_other_sites_even_with_a_token(app, api) -> None:
    for method, path in operations(app):
        if method in ("GET", "HEAD"):
            continue
        for headers in (
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Origin": "http://127.0.0.1:9999"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
            {"Sec-Fetch-Site": "none", "Origin": ORIGIN},
            {"Sec-Fetch-Site": "cross-site", "Origin": ORIGIN},
        ):
            assert api.request(method, path, headers=headers).status_code == 403, (path, headers)


def test_every_route_refuses_other_hosts(app, api) -> None:
    for method, path in operations(app):
        for host in ("evil.example", "evil.example:8765", "127.0.0.1:9999", "127.0.0.1", "a@b:1"):
            answer = api.request(method, path, headers={"Host": host})
            assert answer.status_code == 421, (path, host)


def test_the_request_that_a_peer_fell_for(app, stranger, studies) -> None:
    studies.create("mine", ["a"], 0.5, "bernoulli")
    for method, path in (
        ("DELETE", "/api/studies/1"),
        ("DELETE", "/api/studies/mine"),
        ("POST", "/api/studies/mine/stop"),
    ):
        answer = stranger.request(method, path, headers={"Host": "attacker.example"})
        assert answer.status_code == 421
        assert stranger.request(method, path).status_code == 401
        ours = stranger.request(method, path, headers={"Origin": ORIGIN})
        assert ours.status_code == 401
    assert [s.state for s in studies.list()] == ["open"]


def test_a_cookie_alone_changes_nothing_without_a_sign_of_our_own_page(app, stranger) -> None:
    stranger.get(f"/enter?token={TOKEN}")
    assert stranger.get("/").status_code == 200
    assert stranger.post("/demo").status_code == 403
    assert stranger.post("/demo", headers={"Origin": ORIGIN}).status_code == 303
    assert stranger.post("/demo", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 303


def test_the_link_becomes_a_cookie(stranger) -> None:
    answer = stranger.get(f"/enter?token={TOKEN}")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert stranger.get("/enter?token=wrong").status_code == 401
    assert stranger.post("/enter", data={"token": "wrong"}).status_code == 403
    wrong = stranger.post("/enter", data={"token": "wrong"}, headers={"Origin": ORIGIN})
    assert wrong.status_code == 401
    assert "set-cookie" not in wrong.headers


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer wrong", f"Basic {TOKEN}", f"bearer{TOKEN}", "Bearer " + "é" * 3, ""],
)
def test_wrong_tokens(stranger, header) -> None:
    raw = header.encode("utf-8")
    assert stranger.get("/api/studies", headers={"Authorization": raw}).status_code == 401


@pytest.mark.parametrize(
    ("path", "largest"), [("/api/studies", LARGEST_OF_PROGRAMS), ("/new", LARGEST_BODY)]
)
def test_large_requests_are_refused(api, path: str, largest: int) -> None:
    assert api.post(path, content=b"x" * (largest + 1)).status_code == 413

    def parts():
        for _ in range(largest // 65536 + 2):
            yield b"x" * 65536

    assert api.post(path, content=parts()).status_code == 413
    assert api.post(path, headers={"Content-Length": "-1"}).status_code == 413


def test_paths_lead_nowhere_else(api, stranger) -> None:
    for path in (
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/vendor/../../app.py",
        "/static/..\\app.py",
        "/static/%00",
    ):
        for client in (api, stranger):
            assert client.get(path).status_code in (401, 404), path
    for name in ("%2e%2e", "..%2f..%2fetc", "~2e~2e", "~00", "~ff", "~zz", "x" * 3000):
        assert api.get(f"/api/studies/{name}").status_code in (401, 404), name
    assert api.get("/api/studies/s/export/../../x").status_code == 404


def test_every_answer_has_the_headers(api, stranger, app) -> None:
    @app.get("/broken")
    def broken() -> None:
        raise RuntimeError("secret")

    ours = [(api, path) for path in ("/", "/nothing", "/broken")]
    for client, path in ((stranger, "/"), (stranger, "/static/page.css"), *ours):
        answer = client.get(path)
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text


def test_pages_have_no_inline_scripts_or_styles(api) -> None:
    where = api.post("/demo").headers["location"]
    for path in ("/", "/new", "/plan", "/api", where, where + "/log", where + "/verify"):
        text = api.get(path).text
        assert " style=" not in text, path
        assert "<style" not in text, path
        assert " onclick=" not in text, path
        assert text.count("<script") == text.count("<script src=") == 6, path


def test_a_web_socket_is_closed(app) -> None:
    sent = []

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message)

    asyncio.run(app({"type": "websocket", "path": "/", "headers": []}, receive, send))
    assert [m["type"] for m in sent] == ["websocket.close"]


def test_reading_tokens_change_nothing(app, stranger, tokens: TokenFile, studies) -> None:
    studies.create("s", ["a", "b"], 0.5, "bernoulli")
    reader, writer = tokens.create("ana", "read"), tokens.create("ben", "write")
    look = {"Authorization": f"Bearer {reader}"}
    assert stranger.get("/api/studies/s", headers=look).status_code == 200
    page = stranger.get("/studies/s", headers=look)
    assert "change nothing" in page.text
    for method, path in operations(app):
        if method not in ("GET", "HEAD") and path not in {*OPEN, *HARMLESS_PATHS}:
            assert stranger.request(method, path, headers=look).status_code == 403, path
    change = {"Authorization": f"Bearer {writer}"}
    told = {"arm": "a", "value": 1}
    assert stranger.post("/api/studies/s/tell", json=told, headers=change).json()["by"] == "ben"
    assert '"by":"ben"' in studies.open("s").events()[-1].text
    tokens.revoke("ben")
    assert stranger.post("/api/studies/s/tell", json=told, headers=change).status_code == 401


def test_addresses() -> None:
    here = Addresses("127.0.0.1", 8765, ["lab.example:443", "box"])
    for good in ("127.0.0.1:8765", "localhost:8765", "[::1]:8765", "lab.example:443", "box:8765"):
        assert here.allows(good), good
    for bad in (
        None,
        "",
        "127.0.0.1",
        "127.0.0.1:80",
        "lab.example",
        "10.0.0.1:8765",
        "localhost.:8765",
        "127.0.0.1:8765:8765",
        "127.0.0.1:08765x",
        "a b",
        "127.0.0.1:99999",
        "x@127.0.0.1:8765",
        "evil.example#127.0.0.1:8765",
        "127.0.0.1.evil.example:8765",
    ):
        assert not here.allows(bad), bad
    public = Addresses("0.0.0.0", 80)
    assert public.allows("10.0.0.1")
    assert public.allows("10.0.0.1:80")
    assert not public.allows("rebound.example")
