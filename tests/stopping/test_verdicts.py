import math
import random

from goodarm.outcomes import Gaussian
from goodarm.outcomes.record import make_record
from goodarm.run import ACTIVE, CONTINUE, NONE, evidence, new_run
from goodarm.stopping import parse_boundary
from goodarm.stopping.families.kano import half_width
from goodarm.stopping.verdicts import level, make_verdict

record, verdict = make_record(Gaussian.functions), make_verdict(Gaussian.functions)


def test_glr_verdict_against_the_definition() -> None:
    """The lazy rule speaks at the very step at which the paper's definition does."""
    stops = {CONTINUE: 0, NONE: 0, 0: 0}
    for seed in range(60):
        source = random.Random(seed)
        mean = 0.6 if seed % 2 else -0.6
        boundary = parse_boundary("glr", 3, 0.1)
        run = new_run(0.0, [1.0] * 3, seed, boundary=boundary.numbers)
        for t in range(1, 400):
            arm = source.randrange(3) if t > 3 else t - 1
            record(run, arm, source.gauss(mean if arm == 0 else -0.6, 1.0))
            said = verdict(run, t, arm)
            known = [evidence(run, a) for a in range(3)]
            b = boundary.level(t)
            expected = CONTINUE
            if t >= 3 and max(known) >= b:
                expected = known.index(max(known))
            elif t >= 3 and min(-w for w in known) >= b:
                expected = NONE
            assert said == expected
            assert level(run, t) == b
            if said != CONTINUE:
                break
        stops[said] += 1
    assert stops[NONE] > 10
    assert stops[0] > 10


def test_no_verdict_of_none_before_every_arm_was_tried() -> None:
    boundary = parse_boundary("glr", 2, 0.1)
    run = new_run(0.0, [1.0, 1.0], 0, boundary=boundary.numbers)
    for t in range(1, 50):
        record(run, 0, -5.0)
        assert verdict(run, t, 0) == CONTINUE
    record(run, 1, -50.0)
    assert verdict(run, 50, 1) == NONE


def test_without_a_boundary_there_is_no_verdict() -> None:
    run = new_run(0.0, [1.0], 0)
    for t in range(1, 20):
        record(run, 0, 100.0)
        assert verdict(run, t, 0) == CONTINUE


def test_kano_eliminates_for_good() -> None:
    boundary = parse_boundary("kano", 2, 0.1)
    run = new_run(0.0, [1.0, 1.0], 0, boundary=boundary.numbers)
    record(run, 0, -9.0)
    assert verdict(run, 1, 0) == CONTINUE
    record(run, 1, 0.1)
    assert verdict(run, 2, 1) == CONTINUE
    assert run.active == [0, 1]  # the first look, at t = K, is at all arms
    bonus = math.sqrt(2 * (math.log(4 * 2 / 0.1) + 2 * math.log(1)))
    assert half_width(run, 1) == bonus
    record(run, 0, 400.0)  # back above the threshold, but out of play
    assert verdict(run, 3, 0) == CONTINUE
    record(run, 1, -30.0)
    assert verdict(run, 4, 1) == NONE
    assert run.clock[ACTIVE] == 0


def test_nothing_is_named_by_the_paper_before_every_arm_was_tried() -> None:
    run = new_run(0.0, [1.0, 1.0], 0, boundary=parse_boundary("glr", 2, 0.1).numbers)
    record(run, 0, 400.0)
    assert verdict(run, 1, 0) == CONTINUE
    record(run, 1, 0.0)
    assert verdict(run, 2, 1) == 0


def test_of_several_good_arms_at_the_first_look_kano_names_the_best() -> None:
    for values, best in (((300.0, 200.0, 100.0), 0), ((100.0, 300.0, 200.0), 1)):
        run = new_run(0.0, [1.0] * 3, 0, boundary=parse_boundary("kano", 3, 0.1).numbers)
        for arm, value in enumerate(values):
            record(run, arm, value)
        assert verdict(run, 3, 2) == best


def test_the_bonus_of_kano_grows_with_an_arms_own_trials() -> None:
    run = new_run(0.0, [1.0, 1.0], 0, boundary=parse_boundary("kano", 2, 0.1).numbers)
    for _ in range(9):
        record(run, 1, 0.0)
    bonus = math.sqrt(2 * (math.log(4 * 2 / 0.1) + 2 * math.log(9)))
    assert half_width(run, 1) == bonus / 3


def test_kano_looks_only_at_arms_that_were_tried() -> None:
    """One that was told out of turn, so that an arm has no outcome at the first look."""
    run = new_run(0.0, [1.0, 1.0], 0, boundary=parse_boundary("kano", 2, 0.1).numbers)
    record(run, 1, 200.0)
    record(run, 1, 200.0)
    assert verdict(run, 2, 1) == 1
