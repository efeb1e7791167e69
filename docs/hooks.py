"""What mkdocs does with a page: links that leave docs/ become names, formulas become MathML, wide tables get room."""

from __future__ import annotations

import html
import re
from typing import Any

OUTSIDE = re.compile(r"\[([^\]]*)\]\((?:\.\./)+([^)#\s]+)(?:#[^)]*)?\)")
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)
"""A formula as `pymdownx.arithmatex` leaves it, inline or displayed."""
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
HEAD = re.compile(r"<th[^>]*>(.*?)</th>", re.DOTALL)
ROW = re.compile(r"<tr>\s*<td.*?</tr>", re.DOTALL)
CELL = re.compile(r"<td([^>]*)>(.*?)</td>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
LONG = 60
"""Characters of a cell from which on a table has its cells below each other on a phone."""
WIDE = {"refuted.md", "theorems.md", "cli.md"}
"""Pages whose tables need the room of the list of contents."""


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return the Markdown in which a link to a file outside docs/ is the file's name.

    A page of a subfolder that links within docs/ is left alone. Pages with wide tables have no list of contents beside.
    """
    if page.file.src_uri in WIDE:
        page.meta["hide"] = ["toc"]
    depth = page.file.src_uri.count("/")

    def replaced(match: re.Match[str]) -> str:
        above = match[0].count("../")
        return match[0] if above <= depth else f"{match[1]} (`{match[2]}`)"

    return OUTSIDE.sub(replaced, markdown)


def on_page_content(content: str, page: Any, **_: Any) -> str:
    """Return the page with its formulas in MathML, which browsers set themselves, and with tables fit for a phone.

    Raises
    ------
    ValueError
        If a formula has a command that has no MathML.
    """

    def replaced(match: re.Match[str]) -> str:
        made = mathml(html.unescape(match[2]), display="block" if match[1] == "div" else "inline")
        if "\\" in made:
            msg = f"{page.file.src_uri}: a command without MathML in {match[2].strip()}"
            raise ValueError(msg)
        return made

    return TABLE.sub(lambda match: name_cells(match[0]), FORMULA.sub(replaced, content))


def name_cells(table: str) -> str:
    """Return a table with a bar in code as it is meant; one with long cells says in each what column it is of.

    Such a table is marked `data-stacked`, and shown so by assets/extra.css where a page is narrow.
    """
    heads = [TAG.sub("", head).strip() for head in HEAD.findall(table)]
    table = CELL.sub(lambda cell: cell[0].replace("\\|", "|"), table)
    if max((len(TAG.sub("", cell)) for _, cell in CELL.findall(table)), default=0) < LONG:
        return table

    def named(row: re.Match[str]) -> str:
        names = iter(heads)
        return CELL.sub(lambda cell: f'<td data-of="{next(names, "")}"{cell[1]}>{cell[2]}</td>', row[0])

    return ROW.sub(named, table).replace("<table>", "<table data-stacked>")


def mathml(tex: str, display: str) -> str:
    """Return a formula in MathML."""
    from latex2mathml.converter import convert

    found: str = convert(tex.strip(), display=display)
    return found
