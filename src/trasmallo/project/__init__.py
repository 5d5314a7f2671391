"""Project: what a user holds in the hand, over the pipeline and its results."""
