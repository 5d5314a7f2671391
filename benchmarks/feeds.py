"""How many of feedparser's own well-formed test feeds come out right through our reader.

Usage: python benchmarks/feeds.py FOLDER, the `tests/wellformed` folder of feedparser's source distribution.
Two shares: feeds whose titles, links, dates, contents and summaries all equal what feedparser gives with the same switches, and
what the tests themselves expect of those fields, but for those about sanitising and embedded addresses, which clean does.
"""

from __future__ import annotations

import ast
import re
import sys
import time
from calendar import timegm
from io import BytesIO
from pathlib import Path
from typing import Any

import feedparser

from trasmallo.crawl.discover.feeds import Feed, read_feed

URL = "http://127.0.0.1:8097/feed.xml"


def expected(body: bytes) -> list[tuple[Any, ...]]:
    headers = {"content-location": URL, "content-type": "application/xml"}
    parsed = feedparser.parse(BytesIO(body), response_headers=headers, sanitize_html=False, resolve_relative_uris=False)
    about = parsed.feed
    rows: list[tuple[Any, ...]] = [(about.get("title", ""), about.get("link", ""))]
    for entry in parsed.entries:
        content = next((part.value for part in entry.get("content", ()) if part.value), "")
        date = dict.get(entry, "published_parsed") or dict.get(entry, "updated_parsed")
        at = float(timegm(date)) if date else None
        rows.append((entry.get("title", ""), entry.get("link", ""), at, content, entry.get("summary", "")))
    return rows


def ours(feed: Feed | None) -> list[tuple[Any, ...]]:
    if feed is None:
        return []
    rows: list[tuple[Any, ...]] = [(feed.title, feed.link)]
    for entry in feed.entries:
        at = entry.published if entry.published is not None else entry.updated
        rows.append((entry.title, entry.link, at, entry.content, entry.summary))
    return rows


def expectations(body: bytes) -> list[tuple[str, int, str, Any]]:
    """What a test expects of the fields we keep: (feed or entries, number, field, value)."""
    found = re.search(r"Expect:\s*(.*?)\s*-->", body.decode("latin-1"), re.DOTALL)
    try:
        tree = ast.parse(found[1].replace("not bozo and ", ""), mode="eval") if found else ast.parse("0", mode="eval")
    except SyntaxError:
        return []
    return [
        row
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq) and (row := expectation(node))
    ]


def expectation(node: ast.Compare) -> tuple[str, int, str, Any] | None:
    field = re.fullmatch(r"(feed|entries\[(\d+)\])\['(title|link|summary)'\]", ast.unparse(node.left)) or re.fullmatch(
        r"(entries\[(\d+)\])\['(content)'\]\[0\]\['value'\]", ast.unparse(node.left)
    )
    try:
        value = ast.literal_eval(node.comparators[0])
    except ValueError:
        return None
    return (field[1].partition("[")[0], int(field[2] or 0), field[3], value) if field and isinstance(value, str) else None


def holds(feed: Feed | None, where: str, number: int, field: str, value: str) -> bool:
    if feed is None or (where == "entries" and number >= len(feed.entries)):
        return False
    return getattr(feed if where == "feed" else feed.entries[number], field, None) == value


def main(folder: Path) -> None:
    same = total = right = asked = 0
    spent = 0.0
    for path in sorted(folder.rglob("*.xml")):
        body = path.read_bytes()
        total += 1
        start = time.process_time()
        feed = read_feed(body, URL)
        spent += time.process_time() - start
        for row in () if path.parent.name in ("sanitize", "base") else expectations(body):
            asked += 1
            right += holds(feed, *row)
        if ours(feed) == expected(body):
            same += 1
        else:
            print("differs:", path.relative_to(folder))
    share, each = 100 * same / max(total, 1), 1000 * spent / max(total, 1)
    print(f"{same} of {total} feeds the same ({share:.2f} %), {each:.2f} ms CPU a feed")
    print(f"{right} of {asked} expectations of the tests met ({100 * right / max(asked, 1):.2f} %)")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
