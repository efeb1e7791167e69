"""Methods that no paper under audit is about: what the theorems of `boundcheck.bounds.field` need beyond the others."""
