"""The API: the same actions as JSON, and what it refuses."""

import pytest

NEW = {"name": "s", "arms": ["a", "b"], "threshold": 0.5, "outcome": "bernoulli", "delta": 0.1}
AT = "/api/studies/s"


def test_from_creation_to_the_answer(api) -> None:
    made = api.post("/api/studies", json=NEW)
    assert made.status_code == 201
    assert made.json()["id"] == "s"
    assert api.post("/api/studies", json=NEW).status_code == 409
    for _ in range(200):
        trials = api.post(f"{AT}/ask", json={"n": 2})
        if trials.status_code == 409:
            break
        for trial in trials.json():
            value = 1 if trial["arm"] == "b" else 0
            told = api.post(f"{AT}/tell", json={"trial": trial["number"], "value": value})
            assert told.json()["status"] == "told"
    study = api.get(AT).json()
    assert study["decided"]
    assert study["decision"] == "b"
    assert api.get(f"{AT}/verify").json()["ok"]
    assert api.get(f"{AT}/verify", params={"head": "0" * 64}).json()["ok"] is False
    assert api.get(f"{AT}/events", params={"after": 1, "limit": 2}).json()[0]["seq"] == 2
    assert api.get(f"{AT}/evidence").json()["arms"][1]["name"] == "b"
    assert api.get(f"{AT}/forecast").json()["median"] == 0
    assert api.get("/api/studies", params={"search": "S"}).json()[0]["answer"] == "b"
    assert api.get(f"{AT}/trials/1").json()["number"] == 1


def test_changes(api) -> None:
    api.post("/api/studies", json=NEW)
    api.post(f"{AT}/ask", json={"arm": "b", "key": "once"})
    again = api.post(f"{AT}/ask", json={"arm": "b", "key": "once"}).json()
    assert [t["number"] for t in again] == [1]
    assert api.post(f"{AT}/cancel", json={"trial": 1}).json()["status"] == "cancelled"
    assert api.post(f"{AT}/tell", json={"trial": 1, "value": 1}).json()["status"] == "told"
    assert api.post(f"{AT}/tell", json={"trial": 1, "value": 0}).status_code == 409
    wrong = api.post(f"{AT}/correct", json={"trial": 1, "value": 0, "reason": "slip"})
    assert wrong.json()["value"] == 0.0
    retracted = api.post(f"{AT}/retract", json={"trial": 1, "reason": "lost"})
    assert retracted.json()["status"] == "retracted"
    assert api.post(f"{AT}/stop", json={"reason": "enough"}).json()["state"] == "stopped"
    assert api.post(f"{AT}/extend", json={"trials": 3}).json()["limit"] == 3
    amended = api.post(f"{AT}/amend", json={"threshold": 0.6, "reason": "law"})
    assert amended.json()["threshold"] == 0.6
    assert api.post("/api/demo").status_code == 201


@pytest.mark.parametrize(
    "body",
    [
        "", "[]", "null", '{"trial": 1}', '{"value": 1}', '{"trial": 1, "value": true}',
        '{"trial": 1, "value": "1"}', '{"trial": 1, "value": NaN}', '{"trial": 1, "value": 1e999}',
        '{"trial": 1, "value": -Infinity}', '{"trial": true, "value": 1}',
        '{"trial": 1.5, "value": 1}', '{"arm": "a", "trial": 1, "value": 1}',
        '{"arm": "c", "value": 1}', '{"trial": 2, "value": 1}', '{"trial": 1, "value": 0.5}',
        '{"trial": 1, "value": 1, "extra": 1}', '{"trial": 99999999999999999999, "value": 1}',
        '{"arm": "a\\u0000", "value": 1}', '{"arm": "\\ud800", "value": 1}', "{" * 5000,
        '{"trial": 1, "value": 1, "at": "yesterday"}', '{"trial": 1, "value": 1, "note": ""}',
    ],
)  # fmt: skip
def test_bad_outcomes_change_nothing(api, studies, body) -> None:
    api.post("/api/studies", json=NEW)
    api.post(f"{AT}/ask", json={})
    before = studies.open("s").head
    answer = api.post(f"{AT}/tell", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["error"]
    assert studies.open("s").head == before


def test_no_answer_names_the_database(api, studies) -> None:
    for path in ("/api/studies/none", "/studies/none", "/api/studies/none/verify"):
        answer = api.get(path)
        assert answer.status_code == 404
        assert "sqlite" not in answer.text
        assert "studies.db" not in answer.text
