"""The app over the demo's results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from web.conftest import Client


@pytest.fixture
def demo(enter: Callable[..., Client], played: Path) -> Client:
    """A client of the app over the demo's project; not to be changed."""
    return enter(played)
