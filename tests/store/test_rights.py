"""The rights of a store's documents: what is written, what is read, and what a kill leaves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.store.catalog import Catalog
from trasmallo.store.rights import (
    RightsWriter,
    is_restricted,
    read_rights,
    remove_rights,
    replace_rights,
    rights_file,
    stamp_of,
)
from trasmallo.values.access import Access
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import Fetch, Outcome

SECRET, SHARED = Access(uid=1, gid=1, mode=0o600), Access(uid=1, gid=5, mode=0o640)


def _fetch(url: str, access: Access | None, at: float = 1.0) -> Fetch:
    return Fetch(url, at, Outcome.FETCHED, access=access)


def test_a_store_of_public_pages_has_no_file(tmp_path: Path) -> None:
    with Catalog(tmp_path / "catalog") as catalog:
        catalog.put(_fetch("http://a.es/", None), "r")
    assert not is_restricted(tmp_path)
    assert read_rights(tmp_path) == {}
    assert stamp_of(tmp_path) == (0, 0)


def test_the_catalog_writes_the_rights_of_what_it_gets(tmp_path: Path) -> None:
    with Catalog(tmp_path / "catalog") as catalog:
        catalog.put(_fetch("file:///a", SECRET), "r")
        before = stamp_of(tmp_path)
        catalog.put(_fetch("file:///a", SECRET, 2.0), "r")
        assert stamp_of(tmp_path) == before
        catalog.put(_fetch("file:///a", SHARED, 3.0), "r")
        found = catalog.latest("file:///a")
    assert found is not None and found.access == SHARED
    assert read_rights(tmp_path) == {"file:///a": SHARED}
    assert stamp_of(tmp_path) != before


def test_two_writers_know_what_the_other_has_written(tmp_path: Path) -> None:
    """Where a run and a watch note the rights of one file in turn, the last word is that of the file."""
    run, watch = RightsWriter(tmp_path / "catalog"), RightsWriter(tmp_path / "catalog")
    watch.note([_fetch("file:///a", SECRET)])
    run.note([_fetch("file:///a", SHARED)])
    watch.note([_fetch("file:///a", SECRET)])
    assert read_rights(tmp_path) == {"file:///a": SECRET}


def test_no_writer_cuts_what_another_is_writing(tmp_path: Path) -> None:
    addresses = [[f"file:///{number}/{index}" for index in range(200)] for number in range(4)]

    def write(mine: list[str]) -> None:
        writer = RightsWriter(tmp_path / "catalog")
        for url in mine:
            writer.note([_fetch(url, SECRET)])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, addresses))
    assert read_rights(tmp_path) == {url: SECRET for mine in addresses for url in mine}


def test_rights_are_for_their_owner_only(tmp_path: Path) -> None:
    RightsWriter(tmp_path / "catalog").note([_fetch("file:///a", SECRET)])
    assert rights_file(tmp_path / "catalog").stat().st_mode & 0o077 == 0


def test_what_a_kill_left_is_cut(tmp_path: Path) -> None:
    RightsWriter(tmp_path / "catalog").note([_fetch("file:///a", SECRET)])
    path = rights_file(tmp_path / "catalog")
    seal = path.with_suffix(".seal")
    whole, sealed = path.read_bytes(), seal.read_bytes()
    for cut in range(len(whole)):
        path.write_bytes(whole + whole[:cut])
        seal.write_bytes(sealed)
        assert read_rights(tmp_path) == {"file:///a": SECRET}
        RightsWriter(tmp_path / "catalog").note([_fetch("file:///b", SHARED)])
        assert read_rights(tmp_path) == {"file:///a": SECRET, "file:///b": SHARED}


def test_damage_inside_is_told_and_opens_nothing(tmp_path: Path) -> None:
    RightsWriter(tmp_path / "catalog").note([_fetch("file:///a", SECRET), _fetch("file:///b", SECRET)])
    path = rights_file(tmp_path / "catalog")
    path.write_bytes(b"x" + path.read_bytes()[1:])
    with pytest.raises(StoreDamaged, match="rights"):
        read_rights(tmp_path)


def test_nothing_of_it_is_lost_in_silence(tmp_path: Path) -> None:
    RightsWriter(tmp_path / "catalog").note([_fetch("file:///a", SECRET), _fetch("file:///b", SECRET)])
    path = rights_file(tmp_path / "catalog")
    whole = path.read_bytes()
    for place in range(len(whole)):
        for damaged in (whole[:place], whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]):
            path.write_bytes(damaged)
            with pytest.raises(StoreDamaged):
                read_rights(tmp_path)
    path.unlink()
    assert is_restricted(tmp_path)
    with pytest.raises(StoreDamaged, match="missing"):
        read_rights(tmp_path)
    with pytest.raises(StoreDamaged, match="missing"):
        RightsWriter(tmp_path / "catalog").note([_fetch("file:///c", None)])


def test_rights_of_an_earlier_version_have_no_seal(tmp_path: Path) -> None:
    RightsWriter(tmp_path / "catalog").note([_fetch("file:///a", SECRET)])
    path = rights_file(tmp_path / "catalog")
    path.with_suffix(".seal").unlink()
    assert read_rights(tmp_path) == {"file:///a": SECRET}
    RightsWriter(tmp_path / "catalog").note([_fetch("file:///b", SECRET)])
    path.unlink()
    with pytest.raises(StoreDamaged, match="missing"):
        read_rights(tmp_path)


def test_two_processes_may_write(tmp_path: Path) -> None:
    one, other = RightsWriter(tmp_path / "catalog"), RightsWriter(tmp_path / "catalog")
    for number in range(4):
        for writer in (one, other):
            writer.note([_fetch(f"file:///{number}", SECRET if writer is one else SHARED)])
            assert read_rights(tmp_path)[f"file:///{number}"] == (SECRET if writer is one else SHARED)
    assert len(read_rights(tmp_path)) == 4


def test_those_of_a_new_catalog_take_the_place_of_the_old_ones(tmp_path: Path) -> None:
    catalog, draft = tmp_path / "catalog", tmp_path / "catalog.new"
    RightsWriter(catalog).note([_fetch("file:///a", SECRET), _fetch("file:///b", SECRET)])
    RightsWriter(draft).note([_fetch("file:///a", SHARED)])
    replace_rights(catalog, draft)
    assert read_rights(tmp_path) == {"file:///a": SHARED}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["catalog.rights.jsonl", "catalog.rights.seal"]
    remove_rights(catalog)
    assert not is_restricted(tmp_path)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([None, SECRET, SHARED]), st.booleans())))
def test_the_last_word_counts(tmp_path_factory: pytest.TempPathFactory, told: list[tuple[str, Access | None, bool]]) -> None:
    store = tmp_path_factory.mktemp("store")
    writer, expected = RightsWriter(store / "catalog"), dict[str, Access]()
    for url, access, anew in told:
        writer = RightsWriter(store / "catalog") if anew else writer
        writer.note([_fetch(url, access)])
        expected.pop(url, None)
        if access is not None:
            expected[url] = access
        assert read_rights(store) == expected
