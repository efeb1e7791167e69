"""What is mutated and how: words of texts, values of JSON, slips in Python; and what a kind of input is."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slips import slips

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

CANARY = "from pathlib import Path\nPath('it-ran').touch()\nX = None\n"
"""A file that leaves a mark where it is run; data files name it in any place."""
NUMBERS = (
    "0", "-1", "1", "2", "1/3", "1e308", "5e-324", "nan", "inf", "1e160", "0.5", "-0.0", "9" * 400, "10^9", "2^64",
)  # fmt: skip
LETTERS = (
    "N", "T", "K", "L", "eta", "c", "x[t]", "x[t + 1]", "x", "sigma", "i", "t", "f", "grad(x[t])", "mean(i)", "zz",
)  # fmt: skip
OPERATORS = (
    "+", "-", "*", "/", "^", "<=", ">=", "<", "=", "(", ")", "[", "]", "|", ",", ";", ":", "->", "sqrt(", "max(",
)  # fmt: skip
ODD = (
    "\x1b[31m", "[red]", "\u202e", "é", "𝕏", "\u0441", "\\", '"', "'", '"""', "#", "\t", "\r", "{}", "canary.py:X",
    "..",
)  # fmt: skip
WORDS = (
    *NUMBERS, *LETTERS, *OPERATORS, *ODD, "true", "[]", "ridge-ratio", "fedavg", "momentum-fl.theorem11", "../x", "",
)  # fmt: skip
TOKEN = re.compile(r"\w+|[^\w\s]")


def words_changed(draw: random.Random, text: str, texts: list[str]) -> str:
    """Return text with one to three changes of words, lines or characters."""
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        kind = draw.randrange(7)
        tokens = list(TOKEN.finditer(text))
        if kind <= 2 and tokens:
            one = draw.choice(tokens)
            other = draw.choice([*WORDS, draw.choice(tokens).group()])
            new = (other, "", one.group() + " " + other)[kind]
            text = text[: one.start()] + new + text[one.end() :]
        elif kind <= 5:
            lines = text.split("\n")
            at = draw.randrange(len(lines))
            foreign = draw.choice(draw.choice(texts).split("\n"))
            if kind == 3:
                del lines[at]
            elif kind == 4:
                lines.insert(at, draw.choice(lines))
            else:
                lines.insert(at, foreign)
            text = "\n".join(lines)
        elif text:
            at = draw.randrange(len(text))
            text = text[:at] + draw.choice(WORDS) + text[at + draw.randrange(4) :]
    return text


SCALARS = (
    None, True, -1, 0, 10**30, 1e+300, float("nan"), "", "a word", "canary.py:X", "9" * 5000, [], {}, [[]],
    "\x1b[31m",
)  # fmt: skip


def json_changed(draw: random.Random, text: str, texts: list[str]) -> str:
    """Return JSON with values replaced, dropped, doubled or moved, or a change of its characters."""
    if draw.random() < 0.15:
        return words_changed(draw, text, texts)
    data = json.loads(text)
    for _ in range(draw.randint(1, 3)):
        boxes = [box for box in _boxes(data) if box]
        if not boxes:
            break
        box, other = draw.choice(boxes), draw.choice(boxes)
        key = draw.choice(list(box)) if isinstance(box, dict) else draw.randrange(len(box))
        kind = draw.randrange(5)
        if kind == 0:
            box[key] = draw.choice(SCALARS)
        elif kind == 1:
            del box[key]
        elif kind == 2 and isinstance(box[key], str):
            box[key] = words_changed(draw, box[key], [box[key]])
        elif kind == 3:
            moved = draw.choice(list(other.values()) if isinstance(other, dict) else other)
            box[key] = json.loads(json.dumps(moved))
        elif isinstance(box[key], int | float):
            box[key] = draw.choice([box[key] + 1, -box[key], box[key] * 10**9, str(box[key]), [box[key]]])
    return json.dumps(data)


def _boxes(data: object) -> Iterator[dict | list]:
    if isinstance(data, dict | list):
        yield data
        for part in data.values() if isinstance(data, dict) else data:
            yield from _boxes(part)


_SLIPS: dict[str, list[str]] = {}


def code_changed(draw: random.Random, text: str, texts: list[str]) -> str:
    """Return Python with one slip of the kinds that people make, or two."""
    if text not in _SLIPS:
        _SLIPS[text] = [changed for _, changed in slips(text)]
    once = draw.choice(_SLIPS[text])
    if draw.random() < 0.5:
        return once
    try:
        twice = [changed for _, changed in slips(once)]
    except RecursionError:
        return once
    return draw.choice(twice) if twice else once


@dataclass(frozen=True)
class Kind:
    """A kind of input.

    Attributes
    ----------
    name : str
        The file's name; empty for what is no file.
    texts : callable
        Returns what mutations begin from.
    commands : tuple of str
        Commands that read it.
    change : callable
        Returns a mutated text: of a random source, a text and all texts.
    ask : callable
        Gives a command and the text to what reads it, which prints, and returns the exit code.
    runs_code : bool
        Whether the file itself is code that the user names.
    beside : callable
        Writes what lies beside the file.
    """

    name: str
    texts: Callable[[], list[str]]
    commands: tuple[str, ...]
    change: Callable[[random.Random, str, list[str]], str]
    ask: Callable[[str, str], int | str]
    runs_code: bool = False
    beside: Callable[[], None] = lambda: None


def run_command(command: str, _: str = "") -> int:
    """Run a command and return its exit code."""
    from boundcheck.cli.app import run

    return run(command.split(" "))
