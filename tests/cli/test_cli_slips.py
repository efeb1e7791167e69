"""A slip in a file of the user's own is told as one: exit code 2, the file, the line and the name; never as ours."""

import itertools
import signal
from pathlib import Path

import pytest
from cli_calls import called
from slips import slips

from boundcheck.api.outputs import KINDS

SKELETONS = Path(__file__).parents[2] / "boundcheck" / "skeletons"
COMMANDS = {
    "theorem": ("check FILE:THEOREM ridge-ratio --N 2 --K 1 --T 4", "show FILE:THEOREM"),
    "method": ("run ridge-ratio FILE:MyMethod --N 2 --K 2 --T 4 --set eta=0.05", "show FILE:MyMethod"),
    "problem": (
        "certify FILE:PROBLEM[zeta=0.5] --N 2 --workers 1",
        "check momentum-fl.theorem11 FILE:PROBLEM --N 2 --K 1 --T 2",
    ),
    "own": ("check FILE:THEOREM FILE:PROBLEM --N 2 --K 1 --T 2", "prove FILE:CLAIM --no-cache", "show FILE:CLAIM"),
}
SOME = 12
"""Slips of a kind that are made each time; all of them where time does not count."""
MOST_SECONDS = 60
"""What a command with a slip in it may take."""
pytestmark = [
    pytest.mark.usefixtures("letters_forgotten"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::SyntaxWarning"),
]


def source_of(kind):
    """Return the file that is changed: what `new` writes, or one with a metric, a letter and a claim as well."""
    return (
        Path(__file__).with_name("own_file.py").read_text() if kind == "own" else (SKELETONS / KINDS[kind]).read_text()
    )


def asked(kind, some, capsys):
    """Yield what was done, the command, and how it ended, of some slips."""
    for number, (what, text) in enumerate(some):
        file = f"slip{kind}{number}.py"
        Path(file).write_text(text)
        for command in COMMANDS[kind]:
            signal.alarm(MOST_SECONDS)
            yield what, command, file, called(capsys, *command.replace("FILE", file).split())
            signal.alarm(0)


def require_told(what, command, file, ended):
    """Assert that a slip is told as the user's: an error of Python's with the file, any error in one line."""
    code, _, err = ended
    assert code in {0, 1, 2}, (what, command, err)
    lines = [line for line in err.splitlines() if line.startswith("boundcheck: ")]
    assert len(lines) == (code == 2), (what, command, err)
    assert "Traceback" not in err
    assert "report it" not in err
    if code == 2 and "Error: " in lines[0]:
        assert file in lines[0], (what, command, err)


@pytest.mark.parametrize("kind", COMMANDS)
def test_some_slips_are_the_users(kind, tmp_path, monkeypatch, capsys):
    """Statements, arguments and values less, swapped, misspelt or in the wrong place, drawn at random."""
    monkeypatch.chdir(tmp_path)
    some = list(slips(source_of(kind), SOME))
    assert len(some) > SOME / 2
    for case in asked(kind, some, capsys):
        require_told(*case)


@pytest.mark.slow
@pytest.mark.parametrize("kind", COMMANDS)
def test_all_slips_are_the_users(kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for case in asked(kind, slips(source_of(kind)), capsys):
        require_told(*case)


@pytest.mark.parametrize("kind", COMMANDS)
def test_without_a_slip_there_is_none(kind, tmp_path, monkeypatch, capsys):
    """The files themselves, which the slips are made of, run."""
    monkeypatch.chdir(tmp_path)
    for what, command, _, (code, _, err) in asked(kind, [("nothing", source_of(kind))], capsys):
        assert code == 0, (what, command, err)


def put(kind, old, new, name="mine.py"):
    """Write the file of a kind with one piece of it replaced, and return the line of that piece."""
    text = source_of(kind)
    assert text.count(old) == 1
    Path(name).write_text(text.replace(old, new))
    return text[: text.index(old)].count("\n") + 1


SLIPS = [
    ("method", "oracle.draw()", "oracle.drw()", "in MyMethod.round.step: AttributeError"),
    ("method", "self.beta * state.v", "self.beta * state.w", "in MyMethod.round: AttributeError"),
    (
        "problem",
        "np.sqrt(1 + x @ x) + tilts[client]",
        "np.sqrt(1 + x @ x) + tilt[client]",
        "in PROBLEM.value: NameError",
    ),
    ("problem", "g[0] += tilts[client]", "g[9] += tilts[client]", "in PROBLEM.gradient: IndexError"),
    ("theorem", "2 * L * Delta / T,", "2 * L * Delta / TT,", "failed: NameError"),
    ("theorem", "rigid=True,", "rigged=True,", "failed: TypeError"),
]


@pytest.mark.parametrize(("kind", "old", "new", "words"), SLIPS)
def test_the_line_is_named(kind, old, new, words, tmp_path, monkeypatch, capsys):
    """The innermost line of the user's that the error passed through, in the function that it is in."""
    monkeypatch.chdir(tmp_path)
    line = put(kind, old, new)
    code, _, err = called(capsys, *COMMANDS[kind][0].replace("FILE", "mine.py").split())
    assert code == 2
    assert f"mine.py:{line}" in err or f"mine.py, line {line}" in err or words == "failed: TypeError"
    assert words in err
    assert err.count("\n") == 1


def test_what_no_line_of_the_file_raises_names_the_object(tmp_path, monkeypatch, capsys):
    """Data that boundcheck trips over later: the object, with the line on which it is made."""
    monkeypatch.chdir(tmp_path)
    put("theorem", 'conditions=(\n        Condition("one local step", Eq(K, 1)),', "conditions=(3,\n")
    code, _, err = called(capsys, *COMMANDS["theorem"][0].replace("FILE", "mine.py").split())
    line = source_of("theorem").splitlines().index("THEOREM = Bound(") + 1
    assert code == 2
    assert f"mine.py:THEOREM (line {line})" in err


def test_a_slip_in_a_worker_is_the_users(tmp_path, monkeypatch, capsys):
    """What a worker raises comes with its lines."""
    monkeypatch.chdir(tmp_path)
    line = put("problem", "g[0] += tilts[client]", "g[9] += tilts[client]")
    command = "certify mine.py:PROBLEM mine.py:PROBLEM[zeta=1] --N 2 --workers 2"
    code, _, err = called(capsys, *command.split())
    assert code == 2
    assert f"mine.py:{line}, in gradient: IndexError" in err


def test_a_file_that_ends_the_program_does_not(tmp_path, monkeypatch, capsys):
    """Scripts end so: as a file of objects it is a slip, when it is read and when its functions are called."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(source_of("problem") + "\nraise SystemExit(0)\n")
    code, _, err = called(capsys, "show", "mine.py:PROBLEM")
    assert code == 2
    assert "mine.py, line" in err
    assert "SystemExit" in err
    line = put("problem", "g[0] += tilts[client]", "raise SystemExit(0)", "other.py")
    code, _, err = called(capsys, *COMMANDS["problem"][0].replace("FILE", "other.py").split())
    assert code == 2
    assert f"other.py:{line}, in PROBLEM.gradient: SystemExit" in err


def test_a_refusal_names_the_line_that_asked_for_it(tmp_path, monkeypatch, capsys):
    """What boundcheck refuses on purpose says where in the file that was, unless it says so already."""
    monkeypatch.chdir(tmp_path)
    put("problem", "start=[1.0, 1.0, 1.0],", "start=[1.0, 1.0],")
    line = next(i for i, text in enumerate(Path("mine.py").read_text().splitlines(), 1) if "from_functions(" in text)
    code, _, err = called(capsys, *COMMANDS["problem"][0].replace("FILE", "mine.py").split())
    assert code == 2
    said = "mine.py:PROBLEM[zeta=0.5]: own: start = [1.0, 1.0] is not legal: 3 numbers"
    assert err == f"boundcheck: {said} (mine.py:{line}, in PROBLEM)\n"


def test_our_own_slips_stay_ours(tmp_path, monkeypatch, capsys):
    """With no file of the user's in play an unexpected error is an internal one, as before; a refusal is a refusal."""
    from boundcheck.cli.commands import look

    def slip(*_, **__):
        raise TypeError("ours")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(look, "print_card", slip)
    code, _, err = called(capsys, "show", "ridge-ratio")
    assert code == 3
    assert "internal error, please report it: TypeError: ours" in err
    put("theorem", "rigid=True,", "rigid=True,")
    assert called(capsys, "check", "mine.py:THEOREM", "ridge-ratio", "--N", "0", "--K", "1", "--T", "2")[0] == 2


def test_names_of_an_earlier_command_are_not_blamed(tmp_path, monkeypatch, capsys):
    """Several commands in one process: each answers for its own files."""
    from boundcheck.cli.commands import look

    monkeypatch.chdir(tmp_path)
    put("theorem", "rigid=True,", "rigid=True,")
    assert called(capsys, "show", "mine.py:THEOREM")[0] == 0
    monkeypatch.setattr(look, "print_card", lambda *_, **__: (_ for _ in ()).throw(TypeError("ours")))
    assert called(capsys, "show", "ridge-ratio")[0] == 3


def test_slips_are_python_and_differ():
    """The rules give what they say: every file compiles, and hardly any is the one it was made of."""
    source = source_of("theorem")
    every = list(itertools.islice(slips(source), 200))
    for what, text in every:
        compile(text, what, "exec")
    assert len({text for _, text in every}) > 150
