"""Answers are kept where they follow from the question and the source alone; nothing else is believed."""

import itertools
import json
from pathlib import Path

import pytest
from cli_calls import called

import boundcheck.sweep
from boundcheck.cli.terminal import answers, output
from boundcheck.cli.terminal.answers import answer_of, answer_once
from boundcheck.cli.terminal.transcript import ask_anew
from boundcheck.files import kept, sources
from boundcheck.files.resources import folder


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Return a function that asks; every answer that is made is the next number."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    numbers = itertools.count(1)
    return lambda *names, settings=(1,), command="compare": answer_of(command, names, settings, lambda: next(numbers))


def test_the_same_question_is_answered_once(ask):
    """Another problem, setting or command is another question."""
    assert [ask("common"), ask("common"), ask("ridge[d=4]"), ask("ridge[d=4]"), ask("common")] == [1, 1, 2, 2, 1]
    assert [ask("common", settings=(2,)), ask("common", command="steps"), ask("common", settings=(2,))] == [3, 4, 3]


@pytest.mark.parametrize("name", ["./page.toml", "mine.py:PROBLEM", "ridge[graph=mine.py:W]", "page.toml"])
def test_what_a_file_may_change_is_asked_anew(ask, tmp_path, name):
    """A page of the user's, a reference, and a reference among the parameters."""
    (tmp_path / "page.toml").write_text("")
    assert [ask(name), ask(name), ask("common", name)] == [1, 2, 3]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Let commands keep their answers, in a folder of this test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for name in ("load_kept", "keep"):
        monkeypatch.setattr(answers, name, getattr(kept, name))
    return tmp_path


@pytest.fixture
def command(home):
    """Return a command that prints in all ways there are, and the list of what it was asked."""
    asked = []

    @answer_once
    def print_everything(
        *names: str, N: int = 8, cache: bool = True, output_file: Path | None = None, cut: bool = False
    ) -> int:
        asked.append(names)
        output.note_of_run("takes 20 s")
        output.note("beside")
        output.print_table(
            "a table", ("name", "verdict"), [["[red]plain[/]", output.mark("proved")]], first=("verdict",)
        )
        output.print_card("a card", {"long": "many words " * 20, "name": ", ".join(names)}, status="false as printed")
        output.say("a line")
        output.print_script("  as it\n   is")
        output.print_json([{"a": N, "b": float("inf"), "two words": (1, None, True)}])
        if cut:
            ask_anew()
        return 1

    return print_everything, asked


@pytest.mark.parametrize("columns", [None, "40", "120"])
def test_a_command_prints_again_what_it_printed(command, capsys, monkeypatch, columns):
    """On any terminal, with its exit code; what was about the run alone is gone."""
    ask, asked = command
    ask("common")
    capsys.readouterr()
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    assert ask("common") == 1
    again = capsys.readouterr()
    assert asked == [("common",)]
    assert ask.__wrapped__("common") == 1
    anew = capsys.readouterr()
    assert again.out == anew.out
    assert "takes 20 s\n" + again.err == anew.err


@pytest.mark.parametrize("case", ["number", "none kept", "file", "reference", "in brackets", "page", "cut"])
def test_another_question_is_answered_anew(command, home, case):
    """Another number; a file has a part or takes the answer; the user or the command wants nothing kept."""
    (home / "w.csv").write_text("")
    ask, asked = command
    names, options = {
        "number": (["common"], {}),
        "none kept": (["common"], {"cache": False}),
        "file": (["w.csv"], {}),
        "reference": (["mine.py:PROBLEM"], {}),
        "in brackets": (["ridge[graph=w.csv]"], {}),
        "page": (["common"], {"output_file": home / "page.pdf"}),
        "cut": (["common"], {"cut": True}),
    }[case]
    ask(*names, **options)
    ask(*names, **options, **({"N": 9} if case == "number" else {}))
    assert len(asked) == 2


def test_what_failed_is_asked_anew(home, capsys):
    """An error is no answer, whatever was printed before it."""
    asked = []

    @answer_once
    def fail() -> None:
        asked.append(1)
        output.say("a line")
        raise ValueError(len(asked))

    for turn in "12":
        with pytest.raises(ValueError, match=turn):
            fail()
    assert asked == [1, 1]


