"""Citation of a corpus: what it is, when it was obtained, how much of it there is: so that others know what was meant."""

from __future__ import annotations

from datetime import UTC, date, datetime

import msgspec
import xxhash

from trasmallo.results.database.tables import Tables
from trasmallo.store import digests
from trasmallo.store.run_folders import Run
from trasmallo.values.software import SOFTWARE

_COUNTED = """
    SELECT count(*), CAST(coalesce(sum(words), 0) AS BIGINT), count(DISTINCT host), min("at"), max("at") FROM all_pages
    WHERE drop = '' AND document NOT IN (SELECT document FROM copies)"""
_LANGUAGES = """
    SELECT language, count(*) FROM all_pages WHERE drop = '' AND document NOT IN (SELECT document FROM copies)
    GROUP BY language ORDER BY 2 DESC, 1"""

_WHOLE = ("pages.parquet", "texts.parquet", "copies.parquet", "tokens.columns")
"""Files that all other results are made of."""


class Citation(msgspec.Struct, frozen=True, kw_only=True):
    """What is cited: `documents` without copies, their `words` and `sites`, and documents by language.

    `first` and `last` are the days on which they were obtained, "" where nobody knows; `digest` is of the files of the results,
    "" while a run goes on; `scope` is as it is typed, "" for all documents. `cited` is the day of the citation.
    """

    name: str
    run: str
    scope: str
    documents: int
    words: int
    sites: int
    languages: dict[str, int]
    first: str
    last: str
    digest: str
    software: str
    cited: str

    def text(self, language: str = "en") -> str:
        """The citation as a sentence or two, in English or Spanish."""
        return _spanish(self) if language == "es" else _english(self)

    @property
    def bibtex(self) -> str:
        """The citation as an entry of BibTeX."""
        note = _english(self).partition(". ")[2].replace("_", r"\_").replace("%", r"\%").replace("&", r"\&")
        year = (self.last or self.cited)[:4]
        key = "".join(letter for letter in self.run if letter.isascii() and (letter.isalnum() or letter == "-")) or "corpus"
        return f"@misc{{{key},\n  title = {{{self.name}: a web corpus}},\n  year = {{{year}}},\n  note = {{{note}}}\n}}\n"


class CorpusSize(msgspec.Struct, frozen=True):
    """How many documents that were studied, and words, there are."""

    documents: int
    words: int


def size_of(tables: Tables) -> CorpusSize:
    """The size of a run's results."""
    return CorpusSize(tables.number("pages", ("drop=",)), tables.total("words", "count"))


def cite(tables: Tables, run: Run, name: str, scope: str) -> Citation:
    """The citation of the results of a run."""
    tables.prepare("pages", "copies")
    ((documents, words, sites, first, last),) = tables.select(_COUNTED)
    return Citation(
        name=name,
        run=run.name,
        scope=scope,
        documents=documents,
        words=words,
        sites=sites,
        languages={str(language): int(count) for language, count in tables.select(_LANGUAGES)},
        first=_day(first),
        last=_day(last),
        digest=_digest(run),
        software=SOFTWARE,
        cited=datetime.now(UTC).date().isoformat(),
    )


def _day(at: float | None) -> str:
    return date.fromtimestamp(at).isoformat() if at else ""


def _digest(run: Run) -> str:
    """One digest of the documents and tokens of finished results; tables that are made of these later do not change it."""
    if not digests.is_sealed(run.folder):
        return ""
    files = digests.sealed_files(run.folder)
    listed = [(name, files[name].digest) for name in _WHOLE if name in files]
    return xxhash.xxh3_128_hexdigest(msgspec.json.encode(listed))


def _english(of: Citation) -> str:
    when = f"obtained from {of.first} to {of.last}" if of.first != of.last else f"obtained on {of.first}"
    scope = f" In the scope {of.scope}." if of.scope else ""
    digest = f", digest {of.digest}" if of.digest else ""
    return (
        f"{of.name}: a web corpus. {of.documents:,} documents with {of.words:,} words ({_listed(of)}) of {of.sites:,} sites, "
        f"{when}.{scope} Run {of.run}{digest}. Made with {of.software}, cited {of.cited}."
    )


def _spanish(of: Citation) -> str:
    when = f"obtenidos del {of.first} al {of.last}" if of.first != of.last else f"obtenidos el {of.first}"
    scope = f" En el ámbito {of.scope}." if of.scope else ""
    digest = f", resumen {of.digest}" if of.digest else ""
    documents, words, sites = (f"{number:,}".replace(",", ".") for number in (of.documents, of.words, of.sites))
    return (
        f"{of.name}: un corpus de la web. {documents} documentos con {words} palabras ({_listed(of)}) de {sites} sitios, "
        f"{when}.{scope} Ejecución {of.run}{digest}. Hecho con {of.software}, citado el {of.cited}."
    )


def _listed(of: Citation) -> str:
    return ", ".join(f"{language or '?'} {count}" for language, count in of.languages.items())
