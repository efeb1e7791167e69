"""Named problem instances: TOML files that ship with the package, or the user's own."""

from __future__ import annotations

import contextlib
import inspect
import math
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from boundcheck.errors import InputError, UnknownNameError, require, require_count
from boundcheck.files import resources
from boundcheck.files.own import DataFile, absolute, following, is_reference, short
from boundcheck.limits import LARGEST, MOST, MOST_AT_CLIENTS, moderate, require_numbers
from boundcheck.notation import LETTERS
from boundcheck.problems.families import FAMILIES

if TYPE_CHECKING:
    from pathlib import Path

    from boundcheck.problems.base import Problem

_SELECTION = re.compile(r"(?P<name>[^\[\]]+)(?:\[(?P<choice>[^\[\]]*)\])?")
_DIFFERENCES = ("zeta", "zeta_pair", "split", "bend", "alpha_share")
"""Parameters that make clients differ."""
_MOST_CLIENTS = 100_000
"""Some constants compare clients in pairs, as far as no bound rules these out."""
_TYPES = {
    int: f"an integer of size at most {MOST:.0e}",
    float: f"a finite number: 0, or of size {1 / LARGEST:.0e} to {LARGEST:.0e}",
    bool: "true or false",
    str: "a string",
}
_KINDS = {kind.__name__: kind for kind in _TYPES}
_ROWS = ("rho", "split", "skew", "concentration", "shards", "split_seed", "bias", "radius")
_NOISE = ("sigma", "noise_dual_share", "noise", "omega", "odds")
_SHARED = (*_ROWS, *_NOISE, "start", "start_y")
"""Parameters of many families, which messages list after a family's own."""


