"""Every question: several criteria, a control, all good arms, arms that come and go.

`inquiry` is what users hold, `criteria` says when an arm is good and `question` what is asked,
`spending` how δ is shared, `weighing` what each arm lacks; `tally` and `control` prove, `joint`
puts criteria together, `steering` chooses, `playing` simulates: arms as they may be (`supposed`),
in several processes (`processes`), algorithms side by side (`simulating`).
"""

from goodarm.inquiry.arm_state import ArmState
from goodarm.inquiry.criteria import Criterion
from goodarm.inquiry.inquiry import Inquiry
from goodarm.inquiry.question import Question

__all__ = ["ArmState", "Criterion", "Inquiry", "Question"]
