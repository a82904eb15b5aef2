"""A small program beside the server that starts commands and ends them with all they started. Linux only.

It runs as a process of its own, with nothing but the standard library and these modules, and takes orders through one
socket. For each command it forks a keeper, which starts the program, watches it, and outlives neither it nor the
server.
"""
