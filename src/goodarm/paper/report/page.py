"""The report as one self-contained page: styles and pictures inside, nothing fetched."""

import base64
from collections import Counter
from html import escape
from importlib.resources import files

from goodarm.paper.catalogue import GROUPS
from goodarm.paper.engine import Finished, PaperReport
from goodarm.paper.items.item import Item
from goodarm.paper.judging.agreement import AGREES
from goodarm.paper.judging.claims import IN_PART, UNDECIDED, Judgement
from goodarm.paper.report.summary import (
    TEST,
    cells_of,
    judgements_of,
    power_text,
    settings_of,
    verdicts,
    versions,
)
from goodarm.paper.report.tables import Table, TableColumn, Value, readable
from goodarm.wording import counted

LONG_TABLE = 24  # rows; longer ones are folded


def page(report: PaperReport) -> str:
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


def _grouped(report: PaperReport) -> dict[str, list[Finished]]:
    """What was finished, under the headings of the catalogue."""
    headings = {item.label: heading for heading, group in GROUPS.items() for item in group}
    groups: dict[str, list[Finished]] = {heading: [] for heading in GROUPS}
    for done in report.finished:
        groups.setdefault(headings.get(done.item.label, "Further items"), []).append(done)
    return {heading: group for heading, group in groups.items() if group}


def _overview(report: PaperReport) -> str:
    numbers, claims = cells_of(report), judgements_of(report)
    names = ("agrees", "in part", "undecided", "differs")
    columns = [
        TableColumn("", text=True),
        TableColumn("compared"),
        *(TableColumn(name) for name in names),
    ]
    rows: list[list[Value]] = []
    for what, counts in (
        ("published numbers", verdicts(numbers)),
        ("claims of the text", verdicts(claims)),
    ):
        rows.append([what, sum(counts.values()), *(counts.get(name, 0) for name in names)])
    table = Table("overview", "Verdicts.", columns, rows)
    seconds, share = report.seconds, f"{100 * report.reused:.0f} %"
    duration = f"{seconds / 60:.1f} minutes" if seconds >= 90 else f"{seconds:.0f} seconds"
    reused = f" ({share} of the runs came from finished chunks)" if report.reused else ""
    power = power_text(report)
    said = f"<h4>What would have been seen</h4><p>{escape(power)}</p>" if power else ""
    how = "".join(f"<p>{escape(part)}</p>" for part in TEST)
    return (
        f"{table.to_html()}<p>{len(report.finished)} items, {report.pulls / 1e6:,.0f} million "
        f"simulated pulls, {duration} from start to end{reused}.</p>"
        f"{said}<h4>How verdicts are reached</h4>{how}"
    )


def _contents(report: PaperReport) -> str:
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
    words = [cell.verdict for cell in done.result.cells]
    words += [judgement.verdict for judgement in done.result.judgements]
    if not words:
        return ""
    return f"<span class=soft>({words.count(AGREES)} of {len(words)} agree)</span>"


def _disagreements(report: PaperReport) -> str:
    cells: dict[tuple[str, str], list[str]] = {}
    for item, c in cells_of(report):
        if c.verdict != AGREES:
            what = " ".join(filter(None, (c.algorithm, c.quantity, "on", c.instance)))
            z = "" if c.z is None else f" (standardised difference {c.z:.1f})"
            numbers = f"{what}: published {readable(c.published)}, ours {readable(c.ours)}{z}"
            cells.setdefault((_link(item), c.why), []).append(escape(numbers))
    lines = [
        f"<li>{link}: {'; '.join(texts)}. <span class=soft>{escape(why)}</span></li>"
        for (link, why), texts in cells.items()
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
    item, result = done.item, done.result
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
    parts += [_claim(judgement) for judgement in result.judgements]
    parts += [f"<p class=note>{escape(note)}</p>" for note in item.notes]
    for table in result.tables:
        html = table.to_html()
        if len(table.rows) > LONG_TABLE or done.png is not None:
            html = f"<details><summary>Numbers</summary>{html}</details>"
        parts.append(html)
    parts.append(_files(done) + "</section>")
    return "\n".join(parts)


def _files(done: Finished) -> str:
    paths = [
        f"tables/{table.name}.{ending}"
        for table in done.result.tables
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
        TableColumn(name, text=True)
        for name in ("where", "first", "second", "first against second", "")
    ]
    rows = [
        [f.where, f.left, f.right, f.compared(), f"{f.outcome} {f.remark and f'({f.remark})'}"]
        for f in judgement.findings
    ]
    tally = Counter(f.outcome for f in judgement.findings)
    table = Table("findings", f"{judgement.test}.", columns, rows).to_html()
    words = {"holds": "hold", "fails": "fail", "crosses": "cross", "open": "open"}
    sums = ", ".join(f"{tally[name]} {word}" for name, word in words.items() if tally[name])
    counts = counted(len(rows), "comparison") + (sums and f": {sums}")
    comment = f"<p class=soft>{escape(judgement.comment)}</p>" if judgement.comment else ""
    return (
        f'<div class="claim {_css_class(judgement.verdict)}"><p>{_verdict(judgement.verdict)} '
        f"“{escape(judgement.sentence)}”</p>{comment}"
        f"<details><summary>{escape(counts)}</summary>{table}</details></div>"
    )


def _settings(report: PaperReport) -> str:
    settings = settings_of(report)
    settings.pop("versions")
    rows = [[key.replace("_", " "), readable(value)] for key, value in settings.items()]
    rows += [[name, text] for name, text in versions().items()]
    columns = [TableColumn("setting", text=True), TableColumn("value", text=True)]
    return Table("settings", "PaperSettings and versions.", columns, rows).to_html()
