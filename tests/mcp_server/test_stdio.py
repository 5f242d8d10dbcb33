"""`goodarm mcp` as an agent's program starts it."""

import os
import sys
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters, stdio_client

from goodarm.study import Study

COMMAND = [sys.executable, "-c", "from goodarm.cli import main; main()", "mcp"]


def test_a_study_over_standard_input_and_output(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/studies.db"
    program = StdioServerParameters(
        command=COMMAND[0],
        args=[*COMMAND[1:], "--write"],
        env={**os.environ, "GOODARM_STORAGE": database, "GOODARM_BY": "bob the agent"},
        cwd=tmp_path,
    )

    async def session() -> None:
        async with Client(stdio_client(program)) as client:
            assert client.instructions is not None
            study = {"name": "s", "arms": ["A"], "threshold": 0.5, "outcome": "bernoulli"}
            assert not (await client.call_tool("create_study", study)).is_error
            asked = await client.call_tool("ask", {"study": "s"})
            told = {"study": "s", "trial": asked.structured_content["trials"][0]["number"]}
            assert not (await client.call_tool("tell", {**told, "value": 1})).is_error

    anyio.run(session)
    study = Study.load("s", database)
    assert [trial.value for trial in study.trials] == [1.0]
    assert study.trial(1).by == "bob the agent"
