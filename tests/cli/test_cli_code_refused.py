"""Nothing that stands in a data file runs code unless the caller says so: every key of every kind of file is asked."""

import itertools
import json
from pathlib import Path

import msgspec
import pytest
from cli_calls import called
from fuzzed_files import FILE_KINDS
from turns import case_of

from boundcheck.errors import BoundcheckError, InputError
from boundcheck.files.own import CodeRefusedError, DataFile, following, load_reference
from boundcheck.problems import load_problem
from boundcheck.problems.catalog import Instance
from boundcheck.proofs.language import files, source
from boundcheck.sweep import load_recipe
from boundcheck.sweep.recipes.recipe import Recipe
from boundcheck.workers.processes import pool
from boundcheck.worst import theorems

STUDY = {
    "id": "s",
    "title": "t",
    "problem": "ridge-ratio",
    "bounds": ["momentum-fl.theorem11"],
    "N": [2],
    "K": [1],
    "T": [2],
    "S": [2],
    "b": 1,
    "parameters": {"link": "ratio"},
    "overrides": {"beta": 0.5},
    "zip": False,
    "fit": ["T"],
    "epsilons": [],
    "compare": [
        {"method": "fedavg", "hyper": {"eta": 0.1}, "powers": {"eta": -0.5}, "decays": [0.5], "label": "other"}
    ],
    "beside": ["momentum-fl.table1-yu"],
    "text": "t",
    "reading": "",
    "equation": "",
    "fixed": "",
    "brief": False,
    "script": "",
    "repairs": "",
}
EXPERIMENT = {
    "id": "e",
    "title": "t",
    "problems": ["ridge-ratio"],
    "N": [2],
    "K": [1],
    "T": [2],
    "entrant": [
        {
            "method": "fedavg",
            "hyper": {"eta": [0.1, 0.2]},
            "label": "mine",
            "schedule": {"eta": "0.99^t"},
            "K": 1,
            "weight_decay": 0.0,
        }
    ],
    "S": [2],
    "b": 1,
    "parameters": {"link": "ratio"},
    "metric": "server_gradient",
    "metrics": ["drift"],
    "read": "average",
    "readouts": ["late"],
    "shares": [0.5],
    "reach": 0.5,
    "axes": ["rounds"],
    "tuning": 1,
    "replicates": 2,
    "widen": 0,
    "memory": 10.0,
    "epsilons": [],
    "table": ["drift"],
    "text": "",
}
ASK = {
    "kind": "below",
    "experiment": "e",
    "of": ["mine"],
    "than": [],
    "axes": ["rounds"],
    "metric": "drift",
    "level_with": "",
    "expect": "",
    "along": "",
    "where": {"N": 2},
    "margin": 0.1,
    "level": 1.0,
    "against": False,
}
RECIPE = {
    "title": "t",
    "study": [STUDY],
    "finding": [{"id": "theorem11", "first": 1}],
    "story": [{"title": "t", "text": "t", "picture": "steps", "studies": ["s"]}],
    "experiment": [EXPERIMENT],
    "assertion": [
        {
            "id": "a",
            "paper": "fmgda",
            "lines": "1",
            "title": "t",
            "says": "s",
            "ask": [ASK],
            "control": [ASK | {"expect": "not no"}],
            "cannot": "",
            "text": "",
        }
    ],
    "seed": 0,
    "replicates": 2,
    "budget": 2,
    "paths": 0,
    "alpha": 0.05,
    "points": 2,
    "promises": False,
    "asserted": False,
    "rates": ["s"],
    "tables": [],
    "claims": [],
    "ledger": "full",
    "text": "",
}
"""A recipe with every key that there is."""
MAY_RUN = {
    "study[0].problem",
    "study[0].bounds[0]",
    "study[0].compare[0].method",
    "study[0].beside[0]",
    "experiment[0].problems[0]",
    "experiment[0].entrant[0].method",
    "experiment[0].metric",
    "experiment[0].metrics[0]",
}
"""Keys of a recipe that name code where it is trusted."""
CODE = "from pathlib import Path\nPath('it-ran').touch()\nX = None\n"


def toml(data) -> str:
    """Return plain data as TOML, everything below the top in line."""
    return "".join(f"{key} = {_inline(value)}\n" for key, value in data.items())


def _inline(value) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(k))} = {_inline(v)}" for k, v in value.items()) + "}"
    return f"[{', '.join(map(_inline, value))}]" if isinstance(value, list) else json.dumps(value)


def places(data, above=""):
    """Yield a path to every value that is no table, and to every place of a list or table that is empty."""
    inside = data.items() if isinstance(data, dict) else enumerate(data)
    some = False
    for key, value in inside:
        some = True
        here = f"{above}[{key}]" if isinstance(data, list) else f"{above}.{key}".lstrip(".")
        if isinstance(value, (dict, list)):
            yield from places(value, here)
        else:
            yield here
    if not some:
        yield f"{above}[0]" if isinstance(data, list) else f"{above}.new"


