"""The gate at which hubs call."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx

from trasmallo.project.project import Project
from trasmallo.project.settings import write_values
from trasmallo.project.workspace import Workspace
from trasmallo.web.app import build
from trasmallo.web.guard import AppDoor
from trasmallo.web.hub_gate import Hubs

HOST = "127.0.0.1:7470"
PUBLIC = {"Host": "corpus.example.org"}
PATH = "/websub/p?key=x"


def test_the_gate_is_there_only_for_projects_that_say_their_address(tmp_path: Path) -> None:
    project = Project.new(tmp_path / "p", ["http://a.es/"])
    workspace = Workspace([project.folder])
    hubs = Hubs(workspace, takes_in=False)
    app = build(workspace, AppDoor("t" * 40, frozenset({HOST})), hubs)

    async def main() -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client, hubs.serving():
            await hubs.look()
            assert (await client.get(PATH)).status_code == 401
            write_values(project.folder / "trasmallo.toml", {"web.public_address": "https://corpus.example.org/"})
            await hubs.look()
            answer = await client.get(PATH, headers=PUBLIC)
            assert (answer.status_code, answer.headers["content-type"]) == (404, "application/octet-stream")
            assert (await client.post(PATH, content=b"<feed/>")).status_code == 410
            assert (await client.get("/", headers=PUBLIC)).status_code == 421
            write_values(project.folder / "trasmallo.toml", {"web.public_address": ""})
            await hubs.look()
            assert (await client.get(PATH)).status_code == 401

    asyncio.run(main())
    app.state.pool.close()
