"""The file of sites that are taken out."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.store.left_out_sites import FILE, LeftOutSite, beginnings, leave_out, left_out_beginnings, left_out_sites
from trasmallo.values.errors import StoreDamaged


def test_what_is_written_is_read(tmp_path: Path) -> None:
    assert left_out_sites(tmp_path) == {}
    sites = {host: LeftOutSite(host, at) for host, at in (("b.es", 2.0), ("a.es", 1.0))}
    leave_out(tmp_path, sites)
    assert left_out_sites(tmp_path) == sites
    leave_out(tmp_path, {})
    assert left_out_sites(tmp_path) == {}


@pytest.mark.parametrize("content", ["", "{}", '[{"host": 1}]', "["])
def test_a_damaged_file_is_told_with_its_repair(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(StoreDamaged, match="bring it back from a copy, or remove it"):
        left_out_sites(tmp_path)


def test_addresses_of_a_host_begin_so(tmp_path: Path) -> None:
    assert left_out_beginnings(tmp_path) == ()
    leave_out(tmp_path, {"a.es": LeftOutSite("a.es", 1.0)})
    assert left_out_beginnings(tmp_path) == beginnings("a.es")
    begins = beginnings("a.es")
    for url in ("http://a.es/", "https://a.es/x", "http://a.es:8080/"):
        assert url.startswith(begins)
    for url in ("http://b.a.es/", "http://a.es.example/", "http://x.es/http://a.es/"):
        assert not url.startswith(begins)


def test_a_flipped_byte_is_noticed_and_the_bare_list_of_the_first_version_read(tmp_path: Path) -> None:
    leave_out(tmp_path, {"a.es": LeftOutSite("a.es", 5.0)})
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes().replace(b"a.es", b"b.es"))
    with pytest.raises(StoreDamaged, match="digest differs"):
        left_out_sites(tmp_path)
    path.write_bytes(b'[{"host": "\xff"}]')
    with pytest.raises(StoreDamaged):
        left_out_sites(tmp_path)
    path.write_bytes(b'[{"host": "a.es", "since": 5.0}]')
    assert left_out_sites(tmp_path) == {"a.es": LeftOutSite("a.es", 5.0)}
