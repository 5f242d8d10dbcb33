"""Those who connect and bring nothing, or bring it slowly: they give way, and nobody else does."""

import logging
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")
pytest.importorskip("uvicorn", reason="the extra goodarm[web] is not installed")

import httpx

from goodarm.errors import InputError
from goodarm.web.app import create_app
from goodarm.web.server import connections
from goodarm.web.server.connections import Crowd, most_open
from goodarm.web.server.logs import MOST_ALIKE, JsonLines, Lines, Throttle
from goodarm.web.server.serving import server_of, tls_context
from goodarm.web.visitors import gate

TOKEN = "a-token-for-the-tests-0123456789"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
MOST = 20


class Running:
    """A server in a thread of this process."""

    def __init__(self, studies: Any, tls: ssl.SSLContext | None = None, **options: Any) -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.port}"
        self.crowd = Crowd(MOST)
        app = create_app(studies, TOKEN, port=self.port, **options)
        self._server = server_of(app, tls, self.crowd)
        self._thread = threading.Thread(target=self._server.run, args=([listener],))
        self._thread.start()

    def connect(self) -> socket.socket:
        made = socket.create_connection(("127.0.0.1", self.port), timeout=30.0)
        return made

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(30.0)


@pytest.fixture
def running(studies) -> Iterator[Callable[..., Running]]:
    with ExitStack() as stack:

        def start(**options: Any) -> Running:
            made = Running(studies, **options)
            stack.callback(made.stop)
            return made

        yield start


def is_closed(connection: socket.socket) -> bool:
    """Waits until the other side has closed the connection."""
    try:
        while connection.recv(65536):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        return False
    return True


