"""Both brokers, made up: REST, log-in pages and tickers, strict as the real ones are.

`python -m tests.brokers.simulator --port 9000` runs it; `Simulator` runs it inside of a test.
"""

from tests.brokers.simulator.running import Simulator

__all__ = ["Simulator"]
