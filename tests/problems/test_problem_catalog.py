from __future__ import annotations

import pytest
from problem_cases import SHIPPED, problem_of
from together import together

from boundcheck.errors import InputError
from boundcheck.notation import PAPERS
from boundcheck.problems import FAMILIES, instance, instances, load_problem
from boundcheck.problems.catalog import format_name, parse_name

PAGE = """
title = "Mine"
family = "ridge"
purpose = "A test."
[parameters]
zeta = 0.5
"""


def write(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_shipped_instances_are_these():
    """The catalogue lists exactly the shipped pages, and every family has one."""
    pages = instances()
    assert sorted(page.id for page in pages) == sorted(SHIPPED)
    assert {page.family for page in pages} == set(FAMILIES)


@together(SHIPPED)
def test_every_page_is_complete(name):
    """A page has a title, a purpose and papers under audit; its family's parameters load."""
    page = instance(name)
    assert page.title
    assert page.purpose
    assert set([page.paper] if isinstance(page.paper, str) else page.paper) <= set(PAPERS)
    assert problem_of(name, 2).family == page.family


def test_selection_and_overrides_replace_the_file():
    """Keyword beats selection beats file, and the name tells."""
    problem = load_problem("ridge-ratio[zeta=2,noise=phases]", N=4, sigma=0.5, zeta=3)
    assert (problem.zeta, problem.noise.kind, problem.noise.sigma) == (3.0, "phases", 0.5)
    assert problem.name == "ridge-ratio[zeta=3,noise=phases,sigma=0.5]"


@pytest.mark.parametrize("name", ["ridge-ratio", "ridge-ratio[zeta=0.1,noise=phases]", "logistic-cancer[bias=false]"])
def test_a_name_loads_the_same_problem_again(name):
    """Loading problem.name gives the same constants."""
    first = load_problem(name, N=3)
    second = load_problem(first.name, N=3)
    assert {k: c.value for k, c in first.constants.items()} == {k: c.value for k, c in second.constants.items()}
    assert second.name == first.name


def test_the_counterexample_takes_any_tilt():
    """On quadratic-tilt with N = 2, G_0 = 1 + a^2 while Delta stays 1/2."""
    problem = load_problem("quadratic-tilt[zeta=1000]", N=2)
    assert problem.constant("G_0") == pytest.approx(1 + 1e6)
    assert problem.constant("Delta") == 0.5


def test_printed_conditions_are_feasible_where_the_pages_say_so():
    """FMGDA's proof needs 1/L_block + 1/mu < 360/211: true on ncsc-p1, false on ncsc-small-mu."""
    for name, feasible in (("ncsc-p1", True), ("ncsc-small-mu", False)):
        problem = load_problem(name, N=4)
        assert problem.constant("L_block") >= 1
        assert (1 / problem.constant("L_block") + 1 / problem.constant("mu") < 360 / 211) is feasible


def test_a_path_to_the_users_own_page(tmp_path):
    """A path works wherever a name does, with a selection too, and gives the name."""
    path = write(tmp_path, PAGE)
    problem = load_problem(f"{path}[d=3]", N=2)
    assert (problem.d, problem.zeta, problem.name) == (3, 0.5, f"{path}[d=3]")


def test_a_page_that_somebody_changes_is_whole_when_it_is_asked_for_again():
    """Shipped pages are read once; whoever asks for one has parameters of their own."""
    first = instance("ridge-ratio")
    kept = dict(first.parameters)
    first.parameters["zeta"] = -1.0
    assert instance("ridge-ratio").parameters == kept


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("a", ("a", {})),
        ("a[]", ("a", {})),
        (
            " a[x=1, y=-2.5e3 ,z=true,w=false,v=signs]",
            ("a", {"x": 1, "y": -2500.0, "z": True, "w": False, "v": "signs"}),
        ),
    ],
)
def test_names_are_parsed_and_spelled(text, parsed):
    """Numbers, booleans and strings are told apart, and spelling is the inverse."""
    assert parse_name(text) == parsed
    assert parse_name(format_name(*parsed)) == parsed


@pytest.mark.parametrize("text", ["a[x]", "a[x=]", "a[=1]", "a[x=1", "a]x=1[", "", "a[x=1]b"])
def test_broken_names_show_the_grammar(text):
    """A broken selection is refused with the grammar."""
    with pytest.raises(InputError, match=r"write a name, or name\[param=value,param=value\]"):
        parse_name(text)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ridge-rato", "unknown problem 'ridge-rato'; did you mean ridge-ratio"),
        ("ridge-ratio[zet=1]", r"unknown parameter zet = 1 of family ridge; legal: d, link, weight, zeta"),
        ("ridge-ratio[zeta=big]", r"ridge-ratio\[zeta=big\]: zeta = 'big' is not legal: a finite number"),
        ("ridge-ratio[zeta=nan]", "zeta = nan is not legal: a finite number"),
        ("ridge-ratio[zeta=true]", "zeta = True is not legal: a finite number"),
        ("ridge-ratio[d=1.5]", "d = 1.5 is not legal: an integer"),
        ("ridge-ratio[link=3]", "link = 3 is not legal: a string"),
        ("logistic-cancer[bias=1]", "bias = 1 is not legal: true or false"),
        ("ridge-ratio[zeta=-1]", r"ridge-ratio\[zeta=-1\]: zeta = -1.0 is not legal: a number >= 0"),
        ("ridge-ratio[N=3]", "N is given apart"),
        ("nowhere/x.toml", "no file 'nowhere/x.toml'"),
    ],
)
def test_bad_names_and_values_are_one_helpful_line(name, message):
    """The message names what is wrong, its value and what is legal, on one line."""
    with pytest.raises(InputError, match=message) as caught:
        load_problem(name, N=2)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = ", "mine.toml: Invalid value"),
        ("title = 3", r"mine.toml: title = 3 is not legal: text"),
        (
            PAGE + "\n[extra]\n",
            r"mine.toml: unknown key 'extra'.*legal keys: title, family, purpose, paper",
        ),
        ("title = 'a'", "mine.toml: the key family is missing"),
        (PAGE.replace("ridge", "ridgy"), "mine.toml: family = 'ridgy' is not legal: unknown problem family"),
        (PAGE.replace("0.5", "[1, 2]"), r"mine.toml: zeta = \[1, 2\] is not legal: a finite number"),
        (PAGE.replace("zeta", "zetta"), "mine.toml: unknown parameter zetta = 0.5 of family ridge"),
        (PAGE.replace("0.5", "-1"), "mine.toml: zeta = -1.0 is not legal"),
    ],
)
def test_broken_pages_name_file_and_key(tmp_path, text, message):
    """A broken file is refused on one line that names the file and the key."""
    with pytest.raises(InputError, match=message) as caught:
        load_problem(write(tmp_path, text), N=2)
    assert "\n" not in str(caught.value)


def test_a_page_that_is_not_text(tmp_path):
    """Bytes that are not UTF-8 are an input error, not a crash."""
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match=r"mine\.toml: "):
        instance(str(path))
