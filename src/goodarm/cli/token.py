"""goodarm token …: named tokens for the web page, one for each person or program."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.output import print_json
from goodarm.wording import printable

if TYPE_CHECKING:
    from goodarm.web.visitors.sessions import Sessions
    from goodarm.web.visitors.tokens import TokenFile

token = typer.Typer(
    help="Named tokens for the web page, one for each person or program.", no_args_is_help=True
)
File = Annotated[
    Path | None, typer.Option("--file", help="The file of tokens; in your settings by default.")
]


@token.command()
def create(
    name: Annotated[str, typer.Argument(help="Recorded with everything done with the token.")],
    role: Annotated[str, typer.Option(help="read: look; write: also change.")] = "read",
    file: File = None,
    as_json: AsJson = False,
) -> None:
    """Make a token. It is shown once: only its hash is kept."""
    secret = _tokens(file).create(name, role)
    if as_json:
        print_json({"name": name, "role": role, "token": secret})
    else:
        print(secret)


@token.command("list")
def list_tokens(file: File = None, as_json: AsJson = False) -> None:
    """Who has a token, and what it permits."""
    tokens = _tokens(file).all()
    if as_json:
        print_json([{"name": t.name, "role": t.role, "created_at": t.created_at} for t in tokens])
        return
    for each in tokens:
        print(f"{each.name}\t{each.role}\t{each.created_at}")


@token.command()
def revoke(name: Annotated[str, typer.Argument(help="Whose token.")], file: File = None) -> None:
    """Take a token away; servers refuse it from the next request on."""
    _tokens(file).revoke(name)
    print(f"revoked the token of {name!r}")


@token.command("sessions")
def list_sessions(file: File = None, as_json: AsJson = False) -> None:
    """Where people are signed in with these tokens, the last used last."""
    from goodarm.web.visitors.sessions import to_dict

    tokens = _tokens(file)
    owners = {each.hash: each.name for each in tokens.all()}
    listed = [to_dict(s, owners.get(s.token)) for s in _sessions(tokens).all()]
    if as_json:
        print_json(listed)
        return
    for each in listed:
        name = each["name"] or "(token of a server)"
        print(
            f"{each['number']}\t{printable(str(name))}\t{each['used_at']}\t{printable(str(each['device']))}"
        )


@token.command("end-session")
def end_session(
    number: Annotated[str, typer.Argument(help="Its number in `goodarm token sessions`.")],
    file: File = None,
) -> None:
    """End a session: that browser has to show a token again."""
    _sessions(_tokens(file)).end_numbered(number)
    print(f"ended the session {number}")


def _sessions(tokens: "TokenFile") -> "Sessions":
    from goodarm.web.visitors.sessions import Sessions
    from goodarm.web.visitors.tokens import sessions_beside

    return Sessions(sessions_beside(tokens.path))


def _tokens(file: Path | None) -> "TokenFile":
    from goodarm.web.visitors.tokens import TokenFile, default_path

    return TokenFile(file or default_path())
