"""The entries of the tables, each as every other part of the program relies on it."""

from __future__ import annotations

import pytest

from trasmallo.results import registry
from trasmallo.results.cells import Rows
from trasmallo.results.registry import Table, all_tables
from trasmallo.values.errors import UsageError

TABLES = list(all_tables().values())


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_an_entry_speaks_both_languages_and_links_to_what_is_there(table: Table) -> None:
    assert all((table.title.en, table.title.es, table.about.en, table.about.es))
    assert table.group in registry.GROUPS
    for link in table.links.values():
        if isinstance(link, Rows):
            assert link.table in all_tables()


def test_every_table_is_in_one_group() -> None:
    assert sorted(name for names in registry.groups().values() for name in names) == sorted(all_tables())


def test_a_name_that_is_nearly_right_is_told() -> None:
    assert registry.find("words").name == "words"
    with pytest.raises(UsageError, match="did you mean 'words'"):
        registry.find("wrods")
