import importlib
import pickle
import subprocess
import sys
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import replace

import msgspec
import pytest
from report_cases import NASTY, RECIPE, SINGLE

import boundcheck
from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError
from boundcheck.files.resources import names
from boundcheck.files.sources import package_hash, versions
from boundcheck.proofs import CLAIMS, Proof
from boundcheck.proofs.ledger.tree import above, below
from boundcheck.report import document, pages, write_report
from boundcheck.report.pages.figure import drawn_by
from boundcheck.report.pages.ledger import ledger
from boundcheck.report.pages.reproduce import toml_text
from boundcheck.report.pages.theorems.promises import promises
from boundcheck.sweep import Recipe, Store, load_recipe
from boundcheck.sweep.run.crew import Crew

pytestmark = pytest.mark.xdist_group("report")

reproduce = importlib.import_module("boundcheck.report.pages.reproduce")

PROOF = Proof("id", "fedglomo", "here", "proved", "real", 0.0, None, None, None, "")


@pytest.fixture(scope="module")
def full(results, proofs, tmp_path_factory):
    """Return the Typst source with all details."""
    return pages.document(RECIPE, results, tmp_path_factory.mktemp("full"), claims=proofs, name="small", full=True)


def test_report_is_a_pdf_without_traces(report):
    """The PDF is whole, and neither a date nor a temporary file is left."""
    content = report.read_bytes()
    assert content.startswith(b"%PDF")
    assert b"D:20" not in content
    assert [p.name for p in report.parent.iterdir()] == ["a.pdf"]


def test_a_finding_stands_with_its_repair(source):
    """A finding has a page of its own with its repair and script, and is not among the studies."""
    page, rest = source.split("= Findings\n")[1].split("= Theorems\n")
    assert "A finding" not in rest
    assert "theorem19-printed" in page
    assert "*As printed*" in page
    assert "*Repaired*" in page
    assert "#piece(new: true)" in page
    assert "docs/findings/false_as_printed.py" in page


def test_ledger_says_what_a_theorem_stands_on(source):
    """A statement with steps is listed with the number of claims below it and with what breaks it."""
    page = source.split("= Steps of the proofs\n")[-1]
    root = next(c for c in CLAIMS.values() if c.steps and not above(CLAIMS, c.id))
    undecided = [replace(PROOF, id=n, verdict="undecided") for n in below(CLAIMS, root.id)]
    found = ledger([replace(PROOF, id=root.id), *undecided])
    assert "What the statements use, as printed" not in page
    assert f"[{len(undecided)}]" in found.split("What the statements use, as printed")[1]


def test_promises_name_every_bound_and_what_cannot_be_met():
    """Each bound has a row under its paper; momentum-fl's printed server steps are named as never met."""
    page = promises()
    for name in BOUNDS:
        assert page.count(f'raw("{name.partition(".")[2]}"') >= 1
    assert 'raw("momentum-fl.theorem19-proof", block: false);: #"proved in real arithmetic' in page
    assert 'raw("fedlalr.theorem1R", block: false);, units:' in page
    assert 'raw("momentum-fl.theorem11", block: false);, units:' not in page


def test_rates_stand_side_by_side(full):
    """The page of rates names the bounds that are drawn and what they promise."""
    page = full.split("= Rates side by side\n")[1]
    assert "momentum-fl.table1-fedavg-m" in page
    assert "$T^(-1\\/2)$" in page


class Travelling(Executor):
    """Draws what it is handed when it is asked for it, of figures that were text in between; loses the first one."""

    def __init__(self):
        self.drawn = 0

    def submit(self, fn, /, *args):
        self.drawn += 1
        future, travelled = Future(), pickle.dumps((fn, args))
        if self.drawn == 1:
            future.set_exception(BrokenExecutor())
        else:
            save, arguments = pickle.loads(travelled)
            future.set_result(save(*arguments))
        return future


