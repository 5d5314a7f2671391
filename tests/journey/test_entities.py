"""Names of a corpus from documents to tables and search."""

from __future__ import annotations

from pathlib import Path

from support.command_line import call

FIRST = "Ana Pérez vive en Soria desde el 3 de mayo de 2020. Pérez cobra 20 euros."
SECOND = "El presidente Juan Gómez habló con Ana Pérez en Soria. Todos los vecinos de la ciudad escucharon."


def test_names_reach_tables_and_search(tmp_path: Path) -> None:
    folder, project = tmp_path / "docs", tmp_path / "project"
    folder.mkdir()
    for name, text in (("a.txt", FIRST), ("b.txt", SECOND)):
        (folder / name).write_text(text, "utf-8")
    assert call("new", project, "--language", "es").code == 0
    assert call("import", folder, "--into", project, "--quiet").code == 0
    rows = {(row["entity"], row["kind"]): row for row in call("list", project, "entities", "--json").rows()}
    ana = rows["Ana Pérez", "PER"]
    assert (ana["count"], ana["documents"], ana["sites"]) == (3, 2, 1)
    assert rows["2020-05-03", "DATE"]["written"] == "3 de mayo de 2020"
    mentions = call("list", project, "mentions", "--where", "entity=Ana Pérez", "--json").rows()
    assert sorted(row["text"] for row in mentions) == ["Ana Pérez", "Ana Pérez", "Pérez"]
    found = call("find", project, 'entity:"PER=Juan Gómez"', "--json").value()
    assert [hit["url"].rpartition("/")[2] for hit in found["hits"]] == ["b.txt"]
