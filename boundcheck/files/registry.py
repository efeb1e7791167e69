"""One explicit list a package: names mapped to the module that holds the object, imported when first asked for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from boundcheck.errors import InputError, UnknownNameError
from boundcheck.files.display import html_table, some, title_of
from boundcheck.files.own import HINT, absolute, entry_points_of, following_installed, is_reference, load_reference

if TYPE_CHECKING:
    from types import ModuleType

T = TypeVar("T")


def _anything(_: object) -> bool:
    return True


def _as_it_is(_: str, found: Any, __: ModuleType) -> Any:
    return found


class Registry(Mapping[str, T]):
    """Read-only mapping from a name to a lazily imported object.

    A name is one of the list, one that an installed package declares as an entry point of ``boundcheck.<group>``, or
    the user's own ``file.py:NAME`` or ``module:NAME``, which runs that code.  Iteration gives the first two.

    Parameters
    ----------
    kind : str
        What the members are, in the singular; used in error messages.
    members : dict[str, str]
        Name to ``"module:attribute"``; an attribute that is a mapping holds several members by name.
    group : str
        Name of the group of entry points.
    accepts : callable
        Whether an object of the user's is of this kind.
    further : dict[str, str]
        Members that are found by name and not listed, likewise.
    adopt : callable
        Makes a member of the name asked for, the user's object and its module.
    aliases : dict[str, tuple[str, ...]]
        Other names, in lower case, to what they mean; with several meanings none is taken, and all are offered.
    """

    def __init__(
        self,
        kind: str,
        members: dict[str, str],
        *,
        group: str,
        accepts: Callable[[object], bool] = _anything,
        adopt: Callable[[str, Any, ModuleType], T] = _as_it_is,
        further: dict[str, str] | None = None,
        aliases: dict[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.kind = kind
        self.further = further or {}
        self.aliases = aliases or {}
        self._listed = members
        self._members = {**members, **self.further}
        self._group, self._accepts, self._adopt = group, accepts, adopt
        self._own: dict[tuple[str, str], T] = {}

    def _is_alias(self, name: str) -> bool:
        return bool(self.aliases) and (name.lower() in self.aliases or name.lower() in self._members)

    def own_name(self, name: str) -> str:
        """Return the member's own name for another name of it, in any case, and any other name as it is.

        Raises
        ------
        InputError
            If it is the name of several.
        """
        if name in self._members or not self.aliases:
            return name
        lower = name.lower()
        meant = (lower,) if lower in self._members else self.aliases.get(lower, ())
        if len(meant) > 1:
            msg = f"{self.kind} {name!r} is the name of several: {', '.join(meant)}"
            raise InputError(msg)
        return meant[0] if meant else name

    def __getitem__(self, name: str) -> T:
        name = self.own_name(name)
        if name not in self._members:
            return self._users(name)
        module, attribute = self._members[name].split(":")
        # Asked ten times a point of a sweep: what is loaded is not asked of the machinery of imports.
        loaded = sys.modules.get(module)
        found = getattr(loaded if hasattr(loaded, attribute) else importlib.import_module(module), attribute)
        member: T = found[name] if isinstance(found, Mapping) else found
        return member

    def __repr__(self) -> str:
        return f"{len(self)} {self.kind}s: {some(self)}"

    def _repr_html_(self) -> str:
        rows = ((name, title_of(self[name])) for name in self)
        return html_table(f"{len(self)} {self.kind}s", ("name", "title"), rows)

    def __iter__(self) -> Iterator[str]:
        yield from self._listed
        yield from (name for name in entry_points_of(self._group) if name not in self._members)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        """Whether `name` is listed, declared, or a reference: this runs no code."""
        return name in self._members or (
            isinstance(name, str)
            and (self._is_alias(name) or name in entry_points_of(self._group) or is_reference(name))
        )

    def suits(self, name: str) -> bool:
        """Return whether `name` is one of these; a reference is followed, and may name an object of another kind.

        Raises
        ------
        InputError
            If a reference names nothing.
        """
        if name in self._members or not is_reference(name):
            return name in self
        return self._accepts(load_reference("name", name, _anything)[0])

    def _users(self, name: str) -> T:
        """Return an object that is not in the list; a second question gives the same object."""
        declared = entry_points_of(self._group).get(name)
        if declared is None and not is_reference(name):
            raise UnknownNameError(self.kind, name, self, also=HINT)
        # The same words name another file in another folder.
        key = (name, absolute(name))
        if declared is None:
            # Asked each time: whether a name may be followed depends on who says it.
            found = load_reference(self.kind, name, self._accepts)
            if key not in self._own:
                self._own[key] = self._adopt(name, *found)
        elif key not in self._own:
            with following_installed():
                self._own[key] = self._adopt(name, *load_reference(self.kind, declared.value, self._accepts))
        return self._own[key]