def put(data, place, value):
    """Return data with another value at a place."""
    head, *rest = place.replace("[", ".[").strip(".").split(".")
    rest = ".".join(rest)
    if head.startswith("["):
        i, data = int(head.strip("[]")), list(data)
        data[i:i] = [] if i < len(data) else [{} if rest else ""]
        data[i] = put(data[i], rest, value) if rest else value
        return data
    return {**data, head: put(data[head], rest, value) if rest else value}


@pytest.fixture
def code(tmp_path, monkeypatch):
    """Return a function that returns a new reference, whose code leaves a mark where it runs."""
    monkeypatch.chdir(tmp_path)
    number = itertools.count()

    def made() -> str:
        name = f"run{next(number)}"
        Path(f"{name}.py").write_text(CODE)
        return f"{name}.py:X"

    return made


def ran() -> bool:
    """Return whether code has run since the last question."""
    mark = Path("it-ran")
    found = mark.exists()
    mark.unlink(missing_ok=True)
    return found


def structs(kind, seen=()):
    """Yield a struct and those that its fields hold."""
    yield kind
    for one in msgspec.structs.fields(kind):
        for inner in _inside(one.type):
            if inner not in seen:
                yield from structs(inner, (*seen, kind))


def _inside(hint):
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
    for part in getattr(hint, "__args__", ()):
        yield from _inside(part)


def test_the_recipe_has_every_key():
    """A key that is added to a recipe is asked too: this recipe must have it."""
    known = {place.replace("[0]", "").split(".")[-1] for place in places(RECIPE)}
    keys = {name for struct in structs(Recipe) for name in struct.__struct_encode_fields__}
    tables = {"study", "compare", "finding", "story", "experiment", "entrant", "assertion", "ask", "control"}
    inner = {"parameters", "overrides", "hyper", "powers", "schedule", "where"}
    given = known | tables | inner | {"decays", "epsilons", "than", "tables", "claims", "of"}
    assert keys <= given, keys - given


def test_the_recipe_is_legal(tmp_path):
    """What is refused below is refused for the one value that is changed."""
    (tmp_path / "it.toml").write_text(toml(RECIPE | {"finding": []}))
    assert load_recipe(str(tmp_path / "it.toml")).study[0].id == "s"


def test_no_key_of_a_recipe_runs_code(code, capsys):
    """Every value is put to the question, as text and as what a selection of parameters follows."""
    loud = set()
    for place in places(RECIPE):
        for spelled in ("{}", "{}[zeta=1]"):
            name = code()
            page = toml(put(RECIPE | {"finding": []}, place, spelled.format(name)))
            Path("it.toml").write_text(page)
            error = _error(lambda: load_recipe("it.toml"))
            assert not ran(), place
            _error(lambda: load_recipe("it.toml", trust_code=True))
            if ran():
                loud.add(place)
                assert isinstance(error, CodeRefusedError), place
                assert "it.toml: " in str(error)
                assert f"{place} = " in str(error), error
                assert "--trust-code" in str(error)
    assert loud == MAY_RUN


@pytest.mark.parametrize("place", sorted(MAY_RUN))
@pytest.mark.parametrize("command", ["sweep it.toml --workers 2 --store st", "report it.toml --store st"])
def test_commands_refuse(place, command, code, capsys):
    """Neither a dry run nor a run, in this process or in workers, runs what a recipe names."""
    Path("it.toml").write_text(toml(put(RECIPE | {"finding": []}, place, code())))
    for options in ("--dry-run", ""):
        exit_code, _, err = called(capsys, *command.split(), *options.split())
        assert exit_code == 2
        assert "it.toml" in err
        assert place in err
        assert err.count("\n") == 1
        assert not ran()


def test_keys_of_findings_are_names_of_shipped_studies(code):
    name = code()
    Path("it.toml").write_text(toml({"title": "t", "finding": [{"id": name}]}))
    with pytest.raises(InputError, match=r"it\.toml: finding"):
        load_recipe("it.toml", trust_code=True)
    assert not ran()


PAGE = {
    "title": "t",
    "family": "ridge",
    "purpose": "p",
    "paper": ["fmgda"],
    "parameters": {"link": "ratio", "d": 2, "noise": "sphere"},
    "id": "",
}


def test_no_key_of_a_problem_file_runs_code(code):
    """A problem file has no option that would let it."""
    assert PAGE.keys() == set(Instance.__struct_encode_fields__)
    for place in places(PAGE):
        Path("it.toml").write_text(toml(put(PAGE, place, code())))
        error = _error(lambda: load_problem("it.toml", N=2))
        assert not ran(), place
        if place == "family":
            assert "it.toml: family = 'run" in str(error)


