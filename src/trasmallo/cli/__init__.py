"""The command line: one door of two, thin around the verbs of `Project`."""
