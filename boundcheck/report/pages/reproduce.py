"""The last page: what it takes to get the same numbers again."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from boundcheck.files import resources
from boundcheck.files.sources import package_hash, versions
from boundcheck.report.typst.markup import code, table
from boundcheck.sweep import named_code
from boundcheck.sweep.recipes.quick import is_short_form
from boundcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.sweep import Recipe, StudyResult

PACKAGES = ("numpy", "scipy", "sympy", "z3-solver", "matplotlib", "typst", "msgspec")


def reproduce(recipe: Recipe, results: Sequence[StudyResult], name: str, *, full: bool = False) -> str:
    """Return command, random streams, versions and the recipe: by name and hash, and whole where there is room."""
    cells = sum(p.measured is not None for r in results for p in r.points)
    compared = sum(len(p.compared) for r in results for p in r.points)
    own = list(dict.fromkeys(name for study in recipe.study for name in named_code(study)))
    options = f"{' --quick' if is_short_form(recipe) else ''}{' --trust-code' if own else ''}"
    command = f"boundcheck report {name or 'recipe.toml'} -o report.pdf{options}"
    shipped = name in resources.names("reports")
    where = "" if name else " The HTML (`--html`) has the recipe whole; save it as `recipe.toml`."
    also = f" and {compared} of compared methods" if compared else ""
    measured = f", {recipe.replicates} replicates a cell, {cells} measured cells{also}" if results else ""
    digest = sha256(resources.find("reports", name).read_bytes()).hexdigest() if shipped else ""
    words = shipped and f"#small[The recipe is `reports/{name}.toml`, which ships: its SHA-256 is {code(digest)}.]"
    printed = f"== Recipe\n\nKeys that are left out have their defaults.\n\n{code(toml_text(recipe), block=True)}"
    return f"""\
= How to reproduce

{code(command, block=True)}

The same store gives the same bytes; an interrupted sweep goes on where it stopped.{where}{_own(own)}

Root seed {recipe.seed}{measured}. A lane is one
run. Its minibatches (role 0) and its sampled clients (role 1) come from two PCG64DXSM generators, seeded by
{code(f"SeedSequence({recipe.seed}, spawn_key=(role, N, S, K, T, b, replicate))")}. So a lane's numbers do not depend on
which lanes run beside it, on the number of cores or on the order of work. The method is not in the key: methods that
are compared meet the same noise. The error rates allow for any dependence that this creates between cells.

{_versions()}

{words if shipped else _recipe_hash(recipe)}

{printed if full else ""}
"""


def _recipe_hash(recipe: Recipe) -> str:
    hashed = sha256(toml_text(recipe).encode()).hexdigest()
    return f"The recipe, written without its defaults, has the SHA-256 {code(hashed)}."


def _own(names: Sequence[str]) -> str:
    """Return what code of the user's own took part, with a hash of each file."""
    files = {Path(name.rpartition(":")[0]) for name in names if name.rpartition(":")[0].endswith(".py")}
    hashes = [f"{code(path.name)} with SHA-256 {code(sha256(path.read_bytes()).hexdigest())}" for path in sorted(files)]
    beside = f"; run it where these files are: {', '.join(hashes)}" if hashes else ""
    return f" It runs code of your own, {', '.join(map(code, names))}{beside}." if names else ""


def _versions() -> str:
    names, numbers = zip(*versions(PACKAGES).items(), strict=True)
    return f"""\
#small[This is boundcheck {__version__} with the source {code(package_hash())}, a hash of its code, problems
and recipes that {code("boundcheck.files.sources.package_hash()")} gives again. Verdicts of solvers are limited by work,
not by time: they do not depend on the machine.]

{table(names, [numbers], f"{len(names)}")}"""


def toml_text(recipe: Recipe) -> str:
    """Return a recipe as TOML without the values that are defaults."""
    fields = _changed_fields(recipe)
    studies = fields.pop("study", [])
    blocks = ["\n".join(f"{k} = {_toml(v)}" for k, v in fields.items())]
    for study in studies:
        compared = study.pop("compare", [])
        blocks.append("[[study]]\n" + "\n".join(f"{k} = {_toml(v)}" for k, v in study.items()))
        blocks += ["[[study.compare]]\n" + "\n".join(f"{k} = {_toml(v)}" for k, v in c.items()) for c in compared]
    return "\n\n".join(blocks) + "\n"


def _changed_fields(struct: Any) -> dict[str, Any]:
    """Return the fields of a struct that differ from their defaults, nested structs included."""
    changed = {}
    for field in msgspec.structs.fields(struct):
        value = getattr(struct, field.name)
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        if value != default:
            changed[field.encode_name] = _plain(value)
    return changed


def _plain(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return _changed_fields(value)
    return [_plain(v) for v in value] if isinstance(value, list) else value


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(name)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, float):
        return repr(value)
    # A JSON string is one of TOML but for the sign DEL, which JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
