"""Files are written whole or not at all, whatever goes wrong."""

import errno
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from boundcheck.errors import InputError
from boundcheck.files import atomic
from boundcheck.files.atomic import remove_leftovers, require_writable, whole, write_whole


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def cut_off(path, error):
    """Write half of a file, then fail."""
    with whole(path) as file:
        file.write(b"half")
        raise error


def test_text_and_bytes_are_written_and_folders_made(tmp_path):
    """The content is there and nothing else, with the permissions that the user's mask leaves."""
    path = tmp_path / "a" / "b" / "out.txt"
    write_whole(path, "é\n")
    assert path.read_bytes() == "é\n".encode()
    write_whole(path, b"\x00new")
    assert path.read_bytes() == b"\x00new"
    assert names(path.parent) == ["out.txt"]
    plain = tmp_path / "plain"
    plain.touch()
    assert path.stat().st_mode == plain.stat().st_mode


def test_a_full_disk_leaves_the_old_file(tmp_path):
    """An OSError half way is an InputError that names the path; the old content stays, no temporary is left."""
    path = tmp_path / "out.parquet"
    path.write_text("old")
    with pytest.raises(InputError, match=r"out\.parquet: cannot be written: No space left") as caught:
        cut_off(path, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert isinstance(caught.value.__cause__, OSError)
    assert path.read_text() == "old"
    assert names(tmp_path) == ["out.parquet"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_any_other_error_passes_and_leaves_nothing(tmp_path, error):
    """Mistakes of the writer and interruptions are not disguised."""
    with pytest.raises(error):
        cut_off(tmp_path / "out", error)
    assert names(tmp_path) == []


def test_a_disk_that_fails_at_the_end_leaves_nothing(tmp_path, monkeypatch):
    """What only fsync notices counts."""

    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left"):
        write_whole(tmp_path / "out", "text")
    assert names(tmp_path) == []


def test_a_read_only_folder_is_named(tmp_path, monkeypatch):
    """Permission denied is an InputError (simulated where permissions do not bind)."""
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    if os.access(folder, os.W_OK):

        def denied(*args):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(args[0]))

        monkeypatch.setattr(os, "open", denied)
    with pytest.raises(InputError, match="closed/out: cannot be written: Permission denied"):
        write_whole(folder / "out", "text")
    assert names(folder) == []


def test_a_folder_that_is_a_file_and_a_target_that_is_a_folder_are_named(tmp_path):
    """Both are refused; what is there stays."""
    (tmp_path / "file").write_text("kept")
    (tmp_path / "folder").mkdir()
    for path, words in ((tmp_path / "file" / "out", "/file: File exists"), (tmp_path / "folder", "cannot be written")):
        with pytest.raises(InputError, match=words):
            write_whole(path, "text")
    assert names(tmp_path) == ["file", "folder"]
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("planted", ["out.tmp", "out.{pid}-0.tmp", "out.{machine}-{pid}-0.tmp"])
def test_a_link_at_a_temporary_name_is_not_followed(tmp_path, planted):
    """A link to somebody's file at a former or the first temporary name: the file is written, theirs stays."""
    theirs = tmp_path / "theirs"
    theirs.write_text("precious")
    link = tmp_path / planted.format(pid=os.getpid(), machine=atomic._machine())
    link.symlink_to(theirs)
    write_whole(tmp_path / "out", "text")
    assert theirs.read_text() == "precious"
    assert link.is_symlink()
    assert (tmp_path / "out").read_text() == "text"
    assert not (tmp_path / "out").is_symlink()


def test_threads_do_not_mix(tmp_path):
    """Of many writers to one path one wins whole."""
    contents = [bytes([65 + i]) * 100_000 for i in range(8)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda content: write_whole(tmp_path / "out", content), contents))
    assert (tmp_path / "out").read_bytes() in contents
    assert names(tmp_path) == ["out"]


def test_what_cannot_be_written_is_known_before(tmp_path, monkeypatch):
    """A file in place of a folder, a folder in place of a file and a closed folder are refused; nothing is made."""
    (tmp_path / "file").touch()
    for path, folder in ((tmp_path / "new" / "out.csv", False), (tmp_path / "file", False), (tmp_path / "new", True)):
        require_writable(path, folder=folder)
    refused = [("file", True, "File exists"), ("file/out", False, "Not a directory"), (".", False, "Is a directory")]
    for name, folder, words in refused:
        with pytest.raises(InputError, match=words):
            require_writable(tmp_path / name, folder=folder)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InputError, match=r"new/out\.csv: Permission denied"):
        require_writable(tmp_path / "new" / "out.csv")
    assert names(tmp_path) == ["file"]


def test_what_a_killed_process_left_is_removed(tmp_path):
    """A process is killed while it writes; the file of one that lives, and files of others' names, stay."""
    code = (
        "import os, pathlib, signal\n"
        "from boundcheck.files.atomic import whole\n"
        "with whole(pathlib.Path('out.parquet')) as file:\n"
        "    file.write(b'half')\n"
        "    file.flush()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False)
    assert done.returncode == -9
    (left,) = names(tmp_path)
    assert left.startswith("out.parquet.")
    mine = f"out.parquet.{atomic._machine()}-{os.getpid()}-0.tmp"
    theirs = "out.parquet.00000000-7-0.tmp"
    for name in (mine, theirs, "notes.tmp", "out.parquet"):
        (tmp_path / name).touch()
    remove_leftovers(tmp_path)
    assert names(tmp_path) == sorted([mine, theirs, "notes.tmp", "out.parquet"])


def test_what_others_left_is_removed_after_a_day(tmp_path):
    """Of a process elsewhere nothing is known but the age of its file; a user's own file of that ending stays."""
    old, new, own = "a.00000000-7-0.tmp", "b.00000000-7-0.tmp", "own.tmp"
    former = "c.1234-0.tmp"
    for name in (old, new, own, former):
        (tmp_path / name).touch()
    for name in (old, own, former):
        os.utime(tmp_path / name, (time.time() - 90_000,) * 2)
    remove_leftovers(tmp_path)
    assert names(tmp_path) == [new, own]


def test_a_file_that_is_asked_for_is_freed_of_its_own_leftovers(tmp_path):
    """Of other files in the folder nothing is removed."""
    other = "b.pdf.00000000-7-0.tmp"
    for name in ("a.pdf.00000000-7-0.tmp", other):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    require_writable(tmp_path / "a.pdf")
    assert names(tmp_path) == [other]


def test_a_path_with_the_character_0_is_refused():
    """No shell passes one on, but a program does."""
    with pytest.raises(InputError, match="a path without the character 0"):
        require_writable(Path("a\x00b"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_stays_a_pipe(tmp_path):
    """A file in its place would leave its reader waiting; a device would be gone for the whole machine."""
    pipe, found = tmp_path / "out.json", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()), daemon=True)
    reader.start()
    require_writable(pipe)
    write_whole(pipe, "whole")
    reader.join(20)
    assert found == [b"whole"]
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]
