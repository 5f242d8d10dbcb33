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
    assert api.post(f"{AT}/amend", json={"reason": "nothing"}).status_code == 422
    assert (
        api.post(f"{AT}/amend", json={"boundary": "glr", "reason": "r"}).json()["stopping_rule"]
        == "glr"
    )
    assert api.post("/api/demo").status_code == 201


def test_rules_and_what_waits(api) -> None:
    made = api.post("/api/studies", json={**NEW, "boundary": "glr", "decide": "as-told"}).json()
    assert (made["stopping_rule"], made["decide"], made["simultaneous"]) == ("glr", "as-told", True)
    made = api.post("/api/studies", json={**NEW, "name": "t", "arms": ["a"]}).json()
    assert (made["stopping_rule"], made["decide"], made["boundary"]) == (
        "mixture",
        "as-asked",
        None,
    )
    api.post("/api/studies/t/ask", json={"n": 2})
    api.post("/api/studies/t/tell", json={"trial": 2, "value": 1})
    shown = api.get("/api/studies/t").json()
    assert (shown["waiting"], shown["waiting_for"], shown["arms"][0]["waiting"]) == (1, [1], 1)
    assert shown["simultaneous"] is False
    assert api.get("/api/studies/t", params={"simultaneous": "yes"}).json()["simultaneous"] is True
    for wrong in ({"boundary": "kano"}, {"decide": "late"}):
        assert api.post("/api/studies", json={**NEW, "name": "u", **wrong}).status_code == 422


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        ("gaussian:0.2,0.3", "gaussian"),
        ({"kind": "gaussian", "sigma": [0.2, 0.3]}, "0.2 to 0.3"),
        ({"kind": "gaussian", "sigma": 0.2}, "at most 0.2"),
        ({"kind": "bounded", "lo": 0, "hi": 2}, "between 0 and 2"),
        ({"kind": "bernoulli"}, "0 or 1"),
        ({"kind": "gaussian"}, "not known"),
        ({"kind": "gaussian", "sigma": None}, "not known"),
        ({"kind": "bounded", "lo": 0}, "0"),
        ({"kind": "bounded", "hi": 2, "lo": None}, "2"),
    ],
)
def test_an_outcome_is_a_text_or_its_parameters(api, studies, outcome, text: str) -> None:
    assert api.post("/api/studies", json={**NEW, "outcome": outcome}).status_code == 201
    made = studies.open("s").settings.outcome
    assert text in f"{made.name} {made.describe()}"


@pytest.mark.parametrize(
    "outcome",
    [
        {},
        {"kind": "cauchy"},
        {"kind": "bounded"},
        {"kind": "bounded", "hi": None},
        {"kind": "gaussian", "sd": 1},
        {"kind": "gaussian", "sigma": "1"},
        {"kind": "gaussian", "sigma": []},
        {"kind": "gaussian", "sigma": [1, 2, 3]},
        {"kind": "gaussian", "sigma": [True, 1]},
        {"kind": "bounded", "lo": [0, 0], "hi": 1},
        {"kind": "bernoulli", "sigma": 1},
        {"kind": "bounded", "lo": 1, "hi": 0},
        ["bernoulli"],
        {"kind": 1},
        {"kind": "gaussian", "sigma": {"a": 1}},
    ],
)
def test_an_outcome_that_there_cannot_be(api, studies, outcome) -> None:
    answer = api.post("/api/studies", json={**NEW, "outcome": outcome})
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]
    assert studies.list() == []


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("tell", {"trial": 1, "value": 54}),
        ("tell", {"arm": "a", "value": 54}),
        ("tell-many", {"outcomes": [{"trial": 2, "value": 0.5}, {"trial": 1, "value": 54}]}),
        ("correct", {"trial": 3, "value": 54, "reason": "slip"}),
        ("import", {"csv": "arm,value\nb,0.5\na,54"}),
    ],
)
def test_an_unlikely_outcome_has_to_be_confirmed(api, studies, action: str, body: dict) -> None:
    api.post("/api/studies", json={**NEW, "outcome": "gaussian:0.1"})
    api.post(f"{AT}/ask", json={"n": 3})
    api.post(f"{AT}/tell", json={"trial": 3, "value": 0.5})
    before = studies.open("s").head
    answer = api.post(f"{AT}/{action}", json=body)
    assert answer.status_code == 422
    assert 'send it again with "sure": true' in answer.json()["error"]
    assert answer.json()["confirm"] == {"sure": True}
    assert studies.open("s").head == before
    assert api.post(f"{AT}/{action}", json={**body, **answer.json()["confirm"]}).status_code == 200
    assert 54.0 in [trial.value for trial in studies.open("s").trials]


