"""What a reader of the confidence is told about outcomes that do not count yet."""

from pathlib import Path

from goodarm import Gaussian, Study


def test_outcomes_that_wait_are_named_with_their_trials(tmp_path: Path) -> None:
    study = Study.create(
        "s", ["A", "B"], 0.0, Gaussian(1), storage=tmp_path / "s.db", algorithm="Unif"
    )
    trials = study.ask(6)
    study.tell(trials[4], 0.1)
    (note,) = study.status().cautions
    assert note.level == "note"
    assert note.text == (
        "1 told outcome of 'A' does not count yet: outcomes count in the order of asking, and "
        "earlier trials of that arm are still open (1, 3). Tell them, or cancel them."
    )
    study.tell(trials[2], 0.2)
    assert "2 told outcomes of 'A' do not count yet" in study.status().cautions[0].text
    assert "an earlier trial of that arm is still open (1)" in study.status().cautions[0].text
    assert (study.status().waiting, study.status().waiting_for) == (2, (1,))
    study.cancel(trials[0])
    assert study.status().waiting == 0
