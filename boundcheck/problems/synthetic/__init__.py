"""Problems written as formulas: ridges, quadratics, chains, saddles."""