class Instance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One page of ``problems/*.toml``."""

    title: str
    """A few words."""
    family: str
    """Name in `boundcheck.problems.FAMILIES`."""
    purpose: str
    """What it is for and which theorem's assumptions it satisfies."""
    paper: str | list[str] = []
    """Papers whose theorems apply, by their short names."""
    parameters: dict[str, Any] = {}
    """Keyword arguments of the family, all but N."""
    id: str = ""
    """The file's name without its ending."""


def instances() -> list[Instance]:
    """Return every shipped instance, by name."""
    return [instance(name) for name in resources.names("problems")]


def instance(name: str) -> Instance:
    """Return the instance of a shipped name, of a path to a ``.toml`` file, or of a family of the user's own.

    Raises
    ------
    InputError
        If there is no such instance, or its file is not legal; the message names file, key and value.
    """
    if is_reference(name):
        return _of_family(name)
    path = resources.find("problems", name)
    # A file of the user's own is read again where it has changed.
    seen = path.stat()
    page = _cached_page(path.absolute(), (seen.st_mtime_ns, seen.st_size))
    return msgspec.structs.replace(page, parameters=dict(page.parameters))


@cache
def _cached_page(path: Path, _version: tuple[int, int]) -> Instance:
    """Return a page that is read once in a process, or once after every change."""
    page = msgspec.structs.replace(resources.decode_toml(path, Instance), id=path.stem)
    with _following(page):
        _family(page, path)
    return page


def load_problem(name: str, /, *, N: int, **overrides: float | bool | str) -> Problem:
    """Return a named problem with N clients.

    Parameters
    ----------
    name : str
        A shipped name or a path to a ``.toml`` file; either may carry a selection of parameters that replace those
        of the file: ``"ridge-ratio[zeta=2,sigma=0.5]"``.
    N : int
        Number of clients; a single one cannot differ from others, so that such dials of the page count as 0.
    **overrides : float, bool or str
        Parameters that replace those of the file and of the selection.

    Returns
    -------
    Problem
        Its `name` is the name given, with every replaced parameter: loading that name again gives the same problem.

    Raises
    ------
    InputError
        If a name, key or value is not legal; one line that says what is.

    Examples
    --------
    >>> load_problem("ridge-ratio[zeta=2]", N=4, sigma=0.5).name
    'ridge-ratio[zeta=2,sigma=0.5]'
    """
    base, selected = parse_name(name)
    page = instance(base)
    chosen = {**selected, **overrides}
    family = FAMILIES[page.family]
    if N == 1:
        chosen = {**alone(page), **chosen}
    checked = _check_parameters(page, {**page.parameters, **chosen}, chosen)
    _require_size(family, N, checked, format_name(base, chosen))
    try:
        with _following(page) if base.endswith(".toml") else contextlib.nullcontext():
            problem = family(N=N, **checked)
    except InputError as error:
        msg = f"{format_name(base, chosen) if chosen else _file_of(page)}: {error}"
        raise InputError(msg) from error
    problem.name = format_name(base, chosen)
    return problem


def alone(page: Instance) -> dict[str, float]:
    """Return 0 for every dial that makes clients differ and that the page, or the family by itself, has turned.

    What a family of the user's own calls ``bend`` is its own; letters of the notation mean the same everywhere.
    """
    signature = inspect.signature(FAMILIES[page.family]).parameters
    differing = [name for name in _DIFFERENCES if name in signature]
    if is_reference(page.family):
        differing = [name for name in differing if name in LETTERS]
    turned = {name: page.parameters.get(name, signature[name].default) for name in differing}
    return {name: 0.0 for name, value in turned.items() if isinstance(value, (int, float)) and value != 0}


def parse_name(text: str) -> tuple[str, dict[str, Any]]:
    """Split ``name[param=value,...]`` into the name and the values: numbers, true, false or strings."""
    require(isinstance(text, str), "problem", text, "the name of a problem")
    name, chosen = _cached_name(text)
    return name, dict(chosen)


@lru_cache(maxsize=4096)
def _cached_name(text: str) -> tuple[str, dict[str, Any]]:
    match = _SELECTION.fullmatch(text.strip())
    pairs = [pair.partition("=") for pair in (match["choice"] or "").split(",") if pair.strip()] if match else []
    if match is None or not all(key.strip() and equals and value.strip() for key, equals, value in pairs):
        msg = f"problem {text!r} is not legal: write a name, or name[param=value,param=value]"
        raise InputError(msg)
    return match["name"].strip(), {key.strip(): parse_value(value.strip()) for key, _, value in pairs}


def format_name(name: str, chosen: dict[str, Any]) -> str:
    """Return the text that `parse_name` splits into `name` and `chosen`."""
    if not chosen:
        return name
    words = {True: "true", False: "false"}
    pairs = (f"{key}={words[value] if isinstance(value, bool) else value}" for key, value in chosen.items())
    return f"{name}[{','.join(pairs)}]"


def parse_value(text: str) -> int | float | bool | str:
    """Return the number, boolean or string that `text` spells."""
    if text in {"true", "false"}:
        return text == "true"
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text.strip("'\"")


def _of_family(name: str) -> Instance:
    """Return the page of a family that ``file.py:NAME`` names, with its own defaults."""
    about = (inspect.getdoc(FAMILIES[name]) or "").partition("\n")[0]
    return Instance(title=about or short(name), family=absolute(name), purpose="of the user's own", id=name)


def _file_of(page: Instance) -> str:
    """Return what errors call the place where a page is written."""
    return page.id if is_reference(page.id) else f"{page.id}.toml"


def _following(page: Instance) -> contextlib.AbstractContextManager[None]:
    """Return a context in which a problem file runs no code: nobody can say that it may."""
    legal = "the name of a family; a file chooses, it runs no code: give file.py:NAME in its place"
    return following(DataFile(f"{page.id}.toml", msgspec.to_builtins(page), legal))


def _family(page: Instance, path: Path) -> None:
    try:
        FAMILIES[page.family]
    except UnknownNameError as error:
        msg = f"{path.name}: family = {page.family!r} is not legal: {error}"
        raise InputError(msg) from error


def _check_parameters(page: Instance, given: dict[str, Any], chosen: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters with the types that the family asks for."""
    legal = parameters(FAMILIES[page.family])
    checked = {}
    for key, value in given.items():
        where = format_name(page.id, chosen) if key in chosen else _file_of(page)
        if key not in legal:
            hint = "N is given apart: load_problem(name, N=...)" if key == "N" else f"legal: {', '.join(legal)}"
            msg = f"{where}: unknown parameter {key} = {value!r} of family {page.family}; {hint}"
            raise InputError(msg)
        if not _fits(value, legal[key]):
            msg = f"{where}: {key} = {value!r} is not legal: {_TYPES[legal[key]]}"
            raise InputError(msg)
        checked[key] = legal[key](value)
    return checked


def parameters(family: type[Problem]) -> dict[str, type]:
    """Return the parameters of a family with their types, all but N: its own ones first, then those it shares."""
    return dict(_cached_parameters(family))


@cache
def _cached_parameters(family: type[Problem]) -> dict[str, type]:
    signature = inspect.signature(family).parameters
    own = [name for name in signature if name not in ("N", *_SHARED)]
    names = [*own, *(name for name in _SHARED if name in signature)]
    return {name: _kind(signature[name]) for name in names}


def _kind(parameter: inspect.Parameter) -> type:
    """Return the type of a parameter: of its annotation, which may be text or an `InitVar`, else of its default."""
    annotation = parameter.annotation
    if annotation is parameter.empty:
        annotation = type(parameter.default)
    kind = getattr(annotation, "type", annotation)
    name = kind.__name__ if isinstance(kind, type) else str(kind).removeprefix("InitVar[").removesuffix("]")
    legal = f"annotated by one of {', '.join(_KINDS)}, or a default of one of them"
    require(name in _KINDS, f"parameter {parameter.name}", str(parameter), legal)
    return _KINDS[name]


def _fits(value: object, kind: type) -> bool:
    if isinstance(value, bool) or kind is bool:
        return isinstance(value, bool) and kind is bool
    if kind is float:
        return isinstance(value, (int, float)) and math.isfinite(value) and moderate(value)
    return isinstance(value, kind) and (not isinstance(value, int) or abs(value) <= MOST)


def _require_size(family: type[Problem], N: int, checked: dict[str, Any], where: str) -> None:
    """Refuse a problem whose points do not fit in memory."""
    require_count(N, f"{where}: N")
    require(N <= _MOST_CLIENTS, f"{where}: N", N, f"at most {_MOST_CLIENTS} clients")
    known = inspect.signature(family).parameters.get("d")
    d = checked.get("d", 1 if known is None or known.default is inspect.Parameter.empty else known.default)
    require_numbers({"N": N, "d": max(int(d), 1)}, where, MOST_AT_CLIENTS)
