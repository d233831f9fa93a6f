"""The API for people: one plain page made of the OpenAPI document, without any script."""

from collections.abc import Mapping
from html import escape
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

METHODS = ("get", "post", "put", "delete")
STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color-scheme:light dark}h2{margin-top:2.5rem}code,pre{font-family:ui-monospace,monospace}"
    "details{border-top:1px solid #8886;padding:.4rem 0}summary{cursor:pointer}"
    "b{display:inline-block;min-width:4.5rem}table{border-collapse:collapse;margin:.5rem 0 1rem}"
    "td,th{text-align:left;padding:.15rem 1rem .15rem 0;vertical-align:top}"
)


def api_page(app: FastAPI) -> Route:
    """The route of the page, for an application that shows its document."""

    def answer(_: Request) -> HTMLResponse:
        return HTMLResponse(page_of(app.openapi()))

    return Route("/api/docs", answer)


def page_of(document: Mapping[str, Any]) -> str:
    """All calls and shapes of an OpenAPI document, as HTML."""
    calls = [
        _call(method, path, call)
        for path, methods in sorted(document["paths"].items())
        for method, call in methods.items()
        if method in METHODS
    ]
    shapes = document.get("components", {}).get("schemas", {})
    named = [_shape(name, shape) for name, shape in sorted(shapes.items())]
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Tarazu API</title>"
        f"<meta name=viewport content='width=device-width'><style>{STYLE}</style>"
        "<main><h1>Tarazu API</h1><p>Every call but the public ones carries "
        "<code>Authorization: Bearer …</code>. The document for programs is "
        "<a href='/api/v1/openapi.json'>openapi.json</a>.</p>"
        f"<h2>Calls</h2>{''.join(calls)}<h2>Shapes</h2>{''.join(named)}</main></html>"
    )


def _call(method: str, path: str, call: Mapping[str, Any]) -> str:
    asked = [
        f"<tr><td><code>{escape(one['name'])}</code><td>{escape(one['in'])}"
        f"<td>{_type(one['schema'])}</tr>"
        for one in call.get("parameters", [])
    ]
    body = [
        f"<tr><td>body<td>{escape(kind)}<td>{_type(content['schema'])}</tr>"
        for kind, content in call.get("requestBody", {}).get("content", {}).items()
    ]
    answers = [
        f"<tr><td>{escape(status)}<td>{escape(answer['description'])}<td>{_contents(answer)}</tr>"
        for status, answer in call["responses"].items()
    ]
    return (
        f"<details><summary><b>{method.upper()}</b> <code>{escape(path)}</code></summary>"
        f"<table>{''.join(asked + body + answers)}</table></details>"
    )


def _contents(answer: Mapping[str, Any]) -> str:
    return " ".join(
        _type(content.get("schema", {})) for content in answer.get("content", {}).values()
    )


def _shape(name: str, shape: Mapping[str, Any]) -> str:
    fields = [
        f"<tr><td><code>{escape(field)}</code><td>{_type(kind)}</tr>"
        for field, kind in shape.get("properties", {}).items()
    ]
    words = [f"<tr><td><code>{escape(str(word))}</code></tr>" for word in shape.get("enum", [])]
    return (
        f"<details id='{escape(name)}'><summary><code>{escape(name)}</code></summary>"
        f"<table>{''.join(fields + words)}</table></details>"
    )


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(str(schema["$ref"]).rpartition("/")[2])
        return f"<a href='#{name}'>{name}</a>"
    if "anyOf" in schema:
        return " or ".join(_type(one) for one in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    form = f" ({schema['format']})" if "format" in schema else ""
    return escape(f"{schema.get('type', 'anything')}{form}")
