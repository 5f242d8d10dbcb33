"""A server without a network for most tests, and real ones in processes of their own."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from goodarm.study import Studies
from goodarm.web.visitors.tokens import TokenFile

if TYPE_CHECKING:
    from starlette.testclient import TestClient

spec = spec_from_file_location(
    "study_conftest", Path(__file__).parents[1] / "study" / "conftest.py"
)
assert spec is not None
assert spec.loader is not None
study_conftest = module_from_spec(spec)
spec.loader.exec_module(study_conftest)
postgresql = study_conftest.postgresql

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]  # what is left is advice
PATIENCE = 20_000
TOKEN = "a-token-for-the-tests-0123456789"
ORIGIN = "http://127.0.0.1:8765"
STARTER = """
import sys, typer
from goodarm.cli.serve import serve
app = typer.Typer()
app.command()(serve)
app(sys.argv[1:])
"""


@pytest.fixture
def studies(tmp_path: Path) -> Studies:
    return Studies(tmp_path / "studies.db", create=True)


@pytest.fixture
def tokens(tmp_path: Path) -> TokenFile:
    return TokenFile(tmp_path / "tokens.json")


@pytest.fixture
def app(studies: Studies, tokens: TokenFile) -> Any:
    pytest.importorskip("fastapi", reason="the extra goodarm[web] is not installed")
    from goodarm.web.app import create_app

    return create_app(studies, TOKEN, owner="owner", tokens=tokens)


def client(app: Any, **headers: str) -> "TestClient":
    from starlette.testclient import TestClient

    return TestClient(app, base_url=ORIGIN, headers=headers, follow_redirects=False)


@pytest.fixture
def stranger(app: Any) -> "TestClient":
    """Someone who has shown nothing."""
    return client(app)


@pytest.fixture
def api(app: Any) -> "TestClient":
    """A program with the token in a header."""
    return client(app, Authorization=f"Bearer {TOKEN}")


@pytest.fixture
def browser(app: Any) -> "TestClient":
    """A browser that has opened the link: a cookie, and the headers that browsers send."""
    made = client(app, **{"Origin": ORIGIN, "Sec-Fetch-Site": "same-origin"})
    made.follow_redirects = True
    assert made.get(f"/enter?token={TOKEN}").status_code == 200
    return made


class Server:
    """`goodarm serve` in a process of its own, on a free port of this machine."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.words = ["--storage", str(database)]
        self.process: subprocess.Popen[str] | None = None
        self.url = ""

    @property
    def port(self) -> str:
        """Where it listens."""
        return self.url.rpartition(":")[2]

    def start(self, port: str = "0") -> "Server":
        pytest.importorskip("uvicorn", reason="the extra goodarm[web] is not installed")
        command = [sys.executable, "-c", STARTER, "--port", port, *self.words]
        environment = {
            **os.environ,
            "GOODARM_TOKEN": TOKEN,
            "GOODARM_TOKENS": str(self.database.with_name("tokens.json")),
        }
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=environment, cwd=self.database.parent
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"(http://127\.0\.0\.1:\d+)/enter", line)
        assert found, line
        self.url = found[1]
        return self

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None


@pytest.fixture(scope="session")
def server_class() -> type[Server]:
    return Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("server") / "studies.db").start()
    yield made
    made.kill()


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Server]:
    """A server that the test starts and kills itself."""
    made = Server(tmp_path / "studies.db")
    yield made
    made.kill()


@pytest.fixture
def wait_until() -> Callable[[Callable[[], bool]], None]:
    def wait(condition: Callable[[], bool], patience: float = 20.0) -> None:
        end = time.monotonic() + patience
        while not condition():
            assert time.monotonic() < end, "it did not happen"
            time.sleep(0.05)

    return wait


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    playwright.expect.set_options(timeout=PATIENCE)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, server) -> Iterator[Callable[..., Any]]:
    """Open the printed link in a browser of its own; no error may reach its console."""
    opened, errors = [], []

    def open_page(**options: Any) -> Any:
        context = chromium.new_context(base_url=server.url, **options)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda m: errors.append(m.text) if "Security Policy" in m.text else None)
        page.goto(f"/enter?token={TOKEN}")
        assert "token" not in page.url
        opened.append(context)
        return page

    yield open_page
    for context in opened:
        context.close()
    assert errors == []


class Hands:
    """What people do with a page, and how they look at it."""

    def keep(self, page: Any, name: str) -> None:
        """Keep a picture where GOODARM_SCREENSHOTS says, for people to look at."""
        folder = os.environ.get("GOODARM_SCREENSHOTS")
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)

    def fill_in(self, page: Any, name: str, arms: str = "A\nB", kind: str = "bernoulli") -> None:
        page.goto("/new")
        page.get_by_label("Name").fill(name)
        page.get_by_label("Options, one per line").fill(arms)
        page.locator(f'input[name=outcome][value="{kind}"]').check()
        page.get_by_label("The bar", exact=True).fill("0.5")
        page.get_by_label("How sure").fill("80")

    def create(self, page: Any, name: str, **what: str) -> None:
        self.fill_in(page, name, **what)
        page.get_by_role("button", name="Create the study").click()
        page.wait_for_url("**/studies/**")

    def tab(self, page: Any, name: str) -> None:
        page.get_by_role("navigation", name="More of this study").get_by_role(
            "link", name=name
        ).click()

    def press(self, page: Any, key: str, focus: str) -> None:
        """Press a key once the page hears keys and has its focus where the key is meant to go."""
        page.locator(f"html.scripts {focus}:focus").wait_for()
        page.keyboard.press(key)

    def serious(self, page: Any, *rules: str) -> list[str]:
        """What axe-core finds to be a serious barrier, by all rules of WCAG or by some."""
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE.read_text())  # the page's policy forbids scripts that are added
        chosen = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": WCAG}
        options = {"resultTypes": ["violations"], "xpath": False, "runOnly": chosen}
        found = page.evaluate("options => axe.run(document, options)", options)["violations"]
        return [
            f"{v['id']}: {v['nodes'][0]['html'][:200]}"
            for v in found
            if v["impact"] in ("serious", "critical")
        ]


@pytest.fixture
def hands() -> Hands:
    return Hands()
