"""A proof's equations of a method, checked against the method's own code: on symbolic vectors and along runs."""
