"""Clocks, tasks, ids and the state directory: the only home of time and of what runs beside the caller."""