CLAIMS = """
title = "TITLE"
about = "ABOUT"
method = "METHOD"
hyper = "HYPER"
uses = "USES"
indices = "INDICES"
[letters]
a = "LETTER"
"LETTERNAME" = ">= 0"
[conditions]
c = "CONDITION"
[vectors]
v = "VECTOR"
[numbers]
n = "NUMBER"
[start]
s = "START"
[equations]
e = "EQUATION"
[definitions]
d = "DEFINITION"
[leaf."LEAF"]
title = "LEAFTITLE"
says = "SAYS"
points = "POINTS"
kind = "KIND"
[leaf."LEDGER"]
says = "a >= 0"
claim = "LEDGERCLAIM"
[claim."CLAIM"]
title = "CLAIMTITLE"
shows = "SHOWS"
steps = "STEPS"
base = "BASE"
induction = "INDUCTION"
vanishing = "VANISHING"
[theorem."THEOREM"]
steps = "THEOREMSTEPS"
base = "THEOREMBASE"
roots = "ROOTS"
pieces = "PIECES"
letters = "THEOREMLETTERS"
at = "AT"
"""


def _fields(text):
    """Return the words in capitals that stand for a value, longest first, so that none is part of another."""
    found = {word.strip('"].') for line in text.splitlines() for word in line.replace(".", " ").split()}
    return sorted((word for word in found if word.isupper() and len(word) > 1), key=len, reverse=True)


def test_no_key_of_a_claim_file_runs_code(code, capsys):
    """Each key alone, in a file that is legal without it; what a file ends in and its method name code if trusted."""
    keys = {key for kind, kinds in source.KEYS.items() if kind not in ("short", "alone") for key in kinds}
    assert keys <= {line.split(" = ")[0] for line in CLAIMS.splitlines()} | set(source.KEYS) | set(source.TABLES)
    alone = {
        "THEOREM": '[theorem."{}"]\n',
        "METHOD": 'method = "{}"\n',
        "USES": 'uses = "{}"\n',
        "LEDGERCLAIM": '[leaf.a]\nsays = "1 >= 0"\nclaim = "{}"\n',
        "CLAIM": '[claim."{}"]\nshows = "1 >= 0"\n',
        "LEAF": '[leaf."{}"]\nsays = "1 >= 0"\n',
        "STEPS": '[claim.a]\nshows = "1 >= 0"\nsteps = "{}"\n',
    }
    loud = set()
    for field in _fields(CLAIMS):
        for text in filter(None, (CLAIMS.replace(f'"{field}"', '"{}"', 1), alone.get(field))):
            name = code()
            Path("it.toml").write_text(text.replace("{}", name))
            error = _error(lambda: files.load("it.toml"))
            exit_code, _, err = called(capsys, "prove", "it.toml")
            assert not ran(), field
            assert exit_code in {0, 2}, err
            trusted = _error(lambda: files.load("it.toml", trust_code=True))
            assert ran() == (field == "THEOREM" and text != CLAIMS.replace('"THEOREM"', '"{}"', 1)), field
            if isinstance(error, CodeRefusedError):
                loud.add(field)
                assert not isinstance(trusted, CodeRefusedError)
                assert exit_code == 2
                assert err.count("\n") == 1
                key = {"THEOREM": f"theorem.{name}", "METHOD": "method"}[field]
                assert f"it.toml: {key} = {name!r}" in str(error), error
    assert loud == {"THEOREM", "METHOD"}


SHORT = """
about = "ABOUT"
letters = "LETTERS"
as = "AS"
[claim.CLAIM]
title = "TITLE"
shows = "SHOWS"
given = "GIVEN"
hypotheses = "HYPOTHESES"
prose = "PROSE"
kind = "KIND"
weight = "WEIGHT"
steps = "STEPS"
repaired_by = "REPAIRED"
[claim.other]
prose = "words"
goal = "GOAL"
"""
LEGAL_SHORT = {
    "LETTERS": "x > 0",
    "AS": "x -> y",
    "SHOWS": "x <= 2*x",
    "GIVEN": "x >= 1",
    "KIND": "remark",
    "WEIGHT": "step",
    "GOAL": "boundcheck.proofs.papers.fmgda.clients",
}


def test_no_key_of_a_short_claim_file_runs_code(code, capsys):
    """Each key alone, the others being legal; trusted or not, since nothing there may name code of the user's."""
    keys = {*source.KEYS["short"], *source.KEYS["alone"]} - {"title", "claim"}
    assert keys <= {line.split(" = ")[0] for line in SHORT.splitlines()}
    for field in _fields(SHORT):
        text = SHORT.replace(field, code())
        for other in sorted(LEGAL_SHORT, key=len, reverse=True):
            text = text.replace(other, LEGAL_SHORT[other])
        Path("it.toml").write_text(text)
        for trust in ([], ["--trust-code"]):
            assert called(capsys, "prove", "it.toml", *trust)[0] in {0, 2}, field
            assert called(capsys, "show", "it.toml")[0] in {0, 2}, field
            assert not ran(), field


