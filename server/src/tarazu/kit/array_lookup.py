"""Looking up many whole numbers at once."""

from typing import Any

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.intp]


def positions_in(known: npt.NDArray[Any], asked: npt.NDArray[Any]) -> Places:
    """Where each number stands in `known`, which is in order; -1 where it does not.

    The asked are put in order first: looked up so, they take half the time, that included.
    """
    if not len(known):
        return np.full(len(asked), -1, dtype=np.intp)
    order = asked.argsort()
    in_order = asked[order]
    found = known.searchsorted(in_order)
    found[found == len(known)] = 0
    places = np.empty_like(found)
    places[order] = np.where(known[found] == in_order, found, -1)
    return places
