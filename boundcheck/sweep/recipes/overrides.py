"""Values of hyperparameters from outside a recipe, in place of those in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from boundcheck.errors import require

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.sweep.recipes.experiment import Experiment
    from boundcheck.sweep.recipes.fields import Number
    from boundcheck.sweep.recipes.recipe import Recipe


def with_values(recipe: Recipe, values: Mapping[str, list[Number]]) -> Recipe:
    """Return the recipe with these grids in every entrant that has a hyperparameter of the name.

    Parameters
    ----------
    recipe : Recipe
    values : mapping
        Hyperparameter to its values: one fixes it, several are tuned over.

    Raises
    ------
    InputError
        If no entrant of the recipe gives a hyperparameter of a name.
    """
    known = sorted({name for e in recipe.experiment for entrant in e.entrant for name in entrant.hyper})
    for name in values:
        require(name in known, "--set", name, f"a hyperparameter of an entrant: {', '.join(known) or 'none here'}")
    return replace(recipe, experiment=[_override_experiment(experiment, values) for experiment in recipe.experiment])


def _override_experiment(experiment: Experiment, values: Mapping[str, list[Number]]) -> Experiment:
    entrants = [
        replace(entrant, hyper={k: list(values[k]) if k in values else v for k, v in entrant.hyper.items()})
        for entrant in experiment.entrant
    ]
    return replace(experiment, entrant=entrants)
