"""Concordances: the hits of a corpus query with their surroundings, and tables made of them."""
