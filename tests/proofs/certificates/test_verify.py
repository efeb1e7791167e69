"""The checker: the examples of its page pass, false statements and broken proofs do not, and it stands alone."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from boundcheck.cli.app import run
from boundcheck.proofs.kernel import certificates as verify

ROOT = Path(__file__).parents[3]
CHECKER = Path(verify.__file__)
PAGE = (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8")
BLOCKS = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)]
EXAMPLES = [certificate for block in BLOCKS for certificate in (block if isinstance(block, list) else [block])]
LINES = 395


def accepted(certificate, past=None):
    """Whether the checker takes a certificate."""
    try:
        verify.check({"id": "x", **certificate}, {} if past is None else past)
    except verify.ERRORS:
        return False
    return True


def real(shows, by, given=(), steps=(), **letters):
    return {"letters": letters, "given": list(given), "shows": shows, "steps": list(steps), "by": by}


def test_examples_of_the_page_pass_in_their_order():
    """Every kind of certificate has an example, and each prints its statement."""
    past = {}
    for certificate in EXAMPLES:
        lines = verify.check(certificate, past)
        assert lines[0] == json.dumps(certificate["id"])
        assert all(any(text in line for line in lines) for text in certificate.get("given", []))
    assert {c["kind"] for c in EXAMPLES} == {"identity", "real", "gram", "linear", "tree", "point", "tail", "box"}


def test_the_checker_stands_alone(tmp_path):
    """It needs the standard library only, is small, and runs in an empty folder without site packages."""
    tree = ast.parse(CHECKER.read_text(encoding="utf-8"))
    imported = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    imported |= {n.module.partition(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module}
    assert imported <= set(sys.stdlib_module_names)
    documented = [n for n in ast.walk(tree) if isinstance(n, (ast.Module, ast.ClassDef, ast.FunctionDef))]
    texts = [n.body[0] for n in documented if ast.get_docstring(n)]
    inside = {line for t in texts for line in range(t.lineno, t.end_lineno + 1)}
    code = [k for k, s in enumerate(CHECKER.read_text().splitlines(), 1) if s.strip() and k not in inside]
    assert len(code) <= LINES
    file = tmp_path / "some.json"
    file.write_text(json.dumps(EXAMPLES))
    done = subprocess.run(
        [sys.executable, "-I", "-S", CHECKER, file], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert f"{len(EXAMPLES)} certificates checked" in done.stdout


TRUE = {
    "0 = 0": real("0 = 0", []),
    "a square": real("2*x*y <= x^2 + y^2", [[["x - y"]]], x="", y=""),
    "a letter divides out": real("x/x = 1", [], x=">0"),
    "a denominator that a hypothesis keeps from zero": real("x/x = 1", [], ["x != 0"], x=""),
    "a hypothesis defined by a later one": real("x <= 1/y", [[0]], ["x <= 1/y", "y > 0"], x="", y=""),
    "an excluded middle": real(
        "x^2 > 0",
        None,
        ["x < 0 or x > 0"],
        x="",
    )
    | {"cases": 0, "each": [{"by": [[["x"]]]}, {"by": [[["x"]]]}]},
    "two hypotheses that exclude each other": real("0 < 0", [[0], [1], ["1"]], ["x >= 1", "x <= 0"], x=""),
    "a quotient below a divisor": real("1/(1/x) = x", [], ["x != 0"], x=""),
    "a negative power below a divisor": real("1/(x + y)^-2 = (x + y)^2", [], x=">0", y=">=0"),
    "a nonnegative letter that is not zero": real("x > 0", [["x"]], ["x != 0"], x=">=0"),
}
TRUE["an excluded middle"].pop("by")

FALSE = {
    "0 = 1": real("0 = 1", []),
    "0 < 0": real("0 < 0", []),
    "a proof of 0 = 0 under another statement": real("x <= y", [], x="", y=""),
    "a negative weight": real("x <= 0", [["-1", "x"]], x=">0"),
    "a letter of unknown sign": real("0 <= x", [["x"]], x=""),
    "a strict conclusion from a weak one": real("0 < x", [["x"]], x=">=0"),
    "a square of nothing is not positive": real("0 < x^2", [[["x"]]], x=""),
    "division by what may be zero": real("x/x = 1", [], x=""),
    "division by what may be zero, below a divisor": real("x/(1/x) = x^2", [], x=""),
    "division by zero, below a divisor": real("1/(1/0) = 0", []),
    "a negative power of what may be zero, below a divisor": real("1/x^-1 = x", [], x=""),
    "division by zero in a case": real("x/x = 1", None, x="") | {"cases": "x", "each": [{"by": []}] * 3},
    "a case left out": real("0 <= x", None, x="") | {"cases": "x", "each": [{"by": [["x"]]}, {"by": [["x"]]}]},
    "a hypothesis that is its own definition": real("x > 0", [["x"]], ["1/x > 0"], x=""),
    "a lemma without a proof": real("0 < x", [[0]], steps=[{"shows": "x > 0", "by": []}], x=""),
    "a lemma that uses itself": real("0 < x", [[0]], steps=[{"shows": "x > 0", "by": [[0]]}], x=""),
    "a lemma with a use beside it": real("0 < x", [[0]], steps=[{"use": "no", "shows": "x > 0"}], x=""),
    "a rule that is a step": real("0 < x", [[0]], steps=[{"rule": "r", "shows": "x > 0"}], x=""),
    "a comment in a relation": real("0 <= 1 # + x", [["1"]], x=""),
    "two lines in a relation": real("0 <= (1\n)", [["1"]]),
    "a decimal number": real("1/2 = 0.5", []),
    "a letter that is not declared": real("x = x", []),
    "an exponent with a letter": real("2^x = 2^x", [], x=">0"),
    "a call": real("abs(x) >= 0", [["1"]], x=""),
    "a vector compared with a number": real("a = a", [], a="vector"),
    "a product of vectors": real("<a*b, c> = <a*b, c>", [], a="vector", b="vector", c="vector"),
    "a deviation that is not orthogonal": real("<v, c> = 0", [], v="family", c="vector"),
    "a comparison inside an expression": real("(1 < 2) = 1", []),
    "a sort that does not exist": real("x = x", [], x=">1"),
    "a name that is none": real("0 = 0", [], **{"x; y": ""}),
    "an unknown key": real("0 = 0", []) | {"hypotheses": ["x > 0"]},
    "a point outside": real("0 = 0", [], ["x > 1"], x="") | {"point": {"x": "1"}},
    "a point of hypotheses without one": real("0 = 0", [], ["1 < 0"], x="") | {"point": {"x": "1"}},
    "no conclusion and no point": {"letters": {"x": ""}, "given": []},
}


@pytest.mark.parametrize("name", TRUE)
def test_true_neighbours_pass(name):
    """Small true statements with their proofs."""
    assert accepted(TRUE[name])


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours_fail(name):
    """What is false, unproved, undefined or not in the grammar."""
    assert not accepted(FALSE[name])


def test_a_used_certificate_keeps_its_hypotheses():
    """From x <= y it follows that 2 x <= 2 y; the same is not concluded where x <= y is not shown."""
    past = {}
    lemma = {"id": "double"} | real("2*x <= 2*y", [["2", 0]], ["x <= y"], x="", y="")
    verify.check(lemma, past)
    step = {"use": "double", "with": {"x": "z", "y": "z + 1"}}
    assert accepted(real("2*z <= 2*z + 2", [[1]], ["z <= z + 1"], [step], z=""), dict(past))
    step = {"use": "double", "with": {"x": "z + 1", "y": "z"}}
    assert not accepted(real("2*z + 2 <= 2*z", [[0]], steps=[step], z=""), dict(past))


@pytest.mark.parametrize("letters", [{"x": ""}, {}])
def test_a_used_certificate_speaks_of_its_own_letters_alone(letters):
    """``euler`` is a number in what an interval shows, and may be any letter where that is used."""
    past, bounds = {}, [f"{x} {sign}" for x in letters for sign in (">= 0", "<= 1")]
    shows = " + ".join([*letters, "1"])
    verify.check(
        {"id": "cell", "kind": "box", "letters": letters, "given": bounds, "shows": f"{shows} - 2 < euler"}, past
    )
    used = real(f"{shows} - 2 < euler", [["1", len(bounds)]], bounds, [{"use": "cell"}], euler="", **letters)
    assert not accepted(used, past)
    verify.check({"id": "other", "kind": "box", "letters": letters, "given": bounds, "shows": f"{shows} < 3"}, past)
    used = real(f"{shows} < 3", [["1", len(bounds)]], bounds, [{"use": "other"}], euler="", **letters)
    assert accepted(used, past)


def test_a_vector_that_clients_share_is_not_replaced_by_a_family():
    """|mean(c)|^2 = |c|^2 holds for a common vector, not for a family; for a family it is shown as one."""
    past = {}
    verify.check({"id": "common"} | real("|mean(c)|^2 = |c|^2", [], c="vector"), past)
    verify.check({"id": "square"} | real("|c|^2 >= 0", [[["c"]]], c="family"), past)
    for name, shows, passes in (("common", "|mean(v)|^2 = |v|^2", False), ("square", "|v|^2 >= 0", True)):
        by = [["1", 0]]
        used = real(shows, by, steps=[{"use": name, "with": {"c": "v"}}], v="family")
        assert accepted(used, dict(past)) is passes


def test_trusted_rules_are_printed_and_inherited():
    """What stands on the name of a rule alone is named wherever it is relied on; its hypotheses are asked for."""
    past = {}
    rule = {"id": "sum", "letters": {"x": "", "y": ""}, "given": ["y >= 0"], "shows": "x >= 0", "rule": "sums of y"}
    line = '  trusted ["sums of y", "sum", "x >= 0"]'
    assert line in verify.check(rule, past)
    step = {"use": "sum", "with": {"y": "1"}}
    assert line in verify.check({"id": "then"} | real("2*x >= 0", [["2", 0]], steps=[step], x=""), past)
    assert not accepted(real("2*x >= 0", [["2", 0]], steps=[{"use": "sum", "with": {"y": "x"}}], x=""), past)


def test_entries_of_sequences_are_instances():
    """V[t] <= c for every t gives V[2, k] no bound; with one index it does, at 1 + 1 as at 2."""
    past = {}
    leaf = {"letters": {"V[]": "", "c": "", "t": ""}, "shows": "V[t] <= c", "rule": "assumption"}
    verify.check({"id": "bound"} | leaf, past)
    steps = [{"use": "bound", "with": {"t": "1 + 1"}}]
    letters = {"V[]": "", "c": "", "k": ""}
    for shows, passes in (("V[2] <= c", True), ("V[3] <= c", False), ("V[2, k] <= c", False)):
        assert accepted(real(shows, [["1", 0]], steps=steps, **letters), dict(past)) is passes


def test_the_command_names_the_first_that_fails(tmp_path, capsys):
    """Exit 0 after all passed, 1 at the first that fails, 2 where there is no such file."""
    good, bad = tmp_path / "a.json", tmp_path / "b.json"
    good.write_text(json.dumps({"id": "good", **TRUE["a square"]}))
    bad.write_text(json.dumps([{"id": "worse", **FALSE["0 = 1"]}, {"id": "last", **FALSE["0 < 0"]}]))
    assert run(["verify", str(good)]) == 0
    assert "2*x*y <= x^2 + y^2" in capsys.readouterr().out
    assert run(["verify", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "worse" in said
    assert "last" not in said
    bad.write_text("{")
    assert run(["verify", str(bad)]) == 1
    assert run(["verify", str(tmp_path / "none.json")]) == 2
