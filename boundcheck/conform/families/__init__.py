"""The identities, a family a file."""
