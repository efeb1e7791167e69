"""Adding a method, bound, problem, claim or command by its page, to the letter, breaks no test.

The checkout is copied, what the pages say is done with the pages' own blocks, and the tests that such additions meet
are run: once for all five, and in the slow tests for each alone. No more than three files are written by hand for one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLAIN = "not ["
"""Tests that are not one of many cases: what counts and lists is among them."""


class Checkout:
    """A copy of the checkout that something is added to.

    Parameters
    ----------
    folder : Path
        Where the copy is made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.by_hand: set[str] = set()

    def blocks(self, page: str, language: str) -> list[str]:
        """Return the blocks of a page in one language, without the indent of the list that they stand in."""
        text = (self.folder / "docs" / page).read_text(encoding="utf-8")
        found = re.findall(rf"^( *)```{language}\n(.*?)^\1```", text, flags=re.DOTALL | re.MULTILINE)
        return [textwrap.dedent(block) for _, block in found]

    def write(self, name: str, text: str) -> None:
        """Write a new file."""
        assert not (self.folder / name).exists()
        (self.folder / name).write_text(text, encoding="utf-8")
        self.by_hand.add(name)

    def insert(self, name: str, text: str, *, below: str) -> None:
        """Put text below the first line that is `below` but for blanks at its end, indented as what follows there."""
        lines = (self.folder / name).read_text(encoding="utf-8").splitlines(keepends=True)
        place = [line.rstrip() for line in lines].index(below) + 1
        indent = re.match(" *", lines[place])[0]
        lines[place:place] = [textwrap.indent(text.rstrip() + "\n", indent)]
        (self.folder / name).write_text("".join(lines), encoding="utf-8")
        self.by_hand.add(name)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python on the copy."""
        left_out = ("PYTEST_", "PYTHONDONTWRITEBYTECODE")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
        environment |= {"PYTHONPATH": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache")}
        return subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )

    def python(self, *arguments: str) -> str:
        """Run Python on the copy and return what it prints; it must end well."""
        done = self.run(*arguments)
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]
        return done.stdout

    def passes(self, *tests: str, select: str, marks: str = "not slow and not derived") -> int:
        """Run tests of the copy, which must all pass, and return how many did."""
        out = self.python("-m", "pytest", "-p", "no:cacheprovider", *tests, "-k", select, "-m", marks)
        return int(re.findall(r"(\d+) passed", out)[-1])

    def outcomes(self, *tests: str, select: str) -> list[tuple[str, str]]:
        """Run tests of the copy and return how each ended, with its name."""
        arguments = ["-p", "no:cacheprovider", "-rA", "--tb=short", *tests, "-k", select, "-m", "not derived"]
        out = self.run("-m", "pytest", *arguments).stdout
        found = re.findall(r"^(PASSED|FAILED|ERROR) (\S.*?)(?: - .*)?$", out, flags=re.MULTILINE)
        assert found, out[-6000:]
        return [(name, how if how == "PASSED" else out) for how, name in found]

    def makes(self, *rows: str) -> None:
        """Make derived files, and ask the tests that compare them."""
        self.python("-m", "boundcheck.derived", *rows)


@pytest.fixture
def checkout(tmp_path):
    """Return a copy of the checkout."""
    return copy_into(tmp_path)


def copy_into(folder: Path) -> Checkout:
    """Copy the files of the checkout that git knows or would add, and the bytecode that lies beside them.

    Bytecode holds for a source of the same time of change, so that the copy has that too: to compile the package takes
    as long as half of the tests that run there.
    """
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("no checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for top in ("boundcheck", "tests"):
        # Not what other processes write just now: that has another ending.
        for bytecode in (ROOT / top).rglob("__pycache__/*.pyc"):
            copied = folder / bytecode.relative_to(ROOT)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(bytecode, copied)
    return Checkout(folder)


def add_method(checkout):
    """Add the method of docs/add-a-method.md."""
    (module, reference, _), (line, case) = (checkout.blocks("add-a-method.md", kind) for kind in ("python", "text"))
    checkout.write("boundcheck/methods/heavy_ball.py", module)
    checkout.insert("boundcheck/methods/__init__.py", line, below="    {")
    table = "tests/methods/method_table.py"
    checkout.insert(table, f"\n{reference}", below='__all__ = ["CASES", "Case", "problem_for"]')
    checkout.insert(table, case, below="CASES = [")


@pytest.mark.slow
def test_a_method_passes_every_test_of_methods(checkout):
    """All cases of the new method, and the tests that count; what is made of it is then made."""
    add_method(checkout)
    every = checkout.passes("tests/methods", select="fedavg-heavy-ball", marks="not derived")
    assert every > checkout.passes("tests/methods", select=f"fedavg-heavy-ball or {PLAIN}") - 150
    checkout.makes("catalogue", "method-pages")
    checkout.passes("tests/methods", "tests/cli/test_cli_catalogue.py", select=PLAIN, marks="derived")


def add_bound(checkout):
    """Add the bound of docs/add-a-bound.md."""
    line, exponents = checkout.blocks("add-a-bound.md", "text")
    about = '"""Gradient descent: the mean of E|grad f|^2 is at most 2 L Delta/T + sigma^2/(N b)."""\n\n'
    checkout.write("boundcheck/bounds/mine.py", about + checkout.blocks("add-a-bound.md", "python")[0])
    checkout.insert("boundcheck/bounds/__init__.py", line, below="    {")
    checkout.insert("tests/bounds/test_bounds_orders.py", exponents, below="TABLE = {")


@pytest.mark.slow
def test_a_bound_passes_every_test_of_bounds(checkout):
    """Whatever counts bounds; what is made of them is then made, its row of the page among it."""
    add_bound(checkout)
    rooms = ("tests/bounds", "tests/docs", "tests/cli/test_cli_catalogue.py", "tests/test_notation.py")
    checkout.passes(*rooms, select=f"mine or {PLAIN}")
    checkout.makes("catalogue", "tables", "method-pages")
    checkout.passes(*rooms, select=PLAIN, marks="derived")
    assert "| `mine.descent` |" in (checkout.folder / "docs/bounds.md").read_text(encoding="utf-8")
    assert "mine.descent" in checkout.python("-m", "boundcheck", "list", "bounds", "--paper", "mine")


def add_problem(checkout):
    """Add the family of docs/add-a-problem.md and its page."""
    (module,) = (block for block in checkout.blocks("add-a-problem.md", "python") if "class Huber" in block)
    (line,) = checkout.blocks("add-a-problem.md", "text")
    (parameters,) = (block for block in checkout.blocks("add-a-problem.md", "toml") if '"huber"' in block)
    checkout.write("boundcheck/problems/synthetic/huber.py", module)
    checkout.insert("boundcheck/problems/families.py", line, below="    {")
    checkout.write("problems/huber.toml", parameters)


@pytest.mark.slow
def test_a_problem_passes_every_test_of_problems(checkout):
    """All cases of the new problem, and the tests that count."""
    add_problem(checkout)
    checkout.passes("tests/problems", select="huber and not stress", marks="not derived")
    checkout.passes("tests/problems", "tests/cli/test_cli_catalogue.py", select=PLAIN)


def add_claim(checkout):
    """Add the claims of docs/add-a-claim.md to a paper."""
    (text,) = checkout.blocks("add-a-claim.md", "toml")
    checkout.write("boundcheck/proofs/papers/gradma/absorbed.toml", text.replace("draft.", "gradma."))
    checkout.insert("boundcheck/proofs/papers/gradma/__init__.py", '"absorbed",', below="PARTS = (")


@pytest.mark.slow
def test_a_claim_passes_every_test_of_the_ledger(checkout):
    """Whatever counts claims, with those of the certificates."""
    add_claim(checkout)
    select = f"gradma.absorbed or {PLAIN}"
    checkout.passes("tests/proofs/claims", "tests/docs", "tests/evidence/test_evidence_status.py", select=select)
    checkout.passes("tests/proofs/certificates/test_shipped.py", select="not states_its_goal")


def add_command(checkout):
    """Add the command of docs/add-a-command.md."""
    module, test = checkout.blocks("add-a-command.md", "python")
    (line,) = checkout.blocks("add-a-command.md", "text")
    checkout.write("boundcheck/cli/commands/units.py", module)
    checkout.insert("boundcheck/cli/app.py", "units,", below="    table,")
    checkout.insert("boundcheck/cli/app.py", line, below='        (table.table, "table fmgda.table1 --along sigma"),')
    checkout.write("tests/cli/test_cli_units.py", test)


@pytest.mark.slow
def test_a_command_passes_every_test_of_the_command_line(checkout):
    """The package as a whole, and what is asked of all commands."""
    add_command(checkout)
    named = [f"tests/cli/test_cli_{name}.py" for name in ("helps", "json", "module", "names", "slips", "errors")]
    checkout.passes(*named, "tests/test_package.py", "tests/docs/test_pages.py", select=f"units or {PLAIN}")


ADDITIONS = {
    "method": add_method,
    "bound": add_bound,
    "problem": add_problem,
    "claim": add_claim,
    "command": add_command,
}


@dataclass(frozen=True)
class Grown:
    """A checkout with one addition of each kind, and how the tests that such additions meet ended there."""

    checkout: Checkout
    written: dict[str, set[str]]
    """The files that each addition touched by hand."""
    ended: list[tuple[str, str]]
    """Each test with PASSED or, where it did not pass, all that pytest printed."""

    def passed(self, *tests: str) -> int:
        """Return how many tests of these files there were, which must all have passed."""
        ended = [how for name, how in self.ended if name.split("::")[0] in tests]
        assert set(ended) <= {"PASSED"}, next(how for how in ended if how != "PASSED")[-6000:]
        return len(ended)


def _files(room: str, *names: str) -> list[str]:
    return [f"tests/{room}_{name}.py" for name in names]


METHOD = _files("methods/test_method", "contract", "reference", "cards", "pages", "costs", "source")
BOUND = _files("bounds/test_bounds", "contract", "orders", "units", "docs")
PROBLEM = _files("problems/test_problem", "contract", "certify", "catalog", "families")
CLAIM = _files("proofs/claims/test", "claim_file", "stated", "lemma_mutations")
COMMAND = ["tests/cli/test_cli_units.py"]
SELECT = (
    "absorbed or (not slow and (test_method and fedavg-heavy-ball or test_bounds and (mine or not [)"
    " or test_problem and huber and not stress or test_cli_units and units))"
)


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """Return a checkout with all five additions, whose tests are run once."""
    checkout, written = copy_into(tmp_path_factory.mktemp("grown")), {}
    for kind, add in ADDITIONS.items():
        checkout.by_hand = written[kind] = set()
        add(checkout)
    return Grown(checkout, written, checkout.outcomes(*METHOD, *BOUND, *PROBLEM, *CLAIM, *COMMAND, select=SELECT))


@pytest.mark.xdist_group("additions")
@pytest.mark.parametrize("kind", ADDITIONS)
def test_an_addition_is_at_most_three_files_by_hand(grown, kind):
    """Two for a claim."""
    assert len(grown.written[kind]) == (2 if kind == "claim" else 3)


@pytest.mark.xdist_group("additions")
def test_a_method_is_added_by_its_page(grown):
    """The contract of the new method and everything that lists methods holds."""
    assert grown.passed(*METHOD) >= 20


@pytest.mark.xdist_group("additions")
def test_a_bound_is_added_by_its_page(grown):
    """Its exponents are those derived by hand, and the command line knows it."""
    assert grown.passed(*BOUND) > 15
    assert "Gradient descent with step 1/L" in grown.checkout.python("-m", "boundcheck", "show", "mine.descent")


@pytest.mark.xdist_group("additions")
def test_a_wrong_exponent_of_a_new_bound_is_seen(grown):
    """A control: the tests that pass above do look at the new row."""
    table = grown.checkout.folder / "tests/bounds/test_bounds_orders.py"
    right = table.read_text(encoding="utf-8")
    table.write_text(right.replace('"mine.descent": {"T": 0', '"mine.descent": {"T": -1'), encoding="utf-8")
    try:
        with pytest.raises(AssertionError, match="1 failed"):
            grown.checkout.passes("tests/bounds/test_bounds_orders.py", select="mine")
    finally:
        table.write_text(right, encoding="utf-8")


@pytest.mark.xdist_group("additions")
def test_a_problem_is_added_by_its_page(grown):
    """Its constants survive the attacks."""
    assert grown.passed(*PROBLEM) > 10
    assert "exceeded" not in grown.checkout.python("-m", "boundcheck", "certify", "huber")


@pytest.mark.xdist_group("additions")
def test_a_claim_is_added_by_its_page(grown):
    """One claim is refuted, the other proved, and the ledger's tests take both."""
    assert grown.passed(*CLAIM) >= 4
    claims = ("gradma.absorbed", "gradma.absorbed-printed")
    said = grown.checkout.python("-m", "boundcheck", "prove", *claims, "--no-cache")
    assert "proved" in said
    assert "refuted" in said


@pytest.mark.xdist_group("additions")
def test_a_command_is_added_by_its_page(grown):
    """Its own test passes, and it gets its row."""
    assert grown.passed(*COMMAND) == 1
    grown.checkout.makes("tables")
    assert "| `units LETTER` |" in (grown.checkout.folder / "docs/cli.md").read_text(encoding="utf-8")
    grown.checkout.passes("tests/docs/test_pages.py", select="every_command", marks="derived")
