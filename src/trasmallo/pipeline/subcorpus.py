"""Results of a subcorpus: of the documents that somebody may read, or asks about, as if the collection had no others.

A subcorpus has a folder like that of a project, in the cache of who asks, whose runs hold results of these documents alone:

1. What the analysis wrote of each document is taken over; an address that the asker may not know of is left out.
2. Copies are found among the documents that are there: one whose original is not gets its text back into the counts.
3. The tokens of the others are left out, so that all that is counted over many documents is made of these alone.
4. Tables over many documents, and the index, are made when somebody first asks for them, by the same builders as a run's own.

So no figure, word or suggestion can come from a document that is not in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from trasmallo.config import FILE_NAME, Config, CrawlConfig
from trasmallo.config_text import write as write_settings
from trasmallo.pipeline.analysis.document import study_text
from trasmallo.pipeline.duplicates import choose_originals, signed_documents, write_copies
from trasmallo.results.database.deferred import LAZY, STUDIED, read_studied, write_studied
from trasmallo.results.database.document_dates import between
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.frequent_words import find_frequent
from trasmallo.results.registry import FromFile, FromParts, made_by, sql_types
from trasmallo.results.rows import CopyRow, PageRow, TextRow
from trasmallo.results.run_counts import has_catalog, write_counts
from trasmallo.results.sql import literal, quoted
from trasmallo.store import digests
from trasmallo.store.carried import carried_tokens
from trasmallo.store.catalog import Catalog
from trasmallo.store.kept_queries import FOLDER as QUERIES
from trasmallo.store.line_groups import FOLDER as LINE_GROUPS
from trasmallo.store.parts import TOKENS, document_id, finished_parts, token_files
from trasmallo.store.run_folders import Manifest, Run
from trasmallo.store.subcorpora import FILE as SAVED
from trasmallo.store.subcorpora import Choice
from trasmallo.store.tokens import Builder, DocumentTokens, merge
from trasmallo.study.entities.annotated_documents import FOLDER as MARKS
from trasmallo.study.entities.decisions import FILE_NAME as DECISIONS
from trasmallo.study.verdicts import FILE_NAME as VERDICTS
from trasmallo.study.verdicts import load as load_verdicts
from trasmallo.study.verdicts import write as written_verdicts
from trasmallo.study.word_lists import resolve_lists
from trasmallo.values.atomic_files import drafted, remove, write_whole
from trasmallo.values.folder_lock import locked
from trasmallo.values.model import Drop, Fetch, Origin
from trasmallo.values.run_status import RunStatus
from trasmallo.values.steps import tell_step

_KEPT, _COPIED, _DENIED = "kept_documents", "copied_documents", "denied_documents"
"""Tables in the database of who makes it: what belongs to the subcorpus, which of it are copies, what nobody may hear of."""

_COPY = literal(Drop.COPY)
_SPECIAL = {
    "pages": f"""SELECT p.* REPLACE (
        CASE WHEN c.document IS NOT NULL THEN {_COPY} WHEN p.drop = {_COPY} THEN '' ELSE p.drop END AS drop,
        CASE WHEN c.document IS NOT NULL THEN c.original WHEN p.drop = {_COPY} THEN '' ELSE p.cause END AS cause,
        CASE WHEN p.via IN (SELECT url FROM {_DENIED}) THEN '' ELSE p.via END AS via,
        CASE WHEN p.seed IN (SELECT url FROM {_DENIED}) THEN '' ELSE p.seed END AS seed
    ) FROM pages p JOIN {_KEPT} USING (document) LEFT JOIN {_COPIED} c USING (document)""",  # noqa: S608 - all of it is ours
    "copies": f"SELECT * FROM {_COPIED}",  # noqa: S608
    "gone": f"SELECT * FROM gone ANTI JOIN {_DENIED} USING (document)",  # noqa: S608
}
"""How the rows of some tables are chosen."""

_OF_KEPT = f"SELECT * FROM {{name}} SEMI JOIN {_KEPT} USING (document)"  # noqa: S608 - names of ours
_NONE = "SELECT * FROM {name} WHERE false"
_PRIVATE = frozenset(
    {
        "runs",
        "store",
        "snapshots",
        "sent",
        "pushed",
        "lab",
        "websub",
        "focus",
        FILE_NAME,
        VERDICTS,
        SAVED,
        "left-out-sites.json",
        DECISIONS,
        MARKS,
        LINE_GROUPS,
        QUERIES,
        "jobs",
    }
)
"""What of a project's folder is not linked into that of a subcorpus; the rest are word lists and what else a user put there."""

_TOLD = (STUDIED, LAZY)
_STEPS = 5
"""Steps that are told: documents chosen, rows kept, texts read, tokens merged, frequent words found."""

