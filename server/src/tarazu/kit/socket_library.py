"""python-socketio, loaded without the client library of Redis.

It looks for that library when it is loaded, for managers of its own that are not used here: they
cost four times what `kit/bus.py` does. A process alone would pay for it with some 40 MB and a
third of its start.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["AsyncServer", "SocketRefused"]


@contextmanager
def _kept_out(*names: str) -> Iterator[None]:
    """As if these were not installed; what is loaded already stays."""
    absent = [name for name in names if name not in sys.modules]
    # None there makes an import fail as that of a missing module does.
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


with _kept_out("redis", "valkey"):
    from socketio import AsyncServer
    from socketio.exceptions import ConnectionRefusedError as SocketRefused
