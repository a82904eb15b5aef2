"""The pure core: given what is known of a call, may it run? No clock, no disk, no framework."""
