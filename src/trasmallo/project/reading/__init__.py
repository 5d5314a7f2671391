"""The reading of a run's pages: worker processes, and the parts that their results arrive in."""
