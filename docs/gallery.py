"""Write docs/gallery.md, a section and a picture for every finding: ``python docs/gallery.py``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.cli.commands.lookup import status_of
from boundcheck.findings import KINDS, SEVERITIES, Finding, anchor, findings
from boundcheck.notation import PAPERS
from boundcheck.report.pages.papers import url
from boundcheck.report.plots.bars import picture, ratios
from boundcheck.report.plots.figures import save
from boundcheck.sweep import load_recipe

if TYPE_CHECKING:
    from boundcheck.sweep.recipes.recipe import Study

HERE = Path(__file__).parent
PICTURES = HERE / "gallery"
HEAD = """# Gallery of findings

A section a finding, with an address of its own. Made of the [findings](findings.md) by `make derived`.
`boundcheck findings NAME` prints the same; where there is a script, it runs the instance in plain numpy. Bars show how
many times the printed right-hand side goes into what was measured. Of a statement with explicit constants a bar above 1
is a counterexample; of one that hides its constant only the growth counts.

"""
STUDIES = {study.id: study for study in load_recipe("findings").study}


def section(one: Finding) -> str:
    """Return the section of a finding."""
    study = STUDIES.get(one.id)
    entries = {
        "status": status_of(one) or "open",
        "id": f"`{one.id}`",
        "about": f"a {one.severity}: {SEVERITIES[one.severity]}",
        "where": one.where,
        "equation": getattr(study, "equation", "") if study else "",
        "kind": f"{one.kind}: {KINDS[one.kind]}" + (f" ({one.heir_of})" if one.heir_of else ""),
        **{key: value for key, value in one.says.items() if key != "shown by"},
        "its authors may say": one.answer,
        "what grows": one.grows,
        "for a fixed problem": getattr(study, "fixed", "") if study else "",
        "shown by": one.says.get("shown by", ""),
    }
    lines = [f"* {key}: {value if key == 'id' else escaped(value)}" for key, value in entries.items() if value]
    script = HERE / "findings" / f"{one.id.replace('-', '_')}.py"
    if script.exists():
        lines.append(f"* script: [{script.name}](findings/{script.name})")
    drawn = f"\n![Measured over printed of {one.id}](gallery/{one.id}.svg)\n" if ratios(one) else ""
    # The address is that of the id, whatever the title is.
    return f'<a id="{anchor(one.id)}"></a>\n\n### {title_of(one, study)}\n{drawn}\n' + "\n".join(lines) + "\n"


def title_of(one: Finding, study: Study | None) -> str:
    """Return where a finding is, and what is wrong there as its study says it."""
    about = study.title.partition(": ")[2] if study else ""
    where = one.where.partition(",")[0] if about else one.where
    wrong = about or next(
        (one.says[key] for key in ("printed", "what it means", "shown by") if one.says.get(key)), one.kind
    )
    return escaped(f"{where}: {wrong}")


def escaped(text: str) -> str:
    """Return plain text as Markdown: what it would read as marks is escaped."""
    return re.sub(r"([*_\[\]])", r"\\\1", text).replace("<", "&lt;")


def cited(paper: str) -> str:
    """Return who wrote a paper, and where it can be read."""
    known = PAPERS[paper]
    where = f"[{known.reference}]({url(paper)})" if url(paper) else known.reference
    return f"{known.authors}: {where}."


def page() -> str:
    """Return the text of the page."""
    text = HEAD
    for paper, known in PAPERS.items():
        mine = [one for one in findings() if one.paper == paper]
        if mine:
            text += f"## {known.title}\n\n{cited(paper)}\n\n" + "\n".join(map(section, mine)) + "\n"
    return text.rstrip() + "\n"


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for one in findings():
        if ratios(one):
            save(picture(one), PICTURES / f"{one.id}.svg")
    Path(__file__).with_suffix(".md").write_text(page(), encoding="utf-8")
