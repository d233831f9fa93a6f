"""What can go wrong with a call, as an ASGI layer before the brokers.

Kinds: `expired`, `revoked`, `limit`, `limit_code`, `500`, `502`, `503`, `html`, `half` (JSON cut
short), `nonsense` (JSON of other types), `cut` (the connection breaks in the body), `slow`,
`hang`, `redirect`, `long` (more than may be), `canned` (the fault's own answer).
"""

import asyncio
import json
from typing import Any

from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.brokers.simulator.world import Fault, World

PAGE = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body></body>\r\n</html>\r\n"
TOO_MANY_TEXT = "Access denied because of exceeding access rate"


class Faults:
    """Meets a call with a fault, if one is set for it."""

    def __init__(self, app: ASGIApp, world: World) -> None:
        self._app, self._world = app, world

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/_simulator"):
            await self._app(scope, receive, send)
            return
        call = f"{scope['method']} {scope['path']}"
        fault = self._world.fault_for(call, _user_of(scope, self._world))
        if fault is None:
            await self._app(scope, receive, send)
        elif fault.kind in {"slow", "hang"}:
            await asyncio.sleep(fault.seconds if fault.kind == "slow" else 3600)
            await self._app(scope, receive, send)
        elif fault.kind == "cut":
            await send({"type": "http.response.start", "status": 200, "headers": _LONGER})
            await send({"type": "http.response.body", "body": b'{"status":', "more_body": True})
            # The server closes the connection on this, as there is less than was promised.
            await send({"type": "http.response.body", "body": b""})
        else:
            answer = _answer(fault, is_kite=_is_kite(scope["path"]))
            await answer(scope, receive, send)


_LONGER = [(b"content-type", b"application/json"), (b"content-length", b"4096")]


def _answer(fault: Fault, *, is_kite: bool) -> Response:
    kind = fault.kind
    if kind == "canned":
        told = fault.answer
        body = told["text"] if "text" in told else json.dumps(told["json"])
        return Response(body, told["status"], media_type=told["contentType"])
    if kind == "redirect":
        return Response("", 302, {"Location": "http://169.254.169.254/latest/meta-data/"})
    if kind == "html":
        return Response(PAGE, 502, media_type="text/html")
    if kind == "half":
        return Response('{"status":"success","data":[{"tradin', media_type="application/json")
    if kind == "nonsense":
        return JSONResponse({"status": "success" if is_kite else True, "data": [7, None, "x"]})
    if kind == "long":
        return Response(b"[" + b" " * (6 << 20) + b"]", media_type="application/json")
    return _kite_answer(kind) if is_kite else _angel_answer(kind)


def _kite_answer(kind: str) -> Response:
    status, error, message = {
        "expired": (403, "TokenException", "Incorrect `api_key` or `access_token`."),
        "revoked": (403, "TokenException", "Incorrect `api_key` or `access_token`."),
        "limit": (429, "NetworkException", "Too many requests"),
        "500": (500, "GeneralException", "Something unexpected went wrong."),
        "502": (502, "DataException", "The OMS does not answer."),
        "503": (503, "NetworkException", "The OMS is not there."),
    }[kind]
    return kite_error(status, error, message)


def _angel_answer(kind: str) -> Response:
    if kind == "limit":
        return PlainTextResponse(TOO_MANY_TEXT, 403)
    if kind in {"500", "502", "503"}:
        return angel_error("AB2001", "Internal Error, Please try after sometime", int(kind))
    if kind == "limit_code":
        return angel_error("AB1021", "Too many requests")
    code, message = {
        "expired": ("AG8002", "Token Expired"),
        "revoked": ("AG8001", "Invalid Token"),
    }[kind]
    return gateway_error(code, message)


def kite_error(status: int, kind: str, message: str) -> Response:
    body = {"status": "error", "message": message, "data": None, "error_type": kind}
    return JSONResponse(body, status)


def angel_error(code: str, message: str, status: int = 200) -> Response:
    body: dict[str, Any] = {"status": False, "message": message, "errorcode": code, "data": None}
    return JSONResponse(body, status)


def gateway_error(code: str, message: str) -> Response:
    return JSONResponse({"success": False, "message": message, "errorCode": code, "data": ""})


def _is_kite(path: str) -> bool:
    return not path.startswith(("/rest/", "/OpenAPI_File", "/publisher-login"))


def _user_of(scope: Scope, world: World) -> str:
    for name, value in scope["headers"]:
        if name == b"authorization":
            token = value.decode("latin-1").split(" ")[-1].rpartition(":")[2]
            return world.logins[token].user_id if token in world.logins else ""
    return ""
