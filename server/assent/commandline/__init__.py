"""Shell text taken apart: what a command would run, read, write and contact. Nothing is executed or looked up here."""
