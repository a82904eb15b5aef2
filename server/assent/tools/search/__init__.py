"""Finding files by name and by content: which files count, by whom they are looked through, what is said of it."""
