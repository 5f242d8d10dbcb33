"""The result of a gate for other programs: GitHub's annotations, Markdown and JUnit's XML."""

import re
from xml.etree import ElementTree

from goodarm.gating.result import NONE_CLEARS, ONE_CLEARS, UNDECIDED, GateResult
from goodarm.instance.instance import ABOVE
from goodarm.wording import figure

LEVELS = {ONE_CLEARS: "notice", UNDECIDED: "warning"}  # of an annotation; others are errors
MARKS = {ONE_CLEARS: "✅", UNDECIDED: "⚠️"}
TITLE = "goodarm gate"
NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def annotation(result: GateResult) -> str:
    """A line that GitHub shows beside the job; see its "workflow commands"."""
    text = f"{result.headline} {result.facts}"
    for character, code in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A")):
        text = text.replace(character, code)
    return f"::{LEVELS.get(result.verdict, 'error')} title={TITLE}::{text}"


def markdown(result: GateResult) -> str:
    """A summary of the job."""
    mark = MARKS.get(result.verdict, "❌")
    first, _, rest = result.headline.partition("\n")
    lines = [f"### {mark} {TITLE}", "", _escaped(first), ""]
    if rest:  # what a command said
        fence = "`" * (3 + max((len(run) for run in re.findall("`+", rest)), default=0))
        lines += [fence, rest, fence, ""]
    lines += ["| option | trials | mean | limits |", "| --- | ---: | ---: | --- |"]
    lines += [
        f"| {_escaped(arm.arm)} | {arm.count:,} | {figure(arm.mean)} | {arm.limits} |"
        for arm in result.arms
    ]
    wrong = "" if result.delta is None else f"Wrong with probability at most {result.delta:g} "
    sure = f"{wrong}({result.outcome} outcomes)."
    return "\n".join([*lines, "", f"{result.facts} {sure}", ""])


def junit(result: GateResult) -> str:
    """One test case: it passes if an arm clears the bar, and says why if it does not."""
    counts = {"tests": "1", "failures": "0", "errors": "0", "skipped": "0"}
    kind = {ONE_CLEARS: None, NONE_CLEARS: "failure", UNDECIDED: "failure"}.get(
        result.verdict, "error"
    )
    if kind is not None:
        counts[f"{kind}s"] = "1"
    seconds = f"{result.seconds:.3f}"
    suite = ElementTree.Element("testsuite", {"name": TITLE, "time": seconds, **counts})
    side = "≥" if result.goal == ABOVE else "≤"
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname="goodarm.gate",
        name=f"mean {side} {result.bar:g}",
        time=seconds,
    )
    if kind is not None:
        why = ElementTree.SubElement(
            case, kind, type=result.verdict, message=_for_xml(result.headline)
        )
        why.text = _for_xml(repr(result))
    ElementTree.SubElement(case, "system-out").text = _for_xml("\n".join(result.lines()))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _for_xml(text: str) -> str:
    return NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _escaped(text: str) -> str:
    """Text in which Markdown finds no markup."""
    safe = text.replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"([\\`*_\[\]|#])", r"\\\1", safe)
