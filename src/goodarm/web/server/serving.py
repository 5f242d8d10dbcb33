"""Running an application on a socket, with patience for nobody who only connects."""

import asyncio
import gc
import signal
import socket
import ssl
from pathlib import Path
from typing import Any

import uvicorn

from goodarm.errors import InputError
from goodarm.web.server.connections import IDLE_SECONDS, Crowd, impatient, most_open

LAST_SECONDS = 3  # for requests that are under way at the end; open pages hold a stream for minutes
HANDSHAKE_SECONDS = 10.0
BACKLOG = 2_048


def run(
    app: Any,
    listener: socket.socket,
    tls: ssl.SSLContext | None = None,
    alive: int | None = None,
) -> None:
    """Serve until someone says stop, or until the pipe `alive` ends."""
    server = server_of(app, tls, Crowd(most_open()), alive)
    gc.collect()
    gc.freeze()  # what is there by now stays, and need not be gone through again and again
    # uvicorn raises the signal again once it is done; a stop on request is not a failure.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    server.run(sockets=[listener])


def tls_context(certfile: Path, keyfile: Path | None) -> ssl.SSLContext:
    """How to speak TLS with a certificate and its key, which may be in the same file."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    for what, path in (("certfile", certfile), ("keyfile", keyfile)):
        if path is not None and not path.is_file():
            raise InputError(f"{what}: there is no file {str(path)!r}")
    try:
        context.load_cert_chain(certfile, keyfile, password=lambda: "")
    except (OSError, ValueError) as error:  # an SSLError is an OSError
        reason = getattr(error, "reason", None) or error
        raise InputError(
            f"certfile: {str(certfile)!r} and its key cannot be used ({reason}); give a "
            "certificate in PEM with --certfile, and its key, without a passphrase, with --keyfile"
        ) from None
    return context


def server_of(
    app: Any, tls: ssl.SSLContext | None, crowd: Crowd, alive: int | None = None
) -> uvicorn.Server:
    """A server for an application, not yet begun."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,  # the first address of a visit has the token in it
        server_header=False,
        ws="none",
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=LAST_SECONDS,
    )
    config.load()
    config.http_protocol_class = impatient(config.http_protocol_class, crowd)
    return _Server(config, tls, alive)


class _Server(uvicorn.Server):
    """uvicorn's server, which would wait a minute for each TLS handshake."""

    def __init__(
        self, config: uvicorn.Config, tls: ssl.SSLContext | None, alive: int | None
    ) -> None:
        super().__init__(config)
        self._tls, self._alive = tls, alive

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            raise SystemExit(1)
        loop = asyncio.get_running_loop()
        patience = None if self._tls is None else HANDSHAKE_SECONDS

        def connection() -> asyncio.Protocol:
            made = self.config.http_protocol_class(  # type: ignore[call-arg]
                config=self.config, server_state=self.server_state, app_state=self.lifespan.state
            )
            assert isinstance(made, asyncio.Protocol)
            return made

        self.servers = [
            await loop.create_server(
                connection,
                sock=listener,
                ssl=self._tls,
                backlog=BACKLOG,
                ssl_handshake_timeout=patience,
            )
            for listener in sockets or []
        ]
        if self._alive is not None:
            loop.add_reader(self._alive, self._left_alone, loop, self._alive)
        self.started = True

    def _left_alone(self, loop: asyncio.AbstractEventLoop, alive: int) -> None:
        """Whoever kept us going is gone."""
        loop.remove_reader(alive)
        self.should_exit = True
