"""Write docs/gallery.md, a section and a picture for every finding: ``python docs/gallery.py``."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from boundcheck.cli.lookup import status_of
from boundcheck.cli.pages import SEVERITIES, Finding, findings
from boundcheck.notation import PAPERS
from boundcheck.report import style
from boundcheck.report.figures import save
from boundcheck.sweep import load_recipe

HERE = Path(__file__).parent
PICTURES = HERE / "gallery"
NUMBER = r"\d+(?:\.\d+)?(?:e-?\d+)?"
HEAD = """# Gallery of findings

A section a finding, with an address of its own. Made of the [findings page](findings.md) by `python docs/gallery.py`; a
test keeps the two in step. `boundcheck findings NAME` prints the same; where there is a script, it runs the instance in
plain numpy. Bars show how many times the printed right-hand side goes into what was measured. Of a statement with
explicit constants a bar above 1 is a counterexample; of one that hides its constant only the growth counts.

"""
STUDIES = {study.id: study for study in load_recipe("findings").study}


def ratios(one: Finding) -> dict[str, float]:
    """Return measured / printed of a finding's script by instance, none where no script shows it."""
    shown = one.says.get("shown by") or one.says.get("shown by (drift / printed)", "")
    if not shown.startswith("script:"):
        return {}
    if above := re.match(rf"script: ({NUMBER}) > ({NUMBER})", shown):
        return {"": float(above[1]) / float(above[2])}
    grown = re.match(rf"script: \D*((?:{NUMBER}, )*{NUMBER}) at (\w+) = ((?:{NUMBER}, )*{NUMBER})", shown)
    if grown is None:
        return {}
    values, places = grown[1].split(", "), grown[3].split(", ")
    second = re.search(r" and (\w+) = ((?:\d+, )*\d+)", shown)
    more = [f", {second[1]} = {v}" for v in second[2].split(", ")] if second else [""] * len(places)
    return {f"{grown[2]} = {p}{m}": float(v) for p, m, v in zip(places, more, values, strict=True)}


def picture(one: Finding) -> Figure:
    """Draw measured / printed, a bar an instance, on a logarithmic axis that begins at 1."""
    found = ratios(one)
    with mpl.rc_context(style.RC):
        figure = Figure(figsize=(style.HALF * 1.4, 0.7 + 0.28 * len(found)), layout="constrained")
        axes = figure.subplots()
        bars = axes.barh(list(found), [v - 1 for v in found.values()], left=1.0, color=style.VERMILLION, height=0.6)
        axes.bar_label(bars, [figure_of(v) for v in found.values()], padding=3)
        axes.axvline(1.0, color=style.BLACK, linewidth=1.0)
        axes.set(xscale="log", xlim=(0.8, 4 * max(found.values())), xlabel="measured / printed")
        axes.invert_yaxis()
        axes.grid(visible=False, axis="y")
    return figure


def figure_of(ratio: float) -> str:
    """Return a ratio as a figure: whole numbers up to a million."""
    return f"{ratio:,.0f}" if 100 <= ratio < 1e6 else f"{ratio:.3g}"


def section(one: Finding) -> str:
    """Return the section of a finding."""
    study = STUDIES.get(one.id)
    entries = {
        "status": status_of(one) or "open",
        "about": f"a {one.severity}: {SEVERITIES[one.severity]}",
        "where": one.where,
        "equation": getattr(study, "equation", "") if study else "",
        **{key: value for key, value in one.says.items() if not key.startswith("shown by")},
        "for a fixed problem": getattr(study, "fixed", "") if study else "",
        "shown by": one.says.get("shown by") or one.says.get("shown by (drift / printed)", ""),
    }
    lines = [f"* {key}: {escaped(value)}" for key, value in entries.items() if value]
    script = HERE / "findings" / f"{one.id.replace('-', '_')}.py"
    if script.exists():
        lines.append(f"* script: [{script.name}](findings/{script.name})")
    drawn = f"\n![Measured over printed of {one.id}](gallery/{one.id}.svg)\n" if ratios(one) else ""
    return f"### {one.id}\n{drawn}\n" + "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Return plain text as Markdown: what it would read as marks is escaped."""
    return re.sub(r"([*_<\[\]])", r"\\\1", text)


def page() -> str:
    """Return the text of the page."""
    text = HEAD
    for paper, known in PAPERS.items():
        mine = [one for one in findings() if one.paper == paper]
        if mine:
            text += f"## {known.title}\n\n" + "\n".join(map(section, mine)) + "\n"
    return text.rstrip() + "\n"


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for one in findings():
        if ratios(one):
            save(picture(one), PICTURES / f"{one.id}.svg")
    Path(__file__).with_suffix(".md").write_text(page(), encoding="utf-8")
