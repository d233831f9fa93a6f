"""`python -m tarazu.cli`."""

import sys

from tarazu.cli import main

if __name__ == "__main__":
    sys.exit(main())
