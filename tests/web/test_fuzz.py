"""The API's description against the API: whatever is sent, the server itself never fails."""

import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.study import Studies
from goodarm.web.app import create_app

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

TOKEN = "a-token-for-the-tests-0123456789"
HEADERS = {b"authorization": f"Bearer {TOKEN}".encode(), b"host": b"127.0.0.1:8765"}
OTHERS = (b"cookie", b"origin", b"sec-fetch-site")
EXAMPLES = int(os.environ.get("GOODARM_EXAMPLES", "12"))  # of each operation
EXPECTED = {200, 201, 202, 400, 404, 405, 409, 413, 422}


def admitted(app):
    """The application with the gate's questions answered, so that nonsense gets behind it."""

    async def call(scope, receive, send) -> None:
        if scope["type"] == "http":
            kept = [(n, v) for n, v in scope["headers"] if n not in HEADERS and n not in OTHERS]
            scope = {**scope, "headers": [*kept, *HEADERS.items()]}
        await app(scope, receive, send)

    return call


@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_no_request_makes_the_server_fail(tmp_path: Path, mode: str) -> None:
    studies = Studies(tmp_path / "studies.db", create=True)
    study = studies.create("0", ["a", "b"], 0.5, "bernoulli", delta=0.1)
    study.ask(3)
    app = admitted(create_app(studies, TOKEN))
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 20
    seen: set[int] = set()
    for operation in operations:
        if operation.path.startswith(("/api/plan", "/api/demo")) and operation.method == "post":
            continue  # simulations and demonstrations take long; their own tests send nonsense
        send_some(operation, schemathesis.GenerationMode(mode), seen)
    assert 422 in seen
    assert mode == "negative" or 200 in seen
    assert study.verify().ok


def send_some(operation, mode, seen: set[int]) -> None:
    @settings(
        max_examples=EXAMPLES,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case) -> None:
        if "study_id" in case.path_parameters:
            case.path_parameters["study_id"] = "0"
        answer = case.call()
        assert answer.status_code in EXPECTED, (case.method, case.path, answer.text)
        if answer.status_code >= 400:
            assert answer.json()["error"] is not None
        seen.add(answer.status_code)

    with suppress(Unsatisfiable):  # an operation without inputs has no wrong ones
        send()
