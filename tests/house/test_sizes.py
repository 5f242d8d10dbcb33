"""A function fits on a screen, a file can be read at one sitting."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path for part in ("src", "tests", "bench", "examples") for path in (ROOT / part).rglob("*.py")
)
LONGEST_FUNCTION = 60
LONGEST_FILE = 400


@pytest.mark.parametrize("part", ["src", "tests", "bench", "examples"])
def test_no_file_and_no_function_is_too_long(part: str) -> None:
    too_long = []
    for path in FILES:
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(part):
            continue
        text = path.read_text("utf-8")
        if (lines := len(text.splitlines())) > LONGEST_FILE:
            too_long.append(f"{name}: {lines} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > LONGEST_FUNCTION:
                    too_long.append(f"{name}: {node.name} has {lines} lines")
    assert too_long == []
