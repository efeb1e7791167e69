"""The report as one HTML file that needs nothing else: the same pages, figures with their values under the pointer."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import TYPE_CHECKING

from boundcheck.report.folding import fold
from boundcheck.report.typst.markup import literal
from boundcheck.report.typst.templates import template

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

STYLE = re.compile(r"</style></head><body>")
TITLE = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
SCHEME = '<meta name="color-scheme" content="light dark">'
SKIP = '<a class="skip" href="#text">Skip to the text</a>'
"""The first stop of the keyboard: the list at the side has dozens more."""


def preamble(title: str, folder: Path) -> str:
    """Return the functions that the pages use, for a page in a browser; figures with numbers are left to its script."""
    drawn = ", ".join(literal(path.stem) for path in sorted(folder.glob("*.json")))
    return f"#let doc-title = {literal(title)}\n#let plots = ({drawn}{',' if drawn else ''})\n{template('html')}\n"


def compile_html(source: Path) -> str:
    """Return the page of a Typst file: its text, the look, the numbers of the figures and what draws them."""
    import typst

    compiled = typst.Compiler(str(source), root=str(source.parent), ignore_system_fonts=True).compile(format="html")
    if not isinstance(compiled, bytes):
        msg = f"{source.name}: the compiler gave no page"
        raise TypeError(msg)
    figures = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(source.parent.glob("*.json"))}
    return embed_assets(compiled.decode(), figures)


def embed_assets(page: str, figures: Mapping[str, object]) -> str:
    """Return a page with its look and its script inside, its chapters as parts that fold and a list of them."""
    head, match, body = STYLE.split(page, maxsplit=1)[0], STYLE.search(page), STYLE.split(page, maxsplit=1)[-1]
    if match is None:
        msg = "the compiler's page has no head that ends in a style"
        raise TypeError(msg)
    data = f"<script>const FIGURES = {_data(figures)};</script>\n"
    main, end, rest = body.rpartition("</body>")
    found = TITLE.search(main)
    folded, side = fold(main, "Contents" if found is None else found[1])
    text = f'{SKIP}{side}<main id="text">{_scrolling(folded)}</main>'
    return (
        f"{head}\n{_own('page.css')}</style>{SCHEME}</head><body>{text}\n"
        f"{data}<script>{_safe(_own('page.js'))}</script>\n{end}{rest}\n"
    )


def _scrolling(main: str) -> str:
    """Return markup in which a table that is too wide for a phone scrolls by itself, and can do so by keyboard."""
    return main.replace("<table", '<div class="wide" tabindex="0"><table').replace("</table>", "</table></div>")


def _data(figures: Mapping[str, object]) -> str:
    """Return data as a script's literal in which no text looks like markup."""
    return json.dumps(figures).translate(_SPELLED)


_SPELLED = {code: f"\\u{code:04x}" for code in map(ord, "<>&\u2028\u2029")}
"""What a browser may read as markup, or as the end of a line, before the script is read."""


def _safe(script: str) -> str:
    """Return a script of ours in which nothing ends the element that holds it, or opens a comment in it."""
    return script.replace("</", "<\\/").replace("<!--", "<\\!--")


def _own(name: str) -> str:
    return resources.files("boundcheck.report").joinpath(name).read_text(encoding="utf-8")