@pytest.mark.parametrize("damage", ["a verdict", "a code", "half", "source", "library"])
def test_nothing_else_than_what_was_kept_is_believed(command, home, monkeypatch, capsys, damage):
    """An edited answer, a file that was not written whole, another source, another library."""
    ask, asked = command
    ask("common")
    (path,) = (home / "cache" / "boundcheck" / "listings").rglob("*.json")
    text = path.read_text()
    if damage == "source":
        monkeypatch.setattr(sources, "package_hash", lambda: "another")
    elif damage == "library":
        monkeypatch.setattr(answers, "versions", lambda _names: {"clarabel": "0"})
    elif damage == "half":
        path.write_text(text[: len(text) // 2])
    else:
        entry = json.loads(text)
        entry["data"]["code" if damage == "a code" else "lines"] = 0 if damage == "a code" else []
        path.write_text(json.dumps(entry))
    assert ask("common") == 1
    assert len(asked) == 2
    assert ask("common") == 1
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("words", "dear"),
    [
        ("table fmgda.table1 --by samples", "boundcheck.api.words.rows_of_table"),
        ("check momentum-fl.theorem11 common --N 2 --K 1 --T 4 --fail-on vacuous", "boundcheck.api.theorems.check"),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                ("bounds momentum-fl.theorem11 --json", "boundcheck.evidence.checks.survey.survey"),
                ("prove fmgda.lemma3-split", "boundcheck.proofs.ledger.tree.standings"),
                ("worst fedavg --set eta=0.5 --K 1 --T 1", "boundcheck.api.worst_cases.read_question"),
                ("show momentum-fl.theorem11 --proof", "boundcheck.proofs.search.accepted.load_accepted"),
                ("steps common momentum-fl.theorem11 --N 2 --K 1 --T 8 --workers 1", "boundcheck.api.theorems.steps"),
            )
        ),
    ],
)
def test_commands_are_answered_once(home, capsys, monkeypatch, words, dear):
    """What is dear is not called again, and the same is printed."""
    first = called(capsys, *words.split())
    assert first[0] in {0, 1}, first[2]
    monkeypatch.setattr(dear, lambda *_given, **_options: pytest.fail("asked again"))
    assert called(capsys, *words.split())[:2] == first[:2]


@pytest.mark.slow
def test_a_picture_is_drawn_once(home, capsys, monkeypatch):
    """Into another file, too; another ending is another picture."""
    words = ["plot", "common", "momentum-fl.theorem11", "--N", "2", "--K", "1", "--T", "8", "--workers", "1", "-o"]
    assert called(capsys, *words, "one.png")[0] == 0
    monkeypatch.setattr("boundcheck.api.theorems.plot", lambda *_given, **_options: pytest.fail("asked again"))
    assert called(capsys, *words, "two.png")[0] == 0
    assert (home / "two.png").read_bytes() == (home / "one.png").read_bytes()
    with pytest.raises(pytest.fail.Exception, match="asked again"):
        called(capsys, *words, "one.svg")


SWEEP = """
title = "two"
replicates = 4
[[study]]
id = "s"
title = "s"
problem = "PROBLEM"
bounds = ["momentum-fl.theorem11"]
N = [2]
K = [1]
T = [4, 8]
"""


@pytest.fixture
def swept(home, capsys, monkeypatch):
    """Sweep two cells, and return a function that sweeps again and says whether that judged anything."""
    page = (folder("problems") / "ridge-log.toml").read_text(encoding="utf-8")
    (home / "page.toml").write_text(page, encoding="utf-8")

    def sweep(*words, problem="ridge-ratio"):
        (home / "two.toml").write_text(SWEEP.replace("PROBLEM", problem), encoding="utf-8")
        return called(capsys, "sweep", "two.toml", "--store", "kept", "--workers", "1", *words)

    def again(*words, **options):
        judged = []
        whole = boundcheck.sweep.run_and_collect
        with monkeypatch.context() as patch:
            patch.setattr(boundcheck.sweep, "run_and_collect", lambda *a, **o: judged.append(1) or whole(*a, **o))
            code, out, _ = sweep(*words, **options)
        return code, out, bool(judged)

    return sweep, again


def test_a_sweep_that_is_all_there_is_printed_again(swept):
    """The results, as they lie there, and the recipe are the question: nothing is judged."""
    sweep, again = swept
    first = sweep()
    assert again() == (*first[:2], True)
    assert again() == (*first[:2], False)
    assert again("--json")[-1]
    assert not again("--json")[-1]


def test_what_was_written_while_a_sweep_was_judged_is_judged_the_next_time(swept, home, monkeypatch):
    """Another process may write into the same store: verdicts from before are not kept for what lies there since."""
    sweep, again = swept
    sweep()
    one, _ = sorted((home / "kept").glob("*.npz"))
    judge = boundcheck.sweep.verdicts
    with monkeypatch.context() as patch:
        patch.setattr(boundcheck.sweep, "verdicts", lambda held: one.write_bytes(one.read_bytes()) and judge(held))
        sweep("--json")
    assert again("--json")[-1]
    assert not again("--json")[-1]


@pytest.mark.parametrize("case", ["written", "gone", "damaged", "seed", "problem", "code", "table", "file"])
def test_a_sweep_of_something_else_is_judged(swept, home, case):
    """A result that was written again, another recipe, code or a file that has a part in it, and a file to write."""
    sweep, again = swept
    first = sweep()
    sweep()
    one, _ = sorted((home / "kept").glob("*.npz"))
    words, problem = [], "ridge-ratio"
    if case == "written":
        one.write_bytes(one.read_bytes())
    elif case == "gone":
        one.unlink()
    elif case == "damaged":
        one.write_bytes(one.read_bytes()[:-9])
    elif case == "seed":
        words = ["--seed", "5"]
    elif case == "problem":
        problem = "ridge-log"
    elif case == "code":
        words = ["--trust-code"]
    elif case == "table":
        words = ["--table", "t.csv"]
    else:
        problem = "./page.toml"
        sweep(problem=problem)
        sweep(problem=problem)
    code, out, judged = again(*words, problem=problem)
    assert (code, judged) == (0, True)
    assert out == first[1] or case in {"problem", "file", "seed"}
