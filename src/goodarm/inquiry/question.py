"""What may be asked of several arms: is one good, which ones are, which m of them, which one first.

Every question is answered by the same two certificates of each arm; they differ in how δ is shared
(`levels`), in which arms are still worth a trial (`in_play`), and in when the answer is certain
(`is_settled`). Proofs are in docs/theory.md, "Questions".

| question | the answer |
| --- | --- |
| any | one good arm, or that none is |
| all | which arms are good and which are not, every one of them |
| top:m | m good arms, or all that there are if there are fewer |
| in-order | the first good arm in the order of the list (say, the cheapest), or that none is |
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from goodarm.errors import InputError, unknown_name
from goodarm.inputs import MOST_ARMS
from goodarm.outcomes.contract import Levels

ANY, ALL, TOP, IN_ORDER = "any", "all", "top", "in-order"
FORMS = {
    ANY: "one good arm, or that none is",
    ALL: "which arms are good and which are not",
    "top:M": "M good arms, or all there are if there are fewer",
    IN_ORDER: "the first good arm in the order of the list, or that none is",
}
UNDECIDED, GOOD, BAD = range(3)  # where an arm stands; what is decided stays so
MOST_FOR_NAMES = 0.75  # of δ, at most, for naming bad arms where enough others are good


@dataclass(frozen=True)
class Question:
    """One of FORMS; `many` is the m of top:m.

    >>> Question.parse("top:3").text()
    'top:3'
    """

    kind: str = ANY
    many: int = 1

    @classmethod
    def parse(cls, text: "str | Question") -> "Question":
        """Read ``any``, ``all``, ``top:3`` or ``in-order``."""
        if isinstance(text, Question):
            return text
        kind, colon, many = str(text).strip().lower().partition(":")
        if kind in (ANY, ALL, IN_ORDER) and not colon:
            return cls(kind)
        if kind == TOP:
            if many.isdecimal() and 1 <= int(many) <= MOST_ARMS:
                return cls(kind, int(many))
            raise InputError(
                f"question: {str(text)!r} does not say how many good arms; write top:3"
            )
        raise unknown_name("question", str(text), FORMS)

    def text(self) -> str:
        """The text that `parse` reads."""
        return f"{self.kind}:{self.many}" if self.kind == TOP else self.kind

    @property
    def is_about_one(self) -> bool:
        """Whether the answer is one arm, or none; it is a set of arms otherwise."""
        return self.kind in (ANY, IN_ORDER)

    def wanted(self, K: int) -> int:
        """How many good arms among K end the search."""
        return {ANY: 1, IN_ORDER: 1, ALL: K, TOP: min(self.many, K)}[self.kind]

    def levels(self, K: int, log_inverse_delta: float) -> Levels:
        """What an arm's certificates must reach: to be named, and to be ruled out.

        With G good arms and m wanted, a wrong name needs one of K − G bad arms to reach K/(xδ); a
        wrong "no more" rules out one of m fixed good arms, or of all G if there are fewer. So the
        error is at most (K − G)xδ/K + min(m, G)δ₋, largest at G = 0 or G = m: xδ, and δ in all.
        """
        m = self.wanted(K)
        others = K - m
        share = 1.0 if others == 0 else min(1.0, MOST_FOR_NAMES * K / others)
        none = (1.0 - share * others / K) / m
        return Levels(log_inverse_delta + math.log(K / share), log_inverse_delta - math.log(none))

    def in_play(self, stands: Sequence[int], present: Sequence[int]) -> list[int]:
        """The arms among those present that are worth a trial: nothing is certain of them yet."""
        undecided = [arm for arm in present if stands[arm] == UNDECIDED]
        return undecided[:1] if self.kind == IN_ORDER else undecided

    def is_settled(self, stands: Sequence[int], present: Sequence[int]) -> bool:
        """Whether the answer is certain."""
        if self.kind == IN_ORDER:
            first = next((arm for arm in present if stands[arm] != BAD), None)
            return first is None or stands[first] == GOOD
        named = sum(stands[arm] == GOOD for arm in present)
        if self.kind != ALL and named >= self.wanted(len(present)):
            return True
        return all(stands[arm] != UNDECIDED for arm in present)

    def is_right(
        self, answer: Sequence[int], good: Collection[int], present: Sequence[int]
    ) -> bool:
        """Whether these arms are the answer, or one of those there are, if so many are good."""
        wanted, named = self.wanted(max(1, len(present))), set(answer)
        if self.kind == IN_ORDER:
            return list(answer) == [arm for arm in present if arm in good][:1]
        if not named <= set(good):
            return False
        return len(named) == min(wanted, len(good))

    def support(self, good: Sequence[float], bad: Sequence[float]) -> float:
        """ln(1/δ) for the smallest δ at which the certificates answer the question now.

        `good` and `bad` have, for each arm present, how far its certificates are beyond what they
        must reach at δ = 1.
        """
        if not good:
            return math.inf
        if self.kind == IN_ORDER:
            best, before = -math.inf, math.inf
            for for_good, for_bad in zip(good, bad, strict=True):
                best = max(best, min(before, for_good))
                before = min(before, for_bad)
            return max(best, before)
        if self.kind == ALL:
            return min(map(max, good, bad))
        named = sorted(range(len(good)), key=lambda arm: -good[arm])
        m = self.wanted(len(good))
        best = min(good[arm] for arm in named[:m])
        # Or fewer than m, and all others are ruled out.
        ruled_out = [math.inf]  # of the last so many in that order, the least
        for arm in reversed(named):
            ruled_out.append(min(ruled_out[-1], bad[arm]))
        least = math.inf
        for many in range(m):
            best = max(best, min(least, ruled_out[len(named) - many]))
            least = min(least, good[named[many]])
        return best
