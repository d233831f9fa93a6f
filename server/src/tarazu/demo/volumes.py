"""The simulated closes of the last months, with volumes that are simulated too."""

import math
from typing import Final

import numpy as np
from sqlalchemy.orm import Session

from tarazu.demo.actions import Split
from tarazu.demo.market import Market
from tarazu.demo.modelled import OF_MODELS
from tarazu.prices import service as prices

SEED: Final = 2_711_2026
DAYS: Final = 95
"""Business days: those of all advice that is followed, and twenty before them."""
USUAL: Final = 2_000
"""Shares a day of the stock in the middle: few, so that some are thin for a small firm too."""
AMONG_STOCKS, FROM_DAY_TO_DAY = 1.6, 0.4


def record(session: Session, market: Market, split: Split | None) -> None:
    """Record the closes and volumes, as if the exchange's daily files had been imported.

    Args:
        split: of one of the stocks, before which it traded at another price.
    """
    # Its own story: the rest of the demo is the same with and without it.
    chance = np.random.default_rng(SEED)
    averages = chance.normal(math.log(USUAL), AMONG_STOCKS, len(market.stocks))
    days = range(max(0, len(market.days) - DAYS), len(market.days))
    swings = chance.normal(0, FROM_DAY_TO_DAY, (len(days), len(market.stocks)))
    shares = np.exp(averages + swings).astype(np.int64)
    for row, day in enumerate(days):
        closes, volumes = {}, {}
        for stock, listed in enumerate(market.stocks):
            factor = split.factor_on(day, stock) if split else 1
            closes[listed.instrument_token] = market.close(day, stock) * int(factor)
            volumes[listed.instrument_token] = int(shares[row, stock]) // int(factor)
        prices.record_day_closes(session, market.days[day], closes, volumes)
    _record_earlier(session, market, days.start)


def _record_earlier(session: Session, market: Market, until: int) -> None:
    """The closes of before of the models' stocks, without volumes: models have a track record."""
    for day in range(until):
        closes = {
            listed.instrument_token: market.close(day, stock)
            for stock, listed in enumerate(market.stocks[:OF_MODELS])
        }
        prices.record_day_closes(session, market.days[day], closes)
