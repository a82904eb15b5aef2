"""Questions to the user and their fate: a state machine without I/O, and the futures around it."""
