"""Random alterations of certificates: a number, a term, a factor, a hypothesis, a sign or the conclusion."""

import copy
import re

NUMBER = re.compile(r"(?<![\w\[])\d+")
OPERATORS = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "=": "<=", "!=": "="}


def altered(certificate, rng):
    """Return a copy with one alteration, and its name; None where this kind finds nothing to alter."""
    kind = rng.choice(["number", "number", "term", "factor", "given", "sort", "shows", "operator"])
    copied = copy.deepcopy(certificate)
    return copied if KINDS[kind](copied, rng) and copied != certificate else None, kind


def texts(value, path=()):
    """Yield (container, key) for every text of a proof and of the statement's relations."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in items:
        if isinstance(part, str) and key not in ("id", "kind") and "letters" not in path and "point" not in path:
            yield value, key
        elif isinstance(part, (dict, list)):
            yield from texts(part, (*path, key))


def number(c, rng):
    found = [(box, key, m) for box, key in texts(c) for m in NUMBER.finditer(box[key])]
    if not found:
        return False
    box, key, m = rng.choice(found)
    box[key] = box[key][: m.start()] + str(int(m.group()) + 1) + box[key][m.end() :]
    return True


def term(c, rng):
    if not c.get("by"):
        return False
    c["by"].pop(rng.randrange(len(c["by"])))
    return True


def factor(c, rng):
    terms = [t for t in c.get("by", []) if len(t) > 1]
    if not terms:
        return False
    chosen = rng.choice(terms)
    chosen.pop(rng.randrange(1, len(chosen)))
    return True


def given(c, rng):
    if not c.get("given"):
        return False
    c["given"][rng.randrange(len(c["given"]))] = "0 <= 1"
    return True


def sort(c, rng):
    signed = [x for x, s in c["letters"].items() if s in (">0", ">=0")]
    if not signed:
        return False
    c["letters"][rng.choice(signed)] = ""
    return True


def shows(c, rng):
    if "shows" not in c:
        return False
    c["shows"] += rng.choice([" + 1/100", " - 1/100"])
    return True


def operator(c, rng):
    relations = [(c, "shows")] if "shows" in c else []
    relations += [(c["given"], k) for k in range(len(c.get("given", [])))]
    box, key = rng.choice(relations)
    left, op, right = re.split(r"\s(<=|<|>=|>|!=|=)\s", box[key])[:3]
    box[key] = f"{left} {OPERATORS[op]} {right}"
    return True


KINDS = {f.__name__: f for f in (number, term, factor, given, sort, shows, operator)}
