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
SHORT_FORM = (
    f"This is the short form, to look at before the whole: 1/{_SHORTER} of the rounds, {_RUNS} runs and no more where "
    "a question is open, narrower grids. Most questions stay open in it; its verdicts are not those of the recipe."
)
"""What the text of a smaller recipe ends with."""


def quick(recipe: Recipe) -> Recipe:
    """Return the recipe with experiments of a quarter of the rounds, few runs and whole budgets; studies stay as is.

    Its text says so, since its verdicts are others.
    """
    text = f"{recipe.text}\n\n{SHORT_FORM}" if recipe.experiment else recipe.text
    return replace(recipe, experiment=[_quick(experiment) for experiment in recipe.experiment], text=text)


def is_short_form(recipe: Recipe) -> bool:
    """Return whether a recipe is what `quick` returns of one with experiments."""
    return recipe.text.endswith(SHORT_FORM)


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
