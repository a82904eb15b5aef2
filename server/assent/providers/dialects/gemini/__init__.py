"""Gemini: POST …:streamGenerateContent, an answer in server-sent events."""
