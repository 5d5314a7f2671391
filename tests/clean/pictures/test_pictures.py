from __future__ import annotations

import pytest

from trasmallo.clean.dom import see
from trasmallo.clean.pictures import Subject, draw
from trasmallo.clean.pictures.panels import PANELS
from trasmallo.values.errors import UsageError

SUBJECT = Subject(*see("<p>La red se cala al anochecer.</p><p>Y se recoge de madrugada.</p>"))


def test_all_pictures_on_one_sheet() -> None:
    whole, one = draw(SUBJECT, title="Redes"), draw(SUBJECT, ["tree"])

    assert whole.height > sum(panel(SUBJECT).height for panel in PANELS.values())
    assert one.height < whole.height
    assert ">Redes<" in whole.svg()


def test_an_unknown_picture_is_refused() -> None:
    with pytest.raises(UsageError, match="choose among nodes"):
        draw(SUBJECT, ["selfie"])
