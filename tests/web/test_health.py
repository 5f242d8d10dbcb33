"""What those who watch a server are told."""

import json
import logging
import re

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.study import StorageError
from goodarm.web.server import health

NEW = {"name": "s", "arms": ["a", "b"], "threshold": 0.5, "outcome": "bernoulli"}


def numbers(text: str, name: str) -> dict[str, float]:
    """What Prometheus would read of one metric, by its labels."""
    found = re.findall(rf"^{name}(?:{{(.*)}})? (\S+)$", text, re.MULTILINE)
    return {labels: float(value) for labels, value in found}


def test_anyone_may_ask_whether_all_is_well(stranger, app, monkeypatch) -> None:
    assert stranger.get("/healthz").json() == {"status": "ok"}
    asked = []

    def broken() -> int:
        asked.append(1)
        raise StorageError("sqlite:///secret.db: the disk is gone")

    monkeypatch.setattr(app.state.site.studies, "count", broken)
    monkeypatch.setattr(health, "ASKED_EVERY", 1e6)
    assert stranger.get("/healthz").status_code == 200, "it was asked just now"
    monkeypatch.setattr(health, "ASKED_EVERY", -1.0)
    answer = stranger.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"status": "no database"})
    assert len(asked) == 1
    assert stranger.get("/healthz", headers={"Host": "evil.example"}).status_code == 421


def test_requests_are_counted_by_their_routes(api, stranger, tokens) -> None:
    api.post("/api/v1/studies", json=NEW)
    for number in range(3):
        api.post("/api/v1/studies/s/tell", json={"arm": "a", "value": 1, "key": str(number)})
    for path in ("/studies/s", "/studies/none", "/static/page.css"):
        api.get(path)
    stranger.get("/whatever-strangers-invent")
    text = api.get("/metrics").text
    counts = numbers(text, "goodarm_request_seconds_count")
    assert counts['method="POST",route="/api/v1/studies/{study_id}/tell",status="200"'] == 3
    assert counts['method="GET",route="/studies/{slug}",status="404"'] == 1
    assert counts['method="GET",route="/static",status="200"'] == 1
    assert counts['method="GET",route="(none)",status="401"'] == 1
    assert "invent" not in text
    assert numbers(text, "goodarm_commits_total") == {"": 3.0}, "a creation changes no study"
    assert stranger.get("/metrics").status_code == 401
    reader = {"Authorization": f"Bearer {tokens.create('prometheus', 'read')}"}
    assert stranger.get("/metrics", headers=reader).status_code == 200


def test_a_line_for_each_request(api, stranger, caplog) -> None:
    with caplog.at_level(logging.INFO, "goodarm.requests"):
        api.get("/api/v1/studies?search=secret")
        stranger.get("/enter?token=secret")
    lines = [record for record in caplog.records if record.name == "goodarm.requests"]
    assert [(r.fields["status"], r.fields["by"], r.unlimited) for r in lines] == [
        (200, "owner", True),
        (401, None, False),
    ]
    assert "secret" not in json.dumps([record.fields for record in lines]) + lines[0].getMessage()
