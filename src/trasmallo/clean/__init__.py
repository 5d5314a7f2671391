"""The second layer of the net: from raw bytes to text worth reading. Opens no sockets."""
