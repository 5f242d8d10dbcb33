"""What the words on the page mean: the one list that its help and its page of words are made of."""

import re
from typing import NamedTuple


class PageWord(NamedTuple):
    """A word as the page uses it, and what it means there."""

    title: str
    meaning: str


IN_PAGE_WORDS = {  # what a status says in the words of the code
    "No arm ": "No option ",
    "The threshold was changed": "The bar was changed",
    "of that arm ": "of that option ",
    " Tell it, or cancel it.": " Record it, or withdraw it.",
    " Tell them, or cancel them.": " Record them, or withdraw them.",
    "δ was changed": "The accepted risk of a wrong answer was changed",
    "No share of δ was reserved for that": "No share of the accepted risk was set aside for that",
}
IN_GUIDES = {  # what an algorithm says of itself, in the words of the code
    "Pulls": "Tries",
    "pulls": "trials",
    "pull": "trial",
    "arms": "options",
    "arm": "option",
    "a run": "a study",
    "the threshold": "the bar",
    "θ": "the bar",
    "at level δ": "at the confidence wanted",
}
WORDS = {
    "study": PageWord(
        "Study",
        "One question about your options, with every trial that was made to answer it. Nothing in "
        "it is ever deleted: its log keeps what was declared, done, corrected and taken back.",
    ),
    "option": PageWord(
        "Option",
        "One of the things that you compare: a protocol, a prompt, a dose, a version of a page.",
    ),
    "bar": PageWord(
        "The bar",
        "What the average of an option must clear for the option to be good. You choose it before "
        "the first trial, because a bar that follows the outcomes proves nothing.",
    ),
    "trial": PageWord("Trial", "One use of one option. What comes of it is its outcome."),
    "outcome": PageWord(
        "Outcome",
        "What came of a trial, as a number: 1 or 0 for yes or no, or a measurement. What it can be "
        "is declared when the study begins, since everything the page says rests on that.",
    ),
    "average": PageWord(
        "Average",
        "The average of the outcomes so far. The study is about the one that would be found in the "
        "long run; the limits say where that can be.",
    ),
    "good": PageWord(
        "Good",
        "An option is good if its average in the long run clears the bar. It is called good here "
        "once the outcomes prove it, with the confidence that was asked for.",
    ),
    "ruled-out": PageWord(
        "Ruled out",
        "The outcomes prove that the option does not clear the bar. When every option is ruled "
        "out, the answer is that none is good.",
    ),
    "evidence": PageWord(
        "Evidence",
        "How far an option has come towards being called good, or towards being ruled out. At "
        "100 % it is there; until then nothing is certain about it.",
    ),
    "limits": PageWord(
        "Limits",
        "Between them lies the average that would be found in the long run, with the stated "
        "confidence. They stay valid however often you look, and get closer with every outcome.",
    ),
    "recommendation": PageWord(
        "Recommendation",
        "The best guess at this moment: what to use if you had to stop now. The confidence says "
        "how sure it is.",
    ),
    "confidence": PageWord(
        "Confidence",
        "How sure the answer is. At 95 %, at most 5 of 100 studies that end like this are wrong, "
        "whatever the truth is, however often someone looked, and whoever chose the trials.",
    ),
    "more-trials": PageWord(
        "Trials to expect",
        "A forecast, and no promise. The rest of the study is simulated many times, each time with "
        "options as good as the outcomes so far allow: the number is the one in the middle, and "
        "the range holds 80 of 100 such futures. “More than”: too many had no end within that.",
    ),
    "next": PageWord(
        "Next",
        "The option that the algorithm would try now. You may try another one: that can take "
        "longer, and does not touch the confidence.",
    ),
    "pending": PageWord(
        "Pending",
        "Suggested, and still without an outcome. Several trials can be under way at once, and "
        "their outcomes may come in any order.",
    ),
    "waits": PageWord(
        "Waits",
        "An outcome counts once all trials of the same option that were suggested before it have "
        "theirs. So outcomes that come late because they are bad cannot make an option look good. "
        "Withdraw a trial whose outcome will never come.",
    ),
    "state": PageWord(
        "State",
        "In progress: trials are suggested. Answered: the wanted confidence was reached. Used up: "
        "the most trials allowed were made. Stopped: a person has ended it.",
    ),
    "algorithm": PageWord(
        "Algorithm",
        "What chooses the next trial. Any of them keeps the confidence; a better one needs fewer "
        "trials.",
    ),
    "stopping-rule": PageWord(
        "Stopping rule",
        "What decides that the evidence is enough. The certificates of the outcome model need the "
        "fewest trials; the paper’s boundary is there for comparison.",
    ),
    "counts": PageWord(
        "When an outcome counts",
        "In the order of asking: once those that were asked for before it are known, so that no "
        "delay can hurt. As soon as it is told: only where a delay has nothing to do with the "
        "outcome.",
    ),
    "most-trials": PageWord(
        "The most trials",
        "No more than this many are suggested. If they do not suffice, the study says how sure it "
        "is by then.",
    ),
    "seed": PageWord(
        "Seed",
        "The number from which every draw by chance is derived. With it, and the outcomes, anyone "
        "can derive every suggestion anew.",
    ),
    "log": PageWord(
        "Log",
        "Everything that happened, in order, with who did it and when. Events are only ever added.",
    ),
    "head": PageWord(
        "Head",
        "A fingerprint of the whole log. Any change to what went before would change it: noted "
        "elsewhere, it shows later that nothing was altered or cut off.",
    ),
    "correction": PageWord(
        "Correction",
        "Another outcome in place of a wrong one, with a reason. The log keeps both, and the "
        "report shows it. Never correct an outcome because of its value.",
    ),
    "screen": PageWord(
        "On a screen",
        "A trial that somebody has before them is theirs until they record it, leave the page, or "
        "someone takes it over. So two people never record the same trial.",
    ),
    "tag": PageWord("Tag", "A word by which the list finds studies that belong together."),
    "put-away": PageWord(
        "Put away",
        "Left out of the list of studies, and otherwise as it was. It can be brought back.",
    ),
    "simulation": PageWord(
        "Simulated runs",
        "Studies that are played by the computer, with outcomes drawn by chance as you say they "
        "may be. They show how many trials to expect; no real outcome is touched.",
    ),
}


def in_page_words(text: str) -> str:
    """What a status says, in the words of the page.

    >>> in_page_words("No arm looks above 0.5 so far")
    'No option looks above 0.5 so far'
    """
    for words, plain in IN_PAGE_WORDS.items():
        text = text.replace(words, plain)
    return text


def guide_in_page_words(text: str) -> str:
    """What an algorithm says of itself, in the words of the page.

    >>> guide_in_page_words("Pulls the arm nearest to θ.")
    'Tries the option nearest to the bar.'
    """
    words = "|".join(rf"\b{word}\b" for word in IN_GUIDES)
    return re.sub(words, lambda found: IN_GUIDES[found[0]], text)
