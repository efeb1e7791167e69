"""The functions that the pages call, as Typst source."""

from __future__ import annotations

from importlib import resources


def template(kind: str = "") -> str:
    """Return the functions that the pages call, for paper or for a browser ("html"), with what both have in common."""
    names = ("marks.typ", f"template_{kind}.typ" if kind else "template.typ")
    texts = (resources.files("boundcheck.report").joinpath(name).read_text(encoding="utf-8") for name in names)
    return "\n".join(texts)
