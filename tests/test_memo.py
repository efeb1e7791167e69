"""One memo for all that is kept: what is believed, and what goes when an answer is replaced."""

import json
import os
import random
import sys

import pytest

from boundcheck.files.kept import load_or_make
from boundcheck.files.memo import Key, memo, place, read, write


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Keep what is made in a folder of this test's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "boundcheck"


def test_an_answer_is_made_once_a_question():
    """Another room, another name or another source is another question."""
    made = iter(range(9))
    keys = [Key("a", "x", 1), Key("b", "x", 1), Key("a", "y", 1), Key("a", "x", 2)]
    assert [memo(key, lambda: next(made)) for key in keys * 2] == [0, 1, 2, 3] * 2


def test_a_question_is_asked_as_json_has_it():
    """Tuples and lists are one question, and the file is believed when it is read."""
    assert memo(Key("a", "x", (1, {"v": (2, 3)})), lambda: [1]) == [1]
    assert read(Key("a", "x", [1, {"v": [2, 3]}])) == [1]


def test_alone_removes_what_the_same_name_had_before(home):
    """And nothing of another name."""
    for follows in (1, 2):
        for name in ("x", "y"):
            write(Key("a", name, follows), [name, follows], alone=name == "x")
    assert read(Key("a", "x", 1)) is None
    assert [read(Key("a", *key)) for key in (("x", 2), ("y", 1), ("y", 2))] == [["x", 2], ["y", 1], ["y", 2]]


def test_files_of_another_room_are_not_believed(home):
    """A copy into the place of the same question elsewhere is set aside."""
    write(Key("a", "x", 1), [1])
    other = Key("b", "x", 1)
    place(other).parent.mkdir(parents=True)
    place(other).write_bytes(place(Key("a", "x", 1)).read_bytes())
    assert read(other) is None
    assert not place(other).exists()
    assert len(list((home / "b").rglob("*.aside"))) == 1


def test_files_of_the_former_layout_are_ignored(home):
    """They lie elsewhere, and are neither read nor touched."""
    old = home / "listings" / f"{'0' * 64}.json"
    old.parent.mkdir(parents=True)
    old.write_text(json.dumps({"question": ["numbers"], "data": [9], "checksum": "0"}))
    assert load_or_make("numbers", lambda: [1]) == [1]
    assert old.exists()


def test_what_is_no_plain_data_is_returned_and_not_kept(home):
    """A set is nothing that JSON holds."""
    assert memo(Key("a", "x", 1), lambda: {1}) == {1}
    assert not home.exists() or list(home.rglob("*.json")) == []


def test_kept_data_that_do_not_last_are_not_believed():
    """Whatever wrote them: the rule holds on reading, too."""
    write(Key("a", "x", 1), "undecided")
    assert memo(Key("a", "x", 1), lambda: "proved", lasts=lambda data: data != "undecided") == "proved"
    assert read(Key("a", "x", 1)) == "proved"


def changed(draw, content):
    """Return a file with a bit, an end, a piece or all of it changed."""
    data, at = bytearray(content), draw.randrange(len(content))
    kind = draw.randrange(6)
    if kind == 0:
        data[at] ^= 1 << draw.randrange(8)
    elif kind == 1:
        del data[at:]
    elif kind == 2:
        data += b"\x00}"
    elif kind == 3:
        data = bytearray(b"[" * draw.choice([1, 100_000]))
    elif kind == 4:
        data = b"\xef\xbb\xbf" + data.replace(b", ", b",\r\n")
    else:
        data[at : at + draw.randrange(5)] = draw.choice([b"nan", b"1e999", b"{}", b"\xff", b"null"])
    return bytes(data)


@pytest.mark.parametrize("cases", [300, pytest.param(5000, marks=pytest.mark.slow)])
def test_no_change_of_a_file_is_believed(cases, home):
    """Whatever was changed, the answer is the one that was made: from the file where it says the same, else anew."""
    key, answer = Key("a", "x", {"source": "1"}), {"verdict": "proved", "numbers": [1, 2.5, "a"]}
    write(key, answer)
    (path,) = home.rglob("*.json")
    sound, draw = path.read_bytes(), random.Random(cases)
    for _ in range(cases):
        path.write_bytes(changed(draw, sound))
        assert memo(key, lambda: answer) == answer
        assert read(key) == answer


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices in a folder")
@pytest.mark.parametrize("stands", ["pipe", "device", "loop", "folder", "nothing"])
def test_what_is_no_plain_file_is_not_opened(stands, home):
    """A pipe that nobody writes to was waited for without end, and /dev/zero was read until memory was full."""
    key = Key("a", "x", 1)
    path = place(key)
    path.parent.mkdir(parents=True)
    if stands == "pipe":
        os.mkfifo(path)
    elif stands == "folder":
        path.mkdir()
    else:
        path.symlink_to({"device": "/dev/zero", "loop": path, "nothing": "/no/such/file"}[stands])
    assert memo(key, lambda: [1]) == [1]
