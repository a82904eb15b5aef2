"""Assent: one gate for every AI agent in the editor."""

__version__ = "0.1.0"
