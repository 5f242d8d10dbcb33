"""An agent that knows tools and nothing else."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("mcp", reason="the extra goodarm[mcp] is not installed")

import anyio
from mcp import Client
from mcp.types import CallToolResult, Tool

from goodarm.mcp_server.server import make_server
from goodarm.mcp_server.workplace import Workplace
from goodarm.study import Studies


class Said(NamedTuple):
    """What a tool has answered."""

    data: dict[str, Any]
    text: str
    is_error: bool


def said(result: CallToolResult) -> Said:
    (content,) = result.content
    return Said(result.structured_content, content.text, result.is_error)


class Agent:
    """Each call is a session of its own with a server on the same workplace."""

    def __init__(self, workplace: Workplace) -> None:
        self.workplace = workplace

    def within(self, work: Callable[[Client], Awaitable[Any]]) -> Any:
        async def session() -> Any:
            async with Client(make_server(self.workplace)) as client:
                return await work(client)

        return anyio.run(session)

    def tools(self) -> dict[str, Tool]:
        listed = self.within(lambda client: client.list_tools()).tools
        return {tool.name: tool for tool in listed}

    def call(self, tool: str, **given: Any) -> Said:
        return said(self.within(lambda client: client.call_tool(tool, given)))

    def __call__(self, tool: str, **given: Any) -> dict[str, Any]:
        """The answer of a call that must succeed."""
        got = self.call(tool, **given)
        assert not got.is_error, got.text
        return got.data


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/studies.db"


@pytest.fixture
def studies(database: str) -> Studies:
    return Studies(database, create=True)


@pytest.fixture
def agent(database: str) -> Agent:
    """An agent that may write."""
    return Agent(Workplace(database, may_write=True, by="ada (agent)"))


@pytest.fixture(scope="module")
def agent_at_work(tmp_path_factory: pytest.TempPathFactory) -> Agent:
    """An agent with a study of which one outcome is known; nothing that is asked of it succeeds."""
    folder = tmp_path_factory.mktemp("studies")
    agent = Agent(Workplace(f"sqlite:///{folder}/studies.db", may_write=True))
    arms = {"arms": ["A", "B"], "threshold": 0.5, "outcome": "bernoulli", "delta": 0.1}
    agent("create_study", name="s", **arms)
    agent("ask", study="s")
    agent("tell", study="s", trial=1, value=1)
    return agent


@pytest.fixture
def reader(database: str) -> Agent:
    """An agent that may only look."""
    return Agent(Workplace(database))
