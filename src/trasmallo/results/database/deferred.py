"""Tables that a run which changed few documents leaves to who asks first: kept in the cache of whoever asked, in their order.

Every figure of such a table depends on the whole corpus (measures of association, dispersion, rows counted through), so it
cannot be told by what changed. It is made as at the end of a first run, of tokens and tables that no longer change, under the
settings that `study.json` in the run's folder tells.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec
import xxhash

from trasmallo.config import StudyConfig
from trasmallo.results.registry import FromLinks, FromTables, FromTokens, Table
from trasmallo.store import digests
from trasmallo.store.run_cache import cache_of, make_cache
from trasmallo.store.run_folders import Run
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import REBUILD, StoreDamaged
from trasmallo.values.software import SOFTWARE

STUDIED = "study.json"
"""The settings of [study] that the tables of a run were made under, where some of them are still to be made."""

LAZY = "lazy"
"""The file in the folder of a run that says that all tables over many documents are made, and kept, when they are asked for."""


def is_lazy(run: Run) -> bool:
    """Whether a run leaves all tables over many documents to who asks."""
    return (run.folder / LAZY).exists()


def write_studied(run: Run, study: StudyConfig) -> None:
    """Keep the settings for tables that are made later."""
    write_whole(run.folder / STUDIED, msgspec.json.encode(study))


def read_studied(run: Run) -> StudyConfig | None:
    """These settings, None where all tables were made when the run ended; raises StoreDamaged."""
    path = run.folder / STUDIED
    with suppress(FileNotFoundError):
        content = path.read_bytes()
        digests.verify(path)
        try:
            return msgspec.json.decode(content, type=decodable(StudyConfig))
        except UNDECODABLE as error:
            raise StoreDamaged("{path} is damaged ({error})", REBUILD, path=path, error=error) from None
    return None


def is_unmade(run: Run, table: Table) -> bool:
    """Whether a table of a run that is finished is still to be made by who asks for it first."""
    if not (run.folder / STUDIED).exists() or (run.folder / f"{table.name}.parquet").exists():
        return False
    left = table.deferred or (isinstance(table.made, FromTokens | FromTables | FromLinks) and is_lazy(run))
    return left and not kept_file(run, table).exists()


def kept_file(run: Run, table: Table, *, make: bool = False) -> Path:
    """Where the cache has a table, or would have it; another version of the program has another. `make` makes the folder."""
    state = f"{SOFTWARE} {run.manifest.study} {run.manifest.clean}"
    folder = make_cache(run) if make else cache_of(run)
    return folder / f"{table.name}-{xxhash.xxh3_64_hexdigest(state.encode())}.parquet"
