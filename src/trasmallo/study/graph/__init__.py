"""Pages as a graph: who links to whom, and what follows from it. Pages are numbers; who they are is the caller's affair."""
