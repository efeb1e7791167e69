"""Answers of `compare` and `steps` are kept where they follow from the question and the source alone."""

import itertools

import pytest

from boundcheck.cli.terminal.answers import answer_of


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
