"""Walks documents through the rooms: a session crawls and reads, workers analyse, parts become tables."""
