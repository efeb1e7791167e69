"""The version of the package: apart, so that what writes it into files need not import what is above it."""

__version__ = "0.1.0"
