"""Texts of statements as trees."""

import ast
import re


def tree(text: str) -> ast.expr:
    """Return a text as a tree in which ``dot`` stands for inner products: ``|u|^2`` and ``<u, v>``.

    Raises
    ------
    SyntaxError
        If it is no expression.
    """
    source, left = re.sub(r"\|([^|]*)\|\^2", r"<\1, \1>", text).replace("^", "**"), 1
    while left:
        source, left = re.subn(r"<([^<>]*)>", r"dot(\1)", source)
    return ast.parse(source.strip(), mode="eval").body
