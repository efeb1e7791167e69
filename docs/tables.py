"""Add the missing rows to the tables of bounds, on docs/bounds.md, and of commands, on docs/cli.md.

Run it with ``python docs/tables.py`` after adding one; rows that are there stay as they are written.
"""

import inspect
import re
from pathlib import Path

from boundcheck.bounds import BOUNDS
from boundcheck.cli.app import app

DOCS = Path(__file__).parent


def bounds_in(text: str) -> dict[str, str]:
    """Return the left-hand side of every bound in the table of docs/bounds.md, by the bound's whole name."""
    found = {}
    for line in text.splitlines():
        if line.startswith("| `"):
            names, _, metric, _ = (cell.strip() for cell in line.strip("|").split("|"))
            first, *rest = re.findall(r"`([^`]+)`", names)
            paper = first.partition(".")[0]
            for name in (first, *rest):
                found[name if "." in name else first + name if name.startswith("-") else f"{paper}.{name}"] = metric
    return found


def with_bounds(text: str) -> str:
    """Return docs/bounds.md with a row for every registered bound: name, title, left-hand side, rate in T."""
    from boundcheck.bounds.orders import exponents

    missing = [BOUNDS[name] for name in BOUNDS if name not in bounds_in(text)]
    rows = [f"| `{one.id}` | {one.title} | {one.metric} | T^({exponents(one).T}) |" for one in missing]
    return _below_last_row(text, r"^\| `[\w-]+\..*\n", rows)


def with_commands(text: str) -> str:
    """Return docs/cli.md with a row for every command: its names, and the first line of its docstring."""
    listed = set(re.findall(r"^\| `(\w+)", text, flags=re.MULTILINE))
    rows = []
    for name in (name for name in app if not name.startswith("-") and name not in listed):
        function = app[name].default_command
        asked = [p.name.upper() for p in inspect.signature(function).parameters.values() if p.kind is p.POSITIONAL_ONLY]
        does = (inspect.getdoc(function) or "").partition("\n")[0].rstrip(".")
        rows.append(f"| `{' '.join([name, *asked])}` | {does[:1].lower() + does[1:]} |")
    return _below_last_row(text, r"^\| `\w.*\n", rows)


def _below_last_row(text: str, row: str, rows: list[str]) -> str:
    last = list(re.finditer(row, text, flags=re.MULTILINE))[-1]
    return text[: last.end()] + "".join(f"{one}\n" for one in rows) + text[last.end() :]


def pages() -> dict[str, str]:
    """Return the text of the pages by file name."""
    made = {"bounds.md": with_bounds, "cli.md": with_commands}
    return {name: complete((DOCS / name).read_text(encoding="utf-8")) for name, complete in made.items()}


if __name__ == "__main__":
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
