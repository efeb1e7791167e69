"""Formulas of a Typst source with alternative texts, which PDF/UA asks for."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
    "(?:\\.|[^"\\])*"                           # a string: a dollar sign in it begins no formula
    | \$(?:"(?:\\.|[^"\\])*"|\\.|[^$"\\])*\$    # a formula, strings in it included
    """,
    re.VERBOSE | re.DOTALL,
)


def with_alternatives(source: str) -> str:
    """Return a source whose formulas are wrapped in the template's `told`, which says them in one line.

    A show rule cannot do it: the equation that it replaces is still there without a text.

    Parameters
    ----------
    source : str
        Typst markup in which formulas stand in content, never in code.
    """
    return _TOKEN.sub(lambda found: found[0] if found[0].startswith('"') else f"#told({found[0]});", source)
