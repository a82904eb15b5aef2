"""Agents of others that speak the Agent Client Protocol: what they say, what they want to do, and the way they ask."""
