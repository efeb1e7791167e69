"""The pages on reviewing and on assumptions, and the template of one's own, run and print what they say."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.evidence.checks.check import check
from boundcheck.problems import load_problem
from boundcheck.report.typst.markup import formulas
from boundcheck.reviews.page import with_code

DOCS = Path(__file__).parents[2] / "docs"


def code_of(page):
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), flags=re.DOTALL)


def test_page_on_reviewing(capsys):
    """Its review and its line of LaTeX give what the comments say."""
    namespace = {}
    for block in code_of("review.md"):
        exec(block, namespace)
    lines = capsys.readouterr().out.splitlines()
    said = re.findall(r"^print\(.*\)  # (.*)$|^# (server_.*)$", "\n".join(code_of("review.md")), flags=re.MULTILINE)
    assert lines == ["".join(pair) for pair in said]


def test_commands_in_a_sentence_are_set_as_such():
    """Went wrong: a page showed backticks, and two hyphens as a dash."""
    assert with_code("give `--proof F.toml`, sigma^2") == (
        f'{formulas("give ")}#raw("--proof F.toml", block: false);{formulas(", sigma^2")}'
    )


@pytest.mark.usefixtures("letters_forgotten")
def test_page_on_assumptions(capsys):
    """Letters of one's own are computed where the page says, and certified on a problem that claims one."""
    namespace = {}
    for block in code_of("assumptions.md"):
        exec(block, namespace)
    assert capsys.readouterr().out.splitlines() == ["0.5 0.5", "True", "holds", "not applicable"]
    assert namespace["staleness"].name == "staleness"


@pytest.mark.usefixtures("letters_forgotten")
def test_the_template_is_a_theorem(tmp_path):
    """Its problem is in its file; an eighth of its constant is violated there."""
    (block,) = code_of("own.md")
    file = tmp_path / "template.py"
    file.write_text(block, encoding="utf-8")
    bound = BOUNDS[f"{file}:THEOREM"]
    problem = load_problem(f"{file}:BOWL", N=1)
    assert check(bound, problem, K=2, T=4).verdict == "holds"
    eighth = replace(bound, terms={"start": bound.terms["start"] / 8})
    assert check(eighth, problem, K=2, T=4).verdict == "violated"
