"""The file of users' own kinds: read, checked, changed with its comments kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.study.entities.own_kinds import (
    MOST_ENTRIES,
    OwnList,
    OwnModel,
    OwnPattern,
    add,
    check_list,
    digest,
    load,
    remove,
    rules,
)
from trasmallo.values.errors import ConfigError, UsageError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "drugs.txt").write_text("aspirina\n", "utf-8")
    return tmp_path / "entities.toml"


def test_entries_are_added_and_taken_out_and_comments_stay(path: Path) -> None:
    assert not len(load(path))
    path.write_text("# mine\n", "utf-8")
    add(path, OwnList(kind="DRUG", file="drugs.txt", inflected=True))
    add(path, OwnPattern(kind="DOSE", pattern='[pos="NUM"] "mg"', verifies=("DRUG",)))
    found = add(path, OwnPattern(kind="", pattern='"de"', verifies=("DRUG",)))
    assert found.kinds == ["DOSE", "DRUG"]
    assert [(one.number, one.by, one.options) for one in rules(found)] == [
        (1, "list", "inflected"),
        (2, "pattern", "verifies DRUG"),
        (3, "pattern", "verifies DRUG"),
    ]
    assert [one.what for one in rules(remove(path, [1, 3]))] == ['[pos="NUM"] "mg"']
    assert path.read_text("utf-8").startswith("# mine\n")
    with pytest.raises(UsageError, match="no entry 2"):
        remove(path, [2])


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (OwnList(kind="drug", file="drugs.txt"), "'drug' is no kind"),
        (OwnList(kind="DRUG", file="none.txt"), "no list none.txt"),
        (OwnPattern(kind="X", pattern="[pos="), "ends too early"),
        (OwnPattern(kind="", pattern='"a"'), "without a kind"),
        (OwnPattern(kind="X", pattern='"a" within s'), "within"),
        (OwnPattern(kind="X", pattern='"a"{1,9999}'), "repeats"),
        (OwnPattern(kind="X", pattern='"a"', score=2), "no score"),
        (OwnPattern(kind="X", pattern='"a"', verifies=("no",)), "'no' is no kind"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(path: Path, entry: OwnList | OwnPattern, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        add(path, entry)
    assert not path.exists()


@pytest.mark.parametrize(
    "text",
    ["[[list]\n", '[[list]]\nkind = "X"\n', '[[list]]\nkind = "X"\nfile = "drugs.txt"\ncolour = 1\n', "list = 3\n", "\0",
     '[[pattern]]\nkind = "x"\npattern = "a"\n', '[[pattern]]\nkind = "X"\npattern = \'"a"\'\n' * (MOST_ENTRIES + 1)],
)  # fmt: skip
def test_a_broken_file_is_told_with_its_name(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match="entities.toml"):
        load(path)


def test_the_digest_changes_with_the_file_and_its_lists(path: Path) -> None:
    assert digest(path) == ""
    add(path, OwnList(kind="DRUG", file="drugs.txt"))
    first = digest(path)
    (path.parent / "drugs.txt").write_text("ibuprofeno\n", "utf-8")
    assert first and digest(path) != first


@pytest.mark.parametrize("name", ["a" * 5_000, "a\0b", "../" * 3_000])
def test_a_list_whose_name_no_file_can_have_is_told(path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="there is no list"):
        check_list(OwnList(kind="DRUG", file=name), path.parent)


def test_models_are_entries_behind_lists_and_patterns(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("a\n", "utf-8")
    (tmp_path / "own.model").write_bytes(b"x")
    path = tmp_path / "entities.toml"
    add(path, OwnModel(file="own.model", kinds=("DRUG",)))
    before = digest(path)
    add(path, OwnList(kind="X", file="x.txt"))
    assert [(one.by, one.kind, one.what) for one in rules(load(path))] == [
        ("list", "X", "x.txt"),
        ("model", "DRUG", "own.model"),
    ]
    (tmp_path / "own.model").write_bytes(b"y")
    assert digest(path) != before
    assert [one.file for one in remove(path, [2]).lists] == ["x.txt"]
    assert load(path).models == ()
    with pytest.raises(UsageError, match="no model"):
        add(path, OwnModel(file="none.model"))
    with pytest.raises(UsageError, match="no kind"):
        add(path, OwnModel(file="own.model", kinds=("drug",)))
