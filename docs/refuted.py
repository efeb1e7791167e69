"""Write docs/refuted.md, the table of every line that is false as printed, from the ledger of claims.

Run it with ``python docs/refuted.py`` after a change of the ledger.
"""

from pathlib import Path

from boundcheck.evidence.status import of_claim
from boundcheck.lemmas import CLAIMS, Claim
from boundcheck.lemmas.tree import above
from boundcheck.notation import PAPERS

HEAD = """# Every line that is false as printed

Made of the ledger by `python docs/refuted.py`; a test keeps the two in step. Every line here is
*false as printed*, refuted by a witness: `boundcheck show CLAIM` prints it, with numpy lines that replay it. "In its
place" names the claim that stands instead. "Falls with it" names what the ledger puts together from the printed line.
Most of these lines do not touch the theorem: what each means is on the [findings page](findings.md). Letters are those
of the [notation](notation.md).

| paper | claims in the ledger | false as printed |
|---|---|---|
"""


def cell(text: str) -> str:
    """Return text that a Markdown table holds: bars escaped."""
    return text.replace("|", "\\|")


def row(claim: Claim) -> str:
    """Return the row of a refuted claim."""
    lost = ", ".join(f"`{name}`" for name in above(CLAIMS, claim.id))
    shown = f"{cell(claim.title)}: `{cell(claim.statement)}`"
    return f"| `{claim.id}` | {cell(claim.where)} | {shown} | `{claim.repaired_by}` | {lost} |"


def page() -> str:
    """Return the text of the page."""
    papers = [name for name in PAPERS if any(claim.paper == name for claim in CLAIMS.values())]
    of = {name: [claim for claim in CLAIMS.values() if claim.paper == name] for name in papers}
    false = {name: [claim for claim in of[name] if of_claim(claim.id).status == "false as printed"] for name in papers}
    text = HEAD + "".join(f"| `{name}` | {len(of[name])} | {len(false[name])} |\n" for name in papers)
    for name in papers:
        text += f"\n## {name}: {PAPERS[name].title}\n\n"
        text += "| claim | where | printed | in its place | falls with it |\n|---|---|---|---|---|\n"
        text += "\n".join(row(claim) for claim in false[name]) + "\n"
    return text


if __name__ == "__main__":
    Path(__file__).with_suffix(".md").write_text(page(), encoding="utf-8")
