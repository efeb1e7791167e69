"""A page of Markdown for every method, made of its docstring and its card, and an index of all."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from typing import TYPE_CHECKING, Any

from boundcheck.bounds import BOUNDS
from boundcheck.cli.cards.docstrings import parts
from boundcheck.cli.cards.method_facts import bounds_of, costs, facts, further_bounds_of, identities_of
from boundcheck.cli.cards.typeset import latex
from boundcheck.files.atomic import write_whole
from boundcheck.findings.places import place_words
from boundcheck.methods import METHODS
from boundcheck.methods.base import RULES

if TYPE_CHECKING:
    from pathlib import Path

    from boundcheck.methods import Method

_WIDTH = 120
_HARD = "\0"
_WRITTEN = "Written by `boundcheck.cli.cards.method_pages`; the source is the method's docstring and card."


def markdown(text: str) -> str:
    """Return a line of a docstring as Markdown: formulas typeset, and nothing else that Markdown would read."""
    pieces = re.split(r"``(.+?)``", text)
    pieces[::2] = [_prose(piece) for piece in pieces[::2]]
    pieces[1::2] = [f"${latex(piece)}$" for piece in pieces[1::2]]
    return "".join(pieces)


_LETTERS = re.compile(
    r"(?<![\w'.:/-])"
    r"(f = mean_i f_i|min_x max_y mean_i F_i\(x, y\)|"
    r"(?:[A-Za-z]|eta|mean|sum|delta|dual)_[A-Za-z0-9]{1,4}(?:_old|_new|\^-)?)"
    r"(?![\w'])"
)
"""What is typeset among the words: the problem, and letters with an index."""


def _prose(text: str) -> str:
    """Typeset the letters with an index among the words, and escape stars and tags."""
    pieces = _LETTERS.split(text)
    pieces[::2] = [re.sub(r"(?<!\*)\*(?!\*)|<(?=[A-Za-z/!])", r"\\\g<0>", piece) for piece in pieces[::2]]
    pieces[1::2] = [f"${latex(piece)}$" for piece in pieces[1::2]]
    return "".join(pieces)


def update(text: str) -> str:
    """Return an update with a display for every formula that assigns or defines, the words standing between them."""
    pieces = re.split(r"``(.+?)``", text)
    blocks, line = [], pieces[0]
    for formula, words in zip(pieces[1::2], pieces[2::2], strict=True):
        within = line.lower().endswith("from ") or line.count("(") > line.count(")")
        if within or not re.search(r" (<-|=) ", formula):
            line += f"``{formula}``{words}"
            continue
        mark = re.match(r"[,;.:]?", words)
        assert mark is not None
        blocks += [_fill_line(markdown(line.strip()))] if line.strip() else []
        blocks.append(f"$${latex(formula)}{mark[0]}$$")
        line = words[mark.end() :]
    return "\n\n".join([*blocks, *([_fill_line(markdown(line.strip()))] if line.strip() else [])])


def _fill_line(text: str, indent: str = "") -> str:
    """Break a line of Markdown, but not within its formulas, nor before what would begin a list or a quotation."""
    whole = re.sub(r"`.+?`|\$.+?\$", lambda code: code[0].replace(" ", _HARD), text)
    whole = re.sub(r" (?=([-+>=]|\d+[.)]) )", _HARD, whole)
    lines = textwrap.fill(whole, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return lines.replace(_HARD, " ")


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _default(method: type[Method], names: str) -> str:
    """Return the defaults of hyperparameters, empty where one has none."""
    fields = {f.name: f for f in dataclasses.fields(method)}  # type: ignore[arg-type]
    values: dict[str, Any] = {name: fields[name].default for name in names.split(", ")}
    return ", ".join(f"`{name} = {value!r}`" for name, value in values.items() if value is not dataclasses.MISSING)


def _hyperparameters(method: type[Method]) -> str:
    rows = [
        [f"`{names.replace(', ', '`, `')}`", kind, _default(method, names), markdown(meaning)]
        for names, kind, meaning in parts(method).attributes
    ]
    return _table(["hyperparameter", "type", "default", "meaning"], rows)


def _bullet_list(lines: list[str], otherwise: str) -> str:
    return "\n".join(f"* {_fill_line(line, '  ')}" for line in lines) or otherwise


def page(name: str) -> str:
    """Return the page of a registered method."""
    method = METHODS[name]
    card, text = method.card, parts(method)
    bounds = [
        f"`{bound}`: {BOUNDS[bound].title} ({place_words(BOUNDS[bound].paper, BOUNDS[bound].where)})"
        for bound in (*bounds_of(name), *further_bounds_of(name))
    ]
    identities = [f"`{identity}`: `{statement}`" for identity, statement in identities_of(name)]
    source = f"`{name}`, class `{method.__module__}.{method.__name__}`; {card.paper}, {card.where}"
    blocks = [
        f"# {card.title}",
        _fill_line(markdown(text.summary)),
        _fill_line(f"{source}. The rule is {RULES[card.rule]}."),
        "## Problem",
        _fill_line(markdown(_capital(text.sections["Problem"]))),
        "## Update",
        update(_capital(text.sections["Update"])),
        "## Hyperparameters",
        _hyperparameters(method),
        "## Cost",
        _table(["", ""], [[key, value] for key, value in costs(card).items()]),
        _fill_line(markdown(_capital(text.sections["Communication"]))),
        "## Guarantee",
        _fill_line(markdown(_capital(text.sections["Guarantee"]))),
        _bullet_list(bounds, "No bound of the list is filed under its name."),
        "## Identities",
        *([_fill_line(f"Held by `boundcheck conform {name}`:")] if identities else []),
        _bullet_list(identities, "None speaks of it."),
        "## References",
        _bullet_list([markdown(reference) for reference in text.references], "None."),
        f"[All methods](index.md). {_WRITTEN}",
    ]
    return "\n\n".join(blocks) + "\n"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:] if re.match(r"(a|[a-z]{2,})[ ,;:.'(]", text) else text


_INDEX = (
    "S of N clients take part in a round and make K local steps each. Gradients are client gradients of one sample a "
    "round and active client; floats up and down are in units of the dimension d, likewise; client and server are the "
    "floats that each client and the server (beyond x) keep from round to round, m the clients that it remembers; "
    "cost is the time of a "
    "client gradient over FedAvg's, from `make bench` (random signs on 100 coordinates, where a gradient costs next to "
    "nothing; network and minimax methods on problems of their own, the latter against Local SGDA). What the words "
    "under `needs` mean is on the pages."
)


def index() -> str:
    """Return the page that lists all methods."""
    head = ["method", "id", "paper", "gradients", "up", "down", "client", "server", "S < N", "needs", "cost"]
    head += ["bounds", "identities"]
    audited, field = (_table(head, _rows(names)) for names in (list(METHODS), list(METHODS.further)))
    title = "Methods of theorems beyond the papers under audit, found by name:"
    blocks = [
        "# All methods",
        _fill_line(_INDEX),
        audited,
        title,
        field,
        "Written by `boundcheck.cli.cards.method_pages`.",
    ]
    return "\n\n".join(blocks) + "\n"


def _rows(names: list[str]) -> list[list[str]]:
    rows = []
    for name in names:
        known = facts(name)
        rows.append(
            [
                f"[{known['title']}]({name}.md)",
                f"`{name}`",
                *(str(known[key]) for key in ("paper", "gradients", "up", "down", "client", "server")),
                "yes" if known["partial"] else "no",
                str(known["needs"]),
                "" if known["cost"] is None else str(known["cost"]),
                str(known["bounds"]).replace("*", "\\*"),
                str(known["identities"]),
            ]
        )
    return rows


def markdown_pages() -> dict[str, str]:
    """Return the pages by file name, one for every method, the field's as well, and the index."""
    return {"index.md": index(), **{f"{name}.md": page(name) for name in [*METHODS, *METHODS.further]}}


def write_pages(folder: Path) -> None:
    """Write the pages to a folder, and remove pages of methods that are no more."""
    pages = markdown_pages()
    for old in folder.glob("*.md"):
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        write_whole(folder / name, text)


if __name__ == "__main__":
    import sys
    from pathlib import Path

    write_pages(Path(sys.argv[1]))
