"""The reading of a run's pages: worker processes, and where they take their batches from."""
