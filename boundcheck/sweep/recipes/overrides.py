"""What may be asked of a recipe from outside: other values of hyperparameters, some of its assertions, another seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from boundcheck.errors import require

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


def with_assertions(recipe: Recipe, names: Sequence[str]) -> Recipe:
    """Return the recipe with these assertions alone, and the experiments that they ask.

    Parameters
    ----------
    recipe : Recipe
    names : sequence of str
        Ids of assertions, in any order.

    Raises
    ------
    InputError
        If the recipe has no assertion of a name.
    """
    known = [one.id for one in recipe.assertion]
    for name in names:
        require(name in known, "--ask", name, f"an assertion of the recipe: {', '.join(known) or 'none here'}")
    asked = [one for one in recipe.assertion if one.id in names]
    needed = {ask.experiment for one in asked for ask in one.every}
    return replace(recipe, study=[], assertion=asked, experiment=[one for one in recipe.experiment if one.id in needed])


def with_seed(recipe: Recipe, seed: int) -> Recipe:
    """Return the recipe with another root seed: methods are tuned anew, and all runs are new ones.

    Raises
    ------
    InputError
        If the seed is negative or needs more than 63 bits.
    """
    require(0 <= seed < 2**63, "--seed", seed, "a whole number from 0 to 2^63 - 1")
    return replace(recipe, seed=seed)


def _override_experiment(experiment: Experiment, values: Mapping[str, list[Number]]) -> Experiment:
    entrants = [
        replace(entrant, hyper={k: list(values[k]) if k in values else v for k, v in entrant.hyper.items()})
        for entrant in experiment.entrant
    ]
    return replace(experiment, entrant=entrants)
