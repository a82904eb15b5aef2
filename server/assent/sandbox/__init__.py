"""Running a command where it cannot do harm: which means this machine has, and what a command may touch with them."""
