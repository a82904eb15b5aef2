"""Places in the network: where an address leads before anything is sent there, and what a page says."""
