"""The search for points that refute the constants which a problem claims."""
