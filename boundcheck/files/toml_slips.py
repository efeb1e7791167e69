"""A slip in a TOML file, told by its place, its value and what would be legal there."""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import inspect

from boundcheck.errors import InputError, UnknownNameError

_PLACE = re.compile(r" - at `\$(?P<path>[^`]*)`$")
_STEP = re.compile(r"\.(?P<key>[^.\[]+)|\[(?P<index>\d+|\.\.\.)\]")
_FIELD = re.compile(r"(?P<how>missing required|unknown) field `(?P<name>[^`]*)`")
_LONGEST = 80
"""Characters of a value that are shown."""
_LARGEST = 2**53
"""The largest whole number that is read, of either sign."""
_PLAIN: dict[Any, tuple[type, ...]] = {
    inspect.BoolType: (bool,),
    inspect.IntType: (int,),
    inspect.FloatType: (int, float),
    inspect.StrType: (str,),
}
"""Values that are of a plain type."""


def slip(content: Any, kind: type, words: str) -> InputError:
    """Return what is wrong with a file that is TOML but no `kind`.

    Parameters
    ----------
    content : dict
        The file's.
    kind : type
        A msgspec struct.
    words : str
        The decoder's, which name a type and a path.
    """
    found = _PLACE.search(words)
    place, value, info = _follow(content, inspect.type_info(kind), found["path"] if found else "")
    before = f"{place}: " if place else ""
    if field := _FIELD.search(words):
        keys = [one.encode_name for one in info.fields] if isinstance(info, inspect.StructType) else []
        if field["how"] == "unknown":
            unknown = UnknownNameError("key", field["name"], keys)
            return InputError(f"{before}{unknown}; legal keys: {', '.join(keys)}")
        return InputError(f"{before}the key {field['name']} is missing")
    shown = repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False, default=str)
    shown = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."
    legal = f"{_legal(info)}, at most 2^53" if type(value) is int and abs(value) > _LARGEST else _legal(info)
    return InputError(f"{place or 'the file'} = {shown} is not legal: {legal}")


def _follow(value: Any, info: Any, path: str) -> tuple[str, Any, Any]:
    """Return where a path leads, in words, with the value and the type that are there."""
    place = ""
    for step in _STEP.finditer(path):
        info = _inner(info, step["key"])
        if step["key"]:
            value = value[step["key"]]
            place += f": {step['key']}" if place else step["key"]
        elif step["index"] == "...":
            # Which entry of a table is meant the decoder does not say: the first that is not of the type.
            name, value = next((pair for pair in value.items() if not _fits(pair[1], info)), (step["index"], value))
            place += f": {name}"
        else:
            value = value[int(step["index"])]
            name = value.get("id") if isinstance(value, dict) else None
            place += f" {name}" if isinstance(name, str) else f"[{step['index']}]"
    return place, value, info


def _inner(info: Any, key: str | None) -> Any:
    """Return the type of a field, or of what a list or a table holds."""
    if isinstance(info, inspect.UnionType):
        holds = (inspect.StructType,) if key else (inspect.ListType, inspect.DictType)
        info = next((one for one in info.types if isinstance(one, holds)), info)
    if isinstance(info, inspect.StructType):
        return next((field.type for field in info.fields if field.encode_name == key), None)
    if isinstance(info, inspect.ListType):
        return info.item_type
    return info.value_type if isinstance(info, inspect.DictType) else None


def _fits(value: Any, info: Any) -> bool:
    """Return whether a value is of a plain type, or a list of such."""
    kinds = info.types if isinstance(info, inspect.UnionType) else (info,)
    if isinstance(value, list):
        return any(isinstance(k, inspect.ListType) and all(_fits(v, k.item_type) for v in value) for k in kinds)
    if type(value) is int and abs(value) > _LARGEST:
        return False
    return any(type(value) in _PLAIN.get(type(kind), ()) for kind in kinds)


def _legal(info: Any) -> str:
    """Return in words what is legal where a type is asked for."""
    if isinstance(info, inspect.UnionType):
        kinds = [kind for kind in info.types if not isinstance(kind, inspect.NoneType)]
        return " or ".join(dict.fromkeys(map(_legal, kinds)))
    if isinstance(info, inspect.LiteralType):
        return f"one of {', '.join(map(str, info.values))}"
    if isinstance(info, (inspect.IntType, inspect.FloatType)):
        ends = {">=": info.ge, ">": info.gt, "<=": info.le, "<": info.lt}
        limits = " and ".join(f"{sign} {end}" for sign, end in ends.items() if end is not None)
        return " ".join(["a whole number" if isinstance(info, inspect.IntType) else "a number", limits]).strip()
    if isinstance(info, inspect.ListType):
        return f"a list, [...], each of it {_legal(info.item_type)}"
    if isinstance(info, (inspect.DictType, inspect.StructType)):
        return "a table of keys and values"
    if isinstance(info, inspect.StrType):
        return 'text, "..."'
    return "true or false" if isinstance(info, inspect.BoolType) else "another value"
