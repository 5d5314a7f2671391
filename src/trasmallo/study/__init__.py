"""The third layer of the net: from text to knowledge about its words. Opens no sockets."""
