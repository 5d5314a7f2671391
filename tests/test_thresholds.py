"""Every number that was chosen says on what: a bare threshold is a riddle to whoever must change it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src" / "trasmallo"


def test_every_threshold_says_where_it_comes_from() -> None:
    bare = [f"{path.relative_to(SOURCES)}:{line} {name}" for path in SOURCES.rglob("*.py") for name, line in _bare(path)]
    assert not bare, "say in a comment or docstring what these were calibrated on, or that they are judgement"


def _bare(path: Path) -> Iterator[tuple[str, int]]:
    """The numeric constants of a module without a word beside them."""
    text = path.read_text(encoding="utf-8")
    lines, body = text.splitlines(), ast.parse(text).body
    for statement, after in zip(body, [*body[1:], None], strict=True):
        name = _constant(statement)
        if name and not _is_string(after) and not _is_commented(lines, statement):
            yield name, statement.lineno


def _constant(statement: ast.stmt) -> str:
    """The name of a constant in capitals that is a number, or several; "" for anything else."""
    targets = (
        statement.targets
        if isinstance(statement, ast.Assign)
        else [statement.target]
        if isinstance(statement, ast.AnnAssign)
        else []
    )
    value = getattr(statement, "value", None)
    name = ast.unparse(targets[0]) if targets else ""
    return name if value is not None and name.isupper() and _is_number(value) else ""


def _is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.Constant):
        return isinstance(value.value, int | float) and not isinstance(value.value, bool)
    if isinstance(value, ast.BinOp):
        return _is_number(value.left) and _is_number(value.right)
    if isinstance(value, ast.UnaryOp):
        return _is_number(value.operand)
    return isinstance(value, ast.Tuple) and bool(value.elts) and all(map(_is_number, value.elts))


def _is_string(statement: ast.stmt | None) -> bool:
    return (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)
    )


def _is_commented(lines: list[str], statement: ast.stmt) -> bool:
    before, last = lines[statement.lineno - 2].strip(), lines[(statement.end_lineno or statement.lineno) - 1]
    return before.startswith("#") or "  # " in last
