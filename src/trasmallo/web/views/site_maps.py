"""Sitemap of a folder: what it would have, and its files to take away. Nothing is written into the folder."""

from __future__ import annotations

import shlex
import tempfile
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from trasmallo.crawl.discover.folder_sitemap import folder_entries, sitemap
from trasmallo.crawl.discover.sitemaps import SitemapEntry
from trasmallo.values.errors import DocumentError, TrasmalloError, UrlError, UsageError
from trasmallo.values.urls import canonical
from trasmallo.web.pages import Download, Pages, Visit
from trasmallo.web.rendering import PageAnswer

pages = Pages()

_SHOWN = 50
"""Addresses that are shown. Judgement: enough to see whether they are right."""

_CHUNK = 1 << 16  # judgement: bytes sent at a time

Line = Annotated[str, Meta(max_length=2_000)]


class SitemapQuestion(msgspec.Struct, frozen=True):
    """A folder by its whole path, the address at which it is served, and whether the files are packed."""

    folder: Line = ""
    base: Line = ""
    gzip: bool = False


class SitemapFile(msgspec.Struct, frozen=True):
    """A file of a sitemap, and its size in bytes."""

    name: str
    size: int


class SitemapAnswer(PageAnswer, frozen=True, kw_only=True):
    """The sitemap of a folder: its files, the one to announce first, how many addresses it has, and the first of them.

    There are none where nothing was asked, or where `problem` and `repair` say what is wrong with `field`.
    """

    files: tuple[SitemapFile, ...] = ()
    number: int = 0
    entries: tuple[SitemapEntry, ...] = ()
    field: str = ""
    problem: str = ""
    repair: str = ""


@pages.get("/sitemap", "sitemap.html")
def show_sitemap(visit: Visit, question: SitemapQuestion) -> SitemapAnswer:
    """The sitemap of a folder that the user names."""
    command, python = _twins(question)
    answer = SitemapAnswer(command=command, python=python)
    if not (question.folder.strip() or question.base.strip()):
        return answer
    try:
        with _written(visit, question) as made:
            files = tuple(SitemapFile(path.name, path.stat().st_size) for path in made.files)
        found = folder_entries(Path(question.folder.strip()), canonical(question.base.strip()))
        entries = tuple(islice(found, _SHOWN))
        return msgspec.structs.replace(answer, files=files, entries=entries, number=len(entries) + sum(1 for _ in found))
    except TrasmalloError as error:
        field = "base" if isinstance(error, UrlError) else "folder"
        return msgspec.structs.replace(answer, field=field, problem=error.said.problem, repair=error.said.repair)


@pages.get("/sitemap/files")
def download_sitemap(visit: Visit, question: SitemapQuestion) -> Download:
    """The files of a sitemap: the one there is, or several in a ZIP file."""
    made = _written(visit, question)
    host = urlsplit(question.base.strip()).hostname or "site"
    if len(made.files) == 1:
        media = "application/gzip" if question.gzip else "application/xml"
        return Download(made.files[0].name, media, made.stream(made.files[0]))
    return Download(f"sitemap-{host}.zip", "application/zip", made.stream(made.packed()))


class _Written:
    """The files of a sitemap in a folder of their own, which goes with this."""

    def __init__(self, folder: Path, base: str, *, compress: bool) -> None:
        self._place = tempfile.TemporaryDirectory(prefix="trasmallo-sitemap-")
        try:
            self.files = sitemap(folder, base, self._place.name, compress=compress)
        except BaseException:
            self._place.cleanup()
            raise

    def __enter__(self) -> _Written:
        return self

    def __exit__(self, *_error: object) -> None:
        self._place.cleanup()

    def packed(self) -> Path:
        """All files in one."""
        path = Path(self._place.name, "all.zip")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in self.files:
                archive.write(file, file.name)
        return path

    def stream(self, path: Path) -> Iterator[bytes]:
        """The bytes of one of them; afterwards all are gone."""
        with self, path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk


def _written(visit: Visit, question: SitemapQuestion) -> _Written:
    """The files; raises for who only reads, for a folder that is none, and for a base that is no address."""
    if visit.read_only:
        raise UsageError("this app only shows results", "make the sitemap with: trasmallo sitemap FOLDER --base URL")
    folder = Path(question.folder.strip())
    if not folder.is_absolute():
        raise DocumentError("{folder!r} is no whole path", "write all of it, such as /srv/www", folder=question.folder.strip())
    return _Written(folder, question.base.strip(), compress=question.gzip)


def _twins(question: SitemapQuestion) -> tuple[str, str]:
    """The same on the command line and in Python; there the files are written into the folder."""
    folder, base = question.folder.strip() or "FOLDER", question.base.strip() or "https://example.org/"
    words = ["trasmallo", "sitemap", folder, "--base", base, *(["--gzip"] if question.gzip else [])]
    packed = ", compress=True" if question.gzip else ""
    return shlex.join(words), f"import trasmallo\n\ntrasmallo.sitemap({folder!r}, {base!r}{packed})\n"
