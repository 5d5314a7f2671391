"""A crawl that follows the project file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from trasmallo import config
from trasmallo.config import CrawlConfig
from trasmallo.pipeline.settings_watch import SettingsWatch


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / config.FILE_NAME


def told(file: Path, watch: SettingsWatch, text: str, warnings: list[str]) -> CrawlConfig | None:
    """What the watch says after the file was written, as if a second had passed."""
    file.write_text(text)
    at = file.stat().st_mtime_ns + 10**9
    os.utime(file, ns=(at, at))
    return watch.look(warnings.append)


def test_a_crawl_follows_the_file_and_keeps_its_options(file: Path) -> None:
    file.write_text('[crawl]\nexclude = ["a", "b"]\n')
    watch = SettingsWatch(file, CrawlConfig(exclude=("typed", "b"), pages=7))
    warnings: list[str] = []
    assert watch.look(warnings.append) is None
    changed = told(file, watch, '[crawl]\nexclude = ["c"]\ninclude = ["/x"]\npages = 1\n', warnings)
    assert changed == CrawlConfig(exclude=("typed", "c"), include=("/x",), pages=7)
    assert watch.look(warnings.append) is None
    assert told(file, watch, '[crawl]\nexclude = ["c"]\ninclude = ["/x"]\npages = 2\n', warnings) is None
    assert warnings == []


def test_a_broken_file_is_told_once_and_changes_nothing(file: Path) -> None:
    file.write_text("[crawl]\n")
    watch = SettingsWatch(file, CrawlConfig())
    warnings: list[str] = []
    assert told(file, watch, '[crawl]\nexclude = [""]\n', warnings) is None
    assert warnings == [], "its editor may be at work"
    for _ in range(3):
        assert watch.look(warnings.append) is None
    (warning,) = warnings
    assert warning.startswith(f"{file}: `crawl.exclude` has '', which every address matches: write a part of")
    assert warning.endswith("; the crawl goes on with the old rules")
    file.unlink()
    assert watch.look(warnings.append) is None
    changed = told(file, watch, '[crawl]\nexclude = ["x"]\n', warnings)
    assert changed is not None
    assert (changed.exclude, len(warnings)) == (("x",), 1)
