"""The report as one self-contained page: styles and pictures inside, nothing fetched."""

import base64
from collections import Counter
from html import escape
from importlib.resources import files

from goodarm.paper.judging.agreement import AGREES
from goodarm.paper.catalogue import GROUPS
from goodarm.paper.judging.claims import IN_PART, UNDECIDED, Judgement
from goodarm.paper.engine import Finished, Report
from goodarm.paper.items.item import Item
from goodarm.paper.report.summary import (
    TEST,
    cells_of,
    judgements_of,
    settings_of,
    verdicts,
    versions,
)
from goodarm.paper.report.tables import Column, Table, Value, number

LONG_TABLE = 24  # rows; longer ones are folded


def page(report: Report) -> str:
    """The whole page."""
    css = files("goodarm.paper").joinpath("style.css").read_text(encoding="utf-8")
    kind = "full" if report.settings.full else "quick"
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>goodarm: the paper, reproduced ({kind})</title><style>{css}</style></head><body>",
        "<h1>The paper, reproduced</h1>",
        '<p class="soft">Jourdan, Delahaye-Duriez and Réda, '
        "“An Anytime Algorithm for Good Arm Identification”: "
        f"every experimental table and figure. This is the {kind} reproduction.</p>",
        _overview(report),
        _contents(report),
        "<h2 id=disagreements>What does not agree</h2>",
        _disagreements(report),
    ]
    for heading, done in _grouped(report).items():
        parts.append(f"<h2>{escape(heading)}</h2>")
        parts += [_section(f, report.settings.full) for f in done]
    parts += ["<h2 id=settings>How this was made</h2>", _settings(report), "</body></html>"]
    return "\n".join(parts) + "\n"


def _grouped(report: Report) -> dict[str, list[Finished]]:
    """What was finished, under the headings of the catalogue."""
    headings = {item.label: heading for heading, group in GROUPS.items() for item in group}
    found: dict[str, list[Finished]] = {heading: [] for heading in GROUPS}
    for done in report.finished:
        found.setdefault(headings.get(done.item.label, "Further items"), []).append(done)
    return {heading: done for heading, done in found.items() if done}


def _overview(report: Report) -> str:
    numbers, claims = cells_of(report), judgements_of(report)
    rows = [
        (what, len(found), verdicts(found))
        for what, found in (("published numbers", numbers), ("claims of the text", claims))
    ]
    names = ("agrees", "in part", "undecided", "differs")
    columns = [Column("", text=True), Column("compared"), *(Column(name) for name in names)]
    data: list[list[Value]] = [
        [what, count, *(seen.get(name, 0) for name in names)] for what, count, seen in rows
    ]
    table = Table("overview", "Verdicts.", columns, data)
    minutes = f"{report.seconds / 60:.1f} minutes" if report.seconds >= 90 else (
        f"{report.seconds:.0f} seconds"
    )  # fmt: skip
    return (
        f"{table.to_html()}<p>{len(report.finished)} items, {report.pulls / 1e6:,.0f} million "
        f"simulated pulls, {minutes} from start to end"
        + (
            f" ({100 * report.reused:.0f} % of the runs came from finished chunks)"
            if report.reused
            else ""
        )
        + f".</p><h4>How verdicts are reached</h4><p>{escape(TEST)}</p>"
    )


def _contents(report: Report) -> str:
    parts = ["<h2>Contents</h2><div class=contents>"]
    for heading, done in _grouped(report).items():
        lines = "".join(f"<li>{_link(f.item)} {_marks(f)}</li>" for f in done)
        parts.append(f"<strong>{escape(heading)}</strong><ul>{lines}</ul>")
    parts.append("<ul><li><a href=#disagreements>What does not agree</a></li>")
    parts.append("<li><a href=#settings>How this was made</a></li></ul></div>")
    return "".join(parts)


def _link(item: Item) -> str:
    return f'<a href="#{escape(item.label)}">{escape(item.title)}</a>'


def _marks(done: Finished) -> str:
    """A few words on the verdicts of an item."""
    seen = [cell.verdict for cell in done.outcome.cells]
    seen += [judgement.verdict for judgement in done.outcome.judgements]
    return f"<span class=soft>({seen.count(AGREES)} of {len(seen)} agree)</span>" if seen else ""


