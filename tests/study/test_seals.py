"""Heads that are kept elsewhere: seals to mail or print, timestamps of an authority."""

import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from goodarm.cli.study import study as commands
from goodarm.errors import InputError
from goodarm.study import Bernoulli, Seal, Study
from goodarm.study.log.verify import verify_file
from goodarm.study.timestamps import read_timestamp, timestamp_request

NAME = "plates, 2nd series"


@pytest.fixture
def plates(sqlite: str) -> Study:
    study = Study.create(NAME, ["A", "B"], 0.5, Bernoulli(), storage=sqlite, seed=1)
    for value in (1, 0, 1):
        study.tell(study.ask(), value)
    return study


def goodarm(*words: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(commands, list(map(str, words)))
    error = f"error: {done.exception}" if isinstance(done.exception, InputError) else done.stderr
    return done.exit_code, done.stdout, error


def test_a_seal_holds_while_the_study_goes_on(plates: Study, tmp_path: Path) -> None:
    seal = plates.seal()
    assert (seal.study, seal.events, seal.head) == (NAME, 7, plates.head)
    assert Seal.read(seal.text()) == seal
    for _ in range(2):
        found = plates.verify(seal=seal)
        assert (found.ok, found.vouched) == (True, 7)
        plates.tell("A", 1)
    plates.rename("pots")
    exported = plates.export(tmp_path / "pots.json")
    for found in (plates.verify(seal=seal.text()), verify_file(exported, seal=seal)):
        assert (found.ok, found.vouched, found.events) == (True, 7, 10)


def test_a_seal_survives_the_mail(plates: Study) -> None:
    seal = plates.seal()
    quoted = "".join(f"> {line} \r\n" for line in seal.text().splitlines())
    assert Seal.read(f"Dear all,\n\nplease keep this.\n{quoted}\nhead of the laboratory") == seal


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: "", "no seal"),
        (lambda text: text + "\n" + text, "more than one seal"),
        (lambda text: text.replace("head ", "hand "), "'head' is missing"),
        (lambda text: text.replace("events  7", "events  seven"), "not a number of events"),
        (lambda text: text.replace("events  7", "events  " + "7" * 5000), "not a number of events"),
        (lambda text: text[:-20].replace("time", "").strip(), "'time' is missing"),
        (lambda text: text.replace("head    ", "head    x"), "is not a hash"),
    ],
)
def test_what_is_no_seal_is_refused(change: Any, why: str, plates: Study) -> None:
    with pytest.raises(InputError, match=why):
        plates.verify(seal=change(plates.seal().text()))


def test_a_log_that_was_cut_off_or_written_anew_breaks_the_seal(
    plates: Study, tmp_path: Path
) -> None:
    seal = plates.seal()
    exported = plates.export(tmp_path / "log.json")
    data = json.loads(exported.read_text())
    with sqlite3.connect(tmp_path / "studies.db") as connection:
        for name in ("goodarm_events_no_delete", "goodarm_events_no_update"):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM goodarm_events WHERE seq = 7")
        connection.execute("DELETE FROM goodarm_summaries")
    connection.close()
    again = Study.load(NAME, tmp_path / "studies.db")
    assert again.verify().ok
    (problem,) = again.verify(seal=seal).problems
    assert "the seal is of 7 events, the log has 6: its end was cut off" in problem.text
    again.tell("B", 0)
    again.tell("B", 0)
    (problem,) = again.verify(seal=seal).problems
    assert (problem.seq, "written anew, or the seal is another" in problem.text) == (7, True)
    assert len(data["events"]) == 7


@pytest.mark.parametrize(
    ("forged", "why"),
    [
        ({"study": "pots"}, "calls the study 'pots'; its name was 'plates, 2nd series'"),
        ({"events": 6}, "the seal says that event 6 had the hash"),
    ],
)
def test_a_seal_that_was_changed_does_not_fit(
    plates: Study, forged: dict[str, Any], why: str
) -> None:
    false = Seal(**plates.seal().to_dict() | forged)
    (problem,) = plates.verify(seal=false).problems
    assert why in problem.text


def test_the_commands_seal_and_verify(plates: Study, sqlite: str, tmp_path: Path) -> None:
    at = ("--storage", sqlite)
    code, out, _ = goodarm("seal", NAME, *at)
    assert code == 0
    assert Seal.read(out).head == plates.head
    kept = tmp_path / "kept.txt"
    kept.write_text(out)
    plates.tell("A", 1)
    code, out, _ = goodarm("verify", NAME, "--seal", kept, *at)
    assert code == 0
    assert "is that of event 7: nothing up to there was changed" in " ".join(out.split())
    kept.write_text(kept.read_text().replace("events  7", "events  9"))
    code, out, _ = goodarm("verify", NAME, "--seal", kept, *at)
    assert (code, "the seal is of 9 events, the log has 8" in out) == (1, True)
    code, out, _ = goodarm("seal", NAME, "--json", *at)
    assert json.loads(out)["events"] == 8


