"""The demo: the sample project, from crawl to tables, against a web that the program serves to itself."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trasmallo.cli import program
from trasmallo.cli.output import print_json, print_table, with_output
from trasmallo.cli.projects import print_summary

if TYPE_CHECKING:
    from trasmallo.project.project import Project


@click.command("demo", epilog="Example: trasmallo demo --into demo")
@click.option("--into", "folder", default="demo", show_default=True, metavar="DIR", type=click.Path(file_okay=False))
@click.option("--serve", is_flag=True, help="Watch it in the web app, which stays until Ctrl-C.")
@click.option("--port", type=int, metavar="N", help="The web app's port, with --serve.")
@with_output
@click.pass_context
def demo_command(context: click.Context, folder: str, serve: bool, port: int | None, as_json: bool, quiet: bool) -> None:
    """Serve a small web of three hosts on this machine, crawl it, and show what was found."""
    if serve:
        given = [*(["--port", str(port)] if port is not None else []), *["--json"] * as_json, *["--quiet"] * quiet]
        _serve(context, folder, given, quiet=quiet or as_json)
        return
    from trasmallo.cli.progress import bars
    from trasmallo.demo.play import play

    played = play(Path(folder), lambda bus: bars(bus, quiet=quiet or as_json))
    if as_json:
        print_json(played)
    elif not quiet:
        print_summary(played.summary)
        print_table(("word", "occurrences", "meaning"), played.words, title="Words of the demo that no dictionary has")
        click.echo(f"\nThe project is in {folder}. Look further with: trasmallo list {folder} words --limit 50")
        click.echo(f"Or in the browser: trasmallo serve {folder}")


def _serve(context: click.Context, folder: str, given: list[str], *, quiet: bool) -> None:
    """Start the run as a process of its own and serve the app at once, so that it can be watched from the first page on."""
    from trasmallo.demo.play import make_project
    from trasmallo.demo.site import Site

    command = program.get_command(context, "serve")
    assert command is not None
    with Site() as site:
        project = make_project(Path(folder), site.seeds)
        project.start(new=True)
        if not quiet:
            threading.Thread(target=_tell_the_end, args=(project,), daemon=True).start()
        with command.make_context("serve", [folder, *given], parent=context) as asked:
            command.invoke(asked)


def _tell_the_end(project: Project) -> None:
    """Say what the run brought, when it has ended."""
    project.wait()
    summary = project.summary()
    click.echo(f"{summary.run}: {summary.state}, {summary.documents} documents with {summary.words:,} words.")
