"""Bad input: exit code 2, exactly one line on standard error that names the thing, nothing on standard output."""

import re
from pathlib import Path

import pytest
from cli_calls import called

from boundcheck.cli import app as app_module
from boundcheck.cli.app import main
from boundcheck.proofs import CLAIMS

ROOT = Path(__file__).parents[2]
RUN = "run ridge-ratio fedavg --N 2 --K 1 --T 5"
CHECK = "check momentum-fl.theorem11 ridge-ratio --N 2 --K 1 --T 5"
BAD = [
    (f"{RUN} --set eta=.1 --S 3", "S = 3 is not legal: at most N = 2"),
    ("run ridge-ratio fedavg --N 2 --K 0 --T 5 --set eta=.1", "K = 0"),
    ("run ridge-ratio fedavg --N 0 --K 1 --T 5 --set eta=.1", "N = 0"),
    ("run ridge-ratio fedavg --N 2 --K 1 --T 0 --set eta=.1", "T = 0"),
    ("run ridge-ratio[sigma=-1] fedavg --N 2 --K 1 --T 5 --set eta=.1", "sigma = -1"),
    ("run ridge-ratio[sigm=1] fedavg --N 2 --K 1 --T 5 --set eta=.1", "unknown parameter sigm"),
    ("run ridge-ratio[ fedavg --N 2 --K 1 --T 5 --set eta=.1", "ridge-ratio["),
    ("run ridge-ration fedavg --N 2 --K 1 --T 5", "unknown problem 'ridge-ration'"),
    ("run ridge-ratio fedavgg --N 2 --K 1 --T 5", "unknown method 'fedavgg'"),
    (f"{RUN} --set eta=.1 --metric gradient", "unknown metric 'gradient'"),
    (f"{RUN} --set eta=.1 --metric envelope_gradient", "needs Phi"),
    (f"{RUN} --set eta=.1 --lanes 0", "lanes = 0"),
    (f"{RUN} --set eta=.1 --seed -1", "seed = -1"),
    (f"{RUN} --set eta=.1 --workers 0", "workers = 0"),
    (f"{RUN} --set eta=.1 --b 0", "b = 0"),
    (RUN, "method fedavg needs eta"),
    ("sharpen nomethod", "unknown method 'nomethod'"),
    ("sharpen fedavg", "--K is missing: a number of local steps"),
    ("worst fedavg --T 1 --set eta=.1", "fedavg: no value of --K: local steps and rounds"),
    (f"{RUN} --set eta", "--set = 'eta' is not legal: name=value"),
    (f"{RUN} --set eta=", "--set = 'eta='"),
    (f"{RUN} --set eta=abc", "eta = 'abc'"),
    (f"{RUN} --set eta=nan", "eta = nan"),
    (f"{RUN} --set step=.1", "no hyperparameter 'step'; it has eta, gamma"),
    ("run ncsc-p1 fedavg --N 2 --K 1 --T 5 --set eta=.1", "method fedavg is for minimise problems"),
    ("run ncsc-p1 local-sgda --N 2 --K 1 --T 5 --set eta_x=.1 --set eta_y=-.1", "eta_y = -0.1"),
    (f"{CHECK} --S 3", "S = 3"),
    (f"{CHECK} --set betaa=1", "'betaa'"),
    (f"{CHECK} --set beta=abc", "beta = 'abc'"),
    (f"{CHECK} --set eta=0", "eta = 0"),
    (f"{CHECK} --set eta=-1", "eta = -1"),
    (f"{CHECK} --vary sigma=1,2", "--vary = 'sigma=1,2'"),
    (f"{CHECK} --vary sigma", "--vary = 'sigma'"),
    (f"{CHECK} --vary sigmaa=1", "sigmaa"),
    (f"{CHECK} --vary sigma=-1", "sigma = -1"),
    (f"{CHECK} --vary N=3", "'N'"),
    (f"{CHECK} --alpha 2", "alpha = 2"),
    (f"{CHECK} --seed -1", "seed = -1"),
    (f"{CHECK} --replicates 0", "replicates = 0"),
    (f"{CHECK} --budget 3", "budget = 3"),
    (f"{CHECK} --fail-on refuted", "refuted"),
    ("check momentum-fl.theorem11 ridge-ratio --N 2 --K 1", "--T"),
    ("check momentum-fl.theorem11 ridge-ratio --N two --K 1 --T 5", "two"),
    ("check momentum-fl.theorem11 ridge-ratio --N 2 --K 1 --T [] 4", "--T = '[]' is not legal: an integer"),
    ("check momentum-fl.theorem12 ridge-ratio --N 2 --K 1 --T 5", "unknown bound"),
    ("check momentum-fl.theorem11 mine.toml --N 2 --K 1 --T 5", "no file 'mine.toml'"),
    ("check momentum-fl.theorem19-printed quadratic-tilt --N 2 --K 1 --T 30 20 10", "three increasing values"),
    ("sweep overvew", "unknown recipe 'overvew'; did you mean overview"),
    ("sweep mine.toml", "no file 'mine.toml'"),
    ("sweep overview --workers 0", "workers = 0"),
    ("prove nothing-like-this", "unknown claim"),
    ("prove --paper fmgd", "unknown paper 'fmgd'; did you mean fmgda"),
    ("prove --workers 0", "workers = 0"),
    ("prove fmgda", "claim = 'fmgda' is not legal: a claim; --paper fmgda"),
    ("prove fmgda.a2 --paper fedlalr", "--paper = 'fedlalr' is not legal: the paper of fmgda.a2"),
    ("bounds momentum-fl.theorem11 --set mu=.25", "unknown letter 'mu'"),
    ("bounds momentum-fl.theorem11 --set L=x", "--set L = 'x'"),
    ("bounds momentum-fl.theorem11 --set L=nan", "--set L = nan"),
    ("conform fedavg --set eta=.1", "left out without --against"),
    ("conform fedavg --tolerance .1", "left out without --against"),
    ("conform --against os:getcwd --method fedavg --tolerance -1", "--tolerance = -1.0 is not legal"),
    (f"{RUN} --set eta=.1 --set eta=.2", "--set = 'eta=.2' is not legal: a name that was not set before"),
    (f"{RUN} --set eta=.1 gamma=1", "too many arguments: gamma=1"),
    ("sweep overview --table verdicts.xlsx", "--table = 'verdicts.xlsx' is not legal"),
    ("sweep overview --times times.txt", "--times = 'times.txt' is not legal"),
    ("certify ridge", "unknown problem 'ridge'"),
    ("certify quadratic-tilt --N 0", "N = 0"),
    ("certify quadratic-tilt --N 2.5", "--N = '2.5' is not legal: an integer"),
    (f"{CHECK} 1e-3", "--T = '1e-3' is not legal: an integer"),
    ("certify quadratic-tilt --seed -1", "seed = -1"),
    ("show ridge", "unknown name 'ridge'"),
    ("show fedavg --plot it.svg", "--plot: name = 'fedavg' is not legal: a problem"),
    ("show ridge-ration --plot it.svg", "--plot: name = 'ridge-ration'"),
    ("show quadratic-tilt --plot it.txt", "'it.txt' is not legal: a path in .svg, .png or .pdf"),
    ("certify quadratic-tilt --workers 0", "workers = 0"),
    ("certify quadratic-tilt momentum-fl-e2 --N 0", "N = 0"),
    ("certify quadratic-tilt ridge --workers 2", "unknown problem 'ridge'"),
    ("check momentum-fl.theorem11 ridge-ratio --N 2 --K 1 --T --seed 1", "--T = '' is not legal: one number"),
    (f"{CHECK} --alpha 5e-324", "alpha = 5e-324"),
    (f"{CHECK} --b 9223372036854775807", "b = 9223372036854775807 is not legal: at most 1e+09"),
    (f"{CHECK} --b 100000000", "N d b = 3200000000 is not legal: at most 4e+07 numbers"),
    (f"{CHECK} --replicates 2147483648 --budget 2147483648", "replicates = 2147483648"),
    (f"{CHECK} --vary name=1", "unknown parameter name"),
    ("check momentum-fl.theorem11 ridge-ratio[zeta=1e160] --N 2 --K 1 --T 5", "zeta = 1e+160"),
    ("check momentum-fl.theorem11 ridge-ratio[omega=1e300] --N 2 --K 1 --T 5", "omega = 1e+300"),
    ("check momentum-fl.theorem11 ridge-ratio[sigma=1e308] --N 2 --K 1 --T 5", "sigma = 1e+308"),
    ("check momentum-fl.theorem11 ridge-ratio[zeta=1e-200] --N 2 --K 1 --T 5", "zeta = 1e-200"),
    ("check momentum-fl.theorem11 ridge-ratio[d=9223372036854775807] --N 2 --K 1 --T 5", "d = 9223372036854775807"),
    ("run ridge-ratio[d=1000000000] fedavg --N 2 --K 1 --T 5", "N d = 2000000000 is not legal: at most 2e+07 numbers"),
    (f"{RUN} --set eta=.1 --lanes 2147483648", "replicates = 2147483648"),
    ("run ridge-ratio fedavg --N 2 --K 1 --T 5000000000000 --set eta=.1", "T = 5000000000000 is not legal: at most"),
    ("show ridge-ratio --N 1000000", "N = 1000000 is not legal: at most 100000 clients"),
    ("show [/]", "problem '[/]' is not legal"),
    ("report overview -o x.txt", "output = 'x.txt' is not legal: a file ending in .pdf"),
    ("sweep overview --summary tests", "tests: Is a directory"),
    ("sweep overview --table README.md/x.csv", "README.md/x.csv: Not a directory"),
    ("report overview -o README.md/x.pdf", "README.md/x.pdf: Not a directory"),
    ("report overview --store README.md", "README.md: File exists"),
    ("prove fmgda.a2 --export README.md", "README.md: File exists"),
    (f"{RUN} --set eta=.1 --seed {'9' * 5000}", "digits"),
    ("list theorems", "theorems"),
    ("certfy ridge-ratio", "certfy"),
    ("list bounds --jsn", "--jsn"),
]


