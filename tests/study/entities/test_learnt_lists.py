"""Names of a kind in lists, and those that were accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.study.entities.learnt_lists import add_names, listed_names
from trasmallo.study.entities.own_kinds import OwnKinds, OwnList
from trasmallo.values.errors import UsageError


def test_accepted_names_are_added_once(tmp_path: Path) -> None:
    assert add_names(tmp_path, "DRUG", ["aspirina", "aspirina", "ibuprofeno"]) == "learnt-drug.txt"
    add_names(tmp_path, "DRUG", ["ibuprofeno", "insulina"])
    assert (tmp_path / "learnt-drug.txt").read_text("utf-8") == "aspirina\nibuprofeno\ninsulina\n"


def test_names_of_a_kind_come_from_its_lists_alone(tmp_path: Path) -> None:
    (tmp_path / "drugs.txt").write_text("# names\naspirina\tN02\n\nibuprofeno\n", "utf-8")
    (tmp_path / "titles.txt").write_text("doctor\n", "utf-8")
    found = OwnKinds(
        lists=(
            OwnList(kind="DRUG", file="drugs.txt"),
            OwnList(kind="DRUG", file="titles.txt", titles=True),
            OwnList(kind="FOOD", file="drugs.txt"),
        )
    )
    assert list(listed_names(found, tmp_path, "DRUG")) == ["aspirina", "ibuprofeno"]


@pytest.mark.parametrize(
    ("kind", "names"), [("drug", ["a"]), ("DRUG", []), ("DRUG", [" "]), ("DRUG", ["a\tb"]), ("DRUG", ["#a"])]
)
def test_what_is_no_name_is_refused(tmp_path: Path, kind: str, names: list[str]) -> None:
    with pytest.raises(UsageError):
        add_names(tmp_path, kind, names)
    assert not list(tmp_path.iterdir())
