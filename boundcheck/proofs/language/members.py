"""Letters with an index, ``eta[t, k]``: a number for every value of it, all of one sign.

A member, ``eta[t, k + 1]``, is a letter of its own; what is known of every member is said by claims and leaves about
letters ``for`` an index.  It depends on the index letters in it, so that it is no constant weight in a mean or a sum:
``eta[t, k] A[t, k]`` has to be named as a sequence of numbers first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.language.indexed import SLOTS

if TYPE_CHECKING:
    from boundcheck.proofs.language.affine import Affine
    from boundcheck.proofs.language.forms import Coefficient
    from boundcheck.proofs.language.setting import ProofSetting

_SLOT = re.compile(r"(\w+)#(\d+)")


def member(name: str, indices: tuple[Affine, ...], setting: ProofSetting) -> Coefficient:
    """Return a member as an element of the field.

    Raises
    ------
    InputError
        If the claims speak about more members than there are slots.
    """
    slot = setting.members.get((name, indices))
    if slot is None:
        used = sum(other == name for other, _ in setting.members)
        if used == SLOTS:
            msg = f"{name}: the claims of a file may speak about {SLOTS} members of a letter with an index, not more"
            raise InputError(msg)
        slot = setting.members[name, indices] = f"{name}#{used}"
    return setting.generators[slot]


def by_members(value: Coefficient, letter: str, setting: ProofSetting) -> bool:
    """Return whether a number holds a member in the index of which a letter stands."""
    inside = [slot for (_, indices), slot in setting.members.items() if any(letter in one.letters for one in indices)]
    return any(value.diff(setting.generators[slot]) != 0 for slot in inside)


def depends(value: Coefficient, letter: str, setting: ProofSetting) -> bool:
    """Return whether a number depends on an index letter, as it stands or as the index of a member."""
    plain = setting.generators.get(letter)
    return (plain is not None and value.diff(plain) != 0) or by_members(value, letter, setting)


def texts(setting: ProofSetting) -> tuple[str, ...]:
    """Return how the generators are written, a slot as the member that it stands for."""
    written = {slot: f"{name}[{', '.join(map(str, at))}]" for (name, at), slot in setting.members.items()}
    return tuple(written.get(name, name) for name in setting.names)


def with_members(text: str, setting: ProofSetting) -> str:
    """Return a text with members in the place of their slots."""
    written = dict(zip(setting.names, texts(setting), strict=True)) if setting.indexed else {}
    return _SLOT.sub(lambda match: written.get(match[0], match[0]), text)
