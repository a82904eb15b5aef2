"""To be filled."""

from assent.commandline.catalogue.schema import Program

PROGRAMS: tuple[Program, ...] = ()