def _disagreements(report: Report) -> str:
    cells: dict[tuple[str, str], list[str]] = {}
    for item, c in cells_of(report):
        if c.verdict != AGREES:
            what = " ".join(filter(None, (c.algorithm, c.quantity, "on", c.instance)))
            z = "" if c.z is None else f" (standardised difference {c.z:.1f})"
            numbers = f"{what}: published {number(c.published)}, ours {number(c.ours)}{z}"
            cells.setdefault((_link(item), c.why), []).append(escape(numbers))
    lines = [
        f"<li>{link}: {'; '.join(told)}. <span class=soft>{escape(why)}</span></li>"
        for (link, why), told in cells.items()
    ]
    parts = [f"<h4>Published numbers that differ</h4><ul>{''.join(lines)}</ul>"] if lines else []
    claims = [(i, j) for i, j in judgements_of(report) if j.verdict != AGREES]
    for heading, wanted in (
        (
            "Claims that do not agree, or only in part",
            [c for c in claims if c[1].verdict != UNDECIDED],
        ),
        (
            "Claims that this number of runs cannot decide",
            [c for c in claims if c[1].verdict == UNDECIDED],
        ),
    ):
        lines = [
            f"<li>{_verdict(j.verdict)} {_link(item)}: {escape(j.sentence)}"
            f" <span class=soft>{escape(j.comment)}</span></li>"
            for item, j in wanted
        ]
        if lines:
            parts.append(f"<h4>{heading}</h4><ul>{''.join(lines)}</ul>")
    return "".join(parts) or "<p>Everything agrees.</p>"


def _section(done: Finished, full: bool) -> str:
    item, outcome = done.item, done.outcome
    runs = item.runs.of(full)
    cost = (
        f"{done.simulations} simulations of {runs:,} runs, {done.pulls / 1e6:,.0f} million pulls, "
        f"{done.seconds:.1f} s of computing"
        if done.simulations
        else "computed, not simulated"
    )
    parts = [
        f'<section id="{escape(item.label)}"><h3>{escape(item.title)}</h3>',
        f"<p class=soft><span class=label>{escape(item.label)}</span> · {cost}</p>",
    ]
    if done.png is not None:
        data = base64.b64encode(done.png).decode()
        parts.append(
            f'<figure><img alt="{escape(item.title)}" src="data:image/png;base64,{data}">'
            f"<figcaption>{escape(done.caption)}</figcaption></figure>"
        )
    parts += [_claim(judgement) for judgement in outcome.judgements]
    parts += [f"<p class=note>{escape(note)}</p>" for note in item.notes]
    for table in outcome.tables:
        shown = table.to_html()
        if len(table.rows) > LONG_TABLE or done.png is not None:
            shown = f"<details><summary>Numbers</summary>{shown}</details>"
        parts.append(shown)
    parts.append(_files(done) + "</section>")
    return "\n".join(parts)


def _files(done: Finished) -> str:
    paths = [
        f"tables/{table.name}.{ending}"
        for table in done.outcome.tables
        for ending in ("csv", "json", "tex")
    ]
    if done.png is not None:
        paths = [f"figures/{done.item.stem}.{ending}" for ending in ("png", "pdf")] + paths
    links = " · ".join(f'<a href="{p}">{p.partition("/")[2]}</a>' for p in map(escape, paths))
    return f"<p class=files>{links}</p>"


def _css_class(verdict: str) -> str:
    return "part" if verdict == IN_PART else verdict


def _verdict(verdict: str) -> str:
    return f'<span class="verdict {_css_class(verdict)}">{escape(verdict)}</span>'


def _claim(judgement: Judgement) -> str:
    columns = [
        Column(name, text=True) for name in ("where", "first", "second", "first against second", "")
    ]
    rows = [
        [f.where, f.left, f.right, f.compared(), f"{f.outcome} {f.remark and f'({f.remark})'}"]
        for f in judgement.findings
    ]
    seen = Counter(f.outcome for f in judgement.findings)
    table = Table("findings", f"{judgement.test}.", columns, rows).to_html()
    words = {"holds": "hold", "fails": "fail", "crosses": "cross", "open": "open"}
    told = ", ".join(f"{seen[outcome]} {word}" for outcome, word in words.items() if seen[outcome])
    counts = f"{len(rows)} comparison{'s' if len(rows) > 1 else ''}" + (told and f": {told}")
    comment = f"<p class=soft>{escape(judgement.comment)}</p>" if judgement.comment else ""
    return (
        f'<div class="claim {_css_class(judgement.verdict)}"><p>{_verdict(judgement.verdict)} '
        f"“{escape(judgement.sentence)}”</p>{comment}"
        f"<details><summary>{escape(counts)}</summary>{table}</details></div>"
    )


def _settings(report: Report) -> str:
    settings = settings_of(report)
    settings.pop("versions")
    rows = [[key.replace("_", " "), number(value)] for key, value in settings.items()]
    rows += [[name, text] for name, text in versions().items()]
    columns = [Column("setting", text=True), Column("value", text=True)]
    return Table("settings", "Settings and versions.", columns, rows).to_html()
