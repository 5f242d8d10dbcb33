"""The API with a version: lists with totals, error codes, tags, streams, and every word of it."""

import json
import threading
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

import httpx

from goodarm.web.api.words import PARAMETERS, WORDS

NEW = {"name": "s", "arms": ["a", "b"], "threshold": 0.5, "outcome": "bernoulli", "delta": 0.1}
AT = "/api/v1/studies/s"
TOKEN = "a-token-for-the-tests-0123456789"


@pytest.fixture
def described(api) -> dict[str, Any]:
    found: dict[str, Any] = api.get("/api/v1/openapi.json").json()
    return found


def operations(described: dict[str, Any]) -> list[dict[str, Any]]:
    return [what for path in described["paths"].values() for what in path.values()]


def test_every_operation_has_an_id_and_every_field_a_meaning_and_an_example(described) -> None:
    found = operations(described)
    ids = [operation["operationId"] for operation in found]
    assert len(set(ids)) == len(ids) > 20
    assert not any(operation.get("deprecated") for operation in found)
    for operation in found:
        for parameter in operation.get("parameters", []):
            assert {"description", "example"} <= parameter.keys(), parameter
    used = set()
    for name, shape in described["components"]["schemas"].items():
        for field, what in shape.get("properties", {}).items():
            assert what.get("description"), f"{name}.{field}"
            assert what.get("examples"), f"{name}.{field}"
            used |= {field, f"{name}.{field}"}
    assert set(WORDS) <= used
    named = {p["name"] for operation in found for p in operation.get("parameters", [])}
    assert set(PARAMETERS) <= named


def test_the_paths_without_a_version_are_there_and_deprecated(api, described) -> None:
    whole = api.get("/api/openapi.json").json()
    old = {path: what for path, what in whole["paths"].items() if path not in described["paths"]}
    assert "/api/studies/{study_id}/tell" in old
    assert all(operation["deprecated"] for operation in operations({"paths": old}))
    ids = [operation["operationId"] for operation in operations(whole)]
    assert len(set(ids)) == len(ids)
    api.post("/api/studies", json=NEW)
    assert isinstance(api.get("/api/studies").json(), list)
    assert isinstance(api.get("/api/studies/s/events").json(), list)


def test_lists_have_totals(api) -> None:
    for number in range(3):
        api.post("/api/v1/studies", json={**NEW, "name": f"s_{number}"})
    api.post("/api/v1/studies", json={**NEW, "name": "t%"})
    some = api.get("/api/v1/studies", params={"search": "s_", "limit": 2}).json()
    assert (some["total"], len(some["studies"])) == (3, 2)
    assert api.get("/api/v1/studies", params={"search": "%"}).json()["total"] == 1
    assert api.get("/api/v1/studies").json()["total"] == 4
    api.post("/api/v1/studies/s_1/ask", json={"n": 5})
    log = api.get("/api/v1/studies/s_1/events", params={"after": 1, "limit": 2}).json()
    assert (log["total"], [event["seq"] for event in log["events"]]) == (6, [2, 3])


def test_errors_have_codes(api, stranger) -> None:
    api.post("/api/v1/studies", json={**NEW, "outcome": "gaussian:0.1"})
    trial = api.post(f"{AT}/ask", json={}).json()[0]["number"]
    told = {"trial": trial, "value": 0.5}
    api.post(f"{AT}/tell", json=told)
    codes = {
        "conflict": api.post(f"{AT}/tell", json={**told, "value": 0.6}),
        "wrong_input": api.post(f"{AT}/tell", json={}),
        "unlikely": api.post(f"{AT}/tell", json={"arm": "a", "value": 99}),
        "not_found": api.get("/api/v1/studies/none"),
        "no_token": stranger.get("/api/v1/studies"),
        "no_such_method": api.put("/api/v1/studies"),
    }
    api.post(f"{AT}/stop", json={"reason": "enough"})
    codes["closed"] = api.post(f"{AT}/ask", json={})
    assert {code: answer.json()["code"] for code, answer in codes.items()} == {c: c for c in codes}


