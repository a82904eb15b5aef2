"""Which database library keeps the records."""

import sqlite3


def library_version() -> str:
    """SQLite's own version, which decides what a file may hold; not the version of its Python module."""
    return sqlite3.sqlite_version
