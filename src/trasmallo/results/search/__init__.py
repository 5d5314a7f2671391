"""Search in a run: who may see what, and the index that answers."""
