"""The server: it lists the tools, runs them in threads, and puts what they say on the wire."""

import json
import logging
from collections.abc import Callable
from threading import Event
from typing import Any

import anyio
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import ValidationError
from pydantic_core import to_json

from goodarm import __version__
from goodarm.errors import InputError, unknown_name
from goodarm.mcp_server.answers import Answer
from goodarm.mcp_server.contract import ToolEntry
from goodarm.mcp_server.schemas import input_schema
from goodarm.mcp_server.tools import TOOLS, offered
from goodarm.mcp_server.workplace import Visit, Workplace
from goodarm.remote.failures import (
    DATABASE_TROUBLE,
    INTERNAL,
    error_kind,
    faults_text,
    message_of,
)
from goodarm.study import StorageError, UnlikelyOutcomeError

logger = logging.getLogger("goodarm.mcp")
Heard = Callable[[float], None]
Context = ServerRequestContext[Any, Any]

INSTRUCTIONS = """\
goodarm answers: does one of these options (arms) clear the bar, or does none? With few trials,
though outcomes are noisy. A trial tries one arm once; its outcome is a number, 1 or 0 for yes or
no. The bar is a threshold for an arm's mean outcome.

1. plan: how many trials will it take? (optional)
2. create_study: name, arms, threshold, outcome, delta (0.05: wrong at most 5 times in 100).
3. Until the study is decided: ask, try the arms it names, tell (or tell_many) every outcome.
4. status says the answer and how sure it is; verify audits the log.

The guarantee needs every outcome, failures too, and trials that do not influence each other. Do
not choose the threshold after seeing outcomes, do not cancel trials because they went badly, and
do not begin anew because you dislike an answer. An error says what to do, and with an error
nothing was written.
"""
READ_ONLY = """
This server only looks: tools that change studies are not offered. The user can start it with
--write.
"""


def make_server(workplace: Workplace) -> Server[Any]:
    """A server for one agent; it can be run over any transport."""
    tools = [_described(tool) for tool in offered(workplace.may_write)]

    async def list_tools(
        context: Context, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=tools)

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        return await _called(workplace, context, params.name, params.arguments or {})

    return Server(
        "goodarm",
        version=__version__,
        title="goodarm",
        instructions=INSTRUCTIONS + ("" if workplace.may_write else READ_ONLY),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve(workplace: Workplace) -> None:
    """Serve over standard input and output until the client goes away."""

    async def run() -> None:
        server = make_server(workplace)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(run)


async def _called(
    workplace: Workplace, context: Context, name: str, given: dict[str, Any]
) -> CallToolResult:
    """What a tool has to say, found out in a thread of its own."""
    gone = Event()  # the client does not wait any more

    def heard(share: float) -> None:
        if gone.is_set():
            raise InputError("the request was cancelled")
        anyio.from_thread.run(context.session.report_progress, share, 1.0)

    # What changes a study is waited for, even if the client is not there to hear of it.
    may_be_left = name not in TOOLS or not TOOLS[name].writes
    try:
        data, is_error = await anyio.to_thread.run_sync(
            perform, Visit(workplace, heard), name, given, abandon_on_cancel=may_be_left
        )
    finally:
        gone.set()
    return _result(data, is_error)


def perform(visit: Visit, name: str, given: dict[str, Any]) -> tuple[Answer, bool]:
    """A tool's answer, or an error that says what to do; and whether it is one."""
    try:
        tool = find_tool(name, visit.workplace.may_write)
        return tool.run(visit, tool.body.model_validate(given)), False
    except Exception as error:
        return _failure(name, error), True


def find_tool(name: str, may_write: bool) -> ToolEntry:
    """The tool of that name, if the agent may use it."""
    if name not in TOOLS:
        raise unknown_name("tool", name, [tool.name for tool in offered(may_write)])
    tool = TOOLS[name]
    if tool.writes and not may_write:
        raise InputError(
            f"{name} changes studies, and this server only looks; the user can start it with "
            "`goodarm mcp --write`"
        )
    return tool


def _described(tool: ToolEntry) -> Tool:
    return Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=input_schema(tool.body),
        annotations=ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=False,  # the log keeps everything
            idempotent_hint=tool.repeatable,
            open_world_hint=False,
        ),
    )


def _failure(name: str, error: Exception) -> Answer:
    """What went wrong, in a sentence that says what to do, and which kind of error it is."""
    if isinstance(error, ValidationError):
        faults = faults_text([dict(fault) for fault in error.errors()])
        return {"error": f"{faults}; see the input schema of {name}", "kind": "wrong_input"}
    if isinstance(error, UnlikelyOutcomeError):
        message = f'{message_of(error)} If it is right, send it again with "sure": true.'
        return {"error": message, "kind": "unlikely", "confirm": {"sure": True}}
    if isinstance(error, StorageError):
        logger.error("storage: %s", error)
        return {"error": f"{DATABASE_TROUBLE} Try again, or tell the user.", "kind": "busy"}
    kind = error_kind(error)
    if kind == INTERNAL:
        logger.exception("%s failed", name)
        message = f"{name} failed in a way that it should not; the server's log says why"
        return {"error": message, "kind": kind}
    return {"error": message_of(error), "kind": kind}


def _result(data: Answer, is_error: bool = False) -> CallToolResult:
    """The data, and the same as text for clients that show nothing else; inf and nan are null."""
    text = to_json(data, inf_nan_mode="null").decode()
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=json.loads(text),
        is_error=is_error,
    )
