"""The user's own programs around calls: for which tools each is, what it is told, what its answer means, running it."""
