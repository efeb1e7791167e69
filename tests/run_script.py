"""Scripts of the documentation, run where numpy is loaded already."""

import io
import runpy
import sys
from contextlib import redirect_stdout

import pytest


def printed(path, *arguments):
    """Run a script as from a command line and return what it prints; a warning is an error, as in every test."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out):
        patch.setattr(sys, "argv", [str(path), *map(str, arguments)])
        runpy.run_path(str(path), run_name="__main__")
    return out.getvalue()
