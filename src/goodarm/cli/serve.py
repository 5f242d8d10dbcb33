"""goodarm serve: the web page."""

import signal
import socket
import sys
from pathlib import Path
from typing import Annotated

import typer

from goodarm.cli.study import DEFAULT, Storage
from goodarm.cli.study_session import login, storage_errors
from goodarm.errors import InputError

SHORTEST_TOKEN = 20
PORT = 8765


def serve(
    storage: Storage = DEFAULT,
    host: Annotated[str, typer.Option(help="Where to listen; only this machine by default.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65535)] = (
        PORT
    ),
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page.")] = False,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="GOODARM_TOKEN", help="A token of your own; random unless given.",
            show_envvar=True,
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A name that this server is reached by, too.")
    ] = None,
    token_file: Annotated[
        Path | None, typer.Option(help="The file of named tokens (goodarm token).")
    ] = None,
) -> None:  # fmt: skip
    """Run studies in a web page."""
    _check_installed()
    from goodarm.study import Studies
    from goodarm.web.addresses import is_loopback
    from goodarm.web.app import create_app
    from goodarm.web.tokens import TokenFile, default_path

    named = TokenFile(token_file or default_path())
    own = _own_token(token, is_loopback(host), bool(named.all()))
    listener = _listen(host, port)
    where = listener.getsockname()[1]
    with storage_errors():
        app = create_app(
            Studies(storage, create=True), own, host=host, port=where,
            allow_hosts=allow_host or (), owner=login(None), tokens=named,
        )  # fmt: skip
    url = f"http://{_shown(host)}:{where}/" + (f"enter?token={own}" if own else "")
    print(f"goodarm is at {url}", flush=True)
    if not is_loopback(host):
        print(_WARNING, file=sys.stderr, flush=True)
    if open_browser:
        import webbrowser

        webbrowser.open(url)
    _run(app, listener)


_WARNING = (
    "warning: others can reach this server, and what they send and get can be read on the way.\n"
    "         Put a proxy with TLS before it, and start it with --allow-host NAME."
)


def _own_token(given: str | None, is_private: bool, has_named: bool) -> str | None:
    import secrets

    if given is not None:
        if len(given) < SHORTEST_TOKEN or not given.isascii() or not given.isprintable():
            raise InputError(
                f"token: at least {SHORTEST_TOKEN} plain characters are needed; "
                "`goodarm token create NAME` makes a good one"
            )
        if any(c in " \t\"',;\\%&#+?" for c in given):
            raise InputError("token: letters, digits, - and _ only, so that it fits into a link")
        return given
    if is_private:
        return secrets.token_urlsafe(32)
    if not has_named:
        raise InputError(
            "host: a server that others can reach needs a token set on purpose: run "
            "`goodarm token create NAME --role write`, or set GOODARM_TOKEN"
        )
    return None


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=256)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot listen at {host}:{port}: {reason}; try --port 0") from None
    # Connections inherit it; without, an answer in two packets waits 40 ms for the reader's system.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _shown(host: str) -> str:
    name = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    return f"[{name}]" if ":" in name else name


def _run(app: object, listener: socket.socket) -> None:
    import uvicorn

    server = uvicorn.Server(
        uvicorn.Config(
            app,  # type: ignore[arg-type]
            log_level="warning",
            access_log=False,  # the first address of a visit has the token in it
            server_header=False,
            timeout_graceful_shutdown=3,  # open pages hold a stream for minutes
        )
    )
    # uvicorn raises the signal again once it is done; a stop on request is not a failure.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    server.run(sockets=[listener])


def _check_installed() -> None:
    import importlib.util

    missing = [
        name for name in ("fastapi", "uvicorn", "jinja2", "python_multipart")
        if importlib.util.find_spec(name) is None
    ]  # fmt: skip
    if missing:
        raise InputError(f"the web page needs {' and '.join(missing)}; pip install 'goodarm[web]'")
