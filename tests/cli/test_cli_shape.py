"""What holds of every command: groups and examples in the help, JSON of one shape, errors as JSON, names completed."""

import json
import re
import shlex
from pathlib import Path

import pytest
from cli_calls import called, no_constant

from boundcheck.api.answer import schema
from boundcheck.cli.app import BEFORE, GROUPS, app
from boundcheck.cli.terminal import progress
from boundcheck.cli.terminal.progress import Clock
from boundcheck.findings import findings
from boundcheck.worst.theorems.collection.shipped import FOLDER

EXAMPLES = {command.__name__.rstrip("_"): shlex.split(line) for group in GROUPS.values() for command, line in group}
NAMES = sorted(name for name in app if not name.startswith("-"))
CALLS = {
    "bounds": ["momentum-fl.theorem11"],
    "certify": ["quadratic-tilt", "--N", 2],
    "check": ["theorem11", "common", "--N", 2, "--K", 1, "--T", 64, 128],
    "conform": ["sgd"],
    "explain": ["vacuous"],
    "findings": ["momentum-fl-e1"],
    "list": ["tables"],
    "new": ["claim", "mine.toml"],
    "prove": ["fmgda.lemma3-split"],
    "rate": ["momentum-fl"],
    "refute": ["fedlalr.corollary2", "--work", 50],
    "run": ["ridge-ratio", "fedavg", "--set", "eta=0.1", "--N", 2, "--K", 1, "--T", 8, "--lanes", 2],
    "satisfies": ["ridge-ratio", "fedlalr"],
    "show": ["fedavg"],
    "table": ["fmgda.table1"],
    "verify": [FOLDER / "fedavg-exact.json"],
}
DEAR = {
    "compare": ["quadratic-tilt", "--N", 2, "--K", 1, "--T", 8, "--workers", 1, "--replicates", 2],
    "plot": ["theorem11", "common", "--N", 2, "--K", 1, "--T", 4, 8, "--workers", 1, "-o", "a.png"],
    "review": ["field.gd-convex", "--work", 500],
    "report": ["complexity", "--dry-run"],
    "sharpen": ["fedavg", "--set", "eta=0.25", "--K", 1, "--T", 4],
    "steps": ["theorem11", "common", "--N", 2, "--K", 1, "--T", 8, "--workers", 1],
    "sweep": ["complexity", "--dry-run"],
    "tightness": ["theorem11", "--K", 1, "--T", 1],
    "worst": ["fedavg", "--set", "eta=0.5", "--K", 1, "--T", 1, "--N", 1],
}
APART = {"mcp"}
"""A server."""


def answered(capsys, *arguments, code=0):
    """Return what a command prints with --json: one object, of the shape that is shipped."""
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    found, out, err = called(capsys, *arguments, "--json")
    assert found == code, err
    data = json.loads(out, parse_constant=no_constant)
    jsonschema.validate(data, schema())
    return data


@pytest.mark.parametrize(
    "command", [*sorted(CALLS), *(pytest.param(name, marks=pytest.mark.slow) for name in sorted(DEAR))]
)
def test_json_has_one_shape(command, capsys, tmp_path, monkeypatch):
    """Schema, and a list of records without blanks in their names beside those of former releases."""
    monkeypatch.chdir(tmp_path)
    data = answered(capsys, command, *({**CALLS, **DEAR}[command]))
    assert data["schema"] == f"boundcheck/{command}/1"
    assert data["results"]
    for record in data["results"]:
        assert {re.sub(r"\W+", "_", key).strip("_") for key in record if " " in key} <= set(record)
    if len(data) > 2:
        # Of one record its keys stand beside the results, too.
        assert {key: data[key] for key in data if key not in {"schema", "results"}}.items() <= data["results"][
            0
        ].items()


def test_every_command_is_asked():
    """All that ship are."""
    assert {*CALLS, *DEAR, *APART} == set(NAMES)


def test_a_list_of_former_releases_stays_one_for_this_release(capsys, monkeypatch):
    """Of records that name their schema; one record is an object that has its keys, and `results` besides."""
    monkeypatch.delenv("BOUNDCHECK_JSON")
    code, out, _ = called(capsys, "prove", "fmgda.lemma3-split", "--json")
    (row,) = json.loads(out)
    assert (code, row["schema"], row["verdict"]) == (0, "boundcheck/prove/1", "proved")
    code, out, _ = called(capsys, "check", *CALLS["check"][:-1], "--json")
    found = json.loads(out)
    assert found["verdict"] == found["results"][0]["verdict"]
    assert found["schema"] == "boundcheck/check/1"


