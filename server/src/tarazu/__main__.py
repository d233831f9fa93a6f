"""`tarazu`, and `python -m tarazu`.

A process that the server starts, to set letters for example, imports this module first: what it
imports at its top would cost that process seconds and memory.
"""

import sys


def main() -> int:
    """Run one command, see `tarazu.cli.main`."""
    from tarazu.kit.gc_tuning import loading, tune_gc  # noqa: PLC0415 - see above

    tune_gc()
    with loading():
        from tarazu import cli  # noqa: PLC0415 - after the lines before

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
