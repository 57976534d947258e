"""`python -m weir`: the command line."""

import sys

from weir.cli import main

sys.exit(main())
