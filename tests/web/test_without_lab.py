"""The page and the API where goodarm[lab] is not installed: what needs it says so."""

from typing import TYPE_CHECKING

import pytest

from goodarm import extras

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

if TYPE_CHECKING:
    from starlette.testclient import TestClient

REMEDY = 'needs goodarm[lab]: pip install "goodarm[lab]"'
PLAN = {"means": [0.3, 0.7], "threshold": 0.5, "outcome": "bernoulli", "delta": 0.1}


@pytest.fixture(autouse=True)
def no_lab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "_found", set())
    monkeypatch.setattr(extras, "find_spec", lambda name: None)


def test_the_api(api: "TestClient") -> None:
    answer = api.post("/api/plan", json=PLAN)
    assert answer.status_code == 501
    assert answer.json()["error"] == f"a plan {REMEDY}"
    assert "501" in api.get("/api/openapi.json").json()["paths"]["/api/plan"]["post"]["responses"]


def test_the_pages(browser: "TestClient") -> None:
    for path in ("/plan", "/outcomes/prices?kind=yes-no"):
        answer = browser.get(path)
        assert answer.status_code == 501
        assert REMEDY in answer.text.replace("&#34;", '"')
    assert browser.get("/outcomes?kind=yes-no").status_code == 200


def test_a_study_does_without(api: "TestClient") -> None:
    new = {"name": "s", "arms": ["A", "B"], "threshold": 0.5, "outcome": "bernoulli"}
    assert api.post("/api/studies", json=new).status_code == 201
    assert api.get("/api/studies/s/forecast?delta=0.1&runs=10&horizon=20").status_code == 200
    assert api.get("/api/studies/s/export/csv").status_code == 200
    answer = api.get("/api/studies/s/export/parquet")
    assert answer.status_code == 501
    assert REMEDY in answer.json()["error"]