def test_half_open_connections_are_closed(running, monkeypatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    server = running()
    with server.connect() as silent, server.connect() as slow:
        slow.sendall(HEAD)
        assert is_closed(silent)
        assert is_closed(slow)
    with httpx.Client(base_url=server.url, headers=HEADERS, timeout=30.0) as client:
        assert client.get("/").status_code == 200


def test_they_give_way_to_others_where_there_are_too_many(running, wait_until) -> None:
    server = running()  # with the usual patience
    with ExitStack() as stack:
        silent = [stack.enter_context(server.connect()) for _ in range(3 * MOST)]
        assert all(is_closed(connection) for connection in silent[:MOST])
        with httpx.Client(base_url=server.url, headers=HEADERS, timeout=30.0) as client:
            assert client.get("/").status_code == 200
        assert len(server.crowd) <= MOST
    wait_until(lambda: len(server.crowd) == 0)


def test_a_head_without_end_is_cut_off(running) -> None:
    server = running()
    with server.connect() as endless:
        endless.sendall(HEAD)
        try:
            for number in range(3 * connections.LARGEST_HEAD // 1024):
                endless.sendall(b"x%d: " % number + b"x" * 1024 + b"\r\n")
        except OSError:
            return
        assert is_closed(endless)


def test_a_body_has_to_arrive_in_time(running, monkeypatch) -> None:
    monkeypatch.setattr(gate, "BODY_SECONDS", 0.3)
    server = running()
    with server.connect() as slow:
        host = f"127.0.0.1:{server.port}"
        lines = ["POST /enter HTTP/1.1", f"Host: {host}", f"Origin: http://{host}"]
        slow.sendall("\r\n".join([*lines, "Content-Length: 100", "", "tok"]).encode())
        assert slow.recv(1000).startswith(b"HTTP/1.1 408")


def test_a_page_below_a_path(running) -> None:
    server = running(root="/lab/goodarm")
    with httpx.Client(headers=HEADERS, timeout=30.0, base_url=server.url) as client:
        for prefix in ("/lab/goodarm", ""):  # a proxy may take it off
            page = client.get(f"{prefix}/").text
            assert 'href="/lab/goodarm/static/page.css"' in page
            assert 'action="/lab/goodarm/demo"' in page
            assert '="/new' not in page
            assert client.get(f"{prefix}/static/page.css").status_code == 200
            assert client.get(f"{prefix}/enter?token={TOKEN}").headers["location"] == (
                "/lab/goodarm/"
            )
            assert client.get(f"{prefix}/api/studies").json() == []
        assert client.get("/lab/goodarm").headers["location"] == "/lab/goodarm/"
        described = client.get("/lab/goodarm/api/openapi.json").json()
        assert described["servers"] == [{"url": "/lab/goodarm"}]
        made = client.post("/lab/goodarm/api/demo").json()["id"]
        page = client.get(f"/lab/goodarm/studies/{made}").text
        assert f'data-live="/lab/goodarm/studies/{made}/live"' in page


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for this machine, and its key."""
    x509 = pytest.importorskip("cryptography.x509", reason="cryptography is not installed")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("tls")
    pem = serialization.Encoding.PEM
    (folder / "cert.pem").write_bytes(made.public_bytes(pem))
    private = serialization.PrivateFormat.PKCS8
    (folder / "key.pem").write_bytes(key.private_bytes(pem, private, serialization.NoEncryption()))
    return folder / "cert.pem", folder / "key.pem"


def test_tls(running, certificate) -> None:
    server = running(tls=tls_context(*certificate))
    trusted = ssl.create_default_context(cafile=str(certificate[0]))
    url = server.url.replace("127.0.0.1", "localhost")
    with httpx.Client(verify=trusted, timeout=30.0) as client:
        answer = client.get(f"{url}/enter?token={TOKEN}")
        assert "secure" in answer.headers["set-cookie"].lower()
        assert client.get(f"{url}/").status_code == 200


def test_certificates_that_cannot_be_used(certificate, tmp_path) -> None:
    with pytest.raises(InputError, match="no file"):
        tls_context(tmp_path / "none.pem", None)
    with pytest.raises(InputError, match="cannot be used"):
        tls_context(certificate[0], None)
    with pytest.raises(InputError, match="cannot be used"):
        tls_context(certificate[1], certificate[0])


def test_the_limit_on_files_is_raised() -> None:
    code = (
        "import resource as r; from goodarm.web.server.connections import most_open, SPARE_FILES\n"
        "hard = r.getrlimit(r.RLIMIT_NOFILE)[1]\n"
        "r.setrlimit(r.RLIMIT_NOFILE, (300, hard))\n"
        "assert most_open() <= r.getrlimit(r.RLIMIT_NOFILE)[0] - SPARE_FILES\n"
        "assert r.getrlimit(r.RLIMIT_NOFILE)[0] > 300"
    )
    pytest.importorskip("resource", reason="there are no such limits here")
    import sys

    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert most_open() > 0


def said(record: logging.LogRecord, throttle: Throttle) -> str | None:
    return Lines().format(record) if throttle.filter(record) else None


def test_lines_of_one_kind_are_bounded(monkeypatch) -> None:
    from goodarm.web.server import logs

    now = 0.0
    monkeypatch.setattr(logs, "monotonic", lambda: now)
    throttle = Throttle()

    def record(text: str, *args: object) -> logging.LogRecord:
        return logging.LogRecord("x", logging.WARNING, "", 0, text, args, None)

    lines = [said(record("bad request from %s", n), throttle) for n in range(1_000)]
    assert sum(line is not None for line in lines) == MOST_ALIKE
    assert said(record("another"), throttle) is not None
    now = logs.MINUTE + 1
    line = said(record("bad request from %s", "z"), throttle)
    assert line is not None
    assert f"and {1_000 - MOST_ALIKE:,} more" in line
    assert len(said(record("%s", "x" * 10**6), throttle) or "") < 3 * logs.LONGEST_LINE


def test_lines_for_programs() -> None:
    import json

    try:
        raise ValueError("inside")
    except ValueError:
        import sys

        trace = sys.exc_info()
    record = logging.LogRecord("x", logging.ERROR, "", 0, "line\n%s", ("two",), trace)
    record.fields = {"path": "/"}
    line = JsonLines().format(record)
    assert "\n" not in line
    data = json.loads(line)
    assert (data["level"], data["message"], data["path"]) == ("error", "line\ntwo", "/")
    assert "ValueError: inside" in data["trace"]
