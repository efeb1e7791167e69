"""A smaller form of a recipe's experiments, to look at before the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from boundcheck.sweep.recipes.experiment import Experiment
    from boundcheck.sweep.recipes.recipe import Recipe

_SHORTER = 4
"""By how much horizons are shorter."""
_LEAST_ROUNDS, _RUNS, _TUNING = 10, 4, 2


def quick(recipe: Recipe) -> Recipe:
    """Return the recipe with experiments of a quarter of the rounds, few runs and whole budgets; studies stay as is."""
    return replace(recipe, experiment=[_quick(experiment) for experiment in recipe.experiment])


def _quick(experiment: Experiment) -> Experiment:
    rounds = list(dict.fromkeys(max(T // _SHORTER, min(T, _LEAST_ROUNDS)) for T in experiment.T))
    return replace(
        experiment,
        T=rounds,
        tuning=min(experiment.tuning, _TUNING),
        replicates=_RUNS,
        budget=None,
        shares=[1.0],
        widen=0,
    )