@pytest.mark.parametrize(("command", "words"), BAD)
def test_bad_input_is_one_line(command, words, capsys, monkeypatch):
    """The line names what is wrong, and nothing has run before it."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("boundcheck.sweep.run.runner.run_bundle", None)
    code, out, err = called(capsys, *command.split())
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith("boundcheck: ")
    assert words in err


def test_store_that_cannot_be_written_is_one_line(tmp_path, capsys):
    """A store that is a file is refused with its name."""
    store = tmp_path / "file"
    store.write_text("")
    recipe = tmp_path / "r.toml"
    recipe.write_text(
        'title = "t"\n[[study]]\nid = "s"\ntitle = "s"\nproblem = "quadratic-tilt"\n'
        'bounds = ["momentum-fl.theorem19"]\nN = [2]\nK = [1]\nT = [2]\n'
    )
    code, out, err = called(capsys, "sweep", recipe, "--store", store, "--workers", 1)
    assert (code, out) == (2, "")
    assert err == f"boundcheck: {store}: File exists\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [("def f(:", "SyntaxError"), ("1 / 0", "ZeroDivisionError"), ("import no_such", "no_such")],
)
def test_a_module_that_cannot_be_imported_is_one_line(text, words, tmp_path, capsys):
    """What an implementation raises while it is read is told like any other mistake."""
    (tmp_path / "mine.py").write_text(text)
    code, out, err = called(capsys, "conform", "--against", f"{tmp_path / 'mine.py'}:f", "--method", "fedavg")
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1


def test_an_unknown_name_does_not_list_hundreds(capsys):
    """Of what is known a message shows a handful, and says how many there are."""
    _, _, err = called(capsys, "prove", "nosuch")
    known = err.partition("known: ")[2]
    assert known.count(",") <= 12
    assert f"({len(CLAIMS)} in all)" in known


def test_every_option_says_what_it_is(capsys, monkeypatch):
    """No argument or option of any command is without a word of help."""
    monkeypatch.setenv("COLUMNS", "200")
    for command in app_module.app:
        if command.startswith("-"):
            continue
        rows = re.findall(r"^│ (?:\* {2}| {0,3})(\S.*?) *│$", called(capsys, command, "--help")[1], re.MULTILINE)
        assert rows
        for row in rows:
            words = re.sub(r"\[(default|choices|required).*?\]", "", row).strip()
            assert re.search(r"\S {2,}\S", words), f"{command}: {row}"


@pytest.mark.parametrize("command", ["list", "show", "certify", "run", "check", "prove", "sweep", "report"])
def test_help_of_every_command(command, capsys):
    """--help prints the usage of each command and exits with 0."""
    code, out, err = called(capsys, command, "--help")
    assert (code, err) == (0, "")
    assert f"boundcheck {command}" in out
    assert "--help" in called(capsys, "--help")[1]


def test_version(capsys):
    """--version prints the version."""
    import boundcheck

    assert called(capsys, "--version")[1].strip() == boundcheck.__version__


def test_interruption_is_one_line(monkeypatch, capsys):
    """Ctrl-C gives one line and the customary exit code 130."""

    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(app_module, "app", interrupted)
    code, out, err = called(capsys, "list", "bounds")
    assert (code, out) == (130, "")
    assert err == "interrupted; finished cells are kept\n"


def test_main_exits_with_the_code(capsys):
    """The console script hands the exit code to the shell."""
    with pytest.raises(SystemExit) as caught:
        main(["show", "nothing"])
    assert caught.value.code == 2
    assert "unknown name" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "old", "new", "command", "words"),
    [
        (
            "problem.py",
            "start=[1.0, ",
            "start=[",
            "certify FILE:PROBLEM --N 2 --workers 1",
            "start = [1.0, 1.0] is not",
        ),
        (
            "claim.toml",
            '"facts.toml"',
            '"fact.toml"',
            "prove FILE --no-cache",
            "uses = 'fact.toml' is not legal: a file",
        ),
        ("recipe.toml", "sigma = 0.5", "sigma = -0.5", "sweep FILE --yes", "study ridges: ridge-ratio"),
    ],
)
def test_a_slip_in_a_file_of_ones_own_is_told_with_the_file(
    kind, old, new, command, words, tmp_path, monkeypatch, capsys
):
    """Went wrong: what a theorem, a problem or a recipe names was refused without a word on where it stands."""
    text = (ROOT / "boundcheck" / "skeletons" / kind).read_text(encoding="utf-8")
    assert old in text
    monkeypatch.chdir(tmp_path)
    file = f"slipped_{tmp_path.name}{Path(kind).suffix}"
    Path(file).write_text(text.replace(old, new, 1), encoding="utf-8")
    code, out, err = called(capsys, *command.replace("FILE", file).split())
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith(f"boundcheck: {file}")
    assert words in err
