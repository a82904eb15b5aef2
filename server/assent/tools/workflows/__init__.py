"""Workflows: files of the workspace that say which calls are made one after the other, and what goes into each."""
