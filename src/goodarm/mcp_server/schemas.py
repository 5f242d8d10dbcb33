"""What a tool takes, as a short JSON Schema: an agent reads all of them before it begins."""

from typing import Any

from pydantic import BaseModel


def input_schema(body: type[BaseModel]) -> dict[str, Any]:
    """The schema of a body, without what only repeats names and without nulls as defaults."""
    schema = body.model_json_schema()
    schema.pop("description", None)  # the tool has its own
    shortened: dict[str, Any] = _short(schema)
    return shortened


def _short(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_short(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if isinstance(schema.get("properties"), dict):
        own = {name: _short(field) for name, field in schema["properties"].items()}
        rest = {key: _short(part) for key, part in schema.items() if key != "properties"}
        return {**_untitled(rest), "properties": own}
    either = schema.get("anyOf", [])
    given = [part for part in either if part != {"type": "null"}]
    if len(given) < len(either) and schema.get("default", 0) is None:
        # What may be left out need not be null, though it may.
        rest = {key: part for key, part in schema.items() if key not in ("anyOf", "default")}
        return _short({**rest, **(given[0] if len(given) == 1 else {"anyOf": given})})
    return _untitled({key: _short(part) for key, part in schema.items()})


def _untitled(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: part for key, part in schema.items() if key != "title"}
