"""What a security check measured, told so that `make check-security` can show it."""

import os

LONG = os.environ.get("LONG") == "1"
"""Whether the checks run in their long form; the ordinary tests run the short one."""


def tell(check: str, what: str, figure: str, goal: str) -> None:
    """Print one figure beside its goal, on a line that the script looks for."""
    print(f"\nFIGURE {check}|{what}|{figure}|{goal}")  # noqa: T201 - for the script
