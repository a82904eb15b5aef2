"""The agent loop: assembly, gate, execution, turns, chats. Knows ports, not the tools and models behind them."""
