"""What a library's clients need to be run on the samples of a comparison: models, losses and loaders that are ours."""
