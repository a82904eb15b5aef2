"""Commands that run, in the foreground or in the background: what they print, how they end, who may end them."""
