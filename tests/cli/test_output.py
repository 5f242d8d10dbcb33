"""Output that cannot be written, or not as it is: one line says so, or plain characters do."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from goodarm.errors import InputError
from goodarm.files import read_text, write

COMMAND = [sys.executable, "-c", "from goodarm.cli import main; main()"]
FULL = Path("/dev/full")
FITS_NOTHING = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"


def goodarm(words: str, prefix: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    program = f"{prefix}\nfrom goodarm.cli import main; main()"
    command = [sys.executable, "-c", program, *words.split()]
    return subprocess.run(command, capture_output=True, env={**os.environ, **environment})


ENCODINGS = [
    {"PYTHONIOENCODING": "cp1252"},
    {"PYTHONIOENCODING": "latin-1"},
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"},
]


@pytest.mark.parametrize("environment", ENCODINGS, ids=lambda e: next(iter(e.values())))
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("theory NoA2 --reading both", "delta = 0.01"),
        ("simulate Thr1 -a APGAI --budget 20 --runs 5", "fixed-budget"),
        ("simulate --help", "Run until sure at 1 - delta"),
        ("simulate Thr1 --delta 0", "delta: 0.0 is not strictly between"),
    ],
)
def test_what_an_encoding_lacks_is_written_plainly(
    words: str, said: str, environment: dict[str, str]
) -> None:
    done = goodarm(words, **environment)
    encoding = environment.get("PYTHONIOENCODING", "ascii")
    output = (done.stdout + done.stderr).decode(encoding)
    assert said in output
    assert "Traceback" not in output
    assert "\\u" not in output


def test_json_stays_true_in_any_encoding() -> None:
    wanted = json.loads(goodarm("list algorithms --json").stdout)
    plain = goodarm("list algorithms --json", PYTHONIOENCODING="ascii")
    assert json.loads(plain.stdout.decode("ascii")) == wanted
    assert any("θ" in row["summary"] for row in wanted)


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full here")
@pytest.mark.parametrize(
    "words",
    ["--version", "--help", "list outcomes", "list outcomes --json", "theory NoA1", "study --help"],
)
def test_a_full_disk_is_one_line_and_a_failure(words: str) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [*COMMAND, *words.split()], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 1
    assert done.stderr == "error: the output cannot be written: No space left on device\n"


UNWRITABLE = {
    "paper": "paper tab:instances_arms --out {}",
    "league": "league --quick -a APGAI -a Unif --effort 1000 --out {}",
    "theory": "theory NoA1 --time 3 --plot {}.png",
    "token": "token create Ann --file {}",
}


@pytest.mark.parametrize("words", UNWRITABLE.values(), ids=UNWRITABLE)
def test_a_place_that_cannot_be_written_to(words: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = goodarm(words.format(tmp_path / "file" / "below"))
    _check_error(done, "file")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("words", UNWRITABLE.values(), ids=UNWRITABLE)
def test_a_disk_that_fills_up(words: str, tmp_path: Path) -> None:
    pytest.importorskip("resource")
    out = tmp_path / "out"
    cache = str(tmp_path / "cache")
    done = goodarm(words.format(out), FITS_NOTHING, GOODARM_CACHE=cache)
    _check_error(done, "cannot write")
    left = [path for path in out.parent.rglob("*") if path.is_file() and "cache" not in str(path)]
    assert all(path.suffix == ".lock" for path in left)


def _check_error(done: subprocess.CompletedProcess[bytes], said: str) -> None:
    text = done.stderr.decode()
    last = text.splitlines()[-1]  # above it, the cache may have warned that it keeps nothing
    assert done.returncode in (1, 2), text
    assert last.startswith("error: ")
    assert said in last
    assert "Traceback" not in text
    assert not done.stdout


def test_a_measurement_must_be_made() -> None:
    done = goodarm("bench --repeat 0")
    _check_error(done, "repeat: 0 is outside 1 to 1000")


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full here")
def test_a_device_is_written_to_and_not_replaced() -> None:
    with pytest.raises(InputError, match="cannot write '/dev/full'"):
        write(FULL, "something")
    assert FULL.is_char_device()
    write(Path("/dev/null"), "something")
    assert Path("/dev/null").is_char_device()


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full here")
def test_a_device_without_end_is_not_read() -> None:
    with pytest.raises(InputError, match="never ends"):
        read_text(FULL)


def test_an_interrupted_write_leaves_nothing(tmp_path: Path, monkeypatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "report.json", "{}")
    assert list(tmp_path.iterdir()) == []
