"""Builders of the tables that are made of the tokens of all documents."""
