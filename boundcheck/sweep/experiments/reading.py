"""Read a recipe from TOML; every mistake that can be seen before work is one line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from boundcheck.bounds import BOUNDS, RATES
from boundcheck.errors import InputError, UnknownNameError, require
from boundcheck.files.own import DataFile, absolute, following, is_reference
from boundcheck.files.resources import decode_toml, find
from boundcheck.limits import LARGEST, MOST_POINTS, moderate
from boundcheck.methods import METHODS
from boundcheck.problems import instance
from boundcheck.problems.catalog import format_name, parse_name
from boundcheck.sweep.experiments.reading_experiments import (
    naming,
    validate_assertions,
    validate_experiment,
)
from boundcheck.sweep.recipes.recipe import Recipe, Study, axes_of, settings, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

FINDINGS = "findings"
"""The shipped recipe whose studies others take over."""
_LEAST_FIT = 3
"""Points from which on an exponent is asked for."""
_STEEPEST = 10
"""Largest power of T that multiplies a hyperparameter."""


def load_recipe(name: str, *, trust_code: bool = False) -> Recipe:
    """Read a recipe by name, or from a path that ends in ``.toml``.

    Parameters
    ----------
    name : str
    trust_code : bool
        Whether ``file.py:NAME`` and ``module:NAME`` in it may be run; else they are refused.  Files are looked for in
        the current folder.

    Raises
    ------
    InputError
        If the file cannot be read or a key or value is not legal; the message names file, key and legal values.
    """
    path = find("reports", name)
    recipe = decode_toml(path, Recipe)
    # Every name that can lead to code is followed here, so that what is read can be run without asking again.
    with following(data_file(recipe, path.name), trusted=trust_code):
        studies = [*map(_at_home, recipe.study), *_studies_of_findings(recipe, path)]
        recipe = msgspec.structs.replace(recipe, study=studies, finding=[])
        _validate(recipe, path)
    return recipe


def data_file(recipe: Recipe, name: str) -> DataFile:
    """Return a recipe as a file that chooses and runs nothing."""
    return DataFile(name, msgspec.to_builtins(recipe))


def _studies_of_findings(recipe: Recipe, path: Path) -> Iterator[Study]:
    """Yield the studies of findings that a recipe takes over, with as many points as it asks for."""
    if not recipe.finding:
        return
    known = decode_toml(find("reports", FINDINGS), Recipe).study
    legal = [study.id for study in known if study.reading]
    for taken in recipe.finding:
        require(taken.id in legal, f"{path.name}: finding", taken.id, f"one of {', '.join(legal)}")
        yield from (_cut(study, taken.first) for study in known if taken.id in (study.id, study.repairs))


def _cut(study: Study, first: int | None) -> Study:
    """Return a study with the first points of every list."""
    if first is None:
        return study
    parameters = {k: v[:first] if isinstance(v, list) else v for k, v in study.parameters.items()}
    fit = study.fit if first >= _LEAST_FIT else []
    cut = {"N": study.N[:first], "K": study.K[:first], "T": study.T[:first], "parameters": parameters, "fit": fit}
    return msgspec.structs.replace(study, **cut)


def named_code(study: Study) -> list[str]:
    """Return the ``file.py:NAME`` and ``module:NAME`` that a study names."""
    named = [*study.bounds, parse_name(study.problem)[0], *(compared.method for compared in study.compare)]
    return [name for name in dict.fromkeys(named) if is_reference(name)]


def _at_home(study: Study) -> Study:
    """Return a study whose references mean the same on every worker."""
    base, chosen = parse_name(study.problem)
    return msgspec.structs.replace(
        study,
        bounds=[absolute(name) for name in study.bounds],
        problem=format_name(absolute(base), chosen) if is_reference(base) else study.problem,
        compare=[msgspec.structs.replace(c, method=absolute(c.method)) for c in study.compare],
    )


def _validate(recipe: Recipe, path: Path) -> None:
    _require_moderate(msgspec.to_builtins(recipe), path.name)
    points = sum(map(size, recipe.study)) + sum(map(size, recipe.experiment))
    require(points <= MOST_POINTS, f"{path.name}: grid points", points, f"at most {MOST_POINTS} in all studies")
    least = recipe.replicates
    require((recipe.budget or least) >= least, f"{path.name}: budget", recipe.budget, f"at least replicates = {least}")
    ids = [study.id for study in recipe.study]
    require(len(set(ids)) == len(ids), f"{path.name}: study ids", ids, "every id once")
    for name in [*recipe.rates, *(study for story in recipe.story for study in story.studies)]:
        require(name in ids, f"{path.name}: rates", name, f"a study: {', '.join(ids)}")
    _validate_tables(recipe.tables, path)
    _validate_claims(recipe.claims or [], path)
    findings = [study.id for study in recipe.study if study.reading]
    for study in recipe.study:
        where = f"{path.name}: study {study.id}"
        legal = f"a study with the key reading: {', '.join(findings) or 'none here'}"
        require(not study.repairs or study.repairs in findings, f"{where}: repairs", study.repairs, legal)
        with naming(where):
            _validate_study(study, where)
    for experiment in recipe.experiment:
        with naming(where := f"{path.name}: experiment {experiment.id}"):
            validate_experiment(experiment, where)
    validate_assertions(recipe, path.name)


def _require_moderate(value: object, where: str) -> None:
    """Refuse numbers that are not finite, or so large or small that their powers are not, wherever they stand."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        _require_moderate(part, f"{where}[{key}]" if isinstance(key, int) else f"{where}: {key}")
    if isinstance(value, float):
        legal = f"a finite number: 0, or of size {1 / LARGEST:.0e} to {LARGEST:.0e}"
        require(math.isfinite(value) and moderate(value), where, value, legal)