def test_outcomes_together_count_at_one_moment(api, studies) -> None:
    api.post("/api/studies", json={**NEW, "arms": ["a"], "decide": "as-told"})
    api.post(f"{AT}/ask", json={"n": 100})
    best_first = [{"trial": n, "value": int(n <= 42)} for n in range(1, 101)]
    wrong = {"outcomes": [*best_first, {"trial": 101, "value": 1}]}
    assert api.post(f"{AT}/tell-many", json=wrong).status_code == 422
    assert studies.open("s").status().trials == 0, "all or none"
    for _ in range(2):  # the answer may have been lost: the same again changes nothing
        assert len(api.post(f"{AT}/tell-many", json={"outcomes": best_first}).json()) == 100
        shown = api.get(AT).json()
        assert (shown["trials"], shown["decided"]) == (100, False)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "null",
        '{"trial": 1}',
        '{"value": 1}',
        '{"trial": 1, "value": true}',
        '{"trial": 1, "value": "1"}',
        '{"trial": 1, "value": NaN}',
        '{"trial": 1, "value": 1e999}',
        '{"trial": 1, "value": -Infinity}',
        '{"trial": true, "value": 1}',
        '{"trial": 1.5, "value": 1}',
        '{"arm": "a", "trial": 1, "value": 1}',
        '{"arm": "c", "value": 1}',
        '{"trial": 2, "value": 1}',
        '{"trial": 1, "value": 0.5}',
        '{"trial": 1, "value": 1, "extra": 1}',
        '{"trial": 99999999999999999999, "value": 1}',
        '{"arm": "a\\u0000", "value": 1}',
        '{"arm": "\\ud800", "value": 1}',
        "{" * 5000,
        '{"trial": 1, "value": 1, "at": "yesterday"}',
        '{"trial": 1, "value": 1, "note": ""}',
    ],
)
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


def test_messages_do_not_speak_python(api) -> None:
    api.post("/api/studies", json=NEW)
    api.post(f"{AT}/ask", json={"n": 2})
    api.post(f"{AT}/tell", json={"trial": 1, "value": 1})
    texts = [
        api.post(f"{AT}/{action}", json=body).json()["error"]
        for action, body in (
            ("tell", {"trial": 1, "value": 0}),
            ("tell", {"trial": 2, "value": 0.5}),
            ("tell", {"trial": 1}),
            ("tell", {"trial": "1", "value": 1}),
            ("tell", {"trial": 1, "value": 1, "arms": 1}),
            ("tell-many", {"outcomes": [{"arm": "a"}]}),
            ("ask", [1]),
        )
    ]
    texts.append(api.post(f"{AT}/tell").json()["error"])
    texts.append(api.post(f"{AT}/tell", content="{").json()["error"])
    for text in texts:
        assert not any(word in text for word in ("study.", "Bounded(", "Field", "Input", "dict"))
        assert not text.startswith(":")
    assert "correct it, which keeps both" in texts[0]
    assert texts[2] == "value: it is missing"
    assert texts[5] == "outcomes.0.value: it is missing"
    assert texts[-2].startswith("the body: ")
