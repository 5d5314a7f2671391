"""The app over the demo's results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from support.editable_web import EditableWeb
from trasmallo.project.project import Project
from web.conftest import Client


@pytest.fixture
def demo(enter: Callable[..., Client], played: Path) -> Client:
    """A client of the app over the demo's project; not to be changed."""
    return enter(played)


class Living(NamedTuple):
    """A collection over time: `/gatos` changed, `/trenes` is gone, the rest stayed as it was."""

    folder: Path
    web: EditableWeb
    project: Project


@pytest.fixture(scope="session")
def living(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    """A collection after a run, a revisit and another run; not to be changed."""
    with EditableWeb() as web:
        web.write(
            "/", "Esta es la portada de un periódico que habla de muchas cosas distintas.", "/gatos", "/perros", "/trenes"
        )
        web.write("/gatos", "Los gatos duermen en los tejados.\nLlueve en la ciudad vieja desde ayer por la tarde.")
        web.write("/perros", "Los perros ladran en el jardín cuando pasa el cartero con las cartas.")
        web.write("/trenes", "El tren llega a la estación con retraso porque la nieve cubre las vías.")
        folder = tmp_path_factory.mktemp("living") / "diario"
        project = Project.new(folder, [web.url()], name="diario", delay=0.0, address_delay=0.0, sitemaps=False, gone_after=0.0)
        project.run()
        web.write("/gatos", "Los gatos juegan con un ovillo azul.\nLlueve en la ciudad vieja desde ayer por la tarde.")
        web.pages.pop("/trenes")
        project.revisit("10")
        project.run(new=True)
        yield Living(folder, web, project)


@pytest.fixture
def alive(enter: Callable[..., Client], living: Living) -> Client:
    """A client of the app over the living collection; not to be changed."""
    return enter(living.folder)
