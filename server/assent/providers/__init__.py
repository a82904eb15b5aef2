"""Models behind one port. None knows the gate; each turns its own format into the same deltas."""
