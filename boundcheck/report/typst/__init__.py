"""Typst source: `markup` of plain data, `typeset` of expressions, `statements` of claims, `templates` of pages."""
