"""Tactics and proofs that several lemmas of a page share."""

from __future__ import annotations


def turn(about: list[str], proof: str) -> str:
    """Return a proof that a vector and the noises are orthogonal, in the order in which a lemma has them."""
    vector, block = about
    return proof if vector < "m" else f"(eq_trans ({'mv' if block == 'mean' else 'dv'}_sym _ _) {proof})"


def split(name: str, count: int, hypothesis: str) -> str:
    """Return the tactic that takes a conjunction of count + 1 parts apart."""
    if not count:
        return f"assert ({name}0 := {hypothesis})."
    return f"destruct {hypothesis} as {pattern(name, count)}."


def destruct_servers(count: int) -> str:
    """Return the tactic that names what is known of the vectors that all clients have the same."""
    return f"destruct (servers t) as {pattern('p_s', count)}." if count else "assert (p_s0 := servers t)."


def pattern(name: str, count: int) -> str:
    """Return the pattern of a conjunction of count + 1 parts, each with a number behind the name."""
    parts_of = [f"{name}{n}" for n in range(count + 1)]
    return "[" + " [".join(parts_of[:-1]) + f" {parts_of[-1]}" + "]" * count
