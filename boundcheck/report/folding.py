"""The page in a browser: its heading, chapters and sections that fold, and the bar at the side that lists them."""

from __future__ import annotations

import html
import re
from typing import Final

FOLDED: Final = ("Every form of the theorems", "Studies", "Steps of the proofs", "What the bounds promise")
"""Chapters whose sections are shut when the page is opened: what no print has."""
_STARTS = r'(?=<p>(?:<a id="[^"]*"></a>)+</p><h{0}[ >])|(?<!</a></p>)(?=<h{0}[ >])'
_CHAPTER, _SECTION = (re.compile(_STARTS.format(level)) for level in (2, 3))
_HEADING = re.compile(r"(?P<before>.*?)<h(?P<level>[23])(?P<marks>[^>]*)>(?P<words>.*?)</h[23]>", re.DOTALL)
_ID = re.compile(r'id="([^"]*)"')
_TAG = re.compile(r"<[^>]+>")


def fold(main: str, title: str) -> tuple[str, str]:
    """Return the body of a page with chapters and sections that fold, and the list of them.

    Parameters
    ----------
    main : str
        Markup in which headings of the second and third level stand one after the other, in no element.
    title : str
        What the list is headed by.

    Returns
    -------
    tuple of str
        The body, and a list of links for the side of the page.
    """
    lead, *chapters = _CHAPTER.split(main)
    body, entries = [lead], []
    for number, chapter in enumerate(chapters):
        start, *sections = _SECTION.split(chapter)
        words = _words(start)
        shut = any(words.endswith(name) for name in FOLDED)
        inner, links = [], []
        for k, section in enumerate(sections):
            text, link = _fold(section, f"s{number + 1}-{k + 1}", is_open=not shut)
            inner.append(text)
            links.append(link)
        head, link = _fold(start + "".join(inner), f"s{number + 1}", is_open=True)
        body.append(head)
        below = "".join(f"<li>{one}</li>" for one in links)
        entries.append(f"<li>{link}{f'<ol>{below}</ol>' if below else ''}</li>")
    items = "".join(entries)
    return "".join(body), f'<nav class="side" aria-label="Contents"><p>{html.escape(title)}</p><ol>{items}</ol></nav>'


def _words(text: str) -> str:
    found = _HEADING.match(text)
    return html.unescape(_TAG.sub("", found["words"])).strip() if found else ""


def _fold(text: str, name: str, *, is_open: bool) -> tuple[str, str]:
    """Return a chapter or a section as an element that folds, and the link to it."""
    found = _HEADING.match(text)
    if found is None:
        return text, ""
    level, marks = found["level"], found["marks"]
    own = _ID.search(marks)
    place = own[1] if own else name
    marks = marks if own else f' id="{name}"'
    heading = f"<h{level}{marks}>{found['words']}</h{level}>"
    rest = text[found.end() :]
    kind = "chapter" if level == "2" else "section"
    body = (
        f'{found["before"]}<details class="{kind}"{" open" if is_open else ""}><summary>{heading}</summary>'
        f"{rest}</details>"
    )
    return body, f'<a href="#{place}">{_TAG.sub("", found["words"])}</a>'
