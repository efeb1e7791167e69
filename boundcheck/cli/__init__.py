"""The command line: thin functions over the package's public names."""

from __future__ import annotations

from boundcheck.cli.app import main

__all__ = ["main"]
