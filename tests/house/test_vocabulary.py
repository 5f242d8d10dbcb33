"""One vocabulary: the glossary of docs/architecture.md, held against names, help, page and docs."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest
import typer

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "goodarm"
FOR_USERS = ("README.md", *(f"docs/{page}.md" for page in (
    "index", "first-study", "studies", "gate", "web", "guarantee", "price", "choosing", "outcomes",
    "security", "integrations", "mcp",
)))  # fmt: skip
ALLOWED = re.compile(
    r"good arm identification|bad arm existence|\w*(stopping|sampling) rules?"
    r"|rule (each|it|them|one|any|every|an?|some|all|that|those|out)\b.{0,30}?\bout\b"
    r"|arm,value|column “arm”|printed a link"
    r"|take[sn]? place|took place|in (the )?first place|in place of|arm's length",
    re.IGNORECASE,
)


def glossary() -> list[tuple[str, str]]:
    """Each word that is not used, with the part of the project that does without it."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8").split("## Words\n")[1]
    table = text.split("\n## ")[0]
    pairs = []
    for row in re.findall(r"^\|(.+)\|$", table, re.MULTILINE)[2:]:
        _, _, where, instead = (cell.strip() for cell in row.split("|"))
        for part in where.split(", "):
            pairs += [(word, part) for word in instead.split(", ") if word not in ("", "–")]
    return pairs


def public_names() -> Iterator[tuple[str, str]]:
    """Functions, classes, their parameters and fields, with the file that has them."""
    for path in SOURCE.rglob("*.py"):
        where = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield node.name, where
                arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                yield from ((argument.arg, where) for argument in arguments)
            elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield re.sub(r"(?<=[a-z])(?=[A-Z])", "_", node.name).lower(), where
                fields = (item for item in node.body if isinstance(item, ast.AnnAssign))
                yield from ((field.target.id, where) for field in fields)  # type: ignore[union-attr]


def spoken(name: str) -> str:
    return name.replace("_", " ")


def help_texts(command: click.Command, words: str = "goodarm") -> Iterator[tuple[str, str]]:
    yield command.help or "", words
    for parameter in command.params:
        yield str(getattr(parameter, "help", None) or ""), f"{words} {parameter.opts[0]}"
        yield from ((option.strip("-"), f"{words} {option}") for option in parameter.opts)
    for name, child in getattr(command, "commands", {}).items():
        yield from help_texts(child, f"{words} {name}")


def docs_for_users() -> Iterator[tuple[str, str]]:
    for name in FOR_USERS:
        text = (ROOT / name).read_text("utf-8")
        for code in (r"```.*?```", r"^(    .*\n)+", r"<!--.*?-->", r"`[^`]*`", r"\]\([^)]*\)"):
            text = re.sub(code, " ", text, flags=re.DOTALL | re.MULTILINE)
        yield from ((line, name) for line in text.splitlines())


def page() -> Iterator[tuple[str, str]]:
    for path in (SOURCE / "web" / "templates").glob("*.html"):
        text = path.read_text("utf-8")
        for markup in (r"\{[{%#].*?[}%#]\}", r"<[^>]*>", r"&[a-z]+;"):
            text = re.sub(markup, "\n", text, flags=re.DOTALL)
        yield from ((line, path.name) for line in text.splitlines())


def texts(part: str) -> list[tuple[str, str]]:
    if part == "code":
        return [(spoken(name), where) for name, where in public_names()]
    if part == "command line":
        from goodarm.cli.app import app

        return list(help_texts(typer.main.get_command(app)))
    return list({"docs for users": docs_for_users, "page": page}[part]())


@pytest.mark.parametrize("part", ["code", "command line", "docs for users", "page"])
def test_words_that_the_glossary_rules_out_are_not_used(part: str) -> None:
    banned = [word for word, where in glossary() if where == part]
    assert banned
    pattern = re.compile(rf"\b({'|'.join(banned)})s?\b", re.IGNORECASE)
    found = defaultdict(list)
    for text, where in texts(part):
        for word in pattern.findall(ALLOWED.sub(" ", text)):
            found[word.lower()].append(f"{where}: {text.strip()[:90]}")
    assert not found, "\n".join(f"{word}: {line}" for word in found for line in found[word])


def test_a_public_class_has_a_name_of_its_own() -> None:
    homes = defaultdict(list)
    for path in SOURCE.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(path.relative_to(SOURCE).as_posix())
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_a_constant_that_others_import_has_one_value() -> None:
    values = defaultdict(set)
    imported = set()
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("goodarm"):
                imported |= {alias.name for alias in node.names}
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                for target in node.targets:
                    if isinstance(target, ast.Name) and target.id.isupper():
                        values[target.id].add(repr(node.value.value))
    shared = {name: seen for name, seen in values.items() if name in imported}
    assert {name: seen for name, seen in shared.items() if len(seen) > 1} == {}


def test_no_function_hides_a_module() -> None:
    for path in SOURCE.rglob("__init__.py"):
        name = ".".join(("goodarm", *path.parent.relative_to(SOURCE).parts))
        if "migrations" in name:
            continue
        package = import_module(name)
        for part in path.parent.iterdir():
            stem = part.stem
            if (part.suffix == ".py" and stem != "__init__") or (part / "__init__.py").is_file():
                attribute = getattr(package, stem, None)
                module = import_module(f"{name}.{stem}")
                assert attribute is None or getattr(package, stem) is module, f"{name}.{stem}"
