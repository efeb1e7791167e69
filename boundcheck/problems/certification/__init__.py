"""Attacks on the constants that a problem claims."""
