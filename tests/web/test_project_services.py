"""Services for projects: begun, ended, begun again after they failed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from trasmallo.config import Config
from trasmallo.project.project import Project
from trasmallo.project.settings import write_values
from trasmallo.project.workspace import Workspace
from trasmallo.values.errors import UsageError
from trasmallo.web.project_services import Begun, ProjectServices


def test_services_follow_the_settings_and_are_begun_again(tmp_path: Path) -> None:
    projects = [Project.new(tmp_path / name, ["http://a.es/"]) for name in "ab"]
    for project in projects:
        write_values(project.folder / "trasmallo.toml", {"web.public_address": "https://corpus.example.org/"})
    begun = list[str]()

    async def main() -> None:
        gates = {"a": asyncio.Event(), "b": asyncio.Event()}

        async def begin(name: str, config: Config) -> Begun[str]:
            begun.append(name)
            if begun.count(name) == 1 and name == "b":
                raise UsageError("busy", "try later")
            return Begun(f"{name}{config.crawl.lines}", asyncio.create_task(_wait(gates[name])))

        workspace = Workspace([project.folder for project in projects])
        services = ProjectServices(workspace, is_wanted=lambda one: bool(one.config.web.public_address), begin=begin)
        await services.look()
        assert list(services.running) == ["a"], "the other could not be begun"
        await services.look()
        assert set(services.running) == {"a", "b"}
        gates["a"].set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert set(services.running) == {"b"}, "its task is over"
        write_values(projects[1].folder / "trasmallo.toml", {"web.public_address": "", "crawl.lines": 3})
        gates["a"].clear()
        await services.look()
        assert set(services.running) == {"a"}, "begun again; nobody wants the other"
        async with services.serving():
            pass
        assert services.running == {}

    asyncio.run(main())
    assert sorted(begun) == ["a", "a", "b", "b"]


async def _wait(gate: asyncio.Event) -> None:
    await gate.wait()
