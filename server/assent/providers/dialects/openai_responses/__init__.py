"""The Responses format of OpenAI: POST /responses, typed server-sent events. Nothing is kept by the server."""
