"""The tools: each says what it would do, then does it. None knows that permission exists."""
