"""Model servers on loopback that speak the true wire formats, scripted by the test."""
