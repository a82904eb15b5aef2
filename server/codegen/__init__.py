"""Writes what other languages need to know from the Python types. Not shipped."""
