"""The user's own theorem, method and problem, in one file outside the package, wherever a name is legal."""

import json
import pickle
import shlex
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from cli_calls import called
from user_file import MINE, RECIPE

from boundcheck import check, load_problem, prove
from boundcheck.bounds import BOUNDS
from boundcheck.cli.commands.new import KINDS
from boundcheck.errors import InputError, UnknownNameError
from boundcheck.files.kept import load_or_make
from boundcheck.files.own import absolute, entry_points_of, is_reference, short
from boundcheck.methods import METHODS
from boundcheck.sweep import load_recipe
from boundcheck.sweep.cells.identity import identity
from boundcheck.sweep.cells.points import study_settings


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Return a folder with the file of a user, which is the current one."""
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "r.toml").write_text(RECIPE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("here")
def test_a_theorem_of_the_users_own_is_attained():
    """One step of size 1/L reaches the minimum of a parabola: the average over T points is |grad f(x_0)|^2 / T."""
    verdict = check("mine.py:DESCENT", load_problem("mine.py:PARABOLA[curvature=3]", N=2), K=1, T=10)
    assert verdict.verdict == "holds"
    assert verdict.measured == pytest.approx(9 / 10)
    assert verdict.rhs == pytest.approx(2 * 3 * 1.5 / 10)
    assert verdict.bound == "mine.py:DESCENT"


@pytest.mark.usefixtures("here")
def test_a_method_beside_its_theorem_is_named_by_its_class():
    """The bound's method is the one of the same file, and both reach other processes."""
    assert BOUNDS["mine.py:DESCENT"].method == "mine.py:Descent"
    method = METHODS["mine.py:Descent"](eta=0.5)
    assert pickle.loads(pickle.dumps(method)) == method


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere.py:DESCENT", "a file that exists"),
        ("mine.py:DESCENTE", "it has DESCENT"),
        ("mine.py:A_NUMBER", "it has DESCENT"),
        ("mine.py:PARABOLA", "it has DESCENT"),
        ("no_such_module:DESCENT", "ModuleNotFoundError"),
        ("desent", "(or file.py:NAME)"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_is_not_there_is_said(name, words):
    """A wrong file, name or kind is an error that says what would be legal."""
    with pytest.raises(InputError) as error:
        BOUNDS[name]
    assert words in str(error.value)
    assert name in str(error.value)


@pytest.mark.parametrize(("text", "words"), [("1 / 0", "ZeroDivisionError"), ("def f(:", "SyntaxError")])
def test_a_file_that_fails_is_told_in_a_line(here, text, words):
    """What running the file raises is the user's to mend; mended, the file is run again."""
    (here / "broken.py").write_text(text)
    with pytest.raises(InputError, match=words):
        BOUNDS["broken.py:DESCENT"]
    (here / "broken.py").write_text(MINE)
    assert BOUNDS["broken.py:DESCENT"].title == "Descent"


@pytest.mark.usefixtures("here")
def test_every_command_takes_it(capsys):
    """Show, check, run and bounds know the user's objects."""
    setting = ["--N", "2", "--K", "1"]
    for command in (
        ["check", "mine.py:DESCENT", "mine.py:PARABOLA", *setting, "--T", "4"],
        ["run", "mine.py:PARABOLA", "mine.py:Descent", *setting, "--T", "4", "--set", "eta=0.5", "--workers", "2"],
        ["show", "mine.py:DESCENT"],
        ["show", "mine.py:Descent"],
        ["show", "mine.py:PARABOLA"],
        ["bounds", "mine.py:DESCENT"],
        ["certify", "mine.py:PARABOLA", "--N", "2"],
    ):
        code, out, err = called(capsys, *command)
        assert (code, err) in {(0, ""), (1, "")}, command
        assert "mine" in out


def test_a_recipe_runs_code_only_when_told(here, capsys):
    """The names are refused before anything runs; with trust the sweep runs, on workers too, and is resumed."""
    (here / "mine.py").write_text(MINE + "\nfrom pathlib import Path\nPath('it-ran').touch()\n")
    with pytest.raises(InputError, match="--trust-code"):
        load_recipe("r.toml")
    code, _, err = called(capsys, "sweep", "r.toml")
    assert code == 2
    assert "mine.py:DESCENT" in err
    assert not (here / "it-ran").exists()
    code, out, _ = called(capsys, "sweep", "r.toml", "--trust-code", "--workers", "2", "--json")
    assert code == 0
    assert [row["verdict"] for row in json.loads(out)["results"]] == ["holds"]


def test_stored_results_are_those_of_the_file(here):
    """A changed file is other code: its identity differs, so that nothing old is read."""
    (here / "other.py").write_text(MINE.replace('"here"', '"there"'))
    (here / "s.toml").write_text(RECIPE.replace("mine.py", "other.py"))
    first, second = (study_settings(load_recipe(name, trust_code=True))[0].cell for name in ("r.toml", "s.toml"))
    assert first.problem == f"{here / 'mine.py'}:PARABOLA[curvature=2]"
    assert identity(first)["code"] != identity(second)["code"]


def test_a_problem_file_names_no_code(here):
    """A page of a problem chooses among registered families."""
    (here / "p.toml").write_text('title = "t"\nfamily = "mine.py:PARABOLA"\npurpose = "p"\n')
    with pytest.raises(InputError, match="runs no code"):
        load_problem("p.toml", N=2)


@pytest.mark.usefixtures("here")
def test_what_a_package_declares_is_listed(monkeypatch):
    """An entry point is a name like any other."""
    point = EntryPoint("their.descent", "mine.py:DESCENT", "boundcheck.bounds")
    monkeypatch.setattr(
        "boundcheck.files.own.entry_points", lambda group: [point] if group == "boundcheck.bounds" else []
    )
    entry_points_of.cache_clear()
    try:
        assert "their.descent" in BOUNDS
        assert "their.descent" in list(BOUNDS)
        assert BOUNDS["their.descent"].id == "their.descent"
        assert load_or_make("list bounds", lambda: ["first"]) == ["first"]
        assert load_or_make("list bounds", lambda: ["second"]) == ["second"]
        with pytest.raises(UnknownNameError, match=r"their\.descent"):
            BOUNDS["their.decent"]
    finally:
        entry_points_of.cache_clear()


def test_references_are_told_from_names():
    """A problem's selection, a drive and a sentence are none."""
    assert is_reference("mine.py:DESCENT")
    assert is_reference("package.module:NAME")
    assert not is_reference("momentum-fl.theorem11")
    assert not is_reference("mine.py")
    assert not is_reference("mine.py:")
    assert not is_reference(":NAME")
    assert not is_reference("a sentence: WITH")
    assert absolute("fedavg") == "fedavg"
    assert short('problem = "/a/b/mine.py:NAME[zeta=1/2]"') == 'problem = "mine.py:NAME[zeta=1/2]"'


@pytest.mark.usefixtures("here")
def test_lists_hold_registered_names_only():
    """Asking for an object of one's own does not enter it."""
    count = len(METHODS)
    assert np.isfinite(METHODS["mine.py:Descent"]().eta)
    assert len(METHODS) == count
    assert "mine.py:Descent" not in list(METHODS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_beginning_runs_as_it_says(kind, tmp_path, monkeypatch, capsys):
    """The command that `new` prints works on the file that it wrote, which is not written again."""
    monkeypatch.chdir(tmp_path)
    file = f"{kind}{Path(KINDS[kind]).suffix}"
    code, out, err = called(capsys, "new", kind, file)
    assert (code, err) == (0, "")
    command = out.splitlines()[-1].removeprefix("boundcheck ")
    code, _, err = called(capsys, *shlex.split(command))
    # A report says what it wrote, and how far it is.
    assert (code, err.splitlines()[-1:]) == (0, ["wrote report.pdf"] if kind == "recipe" else [])
    (tmp_path / file).write_text("mine")
    code, _, err = called(capsys, "new", kind, file)
    assert (code, (tmp_path / file).read_text()) == (2, "mine")
    assert "does not exist yet" in err
    assert called(capsys, "new", kind, "mine.txt")[0] == 2


def test_lemmas_of_a_beginning_are_proved_and_a_false_one_is_not(tmp_path, monkeypatch, capsys):
    """Four claims with steps, one by induction, and one that stands alone; a smaller invariant breaks at the start."""
    monkeypatch.chdir(tmp_path)
    called(capsys, "new", "claim", "mine.toml")
    proofs = json.loads(called(capsys, "prove", "mine.toml", "--json")[1])["results"]
    assert [row["verdict"] for row in proofs] == ["proved"] * 5
    text = (tmp_path / "mine.toml").read_text().replace('shows = "A[t] <= 2 for', 'shows = "A[t] <= 1 for')
    (tmp_path / "less.toml").write_text(text)
    less = {row["id"]: row for row in json.loads(called(capsys, "prove", "less.toml", "--json")[1])["results"]}
    assert less["mine.bounded"]["verdict"] != "proved"


def test_a_beginning_with_a_planted_error_is_violated(tmp_path, monkeypatch, capsys):
    """Half of the descent term is false on a parabola, where one step reaches the minimum."""
    monkeypatch.chdir(tmp_path)
    called(capsys, "new", "theorem", "t.py")
    setting = ["quadratic-tilt[zeta=0]", "--N", "1", "--K", "1", "--T", "50", "--fail-on", "violated"]
    assert called(capsys, "check", "t.py:THEOREM", *setting)[0] == 0
    half = (tmp_path / "t.py").read_text().replace("2 * L * Delta / T", "L * Delta / T")
    (tmp_path / "half.py").write_text(half)
    assert called(capsys, "check", "half.py:THEOREM", *setting)[0] == 1


CLAIM = """
from boundcheck.proofs import Claim


def absorb(limit):
    from boundcheck.proofs.provers import Real, positive

    beta, gl = positive("beta gl")
    return Real(4 * gl**2 / beta + beta / 9, 2 * beta / 9, (gl <= beta / limit, beta <= 1))


STEP = Claim("draft.step", "absorbed", "my draft", "4 gl^2/beta + beta/9 <= 2 beta/9", lambda: absorb(6))
WIDER = Claim("draft.wider", "absorbed", "my draft", "the same at beta/5", lambda: absorb(5), steps=("draft.step",))
BOTH = [STEP, WIDER]
"""


@pytest.fixture
def claims(tmp_path, monkeypatch):
    """Write the file of claims to the current folder."""
    (tmp_path / "lemma.py").write_text(CLAIM)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("claims")
def test_claims_of_a_file_are_decided(capsys):
    """4 gl^2/beta <= beta/9 needs gl <= beta/6; here, and in processes that cannot be sent the functions."""
    for workers in ("1", "2"):
        rows = json.loads(called(capsys, "prove", "lemma.py:BOTH", "--workers", workers, "--json")[1])["results"]
        assert [(row["id"], row["verdict"], row["steps"]) for row in rows] == [
            ("draft.step", "proved", "proved"),
            ("draft.wider", "refuted", "refuted"),
        ]
    assert [proof.verdict for proof in prove(["lemma.py:STEP", "fedlalr.lemma1"])] == ["proved", "proved"]
    assert called(capsys, "prove", "lemma.py:STEP", "--fail-on", "refuted")[0] == 0
    assert "refuted by real" in called(capsys, "show", "lemma.py:WIDER")[1]
    code, _, err = called(capsys, "prove", "lemma.py:WIDER")
    assert (code, "step of draft.wider 'draft.step'" in err) == (2, True)


@pytest.mark.usefixtures("claims")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "lemma.py:Claim"), "a bound, a method, a problem, a claim or a list of claims"),
        (("show", "lemma.py:NOTHING"), "it has absorb, STEP, WIDER, BOTH"),
        (("prove", "lemma.py:absorb"), "a claim absorb in lemma.py; it has STEP, WIDER, BOTH"),
        (("prove", "no.such-claim"), "or file.py:NAME"),
        (("show", "no-such-name"), "or file.py:NAME"),
        (("check", "no-such-bound", "common", "--N", "2", "--K", "1", "--T", "2"), "or file.py:NAME"),
        (("bounds", "no-such-bound"), "or file.py:NAME"),
        (("refute", "no-such-bound"), "or file.py:NAME"),
        (("run", "common", "no-such-method", "--N", "2", "--K", "1", "--T", "2"), "or file.py:NAME"),
        (("certify", "no-such-problem"), "or file.py:NAME"),
        (("conform", "--against", "lemma.py:absorb", "--method", "no-such"), "or file.py:NAME"),
        (("compare", "no-such-problem", "--N", "2", "--K", "1", "--T", "2"), "or file.py:NAME"),
        (("worst", "no-such-bound", "--K", "1", "--T", "1"), "or file.py:NAME"),
        (("steps", "no-such-bound", "common", "--N", "2", "--K", "1", "--T", "2"), "or file.py:NAME"),
    ],
)
def test_the_command_line_says_what_is_there(capsys, words, message):
    """With what the file makes, not what it imports; and a registered name is not all that is legal."""
    code, _, err = called(capsys, *words)
    assert code == 2
    assert message in err


@pytest.mark.usefixtures("here")
def test_the_worst_case_of_one_s_own_method(capsys):
    """One step of 1/L of gradient descent from anywhere: |grad f(x_0)|^2 = 2 L Delta is the worst, for both names."""
    for name, more in (("mine.py:Descent", ("--set", "eta=1")), ("mine.py:DESCENT", ())):
        code, out, err = called(capsys, "worst", name, "--K", "1", "--T", "1", *more, "--json")
        assert (code, err) == (0, "")
        (row,) = json.loads(out)["results"]
        assert row["upper"] == pytest.approx(2, rel=1e-6)
