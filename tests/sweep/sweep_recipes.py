"""Small recipes for the sweep's tests."""

from boundcheck.sweep import load_recipe
from boundcheck.sweep.cells.points import study_settings

SMALL = """
title = "small"
seed = 3
replicates = 4
points = 4

[[study]]
id = "ridges"
title = "ridges"
problem = "ridge-ratio"
parameters = { d = 4, sigma = [0.5, 1.0] }
bounds = ["momentum-fl.theorem11", "momentum-fl.theorem11-rate"]
N = [2, 3]
K = [2]
T = [3, 8, 14, 20]
fit = ["T"]

[[study.compare]]
method = "fedavg"
hyper = { eta = 0.05 }

[[study]]
id = "tilt"
title = "no noise"
problem = "quadratic-tilt"
parameters = { zeta = [10.0, 20.0, 30.0] }
bounds = ["momentum-fl.theorem19-printed"]
N = [2]
K = [1]
T = [10, 20, 30]
zip = true
fit = ["T"]
"""

LATE = """
title = "late"
seed = 3
replicates = 2
points = 2

[[study]]
id = "late"
title = "a bound that speaks from T = N/S on"
problem = "ridge-ratio"
parameters = { d = 2, sigma = 0.5 }
bounds = ["momentum-fl.theorem22", "momentum-fl.theorem22-alt-printed"]
N = [4]
S = [1]
K = [1]
T = [2, 8, 16, 32]
fit = ["T"]
"""


def written(folder, text=SMALL, name="small.toml"):
    """Write a recipe and return its path as text."""
    path = folder / name
    path.write_text(text)
    return str(path)


def small(folder, **changes):
    """Return the small recipe; changes replace one piece of its text by another."""
    text = SMALL
    for old, new in changes.values():
        assert old in text
        text = text.replace(old, new, 1)
    return load_recipe(written(folder, text))


def all_cells(recipe):
    """Return the cells of the studies of a recipe, with their first replicates, point by point."""
    return [cell for point in study_settings(recipe) for cell in point.cells()]
