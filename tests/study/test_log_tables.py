"""What is declared once is so everywhere: kinds of events, columns of the log, settings."""

import json
from pathlib import Path

import click
import polars
import pytest
import typer

from goodarm.cli.study import study as study_commands
from goodarm.study import Bernoulli, Study
from goodarm.study.log.columns import COLUMNS, Column, log_csv, log_frame
from goodarm.study.log.events import read_event
from goodarm.study.log.export import read_exported
from goodarm.study.log.kinds import KINDS, kind_of
from goodarm.study.settings import Settings, declared_settings

PAGE = (Path(__file__).parents[2] / "docs" / "studies.md").read_text("utf-8")
GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_event_is_documented(name: str) -> None:
    assert f"| `{name}` | {KINDS[name].about} |" in PAGE


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.name)
def test_every_column_is_documented(column: Column) -> None:
    assert f"| `{column.name}` | {column.meaning} |" in PAGE


@pytest.fixture
def lived(sqlite: str) -> Study:
    """A study to which everything has happened that can."""
    study = Study.create("s", ["A", "B"], 0.5, Bernoulli(), storage=sqlite, seed=1, by="ann")
    trials = study.ask(3)
    study.renew(study.ask(arm="B", lease=60), 120)
    study.tell(trials[0], 1, at="2026-01-01T00:00:00Z", note="first")
    study.tell_many([("A", 1), ("B", 0)])
    study.tell("B", 3, size=7)
    study.correct(trials[0], 0, "typing")
    study.cancel(trials[1], "lost")
    study.amend(0.4, "protocol 2", boundary="glr")
    study.rename("t", "clearer")
    study.tag(["spring"])
    study.archive("put away")
    study.unarchive("needed again")
    study.stop("tea")
    study.extend(trials=5, delta=0.1)
    return study


@pytest.fixture
def general(sqlite: str) -> Study:
    """A study with several measurements and arms that come and go."""
    bars = ["works:bernoulli>=0.3", "harms:bernoulli<=0.1"]
    study = Study.create("g", ["A", "B"], criteria=bars, storage=sqlite, seed=1)
    study.tell("A", {"works": 1})
    study.add_arm("C", "asked for", label="the third", cost=2.0, note="since May")
    study.retire_arm("B", "too dear")
    return study


def test_events_carry_what_their_kinds_say(lived: Study, general: Study) -> None:
    logs = [lived.events(), general.events(), *(list(read_exported(path)) for path in GOLDEN)]
    seen: dict[str, set[str]] = {name: set() for name in KINDS}
    for log in logs:
        for stored in log[1:]:
            event = read_event(stored.text)
            seen[event.kind] |= set(event.body)
            assert set(event.body) <= kind_of(event).carries
    assert {name for name, carried in seen.items() if carried} >= set(KINDS) - {
        "created",
        "expired",
    }


def test_tables_have_the_columns_and_their_types(lived: Study, general: Study) -> None:
    frame = log_frame([*lived.events(), *general.events()])
    types = {int: polars.Int64, float: polars.Float64, str: polars.String}
    assert frame.schema == {column.name: types[column.type] for column in COLUMNS}
    assert all(frame[column.name].drop_nulls().len() for column in COLUMNS)
    assert "".join(log_csv(lived.events())).splitlines()[0] == ",".join(c.name for c in COLUMNS)


def test_an_audit_looks_at_the_types_of_columns(lived: Study, tmp_path: Path) -> None:
    from goodarm.study.log.events import canonical, digest
    from goodarm.study.log.verify import Audit

    log = lived.events()
    data = json.loads(log[-1].text)
    data["body"]["reason"] = 7
    text = canonical(data)
    forged = [*log[:-1], log[-1]._replace(text=text, hash=digest(text))]
    assert Audit(log).run({}, None).ok
    (problem,) = Audit(forged).run({}, None).problems
    assert problem.seq == len(log)
    assert "reason is 7, which is no str" in problem.text


def test_the_page_reads_every_event(lived: Study) -> None:
    rows = []
    for stored in lived.events():
        event = read_event(stored.text)
        kind = kind_of(event)
        rows.append((kind.title, kind.remark(event.body), kind.details(event.body)))
    assert ("suggested", "chosen by a person", "") in rows
    assert ("outcome", "correction", "") in rows
    assert ("settings changed", "", "bar now 0.4, stops by glr") in rows
    assert ("extended", "", "5 more trials, until 90 % sure") in rows


def test_the_command_line_says_what_the_settings_say() -> None:
    create = typer.main.get_command(study_commands).commands["create"]  # type: ignore[attr-defined]
    options = {option.name: option for option in create.get_params(click.Context(create))}
    # One by one, with units, with every model spelt out, several times.
    own_words = {"arms", "lease", "outcome", "criteria", "lift", "details", "threshold"}
    for setting in declared_settings():
        if setting.name in own_words:
            continue
        assert options[setting.name].help == setting.metadata["help"]
        default = getattr(Settings, setting.name, None)
        assert default is None or options[setting.name].default == default
    assert options["outcome"].help.startswith("What an outcome is: ")


def test_the_api_says_what_the_settings_say() -> None:
    bodies = pytest.importorskip("goodarm.remote.bodies", exc_type=ImportError)
    fields = bodies.NewStudy.model_fields
    assert set(fields) == {"name", "key", *(setting.name for setting in declared_settings())}
    for setting in declared_settings():
        help_text = setting.metadata["help"].partition("MODELS")[0]
        assert fields[setting.name].description.startswith(help_text)


def test_a_setting_reaches_the_log_and_comes_back(sqlite: str) -> None:
    study = Study.create("s", ["A"], 0.5, "bernoulli", 0.1, storage=sqlite, goal="below", budget=9)
    body = read_event(study.events(0, 1)[0].text).body
    assert set(body) == {"name", "format", "goodarm", "fingerprint"} | {
        setting.name for setting in declared_settings() if not setting.metadata["rare"]
    }
    assert Settings.from_data(body) == study.settings
