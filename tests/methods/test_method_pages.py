"""The pages about methods are what the generator makes of docstrings and cards, with nothing lost."""

import dataclasses
import re
from functools import cache
from pathlib import Path

import pytest
from matplotlib.mathtext import MathTextParser
from together import together

from boundcheck.bounds import BOUNDS
from boundcheck.cli.cards.docstrings import full_docstring, parts
from boundcheck.cli.cards.method_pages import markdown, markdown_pages, page, update, write_pages
from boundcheck.cli.cards.typeset import latex
from boundcheck.conform import about
from boundcheck.methods import METHODS

DOCS = Path(__file__).parents[2] / "docs"
NAMES = [*METHODS, *METHODS.further]


@pytest.fixture(scope="module")
def pages():
    """Return the generated pages by file name."""
    return markdown_pages()


@pytest.mark.derived
def test_files_and_generator_are_in_step(pages):
    """docs/methods holds exactly the generated pages; ``make derived`` brings it up to date."""
    assert {path.name: path.read_text() for path in (DOCS / "methods").iterdir()} == pages


def test_every_method_has_a_page_and_a_line_of_the_index(pages):
    """The pages are those of the registered methods and the index, which links each once with its title."""
    assert set(pages) == {"index.md", *(f"{name}.md" for name in NAMES)}
    linked = re.findall(r"\| \[(.+?)\]\((.+?)\.md\) \| `(.+?)` \|", pages["index.md"])
    assert linked == [(METHODS[name].card.title, name, name) for name in NAMES]
    assert "(methods/index.md)" in (DOCS / "methods.md").read_text()


@together(NAMES)
def test_docstrings_are_read_completely(name):
    """All hyperparameters, a problem, an update with formulas, costs, guarantee and references are found."""
    found = parts(METHODS[name])
    names = [one for names, _, _ in found.attributes for one in names.split(", ")]
    assert sorted(names) == sorted(f.name for f in dataclasses.fields(METHODS[name]))
    assert all(kind and meaning for _, kind, meaning in found.attributes)
    assert list(found.sections) == ["Problem", "Update", "Communication", "Guarantee"]
    assert [reference[:3] for reference in found.references] == [f"[{n + 1}]" for n in range(len(found.references))]


def test_what_a_docstring_leaves_out_comes_from_the_card_and_the_bases():
    """Cost and note, no guarantee, and the hyperparameters of the bases in the order of the fields are filled in."""
    text = full_docstring(METHODS["moonm"])
    assert (
        "d floats up and d floats down an active client and round; K gradients; d floats of memory a client."
        in " ".join(text.split())
    )
    assert "**Guarantee**: none in the papers under audit.\n" in text
    assert re.findall(r"^(\w.*) : ", text, flags=re.MULTILINE) == ["eta", "mu", "tau", "beta", "gamma"]
    assert "0 with gamma = 1 is MOON" in text


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("sgda", "nothing is sent; K (2K with alternating) gradients."),
        ("pr-sgd-m", "2d floats (d with restart) up and 2d floats (d with restart) down an active client and round;"),
        ("fedglomo", "two compressed vectors (1 with message=one) up and 2d floats down an active client and round;"),
        (
            "marina",
            "one compressed vector (1 with probability p) up and d floats down a client and round; 1 exact gradient;",
        ),
    ],
)
def test_the_cost_of_a_card_in_words(name, sentence):
    """Formulas in units of d become floats and vectors, `full` gradients exact ones."""
    assert sentence in parts(METHODS[name]).sections["Communication"]


@together(NAMES)
def test_an_update_has_the_formula_of_its_iterate(name):
    """The docstring has a formula that moves the iterate, or moves points of clients and says what x becomes."""
    text = parts(METHODS[name]).sections["Update"]
    moved = set(re.findall(r"``(\w+\+?) (?:<-|=) ", text))
    assert moved & {"x", "x+", "x_new", "x_i"} or (
        moved & {"y_i", "X"} and re.search("x becomes|become the means", text)
    )


