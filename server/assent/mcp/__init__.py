"""MCP servers: their processes and addresses, the talk with them, and their tools as nodes."""