def test_same_results_give_the_same_bytes(report, store, proofs, tmp_path, monkeypatch):
    """From the store or from collected results, wherever it is written, and whichever process draws the figures."""
    travelling = Travelling()
    with Crew(2) as crew, drawn_by(crew):
        crew._own = travelling
        monkeypatch.setattr(crew, "_open_pool", lambda: travelling)
        again = write_report(RECIPE, store, tmp_path / "deep" / "b.pdf", claims=proofs, name="small")
    assert again.read_bytes() == report.read_bytes()
    assert travelling.drawn > 5


def test_failure_leaves_the_old_report(single, tmp_path, monkeypatch):
    """When typesetting fails, an existing file is untouched."""
    target = tmp_path / "a.pdf"
    target.write_bytes(b"old")
    monkeypatch.setattr(document, "compile_typst", lambda source: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(RECIPE, Store(tmp_path), target, results=single)
    assert target.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


def test_missing_results_are_named(tmp_path):
    """A report from an empty store says that the sweep has not run."""
    with pytest.raises(InputError, match="run the sweep first"):
        write_report(Recipe(title="t", study=[SINGLE]), Store(tmp_path), tmp_path / "a.pdf")


def test_output_must_be_a_pdf_or_a_page(store, tmp_path):
    """An output path with another ending is refused, with the legal one."""
    with pytest.raises(InputError, match=r"\.pdf or \.html"):
        write_report(RECIPE, store, tmp_path / "a.docx")


def test_verdicts_have_symbol_and_word(full, results):
    """Every bound of every study is in the table with its verdict as a badge, and no verdict lacks its symbol."""
    summary = full.split("= Studies\n")[1].partition("#note[")[0]
    for result in results:
        for bound in result.study.bounds:
            assert f'#badge("{result.verdict(bound)}")' in summary
    template = document.preamble("t")
    for word in ("holds", "violated", "undecided", "vacuous", "not applicable", "proved", "refuted", "supported"):
        assert f'"{word}": (' in template


def test_refuted_claim_has_witness_and_repair(full, proofs):
    """A refuted claim is shown with its replay and the claim that stands in its place."""
    refuted = proofs[0]
    assert refuted.verdict == "refuted"
    assert "np.isclose" in full or "assert lhs > rhs" in full
    assert "True instead (" in full


def test_report_without_claims_has_no_such_section(single, tmp_path):
    """Without claims the section is left out rather than empty."""
    assert "Steps of the proofs" not in pages.document(RECIPE, single, tmp_path)


def test_no_wall_time_is_printed(source, proofs):
    """How long a prover took is not in the report: it differs from run to run."""
    assert all(str(p.seconds) not in source for p in proofs)


def test_command_names_the_recipe(source, single, tmp_path):
    """The command that reproduces the report names the recipe, or the file to save."""
    assert "boundcheck report small -o report.pdf" in source
    assert "boundcheck report recipe.toml" in pages.document(RECIPE, single, tmp_path)


def test_the_report_says_of_what_code_it_is(source, monkeypatch):
    """Version, hash of the source, and the versions of python and the libraries; another source, another page."""
    assert f"boundcheck {boundcheck.__version__}" in source
    assert package_hash() in source
    for name, number in versions(reproduce.PACKAGES).items():
        assert name in source
        assert number in source
    monkeypatch.setattr(reproduce, "package_hash", lambda: "0" * 64)
    assert "0" * 64 in reproduce.reproduce(RECIPE, [], "small")


@pytest.mark.parametrize("recipe", [RECIPE, *map(load_recipe, names("reports"))], ids=lambda r: r.title[:12])
def test_printed_recipe_reads_back(recipe):
    """The recipe printed in the report is TOML that gives the same recipe."""
    assert msgspec.toml.decode(toml_text(recipe), type=Recipe) == recipe


def test_recipe_text_survives_signs():
    """Titles with quotes, backslashes and control characters survive the round trip."""
    recipe = Recipe(title=NASTY + "\n\x7f\t", study=[SINGLE], claims=[])
    assert msgspec.toml.decode(toml_text(recipe), type=Recipe) == recipe


def test_import_is_light():
    """Importing boundcheck.report imports no plotting, typesetting or algebra."""
    code = "import sys, boundcheck.report; print({'matplotlib', 'typst', 'sympy', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
