"""The words of the project: frozen values without JSON, clocks or I/O. Every other layer speaks in them."""