CONFIGURATION = """
[tsa]
serial = {folder}/serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
"""


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a timestamp authority of our own."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("authority")
    (folder / "serial").write_text("01\n")
    (folder / "tsa.cnf").write_text(CONFIGURATION.format(folder=folder))
    usage = "extendedKeyUsage=critical,timeStamping"
    key = ("-newkey", "rsa:2048", "-nodes", "-days", "2")
    openssl(
        folder, "req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Root"
    )
    request = ("-keyout", "tsa.key", "-out", "tsa.csr", "-subj", "/CN=Clock of Tests")
    openssl(folder, "req", "-new", *key[:3], *request, "-addext", usage)
    sign = ("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-copy_extensions", "copy")
    openssl(folder, "x509", "-req", "-in", "tsa.csr", *sign, "-days", "2", "-out", "tsa.pem")
    other = ("-keyout", "other.key", "-out", "other.pem", "-subj", "/CN=Somebody else")
    openssl(folder, "req", "-x509", *key, *other)
    return folder


def openssl(folder: Path, *words: object) -> str:
    command = ["openssl", *map(str, words)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def sign(authority: Path, request: Path) -> Path:
    answer = request.with_suffix(".tsr")
    files = ("-queryfile", request, "-signer", "tsa.pem", "-inkey", "tsa.key", "-out", answer)
    openssl(authority, "ts", "-reply", "-config", "tsa.cnf", "-section", "tsa", *files)
    return answer


def test_a_timestamp_of_a_head_is_checked_without_a_network(
    plates: Study, sqlite: str, authority: Path, tmp_path: Path
) -> None:
    pytest.importorskip("rfc3161_client")
    at, request = ("--storage", sqlite), tmp_path / "plates.tsq"
    code, out, _ = goodarm("seal", NAME, "--timestamp-request", request, *at)
    assert code == 0
    (tmp_path / "seal.txt").write_text(out)
    assert "Hash Algorithm: sha256" in openssl(authority, "ts", "-query", "-in", request, "-text")
    answer = sign(authority, request)
    # openssl, which knows nothing of us, takes the answer for one about this head.
    checked = ("-digest", plates.head, "-in", answer, "-CAfile", "ca.pem")
    assert "Verification: OK" in openssl(authority, "ts", "-verify", *checked)
    stamped = read_timestamp(answer, authority / "ca.pem")
    assert (stamped.head, stamped.authority) == (plates.head, "CN=Clock of Tests")
    plates.tell("A", 1)
    trust = ("--timestamp", answer, "--authority", authority / "ca.pem")
    code, out, _ = goodarm("verify", NAME, *trust, "--seal", tmp_path / "seal.txt", *at)
    assert code == 0
    assert out.startswith(f"timestamp of {stamped.time} by CN=Clock of Tests\n")
    assert "is that of event 7" in out
    code, out, _ = goodarm("verify", NAME, *trust, *at, "--json")
    assert json.loads(out)["timestamp"]["head"] == stamped.head


def test_a_timestamp_that_proves_nothing_is_refused(
    plates: Study, sqlite: str, authority: Path, tmp_path: Path
) -> None:
    pytest.importorskip("rfc3161_client")
    request = tmp_path / "r.tsq"
    request.write_bytes(timestamp_request(plates.head))
    answer = sign(authority, request)
    root, noise = authority / "ca.pem", tmp_path / "noise"
    with pytest.raises(InputError, match="is not signed by whom"):
        read_timestamp(answer, authority / "other.pem")
    signed = bytearray(answer.read_bytes())
    at = signed.rindex(bytes.fromhex(plates.head))
    signed[at] ^= 1
    noise.write_bytes(signed)
    with pytest.raises(InputError, match="is not signed by whom"):
        read_timestamp(noise, root)
    noise.write_bytes(b"no timestamp")
    with pytest.raises(InputError, match="is no timestamp"):
        read_timestamp(noise, root)
    with pytest.raises(InputError, match="no certificates"):
        read_timestamp(answer, noise)
    with pytest.raises(InputError, match="cannot read"):
        read_timestamp(tmp_path / "none", root)
    trust = ("--timestamp", answer, "--authority", root)
    _, _, error = goodarm("verify", NAME, "--timestamp", answer, "--storage", sqlite)
    assert "give --timestamp and --authority, both or neither" in error
    _, _, error = goodarm("verify", NAME, *trust, "--head", "0" * 64, "--storage", sqlite)
    assert "the timestamp is of another one" in error
    other = Study.create("other", ["A"], 0.5, Bernoulli(), storage=sqlite)
    code, out, _ = goodarm("verify", "other", *trust, "--storage", sqlite)
    assert (code, f"no event has the hash {plates.head}" in out) == (1, True)
    assert other.seq == 1


def test_without_the_library_one_is_told_how_to_do_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rfc3161_client", None)
    monkeypatch.setattr("goodarm.extras._found", set())
    with pytest.raises(InputError, match=r"checking a timestamp needs goodarm\[timestamps\]"):
        read_timestamp(tmp_path / "a", tmp_path / "b")
