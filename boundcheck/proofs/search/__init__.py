"""Finding proof objects: not trusted.  What is found here is decided by the kernel alone."""
