"""Tests mirror the code one to one: `src/trasmallo/store/archive.py` has `tests/store/test_archive.py`.

The `__init__` of a package with code of its own has `test_<package>.py` in the package's folder. A module needs a test when it
has a function that does something: structs, protocols, tables of constants and re-exports do not.
"""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).resolve().parent
SOURCE = TESTS.parent / "src" / "trasmallo"

KINDS = {"browser", "extending", "extension", "fuzz", "golden", "journey", "laws", "quality", "support", "training"}
"""Folders of tests that look at more than one module; CONTRIBUTING.md says what each is for."""

OF_THE_TREE = {
    "test_api",
    "test_docs",
    "test_glossary",
    "test_go",
    "test_habits",
    "test_mirror",
    "test_security",
    "test_thresholds",
    "test_translations",
}
"""Tests of the repository itself, or of the package as a whole."""

ELSEWHERE = {
    "__init__.py": "the public names, in test_api.py",
    "crawl/browser/devtools.py": "at work in crawl/browser/test_pool.py, with a real browser",
    "crawl/browser/tab.py": "as devtools.py",
    "results/database/built_tables.py": "all of results/database at work in test_tables.py and test_cache.py, over real runs",
    "results/database/planner.py": "as built_tables.py",
    "results/database/views.py": "as built_tables.py",
    "results/database/writer.py": "as built_tables.py",
    "results/exports/source.py": "in every test of an exporter",
    "results/layers/by_document.py": "all of results/layers at work in laws/test_layers.py, against tables that are made new",
    "results/layers/links.py": "in test_compilation.py, and as by_document.py",
    "results/layers/segments.py": "as by_document.py",
    "results/layers/totals.py": "as by_document.py",
    "study/query/automaton_walk.py": "at work in test_evaluation.py, against an evaluator that is plainly right",
}
"""Modules that are tested with another one, and where."""


def mirrored(test: Path) -> list[Path]:
    """The sources that a test may be of."""
    name, folder = test.stem.removeprefix("test_"), SOURCE / test.parent.relative_to(TESTS)
    packages = [folder / "__init__.py"] if name == folder.name else []
    return [path for path in (folder / f"{name}.py", *packages) if path.exists()]


def own_tests() -> list[Path]:
    """Tests that must mirror a source."""
    found = [path for path in TESTS.rglob("test_*.py") if path.relative_to(TESTS).parts[0] not in KINDS]
    return sorted(path for path in found if path.parent != TESTS or path.stem not in OF_THE_TREE)


def has_code(path: Path) -> bool:
    """Whether some function of a module does something; those of protocols only say what they promise."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    functions = (node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return any(not _is_said(statement) for function in functions for statement in function.body)


def _is_said(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def test_every_test_mirrors_a_module() -> None:
    assert [str(path.relative_to(TESTS)) for path in own_tests() if not mirrored(path)] == []


def test_every_module_with_code_has_its_test() -> None:
    tested = {source for test in own_tests() for source in mirrored(test)} | {SOURCE / name for name in ELSEWHERE}
    missing = [path for path in SOURCE.rglob("*.py") if path not in tested and has_code(path)]
    assert sorted(str(path.relative_to(SOURCE)) for path in missing) == []


def test_what_is_tested_elsewhere_is_there_and_has_no_test_of_its_own() -> None:
    for name in ELSEWHERE:
        path = SOURCE / name
        assert has_code(path), name
        assert not (TESTS / path.parent.relative_to(SOURCE) / f"test_{path.stem}.py").exists(), (
            f"{name} has a test of its own now"
        )


def test_supporting_modules_are_not_named_as_the_product_names_its_own() -> None:
    ours = {path.stem for path in SOURCE.rglob("*.py")}
    assert sorted(path.stem for path in (TESTS / "support").rglob("*.py") if path.stem in ours) == []
    left = [path.name for path in TESTS.glob("*.py") if not path.stem.startswith("test_") and path.stem != "conftest"]
    assert left == [], "it belongs into tests/support"
