"""A recipe: which bounds and methods to run on which problems, over which grids; read from TOML."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from boundcheck.bounds import BOUNDS, RATES
from boundcheck.errors import InputError, UnknownNameError, require
from boundcheck.methods import METHODS
from boundcheck.problems import instance
from boundcheck.problems.catalog import parse_name
from boundcheck.resources import find

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Count = Annotated[int, msgspec.Meta(ge=1)]
Positive = Annotated[float, msgspec.Meta(gt=0)]
Number = int | float | str | bool


class ComparedMethod(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A method that runs beside the bounds, at hyperparameters of the user's choice."""

    method: str
    hyper: dict[str, Number] = {}
    powers: dict[str, float] = {}
    """Powers of T that multiply hyperparameters: steps set from the horizon; counts are rounded up."""
    decays: list[float] = []
    """Powers p of the terms T^(-p) that are promised for this method, for its time to epsilon."""
    label: str = ""


class Study(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One grid on one problem."""

    id: str
    title: str
    problem: str
    bounds: list[str]
    """The first bound prescribes the parameters; the others are evaluated at them."""
    N: list[Count]
    K: list[Count]
    T: list[Count]
    S: list[Count] | None = None
    """Active clients; all when left out."""
    b: Count = 1
    parameters: dict[str, Number | list[Number]] = {}
    """Problem parameters; a list is one more axis of the grid."""
    overrides: dict[str, float] = {}
    """Parameters of the bound to use in place of the prescribed ones."""
    zip: bool = False
    """Run lists of equal length side by side rather than as a product."""
    fit: list[str] = []
    """Letters along which to fit exponents."""
    epsilons: list[Positive] = []
    """Accuracies of the gradient norm whose first horizon is looked for along T."""
    compare: list[ComparedMethod] = []
    overlays: list[str] = msgspec.field(default_factory=list, name="beside")
    """Rates whose slopes are drawn beside the measurements."""
    text: str = ""
    """What the reader should look for."""
    reading: str = ""
    """For a finding: what a reader may have misread, and whether that saves the statement."""
    script: str = ""
    """For a finding: a script that shows it without boundcheck."""
    repairs: str = ""
    """For a repair: the study of the finding whose instances it runs on."""


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sweep or a report."""

    title: str
    study: list[Study] = []
    seed: Annotated[int, msgspec.Meta(ge=0)] = 0
    replicates: Annotated[int, msgspec.Meta(ge=2)] = 16
    budget: Annotated[int, msgspec.Meta(ge=2)] | None = None
    """Replicates up to which undecided cells are run again, doubling; as many as `replicates` when left out."""
    alpha: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.05
    points: Annotated[int, msgspec.Meta(ge=1, le=100)] = 8
    """Checkpoints a decade of rounds."""
    promises: bool = False
    """Whether a report says of every registered bound what it promises and whether it can keep it."""
    rates: list[str] = []
    """Studies whose curves along T a report also sets side by side on one page."""
    claims: list[str] | None = None
    """Claims that a report decides; all when left out."""
    ledger: Literal["full", "refuted"] = "full"
    """Whether a report shows every claim with witnesses, or counts, statements and refuted claims."""
    text: str = ""


def load_recipe(name: str) -> Recipe:
    """Read a recipe by name, or from a path that ends in ``.toml``.

    Raises
    ------
    InputError
        If the file cannot be read or a key or value is not legal; the message names file, key and legal values.
    """
    path = find("reports", name)
    try:
        recipe = msgspec.toml.decode(path.read_bytes(), type=Recipe)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        msg = f"{path.name}: {' '.join(str(error).split())}{_legal_keys(str(error))}"
        raise InputError(msg) from None
    _validate(recipe, path)
    return recipe


def _legal_keys(error: str) -> str:
    if "unknown field" not in error:
        return ""
    part = ComparedMethod if ".compare" in error else Study if ".study" in error else Recipe
    return f"; legal keys: {', '.join(part.__struct_encode_fields__)}"


def _validate(recipe: Recipe, path: Path) -> None:
    least = recipe.replicates
    require((recipe.budget or least) >= least, f"{path.name}: budget", recipe.budget, f"at least replicates = {least}")
    ids = [study.id for study in recipe.study]
    require(len(set(ids)) == len(ids), f"{path.name}: study ids", ids, "every id once")
    for name in recipe.rates:
        require(name in ids, f"{path.name}: rates", name, f"a study: {', '.join(ids)}")
    _validate_claims(recipe.claims or [], path)
    findings = [study.id for study in recipe.study if study.reading]
    for study in recipe.study:
        where = f"{path.name}: study {study.id}"
        legal = f"a study with the key reading: {', '.join(findings) or 'none here'}"
        require(not study.repairs or study.repairs in findings, f"{where}: repairs", study.repairs, legal)
        try:
            _validate_study(study, where)
        except InputError as error:
            if str(error).startswith(where):
                raise
            msg = f"{where}: {error}"
            raise InputError(msg) from None


def _validate_claims(claims: list[str], path: Path) -> None:
    """Refuse claims that do not exist before the sweep, not in the report after it."""
    if not claims:
        return
    from boundcheck.lemmas import CLAIMS

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
    for compared in study.compare:
        METHODS[compared.method]
        unset = sorted(compared.powers.keys() - compared.hyper.keys())
        require(not unset, f"{where}: powers", unset, f"names in hyper: {', '.join(compared.hyper)}")
    for name in study.overlays:
        require(bool(RATES[name].terms), f"{where}: beside", name, "a rate that is more than words")
    taken = sorted({"N", "K", "T", "S"} & study.parameters.keys())
    require(not taken, f"{where}: parameters", taken, "names of problem parameters; N, K, T, S are keys of the study")
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


def axes_of(study: Study) -> dict[str, list[Number]]:
    """Return the axes of a study's grid: settings first, then the problem parameters."""
    axes: dict[str, list[Number]] = {"N": list(study.N), "K": list(study.K), "T": list(study.T)}
    if study.S is not None:
        axes["S"] = list(study.S)
    for name, value in study.parameters.items():
        axes[name] = value if isinstance(value, list) else [value]
    return axes


def settings(study: Study) -> Iterator[dict[str, Number]]:
    """Yield the grid points of a study."""
    axes = axes_of(study)
    if not study.zip:
        for values in itertools.product(*axes.values()):
            yield dict(zip(axes, values, strict=True))
        return
    length = max(len(values) for values in axes.values())
    for i in range(length):
        yield {name: values[i if len(values) > 1 else 0] for name, values in axes.items()}
