"""A function a command: the same names and defaults, examples that run, names wherever objects stand."""

import doctest
import importlib
import inspect
import re
from pathlib import Path

import pytest
from turns import case_of

import boundcheck as bc
from boundcheck.cli.app import app

PAGE = (Path(__file__).parents[1] / "docs" / "api.md").read_text(encoding="utf-8")
TABLE = re.findall(r"`([a-z_]+)`", PAGE.partition("| command | function |")[2].partition("## About")[0])
COMMANDS = {name: app[name].default_command for name in app if not name.startswith("-") and name in TABLE}
"""Those of the page's table."""
CALLED = {"run": "simulate", "list": "list_"}
"""Functions of another name: `run` says little in Python, `list` is Python's own."""
APART = {"mcp", "verify"}
"""A server; and a module that runs alone."""
OF_A_TERMINAL = {
    *(
        "json",
        "fail_on",
        "suggest",
        "csv",
        "output",
        "export",
        "certificates",
        "certificate",
        "coq",
        "latex",
        "lean",
        "paper",
        "script",
    ),
    *("dask", "cache", "plot", "proof", "needs", "dry_run", "yes", "outputs", "check", "claims", "N"),
}
"""Parameters of commands that say what is printed, written or where; N stands beside names alone."""
SLOW = {"steps", "plot", "refute", "review", "rate", "bounds", "certify", "conform"}


def function_of(command):
    return getattr(bc, CALLED.get(command, command))


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - APART))
def test_a_command_is_a_function_with_its_names_and_defaults(command):
    """Every parameter that is no matter of the terminal, with the same default."""
    asked = dict(inspect.signature(COMMANDS[command]).parameters)
    if settings := asked.pop("at", None) if command in {"compare", "steps"} else None:
        asked |= inspect.signature(importlib.import_module("boundcheck.cli.shared.arena").RunSettings).parameters
        assert settings.default is inspect.Parameter.empty
    taken = inspect.signature(function_of(command)).parameters
    wanted = {name: p.default for name, p in asked.items() if name not in OF_A_TERMINAL}
    if command == "prove":
        # A command takes a core for every process that there is, and keeps answers; a function does neither unasked.
        wanted.pop("workers")
    for name, default in wanted.items():
        assert name in taken, name
        assert taken[name].default == default, name


def test_the_table_has_the_commands_that_ship():
    """But for the server."""
    assert len(COMMANDS) == 25
    assert "mcp" in app


def test_every_function_is_on_the_page_and_has_an_example():
    functions = [
        name for name in bc.__all__ if inspect.isroutine(getattr(bc, name)) or hasattr(getattr(bc, name), "__wrapped__")
    ]
    assert len(functions) > 22
    for name in functions:
        found = inspect.unwrap(getattr(bc, name))
        if name != "load_problem":
            assert ">>> import boundcheck as bc" in found.__doc__, name
            assert re.search(rf"members: \[.*\b{name}\b", PAGE), name
    assert PAGE.index("import boundcheck as bc") < PAGE.index(":::")


@pytest.mark.parametrize(
    "name", [case_of(CALLED.get(one, one), slow=one in SLOW) for one in sorted({*COMMANDS, "decide"} - APART)]
)
def test_examples_run(name):
    """What a docstring shows is what comes out."""
    found = inspect.unwrap(getattr(bc, name))
    tests = doctest.DocTestFinder().find(found, name, globs={})
    said = []
    for test in tests:
        doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert not said, "".join(said)
    assert tests


def test_the_code_of_the_page_prints_what_it_says(capsys):
    """What a comment says, of "api.md"."""
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(block, {})
    printed = capsys.readouterr().out.splitlines()
    for line in re.findall(r"^print\(.*\)  # (.*)$", block, flags=re.MULTILINE):
        assert line in printed


def test_names_and_objects_are_the_same():
    """In any order, by an ending, with 1e2 for 100, with the older name of `set_`."""
    bound, problem = bc.BOUNDS["momentum-fl.theorem11"], bc.load_problem("common", N=2)
    first = bc.check("momentum-fl.theorem11", "common", N=2, K=1, T=100)
    for found in (
        bc.check(bound, problem, K=1, T=1e2),
        bc.check("common", "Theorem11", N=2, K=1, T=100),
        bc.check(problem, "theorem11", K=1, T=[100])[0],
    ):
        assert found.data() == first.data()
    old = bc.check(bound, problem, K=1, T=100, overrides={"c": 0.5})
    assert old.data() == bc.check(bound, problem, K=1, T=100, set_={"c": 0.5}).data()
    assert old.rhs != first.rhs
    run = bc.simulate(problem, bc.METHODS["fedavg"](eta=0.1), K=1, T=1e1, lanes=2, metrics=["server_gradient"])
    again = bc.simulate("fedavg", "common", set_={"eta": 0.1}, N=2, K=1, T=10, lanes=2)
    assert (run.average("server_gradient") == again.average("server_gradient")).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bc.check("theorem11", "common", K=1, T=1), "problem = 'common' is not legal: a name with N beside it"),
        (lambda: bc.check("theorem11", "common", N=2, K=1.5, T=1), "K = 1.5 is not legal: an integer"),
        (lambda: bc.check("theorem11", "common", N=2, K=1, T=[]), r"T = \[\] is not legal: one number of rounds"),
        (lambda: bc.check("theorem11", "common", N=2, K=1, T="8"), "T = '8' is not legal: an integer"),
        (lambda: bc.check("theorem1", "common", N=2, K=1, T=8), "unknown bound 'theorem1'; did you mean"),
        (
            lambda: bc.check("theorem11", bc.load_problem("common", N=2), N=3, K=1, T=8),
            "N = 3 is not legal: left out, or 2",
        ),
        (lambda: bc.simulate("common", bc.METHODS["fedavg"](eta=1.0), N=2, K=1, T=1, set_={"eta": 1}), "set_ = "),
        (lambda: bc.simulate("common", "fedavg", N=2, K=1, T=1), "method fedavg needs eta"),
        (lambda: bc.table("fmgda.table1", over="sigma"), "over = 'sigma' is not legal: two letters"),
        (lambda: bc.findings(severity="all"), "severity = 'all' is not legal: statement, step, sentence"),
        (lambda: bc.explain("vacuous", N=2), "N = 2 is not legal: left out without a problem"),
        (lambda: bc.worst("fedavg", T=1), "fedavg: no value of K: local steps and rounds"),
        (lambda: bc.sharpen("fedavg", K=1, T=1, near=True), "near = True is not legal: left out"),
        (lambda: bc.conform(against="mine:f"), "one implementation with one method"),
        (lambda: bc.new("lemma", "a.toml"), "kind = 'lemma' is not legal: theorem, method, problem, claim, adapter"),
        (lambda: bc.list_("papers", paper=None) and bc.list_("people"), "kind = 'people' is not legal: papers"),
        (lambda: bc.decide("a < b", letters="a, b > 0"), "^line = 'a < b' is not legal"),
    ],
)
def test_a_slip_is_one_sentence(call, message):
    with pytest.raises(bc.InputError, match=message):
        call()
