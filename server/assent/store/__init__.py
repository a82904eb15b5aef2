"""What is kept on the disk: one SQLite file with the history and the chats, written by one thread."""
