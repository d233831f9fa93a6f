"""Prints the OpenAPI document: `python -m tarazu.openapi > openapi.json`."""

import json
import tempfile
from pathlib import Path

from tarazu.app import create_app
from tarazu.kit.settings import Settings


def document() -> str:
    """The wire contract, as the code declares it, in stable order."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder), expose_openapi=True))
        # Sorted: Pydantic lists some of a number's limits in another order at each start.
        return json.dumps(app.openapi(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    print(document(), end="")
