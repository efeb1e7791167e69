"""The claim file that the kernel reads: every statement whole.

A shipped file ends in registered bounds, and its claims may inherit hypotheses from their steps.  Here both are written
out as text, so that the kernel reads each claim with all its hypotheses.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from boundcheck.proofs.chain.whole.proof import claims_of
from boundcheck.proofs.kernel import Refused
from boundcheck.proofs.language.files import HERE
from boundcheck.proofs.language.grammar import node_text
from boundcheck.proofs.language.texts import parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from boundcheck.proofs.chain.deciding.decided import ClaimOutcome
    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.files import ClaimFile
    from boundcheck.proofs.language.grammar import Node

    Inherited = Mapping[str, Sequence[Node]]
    """Claims with the hypotheses of their steps that their own text does not have."""

_STEPS = r'^steps = ("""(?:.|\n)*?"""|".*?")'
_SHOWS = r'shows = ("""(?:.|\n)*?"""|".*?")'


def _id(id_: str) -> str:
    """Return the pattern of an id in the head of a table."""
    return rf"""["']?{re.escape(id_)}["']?"""


def steps_added(found: Mapping[str, ClaimOutcome]) -> dict[str, list[str]]:
    """Return the steps that the search has added to claims, by claim."""
    return {id_: [str(step) for step in one.added] for id_, one in found.items() if one.added}


def pages_of(
    path: Path,
    file: ClaimFile,
    inherited: Inherited,
    added: Mapping[str, Sequence[str]] | None = None,
    illegal: Iterable[str] = (),
) -> dict[str, str]:
    """Return the whole texts of a claim file and of those that it uses, but for the textbook facts, by name.

    Parameters are those of `whole_text`, the steps that are to be written to those that claims have, and the claims
    that are left out, as they are not legal; so are those that stand alone.
    """
    text = whole_text(path, file, inherited, last=path == file.path)
    for id_ in (*illegal, *(claim.id for claim in file.alone)):
        text = re.sub(rf"(?ms)^\[claim\.{_id(id_)}\]$.*?(?=^\[|\Z)", "", text)
    for id_, steps in (added or {}).items():
        text = _with_steps(text, id_, steps)
    found = {path.name: text}
    head = re.search(r'^uses = "(.*)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
    for name in parts_of(head[1], ",") if head else ():
        used = path.parent / name if (path.parent / name).exists() else HERE / name
        below = pages_of(used, file, inherited, illegal=illegal)
        if used.parent.resolve() != HERE.resolve() or len(below) > 1 or "[claim." in below[used.name]:
            found |= below
    return found


def require_same_statements(path: Path, pages: Mapping[str, str], inherited: Iterable[str]) -> None:
    """Raise Refused unless pages say what the claim file and those that it uses say: texts are changed as texts here.

    A page may leave claims out, has more steps, ends in registered bounds, and writes out what claims inherit.
    """
    added = set(inherited)
    for name, text in pages.items():
        source = path.parent / name if (path.parent / name).exists() else HERE / name
        said, page = tomllib.loads(source.read_text(encoding="utf-8")), tomllib.loads(text)
        theorems = dict(_tables(said.pop("theorem", {})))
        claims, shown = (dict(_tables(one.pop("claim", {}))) for one in (said, page))
        if said != page:
            raise Refused(f"the page {name} declares what {source.name} does not")
        for id_ in shown.keys() - theorems.keys():
            ours, theirs = shown[id_], claims.get(id_, {})
            shows, before = (" ".join(str(one.get("shows")).split()) for one in (ours, theirs))
            longer = id_ in added and shows.startswith((f"{before} if ", f"{before}, "))
            others = (
                {key: one for key, one in claim.items() if key not in ("shows", "steps")} for claim in (ours, theirs)
            )
            if not (shows == before or longer) or next(others) != next(others):
                raise Refused(f"the page {name} does not say what {source.name} says: {id_}")


def _tables(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each table that has a text of its own, with its id a.b."""
    for key, value in table.items():
        if isinstance(value, dict):
            if any(not isinstance(one, dict) for one in value.values()) or not value:
                yield before + key, {k: v for k, v in value.items() if not isinstance(v, dict)}
            yield from _tables(value, f"{before}{key}.")


def whole_text(path: Path, file: ClaimFile, inherited: Inherited, *, last: bool = True) -> str:
    """Return the text of a claim file with its endings and inherited hypotheses written out.

    Parameters
    ----------
    path : Path
        The file, or one that it uses.
    file : ClaimFile
        What was read.
    inherited : dict of sequences of Node
        Claims with the hypotheses that are to be written out besides their own.
    last : bool
        Whether the registered bounds are to be written: not for a file that is used.
    """
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"(?ms)^\[theorem\..*?(?=^\[|\Z)", "", text).rstrip() + "\n"
    for id_, given in inherited.items():
        text = _with_hypotheses(text, id_, [node_text(node) for node in given])
    own = {claim.id for claim in file.claims}
    endings = [claim for claim in claims_of(file) if claim.id not in own] if last else []
    return text + "".join(_section(claim, inherited.get(claim.id, ())) for claim in endings)


def _with_hypotheses(text: str, id_: str, given: list[str]) -> str:
    head = re.search(rf"^\[claim\.{_id(id_)}\]$", text, re.MULTILINE)
    if head is None:
        return text
    found = re.compile(_SHOWS).search(text, head.end())
    if found is None:
        return text
    shows = " ".join(found[1].strip('"').split())
    joined = f"{shows}{', ' if ' if ' in shows else ' if '}{', '.join(given)}"
    return f'{text[: found.start()]}shows = """{joined}"""{text[found.end() :]}'


def _with_steps(text: str, id_: str, steps: Sequence[str]) -> str:
    """Return the text with steps added to a claim."""
    head = re.search(rf"^\[claim\.{_id(id_)}\]$", text, re.MULTILINE)
    if head is None:
        return text
    end = re.compile(r"^\[", re.MULTILINE).search(text, head.end())
    found = re.compile(_STEPS, re.MULTILINE).search(text, head.end(), end.start() if end else len(text))
    if found is None:
        return f'{text[: head.end()]}\nsteps = """{"; ".join(steps)}"""{text[head.end() :]}'
    own = " ".join(found[1].strip('"').split()).rstrip("; ")
    return f'{text[: found.start()]}steps = """{"; ".join([own, *steps])}"""{text[found.end() :]}'


def _section(claim: Claim, inherited: Sequence[Node]) -> str:
    """Return the claim that a registered bound makes, as a section of a claim file."""
    given = [node_text(node) for node in (*claim.given, *inherited)]
    keys = {
        "title": "the registered bound",
        "steps": "; ".join(map(str, claim.steps)),
        "base": "; ".join(map(str, claim.base)),
        "at": ", ".join(f"{name} = {node_text(node)}" for name, node in claim.at.items()),
        "cases": "; ".join(", ".join(map(node_text, case)) for case in claim.cases),
        "shows": node_text(claim.shows) + (f" if {', '.join(given)}" if given else ""),
    }
    lines = [f'{key} = """{value}"""' for key, value in keys.items() if value]
    return "\n".join(["", f"[claim.{claim.id}]", *lines, ""])
