"""Files of proofs: setting and claims in TOML, read into objects; errors name the file, the line and what is legal."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError
from boundcheck.files.own import DataFile, following, is_reference, require_followed
from boundcheck.proofs.language.alone import claim_alone, common_letters
from boundcheck.proofs.language.claim import Claim
from boundcheck.proofs.language.coordinates import is_by_coordinate, made_from
from boundcheck.proofs.language.declare import (
    SettingDraft,
    declare_condition,
    declare_indices,
    declare_letters,
    declare_members,
    declare_number,
    declare_vectors,
    points_of,
    ranges_of,
    values_of,
)
from boundcheck.proofs.language.grammar import Node, node_text, read_statement
from boundcheck.proofs.language.limits import used_file
from boundcheck.proofs.language.setting import Definition, Leaf, Number, require_new
from boundcheck.proofs.language.source import EQUATIONS, FileError, Source, functions_in, line_of, source_of
from boundcheck.proofs.language.steps import Relation, Step, entries_of, letters_of, read_step
from boundcheck.proofs.language.texts import parts_of, split_title

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.proofs.language.setting import ProofSetting

HERE = Path(__file__).parents[1] / "papers" / "whole"
"""The shipped proofs: claim files as well."""


@dataclass(frozen=True)
class Ending:
    """The last claim of a proof, made from a registered bound."""

    bound: str
    steps: tuple[Step, ...]
    roots: tuple[str, ...] = ()
    """Letters for the roots in a rate."""
    letters: Mapping[str, Node] = field(default_factory=dict)
    """Letters of the bound with what they are in those of the proof, where they differ."""
    at: Mapping[str, Node] = field(default_factory=dict)
    """Letters of the proof with the values that they have in this bound, a special case of its one step."""
    base: tuple[Step, ...] = ()
    """Steps of the case of one local step, where that is a case of its own."""
    pieces: tuple[str, ...] = ()
    """Letters for what is one thing at one local step and another at more, inside a parameter."""


@dataclass(frozen=True, eq=False)
class ClaimFile:
    """What a claim file holds; two that are read apart are two, so that what follows from one is kept with it."""

    path: Path
    setting: ProofSetting
    claims: tuple[Claim, ...]
    title: str = ""
    method: str = ""
    """Registered method whose code the equations are checked against."""
    theorems: tuple[Ending, ...] = ()
    """Registered bounds in which the proof ends."""
    hyper: Mapping[str, Node] = field(default_factory=dict)
    """Hyperparameters of the method that are no letters here, with what they are."""
    alone: tuple[Claim, ...] = ()
    """Claims about numbers and vectors that are decided on their own."""


@dataclass
class FileClaims:
    """Claims of a file, and of those that it uses, in the making."""

    joined: list[Claim] = field(default_factory=list)
    """Those that follow from their steps."""
    alone: list[Claim] = field(default_factory=list)
    illegal: dict[str, str] | None = None
    """Those that are not legal, each with what is wrong; None where the first one is an error."""


def load(
    path: str | Path,
    *,
    trust_code: bool = False,
    values: Mapping[str, str] | None = None,
    illegal: dict[str, str] | None = None,
) -> ClaimFile:
    """Return what a claim file holds; a name without a folder may be a shipped proof.

    Parameters
    ----------
    path : str or Path
    trust_code : bool
        Whether ``file.py:NAME`` and ``module:NAME`` in it, such as a theorem that it ends in, may be run.
    values : mapping, optional
        What is put for horizons and sizes of samples, wherever they stand: ``{"T": "(T + 1)"}``.
    illegal : dict, optional
        Where claims go whose text is not legal, each with what is wrong; without it the first one is an error.

    Raises
    ------
    FileError
        Naming the file, the line where that is known, the value and what would be legal.
    """
    source = source_of(Path(path), values or {})
    draft, claims = SettingDraft(), FileClaims(illegal=illegal)
    if source.short:
        source.require_keys(source.data, "short")
        _read_claims(draft, claims, source)
        return ClaimFile(source.path, draft.setting(), (), source.value("title"), alone=tuple(claims.alone))
    _read_into(draft, claims, source, [source.path.resolve()])
    theorems = tuple(source.locate_errors(partial(_theorem, draft, one), one) for one in source.entries("theorem"))
    hyper = source.locate_errors(partial(_values, draft, {"hyper": source.value("hyper")}, "hyper"), {"id": "hyper"})
    titles = source.value("title"), source.value("method")
    for id_ in _circular(draft):
        why = "it is made from itself; a number is defined by what stands before it"
        source.fail(f"definition {id_!r} is not legal: {why}", {"id": id_})
    # What names code is followed here, so that what is read can be decided without asking again.
    with following(DataFile(str(source.path), source.data), trusted=trust_code):
        _follow([one.bound for one in theorems], titles[1])
    joined, alone = tuple(claims.joined), tuple(claims.alone)
    return ClaimFile(source.path, draft.setting(), joined, *titles, theorems, hyper, alone)


def _follow(bounds: Sequence[str], method: str) -> None:
    """Run the code of the bounds that a file names, and refuse a method that it may not name."""
    from boundcheck.bounds import BOUNDS

    for bound in filter(is_reference, bounds):
        BOUNDS[bound]
    if is_reference(method):
        # The code that the equations are compared with is run by who compares them.
        require_followed("method", method)


def _circular(draft: SettingDraft) -> list[str]:
    """Return the definitions of numbers that are made from themselves."""
    right = {
        one.left.name: entries_of(one.right) for one in draft.definitions.values() if one.left.name in draft.scalars
    }
    reached = {name: set(names) for name, names in right.items()}
    for _ in right:
        reached = {name: names.union(*(reached.get(n, ()) for n in names)) for name, names in reached.items()}
    return [name for name, names in reached.items() if name in names]


def _read_into(draft: SettingDraft, claims: FileClaims, source: Source, read: list[Path]) -> None:
    source.require_keys(source.data, "")
    for name in parts_of(source.value("uses"), ","):
        used = source.locate_errors(partial(used_file, name, source.path, HERE, read), {"id": "uses"})
        below = FileClaims(claims.joined, claims.alone)
        _read_into(draft, below, source_of(used, source.values), read)
    _each(draft, source, "letters", declare_letters)
    source.locate_errors(partial(declare_indices, draft, source.value("indices")), {"id": "indices"})
    _each(draft, source, "letters", declare_members)
    _each(draft, source, "conditions", declare_condition)
    _each(draft, source, "vectors", declare_vectors)
    _each(draft, source, "numbers", declare_number)
    for key, kind in EQUATIONS.items():
        _each(draft, source, key, partial(_equation, kind=kind))
    for entry in source.entries("leaf"):
        source.locate_errors(partial(_leaf, draft, entry), entry)
    _read_claims(draft, claims, source)


def _read_claims(draft: SettingDraft, claims: FileClaims, source: Source) -> None:
    """Read the claims of a file: what stands alone, and what follows from its steps."""
    common = common_letters(source) if source.short else tuple(f"{name} {sign}" for name, sign in draft.letters.items())
    for entry in source.entries("claim", draft.meanings):
        try:
            if entry["alone"]:
                claims.alone.append(source.locate_errors(partial(claim_alone, source, entry, common), entry))
            else:
                claims.joined.extend(source.locate_errors(partial(_claims, draft, entry), entry))
        except FileError as error:
            if claims.illegal is None:
                raise
            claims.illegal[entry["id"]] = str(error)


def _each(draft: SettingDraft, source: Source, key: str, declare: Callable[[SettingDraft, str, str], None]) -> None:
    """Declare what a table has a line for."""
    for name, text in source.table(key).items():
        source.locate_errors(partial(declare, draft, name, text), {"id": name, key: text})


def _equation(draft: SettingDraft, id_: str, text: str, kind: Any) -> None:
    words, where = split_title(text)
    said = read_statement(words)
    (relation,) = said.shows
    if relation.name != "=" or relation.parts[0].kind != "entry" or said.given:
        msg = f"equation {text!r} is not legal: one entry of a sequence = an expression, for its indices"
        raise InputError(msg)
    left, right = relation.parts
    if left.name not in draft.vectors:
        _new_scalar(draft, left, id_, kind)
    elif draft.vectors[left.name].kind not in {"server", "client"}:
        what = draft.vectors[left.name].kind
        msg = f"equation {text!r} is not legal: {left.name} is a {what}, drawn by its law; of 'server' or 'client'"
        raise InputError(msg)
    _require_free(draft, id_)
    letters = [name for part in left.parts for name in sorted(letters_of(part)) if name in draft.indices]
    over = ranges_of(draft, said.over) or {name: draft.indices[name] for name in letters}
    if not is_by_coordinate(right, draft.vectors):
        draft.definitions[id_] = Definition(id_, left, right, over, kind, where)
        return
    draft.coordinates.add(id_)
    if left.name in draft.vectors:
        made = made_from(right, draft.vectors)
        draft.definitions[id_] = Definition(id_, left, made, over, kind, where, products=right)
    else:
        draft.numbers[id_] = Number(id_, tuple(over[name] for name in letters), node_text(right), right)


def _require_free(draft: SettingDraft, id_: str) -> None:
    if id_ in draft.definitions or id_ in draft.leaves or id_ in draft.coordinates:
        msg = f"id {id_!r} is not legal: the id is taken"
        raise InputError(msg)


def _new_scalar(draft: SettingDraft, left: Node, id_: str, kind: str) -> None:
    require_new(left.name, "sequence", draft.meanings)
    if any(part.kind != "letter" for part in left.parts) or kind != "definition" or id_ != left.name:
        msg = (
            f"{str(left)!r}: a sequence of numbers is defined at plain indices, {left.name}[t], by one line of"
            f" [definitions] with its name, {left.name} = .."
        )
        raise InputError(msg)
    draft.scalars[left.name] = tuple(part.name for part in left.parts)


def _leaf(draft: SettingDraft, entry: Mapping[str, str]) -> None:
    _require_free(draft, entry["id"])
    points = points_of(draft, entry.get("points", ""))
    ledger = parts_of(entry.get("claim", ""), ",")
    kind: Any = entry.get("kind", "claim" if ledger else "assumption")
    if "kind" in entry if ledger else kind not in {"assumption", "fact"}:
        msg = f"kind = {kind!r} is not legal: 'assumption', 'fact', or in its place claim = 'ID of the ledger'"
        raise InputError(msg)
    said = read_statement(_require_key(entry, "says"), draft.conditions)
    words = split_title(entry.get("title", ""))
    if is_by_coordinate(said.shows[0], {*draft.vectors, *points}):
        draft.coordinates.add(entry["id"])
    draft.leaves[entry["id"]] = Leaf(
        entry["id"], kind, said.shows[0], points, ranges_of(draft, said.over), *words, said.given, ledger
    )


def _require_key(entry: Mapping[str, str], key: str) -> str:
    if key not in entry:
        msg = f"{entry['id']!r} is not legal: without {key}"
        raise InputError(msg)
    return entry[key]


def _claims(draft: SettingDraft, entry: Mapping[str, str]) -> list[Claim]:
    """Return the claim of an entry; one that shows ``a <= b <= c`` after a claim for each link, ID.1 and ID.2."""
    claim = _claim(draft, entry)
    signs, parts = claim.shows.name.split(), claim.shows.parts
    if len(signs) < 2:
        return [claim]
    if {"<=", ">="} <= set(signs) or claim.induction or claim.vanishing:
        msg = f"shows = {entry['shows']!r} is not legal: a chain goes one way, without an induction and without cases"
        raise InputError(msg)
    shows = [Node("relation", sign, pair) for sign, pair in zip(signs, pairwise(parts), strict=True)]
    links = [replace(claim.restate(shows=one), id=f"{claim.id}.{k}") for k, one in enumerate(shows, start=1)]
    sign = next((s for s in signs if s != "="), "=")
    steps = tuple(Step(link.id, multiplier=Node("number", "1")) for link in links)
    return [*links, replace(claim.restate(shows=Node("relation", sign, (parts[0], parts[-1]))), steps=steps)]


def _claim(draft: SettingDraft, entry: Mapping[str, str]) -> Claim:
    if names := functions_in(entry.get("shows", ""), draft.meanings):
        msg = f"shows = {entry['shows']!r} is not legal: a claim with {names[0]}(..) stands alone, without steps"
        raise InputError(msg)
    said = read_statement(_require_key(entry, "shows"), draft.conditions)
    over = ranges_of(draft, said.over)
    induction, vanishing = entry.get("induction", ""), entry.get("vanishing", "")
    if vanishing and (induction or draft.letters.get(vanishing) != ">= 0" or vanishing in draft.series):
        msg = f"vanishing = {vanishing!r} is not legal: a letter that is declared '>= 0', and no induction"
        raise InputError(msg)
    words = split_title(entry.get("title", ""))
    relation, (steps, base) = Relation(said.shows[0], over, said.given), _steps(entry)
    return Claim(entry["id"], *words, "", relation, steps=steps, base=base, induction=induction, vanishing=vanishing)


def _steps(entry: Mapping[str, str]) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Return the steps of an entry and those of its first case."""
    steps, base = (tuple(map(read_step, parts_of(entry.get(key, "")))) for key in ("steps", "base"))
    return steps, base


def _theorem(draft: SettingDraft, entry: Mapping[str, str]) -> Ending:
    steps, base = _steps(entry)
    roots, pieces = (parts_of(entry.get(key, ""), ",") for key in ("roots", "pieces"))
    letters, at = (_values(draft, entry, key) for key in ("letters", "at"))
    return Ending(entry["id"], steps, roots, letters, at, base, pieces)


def _values(draft: SettingDraft, entry: Mapping[str, str], key: str) -> dict[str, Node]:
    return values_of(draft, entry[key], key) if entry.get(key) else {}


def locate_error(file: ClaimFile, claim: str, error: InputError) -> FileError:
    """Return the error with the file and the line of the claim, or of what it quotes."""
    source = source_of(file.path)
    found = [entry for kind in ("leaf", "claim", "theorem") for entry in source.entries(kind)]
    mine = next((entry for entry in found if entry["id"] == claim), {"id": claim})
    return FileError(f"{file.path}{line_of(source.text, mine, str(error))}: claim {claim}: {error}")
