"""Cards of shipped theorems that ship as data, so that a first `show` builds none; `make catalogue` writes them.

A file of a paper holds what its cards say, another one how their formulas are typeset and taken apart.  Cards of
bounds, and those of claims that have the name of one, carry a hash of the files that they were made from: where it is
no longer theirs, in a checkout that was edited, cards are made anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from boundcheck.cli.laying import is_formula
from boundcheck.own import anything_installed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.cli.laying import Drawing

Kind = Literal["bounds", "claims"]

FOLDER = Path(__file__).with_suffix("")
"""Where the files are."""
SOURCES = FOLDER / "sources.json"
"""By kind the files that the cards were made from, and a hash of them; likewise of what was written."""
N = 8
"""Clients of the example that the cards are made for."""


def prepared(name: str, clients: int) -> list[dict[str, Any]] | None:
    """Return the cards of a bound's name as plain data; None where none are shipped or the source is another one."""
    from boundcheck.cli.bound_cards import with_statuses

    if clients != N or anything_installed():
        return None
    cards = shipped(name)
    if not cards or not all(map(current, cards)):
        return None
    return [with_statuses(name, card) if kind == "bounds" else card for kind, card in cards.items()]


def shipped(name: str) -> dict[Kind, dict[str, Any]]:
    """Return the cards of a name that ship, by kind, whether they are those of the source or not."""
    said, drawn = places(name.partition(".")[0])
    if not said.is_file():
        return {}
    cards: dict[Kind, Any] = {kind: some[name] for kind, some in _read(said).items() if name in some}
    drawings = _read(drawn) if cards else {}
    return {kind: _inflated(card, drawings) for kind, card in cards.items()}


def current(kind: Kind) -> bool:
    """Return whether the files that the cards of a kind were made from are as they were then."""
    from boundcheck.sources import hash_of_files

    try:
        made_from = _read(SOURCES)[kind]
        return bool(hash_of_files({name: source(name) for name in made_from["files"]}) == made_from["hash"])
    except (OSError, ValueError, KeyError):
        return False


def source(name: str) -> Path:
    """Return the path of a file that cards are made from: of the package, or shipped beside it."""
    from boundcheck.resources import folder

    room, _, rest = name.partition("/")
    return FOLDER.parents[1] / rest if room == "boundcheck" else folder(room) / rest


def places(paper: str) -> tuple[Path, Path]:
    """Return the files of a paper: what its cards say, and how formulas are drawn."""
    return FOLDER / f"{paper}.json", FOLDER / f"{paper}.drawings.json"


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _inflated(data: Any, drawings: Mapping[str, Drawing]) -> Any:
    """Return data with the drawings of its formulas, which the files hold once each."""
    if is_formula(data):
        return data | (_redrawn(data["="], drawings) if data["="] in drawings else {})
    if isinstance(data, dict):
        return {key: _inflated(value, drawings) for key, value in data.items()}
    return [_inflated(value, drawings) for value in data] if isinstance(data, list) else data


def _redrawn(key: str, drawings: Mapping[str, Drawing]) -> Drawing:
    found = drawings[key]
    parts = [[sign, _redrawn(part, drawings), *rest] for sign, part, *rest in found.get("parts", ())]
    return found | ({"parts": parts} if parts else {})


def stale() -> list[Kind]:
    """Return the kinds of cards whose source is no longer the one that they were made from."""
    kinds: tuple[Kind, ...] = ("bounds", "claims")
    return [kind for kind in kinds if not current(kind)]


if __name__ == "__main__":
    import sys

    for kind in stale():
        print(f"cards of {kind}: made from another source; make catalogue makes them anew", file=sys.stderr)
    sys.exit(bool(stale()))
