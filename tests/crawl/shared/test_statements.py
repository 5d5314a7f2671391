"""No statement compares a worker's clock: all times are the database's."""

from __future__ import annotations

from trasmallo.crawl.shared import statements


def test_times_are_the_databases_own() -> None:
    told = {name: text for name, text in vars(statements).items() if name.isupper() and isinstance(text, str)}
    timed = [name for name, text in told.items() if "due <=" in text or "set due" in text or "free_at =" in text]
    assert timed
    assert all("{now}" in told[name] for name in timed)
    assert "statement_timestamp" in statements.NOW
