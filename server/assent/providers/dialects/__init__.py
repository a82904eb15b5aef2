"""How each kind of model server is spoken to. Without I/O: requests become bodies, events become deltas."""
