from __future__ import annotations

import trasmallo
from trasmallo.values.software import SOFTWARE


def test_the_program_tells_its_version() -> None:
    assert f"trasmallo/{trasmallo.__version__}" == SOFTWARE
