"""Former import paths that are documented: `boundcheck.problems.ridge` still is the module of the ridges."""

from __future__ import annotations

import importlib
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

MOVED = {
    "boundcheck.problems.bundled": "boundcheck.problems.data.bundled",
    "boundcheck.problems.dealing": "boundcheck.problems.data.partition",
    "boundcheck.problems.linear": "boundcheck.engine.exact.linear",
    "boundcheck.problems.moments": "boundcheck.engine.exact.moments",
    "boundcheck.problems.own_sympy": "boundcheck.problems.own.symbolic",
    "boundcheck.problems.ridge": "boundcheck.problems.synthetic.ridge",
}
"""Former path of a module to where it is now."""


class _Forwarder(MetaPathFinder, Loader):
    """Makes a module of a former path that hands out the names of the new one."""

    def find_spec(self, fullname: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return a spec for a former path, None for every other."""
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        """Hand out the very objects of the new module, so that they are equal and pickle."""
        home = importlib.import_module(MOVED[module.__name__])
        module.__dict__.update({name: value for name, value in vars(home).items() if not name.startswith("__")})


def install() -> None:
    """Let former paths be imported; they are asked last, so that nothing else is touched."""
    if not any(isinstance(finder, _Forwarder) for finder in sys.meta_path):
        sys.meta_path.append(_Forwarder())
