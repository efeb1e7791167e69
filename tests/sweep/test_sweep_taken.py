"""Findings that a recipe takes over from the recipe `findings`."""

import pytest

from boundcheck.errors import InputError
from boundcheck.sweep import load_recipe


def recipe(tmp_path, text):
    """Write a recipe that takes findings over and read it."""
    path = tmp_path / "mine.toml"
    path.write_text('title = "Mine"\n' + text)
    return load_recipe(str(path))


def test_a_finding_comes_with_its_repair(tmp_path):
    """Both studies stand in the recipe as they do in `findings`."""
    found = recipe(tmp_path, '[[finding]]\nid = "momentum-fl-e3"\n').study
    known = {study.id: study for study in load_recipe("findings").study}
    assert [study.id for study in found] == ["momentum-fl-e3", "momentum-fl-e3-repaired"]
    assert found == [known[study.id] for study in found]


def test_the_first_points_are_run(tmp_path):
    """Every list is cut alike, and no exponent is asked for of two points."""
    (found, repair) = recipe(tmp_path, '[[finding]]\nid = "momentum-fl-e3"\nfirst = 2\n').study
    known = next(study for study in load_recipe("findings").study if study.id == "momentum-fl-e3")
    assert found.T == known.T[:2] == repair.T
    assert found.parameters["start"] == known.parameters["start"][:2]
    assert (known.fit, found.fit) == (["T"], [])


def test_an_unknown_finding_is_named_with_the_legal_ones(tmp_path):
    """A repair is no finding either."""
    for name in ("nothing", "momentum-fl-e3-repaired"):
        with pytest.raises(InputError, match=rf"mine\.toml: finding = '?{name}.*momentum-fl-e3"):
            recipe(tmp_path, f'[[finding]]\nid = "{name}"\n')


def test_a_story_names_a_study_of_the_recipe(tmp_path):
    """Before anything runs."""
    told = '[[story]]\ntitle = "t"\ntext = "t"\npicture = "steps"\nstudies = ["absent"]\n'
    with pytest.raises(InputError, match="absent"):
        recipe(tmp_path, told)
