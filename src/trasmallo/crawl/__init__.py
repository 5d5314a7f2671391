"""The first layer of the net: catches documents. Knows HTTP, robots and queues; knows nothing of text."""
