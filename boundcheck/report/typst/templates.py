"""The functions that the pages call, as Typst source."""

from __future__ import annotations

import json
from importlib import resources

from boundcheck.verdicts.words import SIGNS


def template(kind: str = "") -> str:
    """Return the functions that the pages call, for paper or for a browser ("html"), with what both have in common."""
    name = f"template_{kind}.typ" if kind else "template.typ"
    return f"{_signs()}\n{resources.files('boundcheck.report').joinpath(name).read_text(encoding='utf-8')}"


def _signs() -> str:
    """Return the table of words with sign and tone that the functions read."""
    rows = (
        f"  {json.dumps(word)}: ({json.dumps(sign, ensure_ascii=False)}, {json.dumps(tone)}),\n"
        for word, (sign, tone) in SIGNS.items()
    )
    return f"// Verdicts and statuses: sign and tone.\n#let marks = (\n{''.join(rows)})\n"
