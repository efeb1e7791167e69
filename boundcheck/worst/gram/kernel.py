"""The kernel's word on certificates that a search has found: without it nothing is called proved."""

from __future__ import annotations

from typing import Any

from boundcheck.errors import NotApplicableError
from boundcheck.proofs.kernel.certificates import ERRORS, require_proved

Certificate = dict[str, Any]


def require_kernel(what: str, *proof: Certificate) -> None:
    """Ask the kernel for its word on certificates that were found, each by itself.

    Raises
    ------
    NotApplicableError
        Where it refuses one: then nothing is proved.
    """
    for one in proof:
        try:
            require_proved(one)
        except ERRORS as error:
            msg = f"{what}: not proved, the kernel refuses {one['id']}: {error}"
            raise NotApplicableError(msg) from None
