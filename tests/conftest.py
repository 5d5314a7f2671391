"""What every test has: hypothesis with the same examples in every run, child processes that run the code under test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["support.command_line"]

settings.register_profile(
    "house", deadline=None, derandomize=True, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")
os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parent.parent / "src")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures that tests measured and do not judge (`record_property("figure", line)`)."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "figure":
                terminalreporter.write_line(str(value))
