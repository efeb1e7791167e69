"""The workflows: they parse, call targets that exist, and cover what the package says it runs on."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEXT = {path.stem: path.read_text(encoding="utf-8") for path in FILES}
COMMANDS = {name: re.findall(r"^ +- run: (.+)$", text, flags=re.MULTILINE) for name, text in TEXT.items()}
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))


def targets(command):
    """Return the targets of a command line of make; settings such as LOCK= are none."""
    first, *words = command.split()
    return [word for word in words if "=" not in word] if first == "make" else []


def pythons(text):
    """Return the versions of Python that a workflow sets up."""
    return set(re.findall(r'"(3\.\d+)"', text))


def test_there_is_a_workflow_for_each_promise():
    """Every change: tests, style, made files, site, wheel; every week: slow tests and the ends of what it runs with."""
    ran = {name: {target for command in lines for target in targets(command)} for name, lines in COMMANDS.items()}
    assert ran["tests"] == {"lint", "test", "check-derived"}
    assert (ran["docs"], ran["wheel"], ran["slow"]) == ({"docs"}, {"check-wheel"}, {"test-slow"})
    assert ran["ends"] == {"test-lowest", "test", "test-ends"}
    for name, text in TEXT.items():
        assert ("pull_request" in text) == (name in {"tests", "docs", "wheel"}), name
        assert ("schedule" in text) == (name in {"slow", "ends"}), name


@pytest.mark.parametrize("name", TEXT)
def test_a_workflow_runs_targets_of_make_that_exist(name):
    """And nothing else: what a workflow does can be done at home."""
    assert COMMANDS[name]
    for command in COMMANDS[name]:
        assert targets(command), command
        assert set(targets(command)) <= TARGETS, command


def test_a_missing_target_and_a_plain_command_are_seen():
    """Controls of the reader above."""
    assert targets("make test LOCK=") == ["test"]
    assert set(targets("make tset")) - TARGETS == {"tset"}
    assert targets("pip install boundcheck") == []


@pytest.mark.parametrize("name", TEXT)
def test_a_workflow_is_yaml(name):
    """No tab, an even indent, keys that a workflow has; by a YAML reader where one is installed."""
    lines = [line for line in TEXT[name].splitlines() if line.strip() and not line.lstrip().startswith("#")]
    assert not any("\t" in line or (len(line) - len(line.lstrip())) % 2 for line in lines)
    keys = [line.partition(":")[0] for line in lines if not line.startswith(" ")]
    assert set(keys) >= {"name", "on", "permissions", "jobs"}
    assert len(keys) == len(set(keys))
    yaml = pytest.importorskip("yaml")
    read = yaml.safe_load(TEXT[name])
    assert read["name"] == name
    for job in read["jobs"].values():
        assert job["timeout-minutes"] > 0
        assert all(("run" in step) != ("uses" in step) for step in job["steps"])


def test_every_python_of_the_package_is_tested():
    """The classifiers name the versions from requires-python on, and tests.yml runs them all, one on macOS."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {word.rpartition(" ")[2] for word in project["classifiers"] if re.search(r"Python :: 3\.\d+$", word)}
    assert min(named, key=lambda version: int(version[2:])) == project["requires-python"].removeprefix(">=")
    assert {f"3.{minor}" for minor in range(11, 11 + len(named))} == named
    assert pythons(TEXT["tests"]) == named
    assert pythons(TEXT["ends"]) == named
    assert "macos-latest" in TEXT["tests"]
    assert pythons(TEXT["wheel"]) == {min(named), max(named)}
