"""Habits of the tests themselves: no waiting by the clock, few private names patched."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parent

PATCHED = 16
"""Private names that tests patch: at most 20. Give the product a seam (an argument with a default), and lower this."""

SLEEPERS = {
    "crawl/fetch/test_attempts.py": "the fake clock",
    "crawl/fetch/test_http.py": "the fake clock of fake_web.run; once a loop that is busy, which is what is tested",
    "crawl/test_crawler.py": "the fake clock",
    "crawl/test_host_rests.py": "the fake clock",
    "crawl/websub/test_subscriber.py": "the fake clock",
    "laws/test_fake_web.py": "the fake clock",
    "support/fake_web.py": "the fake clock",
    "support/hostile_server.py": "a server that drips is what is tested",
}
"""Files that may sleep, and why."""


def sources() -> Iterator[tuple[str, str]]:
    for path in sorted(TESTS.rglob("*.py")):
        if path != Path(__file__).resolve():
            yield path.relative_to(TESTS).as_posix(), path.read_text(encoding="utf-8")


def patched(source: str) -> list[str]:
    """Private names that are set from outside: by monkeypatch, or as an attribute of something that is not `self`."""
    nodes = list(ast.walk(ast.parse(source)))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    setting = [node for node in calls if isinstance(node.func, ast.Attribute) and node.func.attr == "setattr"]
    named = [word.value for node in setting for word in node.args[:2] if isinstance(word, ast.Constant)]
    targets = [target for node in nodes if isinstance(node, ast.Assign) for target in node.targets]
    owned = [target for target in targets if isinstance(target, ast.Attribute)]
    names = [str(name).rpartition(".")[2] for name in named]
    names += [one.attr for one in owned if not (isinstance(one.value, ast.Name) and one.value.id in ("self", "cls"))]
    return [name for name in names if re.match(r"_[^_]", name)]


def test_nobody_waits_by_the_clock() -> None:
    slept = {name for name, source in sources() if re.search(r"\bsleep\((?!0\))", source)}
    assert slept == set(SLEEPERS), "wait for the thing itself (support/waiting.py), or use the fake clock"


def test_few_private_names_are_patched() -> None:
    found = {name: patched(source) for name, source in sources()}
    number = sum(map(len, found.values()))
    assert number <= PATCHED, {name: names for name, names in found.items() if names}
