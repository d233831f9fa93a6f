"""Serves the built web client: files listed at the start, compressed if the caller accepts it."""

import json
import mimetypes
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from tarazu.kit.encodings import accepted

FOLDER = Path(__file__).parent.parent / "web"
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
NOT_OURS = ("/api/", "/socket.io", "/health", "/metrics")
FOREVER = "public, max-age=31536000, immutable"
SCREENS = ".vite/screens.json"
"""Written by the build: the files that each address loads."""


@dataclass(frozen=True, slots=True)
class _Page:
    path: Path
    kind: str
    encoded: dict[str, Path]


class Site:
    """Serves the files of a folder, and a page of it for every address of the application.

    That is the page that the build rendered for this address, otherwise the index. With it go the
    names of the files that the screen at this address needs, so that a browser loads them in
    parallel (RFC 8288; HTML, 4.6.7); a rendered page has its styles in it.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        packed = {suffix for _, suffix in ENCODINGS}
        self.pages = {
            "/" + path.relative_to(folder).as_posix(): _page(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix not in packed
        }
        screens = folder / SCREENS
        known = json.loads(screens.read_text()) if screens.is_file() else {}
        self.links = {
            address: _links(files, with_styles=f"{address}.html" not in self.pages)
            for address, files in known.items()
        }

    @property
    def route(self) -> Route:
        """The route to add last: it answers every other path."""
        return Route("/{path:path}", self.answer, methods=["GET", "HEAD"])

    async def answer(self, request: Request) -> Response:
        path = request.scope["path"]
        if path.startswith(NOT_OURS):
            raise HTTPException(404)
        page = self.pages.get(path)
        if page is not None and not path.endswith(".html"):
            lasting = FOREVER if path.startswith("/assets/") else "public, max-age=3600"
            return _file(page, request, lasting)
        index = self.pages.get("/index.html")
        if index is None or "." in path.rpartition("/")[2]:
            raise HTTPException(404)
        address = path.rstrip("/")
        rendered = self.pages.get(f"{address}.html", index)
        return _file(rendered, request, "no-cache", self.links.get(address, ""))


@cache
def built_site() -> Site:
    """The built web client; its files do not change while the process runs."""
    return Site()


def _page(path: Path) -> _Page:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    encoded = {
        name: packed
        for name, suffix in ENCODINGS
        if (packed := path.with_name(path.name + suffix)).is_file()
    }
    return _Page(path, "text/javascript" if path.suffix == ".js" else kind, encoded)


def _links(files: Iterable[str], *, with_styles: bool) -> str:
    """The value of a `Link` header that preloads these scripts and, if asked for, styles."""
    return ", ".join(
        f"</{file}>; rel=modulepreload"
        if file.endswith(".js")
        else f"</{file}>; rel=preload; as=style; crossorigin"
        for file in files
        if with_styles or file.endswith(".js")
    )


def _file(page: _Page, request: Request, lasting: str, links: str = "") -> Response:
    headers = {"Cache-Control": lasting, "Vary": "Accept-Encoding"}
    if links:
        headers["Link"] = links
    named = accepted(request.headers.get("Accept-Encoding", ""))
    for name, path in page.encoded.items():
        if name in named:
            headers["Content-Encoding"] = name
            return FileResponse(path, media_type=page.kind, headers=headers)
    return FileResponse(page.path, media_type=page.kind, headers=headers)
