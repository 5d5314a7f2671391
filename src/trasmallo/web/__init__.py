"""The web app: the second door, thin around the verbs of `Project`."""
