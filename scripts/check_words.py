"""Refuse phrases that a reader would stumble over, in texts, docstrings, comments and documents.

Usage: python scripts/check_words.py [path …]    (all tracked files without one)
"""

import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = (".py", ".ts", ".tsx", ".typ", ".md", ".html", ".mjs", ".sh", ".toml", ".yaml", ".yml", "Makefile")
GENERATED = ("schema.d.ts",)
SELF = "scripts/check_words.py"

# Old words and what to write in their place.
WORDS = {
    r"stands? (?:here|in|for|there|at|on|over|beside|under|still|open|alone)|stood": "is, appears",
    r"(?:was|is|were|are|be|been|being|who|has|had|it|nobody|they) told|told (?:by|of|as|to|apart|why|in|once|alone)": "said, shown, sent, known",
    r"anew": "again, new",
    r"reckon(?:ed|s|ing)?": "calculate, count",
    r"(?:too|as|so|one|more) dear": "expensive",
    r"by (?:itself|themselves|themself)": "automatically, alone",
    r"one's own": "your own, its own",
    r"who reads it so": "(say it plainly)",
    r"nobody can tell": "unknown",
    r"let go": "release",
    r"taken away": "exported",
    r"where somebody": "where you",
}

# Texts that were replaced on screens, in mails, letters and on the command line.
TEXTS = [
    "Clients that you add",
    "Leave alone a drift",
    "Leave out trades under",
    "Keep back of each purchase",
    "Count charges in the budget",
    "Leave clients alone",
    "Leave it alone",
    "left alone",
    "What is held but not in the model",
    "Grey now, blue after",
    "Nothing was loaded for",
    "A row is written after each trading day",
    "Holdings at most, in business days",
    "Prices at most, in minutes",
    "make a client stale",
    "Proved gap",
    "Money differs",
    "Not in the target",
    "Stocks that nobody",
    "Money that Accounting",
    "What the broker says of",
    "send a link by which",
    "The link does not open",
    "takes its place",
    "Kept sealed",
    "Another host wants",
    "eyes that see red and green",
    "With it a log-in needs",
    "without work",
    "True to what it holds",
    "as far as it fits",
    "is mended by the next one",
    "A fee keeps the version",
    "A share sold a day",
    "with the same word here",
    "Put in, less taken out",
    "Plain return",
    "do not assure those to come",
    "puts yours there",
    "leaves every list and sum",
    "Give up this send",
    "The audit trail holds",
    "No row fits",
    "Whatever is changed here",
    "a line a stock",
    "Money went in and nothing is left",
    "an account was made for you",
    "contract note decides",
    "worked out in whole shares",
    "letter of a demonstration firm",
    "None are made",
    "how it is mended",
    "is not among the known instruments",
    "that all else serves",
    "an unknown name stops the start",
]


def tracked(paths: list[str]) -> list[str]:
    """Tracked sources below these paths, or all; without generated files, licences and binaries."""
    command = ["git", "ls-files", "--", *paths]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [n for n in names.stdout.splitlines() if n.endswith(SOURCES) and not n.endswith(GENERATED)]


def lines_of(path: Path) -> list[tuple[int, str]]:
    """Each line with its number; of Python, only strings and comments: names are read by people who review."""
    text = path.read_text()
    if path.name == "specification.md":
        # Its last column has names of tests, which are checked where they are written.
        return [(number, line.rsplit(" | `", 1)[0]) for number, line in enumerate(text.splitlines(), 1)]
    if path.suffix != ".py":
        return list(enumerate(text.splitlines(), 1))
    lines = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT):
            lines += enumerate(token.string.splitlines(), token.start[0])
    return lines


def main() -> int:
    old = re.compile("|".join(rf"\b(?:{word})\b" for word in WORDS), re.IGNORECASE)
    texts = re.compile("|".join(map(re.escape, TEXTS)))
    found = 0
    for name in tracked(sys.argv[1:]):
        path = ROOT / name
        if name == SELF or not path.is_file():
            continue
        for number, line in lines_of(path):
            hit = old.search(line) or texts.search(line)
            if hit:
                found += 1
                print(f"{name}:{number}: “{hit[0]}” in: {line.strip()[:110]}")
    if found:
        print(f"{found} phrases to replace; scripts/check_words.py lists better ones", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