def test_a_tag_says_whether_anything_has_changed(api) -> None:
    api.post("/api/v1/studies", json=NEW)
    first = api.get(AT)
    tag = {"If-None-Match": first.headers["ETag"]}
    again = api.get(AT, headers=tag)
    assert (again.status_code, again.content) == (304, b"")
    assert api.get(AT, headers=tag, params={"simultaneous": True}).status_code == 200
    api.post(f"{AT}/ask", json={"lease": 0.001})
    changed = api.get(AT, headers=tag)
    assert changed.status_code == 200
    assert changed.headers["ETag"] != first.headers["ETag"]


def test_large_answers_are_packed(api) -> None:
    api.post("/api/v1/studies", json={**NEW, "arms": [f"arm {n}" for n in range(200)]})
    answer = api.get(AT, headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert len(answer.json()["arms"]) == 200


def test_every_change_can_be_repeated(api) -> None:
    for _ in range(2):
        made = api.post("/api/v1/studies", json={**NEW, "key": "new"})
        assert made.status_code == 201
        assert made.json()["events"] == 1
    assert api.post("/api/v1/studies", json={**NEW, "key": "other"}).status_code == 409
    api.post(f"{AT}/ask", json={"n": 4})
    many = [{"trial": 1, "value": 1}, {"arm": "a", "value": 0}]
    for action, body in (
        ("ask", {"n": 2}),
        ("tell", {"arm": "a", "value": 1}),
        ("tell-many", {"outcomes": many}),
        ("cancel", {"trial": 2}),
        ("correct", {"trial": 1, "value": 0, "reason": "slip"}),
        ("retract", {"trial": 1, "reason": "lost"}),
        ("cancel-all", {}),
        ("amend", {"threshold": 0.6, "reason": "law"}),
        ("add-arm", {"arm": "late", "cost": 2, "note": "a gift", "reason": "new idea"}),
        ("retire-arm", {"arm": "late", "reason": "sold out"}),
        ("stop", {"reason": "enough"}),
        ("extend", {"trials": 9}),
        ("rename", {"name": "s"}),
        ("tag", {"add": ["spring"], "remove": ["old"]}),
        ("archive", {"reason": "done"}),
        ("unarchive", {}),
    ):
        first = api.post(f"{AT}/{action}", json={**body, "key": f"{action}/1"})
        assert first.status_code == 200, (action, first.text)
        head = api.get(AT).json()["head"]
        again = api.post(f"{AT}/{action}", json={**body, "key": f"{action}/1"})
        assert again.json() == first.json(), action
        assert api.get(AT).json()["head"] == head, action
    other = {"arm": "later", "reason": "new idea", "key": "add-arm/1"}
    assert api.post(f"{AT}/add-arm", json=other).json()["code"] == "conflict"
    assert api.get(f"{AT}/verify").json()["ok"]


def test_a_study_with_several_measurements_and_arms_that_come_and_go(api) -> None:
    declared = {
        "name": "s",
        "arms": ["low", "high"],
        "criteria": ["works:bernoulli>=0.3", "harms:bernoulli<=0.2"],
        "question": "all",
        "delta": 0.2,
        "reserve": 0.1,
        "details": {"low": {"label": "10 mg", "cost": 2}},
    }
    made = api.post("/api/v1/studies", json=declared).json()
    assert made["criteria"] == ["works at least 0.3", "harms at most 0.2"]
    api.post(f"{AT}/ask", json={"n": 2})
    first = api.post(f"{AT}/tell", json={"trial": 1, "value": {"works": 1}}).json()
    assert (first["status"], first["values"]) == ("open", {"works": 1.0})
    many = [{"trial": 1, "value": {"harms": 0}}, {"arm": "high", "value": {"works": 0, "harms": 1}}]
    told = api.post(f"{AT}/tell-many", json={"outcomes": many, "key": "m"}).json()
    assert [trial["status"] for trial in told] == ["told", "told"]
    wrong = api.post(f"{AT}/tell", json={"trial": 2, "value": 1})
    assert (wrong.status_code, "works, harms" in wrong.json()["error"]) == (422, True)
    api.post(f"{AT}/add-arm", json={"arm": "higher", "label": "40 mg", "reason": "week 3"})
    after = api.post(f"{AT}/retire-arm", json={"arm": "high", "reason": "harms"}).json()
    standings = {arm["arm"]: (arm["standing"], arm["label"]) for arm in after["arms"]}
    assert standings == {
        "low": ("undecided", "10 mg"),
        "high": ("retired", None),
        "higher": ("undecided", "40 mg"),
    }
    assert (after["risk"], after["spent"], after["question"]) == (0.2, 3.0, "all")
    assert after["arms"][0]["measurements"][1]["count"] == 1
    same_bar = {"arm": "x", "threshold": {"works": 0.5}, "reason": "r"}
    assert "the same for all" in api.post(f"{AT}/add-arm", json=same_bar).json()["error"]
    assert api.get(f"{AT}/verify").json()["ok"]


def test_lists_leave_out_what_is_archived_and_find_tags(api) -> None:
    for name in ("s", "t"):
        api.post("/api/v1/studies", json={**NEW, "name": name})
    assert api.post(f"{AT}/tag", json={"add": ["Spring"]}).json()["tags"] == ["spring"]
    assert api.post(f"{AT}/archive", json={}).json()["archived"] is True
    lists = {
        query: (found["total"], [(one["name"], one["tags"]) for one in found["studies"]])
        for query in ("", "?tag=spring", "?archived=true", "?archived=true&tag=SPRING")
        for found in [api.get(f"/api/v1/studies{query}").json()]
    }
    away = (1, [("s", ["spring"])])
    assert list(lists.values()) == [(1, [("t", [])]), (0, []), away, away]
    assert len(api.get("/api/studies").json()) == 2, "without a version, as before"
    assert api.post(f"{AT}/tag", json={"add": ["a,b"]}).status_code == 422


def test_a_new_name_and_a_longer_lease(api) -> None:
    api.post("/api/v1/studies", json=NEW)
    trial = api.post(f"{AT}/ask", json={"lease": 60}).json()[0]
    renewed = api.post(f"{AT}/renew", json={"trial": 1, "lease": 6000}).json()
    assert renewed["expires_at"] > trial["expires_at"]
    assert api.post(f"{AT}/rename", json={"name": "other name"}).json()["id"] == "other~20name"
    assert api.get(AT).status_code == 404
    assert api.get("/api/v1/studies/other~20name").status_code == 200


def test_the_log_as_a_stream(server) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "text/event-stream"}
    heard: list[tuple[int, str]] = []
    enough = threading.Event()
    with httpx.Client(base_url=server.url, headers=headers, timeout=60.0) as client:
        client.post("/api/v1/studies", json={**NEW, "name": "streamed"})
        at = "/api/v1/studies/streamed"
        client.post(f"{at}/ask", json={"n": 2})

        def listen(**more: str) -> None:
            with client.stream("GET", f"{at}/events", headers=more) as stream:
                assert stream.headers["X-Accel-Buffering"] == "no"
                for line in stream.iter_lines():
                    if line.startswith("data:"):
                        event = json.loads(line[5:])
                        heard.append((event["seq"], event["kind"]))
                    if len(heard) == 3:
                        enough.set()
                    if len(heard) == 4:
                        return

        listener = threading.Thread(target=listen)
        listener.start()
        assert enough.wait(30.0)
        client.post(f"{at}/tell", json={"trial": 1, "value": 1})
        listener.join(30.0)
        assert heard == [(1, "created"), (2, "asked"), (3, "asked"), (4, "told")]
        heard[:] = heard[:3]
        listen(**{"Last-Event-ID": "3"})
        assert heard[3] == (4, "told")
