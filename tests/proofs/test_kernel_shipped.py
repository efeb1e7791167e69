"""The shipped proofs from their leaves to the last claim, decided by the kernel alone."""

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter

import pytest
from kernel_papers import LIBRARY, pages, written_page

from boundcheck.proofs.kernel import File, elementary
from boundcheck.proofs.kernel.file import LAWS as LAWS_OF_STEPS
from boundcheck.proofs.kernel.report import LAWS, leaves, lines, read
from boundcheck.proofs.kernel.text import expression, relations, written
from boundcheck.proofs.search.accepted import OBJECTS

KERNEL = OBJECTS.parents[1] / "kernel"


def _read(name):
    page = written_page(name)
    return read(page, json.loads(page.with_suffix(".json").read_text(encoding="utf-8")), LIBRARY)


@pytest.mark.parametrize("name", pages())
def test_every_claim_is_proved(name):
    kernel = _read(name)
    assert [id_ for id_, verdict in kernel.verdicts.items() if not verdict.proved] == []


def test_it_runs_alone_without_any_package(tmp_path):
    """A copy of the folder, Python without site packages, another working directory."""
    shutil.copytree(KERNEL, tmp_path / "kernel", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (written_page("sgd"), OBJECTS / "sgd.json", LIBRARY[0] / "facts.toml"):
        shutil.copy(path, tmp_path)
    command = [sys.executable, "-S", "-E", str(tmp_path / "kernel"), "sgd.toml", "sgd.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "3 of 3 claims proved" in done.stdout
    assert "if eta L <= 1" in done.stdout


def test_an_unproved_claim_and_an_illegal_file_have_their_exit_codes(tmp_path):
    text = written_page("sgd").read_text(encoding="utf-8")
    for new, code in (("eta L <= 2", 1), ("teapot", 2)):
        (tmp_path / "sgd.toml").write_text(text.replace("eta L <= 1", new), encoding="utf-8")
        command = [
            sys.executable,
            "-S",
            str(KERNEL),
            str(tmp_path / "sgd.toml"),
            str(OBJECTS / "sgd.json"),
            str(LIBRARY[0]),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (code, ""), done.stdout


@pytest.mark.parametrize("choices", ["[]", "{", '{"births": 1}', '{"claims": {"descent": 7}}', '{"late": 3}'])
def test_a_proof_object_that_is_none_ends_in_a_word(tmp_path, choices):
    (tmp_path / "sgd.json").write_text(choices, encoding="utf-8")
    command = [sys.executable, "-S", str(KERNEL), str(written_page("sgd")), str(tmp_path / "sgd.json"), str(LIBRARY[0])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (1, 2)
    assert done.stderr == ""


def test_it_imports_nothing_but_the_standard_library():
    for path in KERNEL.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert all(alias.name in sys.stdlib_module_names for alias in node.names), path
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert node.module.partition(".")[0] in sys.stdlib_module_names, path
            if isinstance(node, ast.Constant):
                assert not isinstance(node.value, float), f"{path}: numbers are exact"
            if isinstance(node, ast.Name):
                assert node.id not in {"eval", "exec", "float"}, path


def test_what_is_printed_is_whole():
    """Every hypothesis, every range, and what the last claim stands on."""
    kernel = _read("momentum_fl_theorem11")
    printed = "\n".join(lines(kernel))
    assert "288 euler K^2 L^2 eta^2 (euler L^2 T^2 beta^2 gamma^2 + (1 - beta)^2) <= 1" in printed
    assert "for t = 0 .. T - 1, k = 0 .. K - 2" in printed
    assert "variance (assumption): |xi[t, k]|^2 <= sigma^2/b for t = 0 .. T - 1, k = 0 .. K - 1" in printed
    assert "smooth (assumption): |grad(u) - grad(v)|^2 <= L^2 |u - v|^2 for all points u client, v client" in printed
    assert "server-step (equation): x[t + 1] = x[t] - gamma g[t + 1] for t = 0 .. T - 1" in printed
    found = leaves(kernel, "momentum-fl.theorem11")
    assert {"smooth", "descent-lemma", "variance", "gap", "lower", "client-gradients"} <= set(found)
    assert {"unbiased", "independent"} <= set(found)
    assert "sampled" not in found


def test_claims_of_the_ledger_are_named(tmp_path):
    page = tmp_path / "mine.toml"
    page.write_text(
        'indices = "t = 0 .. T - 1"\n[letters]\n"> 0" = "T"\n[numbers]\n"A[t]" = "the first"\n'
        '[leaf.lemma]\nclaim = "fmgda.lemma4"\nsays = "A[t] <= 2 for t"\n'
        '[claim.weaker]\nsteps = "lemma"\nshows = "A[t] <= 3 for t"\n',
        encoding="utf-8",
    )
    kernel = read(page, {"claims": {"weaker": [{"multipliers": ["1"], "squares": []}]}}, LIBRARY)
    assert kernel.verdicts["weaker"].proved
    assert "lemma (claim of the ledger fmgda.lemma4): A[t] <= 2" in "\n".join(lines(kernel))


@pytest.mark.parametrize("name", pages())
def test_what_is_printed_is_what_was_read(name):
    """Reading what is written gives the same tree: relations of claims and leaves, hypotheses and equations."""
    file = File()
    file.read(written_page(name), LIBRARY)
    statements = [*file.leaves.values(), *(claim.statement for claim in file.claims.values())]
    for one in statements:
        for tree in (one.shows, *one.given):
            assert relations(written(tree)) == (tree,)
    for one in file.equations.values():
        assert expression(written(one.right)) == one.right


def _whole(text):
    return " ".join(text.split())


@pytest.mark.parametrize("name", pages())
def test_the_page_says_what_its_source_says(name):
    """Every declaration, leaf and step is that of the source; a claim may only say more of what it is given."""
    source = tomllib.loads((LIBRARY[0] / f"{name}.toml").read_text(encoding="utf-8"))
    page = tomllib.loads(written_page(name).read_text(encoding="utf-8"))
    ours, theirs = page.pop("claim", {}), source.pop("claim", {})
    endings = source.pop("theorem", {})
    assert page == source
    for id_, claim in _flat(theirs):
        mine = dict(_flat(ours))[id_]
        shows, more = _whole(claim["shows"]), _whole(mine["shows"])
        joint = ", " if " if " in shows else " if "
        assert more == shows or more.startswith(shows + joint), id_
        assert {key: text for key, text in mine.items() if key != "shows"} == {
            key: text for key, text in claim.items() if key != "shows"
        }
    assert {id_ for id_, _ in _flat(ours)} - {id_ for id_, _ in _flat(theirs)} == {id_ for id_, _ in _flat(endings)}


def _flat(table, before=""):
    for key, value in table.items():
        if isinstance(value, dict):
            if any(isinstance(one, str) for one in value.values()):
                yield before + key, value
            else:
                yield from _flat(value, f"{before}{key}.")


@pytest.mark.slow
@pytest.mark.parametrize("name", pages())
def test_last_claims_are_the_registered_bounds(name):
    """The one thing that the kernel cannot see: the statement is made from the bound that runs are measured against."""
    from boundcheck.proofs.chain.whole.proof import claims_of
    from boundcheck.proofs.language.files import load
    from boundcheck.proofs.language.grammar import node_text as printed

    file = load(LIBRARY[0] / f"{name}.toml")
    own = {claim.id for claim in file.claims}
    kernel = _read(name)
    for claim in claims_of(file):
        if claim.id not in own:
            given = f" if {', '.join(map(printed, claim.given))}" if claim.given else ""
            text = kernel.file.claims[claim.id].statement.text
            assert text == printed(claim.shows) + given, "its conditions are the registered ones, and no others"


def test_the_page_says_how_much_is_trusted():
    """Lines that are not blank, in all files, to two percent."""
    said = re.search(r"([\d,]+) lines of Python .*? in (\d+) files", PAGE, flags=re.DOTALL)
    assert said is not None
    files = sorted(KERNEL.rglob("*.py"))
    lines_ = sum(bool(line.strip()) for file in files for line in file.read_text(encoding="utf-8").splitlines())
    assert len(files) == int(said[2])
    assert abs(lines_ / int(said[1].replace(",", "")) - 1) <= 0.02


PAGE = (KERNEL.parents[2] / "docs" / "kernel.md").read_text(encoding="utf-8")
ELSEWHERE = {
    "self": "induction",
    "orthogonal": "law of noise",
    "unbiased": "law of noise",
    "independent": "fresh",
    "sampled": "chance",
    "bounded": "coordinates",
}
"""The hypothesis of an induction, and what a claim stands on: names of laws whose rule has another one."""


def rules_of_the_kernel():
    """Return the names under which the kernel's sources record a rule, tell one from another, or use a law."""
    found = {*LAWS_OF_STEPS, *LAWS}
    for path in KERNEL.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="rules"), attr="add"), args=[ast.Constant()]):
                    found.add(node.args[0].value)
                case (
                    ast.Compare(left=ast.Attribute(attr="rule"), comparators=[ast.Tuple() as several])
                    | ast.If(
                        test=ast.Compare(comparators=[ast.Tuple() as several]),
                        body=[ast.Expr(ast.Call(func=ast.Attribute(value=ast.Attribute(attr="rules"))))],
                    )
                ):
                    found |= {one.value for one in several.elts if isinstance(one, ast.Constant)}
    return found - {""}


def _proofs_on_the_page():
    """Return the reason that the page gives for each rule, by its name."""
    table = PAGE.partition("## The rules")[2].partition("## What a programme finds")[0]
    rows = [line.strip("|").replace(r"\|", "").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return {name.strip(" `"): row for row in rows if len(row) == 3 for name in row[0].split(", ")}


@pytest.mark.parametrize("rule", sorted(rules_of_the_kernel()))
def test_each_rule_has_its_proof_on_the_page(rule):
    name, lemma, why = _proofs_on_the_page()[ELSEWHERE.get(rule, rule)]
    assert len(lemma.strip()) > 10, name
    assert len(why.strip()) > 10, name


def test_the_page_says_how_many_facts_about_functions_are_known():
    assert f"from a table of {len(elementary.FACTS)} " in PAGE


@pytest.mark.slow
def test_the_page_says_which_rules_are_used_how_often():
    """The figures that `python -m benchmarks.kernel` prints."""
    verdicts = [one for name in pages() for one in _read(name).verdicts.values()]
    assert f"{len(verdicts)} in all" in PAGE
    uses = Counter(rule for one in verdicts for rule in one.rules | (one.uses & set(LAWS)))
    said = PAGE.partition("How many of the")[2].partition("##")[0]
    cells = re.findall(r"\| ([a-z, -]+) \| (\d+)", said)
    counts = {name: int(count) for names, count in cells for name in names.strip().split(", ")}
    assert counts == {name: uses[name] for name in counts}
    assert uses.keys() - counts.keys() == {"self", "orthogonal", "bounded"}


def test_one_program_reads_every_kind_of_proof(tmp_path):
    """Certificates and theorems for all steps: Python without site packages, another working directory; one altered."""
    theorem = KERNEL.parents[1] / "worst" / "theorems" / "collection" / "proofs" / "fedavg-2.json"
    certificate = {"id": "square", "letters": {"a": "", "b": ""}, "shows": "2*a*b <= a^2 + b^2", "by": [[["a - b"]]]}
    for shows, code in (("2*a*b <= a^2 + b^2", 0), ("3*a*b <= a^2 + b^2", 1)):
        (tmp_path / "one.json").write_text(json.dumps(certificate | {"shows": shows}), encoding="utf-8")
        command = [sys.executable, "-S", "-E", str(KERNEL), str(theorem), "one.json"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        assert "mean_t E|grad F(x_t)|^2 <=" in done.stdout
        assert ("1 certificates checked: verified" in done.stdout) == (code == 0)
