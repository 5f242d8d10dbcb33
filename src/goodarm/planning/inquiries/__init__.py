"""Plans for every question: several criteria, a control, all good arms, trials that cost something.

`request.py` checks what is asked, `expected.py` plays it and makes numbers of what came out,
`protocol.py` says it in a paragraph; `planner.py` is what users call.
"""

from goodarm.planning.inquiries.expected import ArmExpected, CostUntilSure, InquiryAlgorithmPlan
from goodarm.planning.inquiries.planner import InquiryPlan, plan_inquiry
from goodarm.planning.inquiries.request import InquiryRequest

__all__ = [
    "ArmExpected",
    "CostUntilSure",
    "InquiryAlgorithmPlan",
    "InquiryPlan",
    "InquiryRequest",
    "plan_inquiry",
]
