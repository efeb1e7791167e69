"""What the words of a report mean, of the glossary."""

from __future__ import annotations

from boundcheck.glossary import brief
from boundcheck.report.typst.markup import prose

SHOWN = (
    "bound", "cell", "claim", "condition", "explicit", "feasible", "finding", "form", "hidden constant", "horizon",
    "informative", "left-hand side", "measured letter", "prescribed parameter", "promise", "ratio", "replicate",
    "setting", "shape", "sharpened theorem", "slice", "speed-up", "status", "study", "time to epsilon", "trivial bound",
    "units", "witness", "worst case",
)  # fmt: skip
"""Terms of the glossary that reports use, in its order; verdicts have a chapter of their own."""


def words() -> str:
    """Return the section: the first sentence on every term, in two columns."""
    told = [f"*{prose(term)}*: {prose(brief(term))}" for term in SHOWN]
    half = (len(told) + 1) // 2
    columns = ("\n\n".join(some) for some in (told[:half], told[half:]))
    return "= Words\n\n#two-columns" + "".join(f"[#small[{column}]]" for column in columns) + "\n"
