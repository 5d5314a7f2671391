"""The command that serves the app.

It is a command like those of `trasmallo.cli`, but lives here: the two doors do not know each other. The command line's table of
commands names this module, and loads it by that name when somebody types `serve`.
"""

from __future__ import annotations

import os
import secrets
import socket
import webbrowser
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click
import msgspec

from trasmallo.values.errors import UsageError, disk_errors
from trasmallo.values.free_memory import share_arenas

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

    from trasmallo.web.connections import ConnectionLimits
    from trasmallo.web.guard import AppDoor

PORT = 7470
"""Port of the app unless another is chosen: a promise to users, chosen by us."""

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@click.command("serve", epilog="Example: trasmallo serve mycorpus")
@click.argument("folders", nargs=-1, metavar="[DIR]...", type=click.Path(file_okay=False))
@click.option("--port", type=click.IntRange(0, 65_535), default=PORT, show_default=True, help="0 is any free one.")
@click.option("--bind", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where to listen; this machine alone.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="Another name by which browsers may call this machine.")
@click.option("--read-only", is_flag=True, help="Show results, and take no changes.")
@click.option("--user", default="", metavar="NAME", help="Show what this user of the system may read, with a token of its own.")
@click.option("--new-token", is_flag=True, help="Make another token, and lock out whoever knows the old one.")
@click.option("--browser/--no-browser", default=False, help="Open the address in a browser.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: the address.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but the address.")
def serve_command(
    folders: tuple[str, ...],
    port: int,
    bind: str,
    names: tuple[str, ...],
    read_only: bool,
    user: str,
    new_token: bool,
    browser: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Work in the browser: projects, live runs and results. A DIR is a project or a folder of projects."""
    share_arenas()
    for folder in folders:
        if not Path(folder).is_dir():
            raise UsageError(
                "there is no folder {folder}", "make a project there with: trasmallo new {folder} URL", folder=folder
            )
    from trasmallo.project.workspace import Workspace, data_folder

    data = data_folder()
    workspace = Workspace(folders, data / "projects.json")
    listening = listen(bind, port)
    if user:
        user, read_only = checked_user(user, folders), True
    door = _door(data, listening, names, read_only=read_only, new_token=new_token, user=user)
    address = f"http://{_shown(listening)}/?token={door.token}"
    if as_json:
        click.echo(msgspec.json.encode({"address": address, "token": door.token, "read_only": read_only}))
    elif quiet:
        click.echo(address)
    else:
        click.echo(f"Open {address}\nCtrl-C ends the app; runs that it started go on.")
    if browser:
        webbrowser.open(address)
    run(workspace, door, listening)


def checked_user(name: str, folders: tuple[str, ...]) -> str:
    """A user as the system names it; raises NotFound, or UsageError where the app may not ask as that user."""
    from trasmallo.project.permissions import asker_named

    found = [asker_named(name, Path(folder)).name for folder in folders or (".",)]
    return found[0]


def run(workspace: object, door: AppDoor, listening: socket.socket) -> None:
    """Serve until Ctrl-C."""
    from trasmallo.project.workspace import Workspace
    from trasmallo.web.app import build

    assert isinstance(workspace, Workspace)
    app = build(workspace, door)
    with listening:
        try:
            server_of(app, door).run(sockets=[listening])
        except KeyboardInterrupt:
            return
        finally:
            app.state.pool.close()


def server_of(app: Starlette, door: AppDoor, limits: ConnectionLimits | None = None) -> uvicorn.Server:
    """The server of an app, with the limits of its connections."""
    import uvicorn

    from trasmallo.web.connections import GuardedConnection, Strangers

    settings = uvicorn.Config(
        app,
        http=partial(GuardedConnection, strangers=Strangers(door, limits)),  # type: ignore[arg-type]
        ws="none",
        log_level="warning",
        lifespan="on",
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=65_536,
    )
    return uvicorn.Server(settings)


def listen(bind: str, port: int) -> socket.socket:
    """A socket that listens; raises UsageError when the port is taken."""
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((bind, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        problem = "cannot listen on {bind}:{port} ({reason})"
        raise UsageError(problem, "choose another --port, or 0 for any", bind=bind, port=port, reason=error.strerror) from None
    return listening


def read_token(folder: Path, *, new: bool = False, user: str = "") -> str:
    """The token of this person's apps, kept in a file that only they can read, so that the extension knows it tomorrow too.

    Apps for another `user` have one of their own: who knows it is that user and nobody else.
    """
    path = folder / (f"token-{quote(user, safe='')}" if user else "token")
    with disk_errors(path):
        found = path.read_text().strip() if path.exists() and not new else ""
        if len(found) < 32:
            found = secrets.token_urlsafe(24)
            folder.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(found + "\n")
    return found


def _door(
    data: Path, listening: socket.socket, names: tuple[str, ...], *, read_only: bool, new_token: bool, user: str
) -> AppDoor:
    from trasmallo.web.guard import AppDoor

    host, port = listening.getsockname()[:2]
    known = [*_LOOPBACK, f"[{host}]" if ":" in host else host, *(name.lower() for name in names)]
    hosts = frozenset(f"{name}:{port}" for name in known) | (frozenset(known) if port == 80 else frozenset())
    return AppDoor(read_token(data, new=new_token, user=user), hosts, read_only, user=user)


def _shown(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - the person asked for it
        host = "127.0.0.1"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
