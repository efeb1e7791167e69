"""Models of gradient noise with an exact variance."""
