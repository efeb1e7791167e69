"""Exact worst cases over all problems of a theorem's class, from the method's own code (extra `worst`)."""
