"""goodarm mcp: studies as tools for agents."""

import sys
from typing import Annotated

import typer

from goodarm.cli.study.options import DEFAULT, Storage
from goodarm.cli.study.session import login

May = Annotated[
    bool,
    typer.Option("--write", help="Let the agent create studies and change them, not only look."),
]
By = Annotated[
    str | None,
    typer.Option(
        envvar="GOODARM_BY",
        help="Who is named in the log for what the agent does; default: the login, and (agent).",
    ),
]


def mcp(storage: Storage = DEFAULT, write: May = False, by: By = None) -> None:
    """Offer studies to an agent as tools, by the Model Context Protocol.

    Speaks over standard input and output: an agent's program starts it, not a person.
    """
    from goodarm.inputs import label
    from goodarm.mcp_server.server import serve
    from goodarm.mcp_server.workplace import Workplace

    who = login(None) if by is None else label("by", by)
    name = by or (None if who is None else f"{who} (agent)")
    if sys.stdin.isatty():
        print(
            "goodarm mcp waits for an agent's program on standard input; docs/mcp.md says how one "
            "is told to start it. Ctrl-C ends it.",
            file=sys.stderr,
        )
    serve(Workplace(storage, write, name))