_AT_ONCE = 1_000  # judgement: rows of a catalog written together, some 300 kB


def build_results(run: Run, home: Path, choice: Choice, config: Config) -> Run:
    """The results of a run for the documents of a choice, as a run in the folder `home` of the subcorpus."""
    made = Run(home / "runs" / run.folder.name, _manifest(run))
    with locked(home / "building"):
        if digests.is_sealed(made.folder):
            return made  # somebody else has just built it
        with drafted(made.folder, contested=True) as draft:
            remove(draft)
            draft.mkdir()
            _fill(run, Run(draft, made.manifest), choice, config)
            remove(made.folder)
        made.save()
        write_counts(made, home / "store", anew=True)
    return made


def _manifest(run: Run) -> Manifest:
    return msgspec.structs.replace(
        run.manifest, state="finished", sealed=True, completed=True, ended="", studying="", left_out=None, processes=1
    )


def _fill(run: Run, made: Run, choice: Choice, config: Config) -> None:
    tell_step(0, _STEPS)
    with Tables(run, config.study) as tables:
        kept = dict(_documents(tables, choice))
        copies, orphans = _copies(tables, kept, config.clean.copies)
        tell_step(1, _STEPS)
        _define(tables, kept, copies, choice)
        _keep_rows(tables, made, run.language)
        tell_step(2, _STEPS)
        texts = list(_texts(tables, orphans))
        known = {str(document) for (document,) in tables.select("SELECT document FROM texts")}
    write_copies(made, copies)
    others = known - (kept.keys() - {row.document for row in copies})
    tell_step(3, _STEPS)
    _merge_tokens(run, made, others, _tokens_of(texts, run, config))
    tell_step(4, _STEPS)
    made.save()
    made.write_status(RunStatus())
    write_studied(made, read_studied(run) or config.study)
    (made.folder / LAZY).touch()
    digests.seal(made.folder, _results(made))
    find_frequent(made, config.study)
    tell_step(_STEPS, _STEPS)
    digests.seal(made.folder, _results(made))


def _results(made: Run) -> list[Path]:
    return [path for path in made.folder.iterdir() if path.suffix in (".parquet", ".columns", ".jsonl") or path.name in _TOLD]


def _documents(tables: Tables, choice: Choice) -> Iterator[tuple[str, str]]:
    """The documents of a choice with their addresses."""
    scope = choice.scope
    where = (*scope.where, *between("date", scope.since, scope.until))
    columns = ("document", "url", "language", "host", "seed")
    for document, url, language, host, seed in tables.ask("pages", Question(where=where, columns=columns)):
        wanted = (
            (not scope.languages or language in scope.languages)
            and (not scope.starts or seed in scope.starts)
            and (not scope.sites or any(_is_of(host, site) for site in scope.sites))
        )
        if wanted and url not in choice.denied:
            yield document, url


def _is_of(host: str, site: str) -> bool:
    return host == site.removeprefix(".") or (site.startswith(".") and host.endswith(site))


def _copies(tables: Tables, kept: Mapping[str, str], least: float) -> tuple[list[CopyRow], list[str]]:
    """The copies among the documents that are kept, and those that were copies and are none any more.

    Where an original is not among them, all of them are compared again.
    """
    known = [CopyRow(*row) for row in tables.select("SELECT document, url, copy_of, original, similarity FROM copies")]
    known = [row for row in known if row.document in kept]
    if all(row.copy_of in kept for row in known):
        return known, []
    from trasmallo.clean.copies import minhash

    names, signed = signed_documents(tables)
    places = [place for place, (document, _) in enumerate(names) if document in kept]
    pairs = minhash.all_pairs(signed[places], least) if least else None
    found = choose_originals([names[place] for place in places], pairs) if pairs is not None else []
    still = {row.document for row in found}
    return found, [row.document for row in known if row.document not in still]


def _define(tables: Tables, kept: Mapping[str, str], copies: Sequence[CopyRow], choice: Choice) -> None:
    """Have what is kept, what is copied and what nobody may hear of as tables of the database."""
    denied = sorted(choice.denied)
    copied = {name: [getattr(row, name) for row in copies] for name in CopyRow.__struct_fields__}
    for name, types, columns in (
        (_KEPT, {"document": "VARCHAR"}, [list(kept)]),
        (_COPIED, sql_types(CopyRow), list(copied.values())),
        (_DENIED, {"document": "VARCHAR", "url": "VARCHAR"}, [list(map(document_id, denied)), denied]),
    ):
        listed = ", ".join(f"{quoted(column)} {kind}" for column, kind in types.items())
        tables.connection.define(f"CREATE OR REPLACE TABLE {name} ({listed})")
        tables.connection.insert(name, columns)


