"""Anthropic: POST /v1/messages, an answer in server-sent events."""
