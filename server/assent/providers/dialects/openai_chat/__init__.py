"""The Chat Completions format of OpenAI, which most servers speak: POST /chat/completions, server-sent events."""