THEOREMS = Path(theorems.__file__).parent
OBJECTS = {
    "theorem for all steps": lambda: (THEOREMS / "collection" / "proofs" / "fedavg-2.json").read_text(encoding="utf-8"),
    "theorem of a described round": lambda: (THEOREMS / "described" / "proofs" / "ef21.json").read_text(
        encoding="utf-8"
    ),
    "certificates": lambda: FILE_KINDS["certificates"].texts()[0],
    "proof object": lambda: FILE_KINDS["proof object"].texts()[0],
    "rates": lambda: FILE_KINDS["rates"].texts()[0],
}


def leaves(data, above=()):
    """Yield the path to every value, and to every place that is empty."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    paths = [path for key, value in inside for path in leaves(value, (*above, key))]
    yield from paths or [above]


def one_of_each(paths):
    """Return one path of each kind: entries of a list are alike."""
    return list({tuple("#" if isinstance(key, int) else key for key in path): path for path in paths}.values())


def with_value(data, path, value):
    """Return data with another value at the end of a path."""
    if not path:
        return value
    made = data.copy()
    made[path[0]] = with_value(data[path[0]], path[1:], value)
    return made


@pytest.mark.parametrize("kind", [case_of(kind, slow=kind == "rates") for kind in OBJECTS])
def test_no_key_of_a_proof_or_certificate_runs_code(kind, code, capsys):
    """A theorem's method is compared with its code: `verify` ran whatever a file of the user's that it names."""
    FILE_KINDS["proof object"].beside() if kind == "proof object" else None
    data, loud = json.loads(OBJECTS[kind]()), set()
    command = {"rates": "rate --check it.json", "proof object": "verify it.toml"}.get(kind, "verify it.json")
    for place in one_of_each(leaves(data)):
        Path("it.json").write_text(json.dumps(with_value(data, place, code())))
        exit_code, _, err = called(capsys, *command.split())
        assert not ran(), place
        assert exit_code in {0, 1, 2, 5}, (place, err)
        if command == "verify it.json":
            called(capsys, *command.split(), "--trust-code")
            loud |= {place} if ran() else set()
    assert loud == ({("method", "id")} if kind == "theorem for all steps" else set())


def test_the_users_own_word_is_followed(code, capsys):
    """A name on the command line, or given to a function, is the user's own: there is nothing to refuse."""
    assert called(capsys, "show", code())[0] == 2
    assert ran()
    _error(lambda: load_problem(code(), N=2))
    assert ran()
    name = code()
    Path("it.toml").write_text(f'[theorem."{name}"]\n')
    called(capsys, "prove", "it.toml", "--trust-code")
    assert ran()


def test_what_was_followed_before_is_refused_too(tmp_path, monkeypatch):
    """That the user ran a file himself does not let a data file name it: the answer depends on who speaks."""
    monkeypatch.chdir(tmp_path)
    source = "from boundcheck.methods import METHODS\nX = METHODS['fedavg']\n"
    Path("mine.py").write_text(source)
    from boundcheck.methods import METHODS

    assert METHODS["mine.py:X"] is METHODS["fedavg"]
    Path("it.toml").write_text(toml(put(RECIPE | {"finding": []}, "study[0].compare[0].method", "mine.py:X")))
    with pytest.raises(CodeRefusedError, match=r"it\.toml: study\[0\]\.compare\[0\]\.method"):
        load_recipe("it.toml")
    assert METHODS["mine.py:X"] is METHODS["fedavg"]


def test_a_file_within_a_file_is_not_trusted_for_it(code):
    """A recipe that may run code names a problem file, which may not."""
    Path("page.toml").write_text(toml(PAGE | {"family": code()}))
    Path("it.toml").write_text(toml(put(RECIPE | {"finding": []}, "study[0].problem", "page.toml")))
    with pytest.raises(InputError, match=r"page\.toml: family"):
        load_recipe("it.toml", trust_code=True)
    assert not ran()


def test_workers_refuse_what_their_parent_refuses(code):
    name = code()
    with following(DataFile("it.toml", {"key": name})), pool(1) as executor:
        asked = executor.submit(load_reference, "method", str(Path(name).absolute()), bool)
        with pytest.raises(CodeRefusedError, match=r"it\.toml: key"):
            asked.result()
    assert not ran()
    with pool(1) as executor, pytest.raises(InputError, match="method"):
        executor.submit(load_reference, "method", str(Path(name).absolute()), bool).result()
    assert ran()


def _error(work):
    """Return what is raised on purpose, None where nothing is."""
    try:
        work()
    except BoundcheckError as error:
        return error
    return None
