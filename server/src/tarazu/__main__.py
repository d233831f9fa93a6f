"""`tarazu`, and `python -m tarazu`.

A process that the server starts, to set letters for example, imports this module first: what it
imports at its top would cost that process seconds and memory.
"""

import sys


def main() -> int:
    """Run one command, see `tarazu.cli.main`."""
    from tarazu.kit.gc_tuning import tune_gc  # noqa: PLC0415 - see above

    # A fifth of the time of the imports was spent in collections.
    tune_gc()
    from tarazu import cli  # noqa: PLC0415 - after the line before

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
