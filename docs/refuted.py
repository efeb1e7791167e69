"""Write docs/refuted.md, the table of every line that is false as printed, from the ledger of claims.

Run it with ``python docs/refuted.py`` after a change of the ledger.
"""

from collections.abc import Sequence
from pathlib import Path

from boundcheck.findings.places import place_words
from boundcheck.notation import PAPERS
from boundcheck.proofs import CLAIMS, Claim
from boundcheck.proofs.ledger.classes import SEVERITIES, WEIGHTS, headline, severity_of
from boundcheck.proofs.ledger.tree import above
from boundcheck.verdicts.status import of_claim, shipped_statuses

HEAD = """# Every line that is false as printed

Made of the ledger by `make derived`. Every line here is
*false as printed*, refuted by a witness: `boundcheck show CLAIM` prints it, with numpy lines that replay it. "In its
place" names the claim that stands instead. "Falls with it" names what the ledger puts together from the printed line.
What each means is on the [findings page](findings.md). Letters are those of the [notation](notation.md).

"""


def cell(text: str) -> str:
    """Return text that a Markdown table holds: bars escaped."""
    return text.replace("|", "\\|")


MOST = 3
"""Lines that a cell names openly; more of them fold."""


def fold_names(names: Sequence[str]) -> str:
    """Return names of lines as a cell that stays low."""
    if len(names) <= MOST:
        return ", ".join(f"`{name}`" for name in names)
    listed = "<br>".join(f"<code>{name}</code>" for name in names)
    return f"<details><summary>{len(names)} lines</summary>{listed}</details>"


def row(claim: Claim) -> str:
    """Return the row of a refuted claim."""
    lost = fold_names(above(CLAIMS, claim.id))
    decided = "; ".join(claim.printed) or claim.prose
    shown = f"{cell(claim.title)}: `{cell(decided)}`"
    weight = severity_of(claim.id, CLAIMS)
    place = cell(place_words(claim.paper, claim.where))
    return f"| `{claim.id}` | {weight} | {place} | {shown} | `{claim.repaired_by}` | {lost} |"


def counts(of: dict[str, list[Claim]]) -> str:
    """Return the table of how many lines of each paper are false, by weight."""
    words = [word for word in SEVERITIES if word != "reading"]
    lines = [f"| paper | false as printed | {' | '.join(words)} |", "|---|---|" + "---|" * len(words)]
    for name, claims in of.items():
        found = [severity_of(claim.id, CLAIMS) for claim in claims]
        lines.append(f"| `{name}` | {len(claims)} | {' | '.join(str(found.count(word)) for word in words)} |")
    return "\n".join(lines) + "\n"


def weights() -> str:
    """Return what the weights mean, and the headline."""
    verdicts = {name: entry["verdict"] for name, entry in shipped_statuses()["claims"].items() if name in CLAIMS}
    meant = "\n".join(f"* *{word}*: {WEIGHTS[word]}" for word in SEVERITIES)
    names = ", ".join(f"`{name}`" for name, one in sorted(CLAIMS.items()) if one.kind == "reading")
    return f"{headline(CLAIMS, verdicts)}.\n\n{meant}\n\nReadings that were refuted: {names}.\n\n"


def page() -> str:
    """Return the text of the page."""
    papers = [name for name in PAPERS if any(claim.paper == name for claim in CLAIMS.values())]
    of = {name: [claim for claim in CLAIMS.values() if claim.paper == name] for name in papers}
    false = {name: [claim for claim in of[name] if of_claim(claim.id).status == "false as printed"] for name in papers}
    text = HEAD + weights() + counts(false)
    for name in papers:
        text += f"\n## {name}: {PAPERS[name].title}\n\n"
        text += "| claim | weight | where | printed | in its place | falls with it |\n|---|---|---|---|---|---|\n"
        text += "\n".join(row(claim) for claim in false[name]) + "\n"
    return text


if __name__ == "__main__":
    Path(__file__).with_suffix(".md").write_text(page(), encoding="utf-8")
