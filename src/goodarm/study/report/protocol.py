"""A study's protocol: what was declared before the first outcome, with the hash that fixes it.

It is for those who want to see, or to register elsewhere, what a study promised before it knew
anything. What was declared differently afterwards stands at its end, as a departure from it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from goodarm.inquiry.question import ALL, ANY, IN_ORDER, Question
from goodarm.instance.instance import ABOVE
from goodarm.showing import page
from goodarm.showing.markup import Content, Html, bdi, joined, tag
from goodarm.showing.tables import Heading, facts, page_table
from goodarm.study.declared import AS_ASKED
from goodarm.study.log.events import Event, read_event
from goodarm.study.log.fold import Fold
from goodarm.study.log.kinds import Amended, ArmAdded, ArmRetired, Extended, Renamed, Told, kind_of
from goodarm.study.report.course import Change, changes_table
from goodarm.study.report.status_text import COUNTS, STOPS_BY, what_confidence_means
from goodarm.study.settings import Settings
from goodarm.study.storage import Transaction
from goodarm.wording import counted, figure, sure_at, to_the_minute

DECLARING = (Amended, Extended, ArmAdded, ArmRetired, Renamed)
MOST_LISTED = 200  # options by name
ASKED = {
    ANY: "Which one of {} is good",
    ALL: "Which of {} are good",
    IN_ORDER: "Which is the first good one of {}, in the order of the list",
}


@dataclass(frozen=True)
class Protocol:
    """What was declared up to an event, the last one before any outcome, whose hash is `head`."""

    name: str
    settings: Settings
    limit: int | None
    created_at: str
    by: str | None
    seq: int
    head: str
    first_outcome_at: str | None
    later: tuple[Event, ...]  # declarations after the first outcome


def protocol(transaction: Transaction, study: int, name: str, until: int) -> Protocol:
    """What the log says of it, up to one event."""
    first = transaction.at(study, 1)
    assert first is not None, "every log begins with a creation"
    created = read_event(first.text)
    fold = Fold(created, first.hash)
    told = next(transaction.of_kinds(study, (Told.name,), until), None)
    last = until if told is None else told.seq - 1
    kinds = [kind.name for kind in DECLARING]
    declared = [read_event(stored.text) for stored in transaction.of_kinds(study, kinds, until)]
    for event in declared:
        if event.seq <= last:
            fold.apply(event, "", lambda seq: ())
    end = transaction.at(study, last)
    assert end is not None
    return Protocol(
        name=name,
        settings=fold.settings,
        limit=fold.limit,
        created_at=created.at,
        by=created.by,
        seq=last,
        head=end.hash,
        first_outcome_at=None if told is None else read_event(told.text).at,
        later=tuple(event for event in declared if event.seq > last),
    )


def protocol_page(known: Protocol) -> str:
    """The text of a file that needs nothing else."""
    state = "before the first outcome" if known.first_outcome_at is None else "under way"
    later = "declared differently" if known.later else state
    return page.page_text(
        f"Protocol of {known.name} · goodarm",
        page.head(joined("Protocol: ", bdi(known.name)), later, "open"),
        page.section("The question", tag("p", asked(known.settings)), tag("p", _end(known))),
        page.section("What is declared", _declared(known)),
        page.section(f"The {counted(len(known.settings.arms), 'option')}", *_options(known)),
        page.section("What the confidence means", *_confidence(known.settings)),
        page.section("What fixes it", *_fixed(known)),
        page.section("Departures", *_departures(known)) if known.first_outcome_at else None,
    )


def good(settings: Settings) -> str:
    """What an option must do to be good, in words."""
    if settings.is_plain:
        side = "above" if settings.goal == ABOVE else "below"
        return f"its average outcome is {side} {settings.threshold:g}"
    said = " and ".join(one.describe() for one in settings.every_criterion)
    return f"it has {said}" + (
        f", the control being {settings.control}" if settings.control else ""
    )


def asked(settings: Settings) -> str:
    """The question as a sentence."""
    question, K = Question.parse(settings.question), len(settings.arms)
    if K == 1:
        return f"Is {settings.arms[0]} good? It is if {good(settings)}."
    which = ASKED.get(question.kind, f"Which {question.many} of {{}} are good")
    return (
        f"{which.format(counted(K, 'option'))}, or is none? An option is good if {good(settings)}."
    )


def _end(known: Protocol) -> str:
    settings = known.settings
    limit = f"after {counted(known.limit, 'trial')}" if known.limit is not None else ""
    if settings.delta is None:
        return f"The study ends {limit or 'when a person ends it'}, and says how sure it is then."
    other = f", or {limit} without an answer" if limit else ""
    return (
        f"The study ends when {STOPS_BY[settings.boundary]} make it sure at "
        f"{sure_at(settings.delta)}{other}. Its answer is wrong with a probability of at most "
        f"{100.0 * settings.delta:g} %, whatever the averages are, however often the outcomes are "
        "looked at, and whoever chooses the trials."
    )


def _declared(known: Protocol) -> Html:
    settings = known.settings
    kinds = [
        (
            one.name if settings.criteria else "Outcomes",
            f"{one.outcome.describe()} ({one.outcome.text()})",
        )
        for one in settings.every_criterion
    ]
    rare: list[tuple[str, Content]] = (
        [("Control", bdi(settings.control))] if settings.control else []
    )
    rare += (
        [("Kept for options added later", f"{settings.reserve:g} of the risk")]
        if settings.reserve
        else []
    )
    pairs: list[tuple[str, Content]] = [
        ("An option is good if", good(settings)),
        *kinds,
        *rare,
        ("Confidence wanted", "none" if settings.delta is None else sure_at(settings.delta)),
        ("Stops by", f"{STOPS_BY[settings.boundary]} ({settings.boundary})"),
        ("Outcomes count", COUNTS[settings.decide]),
        ("The most trials", "no limit" if known.limit is None else figure(known.limit)),
        ("Trials are chosen by", f"{settings.algorithm}, seed {settings.seed}"),
    ]
    return facts(pairs)


def _options(known: Protocol) -> Iterator[Html]:
    settings, names = known.settings, known.settings.arms[:MOST_LISTED]
    details = [settings.details_of(name) for name in names]
    if any(one.label or one.cost is not None or one.note for one in details):
        columns = (
            Heading("Option"),
            Heading("Label"),
            Heading("Cost", right=True),
            Heading("Note"),
        )
        rows = [
            [bdi(name), bdi(one.label or ""), figure(one.cost), bdi(one.note or "")]
            for name, one in zip(names, details, strict=True)
        ]
        yield page_table(columns, rows, "The options", "log")
    else:
        yield tag("ul", *(tag("li", bdi(name)) for name in names))
    if len(settings.arms) > MOST_LISTED:
        yield page.note(
            f"… and {len(settings.arms) - MOST_LISTED:,} more; the log has all of them."
        )


def _confidence(settings: Settings) -> Iterator[Html]:
    yield tag("p", what_confidence_means(settings.decide))
    if settings.decide == AS_ASKED:
        yield tag(
            "p",
            "An outcome counts once those of its option that were asked for before it are known.",
        )


def _fixed(known: Protocol) -> Iterator[Html]:
    by = joined(" by ", bdi(known.by)) if known.by else None
    first = known.first_outcome_at
    since = f" The first outcome was recorded on {to_the_minute(first)} UTC." if first else ""
    yield tag("p", f"Declared on {to_the_minute(known.created_at)} UTC", by, f".{since}")
    yield tag(
        "p",
        f"The hash of event {known.seq:,}, the last one before any outcome, fixes all of this. "
        "Keep it, or this page, where it gets a date of its own, such as a registry or a mail to a "
        "colleague: it shows later that nothing was declared after the fact.",
    )
    yield tag("p", page.code(known.head))


def _departures(known: Protocol) -> Iterator[Html]:
    if not known.later:
        yield page.note("None: nothing was declared differently after the first outcome.")
        return
    later = [
        Change(
            event.seq,
            event.at,
            kind_of(event).title,
            kind_of(event).details(event.body),
            event.body.get("reason") or "",
            event.by,
        )
        for event in known.later
    ]
    yield changes_table(later, "Declared after the first outcome, oldest first")
