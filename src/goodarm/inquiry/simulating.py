"""Any question, simulated on an instance: several algorithms side by side, all cores.

`goodarm.simulate` compiles its runs, and an answer there is one arm or none. Here an answer may be
a set of arms, or a comparison with a control; runs are played by `goodarm.Inquiry` itself, in
plain Python, thousands of trials a second instead of millions. So it is a function of its own,
with its own kind of result.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.errors import InputError, unknown_name
from goodarm.inputs import number, whole
from goodarm.inquiry.criteria import Criterion
from goodarm.inquiry.playing import PlayedInquiries, put_together
from goodarm.inquiry.processes import Processes, processes
from goodarm.inquiry.question import Question
from goodarm.inquiry.steering import check_algorithm
from goodarm.inquiry.supposed import Supposed, SupposedArm
from goodarm.instance import Instance, load_instance
from goodarm.instance.instance import EMPIRICAL
from goodarm.outcomes import Outcome, find_outcome, outcomes
from goodarm.rng import MAX_SEED
from goodarm.showing.markup import Html
from goodarm.showing.snippet import Shown, snippet
from goodarm.simulation.progress import Report, no_progress, progress_bar
from goodarm.simulation.results.base import wilson
from goodarm.wording import figure, share

USUAL_CAP = 100_000
MOST_RUNS_ASKED = 1_000_000
CHUNKS_EACH = 8  # pieces of work for a process, so that none waits long for the others at the end
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, repr=False)
class InquiryResult(Shown):
    """What came of one algorithm's runs."""

    algorithm: str
    supposed: Supposed
    played: PlayedInquiries
    cap: int
    seed: int

    @property
    def runs(self) -> int:
        """How many there are."""
        return len(self.played.trials)

    @property
    def mean(self) -> float:
        """The mean number of trials; a run that was given up counts with the cap."""
        return self.played.mean

    @property
    def se(self) -> float:
        """The standard error of the mean."""
        return self.played.standard_error

    @property
    def error_rate(self) -> float:
        """The share of runs in which anything was said that is not true."""
        return self.played.error_rate

    def quantile(self, level: float) -> float:
        """A quantile of the number of trials."""
        return float(np.quantile(self.played.trials, level))

    def error_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Wilson's interval for the error rate."""
        low, high = wilson(np.sum(self.played.wrong), self.runs, level)
        return float(low), float(high)

    @property
    def trials_per_arm(self) -> NDArray[np.float64]:
        """The mean number of trials of each arm in a run."""
        counts: NDArray[np.float64] = np.array(self.played.counts, dtype=np.float64)
        mean: NDArray[np.float64] = counts.mean(axis=0)
        return mean

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain data; what the command line shows with --json."""
        asked = self.supposed
        low, high = self.error_interval()
        return {
            "algorithm": self.algorithm,
            "runs": self.runs,
            "mean": self.mean,
            "se": self.se,
            "quantiles": {f"{level:g}": self.quantile(level) for level in QUANTILES},
            "stopped": float(self.played.stopped.mean()),
            "error_rate": self.error_rate,
            "error_interval": [low, high],
            "trials_per_arm": dict(zip(asked.arms, self.trials_per_arm.tolist(), strict=True)),
            "settings": {
                "question": asked.question.text(),
                "criteria": [criterion.to_data() for criterion in asked.criteria],
                "control": asked.control,
                "delta": asked.delta,
                "cap": self.cap,
                "seed": self.seed,
            },
        }

    def _in_short(self) -> Iterator[str]:
        low, high = self.error_interval()
        yield f"{self.algorithm}, question {self.supposed.question.text()}: {self.runs:,} runs"
        yield f"  {figure(self.mean)} ± {figure(self.se)} trials"
        yield f"  wrong {share(self.error_rate)} ({share(low)} to {share(high)})"

    def _in_html(self) -> Html:
        first, *rest = self._in_short()
        return snippet(first, *rest)


def simulate_inquiry(
    instance: Instance | str,
    algorithms: Sequence[str | Algorithm] | str | Algorithm,
    question: Question | str = "all",
    *,
    delta: float,
    control: str | None = None,
    margin: float | None = None,
    lift: float | None = None,
    outcome: Outcome | str | None = None,
    cap: int = USUAL_CAP,
    runs: int = 200,
    seed: int = 0,
    cores: int | None = None,
    show_progress_bar: bool = False,
) -> dict[str, InquiryResult]:
    """Simulate algorithms with any question on an instance; a result for each, by its name.

    `question` is one of ``any``, ``all``, ``top:3``, ``in-order``. With a `control`, one of the
    instance's arms, an arm is good if it is better by `margin`, or by `lift` as a share; the
    instance's threshold is then of no account. `outcome` is what the outcomes are taken for, by
    default the arms' own model. Runs that have no answer after `cap` trials are given up. With one
    `seed` all algorithms see the same outcomes, and results do not depend on `cores`.

    An algorithm is refused if it has phases, a budget or a stopping rule of its own: arms leave
    as they are answered, and a plan ahead or an end of its own would not survive that.

    >>> found = simulate_inquiry("Thr1", ["Unif", "APGAI"], delta=0.1, runs=3, cores=1)
    >>> found["APGAI"].error_rate
    0.0
    """
    problem = load_instance(instance)
    supposed = suppose(problem, Question.parse(question), delta, control, margin, lift, outcome)
    specs = [algorithms] if isinstance(algorithms, str | Algorithm) else list(algorithms)
    chosen = [check_algorithm(find_algorithm(spec)) for spec in specs]
    if not chosen or len({one.label for one in chosen}) < len(chosen):
        raise InputError("algorithms: name at least one, and each once")
    whole("runs", runs, 2, MOST_RUNS_ASKED)
    whole("seed", seed, 0, MAX_SEED)
    whole("cap", cap, 1, 10**9)
    supposed.inquiry(0, seed, chosen[0])
    total = runs * len(chosen)
    with (
        processes(cores) as work,
        progress_bar(total) if show_progress_bar else no_progress() as report,
    ):
        played = play_each(work, supposed, chosen, range(runs), cap, seed, report)
    return {
        one.label: InquiryResult(one.label, supposed, part, cap, seed)
        for one, part in zip(chosen, played, strict=True)
    }


def play_each(
    work: Processes,
    supposed: Supposed,
    algorithms: Sequence[Algorithm],
    runs: range,
    cap: int,
    seed: int,
    report: Report,
) -> list[PlayedInquiries]:
    """The same runs with every algorithm; `report` hears of runs and trials."""
    size = max(1, len(runs) // ((os.cpu_count() or 1) * CHUNKS_EACH))
    pieces = [runs[first : first + size] for first in range(0, len(runs), size)]
    given = [(supposed, one, piece, cap, seed) for one in algorithms for piece in pieces]
    done: list[PlayedInquiries] = []
    begun = trials = 0
    for part in work.each(_play, given):
        done.append(part)
        begun, trials = begun + len(part.trials), trials + int(part.trials.sum())
        report(begun, trials)
    each = len(pieces)
    return [put_together(done[i * each : (i + 1) * each]) for i in range(len(algorithms))]


def _play(
    supposed: Supposed, algorithm: Algorithm, runs: range, cap: int, seed: int
) -> PlayedInquiries:
    return supposed.play(algorithm, runs, cap, seed)


def suppose(
    instance: Instance,
    question: Question,
    delta: float,
    control: str | None = None,
    margin: float | None = None,
    lift: float | None = None,
    outcome: Outcome | str | None = None,
) -> Supposed:
    """An instance as an inquiry."""
    if not 0.0 < number("delta", delta) < 1.0:
        raise InputError(f"delta: {delta!r} is not strictly between 0 and 1")
    if control is not None and control not in instance.names:
        raise unknown_name("control", control, instance.names)
    model = instance.own_outcome if outcome is None else find_outcome(outcome)
    bar = instance.threshold if (margin, lift) == (None, None) else None
    criterion = Criterion.declare(model, bar, instance.goal, margin=margin, lift=lift)
    like = [
        SupposedArm(
            model if kind == EMPIRICAL else outcomes[kind].of_arms(instance.sigmas.tolist()),
            float(mean),
            float(mean),
            recorded=tuple(instance.outcomes[arm].tolist()) if kind == EMPIRICAL else (),
        )
        for arm, (mean, kind) in enumerate(zip(instance.means, instance.kinds, strict=True))
    ]
    return Supposed(instance.names, (criterion,), question, delta, (tuple(like),), control)
