"""The instructions for programs: each of the ten commonest errors is one, with these words, and is mended so."""

import re
import tomllib

import pytest

import boundcheck as bc
from boundcheck.agents import instructions, section
from boundcheck.errors import InputError

ERRORS = dict(
    re.findall(
        r"^### (\d+\. .*?)\n(.*?)(?=^### |\Z)", section("The ten commonest errors"), flags=re.DOTALL | re.MULTILINE
    )
)


def said(block):
    """Return what is said of a statement: an error, or its verdict."""
    try:
        return bc.decide(**tomllib.loads(block))["verdict"]
    except InputError as error:
        return str(error)


def test_there_are_ten():
    assert [int(title.partition(".")[0]) for title in ERRORS] == list(range(1, 11))


@pytest.mark.parametrize("title", ERRORS)
def test_an_error_is_one_and_is_mended(title):
    """What is wrong gets the words that stand below it; what is right is proved, or at least read."""
    (_, wrong), (kind, words), (_, right) = re.findall(r"```(\w+)\n(.*?)```", ERRORS[title], flags=re.DOTALL)
    assert kind == "text"
    assert words.strip() in said(wrong)
    assert words.strip() not in said(right)
    assert said(right) == "proved"


def test_the_claim_file_of_the_instructions_is_decided(tmp_path):
    """The one that shows the form is proved, and refuted with another constant."""
    (block,) = re.findall(r"```toml\n(.*?)```", section("The language of a statement"), flags=re.DOTALL)
    for text, verdict in ((block, "proved"), (block.replace("beta/6", "beta/5"), "refuted")):
        (tmp_path / "draft.toml").write_text(text, encoding="utf-8")
        assert [one["verdict"] for one in bc.prove(tmp_path / "draft.toml")] == [verdict]


def test_every_section_is_found():
    """Sections are cut out by their headings, none of which is empty or holds another."""
    titles = re.findall(r"^## (.*)$", instructions(), flags=re.MULTILINE)
    assert len(titles) == 4
    assert all(len(section(title)) > 200 and "\n## " not in section(title) for title in titles)
    assert section("no such section") == ""
