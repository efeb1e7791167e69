"""Pictures beside what computes: axes to draw on, and matplotlib without what the current folder says of it."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def import_matplotlib() -> None:
    """Import matplotlib without believing a ``matplotlibrc`` in the current folder, which can have LaTeX run."""
    if "matplotlib" not in sys.modules and os.path.exists("matplotlibrc"):  # noqa: PTH110
        # It looks in the current folder, whatever the environment says, and only now.
        with contextlib.chdir(os.sep):
            importlib.import_module("matplotlib")


def axes_for(ax: Axes | None) -> Axes:
    """Return the axes that are given, or those of a new figure, which a notebook shows."""
    if ax is not None:
        return ax
    import_matplotlib()
    import matplotlib.pyplot as plt

    made: Any = plt.subplots(figsize=(6.4, 3.6), layout="constrained")[1]
    return made  # type: ignore[no-any-return]