def test_the_former_shape_is_there_for_one_release(capsys, monkeypatch):
    monkeypatch.setenv("BOUNDCHECK_JSON", "0")
    code, out, _ = called(capsys, "list", "tables", "--json")
    assert code == 0
    assert isinstance(json.loads(out), list)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["check", "theorem11", "common", "--K", 1, "--T", 4],
            "check: --N is missing: Clients; boundcheck check --help",
        ),
        (["check", "theorem11", "common", "--K", 1, "--T", 4, "--N"], "check: --N has no value: Clients"),
        (["check"], "check: BOUND is missing: Name of a bound"),
        (["check", "theorem11"], "check: PROBLEM is missing: Name of a problem, or a path to a .toml file; boundcheck"),
        (["check", "--hlep"], "check: unknown option --hlep; did you mean --help? boundcheck check --help lists"),
        (["review", "theorem11", "--html", "x"], "review: unknown option --html; it has --output, -o, --proof, "),
        (["verify", "mine.py"], "file = 'mine.py' is not legal: a claim file (.toml) or certificates (.json)"),
        (["show", "no-such-name"], "unknown"),
        (["run", "common", "fedavg", "--N", 2, "--K", 1, "--T", 1.5], "--T = '1.5' is not legal: an integer"),
        (["tell"], "tell"),
    ],
)
def test_an_error_is_json_too(capsys, tmp_path, monkeypatch, arguments, message):
    """One object with the exit code, and the same words on standard error."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").touch()
    data = answered(capsys, *arguments, code=2)
    assert set(data) == {"schema", "error"}
    assert data["error"]["code"] == 2
    assert message in data["error"]["message"]
    out, err = called(capsys, *arguments)[1:]
    assert (out, err) == ("", f"boundcheck: {data['error']['message']}\n")


def test_help_has_groups_and_an_example_of_each_command(capsys):
    """In the order of a task; each example parses, and begins with its command."""
    _, out, _ = called(capsys, "--help")
    titles = ["Theorems", "Methods and problems", "Proofs", "Worst cases", "Reports", "Your own"]
    assert list(GROUPS) == titles
    places = [out.index(f"─ {title} ─") for title in titles]
    assert places == sorted(places)
    assert set(EXAMPLES) == set(NAMES)
    for name, line in EXAMPLES.items():
        assert line[0] == name
        app.parse_args(line, exit_on_error=False, print_error=False)
        assert f"Example: boundcheck {shlex.join(line)[:40]}" in called(capsys, name, "--help")[1]
    for name, line in BEFORE.items():
        app.parse_args(line.split(), exit_on_error=False, print_error=False)
        assert f"after boundcheck {line[:40]}" in called(capsys, name, "--help")[1]
    for group in GROUPS.values():
        assert f"boundcheck {group[0][1]}" in out


def test_names_are_completed(capsys):
    """Bounds, problems, methods, findings: whatever a place takes; and options."""
    for words, name in (
        (["check", "momentum-fl.th"], "momentum-fl.theorem11"),
        (["check", "momentum-fl.theorem11", "rid"], "ridge-ratio"),
        (["run", "ridge-ratio", "fed"], "fedavg-m"),
        (["findings", "fedl"], "fedlalr"),
        (["worst", "sc"], "scaffold"),
        (["report", "ov"], "overview"),
    ):
        assert name in called(capsys, "__complete", *words)[1].split(), words
    script = app.generate_completion(shell="bash")
    assert "--replicates" in script
    assert "__complete" in script


@pytest.mark.parametrize(
    "command",
    [
        ["report", "overview", "-o", "FILE.pdf"],
        ["plot", "theorem11", "common", "--N", 2, "--K", 1, "--T", 8, "-o", "FILE.png"],
        ["refute", "fedlalr.corollary2", "--keep", "FILE.toml"],
        ["rate", "momentum-fl", "-o", "FILE.json"],
        ["worst", "fedavg", "--set", "eta=0.5", "--K", 1, "--T", 1, "--certificate", "FILE.json"],
        ["sharpen", "fedavg", "--set", "eta=0.25", "--K", 1, "--T", 4, "--certificate", "FILE.json"],
        ["review", "theorem11", "-o", "FILE.pdf"],
        ["compare", "common", "--N", 2, "--K", 1, "--T", 4, "--csv", "FILE.csv"],
        ["show", "common", "--plot", "FILE.png"],
        ["findings", "momentum-fl-e1", "--script", "FILE.py"],
    ],
)
def test_a_file_that_cannot_be_written_is_noticed_before_the_work(command, capsys, monkeypatch):
    """A folder of the kernel's takes no file, whatever its permissions say; nothing runs."""
    if not Path("/proc/self").exists():
        pytest.skip("there is no folder here that refuses files of everybody")
    for work in ("boundcheck.cli.terminal.progress.work", "boundcheck.worst.worst", "boundcheck.worst.sharpen"):
        monkeypatch.setattr(work, None)
    code, out, err = called(capsys, *(str(word).replace("FILE", "/proc/x") for word in command))
    assert (code, out) == (2, "")
    assert re.search(r"/proc/x\.\w+: No such file or directory", err)


def test_no_time_is_promised_before_a_twentieth(monkeypatch):
    """At 4 % nothing is said of what is left; at 5 % it is 19 times what was spent."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    clock = Clock()
    clock.seconds_left(0, 100, 0.0)
    now[0] = 10.0
    assert clock.seconds_left(4, 100, 0.04) == float("inf")
    assert clock.seconds_left(5, 100, 0.05) == pytest.approx(190.0)


def test_what_shows_a_finding_is_written(capsys, tmp_path):
    """The script of a finding, or the replay of the claim that it names; of several none."""
    path = tmp_path / "shows.py"
    code, _, err = called(capsys, "findings", "momentum-fl-e1", "--script", path)
    assert (code, "python" in err) == (0, True)
    assert path.read_bytes() == (Path(__file__).parents[2] / "docs/findings/momentum_fl_e1.py").read_bytes()
    code, _, err = called(capsys, "findings", "fedlalr", "--script", path)
    assert code == 2
    assert "--script = '13 findings' is not legal: with the name of one finding" in err


def test_every_finding_has_a_key_to_cite_and_a_day():
    keys = [one.cite_key for one in findings()]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"boundcheck:[\w.-]+", key) for key in keys)
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\d", one.date) for one in findings())
