"""Data: claims of each paper, whole proofs, shipped certificates; only searches and runs are Python."""
