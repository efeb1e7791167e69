"""How objects show themselves: a short line in a terminal, a small table in a notebook, rows, a picture."""

import importlib
import inspect
import pickle
import pkgutil

import numpy as np
import pytest

import boundcheck as bc
from boundcheck.errors import UnknownNameError
from boundcheck.files.display import LONGEST, brief, html_card, html_table, list_values

LIMIT = 400
"""Characters of any repr."""
ROOMS = ["boundcheck", *(f"boundcheck.{one.name}" for one in pkgutil.iter_modules(bc.__path__) if one.ispkg)]


def test_every_public_object_is_short():
    """Constants, registries and catalogues in the `__all__` of every room."""
    long, seen = [], 0
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in getattr(module, "__all__", ()):
            found = getattr(module, name)
            if inspect.isclass(found) or inspect.isroutine(found) or inspect.ismodule(found):
                continue
            seen += 1
            long += [(room, name, len(repr(found)))] if len(repr(found)) > LIMIT else []
    assert seen > 15
    assert long == []


@pytest.fixture(scope="module")
def verdict():
    return bc.check("momentum-fl.theorem11", "common", N=2, K=1, T=512)


@pytest.fixture(scope="module")
def run():
    return bc.simulate("ridge-ratio", "fedavg", set_={"eta": 0.1}, N=2, K=1, T=[20] * 3 + [40] * 3, lanes=6)


def records(verdict, run):
    """Yield one object of each kind that a function returns."""
    yield verdict
    yield run
    yield bc.BOUNDS["momentum-fl.theorem11"]
    yield bc.load_problem("ridge-ratio", N=4)
    yield bc.METHODS["fedavg"](eta=0.1)
    yield from (bc.BOUNDS, bc.METHODS, bc.CLAIMS)
    yield from (bc.findings(), bc.findings()[0], bc.explain("vacuous"), bc.explain("vacuous")[0])
    yield from (bc.rate("momentum-fl"), bc.rate("momentum-fl")[0], bc.table("fmgda.table1"))
    yield from (bc.bounds("theorem11"), bc.bounds("theorem11")[0])
    yield from (bc.explain("theorem11", "common", N=2, K=1, T=64), bc.explain("theorem11", "common", N=2, K=1, T=64)[0])
    yield from (bc.satisfies("ridge-ratio", "fedlalr"), bc.certify("quadratic-tilt", N=2))
    yield from (bc.CLAIMS["fmgda.lemma3-split"], bc.prove("fmgda.lemma3-split")[0])
    yield bc.refute("fedlalr.corollary2", work=100)


def test_every_record_is_short_and_has_a_table(verdict, run):
    """One line of at most 400 signs; HTML of one table, with nothing in it that is not escaped."""
    for one in records(verdict, run):
        text = repr(one)
        assert len(text) <= LIMIT, (type(one), len(text))
        assert "\n" not in text
        assert " object at 0x" not in text
        if hasattr(one, "_repr_html_"):
            shown = one._repr_html_()
            assert shown.count("<table") == shown.count("</table>") == 1, type(one)
            assert len(shown) < 20_000
    for kind in (type(verdict), type(run), bc.Problem, type(bc.BOUNDS), type(bc.CLAIMS)):
        assert hasattr(kind, "_repr_html_")


def test_a_repr_says_which_and_what(verdict, run):
    assert repr(verdict).startswith(
        "Verdict(momentum-fl.theorem11 on common at N=2 S=2 K=1 T=512 b=1: holds, measured=0.7"
    )
    assert repr(run) == "Run(numpy, lanes=6, rounds=20, 40, metrics=server_gradient, gradients=80)"
    assert repr(bc.CLAIMS).startswith(f"{len(bc.CLAIMS)} claims: ")
    assert repr(bc.METHODS).startswith(f"{len(bc.METHODS)} methods: ")
    assert repr(bc.load_problem("ridge-ratio", N=4)) == "Problem(ridge-ratio, family=ridge, N=4, d=16)"


