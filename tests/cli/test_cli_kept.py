"""What `list` and `show` print is made once for each state of the source, and is the same from either."""

import random
import subprocess
import sys

import pytest
from cli_calls import called

LIGHT = ("sympy", "scipy", "numpy")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Keep what is made in a folder of this test's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "boundcheck" / "listings"


@pytest.mark.parametrize(
    "command",
    [
        "list bounds",
        "list methods",
        "list claims",
        "show fedavg",
        "show fedavg --json",
        "show gradma.lemma2 --N 4",
        pytest.param("show fmgda.theorem1 --N 4", marks=pytest.mark.slow),
    ],
)
def test_the_second_answer_is_the_first(capsys, folder, command):
    """Made, then read: not a character differs."""
    first = called(capsys, *command.split())
    assert len(list(folder.iterdir())) == 1
    assert called(capsys, *command.split()) == first
    assert first[0] == 0


def test_the_second_answer_builds_no_theorem(folder):
    """A process that lists all bounds a second time imports no library that computes."""
    code = (
        "import sys; from boundcheck.cli.app import run; assert run(['list', 'bounds']) == 0;"
        f"print([m for m in {LIGHT!r} if m in sys.modules], file=sys.stderr)"
    )
    said = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(2)]
    assert [run.stderr for run in said][1] == "[]\n"
    assert said[0].stdout == said[1].stdout


def test_a_file_of_the_user_is_never_kept(capsys, folder, tmp_path, monkeypatch):
    """A name that is a file here, or carries parameters, is shown as it is now."""
    monkeypatch.chdir(tmp_path)
    called(capsys, "show", "ridge-ratio[zeta=2]")
    (tmp_path / "mine.toml").write_text('title = "t"\nfamily = "ridge"\n', encoding="utf-8")
    called(capsys, "show", "mine.toml")
    assert not folder.exists()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_damaged_and_swapped_files_print_nothing_else(seed, capsys, folder):
    """A byte, a piece, the end, or another question's file: what is printed is what was printed before."""
    draw = random.Random(f"kept {seed}")
    commands = ("list methods", "show fedavg", "show fedavg --json", "show ridge-ratio", "list papers")
    calm = {command: called(capsys, *command.split()) for command in commands}
    whole = {path: path.read_bytes() for path in folder.rglob("*.json")}
    for _ in range(100):
        path = draw.choice(sorted(whole))
        content, at = bytearray(whole[path]), draw.randrange(len(whole[path]))
        kind = draw.randrange(4)
        if kind == 0:
            content[at] ^= 1 << draw.randrange(8)
        elif kind == 1:
            del content[at : at + draw.randrange(1, 50)]
        elif kind == 2:
            del content[at:]
        else:
            content = bytearray(whole[draw.choice(sorted(set(whole) - {path}))])
        path.write_bytes(content)
        command = draw.choice(commands)
        assert called(capsys, *command.split())[:2] == calm[command][:2]
        for one, text in whole.items():
            one.write_bytes(text)
