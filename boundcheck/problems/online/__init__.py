"""Problems of online learning: a loss a round, and the best fixed point in hindsight."""
