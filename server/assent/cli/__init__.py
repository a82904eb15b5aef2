"""The command line: `python -m assent`."""
