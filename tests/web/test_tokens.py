"""Named tokens: a file of hashes, commands to change it, and what a server takes from it."""

import json
import os
import stat
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")

from goodarm.cli.serve import _own_token, serve
from goodarm.cli.token import token
from goodarm.errors import InputError
from goodarm.web.visitors.access import Access, Visitor
from goodarm.web.visitors.tokens import TokenFile


def test_only_hashes_are_kept(tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "folder" / "tokens.json")
    assert tokens.all() == []
    made = tokens.create("ana", "read")
    assert made not in tokens.path.read_text()
    assert stat.S_IMODE(tokens.path.stat().st_mode) == 0o600
    assert len(made) >= 43
    found = TokenFile(tokens.path).find(made)
    assert found is not None
    assert (found.name, found.role) == ("ana", "read")
    assert tokens.find(made + "x") is None
    assert tokens.find(found.hash) is None


def test_the_file_is_never_readable_by_others(tmp_path: Path, monkeypatch) -> None:
    """Not even for a moment, and whatever the umask says."""
    modes: list[int] = []
    replace = os.replace

    def watched(part: str, path: Path) -> None:
        modes.append(stat.S_IMODE(os.stat(part).st_mode))
        replace(part, path)

    monkeypatch.setattr(os, "replace", watched)
    before = os.umask(0)
    try:
        TokenFile(tmp_path / "folder" / "t.json").create("ana", "read")
    finally:
        os.umask(before)
    assert modes == [0o600]
    assert stat.S_IMODE((tmp_path / "folder").stat().st_mode) == 0o700


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file" / "t.json", tmp_path / "file" / "deeper" / "t.json"):
        with pytest.raises(InputError, match="choose another file"):
            TokenFile(path).create("ana", "read")


@pytest.mark.parametrize(
    ("name", "role"),
    [("", "read"), (" a", "read"), ("a\nb", "read"), ("x" * 101, "read"), ("a", "root")],
)
def test_bad_names_and_roles(tmp_path: Path, name: str, role: str) -> None:
    with pytest.raises(InputError):
        TokenFile(tmp_path / "t.json").create(name, role)
    assert list(tmp_path.iterdir()) == []


def test_a_change_by_another_process_is_seen(tmp_path: Path) -> None:
    ours, theirs = TokenFile(tmp_path / "t.json"), TokenFile(tmp_path / "t.json")
    made = theirs.create("ana", "write")
    assert ours.find(made) is not None
    with pytest.raises(InputError, match="has a token"):
        ours.create("ana", "read")
    ours.revoke("ana")
    assert theirs.find(made) is None
    with pytest.raises(InputError):
        ours.revoke("ana")


def test_a_file_that_is_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text("[1]")
    with pytest.raises(InputError, match="not a file of tokens"):
        TokenFile(path).create("ana", "read")
    assert path.read_text() == "[1]"
    access = Access("own-token", "me", TokenFile(path))
    assert access.visitor("another") is None
    assert access.visitor("own-token") == Visitor("me", "write")


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOODARM_TOKENS", str(tmp_path / "t.json"))
    run = CliRunner().invoke
    made = run(token, ["create", "ana", "--role", "write", "--json"])
    assert TokenFile(tmp_path / "t.json").find(json.loads(made.output)["token"])
    assert "ana\twrite" in run(token, ["list"]).output
    assert json.loads(run(token, ["list", "--json"]).output)[0]["name"] == "ana"
    assert run(token, ["revoke", "ana"]).exit_code == 0
    assert run(token, ["list"]).output == ""


def test_the_token_of_a_start() -> None:
    first, second = _own_token(None, True, False), _own_token(None, True, False)
    assert first is not None
    assert len(first) >= 43
    assert first != second
    assert _own_token(None, False, True) is None
    with pytest.raises(InputError, match="on purpose"):
        _own_token(None, False, False)
    weak = ("x" * 40, "abcabcabcabcabcabcabcabc", "01234567890123456789", "aaaaaaaaaaaaaaaaaaaab")
    for bad in ("short", "with space and more than 20", 'quote"' + "x" * 20, "é" * 30, *weak):
        with pytest.raises(InputError, match="token"):
            _own_token(bad, True, False)


def test_every_option_of_the_commands_is_documented() -> None:
    docs = Path(__file__).parents[2] / "docs"
    text = (docs / "web.md").read_text(encoding="utf-8") + (docs / "security.md").read_text(
        encoding="utf-8"
    )
    app = typer.Typer(add_completion=False)
    app.command()(serve)
    commands = [typer.main.get_command(app), *typer.main.get_group(token).commands.values()]
    options = {
        name for command in commands for p in command.params for name in p.opts if name[:2] == "--"
    }
    assert "--allow-host" in options
    assert {name for name in options if name not in text} <= {"--json"}
