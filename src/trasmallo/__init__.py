"""A web-corpus engine: it crawls documents, cleans them and studies their words."""

__version__ = "0.1.0"
