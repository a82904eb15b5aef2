"""Public agents as they are installed, a model on loopback that plays for them, and how they are set up to use it."""
