"""The mail as a phone shows it: one column of 390 pixels, light and dark."""

import json
import os
import shutil
import subprocess
from html import escape
from pathlib import Path
from typing import Any

import pytest

from tarazu.advice.documents.message import draft_of
from tarazu.kit.translation import Language
from tests.advice.documents.sent_of import sealed

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
SCHEMES = {"light": 1, "dark": 0}
# Measured in a frame: a window of Chromium is wider than a phone.
PAGE = """<!doctype html><html><body><iframe id="mail" style="width:390px;height:800px;border:0"
srcdoc="{mail}"></iframe><script>
document.getElementById("mail").onload = (event) => {{
  const mail = event.target.contentDocument, root = mail.documentElement
  const parts = [...mail.body.querySelectorAll("*")]
  const style = (part) => event.target.contentWindow.getComputedStyle(part)
  document.title = JSON.stringify({{
    width: root.scrollWidth,
    right: Math.max(...parts.map((part) => part.getBoundingClientRect().right)),
    isDark: event.target.contentWindow.matchMedia("(prefers-color-scheme: dark)").matches,
    ink: style(mail.body).color,
    inks: [...new Set(parts.map((part) => style(part).color))],
    grounds: [...new Set([mail.body, ...parts].map((part) => style(part).backgroundColor))],
  }})
}}
</script></body></html>"""


def _measured(html: str, scheme: str, folder: Path) -> dict[str, Any]:
    if CHROMIUM is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is not installed")
        pytest.skip("Chromium is not installed")
    page = folder / "page.html"
    page.write_text(PAGE.format(mail=escape(html)), encoding="utf-8")
    flags = (
        "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
        "--disable-background-networking --disable-component-update --virtual-time-budget=2000"
    )
    done = subprocess.run(
        [
            CHROMIUM,
            *flags.split(),
            f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}",
            f"--user-data-dir={folder / 'profile'}",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    title = done.stdout.partition("<title>")[2].partition("</title>")[0]
    return dict(json.loads(title))


def _contrast(ink: str, ground: tuple[int, int, int]) -> float:
    """The contrast of WCAG 2 between "rgb(r, g, b)" and a ground."""

    def luminance(colour: tuple[int, ...]) -> float:
        parts = [part / 255 for part in colour]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    numbers = tuple(int(part) for part in ink[ink.index("(") + 1 : -1].split(",")[:3])
    light, dark = sorted((luminance(numbers), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("language", Language)
def test_the_mail_fits_a_phone_and_has_no_boxes_of_its_own_colour(
    language: Language, scheme: str, tmp_path: Path
) -> None:
    advice = sealed(12, language, rationale="Averylongword" * 12)

    shown = _measured(draft_of(advice, b"").html, scheme, tmp_path)

    assert shown["isDark"] == (scheme == "dark")
    assert shown["width"] <= 390
    assert shown["right"] <= 390
    assert shown["grounds"] == ["rgba(0, 0, 0, 0)"]
    # The mail program's own ground: white, or a dark grey.
    ground = (255, 255, 255) if scheme == "light" else (30, 30, 30)
    assert all(_contrast(ink, ground) >= 4.5 for ink in shown["inks"])


def test_text_and_html_say_the_same() -> None:
    draft = draft_of(sealed(4), b"")

    for words in (
        "Dear Kavya Menon,",
        "We advise you to sell shares of 2 stocks",
        "Overweight: 6.63 % against a target of 4 %. Sell 62, leaves 4.01 %",
        "Its peer is cheaper.",
        "What to do now",
        "Trade by 26 Nov 2026.",
        "subject to market risks",
        "Ananya Kulkarni",
    ):
        assert words.casefold() in draft.text.casefold()
        assert words in draft.html
