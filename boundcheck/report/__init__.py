"""Figures and the typeset PDF: what a sweep measured, as a document that a referee can read."""

from __future__ import annotations

from boundcheck.report.document import save_figure, write_report

__all__ = ["save_figure", "write_report"]
