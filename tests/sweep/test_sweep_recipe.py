"""Recipes: every mistake is one line that names the file, the key and what is legal."""

import pytest
from sweep_recipes import SMALL, small, written

from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError
from boundcheck.files.resources import names
from boundcheck.sweep import load_recipe
from boundcheck.sweep.cells.points import study_settings
from boundcheck.sweep.recipes.recipe import settings

MISTAKES = {
    "unknown key": (
        'fit = ["T"]',
        "fits = 1",
        ["study ridges: unknown key 'fits'; did you mean fit", "legal keys: id, title"],
    ),
    "unknown top key": ("seed = 3", "sead = 3", ["sead", "legal keys: title, study, finding, story, experiment"]),
    "unknown compare key": (
        'method = "fedavg"',
        'method = "fedavg"\nx = 1',
        ["study ridges: compare[0]: unknown key 'x'", "legal keys: method, hyper"],
    ),
    "missing key": ('id = "ridges"\n', "", ["study[0]: the key id is missing"]),
    "wrong type": ("replicates = 4", 'replicates = "4"', ['replicates = "4" is not legal: a whole number >= 2']),
    "too few replicates": ("replicates = 4", "replicates = 1", ["replicates = 1 is not legal: a whole number >= 2"]),
    "alpha": ("seed = 3", "seed = 3\nalpha = 1.5", ["alpha = 1.5 is not legal: a number >= 1e-12 and < 1"]),
    "negative seed": ("seed = 3", "seed = -3", ["seed = -3 is not legal: a whole number >= 0"]),
    "half a client": ("N = [2, 3]", "N = [0.5]", ["study ridges: N[0] = 0.5 is not legal: a whole number >= 1"]),
    "no list": ("N = [2, 3]", "N = 2", ["study ridges: N = 2 is not legal: a list, [...], each of it a whole number"]),
    "words for a switch": ("K = [2]", 'K = [2]\nzip = "yes"', ['study ridges: zip = "yes"', "true or false"]),
    "a table in a parameter": (
        "{ d = 4,",
        "{ d = {},",
        ["study ridges: parameters: d = {} is not legal"],
    ),
    "K below 1": ("K = [2]", "K = [0]", ["study ridges: K[0] = 0 is not legal: a whole number >= 1"]),
    "unknown bound": ("theorem11-rate", "theorem11-rat", ["study ridges", "unknown bound", "did you mean"]),
    "no bound": ('["momentum-fl.theorem11", "momentum-fl.theorem11-rate"]', "[]", ["bounds", "at least one bound"]),
    "two methods": ("theorem11-rate", "theorem19", ["bounds about one method", "scaffold-m"]),
    "unknown problem": ('"ridge-ratio"', '"ridge-ration"', ["study ridges", "unknown problem", "ridge-ratio"]),
    "no problem file": ('"ridge-ratio"', '"mine.toml"', ["study ridges", "no file 'mine.toml'"]),
    "unknown method": ('"fedavg"', '"fedavgg"', ["study ridges", "unknown method", "fedavg"]),
    "S above N": ("K = [2]", "K = [2]\nS = [3]", ["study ridges: S = 3", "at most N = 2"]),
    "S above N, zipped": ("K = [1]", "K = [1]\nS = [1, 2, 3]", ["study tilt: S = 3", "at most N = 2"]),
    "unequal zip": ("T = [10, 20, 30]", "T = [10, 20]", ["study tilt: zip", "lists of equal length"]),
    "fit letter": ('fit = ["T"]', 'fit = ["eta"]', ["study ridges: fit = 'eta'", "N, K, T, d, sigma"]),
    "empty axis": ("N = [2, 3]", "N = []", ["study ridges: N", "at least one value"]),
    "setting as parameter": ("{ d = 4,", "{ N = 4,", ["study ridges: parameters", "keys of the study"]),
    "same id twice": ('id = "tilt"', 'id = "ridges"', ["study ids", "every id once"]),
    "value twice": ("N = [2, 3]", "N = [2, 2]", ["study ridges: N = [2, 2]", "every value once"]),
    "unknown claim": ("seed = 3", 'seed = 3\nclaims = ["fmgda.a22"]', ["unknown claim 'fmgda.a22'", "fmgda.a2"]),
    "methods that overwrite each other": (
        "hyper = { eta = 0.05 }",
        'hyper = { eta = 0.05 }\n[[study.compare]]\nmethod = "fedavg"\nhyper = { eta = 0.1 }',
        ["study ridges: label = 'fedavg'", "a name of its own"],
    ),
    "label of the prescribed runs": (
        'method = "fedavg"',
        'method = "fedavg"\nlabel = "prescribed"',
        ["study ridges: label = 'prescribed'"],
    ),
    "label of the bound": (
        'method = "fedavg"',
        'method = "fedavg"\nlabel = "momentum-fl.theorem11"',
        ["study ridges: label = 'momentum-fl.theorem11'"],
    ),
    "infinite accuracy": ('fit = ["T"]', "epsilons = [inf]", ["study[0]: epsilons[0] = inf", "a finite number"]),
    "infinite override": ('fit = ["T"]', "overrides = { beta = nan }", ["overrides: beta = nan", "a finite number"]),
    "steep power": ("{ eta = 0.05 }", "{ eta = 0.05 }\npowers = { eta = 400.0 }", ["powers", "from -10 to 10"]),
    "tiny alpha": ("seed = 3", "seed = 3\nalpha = 5e-324", ["alpha = 5e-324", ">= 1e-12"]),
    "replicates": ("replicates = 4", "replicates = 2147483648", ["<= 1000000", "replicates = 2147483648"]),
    "minibatch": ("K = [2]", "K = [2]\nb = 9223372036854775807", ["<= 1000000000", "study ridges: b = "]),
    "digits": ("seed = 3", "seed = " + "9" * 5000, ["4300 digits"]),
    "a grid that does not end": (
        "T = [3, 8, 14, 20]\n",
        f"T = {[*range(1, 1001)]}\nS = {[*range(1, 1001)]}\n",
        ["grid points = 4000003", "at most 1000000"],
    ),
    "broken TOML": ("seed = 3", "seed = ", ["line 3"]),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_that_names_it(mistake, tmp_path):
    """File, key or study, and the legal values are in one line."""
    old, new, words = MISTAKES[mistake]
    assert old in SMALL
    path = written(tmp_path, SMALL.replace(old, new, 1))
    with pytest.raises(InputError) as caught:
        load_recipe(path)
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith("small.toml: ")
    for word in words:
        assert word in text


def test_a_file_that_is_no_text_is_refused(tmp_path):
    """Bytes that are not UTF-8 are an error of the file."""
    path = tmp_path / "bytes.toml"
    path.write_bytes(b"title = '\xff'")
    with pytest.raises(InputError, match=r"^bytes.toml: "):
        load_recipe(str(path))


def test_deep_nesting_and_size_are_refused(tmp_path):
    """TOML nested 10^5 deep ended in a RecursionError; a file of megabytes is not read."""
    deep = tmp_path / "deep.toml"
    deep.write_text("x = " + "[" * 10**5)
    with pytest.raises(InputError, match=r"^deep.toml: nested too deeply$"):
        load_recipe(str(deep))
    deep.write_text("#" * 2_000_000)
    with pytest.raises(InputError, match=r"^deep.toml: size = .* at most 1000000 bytes"):
        load_recipe(str(deep))


@pytest.mark.parametrize(("name", "message"), [("overvew", "did you mean overview"), ("x.toml", "no file 'x.toml'")])
def test_missing_recipes_are_named(name, message):
    """A name gets close names, a path says that there is no such file."""
    with pytest.raises(InputError, match=message):
        load_recipe(name)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{ eta = 0.05 }", "{ etaa = 0.05 }", "method fedavg has no hyperparameter 'etaa'; it has eta, gamma"),
        ("{ eta = 0.05 }", '{ eta = "big" }', "fedavg: eta = 'big' is not legal"),
        ("{ eta = 0.05 }", "{ gamma = 1.0 }", "method fedavg needs eta"),
        ("{ d = 4,", "{ dd = 4,", "unknown parameter dd"),
    ],
)
def test_mistakes_in_names_that_others_own(old, new, message, tmp_path):
    """Hyperparameters and problem parameters are checked when the recipe is planned, before anything runs."""
    with pytest.raises(InputError, match=f"^study ridges: .*{message}"):
        study_settings(small(tmp_path, change=(old, new)))


def test_grid_points(tmp_path):
    """A product runs through all combinations; a zip runs lists side by side and repeats single values."""
    ridges, tilt = small(tmp_path).study
    assert len(list(settings(ridges))) == 2 * 1 * 4 * 1 * 2
    assert next(iter(settings(ridges))) == {"N": 2, "K": 2, "T": 3, "d": 4, "sigma": 0.5}
    assert [(s["N"], s["T"], s["zeta"]) for s in settings(tilt)] == [(2, 10, 10.0), (2, 20, 20.0), (2, 30, 30.0)]


@pytest.mark.parametrize("name", names("reports"))
def test_shipped_recipes_are_legal(name):
    """Every shipped recipe loads, speaks of registered bounds, and has at least one cell to run or claims to decide."""
    recipe = load_recipe(name)
    assert all(bound in BOUNDS for study in recipe.study for bound in study.bounds)
    assert recipe.study or recipe.experiment or recipe.claims is None
