"""The sample project: a small web of three hosts that the program serves to itself on loopback."""