@together(NAMES)
def test_a_page_has_what_is_known(name):
    """Hyperparameters, every display of the update, needs, cost, each bound and each identity are on the page."""
    text, card = page(name), METHODS[name].card
    flat = " ".join(text.split())
    assert flat.startswith(f"# {card.title} ")
    for entry in dataclasses.fields(METHODS[name]):
        assert f"`{entry.name}`" in text
    for bound in (BOUNDS[known] for known in [*BOUNDS, *BOUNDS.further]):
        assert (f"`{bound.id}`: {' '.join(bound.title.split())}" in flat) == (bound.method == name), bound.id
    for identity in about(name):
        assert f"`{identity.id}`: `{identity.statement}`" in flat
    assert all(f"{need}: " in text for need in card.needs)
    assert f"| cost | {'not measured' if card.cost is None else f'{card.cost:g} times'}" in text
    assert text.count("\n$$") == text.count("$$\n") >= 1


@cache
def typeset(formula):
    return MathTextParser("path").parse(f"${formula}$")


@together(NAMES, parts=3)
def test_every_formula_can_be_typeset(name):
    """Another reader of LaTeX, matplotlib's, takes every formula of a page."""
    formulas = re.findall(r"\$+([^$]+)\$+", page(name))
    assert formulas
    assert all(map(typeset, formulas))


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("y_i <- y_i - eta (beta g_i(y_i) + (1-beta) g)", r"y_i \leftarrow y_i - \eta (\beta g_i(y_i) + (1-\beta) g)"),
        ("c_i+ = mean_k g_i", r"c_i^+ = \operatorname{mean}_k g_i"),
        ("eta = k / (w + sum |G|^2)^(1/3)", r"\eta = k / (w + \sum \vert G \vert ^2)^{1/3}"),
        (
            "x <- x + gamma m / (sqrt(max(vh, v)) + eps)",
            r"x \leftarrow x + \gamma m / (\sqrt{\max(\hat v, v)} + \epsilon)",
        ),
        ("A2_i <- A2_i + beta1 g^2", r"A_i^2 \leftarrow A_i^2 + \beta_1 g^2"),
        ("<g_i(y_i^-), v> >= 0", r"\langle g_i(y_i^-), v \rangle \geq 0"),
        ("v - g_i(y_i_old) + g_i(x_prev)", r"v - g_i(y_{i,\mathrm{old}}) + g_i(x_{\mathrm{prev}})"),
        ("server_mu v + eta_pd dual_i", r"\mu_{\mathrm{server}} v + \eta_{\mathrm{pd}} \mathrm{dual}_i"),
    ],
)
def test_formulas_are_those_of_the_paper(formula, expected):
    """Letters have their names, indices and powers their braces, arrows and norms their signs."""
    assert latex(formula) == expected


def test_an_open_parenthesis_is_an_error():
    """A root that is never closed is refused with the formula."""
    with pytest.raises(ValueError, match=r"sqrt\(v \+ 1' has an open parenthesis"):
        latex("x / sqrt(v + 1")


def test_assignments_are_displayed_and_conditions_stay_in_the_line():
    """What assigns or defines stands alone with its punctuation; a start and what is in parentheses do not."""
    text = "From ``y_i = x``, K times ``y_i <- y_i - g``; then ``x <- y_i`` (or ``x <- 0``), ``a >= 0``."
    assert update(text).split("\n\n") == [
        "From $y_i = x$, K times",
        r"$$y_i \leftarrow y_i - g;$$",
        "then",
        r"$$x \leftarrow y_i$$",
        r"(or $x \leftarrow 0$), $a \geq 0$.",
    ]


def test_no_line_is_read_as_something_else(pages):
    """No broken line begins like a list, a quotation or a heading, and no formula is cut."""
    for text in pages.values():
        for line in text.splitlines():
            assert not re.match(r"\s*([-+>=]\s|\d+[.)]\s|#{3,})", line), line
            assert line.count("`") % 2 == 0, line
            assert line.count("$") % 2 == 0, line


def test_the_rest_is_left_as_text():
    """Letters with an index are typeset too; a star or a tag outside is escaped, bold is kept."""
    assert (
        markdown("**Update**: ``y <- a``, 2*K of <v> and c_i")
        == r"**Update**: $y \leftarrow a$, 2\*K of \<v> and $c_i$"
    )


def test_writing_removes_pages_of_methods_that_are_no_more(tmp_path, pages):
    """A folder holds the generated pages afterwards, and nothing else."""
    (tmp_path / "gone.md").write_text("old")
    write_pages(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == pages
