"""Write what is made of the findings: the tables of docs/findings.md, and the headline there and in README.md.

Run it with ``python docs/findings_page.py`` after a change in `boundcheck/findings/`. Everything outside of the marked
blocks is written by hand.
"""

import re
from pathlib import Path

from boundcheck.findings import KINDS, LABELS, SEVERITIES, Finding, findings, headline

PAGE = Path(__file__).with_name("findings.md")
README = PAGE.parents[1] / "README.md"
BLOCK = re.compile(r"(<!-- findings: ([^\n]*?) -->\n)(.*?)(<!-- end -->)", flags=re.DOTALL)


def row(one: Finding, keys: list[str]) -> str:
    """Return the row of a finding."""
    kind = f"heir of `{one.heir_of}`" if one.heir_of else one.kind
    texts = [*(one.written.get(key, "") for key in keys), kind, one.answer]
    return "| " + " | ".join(re.sub(r"(?<!\\)\|", r"\|", text) for text in texts).rstrip() + " |"


def table(paper: str, severity: str) -> str:
    """Return the table of a paper's findings of one severity."""
    mine = [one for one in findings() if (one.paper, one.severity) == (paper, severity)]
    keys = ["place", *(key for key in LABELS if any(key in one.written for one in mine))]
    heads = ["where", *(LABELS[key] for key in keys[1:]), "kind", "what its authors may say"]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *(row(one, keys) for one in mine)]
    return "\n".join(lines) + "\n"


def block(named: str) -> str:
    """Return what stands in a marked block.

    Raises
    ------
    ValueError
        If nothing has that name.
    """
    if named == "headline":
        return f"{headline()}.\n"
    if named == "kinds":
        return ";\n".join(f"* *{kind}*: {meaning}" for kind, meaning in KINDS.items()) + ".\n"
    paper, _, severity = named.partition(" ")
    if severity not in SEVERITIES or not any((one.paper, one.severity) == (paper, severity) for one in findings()):
        raise ValueError(f"no findings for the block '{named}'")
    return table(paper, severity)


def complete(text: str) -> str:
    """Return a text with its marked blocks made anew."""
    return BLOCK.sub(lambda match: f"{match[1]}{block(match[2])}{match[4]}", text)


def pages() -> dict[Path, str]:
    """Return the text of both pages."""
    return {path: complete(path.read_text(encoding="utf-8")) for path in (PAGE, README)}


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
