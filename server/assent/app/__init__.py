"""The composition: chats, who watches them, what is trusted, and the objects that make it work."""
