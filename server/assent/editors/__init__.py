"""The face for editors that speak the Agent Client Protocol: to them, Assent is an agent, with its gate in front."""
