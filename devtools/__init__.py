"""What `dev.py` does, in small modules of the standard library only: they run before anything is installed."""
