"""Nodes: things with an id, a schema for their inputs and a category, that one tool can run."""
