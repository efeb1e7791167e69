import pytest
from report_cases import RECIPE, SINGLE

from boundcheck.proofs import prove
from boundcheck.report import document, write_report
from boundcheck.report.document import compile_typst
from boundcheck.sweep import Store, collect, run_sweep


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """Run the small recipe."""
    filled = Store(tmp_path_factory.mktemp("store"))
    run_sweep(RECIPE, filled, workers=1)
    return filled


@pytest.fixture(scope="session")
def results(store):
    """Judge the small recipe."""
    return collect(RECIPE, store)


@pytest.fixture(scope="session")
def proofs():
    """Decide a claim that is refuted and one that is proved."""
    return prove(["momentum-fl.theorem19-gamma-printed", "momentum-fl.theorem19-gamma"])


@pytest.fixture(scope="session")
def single(results):
    """Return the study of a single cell alone."""
    return [r for r in results if r.study is SINGLE]


@pytest.fixture(scope="session")
def written(results, proofs, tmp_path_factory):
    """Write the report of the small recipe from results at hand; return its path and its Typst source."""
    seen = []

    def compile_and_keep(path):
        seen.append(path.read_text(encoding="utf-8"))
        return compile_typst(path)

    folder = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document, "compile_typst", compile_and_keep)
        path = write_report(
            RECIPE, Store(folder / "empty"), folder / "a.pdf", claims=proofs, name="small", results=results
        )
    return path, seen[0].removeprefix(document.preamble(RECIPE.title))


@pytest.fixture(scope="session")
def report(written):
    """Return the path of the report."""
    return written[0]


@pytest.fixture(scope="session")
def source(written):
    """Return its Typst source."""
    return written[1]
