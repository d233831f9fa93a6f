"""The multiplier of the day's limit on purchases: where the dual of the whole problem is highest."""

from math import inf

from tarazu.domain.rebalancing.dual import DualPoint, SearchBox, SearchProblem, climb

CLIMBS = 24
START = 1e-3
ENOUGH = 1e-6


def best_weight(question: SearchProblem) -> SearchProblem:
    """The problem with the multiplier of the day's limit at which its bound is highest.

    The bound is concave in the multiplier, its slope is what is paid beyond the limit: doubled
    until the slope changes its sign, then halved in between. Any multiplier is right, a good one
    proves more. A problem without the limit comes back as it is.
    """
    if question.day is None:
        return question
    low, high, weight = 0.0, inf, START
    best, best_bound, start = question.weighing(0.0), -inf, 0.0
    for _ in range(CLIMBS):
        weighed = question.weighing(weight)
        point, sides = climb(SearchBox(weighed), start, inf)
        start = point.at
        if point.bound > best_bound:
            best, best_bound = weighed, point.bound
        if _paid_at_top(sides) > question.day.cap:
            low = weight
        else:
            high = weight
        if high < inf and high - low <= ENOUGH * high:
            break
        weight = 2.0 * weight if high == inf else 0.5 * (low + high)
    return best


def _paid_at_top(sides: list[DualPoint]) -> float:
    """What is paid between the two sides of the top, where the slope of the dual is 0."""
    first, last = sides[0], sides[-1]
    if first is last or first.slope == last.slope:
        return first.day
    part = first.slope / (first.slope - last.slope)
    return first.day + part * (last.day - first.day)
