"""Exact algebra of whole proofs: signs, products, squares, sums over an index."""