def _validate_tables(names: Sequence[str], path: Path) -> None:
    if names:
        # Only here: tables are formulas, and other recipes are read without sympy.
        from boundcheck.bounds.comparison import TABLES

        for name in names:
            require(name in TABLES, f"{path.name}: tables", name, f"one of {', '.join(TABLES)}")


def _validate_claims(claims: list[str], path: Path) -> None:
    """Refuse claims that do not exist before the sweep, not in the report after it."""
    if not claims:
        return
    from boundcheck.proofs import CLAIMS

    for name in claims:
        if name not in CLAIMS:
            raise InputError(f"{path.name}: {UnknownNameError('claim', name, CLAIMS)}")


def _validate_study(study: Study, where: str) -> None:
    require(len(study.bounds) >= 1, f"{where}: bounds", study.bounds, "at least one bound")
    methods = {BOUNDS[bound].method for bound in study.bounds}
    require(len(methods) == 1, f"{where}: bounds", study.bounds, f"bounds about one method, not {sorted(methods)}")
    choices = {str(sorted(BOUNDS[bound].choices.items())) for bound in study.bounds}
    words = "bounds about the same options of their method"
    require(len(choices) == 1, f"{where}: bounds", study.bounds, words)
    instance(parse_name(study.problem)[0])
    names = [compared.name for compared in study.compare]
    taken = {"prescribed", study.bounds[0]}
    clash = next((name for i, name in enumerate(names) if name in taken or name in names[:i]), None)
    require(
        clash is None,
        f"{where}: label",
        clash,
        f"a name of its own for every compared method, and neither of {sorted(taken)}",
    )
    for compared in study.compare:
        METHODS[compared.method]
        steep = {name: power for name, power in compared.powers.items() if abs(power) > _STEEPEST}
        require(not steep, f"{where}: powers", steep, f"powers from -{_STEEPEST} to {_STEEPEST}")
        unset = sorted(compared.powers.keys() - compared.hyper.keys())
        require(not unset, f"{where}: powers", unset, f"names in hyper: {', '.join(compared.hyper)}")
    for name in study.overlays:
        require(bool(RATES[name].terms), f"{where}: beside", name, "a rate that is more than words")
    letters = sorted({"N", "K", "T", "S"} & study.parameters.keys())
    require(
        not letters, f"{where}: parameters", letters, "names of problem parameters; N, K, T, S are keys of the study"
    )
    axes = axes_of(study)
    for name, values in axes.items():
        require(len(values) >= 1, f"{where}: {name}", values, "at least one value")
        # A value given twice would count as evidence twice.
        require(study.zip or len(set(values)) == len(values), f"{where}: {name}", values, "every value once")
    for letter in study.fit:
        require(letter in axes, f"{where}: fit", letter, f"one of the grid's letters {', '.join(axes)}")
    along = not study.zip and len(study.T) >= 2 and sorted(set(study.T)) == study.T
    require(not study.epsilons or along, f"{where}: epsilons", study.epsilons, "left out unless T increases (no zip)")
    if study.zip:
        lengths = {name: len(values) for name, values in axes.items() if len(values) > 1}
        require(len(set(lengths.values())) <= 1, f"{where}: zip", lengths, "lists of equal length (or of length 1)")
    for setting in settings(study):
        S, N = setting.get("S", 1), setting["N"]
        require(S <= N, f"{where}: S", S, f"at most N = {N}")  # type: ignore[operator]
