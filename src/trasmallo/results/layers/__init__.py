"""Layers of tables: what a run that changed few documents writes, beside the tables of the run before."""
