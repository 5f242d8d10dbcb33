"""goodarm serve: the web page."""

import signal
import socket
import sys
from pathlib import Path
from typing import Annotated

import typer

from goodarm.cli.study.options import DEFAULT, Storage
from goodarm.cli.study.session import login, storage_errors
from goodarm.errors import InputError

SHORTEST_TOKEN = 20
PORT, LAST_PORT = 8765, 65535


Host = Annotated[str, typer.Option(help="Where to listen; only this machine by default.")]
Port = Annotated[int, typer.Option(help="The port; 0 takes a free one.")]
Token = Annotated[
    str | None,
    typer.Option(envvar="GOODARM_TOKEN", help="A token of your own; random unless given."),
]
Names = Annotated[
    list[str] | None, typer.Option(help="Another name that this server is reached by.")
]
TokenPath = Annotated[Path | None, typer.Option(help="The file of named tokens (goodarm token).")]


def serve(
    storage: Storage = DEFAULT,
    host: Host = "127.0.0.1",
    port: Port = PORT,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page.")] = False,
    token: Token = None,
    allow_host: Names = None,
    token_file: TokenPath = None,
) -> None:
    """Run studies in a web page."""
    from goodarm.study import Studies
    from goodarm.web.addresses import is_loopback
    from goodarm.web.app import create_app
    from goodarm.web.tokens import TokenFile, default_path

    named = TokenFile(token_file or default_path())
    own = _own_token(token, is_loopback(host), bool(named.all()))
    listener = _listen(host, port)
    free_port = listener.getsockname()[1]
    with storage_errors():
        app = create_app(
            Studies(storage, create=True),
            own,
            host=host,
            port=free_port,
            allow_hosts=allow_host or (),
            owner=login(None),
            tokens=named,
        )
    url = f"http://{_host_in_url(host)}:{free_port}/" + (f"enter?token={own}" if own else "")
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


def _own_token(chosen: str | None, is_private: bool, has_named: bool) -> str | None:
    import secrets

    from goodarm.web.tokens import is_weak

    if chosen is not None:
        if len(chosen) < SHORTEST_TOKEN or not chosen.isascii() or not chosen.isprintable():
            raise InputError(
                f"token: at least {SHORTEST_TOKEN} plain characters are needed; "
                "`goodarm token create NAME` makes a good one"
            )
        if any(c in " \t\"',;\\%&#+?" for c in chosen):
            raise InputError("token: letters, digits, - and _ only, so that it fits into a link")
        if is_weak(chosen):
            raise InputError(
                "token: it is easy to guess; `goodarm token create NAME` makes a good one"
            )
        return chosen
    if is_private:
        return secrets.token_urlsafe(32)
    if not has_named:
        raise InputError(
            "host: a server that others can reach needs a token set on purpose: run "
            "`goodarm token create NAME --role write`, or set GOODARM_TOKEN"
        )
    return None


def _listen(host: str, port: int) -> socket.socket:
    from goodarm.inputs import whole

    whole("port", port, 0, LAST_PORT)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=256)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot listen at {host}:{port}: {reason}; try --port 0") from None
    # Connections inherit it; without, an answer in two packets waits 40 ms for the reader's system.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _host_in_url(host: str) -> str:
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
