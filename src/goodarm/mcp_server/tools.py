"""The table of tools: which there are for an agent that may write, or only look."""

from goodarm.mcp_server import changing, looking, planning
from goodarm.mcp_server.contract import ToolEntry

TOOLS: dict[str, ToolEntry] = {
    tool.name: tool for tool in (*planning.TOOLS, *changing.TOOLS, *looking.TOOLS)
}


def offered(may_write: bool) -> list[ToolEntry]:
    """The tools that an agent may use."""
    return [tool for tool in TOOLS.values() if may_write or not tool.writes]
