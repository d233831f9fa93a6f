"""Print figures of the source code: lines, files per feature, longest files and functions, repeated names.

Usage: python scripts/code_figures.py [folder of a checkout]
"""

import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
SERVER = "server/src/tarazu/"


def tracked(*folders: str) -> list[str]:
    """The tracked source files below the folders, without generated ones."""
    names = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    return [
        name
        for name in names
        if name.endswith((".py", ".ts", ".tsx", ".css", ".mjs"))
        and not name.endswith(("schema.d.ts", "routeTree.gen.ts"))
        and (ROOT / name).is_file()
    ]


def lines(names: list[str]) -> int:
    return sum(len((ROOT / name).read_text().splitlines()) for name in names)


def is_web_test(name: str) -> bool:
    return ".test." in name or "/testing/" in name


def part_of(name: str, prefix: str) -> str:
    rest = name.removeprefix(prefix)
    return rest.split("/")[0] if "/" in rest else "."


def by_part(names: list[str], prefix: str) -> str:
    parts = defaultdict(list)
    for name in names:
        parts[part_of(name, prefix)].append(name)
    return ", ".join(
        f"{part} {len(parts[part])}/{lines(parts[part])}" for part in sorted(parts)
    )


def main() -> None:
    source = tracked(SERVER)
    tests = tracked("server/tests")
    web = [name for name in tracked("web/src") if not is_web_test(name)]
    web_tests = [name for name in tracked("web/src") if is_web_test(name)] + tracked("web/e2e")
    features = [name for name in web if name.startswith("web/src/features/")]

    print(f"lines: server {lines(source)}, its tests {lines(tests)}, web {lines(web)}, its tests {lines(web_tests)}")
    print(f"server, files/lines: {by_part(source, SERVER)}")
    print(f"web features, files/lines: {by_part(features, 'web/src/features/')}")
    print(f"web ui: {len([n for n in web if n.startswith('web/src/ui/')])} files")

    python = {name: ast.parse((ROOT / name).read_text()) for name in source if name.endswith(".py")}
    sizes = sorted(((lines([name]), name.removeprefix(SERVER)) for name in python), reverse=True)
    print("longest Python files:", *(f"{name} {size}" for size, name in sizes[:5]))
    print(f"Python files over 400 lines: {sum(size > 400 for size, _ in sizes)}")
    functions = sorted(
        (
            (node.end_lineno - node.lineno + 1, f"{name.removeprefix(SERVER)}:{node.name}")
            for name, tree in python.items()
            for node in ast.walk(tree)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        ),
        reverse=True,
    )
    print("longest Python functions:", *(f"{name} {size}" for size, name in functions[:3]))
    web_sizes = sorted(((lines([name]), name) for name in web if not name.endswith(".css")), reverse=True)
    print(f"web files over 250 lines: {sum(size > 250 for size, _ in web_sizes)}; longest {web_sizes[0]}")

    classes = Counter(
        node.name for tree in python.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    )
    twice = [name for name, count in classes.items() if count > 1]
    print(f"classes: {len(classes)} names, {len(twice)} used more than once")

    once = 0
    for name, tree in python.items():
        text = (ROOT / name).read_text()
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("_"):
                once += len(re.findall(rf"\b{node.name}\b", text)) == 2
    print(f"private functions used once: {once}")


main()
