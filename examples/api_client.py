"""Run a study through the web API, with nothing but the standard library.

    GOODARM_TOKEN=… goodarm serve          # in one terminal
    GOODARM_TOKEN=… python examples/api_client.py

Set GOODARM_URL if the server is not at http://127.0.0.1:8765.
"""

import json
import os
import random
import urllib.request
from typing import Any
from uuid import uuid4

URL = os.environ.get("GOODARM_URL", "http://127.0.0.1:8765")
TRUTH = {"blue": 0.45, "green": 0.8, "red": 0.3}  # what a real experiment would not know


def call(path: str, body: dict[str, Any] | None = None) -> Any:
    """GET a path, or POST a body to it."""
    request = urllib.request.Request(
        URL + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {os.environ['GOODARM_TOKEN']}",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def main() -> None:
    study = call(
        "/api/v1/studies",
        {
            "name": f"colours {uuid4().hex[:6]}",
            "arms": list(TRUTH),
            "threshold": 0.5,
            "outcome": "bernoulli",
            "delta": 0.1,
        },
    )
    at = f"/api/v1/studies/{study['id']}"
    chance = random.Random(1)
    while call(at)["state"] == "open":
        for trial in call(f"{at}/ask", {"n": 5}):
            outcome = int(chance.random() < TRUTH[trial["arm"]])
            call(f"{at}/tell", {"trial": trial["number"], "value": outcome})
    print(call(at)["meaning"])
    print("audit:", "sound" if call(f"{at}/verify")["ok"] else "NOT sound")


if __name__ == "__main__":
    main()
