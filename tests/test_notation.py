"""One letter, one meaning: names, units and the papers' mappings."""

import subprocess
import sys
from pathlib import Path

import pytest

from boundcheck.errors import UnknownNameError
from boundcheck.notation import LETTERS, PAPERS, symbol, symbols


def unit(**powers):
    """Return the unit of a product of powers of letters."""
    return tuple(sum(power * LETTERS[name].unit[i] for name, power in powers.items()) for i in (0, 1))


def test_the_page_is_made_from_the_table():
    """docs/notation.md holds what `markdown_page` writes, no more and no less."""
    page = Path(__file__).parents[1] / "docs" / "notation.md"
    # In a process of its own: tests beside this one declare letters.
    code = "import sys; from boundcheck.notation import markdown_page; sys.stdout.write(markdown_page())"
    made = subprocess.run([sys.executable, "-X", "utf8", "-c", code], capture_output=True, check=True).stdout
    assert page.read_text(encoding="utf-8") == made.decode()


def test_letters_are_unique():
    """No name, text or typeset form is used twice, and every letter says what it is."""
    for attribute in ("name", "text", "typst", "meaning"):
        values = [getattr(letter, attribute) for letter in LETTERS.values()]
        assert len(set(values)) == len(values)
        assert all(values)
    assert all(name == letter.name for name, letter in LETTERS.items())
    assert all(name.isidentifier() for name in LETTERS)


@pytest.mark.parametrize(
    "powers",
    [
        {"eta": 1, "L": 1},
        {"gamma": 1, "L": 1},
        {"h": 1, "L_env": 1},
        {"L_block": 1, "mu": -1},
        {"c1": 1, "eta": 2},
        {"sum_eta": 1, "eta": -1},
        {"sum_eta3": 1, "eta": -3},
        {"sigma": 2, "L": -1, "Delta": -1},
        {"zeta": 1, "sigma": -1},
        {"zeta_pair": 1, "sigma": -1},
        {"G_inf": 1, "sigma": -1},
        {"eps": 1, "G_inf": -1},
        {"eps_acc": 1, "sigma": -1},
        {"G_0": 1, "sigma": -2},
        {"Delta": 1, "f_star": -1},
        {"Delta_Phi": 1, "Phi_star": -1},
        {"mu": 1, "delta_y": 1, "Delta_Phi": -1},
        {"L_Phi": 1, "L_env": -1},
        {"L_sample": 1, "L": -1},
        {"L_rms": 1, "L_sample": -1},
        {"kappa": 1},
        {"beta": 1, "c": 1, "a": 1, "rho": 1, "beta1": 1, "beta2": 1, "beta_mem": 1},
        {"N": 1, "S": 1, "K": 1, "T": 1, "d": 1, "b": 1, "B": 1},
        {"chat": 1, "c_dual": 1, "t_flat": 1, "q_omega": 1, "alpha_div": 1},
    ],
)
def test_units_are_consistent(powers):
    """These products have no unit: they do not change when f or x is rescaled."""
    assert unit(**powers) == (0, 0)


def test_a_gradient_is_value_over_length():
    """sigma^2 scales like |grad f|^2: (value/length)^2."""
    assert unit(sigma=2) == (2, -2)
    assert unit(Delta=1) == (1, 0)
    assert unit(delta_y=1) == (0, 2)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_is_covered(paper):
    """Each paper maps clients, local steps, rounds and a step, with different letters for different things."""
    mapping = {name: letter.papers[paper] for name, letter in LETTERS.items() if paper in letter.papers}
    assert {"N", "K", "T", "L", "eta"} <= set(mapping)
    printed = [m for m in mapping.values() if m != "-"]
    settings = [mapping[name] for name in ("N", "K", "T")]
    assert len(set(settings)) == 3
    assert all(printed)
    assert PAPERS[paper].id == paper
    assert all((PAPERS[paper].title, PAPERS[paper].authors, PAPERS[paper].reference))


def test_mappings_speak_of_known_papers():
    """No letter maps a paper that is not under audit."""
    assert {paper for letter in LETTERS.values() for paper in letter.papers} == set(PAPERS)


def test_symbols_are_positive_and_shared():
    """The same letter always gives the same positive symbol."""
    sigma, again = symbol("sigma"), LETTERS["sigma"].symbol
    assert sigma is again
    assert sigma.is_positive
    assert symbols("N K T") == (symbol("N"), symbol("K"), symbol("T"))


def test_unknown_letter_is_refused():
    """A letter that is not registered is named, with close ones."""
    with pytest.raises(UnknownNameError, match="unknown letter 'sigm'; did you mean sigma"):
        symbol("sigm")
