"""`python -m assent` is the command line."""

import sys

from assent.cli.main import main

sys.exit(main())
