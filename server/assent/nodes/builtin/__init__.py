"""Nodes that only work out something from what they are given."""
