"""Where the source of a module is, found without running the packages above it."""

from __future__ import annotations

import importlib.util
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec


def find_module_spec(module: str) -> ModuleSpec | None:
    """Return how a module is found, None if it is not there.

    `importlib.util.find_spec` imports every package above a module: that of the compiled engine imports JAX, which
    takes a second where all that is asked for is a hash of its source.
    """
    name, *parts = module.split(".")
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # no name, or one without a spec, such as __main__
        return None
    for part in parts:
        if spec is None or spec.submodule_search_locations is None:
            return None
        name = f"{name}.{part}"
        spec = PathFinder.find_spec(name, spec.submodule_search_locations)
    return spec
