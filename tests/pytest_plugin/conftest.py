"""A session of pytest inside this one, with the plugin and no other."""

from collections.abc import Callable

import pytest

BEGINNING = "import pytest\nfrom itertools import count\ntrials, log = count(1), []\n"
INI = "[pytest]\nfilterwarnings = error\naddopts = --strict-markers"

Session = Callable[..., pytest.RunResult]


@pytest.fixture
def session(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Runs the text as a file of tests, in which `trials` counts and `log` is a list."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def run(text: str, *words: str, ini: str = "", has_cache: bool = False) -> pytest.RunResult:
        pytester.makeini(f"{INI}{'' if has_cache else ' -p no:cacheprovider'}\n{ini}")
        pytester.makepyfile(test_it=BEGINNING + text)
        plugin = ("-p", "goodarm.pytest_plugin")
        return pytester.runpytest_inprocess(*plugin, *words, no_reraise_ctrlc=True)

    return run
