"""Writes the pages of the client: HTML of our own templates, in the language of the client."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any, Final

from fastapi import Response
from starlette.responses import FileResponse
from starlette.routing import Route

from tarazu.kit import formatting
from tarazu.kit.templates import templates_in
from tarazu.kit.translation import Language, translation_of

FOLDER: Final = Path(__file__).parent
ASSETS: Final = FOLDER / "assets"
ASSETS_PATH: Final = "/a/assets/"
FOREVER: Final = "public, max-age=31536000, immutable"
HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
}


@cache
def asset_path(name: str) -> str:
    """The path of an asset; it changes with the content, so browsers keep it for ever."""
    digest = hashlib.sha256((ASSETS / name).read_bytes()).hexdigest()[:12]
    stem, _, suffix = name.rpartition(".")
    return f"{ASSETS_PATH}{stem}-{digest}.{suffix}"


def asset_routes() -> list[Route]:
    """The style and the script, each under its own path."""
    return [_asset_route(path.name) for path in sorted(ASSETS.iterdir())]


def _asset_route(name: str) -> Route:
    kind = "text/css" if name.endswith(".css") else "text/javascript"

    async def answer(_: Any) -> Response:
        return FileResponse(ASSETS / name, media_type=kind, headers={"Cache-Control": FOREVER})

    return Route(asset_path(name), answer, methods=["GET", "HEAD"])


def page_of(template: str, language: Language, status: int = 200, **values: Any) -> Response:
    """A page of a template; texts are translated, and every value is escaped."""
    t = translation_of(language)
    text = (
        templates_in(FOLDER / "templates")
        .get_template(template)
        .render(
            gettext=t.gettext,
            ngettext=t.ngettext,
            day=t.day,
            time=t.time,
            rupees=formatting.rupees,
            shares=formatting.shares,
            language=language.lower(),
            asset=asset_path,
            **values,
        )
    )
    return Response(text, status, HEADERS, "text/html; charset=utf-8")