def _keep_rows(tables: Tables, made: Run, language: str) -> None:
    """Write what the analysis wrote of each document that is kept."""
    for name, table in made_by(FromParts, FromFile).items():
        rows = _SPECIAL.get(name) or (_OF_KEPT if "document" in table.types else _NONE)
        sql = f"{rows.format(name=quoted(name))} ORDER BY {table.usual_order(language)}"
        tables.prepare(name)
        tables.copy(sql, made.folder / f"{name}.parquet")


def _texts(tables: Tables, documents: Sequence[str]) -> Iterator[tuple[PageRow, TextRow]]:
    """The texts of some documents with the rows of their pages."""
    page = PageRow.__struct_fields__
    listed = ", ".join(f"p.{quoted(name)}" for name in page)
    sql = f"""SELECT t.text, t.signature, t.own_language, t.code, {listed} FROM texts t JOIN pages p USING (document)
              WHERE document IN (SELECT unnest(?))"""  # noqa: S608 - the names are ours
    for text, signature, own, code, *values in tables.select(sql, [list(documents)]) if documents else ():
        row = msgspec.structs.replace(PageRow(**dict(zip(page, values, strict=True))), drop="", cause="")
        yield row, TextRow(row.document, text, signature, own or row.language, code or "")


def _tokens_of(texts: Sequence[tuple[PageRow, TextRow]], run: Run, config: Config) -> Builder:
    """The tokens of texts, studied again."""
    tokens, study = Builder(), resolve_lists(config.study, run.project)
    for page, text in texts:
        for found in study_text(page, text, study, run.language).get("tokens", ()):
            assert isinstance(found, DocumentTokens)
            tokens.add(found)
    return tokens


def _merge_tokens(run: Run, made: Run, others: Collection[str], more: Builder) -> None:
    """Write the tokens of all documents but some; `more` has those that the run does not count."""
    compiled = run.folder / TOKENS
    outdated = {} if compiled.exists() else carried_tokens(run)
    files = [compiled] if compiled.exists() else [*outdated, *token_files(finished_parts(run.shown_parts))]
    studied = made.folder / "studied"
    if len(more):
        more.write(studied)
        files.append(studied)
    merge(files, made.folder / TOKENS, others, outdated=outdated, positions=True)
    remove(studied)


def build_home(project: Path, home: Path, choice: Choice, config: Config, runs: Sequence[Run]) -> None:
    """Make the folder of a subcorpus: what its runs say of themselves, and a store without what is denied to who asks."""
    with drafted(home, contested=True) as draft:
        remove(draft)
        (draft / "runs").mkdir(parents=True, mode=0o700)
        for path in project.iterdir():
            if path.name not in _PRIVATE and not path.name.startswith("."):
                (draft / path.name).symlink_to(path.absolute())
        if choice.denied:
            _copy_store(project / "store", draft / "store", choice.denied)
            write_settings(msgspec.structs.replace(config, crawl=CrawlConfig()), draft / FILE_NAME)
        else:
            for name in ("store", VERDICTS, FILE_NAME, DECISIONS, MARKS, LINE_GROUPS):
                (draft / name).symlink_to((project / name).absolute())
        for run in runs:
            (draft / "runs" / run.folder.name).mkdir()
            Run(draft / "runs" / run.folder.name, _manifest(run)).save()


def _copy_store(store: Path, place: Path, denied: Collection[str]) -> None:
    """A store whose catalog knows nothing of some addresses; records of the archive are only found by its rows."""
    place.mkdir(mode=0o700)
    (place / "archive").symlink_to((store / "archive").absolute())
    if not has_catalog(store):
        return
    with Catalog(store / "catalog", read_only=True) as source, Catalog(place / "catalog") as target:
        for run in source.runs():
            rows = (_told(fetch, denied) for fetch in source.all_of_run(run) if fetch.url not in denied)
            while some := list(islice(rows, _AT_ONCE)):
                target.put_many(some, run)


def _told(fetch: Fetch, denied: Collection[str]) -> Fetch:
    """A row without the addresses that led to it, where nobody may hear of them."""
    origin = fetch.origin
    if origin.via in denied or origin.seed in denied or fetch.location in denied:
        origin = Origin("" if origin.seed in denied else origin.seed, origin.reached, "", origin.depth)
        return msgspec.structs.replace(fetch, origin=origin, location="")
    return fetch


def write_verdicts(project: Path, home: Path, made: Run) -> None:
    """Let a subcorpus have those verdicts whose words its documents have."""
    with Tables(made) as tables:
        words = {word for (word,) in tables.select("SELECT DISTINCT word FROM unknown")}
    found = [verdict for verdict in load_verdicts(project).values() if verdict.word in words]
    write_whole(home / VERDICTS, written_verdicts(found).encode())
