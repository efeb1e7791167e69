"""Recipes: what a user may write in TOML, and what is legal.

Read `recipe` (studies of bounds), `experiment` and `assertion`; `fields` has the ranges of values.  `overrides` and
`quick` change a recipe from outside.
"""
