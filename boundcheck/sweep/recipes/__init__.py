"""Recipes: what a user may write in TOML, and what is legal."""
