"""Runs the simulator: `python -m tests.brokers.simulator --port 9000`, from the server's folder.

The product reaches it with TARAZU_ALLOW_LOOPBACK_BROKERS=1 and, in the brokers' records, the API
URL http://127.0.0.1:9000 and the keys that are printed here.
"""

import argparse

import uvicorn

from tests.brokers.simulator.running import config_of
from tests.brokers.simulator.world import ANGEL, KITE, World


def main() -> None:
    words = argparse.ArgumentParser(description="Kite Connect and SmartAPI, made up.")
    words.add_argument("--host", default="127.0.0.1")
    words.add_argument("--port", type=int, default=9000)
    words.add_argument("--clients", type=int, default=3, help="of each broker")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--scale", type=float, default=1.0, help="of the limits; 0 for none")
    words.add_argument(
        "--return-url", default="http://127.0.0.1:8000/redirect", help="where log-ins come back"
    )
    told = words.parse_args()
    world = World(told.clients, told.seed, told.scale)
    world.return_urls = dict.fromkeys((KITE, ANGEL), told.return_url)
    root = f"//{told.host}:{told.port}"
    for line in (
        f"API URL of both       http:{root}",
        f"Zerodha               key {world.api_keys[KITE]} secret {world.secrets[KITE]}",
        f"Angel One             key {world.api_keys[ANGEL]}",
        f"TARAZU_ZERODHA_LOGIN_URL=http:{root}/connect/login",
        f"TARAZU_ZERODHA_TICKER_URL=ws:{root}/",
        f"TARAZU_ANGEL_LOGIN_URL=http:{root}/publisher-login",
        f"TARAZU_ANGEL_TICKER_URL=ws:{root}/smart-stream",
        f"TARAZU_ANGEL_SCRIP_MASTER_URL=http:{root}/OpenAPI_File/files/OpenAPIScripMaster.json",
    ):
        print(line, flush=True)  # noqa: T201 - for whoever started it
    uvicorn.Server(config_of(world, host=told.host, port=told.port)).run()


if __name__ == "__main__":
    main()
