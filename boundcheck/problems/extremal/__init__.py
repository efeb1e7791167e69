"""Problems on which a method does as badly as it can: smooth functions through given points, gradients and values."""
