"""Figures, not tests: `python -m tests.bench` measures the server beside the least that the same exchange costs."""
