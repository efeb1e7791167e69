"""Bring the table of looseness in docs/findings.md up to date with the shipped audit.

Run it with ``python docs/loose.py`` after a new audit; which bounds the table has is written there by hand.
"""

import re
from pathlib import Path

from boundcheck.sweep import shipped_summary

PAGE = Path(__file__).with_name("findings.md")
ROW = re.compile(r"^\| `([\w.-]+)` \| (?:\d+) of (?:\d+) \| (?:[\d.e-]+) \|$", flags=re.MULTILINE)


def row(match: re.Match[str]) -> str:
    """Return the row of a bound: cells that say something, and the largest measured / bound."""
    found = shipped_summary()[match[1]]
    said = found["holds"] + found["consistent"]
    return f"| `{match[1]}` | {said} of {found['cells']} | {found['worst_ratio']:.2g} |"


def page() -> str:
    """Return the text of the page."""
    return ROW.sub(row, PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
