"""Whole proofs: what finds them (`search`, not trusted) and what decides them (`kernel`, trusted)."""
