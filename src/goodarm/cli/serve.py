"""goodarm serve: the web page."""

import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goodarm.cli.study.options import DEFAULT, Storage
from goodarm.cli.study.session import login, storage_errors
from goodarm.errors import InputError, unknown_name

if TYPE_CHECKING:
    import ssl

    from fastapi import FastAPI

    from goodarm.study.storage import Store

SHORTEST_TOKEN = 20
PORT, LAST_PORT = 8765, 65535
EVERYWHERE = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6, "": socket.AF_INET}

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
RootPath = Annotated[
    str, typer.Option(help="The path below which a proxy has the page, such as /goodarm.")
]
CertFile = Annotated[
    Path | None, typer.Option(help="A certificate in PEM, to be reached by https.")
]
KeyFile = Annotated[Path | None, typer.Option(help="Its key, unless that is in the same file.")]
LogRequests = Annotated[bool, typer.Option("--log-requests", help="Also log every request.")]
Webhook = Annotated[
    str | None,
    typer.Option(help="An https address that is told of every answer; see docs/web.md."),
]
WorkerCount = Annotated[
    int, typer.Option("--workers", help="So many processes serve; more than one on PostgreSQL.")
]
LogFormat = Annotated[str, typer.Option(help="text, or json: an object in each line.")]


def serve(
    storage: Storage = DEFAULT,
    host: Host = "127.0.0.1",
    port: Port = PORT,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page.")] = False,
    token: Token = None,
    allow_host: Names = None,
    token_file: TokenPath = None,
    root_path: RootPath = "",
    certfile: CertFile = None,
    keyfile: KeyFile = None,
    webhook: Webhook = None,
    workers: WorkerCount = 1,
    log_format: LogFormat = "text",
    log_requests: LogRequests = False,
) -> None:
    """Run studies in a web page."""
    from goodarm.study.storage import open_store
    from goodarm.web.server import logs
    from goodarm.web.server.crew import check_workers
    from goodarm.web.server.mounted import check_root_path
    from goodarm.web.visitors.addresses import is_loopback
    from goodarm.web.visitors.tokens import TokenFile, default_path

    if log_format not in logs.STYLES:
        raise unknown_name("log-format", log_format, logs.STYLES)
    root, tls = check_root_path(root_path), _tls(certfile, keyfile)
    named = TokenFile(token_file or default_path())
    own = _own_token(token, is_loopback(host), bool(named.all()))
    with storage_errors():
        store = open_store(storage)
        check_workers(workers, store.dialect.has_one_writer)
        listener = _listen(host, port)
        store.prepare(create=True)
    free_port = listener.getsockname()[1]
    settings: dict[str, Any] = {
        "token": own,
        "host": host,
        "port": free_port,
        "allow_hosts": allow_host or (),
        "owner": login(None),
        "tokens": named,
        "root": root,
        "usual_port": 80 if tls is None else 443,
        "webhook": None if webhook is None else _signed(webhook),
    }
    way_in = f"{root}/" if own is None else f"{root}/enter"
    if own is not None and token is None:
        # One of someone's own is known to them, and to nobody who reads what is printed.
        way_in += f"?token={own}"
    scheme = "http" if tls is None else "https"
    _say_where([f"{scheme}://{name}:{free_port}{way_in}" for name in _names(host)], open_browser)
    if tls is None and not is_loopback(host):
        print(_WARNING, file=sys.stderr, flush=True)
    logs.set_up(log_format, log_requests)
    _run(store, settings, listener, tls, workers)


_WARNING = (
    "warning: others can reach this server, and what they send and get can be read on the way.\n"
    "         Give it a certificate (--certfile), or put a proxy with TLS before it and start it\n"
    "         with --allow-host NAME."
)


def _say_where(links: list[str], open_browser: bool) -> None:
    print("\n   or, for others, ".join([f"goodarm is at {links[0]}", *links[1:]]), flush=True)
    if open_browser:
        import webbrowser

        webbrowser.open(links[0])


def _own_token(chosen: str | None, is_private: bool, has_named: bool) -> str | None:
    import secrets

    from goodarm.web.visitors.tokens import is_weak

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


def _signed(url: str) -> tuple[str, str]:
    """A webhook's address and its secret, which is no option: others can read a command line."""
    import os

    from goodarm.web.news.webhooks import check_secret, check_url

    return check_url(url), check_secret(os.environ.get("GOODARM_WEBHOOK_SECRET", ""))


def _tls(certfile: Path | None, keyfile: Path | None) -> "ssl.SSLContext | None":
    from goodarm.web.server.serving import tls_context

    if certfile is not None:
        return tls_context(certfile, keyfile)
    if keyfile is not None:
        raise InputError("keyfile: it needs the certificate that it belongs to, --certfile")
    return None


def _listen(host: str, port: int) -> socket.socket:
    from goodarm.inputs import whole

    whole("port", port, 0, LAST_PORT)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=256)
    except (OSError, OverflowError) as error:
        reason = str(error)
        if isinstance(error, OSError):  # the system's words; Python adds its own in brackets
            reason = str(error.strerror).partition(" (")[0]
        raise InputError(f"cannot listen at {host}:{port}: {reason}; try --port 0") from None
    # Connections inherit it; without, an answer in two packets waits 40 ms for the reader's system.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _names(host: str) -> list[str]:
    """The host as it stands in links: those of this machine where the server listens at all."""
    if host not in EVERYWHERE:
        return [f"[{host}]" if ":" in host else host]
    if EVERYWHERE[host] == socket.AF_INET6:
        return ["[::1]", *(f"[{number}]" for number in _own_numbers(socket.AF_INET6))]
    return ["127.0.0.1", *_own_numbers(socket.AF_INET)]


def _own_numbers(family: socket.AddressFamily) -> list[str]:
    """The address by which others reach this machine, as far as its own system can tell."""
    elsewhere = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}  # of nobody
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((elsewhere[family], 9))  # nothing is sent: it only chooses the way
            number = str(probe.getsockname()[0])
        except OSError:
            return []
    return [] if number in ("0.0.0.0", "::", "127.0.0.1", "::1") else [number]


def _run(
    store: "Store",
    settings: dict[str, Any],
    listener: socket.socket,
    tls: "ssl.SSLContext | None",
    workers: int,
) -> None:
    from goodarm.web.server.serving import run

    if workers == 1:
        run(_app(store, settings), listener, tls)
        return
    import os
    from tempfile import TemporaryDirectory

    from goodarm.web.server.crew import Crew

    with TemporaryDirectory(prefix="goodarm-") as name:
        numbers = Path(name) / "metrics"
        numbers.mkdir()
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(numbers)  # before anything counts
        app = _app(store, {**settings, "folder": Path(name)})
        from prometheus_client.multiprocess import mark_process_dead

        store.close()  # connections do not cross a fork
        Crew(workers, lambda alive: run(app, listener, tls, alive), mark_process_dead).run()


def _app(store: "Store", settings: dict[str, Any]) -> "FastAPI":
    from goodarm.study import Studies
    from goodarm.web.app import create_app, warm_up

    with storage_errors():
        app = create_app(Studies(store, create=True), **settings)
    warm_up(app)
    return app
