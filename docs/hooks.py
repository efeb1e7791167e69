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
CODE = re.compile(r"<code>([^<]*)</code>(?!</pre>)")
SIGN = re.compile(r"<=|>=|=|\^|\*\*|sqrt\(| [+-] ")
"""What code has that is a formula, if it can be read as one."""
TYPED = {"findings.md", "gallery.md", "refuted.md", "theorems.md"}
"""Pages that have formulas as they are typed, in code and in sentences."""
_NAMES = r"\b(?:fedlalr|fedglomo|fmgda|gradma|momentum-fl)[.-][\w.-]+"
KEPT = re.compile(rf"(<(?:code|pre|math|a)\b.*?</(?:code|pre|math|a)>|<[^>]+>|{_NAMES})", re.DOTALL)
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

    content = TABLE.sub(lambda match: name_cells(match[0]), FORMULA.sub(replaced, content))
    if page.file.src_uri not in TYPED:
        return content
    return typed_prose(CODE.sub(lambda match: typed_formula(match[0], match[1]), content))


def typed_formula(code: str, text: str) -> str:
    """Return code that is a formula in MathML, with spaces at which a line may break; other code as it is."""
    from boundcheck.report.typst.typed import pieces

    typed = html.unescape(text)
    found = pieces(typed) if SIGN.search(typed) else None
    if found is None:
        return code
    shown = " ".join(mathml(piece, "inline") for piece in found)
    return f'<span class="typed" title="{html.escape(typed)}">{shown}</span>'


def typed_prose(content: str) -> str:
    """Return a page whose sentences have letters, powers and indices as printed; code, names and links stay."""
    from boundcheck.report.typst.markup import shifted

    marks = {"super": "sup", "sub": "sub"}

    def printed(text: str) -> str:
        return "".join(
            f"<{marks[kind]}>{html.escape(piece)}</{marks[kind]}>" if kind else html.escape(piece, quote=False)
            for kind, piece in shifted(html.unescape(text))
        )

    parts = KEPT.split(content)
    return "".join(part if k % 2 else printed(part) for k, part in enumerate(parts))


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
