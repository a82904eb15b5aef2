"""The faces over JSON-RPC: framing, dispatch and conversion for stdio and for the playground's WebSocket."""
