"""Shapes of the brokers on the wire."""

from tarazu.kit.wire import Wire


class Connection(Wire):
    is_connected: bool
