"""Fixtures with a model portfolio; see `tests/models_of.py`."""

from tests.models_of import bench, unpriced

__all__ = ["bench", "unpriced"]
