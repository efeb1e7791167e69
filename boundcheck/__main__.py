"""``python -m boundcheck`` is the command ``boundcheck``; like that it runs nothing from the current folder."""

import os
import sys


def _leave_current_folder() -> None:
    """Take the current folder from the front of the path, where a numpy.py in it would run in numpy's place."""
    if sys.flags.safe_path or not sys.path or sys.path[0] not in {"", os.getcwd()}:  # noqa: PTH109
        return
    folder = sys.path.pop(0) or os.getcwd()  # noqa: PTH109
    if __file__ == f"{folder}{os.sep}boundcheck{os.sep}__main__.py":
        # A checkout that is not installed: workers need the folder to find boundcheck.
        sys.path.append(folder)


if __name__ == "__main__":
    _leave_current_folder()
    from boundcheck.cli import main

    main()
