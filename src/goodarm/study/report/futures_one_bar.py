"""Futures of a study of one good arm and one bar."""

from collections.abc import Callable

from goodarm.experiment import Experiment
from goodarm.run import CONTINUE, NO_ARM, Run
from goodarm.study.evidence import OneBar
from goodarm.study.log.fold import Fold
from goodarm.study.report import futures
from goodarm.study.report.futures import ASSUMES, PLAIN, End, OutcomesOfFuture


class OneBarFutures:
    """Played by the study's own `Experiment`, on copies of its run."""

    assumes = ASSUMES
    dearness = 1

    def __init__(self, fold: Fold, evidence: OneBar, delta: float) -> None:
        self._fold, self._experiment, self._delta = fold, evidence.experiment, delta
        self._answer = futures.answer_now(fold, delta)
        self._outcomes = futures.SupposedOutcomes(fold, 0)
        self.cost = 0  # steps: a choice, or so many outcomes drawn by themselves

    def play(self, number: int, horizon: int) -> End:
        """One of them."""
        if self._answer is not None:
            return End(0, self._answer)
        fold, experiment = self._fold, self._experiment
        outcomes = self._outcomes.begin(futures.chance_of(fold, number))
        run, enter = experiment.run_at(self._delta, number), self._entering(experiment, outcomes)
        _, choose, _, judge, _ = experiment.step
        # Once the pending outcomes are there, everything that was told counts.
        pending = [trial.arm for trial in fold.open.values()]
        steps = 0
        while steps < horizon:
            many = 1
            if steps < len(pending):
                arm = pending[steps]
            else:
                arm = choose(run, experiment.t + steps)
                if arm == NO_ARM:
                    break
                many += run.counts[arm] // futures.STRIDE
            enter(run, experiment.t + steps, arm, many)
            steps += many
            answer = judge(run, experiment.t + steps, arm)
            if answer != CONTINUE and steps <= horizon:
                return End(steps, () if answer < 0 else (answer,))
        return End(horizon + 1)

    def _entering(
        self, experiment: Experiment, outcomes: OutcomesOfFuture
    ) -> Callable[[Run, int, int, int], None]:
        """Enters so many simulated outcomes of an arm, after so many of all."""
        receive = experiment.step.receive

        def enter(run: Run, t: int, arm: int, many: int) -> None:
            told = outcomes.many_at_once(arm, many) if many > 1 else None
            self.cost += 1
            if told is not None:
                experiment.enter_into(run, t + many, arm, told, many)
                return
            self.cost += many // PLAIN
            for i in range(1, many + 1):
                receive(run, t + i, arm, outcomes.one(arm))

        return enter
