"""Rules on shell commands: what their patterns mean, and which parts of a command they speak of."""
