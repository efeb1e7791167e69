"""Plain data is made once for each state of the source, and what does not last is not kept."""

import json

import pytest

from boundcheck.files import kept as room
from boundcheck.files import memo
from boundcheck.files.kept import load_or_make


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Keep what is made in a folder of this test's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "boundcheck" / "listings"


def test_data_are_made_again_when_the_source_changes(folder, monkeypatch):
    """Another hash of the source is another file."""
    import boundcheck.files.sources

    answers = iter([[1], [2]])
    assert [load_or_make("numbers", lambda: next(answers)) for _ in range(2)] == [[1], [1]]
    monkeypatch.setattr(boundcheck.files.sources, "package_hash", lambda: "edited")
    assert load_or_make("numbers", lambda: next(answers)) == [2]


@pytest.mark.parametrize("damage", ["", "{", '{"data": [9], "checksum": "0"}', "[]"])
def test_a_damaged_file_is_made_again(folder, damage):
    """Whatever it holds, it is not believed."""
    load_or_make("numbers", lambda: [1])
    (path,) = folder.rglob("*.json")
    path.write_text(damage, encoding="utf-8")
    assert load_or_make("numbers", lambda: [2]) == [2]
    assert json.loads(path.read_text(encoding="utf-8"))["data"] == [2]


def test_what_does_not_last_is_made_again(folder):
    """It is returned, and no file holds it."""
    answers = iter([[1], [2], [3]])
    assert [load_or_make("numbers", lambda: next(answers), lasts=lambda data: data == [2]) for _ in range(3)] == [
        [1],
        [2],
        [2],
    ]
    assert len(list(folder.rglob("*.json"))) == 1


def test_no_folder_to_keep_in_costs_nothing_but_time(monkeypatch):
    """Without a home the data are made each time."""

    def refuse(what):
        raise PermissionError(what)

    monkeypatch.setattr(memo, "place", refuse)
    assert load_or_make("numbers", lambda: [3]) == [3]


def test_files_that_were_swapped_answer_nothing(folder):
    """Each file is whole, and the answer to the other's question: another card was printed."""
    assert [load_or_make(name, lambda name=name: [name]) for name in ("one", "two")] == [["one"], ["two"]]
    first, second = folder.rglob("*.json")
    first_text, second_text = first.read_text(encoding="utf-8"), second.read_text(encoding="utf-8")
    first.write_text(second_text, encoding="utf-8")
    second.write_text(first_text, encoding="utf-8")
    assert [load_or_make(name, lambda: ["made anew"]) for name in ("one", "two")] == [["made anew"]] * 2
    assert load_or_make("one", lambda: ["again"]) == ["made anew"]


def test_a_file_says_what_it_answers(folder):
    """The question inside, edited to the one that is asked, does not fit the checksum."""
    load_or_make("one", lambda: [1])
    (path,) = folder.rglob("*.json")
    entry = json.loads(path.read_text(encoding="utf-8"))
    header, other = entry["header"], memo.place(room._key("two"))
    other.parent.mkdir(parents=True)
    edited = header | {"question": [header["question"][0], "two", *header["question"][2:]]}
    other.write_text(json.dumps(entry | {"header": edited}), encoding="utf-8")
    assert load_or_make("two", lambda: [2]) == [2]
