"""Proofs that compose: claims that are their statements, and premises that are steps."""
