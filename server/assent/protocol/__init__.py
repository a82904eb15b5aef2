"""The wire: types of every custom message and the table of methods. The one source of the TypeScript types."""
