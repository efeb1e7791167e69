"""The words of the pages: the glossary is in order, names in code exist, and no word is used that was given up."""

import dataclasses
import importlib
import re
from pathlib import Path

import pytest
from together import together

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])
TEXT = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}
GLOSSARY = TEXT["docs/glossary.md"].partition("\n## ")[0]
TERMS = re.findall(r"^\| ([^|]+?) \| (.+?) \| (?:`([\w.]+)` )?\|$", GLOSSARY, flags=re.MULTILINE)
CODE = sorted({name for text in TEXT.values() for name in re.findall(r"`(boundcheck(?:\.\w+)+)`", text)})
"""Dotted names that the pages give in code."""

RETIRED = {
    r"(first|next|each|every|a) look\b(?! at)": "stage",
    r"ladders?|rungs?": "stage",
    r"capitals?": "wealth",
    r"before_the_run": "initial_values",
    r"the house|rooms|(a|the|each|every) room": "package, module or folder",
    r"bench(es)?": "harness",
    r"everyone": "full_all",
    r"beneath": "upstream_mask",
    r"visits?": "observe",
    r"fronts?": "leading part",
    r"arms?": "branch",
    r"(an even|the) deal|dealing": "partition",
    r"known=": "free=",
    r"comparison (rows|slopes)": "rates",
}
"""Private words, as patterns of whole words, to the field's."""
ALLOWED = {
    "`capital`": "the key of a verdict",
    "make bench": "the target of the Makefile",
    ".everyone": "ends the ids of two identities",
}
"""Spellings that users rely on."""
TOUR = "docs/index.md"
"""The one page that may call the package a house and its folders rooms."""


def test_terms_of_the_glossary_are_in_order():
    """Every row of the table is read, terms are alphabetical and stand once."""
    terms = [term.lower() for term, _, _ in TERMS]
    assert len(terms) == GLOSSARY.count("\n| ") - 1
    assert terms == sorted(set(terms))


def member(owner, name):
    """Return a member of a module or a class; a field without a default is the name itself."""
    if name in getattr(owner, "__struct_fields__", ()):
        return name
    if dataclasses.is_dataclass(owner) and name in {field.name for field in dataclasses.fields(owner)}:
        return name
    if not hasattr(owner, name):
        return importlib.import_module(f"{owner.__name__}.{name}")
    return getattr(owner, name)


@together(CODE)
def test_name_in_code_exists(name):
    """What a page names can be imported, every row of the glossary included."""
    if name.startswith("boundcheck.adapters.torch"):
        pytest.importorskip("torch", reason="needs the extra torch")
    first, *rest = name.split(".")
    found = importlib.import_module(first)
    for part in rest:
        found = member(found, part)


def retired(page):
    """Yield (word, what to write) for every retired word of a page."""
    text = TEXT[page]
    for spelling in ALLOWED:
        text = text.replace(spelling, "")
    for pattern, word in RETIRED.items():
        if page == TOUR and "house" in pattern:
            continue
        for found in re.finditer(rf"(?<![\w-])({pattern})(?![\w-])", text, flags=re.IGNORECASE):
            yield found[0], word


@together(TEXT)
def test_page_uses_no_retired_word(page):
    """A page says stage, wealth, harness, ... and no word that only this package had."""
    assert [(word, new) for word, new in retired(page)] == []
