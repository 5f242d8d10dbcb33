import csv
import io
import json

import pytest

from goodarm.paper.report.tables import Table, TableColumn, fixed, latex, readable

TABLE = Table(
    "t",
    "A caption with 5 % & δ.",
    [TableColumn("who", text=True), TableColumn("x_1", fixed(2)), TableColumn("y")],
    [["a, b", 1.2345, 12301], ["<c>", None, 0.5]],
    ["agrees", "differs"],
)


def test_csv_keeps_the_values() -> None:
    rows = list(csv.reader(io.StringIO(TABLE.to_csv())))
    assert rows == [["who", "x_1", "y"], ["a, b", "1.2345", "12301"], ["<c>", "", "0.5"]]


def test_json_keeps_the_values() -> None:
    data = json.loads(TABLE.to_json())
    assert data["rows"][0] == {"who": "a, b", "x_1": 1.2345, "y": 12301}
    assert data["rows"][1]["x_1"] is None


def test_latex_is_booktabs_and_escaped() -> None:
    text = TABLE.to_latex()
    assert r"\begin{tabular}{lrr}" in text
    assert r"who & x\_1 & y \\" in text
    assert r"a, b & 1.23 & 12,301 \\" in text
    assert r"\caption{A caption with 5 \% \& $\delta$.}" in text
    assert latex("50 % of K Δ̂⁻²").isascii()


def test_html_is_escaped_and_marked() -> None:
    text = TABLE.to_html()
    assert "<td class=text>&lt;c&gt;</td>" in text
    assert '<tr class="differs">' in text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        ("x", "x"),
        (12301, "12,301"),
        (12301.4, "12,301"),
        (3.14159, "3.14"),
        (0.0, "0"),
        (1e-5, "1.00e-05"),
        (float("inf"), "∞"),
        (31.27, "31.3"),
        (True, "yes"),
    ],
)
def test_numbers_as_a_person_writes_them(value, text: str) -> None:
    assert readable(value) == text