def test_a_verdict_is_not_true_or_false(verdict):
    """It has seven words; the error says what to ask."""
    with pytest.raises(TypeError, match=r"this one is .holds.: ask verdict\.verdict == .holds."):
        bool(verdict)
    with pytest.raises(TypeError, match="a verdict is not true or false"):
        assert verdict


def test_a_verdict_is_a_row_and_a_picture(verdict):
    """The row has ratio and margin; what is drawn is what was measured and the right-hand side."""
    (row,) = verdict.frame.to_dict("records")
    assert row["ratio"] == verdict.measured / verdict.rhs
    assert {"N", "S", "K", "T", "b", "margin", "verdict", "low", "high"} <= set(row)
    axes = verdict.plot()
    drawn = {line.get_label(): list(line.get_ydata()) for line in axes.lines if not line.get_label().startswith("_")}
    assert drawn["right-hand side"] == [verdict.rhs]
    assert [verdict.measured] in [list(line.get_ydata()) for line in axes.lines]
    assert axes.plot is not None
    assert verdict.plot(ax=axes) is axes


def test_verdicts_along_horizons_are_one_picture():
    """A row a horizon, in order, and a line through them; nothing measured is an error with the reason."""
    found = bc.check("field.gd-convex", "quadratic-tilt", N=2, K=1, T=[8, 16, 1e2])
    assert list(found.frame["T"]) == [8, 16, 100]
    axes = found.plot()
    (line,) = [line for line in axes.lines if line.get_label() == "right-hand side"]
    assert list(line.get_xdata()) == [8, 16, 100]
    assert list(line.get_ydata()) == [one.rhs for one in found]
    nothing = bc.check("fmgda.theorem1-proof", "ridge-ratio", N=2, K=1, T=8)
    assert nothing.verdict == "not applicable"
    with pytest.raises(bc.InputError, match="one with a measurement"):
        nothing.plot()


def test_a_run_is_rows_and_a_picture(run):
    """The rows are the averages of its lanes; the line is their mean at every checkpoint."""
    assert list(run.frame["average"]) == list(run.average("server_gradient"))
    assert list(run.frame["T"]) == [20] * 3 + [40] * 3
    axes = run.plot()
    assert run.plot(ax=axes) is axes
    assert list(axes.lines[0].get_xdata()) == list(run.checkpoints)
    assert axes.lines[0].get_ydata()[-1] == pytest.approx(np.nanmean(run.curves["server_gradient"][:, -1]))
    with pytest.raises(UnknownNameError, match="metric of this run 'drift'"):
        run.plot(metric="drift")


def test_several_answers_are_a_tuple_and_rows():
    """They travel between processes with what was asked."""
    found = bc.findings("fedlalr")
    assert len(found) == len(found.frame) == len(found.data())
    again = pickle.loads(pickle.dumps(found))
    assert (again, again.about) == (found, "fedlalr")
    assert pickle.loads(pickle.dumps(bc.rate("momentum-fl"))).about == found.about.replace("fedlalr", "12 rates")


def test_texts_are_cut_and_escaped():
    assert len(brief("Name", {"": "x" * 1000})) == LONGEST
    assert brief("Name", {"": "a", "b": 1.23456789, "c": None}) == "Name(a, b=1.235)"
    assert "<b>" not in html_card("t", {"<b>": "<script>"}).replace("<b>t</b>", "")
    assert "2 more" in html_table("t", ("a",), [[i] for i in range(22)])


def test_a_long_vector_is_printed_by_its_ends():
    """A witness of 64 coordinates made a table two thousand characters wide."""
    assert list_values({"g": (1, 2, 3, 4, 5, 6), "t": 2}) == "g = (1, 2, 3, 4, 5, 6), t = 2"
    assert list_values({"g": tuple(range(64))}) == "g = (0, 1, 2, 3, ..., 63; 64 entries)"
    assert list_values({"eta": 0.123456}, ".3g") == "eta = 0.123"
