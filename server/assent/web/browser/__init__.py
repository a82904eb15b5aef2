"""A browser of the user's machine with a profile of its own, led through two pipes, never on the network by itself."""
