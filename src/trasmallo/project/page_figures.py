"""What a page of a user's own project takes on disk and in CPU time, for sums of capacity.

Disk is measured on all of the latest run. CPU time is measured on a sample of its stored pages: these are taken into a project
in a folder that goes afterwards, and read and studied by one process under the same settings. It is done with few and with
more pages; what a page takes is the difference, so that starting processes and loading lexicons count for nothing.
"""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from trasmallo import config, config_text
from trasmallo.pipeline.disk_limits import size_of
from trasmallo.project.capacity import CapacityFigures
from trasmallo.store import run_folders
from trasmallo.store.archive import Archive, ArchiveReader
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import TOKENS
from trasmallo.study.word_lists import resolve_lists
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Locator
from trasmallo.values.software import SOFTWARE

if TYPE_CHECKING:
    from trasmallo.project.project import Project

SAMPLE = 400
"""Pages that are read to be timed unless another number is wished: about a minute."""

_FEWER = 4  # judgement: the smaller sample is a fourth, large enough to have met the common words


def measure_pages(project: Project, *, sample: int = SAMPLE, figures: CapacityFigures | None = None) -> CapacityFigures:
    """The figures with those in place of them that can be measured on the latest run; `sample` 0 measures only the disk."""
    run = run_folders.current(project.runs)
    counts = run.status().counts
    if not run.manifest.completed or not counts.pages:
        raise UsageError("no run of {folder} is finished", "finish one first: trasmallo run {folder}", folder=project.folder)
    figures = figures or CapacityFigures()
    store, pages = project.home / "store", counts.pages
    with Catalog(store / "catalog", read_only=True) as catalog:
        rows = max(1, catalog.count)
    tables = sum(path.stat().st_blocks * 512 for path in run.folder.glob("*.parquet"))
    figures = msgspec.structs.replace(
        figures,
        page=counts.received / max(1, counts.obtained) or figures.page,
        archive=size_of(store / "archive") / rows,
        catalog=size_of(store / "catalog") / rows,
        tokens=(run.folder / TOKENS).stat().st_blocks * 512 / pages,
        tables=tables / pages,
        index=size_of(run.folder / "index") / pages,
        addresses=max(counts.known, pages) / pages,
    )
    return msgspec.structs.replace(figures, **_cpu_of(project, sample)) if sample else figures


def _cpu_of(project: Project, sample: int) -> dict[str, float]:
    """CPU milliseconds of a page by stage."""
    places = _sampled(project, sample)
    fewer = places[::_FEWER]
    if len(places) - len(fewer) < _FEWER:
        raise UsageError(
            "the latest run has too few pages to be timed", "crawl more of them, or measure only the disk with --pages 0"
        )
    small, large = _timed(project, fewer), _timed(project, places)
    more = (len(places) - len(fewer)) / 1000
    clean, study = ((now - then) / more for then, now in zip(small, large, strict=True))
    return {"clean": max(0.0, clean - study), "study": max(0.0, study)}  # pages that are read again are studied too


def _sampled(project: Project, most: int) -> list[Locator]:
    """Places of pages of the latest run, evenly over it."""
    run = run_folders.current(project.runs)
    with Catalog(project.home / "store" / "catalog", read_only=True) as catalog:
        found = [fetch.locator for fetch in catalog.of_run(run.catalogued) if fetch.outcome.readable and fetch.locator]
    step = max(1, -(-len(found) // most))
    return found[::step]


def _timed(project: Project, places: Sequence[Locator]) -> tuple[float, float]:
    """CPU seconds of reading and studying these pages, and of studying them."""
    with tempfile.TemporaryDirectory(prefix="trasmallo-lab-") as name:
        folder = Path(name)
        twin = _twin(project, folder / "project")
        twin.import_file(_copied(project, places, folder / "sample"))
        return _cpu_taken(twin.clean), _cpu_taken(twin.study)


def _cpu_taken(work: Callable[[], object]) -> float:
    before = _cpu_used()
    work()
    return _cpu_used() - before


def _twin(project: Project, folder: Path) -> Project:
    """An empty project with the same settings, read by one process of this machine: CPU time of others is not seen."""
    settings = project.config
    folder.mkdir()
    clean = msgspec.structs.replace(settings.clean, workers=1)
    study = resolve_lists(settings.study, project.folder)
    alone = msgspec.structs.replace(settings, clean=clean, study=study, cluster=config.ClusterConfig())
    config_text.write(alone, folder / config.FILE_NAME)
    return type(project).open(folder)


def _copied(project: Project, places: Sequence[Locator], folder: Path) -> Path:
    """A WARC file with these records."""
    with ArchiveReader(project.home / "store" / "archive") as reader, Archive(folder, software=SOFTWARE) as out:
        for place in places:
            out.copy(reader, place)
    (file,) = folder.glob("*.warc.gz")
    return file


def _cpu_used() -> float:
    """CPU seconds of this process and of those that it started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
