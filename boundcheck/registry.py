"""One explicit list a package: names mapped to the module that holds the object, imported when first asked for."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import TypeVar

from boundcheck.errors import UnknownNameError

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """Read-only mapping from a name to a lazily imported object.

    Parameters
    ----------
    kind : str
        What the members are, in the singular; used in error messages.
    members : dict[str, str]
        Name to ``"module:attribute"``; an attribute that is a mapping holds several members by name.
    """

    def __init__(self, kind: str, members: dict[str, str]) -> None:
        self.kind = kind
        self._members = members

    def __getitem__(self, name: str) -> T:
        try:
            target = self._members[name]
        except KeyError:
            raise UnknownNameError(self.kind, name, self._members) from None
        module, attribute = target.split(":")
        found = getattr(importlib.import_module(module), attribute)
        member: T = found[name] if isinstance(found, Mapping) else found
        return member

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, name: object) -> bool:
        return name in self._members
