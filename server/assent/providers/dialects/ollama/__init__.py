"""Ollama: POST /api/chat, an answer in lines of JSON."""
