import pytest
from report_cases import RECIPE, SINGLE

from boundcheck.lemmas import prove
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
