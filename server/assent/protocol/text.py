"""JSON text as it travels; the policy stands in assent.jsontext."""

from assent.jsontext import NotJson, carry, read_json, write_json

__all__ = ["NotJson", "carry", "read_json", "write_json"]
