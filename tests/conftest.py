"""What every test has: hypothesis with the same examples in every run, child processes that run the code under test."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from support.postgres import Server, running_server

pytest_plugins = ["support.command_line"]

settings.register_profile(
    "house", deadline=None, derandomize=True, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")
# Where this variable is set every process that tests start would compile the package again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parent.parent / "src")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures that tests measured and do not judge (`record_property("figure", line)`), and sums of what they count.

    What is counted begins with "number of", as in `record_property("number of damaged projects", 1)`.
    """
    sums: Counter[str] = Counter()
    for report in (*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")):
        for name, value in report.user_properties:
            if name == "figure":
                terminalreporter.write_line(str(value))
            elif name.startswith("number of"):
                sums[name] += int(str(value))
    for name, number in sums.items():
        terminalreporter.write_line(f"{name}: {number:,}")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A database server of this process's tests; they are skipped where PostgreSQL or its client is not installed."""
    with running_server() as server:
        yield server


@pytest.fixture
def database(postgres: Server) -> Iterator[str]:
    """The address of a database that nobody else uses."""
    address = postgres.make_database()
    yield address
    postgres.drop_database(address)
