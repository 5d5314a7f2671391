"""Results by start address: a folder for each, with all tables of the documents that it led to (DAWeb, figures 8 and 10).

Such a folder is read like that of a run, under the name RUN/ADDRESS. What the analysis wrote of a document is copied, what is
counted over many is made of the tokens of these documents alone.
"""

from __future__ import annotations

import re
import shutil

import xxhash

from trasmallo.config import StudyConfig
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.frequent_words import find_frequent
from trasmallo.results.registry import FromFile, FromParts, made_by
from trasmallo.store import digests
from trasmallo.store.parts import TOKENS
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import merge
from trasmallo.values.atomic_files import remove_at_once, write_whole
from trasmallo.values.errors import NotFound, disk_errors

_ADDRESS = "address.txt"
_LONGEST_NAME = 60  # judgement: characters of an address that make its folder known to a person
_NOT_IN_NAMES = re.compile(r"[^a-z0-9.]+")


def folder_name(seed: str) -> str:
    """The name of the folder of a start address: readable, and like no other's."""
    readable = _NOT_IN_NAMES.sub("-", seed.partition("://")[2].lower())[:_LONGEST_NAME].strip("-.")
    return f"{readable or 'none'}-{xxhash.xxh3_64_hexdigest(seed.encode())[:8]}"


def compile_addresses(run: Run, study: StudyConfig) -> None:
    """Make the results of each start address of a finished run; those of before are removed."""
    forget_addresses(run)
    with Tables(run, study, frugal=True) as tables:
        for seed in tables.tally("pages", "seed"):
            _compile(run.of_address(folder_name(seed)), seed, tables, study)


def forget_addresses(run: Run) -> None:
    """Remove them."""
    remove_at_once(run.addresses)


def addresses_of(run: Run) -> dict[str, str]:
    """The start addresses that a run has results of their own for, and the names that these have as runs."""
    folders = sorted(run.addresses.iterdir()) if run.addresses.is_dir() else []
    found = {(folder / _ADDRESS).read_text(encoding="utf-8"): folder.name for folder in folders}
    return {seed: run.of_address(name).name for seed, name in found.items()}


def run_of_address(run: Run, seed: str) -> str:
    """The name of the results of a start address; raises NotFound where there are none."""
    known = addresses_of(run)
    if seed not in known:
        repair = "choose one of {known}" if known else 'set results = "by address" in [store], then: trasmallo study {folder}'
        raise NotFound(
            "{name} has no results of its own for {seed}",
            repair,
            name=run.name,
            seed=seed[:200],
            known=", ".join(known)[:1_000],
            folder=run.project,
        )
    return known[seed]


def _compile(part: Run, seed: str, tables: Tables, study: StudyConfig) -> None:
    with disk_errors(part.folder):
        part.folder.mkdir(parents=True)
    own = made_by(FromParts, FromFile)
    for table in own:
        tables.keep(table, part.folder / f"{table}.parquet", (f"seed={seed}",))
    others = {str(document) for (document,) in tables.select("SELECT document FROM pages WHERE seed <> ?", [seed])}
    merge([part.folder.parents[1] / TOKENS], part.folder / TOKENS, others, positions=True)
    find_frequent(part, study)
    compile_tables(part, study, there=own)
    shutil.rmtree(part.folder / "spill", ignore_errors=True)
    write_whole(part.folder / _ADDRESS, seed.encode())
    digests.seal(part.folder, part.folder.iterdir())
