"""How many of feedparser's own well-formed test feeds come out the same through our reader.

Usage: python benchmarks/feeds.py FOLDER, the `tests/wellformed` folder of feedparser's source distribution.
A feed counts when its title, link and date and those of every entry, with the content, equal what feedparser itself gives.
"""

from __future__ import annotations

import sys
import time
from calendar import timegm
from io import BytesIO
from pathlib import Path
from typing import Any

import feedparser

from trasmallo.crawl.feeds import Feed, read_feed

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


def main(folder: Path) -> None:
    same = total = 0
    spent = 0.0
    for path in sorted(folder.rglob("*.xml")):
        body = path.read_bytes()
        total += 1
        start = time.process_time()
        feed = read_feed(body, URL)
        spent += time.process_time() - start
        if ours(feed) == expected(body):
            same += 1
        else:
            print("differs:", path.relative_to(folder))
    share, each = 100 * same / max(total, 1), 1000 * spent / max(total, 1)
    print(f"{same} of {total} feeds the same ({share:.2f} %), {each:.2f} ms CPU a feed")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
