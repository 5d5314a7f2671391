"""The web app for tests in browsers: a program of its own over the demo's results and a very long table."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from support.command_line import PROGRAM, fetched, hurried
from support.counted_documents import tokens_of
from support.waiting import until
from trasmallo.demo.site import Site
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.project import Project
from trasmallo.results.database.tables import compile_tables
from trasmallo.results.rows import PageRow
from trasmallo.results.tables.words import WordRow
from trasmallo.store.parts import document_id, write_part
from trasmallo.study.word_lists import list_path, write_list

LONG = 120_000
"""Rows of the long table."""

_PAGES = 40


class App(NamedTuple):
    """The app as a program of its own, over the projects of a folder."""

    origin: str
    token: str
    home: Path

    def open(self, browser: Any, path: str) -> Any:
        """A tab at a page, let in."""
        return browser.open(f"{self.origin}{path}{'&' if '?' in path else '?'}token={self.token}")


@contextmanager
def serving(home: Path, data: Path) -> Iterator[App]:
    """Serves `demo`, finished; `new`, never run; `halted`, stopped; and `long`, whose `words_by_page` has `LONG` rows."""
    with Site(drip=0.0) as site:
        demo = hurried(home / "demo", site.seeds)
        demo.run()
        demo.put_into_group("names", demo.kwic("de", limit=3).hits, query="de")
        hurried(home / "new", site.seeds)
        halt(hurried(home / "halted", site.seeds, delay=0.3))
    make_long(home / "long")
    write_list(list_path(home / "demo", "own.txt"), ["de", "la"])
    command = [*PROGRAM, "serve", str(home), "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | {"XDG_DATA_HOME": str(data)}) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        try:
            yield App(told["address"].partition("/?")[0], told["token"], home)
        finally:
            process.terminate()


def halt(project: Project) -> None:
    """Run a project until some of its pages are there, and stop it."""
    project.start()
    until(lambda: fetched(project) > 5, "some pages")
    project.stop(at_once=True)
    project.wait()


def make_long(folder: Path) -> None:
    """A project with a finished run of some pages, each with thousands of words."""
    project = Project.new(folder, ["http://a.es/"])
    run = start_run(project.runs, project.config, "crawl", "trasmallo/0")
    each = LONG // _PAGES
    urls = [f"http://a.es/{n}" for n in range(_PAGES)]
    pages = [PageRow(document_id(url), url, "a.es", 1.0, "t", "es", "utf-8", "text/html", 1, "x", each) for url in urls]
    words = [WordRow(page.document, f"palabra{n:05}", 1 if n % 97 else 97, 0) for page in pages for n in range(each)]
    write_part(run.parts, "1", {"pages": pages, "texts": [], "profiles": [], "links": []}, tokens_of(words))
    compile_tables(run)
    run.manifest.crawled = True
    run.mark("finished")
