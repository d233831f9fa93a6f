"""Exports of sealed advice, unpacked and checked as a third party does."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path


def unpacked(content: bytes, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
    return folder


def check_export(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        # Isolated, without site-packages: nothing but Python itself.
        [sys.executable, "-I", "-S", str(folder / "verify.py"), *words],
        capture_output=True,
        text=True,
        check=False,
    )
